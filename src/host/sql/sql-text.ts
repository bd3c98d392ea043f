const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
/** Text as an SQL literal; a NUL would end the statement, so it is written by number. */
export const quoted = (text: string): string =>
  text.includes('\0') ? `(${text.split('\0').map(literal).join(' || char(0) || ')})` : literal(text);
export const quotedList = (texts: readonly string[]): string => texts.map(quoted).join(', ');

const BATCH = 300;

export function batchesOf<T>(items: readonly T[], size = BATCH): T[][] {
  const batches: T[][] = [];
  for (let start = 0; start < items.length; start += size) batches.push(items.slice(start, start + size));
  return batches;
}
