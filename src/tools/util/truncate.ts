import { ceilGrapheme, floorGrapheme } from './graphemes.ts';

/** Characters (UTF-16 units) of a result that the model reads where the tool names no limit of its own. */
export const DEFAULT_LIMIT_CHAR = 8000;
/** Share of the room that goes to the beginning. */
const HEAD_SHARE = 0.7;

export interface Truncated {
  readonly text: string;
  readonly isTruncated: boolean;
  /** UTF-16 units from the start that stand whole: where reading goes on. */
  readonly headLength: number;
}

/**
 * Head and tail stay, the middle goes. JSON arrays and tables are cut between records, other text between graphemes,
 * at a line end where one is near. `limit` ≤ 0 lifts the limit.
 */
export function truncateContent(text: string, limit: number = DEFAULT_LIMIT_CHAR): Truncated {
  if (limit <= 0 || text.length <= limit) return { text, isTruncated: false, headLength: text.length };
  return truncateRecords(text, limit) ?? truncateText(text, limit);
}

function truncateText(text: string, limit: number): Truncated {
  const head = headEnd(text, Math.floor(limit * HEAD_SHARE));
  const tail = tailStart(text, text.length - (limit - head));
  const notice = `… [${tail - head} of ${text.length} characters left out here] …`;
  return { text: `${text.slice(0, head)}\n${notice}\n${text.slice(tail)}`, isTruncated: true, headLength: head };
}

/** Back to a line end when that costs less than a fifth. */
function headEnd(text: string, index: number): number {
  const line = text.lastIndexOf('\n', index) + 1;
  return line > index * 0.8 ? line : floorGrapheme(text, index);
}

function tailStart(text: string, index: number): number {
  const line = text.indexOf('\n', index) + 1;
  return line > 0 && line - index < (text.length - index) * 0.2 ? line : ceilGrapheme(text, index);
}

interface Records {
  readonly before: readonly string[];
  readonly records: readonly string[];
  readonly after: readonly string[];
  /** Whether the shown head equals the text's own beginning. */
  readonly verbatim: boolean;
}

function truncateRecords(text: string, limit: number): Truncated | undefined {
  const split = splitJson(text) ?? splitTable(text);
  if (split === undefined) return undefined;
  const { before, records, after, verbatim } = split;
  const fixed = [...before, ...after].reduce((sum, line) => sum + line.length + 1, 0);
  const room = limit - fixed;
  const head = countFitting(records, room * HEAD_SHARE);
  const tail = countFitting([...records.slice(head)].reverse(), room - lengthOf(records.slice(0, head)));
  if (head === 0 || head + tail >= records.length) return undefined;
  const notice = `… [${records.length - head - tail} of ${records.length} records left out here] …`;
  const shownHead = [...before, ...records.slice(0, head)];
  const lines = [...shownHead, notice, ...(tail === 0 ? [] : records.slice(-tail)), ...after];
  return { text: lines.join('\n'), isTruncated: true, headLength: verbatim ? lengthOf(shownHead) : 0 };
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

function countFitting(records: readonly string[], room: number): number {
  let used = 0;
  let count = 0;
  for (const record of records) {
    used += record.length + 1;
    if (used > room) break;
    count++;
  }
  return count;
}

function splitJson(text: string): Records | undefined {
  if (!text.startsWith('[')) return undefined;
  const value = parseArray(text);
  if (value === undefined || value.length < 2) return undefined;
  const records = value.map((item, index) => JSON.stringify(item) + (index < value.length - 1 ? ',' : ''));
  const verbatim = text.startsWith(`[\n${records[0] ?? ''}\n`);
  return { before: ['['], records, after: [']'], verbatim };
}

function parseArray(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    // Text that begins with a bracket: cut as text.
    return undefined;
  }
}

/** A Markdown table alone: heading and rule stay, rows are the records. */
function splitTable(text: string): Records | undefined {
  const lines = text.split('\n');
  const [heading, rule, ...rows] = lines;
  if (heading === undefined || rule === undefined || rows.length < 2) return undefined;
  if (!heading.startsWith('|') || !/^\|[\s:|-]+$/u.test(rule)) return undefined;
  if (rows.some((row) => row !== '' && !row.startsWith('|'))) return undefined;
  return { before: [heading, rule], records: rows, after: [], verbatim: true };
}
