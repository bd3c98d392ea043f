import type { ToolArguments } from '../contract/types.ts';

/** UTF-16 units of each text in the recorded arguments of a call. */
const MAX_ARGUMENT = 50_000;

export const cutText = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, limit)}\n[cut: ${text.length} characters in all]`;

function cutValue(value: unknown): unknown {
  if (typeof value === 'string') return cutText(value, MAX_ARGUMENT);
  if (Array.isArray(value)) return value.map(cutValue);
  return typeof value === 'object' && value !== null ? cutArguments(value) : value;
}

export const cutArguments = (args: object): ToolArguments =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [name, cutValue(value)]));
