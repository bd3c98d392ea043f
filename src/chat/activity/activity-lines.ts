import * as v from 'valibot';
import { isErrorCode } from '../../tools/contract/errors.ts';
import { isSourceList, type NoteSource } from '../../tools/contract/provenance.ts';
import { EXECUTE_STATUSES, type ToolArguments } from '../../tools/contract/types.ts';
import type { ActivityRecord } from './activity.ts';

/** Of a line. It grows when an older version would show a line wrongly. */
const SCHEMA = 1;

/** Characters. The chat has all of it; what is kept here a year later still has to be small. */
const MOST = { arguments: 2000, result: 500, question: 200, error: 500 } as const;
/** Blocks of a source that names no document. */
const MOST_BLOCKS = 20;

const text = v.string();
/** A code of a later version: the error speaks for itself. */
const code = v.pipe(
  text,
  v.transform((read) => (isErrorCode(read) ? read : 'other')),
);
const lineFormat = v.object({
  schema: v.number(),
  id: text,
  sessionId: text,
  messageId: text,
  callId: text,
  parentCallId: v.optional(text),
  toolName: text,
  effect: v.picklist(['read', 'write', 'outgoing']),
  arguments: v.record(text, v.unknown()),
  result: v.nullable(text),
  error: v.nullable(v.object({ code, message: text, next: text })),
  status: v.picklist(['running', ...EXECUTE_STATUSES]),
  durationMs: v.nullable(v.number()),
  timestamp: v.number(),
  questionId: v.optional(text),
  userMessage: text,
  sources: v.custom<readonly NoteSource[]>(isSourceList),
  written: v.optional(
    v.object({
      blockIds: v.array(text),
      documentId: text,
      title: v.optional(text),
      undoable: v.boolean(),
      leftOut: v.optional(v.number()),
    }),
  ),
  program: v.optional(text),
});

/** Of `length` characters at most, the last one an ellipsis where something is missing; never half of a pair of code units. */
export function cutText(whole: string, length: number): string {
  if (whole.length <= length) return whole;
  const cut = whole.slice(0, length - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** Each text in a value cut, each list to its first ten entries. */
function cutDeep(value: unknown, length: number): unknown {
  if (typeof value === 'string') return cutText(value, length);
  if (Array.isArray(value)) return value.slice(0, 10).map((each) => cutDeep(each, length));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cutDeep(each, length)]));
}

/** Arguments of at most `most` characters as JSON: long texts in them are cut, and where that does not do, the last ones left out. */
export function cutArguments(whole: ToolArguments, most: number): ToolArguments {
  if (JSON.stringify(whole).length <= most) return whole;
  for (const length of [1200, 400, 100]) {
    const cut = Object.fromEntries(Object.entries(whole).map(([name, value]) => [name, cutDeep(value, length)]));
    if (JSON.stringify(cut).length <= most) return cut;
  }
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(whole)) {
    const more = { ...kept, [name]: cutText(typeof value === 'string' ? value : JSON.stringify(value), 100) };
    if (JSON.stringify(more).length > most) break;
    Object.assign(kept, more);
  }
  return kept;
}

/** By document: which of its blocks were read is in the chat. */
function shortSources(sources: readonly NoteSource[]): readonly NoteSource[] {
  return sources.map(({ notebook, document, blocks }) => ({
    notebook,
    document,
    blocks: document !== undefined || blocks === undefined ? undefined : blocks.slice(0, MOST_BLOCKS),
  }));
}

/** A record as it is kept: its texts cut, all the rest whole. */
export function keptRecord(record: ActivityRecord): ActivityRecord {
  const { error, result } = record;
  return {
    ...record,
    arguments: cutArguments(record.arguments, MOST.arguments),
    result: result === null ? null : cutText(result, MOST.result),
    error: error && { code: error.code, message: cutText(error.message, MOST.error), next: cutText(error.next, MOST.error) },
    userMessage: cutText(record.userMessage, MOST.question),
    sources: shortSources(record.sources),
  };
}

/** One line of a file, without its end. */
export function activityLine(record: ActivityRecord): string {
  return JSON.stringify({ schema: SCHEMA, ...record });
}

/** `newer`: a line that a later version wrote, and this one would misread. */
export type ReadLine = { readonly kind: 'record'; readonly record: ActivityRecord } | { readonly kind: 'newer' | 'broken' };

export function readActivityLine(line: string): ReadLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: 'broken' };
  }
  const schema: unknown = Object(value).schema;
  if (typeof schema === 'number' && schema > SCHEMA) return { kind: 'newer' };
  const read = v.safeParse(lineFormat, value);
  if (!read.success) return { kind: 'broken' };
  const { schema: _schema, ...record } = read.output;
  return { kind: 'record', record };
}

/** The lines of a file that say something. */
export const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '');

/** Ids of the documents that a call read or wrote. */
export function documentsOf({ sources, written }: Pick<ActivityRecord, 'sources' | 'written'>): readonly string[] {
  const read = sources.flatMap(({ document }) => document ?? []);
  return [...new Set(written && written.documentId !== '' ? [written.documentId, ...read] : read)];
}
