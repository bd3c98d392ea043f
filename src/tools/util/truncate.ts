import { ceilGrapheme, floorGrapheme } from './graphemes.ts';

/** Characters (UTF-16 units) of a result for the model, if the tool has no limit of its own. */
export const DEFAULT_LIMIT_CHAR = 8000;
const HEAD_SHARE = 0.7;

export interface Truncated {
  readonly text: string;
  readonly isTruncated: boolean;
  /** UTF-16 units shown completely from the start: where reading continues. */
  readonly headLength: number;
}

/** Keeps head and tail: JSON arrays and tables are cut between records, text between graphemes. `limit` ≤ 0 lifts the limit. */
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

/** Back to a line end if that costs less than a fifth. */
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
}

function truncateRecords(text: string, limit: number): Truncated | undefined {
  const split = splitJson(text) ?? splitTable(text);
  if (split === undefined) return undefined;
  const { before, records, after } = split;
  const fixed = [...before, ...after].reduce((sum, line) => sum + line.length + 1, 0);
  const room = limit - fixed;
  const head = countFitting(records, room * HEAD_SHARE);
  const tail = countFitting([...records.slice(head)].reverse(), room - lengthOf(records.slice(0, head)));
  if (head === 0 || head + tail >= records.length) return undefined;
  const notice = `… [${records.length - head - tail} of ${records.length} records left out here] …`;
  const shownHead = [...before, ...records.slice(0, head)];
  const lines = [...shownHead, notice, ...(tail === 0 ? [] : records.slice(-tail)), ...after];
  // Reading can continue there only if the text itself begins with what is shown.
  const headLength = text.startsWith(`${shownHead.join('\n')}\n`) ? lengthOf(shownHead) : 0;
  return { text: lines.join('\n'), isTruncated: true, headLength };
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
  if (!isJson(text)) return undefined;
  const records = itemsOf(text);
  return records.length < 2 ? undefined : { before: ['['], records, after: [']'] };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Text that begins with a bracket: cut as text.
    return false;
  }
}

/** Brackets, commas, and strings, in which the others do not count. */
const JSON_PARTS = /"(?:[^"\\]|\\.)*"|[[\]{},]/gu;

/** The items of a JSON array as they are written, each with its comma: serialized again, a long number would change. */
function itemsOf(json: string): readonly string[] {
  const items: string[] = [];
  let depth = 0;
  let start = 1;
  for (const { 0: part, index } of json.matchAll(JSON_PARTS)) {
    if (part === '[' || part === '{') depth++;
    else if (part === ']' || part === '}') depth--;
    const isEnd = depth === 0;
    if (!isEnd && !(part === ',' && depth === 1)) continue;
    const item = json.slice(start, isEnd ? index : index + 1).trim();
    if (item !== '') items.push(item);
    start = index + 1;
  }
  return items;
}

/** A text that is only a Markdown table: heading and rule stay, rows are the records. */
function splitTable(text: string): Records | undefined {
  const lines = text.split('\n');
  const [heading, rule, ...rows] = lines;
  if (heading === undefined || rule === undefined || rows.length < 2) return undefined;
  if (!heading.startsWith('|') || !/^\|[\s:|-]+$/u.test(rule)) return undefined;
  if (rows.some((row) => row !== '' && !row.startsWith('|'))) return undefined;
  return { before: [heading, rule], records: rows, after: [] };
}
