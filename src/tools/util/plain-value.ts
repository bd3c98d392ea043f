import { MAX_DEPTH } from './lenient-json.ts';

/** The maximum number of values: a model sends far fewer, and a cyclic value would never end. */
const MAX_VALUES = 200_000;

/** A value that is not plain data. The message is a clause. */
export class NotPlain extends Error {}

/** A plain copy of JSON data: `__proto__` is a name like any other. Throws NotPlain for anything else, and above 64 levels. */
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

/** The reason why what another program sent cannot be used, a clause about its values; undefined if it can. */
export function whyNotPlain(value: unknown): string | undefined {
  try {
    copyPlain(value);
    return undefined;
  } catch (error) {
    return error instanceof NotPlain ? error.message : 'they cannot be read';
  }
}

/** JSON with sorted object keys: equal for equal data. `value` is plain. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    isRecord(item) ? Object.fromEntries(Object.entries(item).sort(([left], [right]) => compareTexts(left, right))) : item,
  );
}

/** JSON of any tool result, with a word for what JSON cannot express; never throws. */
export function readableJson(value: unknown, separator?: string): string {
  try {
    const text = JSON.stringify(value, undefined, separator);
    if (text !== undefined) return text;
  } catch {
    // Something in it throws, or it is cyclic: serialized below part by part.
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

export const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The value of a JSON text; undefined if it is not JSON, or more than `copyPlain` takes. */
export function parsedJson(text: string): unknown {
  try {
    return copyPlain(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field of an external value; undefined if it cannot be read. */
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
