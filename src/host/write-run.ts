import { ToolError, toToolError } from '../tools/errors.ts';
import {
  type BlockState,
  type BlockWrite,
  type BlockWriter,
  deleteWrite,
  insertWrite,
  MAX_OPERATIONS,
  updateWrite,
} from './block-writer.ts';
import type { PreparedOperation } from './prepared-plan.ts';
import type { PushLog } from './push-log.ts';

/** An operation as it is written: with its source on it and `updated` at now. */
export type WriteStep = Pick<PreparedOperation, 'action' | 'blockId' | 'dom' | 'before'>;

export interface RunRequest {
  readonly steps: readonly WriteStep[];
  /** Where the first insert goes; each next one follows the one before. */
  readonly start: { readonly previousID: string } | { readonly parentID: string };
  /** An empty paragraph that goes in the same transaction as the first block comes. */
  readonly remove: { readonly id: string; readonly dom: string } | null;
  /** Position in the push log before the first request. */
  readonly position: number;
  readonly signal: AbortSignal;
}

export interface RunOutcome {
  /** By block id; a block is missing when it could not be read back. */
  readonly states: ReadonlyMap<string, BlockState>;
  /** Set when not everything stands as it was meant to. */
  readonly error: ToolError | null;
}

export interface RunDeps {
  readonly writer: BlockWriter;
  readonly pushes: PushLog;
}

interface Chunk {
  readonly steps: readonly WriteStep[];
  readonly writes: readonly BlockWrite[];
}

function toChunks(request: RunRequest): Chunk[] {
  let place = request.start;
  const pairs = request.steps.map((step) => {
    if (step.action === 'update') return { step, write: updateWrite(step.blockId, step.dom, step.before?.dom ?? '') };
    const write = insertWrite(step.blockId, step.dom, place);
    place = { previousID: step.blockId };
    return { step, write };
  });
  const chunks: Chunk[] = [];
  const size = request.remove ? MAX_OPERATIONS - 1 : MAX_OPERATIONS;
  for (let at = 0; at < pairs.length; at += size) {
    const part = pairs.slice(at, at + size);
    const removal =
      at === 0 && request.remove
        ? [deleteWrite(request.remove.id, request.remove.dom, { previousID: part.at(-1)?.step.blockId ?? '' })]
        : [];
    chunks.push({ steps: part.map((each) => each.step), writes: [...part.map((each) => each.write), ...removal] });
  }
  return chunks;
}

function failureOf(
  chunk: Chunk,
  states: ReadonlyMap<string, BlockState>,
  foreign: readonly string[],
  sending: ToolError | null,
): ToolError | null {
  const wrong = chunk.steps.filter((step) => states.get(step.blockId)?.result !== 'applied');
  if (wrong.length === 0) return null;
  if (foreign.length > 0) {
    return new ToolError(
      'raced',
      `somebody changed block ${foreign[0]} while it was written; both versions are kept in the journal`,
      'read the block again and ask the user which version to keep',
    );
  }
  const untouched = wrong.filter((step) => {
    const state = states.get(step.blockId);
    return step.before === null ? state?.result === 'absent' : state?.hash === step.before.hash;
  });
  if (untouched.length === chunk.steps.length) {
    if (sending) return new ToolError(sending.code, `${sending.message}; none of these blocks was written`, sending.next);
    return new ToolError(
      'kernel_refused',
      'SiYuan did not carry out the change; nothing of it was written',
      'read the document again and plan anew',
    );
  }
  if (wrong.some((step) => !untouched.includes(step))) {
    return new ToolError(
      'raced',
      'a block stands otherwise than it was written; both versions are kept in the journal',
      'read the block again and ask the user',
    );
  }
  return new ToolError(
    'kernel_refused',
    `SiYuan wrote only ${chunk.steps.length - wrong.length} of ${chunk.steps.length} blocks`,
    'read the document; Undo takes back what was written',
  );
}

/** One lost answer must not make an outcome unknown: reading twice harms nothing. */
async function readBack(writer: BlockWriter, chunk: Chunk): Promise<ReadonlyMap<string, BlockState> | ToolError> {
  const expected = new Map(chunk.steps.map((step) => [step.blockId, step.dom] as const));
  try {
    return await writer.check(expected).catch(() => writer.check(expected));
  } catch (error) {
    return toToolError(error);
  }
}

/**
 * Sends the steps, at most 31 operations a request, and reads each request back before the next (HOST.md). Never throws for what the
 * kernel did: the journal needs to know how far it came.
 */
export async function runWrites(deps: RunDeps, request: RunRequest): Promise<RunOutcome> {
  const states = new Map<string, BlockState>();
  for (const chunk of toChunks(request)) {
    if (states.size > 0 && request.signal.aborted) {
      return {
        states: withAbsent(states, request),
        error: new ToolError('aborted', `the call was stopped after ${states.size} blocks were written`, 'Undo takes them back'),
      };
    }
    let sending: ToolError | null = null;
    try {
      await deps.writer.send(chunk.writes);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      sending = error;
    }
    const found = await readBack(deps.writer, chunk);
    if (found instanceof ToolError) {
      const unknown = 'SiYuan went away while it wrote; whether the blocks stand is not known';
      const next = 'do not write again; read the document first, or use Undo';
      return { states, error: new ToolError('outcome_unknown', unknown, next, found.message) };
    }
    for (const [id, state] of found) states.set(id, state);
    const foreign = deps.pushes.foreignSince(
      request.position,
      chunk.steps.map((step) => step.blockId),
    );
    const error = failureOf(chunk, states, foreign, sending);
    if (error) return { states: withAbsent(states, request), error };
  }
  return { states, error: null };
}

/** Steps of requests that were never sent are known not to stand. */
function withAbsent(states: ReadonlyMap<string, BlockState>, request: RunRequest): ReadonlyMap<string, BlockState> {
  const all = new Map(states);
  for (const step of request.steps) {
    if (!all.has(step.blockId)) all.set(step.blockId, { result: 'absent', dom: step.before?.dom ?? '', hash: step.before?.hash ?? '' });
  }
  return all;
}
