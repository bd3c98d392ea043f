import type { ToolArguments } from '../contract/types.ts';

/** Signs that stand between the parts of a line, or open and close one of them. */
const SEPARATES = /[,;|:="()[\]\n\r\t]|^\s|\s$|^$/u;

/** One of several texts of a line: as it is, or as JSON where it contains a sign that separates them. */
export const quoted = (text: string): string => (SEPARATES.test(text) ? JSON.stringify(text) : text);

/** Several texts as one, so that two lists that differ never read alike. */
export const listText = (texts: readonly string[]): string => texts.map(quoted).join(', ');

/** Texts that stand in a line of `name=value` without quotes. */
const PLAIN = /^[^\s"=]+$/u;

const argumentText = (value: unknown): string => (typeof value === 'string' && PLAIN.test(value) ? value : JSON.stringify(value));

/** The line that names the call that reads on: the arguments of this one, with `change` in place of theirs; a blank one is left out. */
export function nextCall(tool: string, args: ToolArguments, change: ToolArguments): string {
  const parts = Object.entries({ ...args, ...change }).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [`${name}=${argumentText(value)}`],
  );
  return ['next:', tool, ...parts].join(' ');
}
