import * as v from 'valibot';
import { isErrorCode } from '../../tools/contract/errors.ts';
import { isSourceList, type NoteSource } from '../../tools/contract/provenance.ts';
import { EXECUTE_STATUSES, type ToolArguments } from '../../tools/contract/types.ts';
import type { ActivityRecord } from './activity.ts';

/** Schema of a line. It grows when an older version would show a line wrongly. */
const SCHEMA = 1;

/** Characters. The chat has the full text; records are kept for a year and must stay small. */
const MOST = { arguments: 2000, result: 500, question: 200, error: 500 } as const;
/** The maximum number of blocks of a source that names no document. */
const MOST_BLOCKS = 20;

const text = v.string();
/** The code of a later version becomes `other`: the error's message explains itself. */
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
      unasked: v.optional(text),
      leftOut: v.optional(v.number()),
    }),
  ),
  program: v.optional(text),
});

/** At most `length` characters, the last one an ellipsis if something is cut off; never half of a surrogate pair. */
export function cutText(whole: string, length: number): string {
  if (whole.length <= length) return whole;
  const cut = whole.slice(0, length - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

function cutDeep(value: unknown, length: number): unknown {
  if (typeof value === 'string') return cutText(value, length);
  if (Array.isArray(value)) return value.slice(0, 10).map((each) => cutDeep(each, length));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cutDeep(each, length)]));
}

/** Arguments with at most `most` characters as JSON: long texts are cut, and if that is not enough, the last arguments are left out. */
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

/** By document: the chat knows which of its blocks were read. */
function shortSources(sources: readonly NoteSource[]): readonly NoteSource[] {
  return sources.map(({ notebook, document, blocks }) => ({
    notebook,
    document,
    blocks: document !== undefined || blocks === undefined ? undefined : blocks.slice(0, MOST_BLOCKS),
  }));
}

/** A record as it is saved: its texts cut, everything else complete. */
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

export const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '');

export function documentsOf({ sources, written }: Pick<ActivityRecord, 'sources' | 'written'>): readonly string[] {
  const read = sources.flatMap(({ document }) => document ?? []);
  return [...new Set(written && written.documentId !== '' ? [written.documentId, ...read] : read)];
}
