import * as v from 'valibot';
import { type EventError, isErrorCode } from '../../tools/contract/errors.ts';
import { PLAN_ACTIONS, type ProposedChange } from '../../tools/contract/plans.ts';
import type { WrittenBlocks } from '../../tools/contract/types.ts';
import type { SavedToolChain, ToolCallRecord } from './types.ts';

/** A saved error. A code of a newer version becomes `other`, and its message explains it. undefined for anything else. */
function readSavedError(value: unknown): EventError | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { code, message, next }: { code?: unknown; message?: unknown; next?: unknown } = value;
  if (typeof code !== 'string' || typeof message !== 'string') return undefined;
  return { code: isErrorCode(code) ? code : 'other', message, next: typeof next === 'string' ? next : '' };
}

/** A call's record with its error in the current form; itself if it has that already. */
export function upgradeRecord(record: ToolCallRecord): ToolCallRecord {
  const { error: saved, ...result } = record.result;
  if (saved === undefined || isUpgraded(saved)) return record;
  const error = readSavedError(saved);
  return { ...record, result: error === undefined ? result : { ...result, error } };
}

export function upgradeChain(chain: SavedToolChain): SavedToolChain {
  const toolCallHistory = chain.toolCallHistory.map(upgradeRecord);
  const { error: saved, ...rest } = chain;
  const same = toolCallHistory.every((record, index) => record === chain.toolCallHistory[index]);
  if (same && (saved === undefined || isUpgraded(saved))) return chain;
  const error = readSavedError(saved);
  return { ...rest, toolCallHistory, error };
}

function isUpgraded(saved: unknown): boolean {
  if (typeof saved !== 'object' || saved === null) return false;
  const { code, message, next }: { code?: unknown; message?: unknown; next?: unknown } = saved;
  return isErrorCode(code) && typeof message === 'string' && typeof next === 'string';
}

const text = v.string();
const document = v.object({ id: v.nullable(text), title: text, path: text });

const writtenFormat: v.GenericSchema<unknown, WrittenBlocks> = v.object({
  blockIds: v.array(text),
  documentId: text,
  title: v.optional(text),
  undoable: v.boolean(),
  leftOut: v.optional(v.number()),
  planned: v.optional(v.number()),
  leftOutWords: v.optional(v.array(text)),
  unasked: v.optional(text),
});

const change = <T extends v.GenericSchema>(value: T) => v.object({ before: v.nullable(value), after: v.nullable(value) });
const position = v.object({
  path: v.array(text),
  at: v.optional(v.picklist(['start', 'end', 'before', 'after'])),
  block: v.optional(v.object({ type: text, words: text })),
});

const proposedFormat = v.object({
  document,
  operations: v.array(
    v.object({
      id: text,
      action: v.picklist(PLAN_ACTIONS),
      blockId: text,
      blockType: text,
      before: v.nullable(text),
      after: v.nullable(text),
      requires: v.array(text),
      attributes: v.optional(v.array(v.object({ name: text, before: v.nullable(text), after: v.nullable(text) }))),
      path: v.optional(change(v.array(text))),
      position: v.optional(v.object({ before: v.optional(v.nullable(position)), after: v.optional(v.nullable(position)) })),
      from: v.optional(text),
      to: v.optional(text),
      document: v.optional(document),
    }),
  ),
});

/** The places where a saved call wrote; undefined if that cannot be read. */
export function readWritten(saved: unknown): WrittenBlocks | undefined {
  const read = v.safeParse(writtenFormat, saved);
  return read.success ? read.output : undefined;
}

/** The change that a saved call proposed; undefined if that cannot be read. */
export function readProposed(saved: unknown): ProposedChange | undefined {
  const read = v.safeParse(proposedFormat, saved);
  return read.success ? read.output : undefined;
}
