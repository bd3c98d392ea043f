import * as v from 'valibot';
import { isRecord } from '../../tools/util/plain-value.ts';

/** A field, or one entry of a field with several, and its new value; without a value it was removed. */
export interface SettingChange {
  readonly at: readonly [string] | readonly [string, string];
  readonly value?: unknown;
}

const changesFormat = v.array(
  v.object({ at: v.union([v.strictTuple([v.string()]), v.strictTuple([v.string(), v.string()])]), value: v.optional(v.unknown()) }),
);

type Fields = Readonly<Record<string, unknown>>;

const same = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);
const changed = (at: SettingChange['at'], value: unknown): SettingChange => (value === undefined ? { at } : { at, value });

/** What differs in `fields`, entry by entry: others may change the other entries meanwhile. */
export function changesOf(before: Fields, fields: Fields): readonly SettingChange[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const old = before[name];
    if (same(old, value)) return [];
    if (!isRecord(old) || !isRecord(value)) return [changed([name], value)];
    const keys = [...new Set([...Object.keys(old), ...Object.keys(value)])].filter((key) => !same(old[key], value[key]));
    return keys.map((key) => changed([name, key], value[key]));
  });
}

/** The fields that these changes affect, with their new values. */
export function withChanges(settings: Fields, changes: readonly SettingChange[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const { at, value } of changes) {
    const [name, key] = at;
    const now = name in fields ? fields[name] : settings[name];
    fields[name] = key === undefined ? value : { ...(isRecord(now) ? now : {}), [key]: value };
  }
  return fields;
}

/** Empty if they cannot be read. */
export function readChanges(text: string | null): readonly SettingChange[] {
  if (text === null) return [];
  try {
    return v.parse(changesFormat, JSON.parse(text));
  } catch {
    return [];
  }
}
