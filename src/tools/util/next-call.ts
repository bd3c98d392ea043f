import type { ToolArguments } from '../contract/types.ts';

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
