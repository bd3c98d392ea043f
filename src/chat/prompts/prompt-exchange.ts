import { type CustomPrompt, MAX_PROMPTS, readPrompts } from './custom-prompts.ts';

const FORMAT = 'marginalia-prompts';

export function exportPrompts(prompts: readonly CustomPrompt[]): string {
  return `${JSON.stringify({ format: FORMAT, schema: 1, prompts }, null, 1)}\n`;
}

function promptsIn(text: string): readonly CustomPrompt[] {
  try {
    const value: unknown = JSON.parse(text);
    const ours = typeof value === 'object' && value !== null && Reflect.get(value, 'format') === FORMAT;
    return ours ? readPrompts(Reflect.get(value, 'prompts')) : [];
  } catch {
    return []; // Not JSON.
  }
}

/** The existing prompts, then the file's: identical ones once, taken ids replaced, no more than allowed; `added` counts the new ones. */
export function importPrompts(
  text: string,
  known: readonly CustomPrompt[],
): { readonly prompts: readonly CustomPrompt[]; readonly added: number } {
  const same = (one: CustomPrompt, other: CustomPrompt): boolean =>
    one.name === other.name && one.prompt === other.prompt && one.output === other.output;
  const fresh = promptsIn(text).filter((prompt) => !known.some((one) => same(one, prompt)));
  const prompts = readPrompts([...known, ...fresh]);
  return { prompts, added: Math.min(prompts.length, MAX_PROMPTS) - known.length };
}
