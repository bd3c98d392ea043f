/** A prompt of the user (settings.json, `prompts`): a slash command and a menu entry. */
export interface CustomPrompt {
  /** `[\w-]+`; part of the slash command's id. */
  readonly id: string;
  readonly name: string;
  readonly prompt: string;
  /** `insert` under the block, `replace` the block, `ask` in the panel. */
  readonly output: 'insert' | 'replace' | 'ask';
}

const OUTPUTS = ['insert', 'replace', 'ask'] as const;
export const MAX_PROMPTS = 50;

const trimmedText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

function readPrompt(value: unknown): CustomPrompt | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const field = (name: string): unknown => Reflect.get(value, name);
  const name = trimmedText(field('name'));
  const prompt = trimmedText(field('prompt'));
  if (name === '' || prompt === '') return undefined;
  const id =
    trimmedText(field('id')).replace(/[^\w-]/g, '-') || `named-${[...name].map((letter) => letter.codePointAt(0)?.toString(36)).join('')}`;
  return { id, name, prompt, output: OUTPUTS.find((known) => known === field('output')) ?? 'insert' };
}

/** The prompts of a settings file that may have been edited by hand: those without a name or text are dropped, and ids are made unique. */
export function readPrompts(value: unknown): readonly CustomPrompt[] {
  if (!Array.isArray(value)) return [];
  const found = new Map<string, CustomPrompt>();
  for (const entry of value.slice(0, MAX_PROMPTS)) {
    const prompt = readPrompt(entry);
    if (!prompt) continue;
    let { id } = prompt;
    for (let count = 2; found.has(id); count += 1) id = `${prompt.id}-${count}`;
    found.set(id, { ...prompt, id });
  }
  return [...found.values()];
}
