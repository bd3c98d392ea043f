import { MAX_DEPTH } from './lenient-json.ts';

/** Values in all: what a model sends is far below, and a value that holds itself would never end. */
const MAX_VALUES = 200_000;

/** A value that is no plain data. The message is a clause. */
export class NotPlain extends Error {}

/**
 * A copy of JSON data that nothing can surprise later: no getter, no proxy, no value that holds itself, `__proto__` a name like
 * any other. What is undefined is left out. Throws NotPlain for what JSON cannot hold and for more than 64 levels.
 */
export function copyPlain(value: unknown): unknown {
  let count = 0;
  const copy = (item: unknown, depth: number): unknown => {
    if (++count > MAX_VALUES) throw new NotPlain(`they contain more than ${MAX_VALUES} values`);
    if (item === null || typeof item === 'string' || typeof item === 'boolean') return item;
    if (typeof item === 'number' && Number.isFinite(item)) return item;
    if (item === undefined) return null;
    if (typeof item !== 'object') throw new NotPlain(`they contain a ${typeof item}, which JSON cannot express`);
    if (depth >= MAX_DEPTH) throw new NotPlain(`they are nested more than ${MAX_DEPTH} levels`);
    if (Array.isArray(item)) return item.map((entry) => copy(entry, depth + 1));
    const entries = Object.entries(item).filter(([, entry]) => entry !== undefined);
    return Object.fromEntries(entries.map(([key, entry]) => [key, copy(entry, depth + 1)]));
  };
  try {
    return copy(value, 0);
  } catch (error) {
    throw error instanceof NotPlain ? error : new NotPlain('they cannot be read');
  }
}

/** JSON with the names of every object in order: equal for equal data. `value` is plain. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    isRecord(item) ? Object.fromEntries(Object.entries(item).sort(([left], [right]) => compareTexts(left, right))) : item,
  );
}

/** JSON of whatever a tool gave, with a word where JSON has none; never throws. */
export function readableJson(value: unknown, separator?: string): string {
  try {
    const text = JSON.stringify(value, undefined, separator);
    if (text !== undefined) return text;
  } catch {
    // Something in it throws, or holds itself: read below part by part.
  }
  return JSON.stringify(readable(value, new Set(), { left: MAX_VALUES }), undefined, separator);
}

function readable(value: unknown, above: ReadonlySet<object>, budget: { left: number }): unknown {
  if (budget.left-- <= 0) return '[…]';
  if (value === undefined) return null;
  if (typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function') return String(value).slice(0, 200);
  if (typeof value !== 'object' || value === null) return value;
  if (above.has(value)) return '[itself]';
  if (above.size >= MAX_DEPTH) return '[…]';
  const inside = new Set(above).add(value);
  try {
    if (Array.isArray(value)) return value.map((item) => readable(item, inside, budget));
    return Object.fromEntries(Object.keys(value).map((key) => [key, readable(fieldOf(value, key), inside, budget)]));
  } catch {
    return '[unreadable]';
  }
}

/** A text; '' for anything else. */
export const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What a text is as JSON; undefined where it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An object that is no list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A part of something that others made; undefined where it cannot be had. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    return Reflect.get(value, name);
  } catch {
    return undefined;
  }
}

/** For `sort`: by UTF-16 units, the same on every device whatever its language. */
export function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
