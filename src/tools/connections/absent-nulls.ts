import { MAX_DEPTH } from '../util/lenient-json.ts';

/** Fields with data of people, or of schemas, in which null is a value. */
const OWN_DATA: ReadonlySet<string> = new Set(['arguments', 'structuredContent', 'default', 'const', 'enum', 'examples']);

/** Leaves out null fields and entries, which many programs write for absent ones, and values deeper than `levels`. */
export function withoutNulls(value: unknown, levels = MAX_DEPTH): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return undefined;
  if (Array.isArray(value)) return value.filter((item) => item !== null).map((item) => withoutNulls(item, levels - 1));
  const entries = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(entries.map(([name, item]) => [name, OWN_DATA.has(name) ? item : withoutNulls(item, levels - 1)]));
}
