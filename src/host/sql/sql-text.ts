/** Text as a literal of SQL. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
/** A list for `IN (…)`. */
export const quotedList = (texts: readonly string[]): string => texts.map(quoted).join(', ');

/** Ids that are asked for in one statement. */
const BATCH = 300;

export function batchesOf<T>(items: readonly T[], size = BATCH): T[][] {
  const batches: T[][] = [];
  for (let start = 0; start < items.length; start += size) batches.push(items.slice(start, start + size));
  return batches;
}
