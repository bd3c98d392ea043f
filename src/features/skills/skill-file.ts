import { parse } from 'yaml';
import { isRecord } from '../../tools/util/plain-value.ts';
import { firstLine } from './first-line.ts';

/** A `SKILL.md` as other agents write them: what it is called, when it is used, and its text. */
export interface SkillFile {
  readonly name: string;
  readonly description: string;
  readonly text: string;
}

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/u;
/** Values that YAML reads otherwise, as most write them: with colons and marks, on one line and without quotes. */
const PLAIN_LINE = /^([A-Za-z][\w-]*):[ \t]+(?!["'>|[{])(.*)$/gmu;

function parsed(head: string): unknown {
  const options = { schema: 'failsafe', uniqueKeys: false, logLevel: 'error' } as const;
  const quoted = (): string => head.replaceAll(PLAIN_LINE, (_, name: string, value: string) => `${name}: ${JSON.stringify(value.trim())}`);
  for (const text of [() => head, quoted])
    try {
      return parse(text(), options) as unknown;
    } catch {
      // Another reading, or none.
    }
  return undefined;
}

/** The texts of YAML front matter on one line each, by their names in small letters. */
function fieldsOf(head: string): ReadonlyMap<string, string> {
  const fields = parsed(head);
  return new Map(
    Object.entries(isRecord(fields) ? fields : {}).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name.toLowerCase(), value.replaceAll(/\s+/gu, ' ').trim()]] : [],
    ),
  );
}

/** `folder`: its name where the file gives none. */
export function readSkillFile(content: string, folder: string): SkillFile {
  const [whole = '', head = ''] = FRONT_MATTER.exec(content) ?? [];
  const fields = fieldsOf(head.replaceAll('\r\n', '\n'));
  const text = content.slice(whole.length).trim();
  return { name: fields.get('name') || folder, description: fields.get('description') || firstLine(text), text };
}
