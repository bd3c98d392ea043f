/** Variables that a prompt may use in double braces. `input` is what the user types. */
const PROMPT_VARIABLES = ['selection', 'note', 'date', 'clipboard', 'input'] as const;
export type PromptVariable = (typeof PROMPT_VARIABLES)[number];

const NAMED = new RegExp(String.raw`\{\{\s*(${PROMPT_VARIABLES.join('|')})\s*\}\}`, 'giu');
const isVariable = (name: string): name is PromptVariable => PROMPT_VARIABLES.some((known) => known === name);

export function variablesIn(prompt: string): readonly PromptVariable[] {
  return [...new Set([...prompt.matchAll(NAMED)].map(([, name = '']) => name.toLowerCase()).filter(isVariable))];
}

/** Replaces names by their values; braces around anything else stay, and braces inside a value are never filled. */
export function fillPrompt(prompt: string, values: Readonly<Partial<Record<PromptVariable, string>>>): string {
  return prompt.replaceAll(NAMED, (whole: string, name: string) => {
    const known = name.toLowerCase();
    return (isVariable(known) ? values[known] : undefined) ?? whole;
  });
}
