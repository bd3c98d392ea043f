/** A `SKILL.md` as other agents write them: what it is called, when it is used, and its text. */
export interface SkillFile {
  readonly name: string;
  readonly description: string;
  readonly text: string;
}

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/u;
const FIELD = /^([A-Za-z][\w-]*):[ \t]*(.*)$/u;

const unquoted = (value: string): string => /^(["'])(.*)\1$/u.exec(value)?.[2] ?? value;

/** The plain fields of YAML front matter: one line, in quotes or not, or indented lines below `>` or `|`. What is nested is left out. */
function fieldsOf(lines: readonly string[]): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  let open: string | undefined;
  for (const line of lines) {
    const [, name, value = ''] = FIELD.exec(line) ?? [];
    if (name !== undefined) {
      const isFolded = /^[>|][+-]?$/u.test(value.trim());
      open = isFolded ? name.toLowerCase() : undefined;
      fields.set(name.toLowerCase(), isFolded ? '' : unquoted(value.trim()));
    } else if (open !== undefined && /^\s/u.test(line)) {
      fields.set(open, `${fields.get(open) ?? ''} ${line.trim()}`.trim());
    } else if (line.trim() !== '') open = undefined;
  }
  return fields;
}

/** The first line of a text that says something, without the marks before it. */
export function firstLine(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/^\s*(?:[-*+>]|#{1,6}|\d{1,9}[.)])\s+/u, '').trim());
  return lines.find((line) => line !== '') ?? '';
}

/** `folder`: its name where the file gives none. */
export function readSkillFile(content: string, folder: string): SkillFile {
  const [whole = '', head = ''] = FRONT_MATTER.exec(content) ?? [];
  const fields = fieldsOf(head.split(/\r?\n/u));
  const text = content.slice(whole.length).trim();
  return { name: fields.get('name') || folder, description: fields.get('description') || firstLine(text), text };
}
