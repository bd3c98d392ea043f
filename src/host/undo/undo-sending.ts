import { parseBlock, plainText } from '../blocks/block-dom.ts';
import { hashOfBlock } from '../blocks/block-hash.ts';
import type { JournalOperation } from '../journal/write-journal.ts';
import type { TransactionLog } from '../kernel/transaction-log.ts';
import type { BlockState } from '../transactions/block-writer.ts';
import { reconstructOverwritten } from '../transactions/overwritten-edits.ts';
import { type Chunk, type RunDeps, readStates, toChunks } from '../transactions/write-run.ts';
import type { WriteStep } from '../transactions/write-step.ts';
import type { BlockPosition, BlockTree } from '../tree/block-tree.ts';
import type { UndoTask } from './undo-tasks.ts';

export interface UndoSendRequest {
  readonly steps: readonly WriteStep[];
  readonly tasks: readonly UndoTask[];
  readonly planned: BlockTree;
  /** Position in the transaction log before the snapshot was read. */
  readonly position: number;
  /** Whether to look once more before each request. */
  readonly checkBeforeSend: boolean;
  /** Puts back what somebody wrote: what they have written since goes on top of that. */
  readonly repairing: boolean;
}

export interface UndoSent {
  /** By block id; of what was sent. */
  readonly states: ReadonlyMap<string, BlockState>;
  /** Bring back what somebody wrote in the last moment into blocks that were written over or taken away. */
  readonly overwritten: readonly UndoTask[];
  /** Somebody wrote, or a request came to nothing: what is left is to be judged anew. */
  readonly retry: boolean;
}

const isPlaceholder = (id: string, tasks: readonly UndoTask[]): boolean =>
  tasks.some((task) => task.kind === 'clear' && task.blockId === id);

function isChanged(step: WriteStep, now: string, tasks: readonly UndoTask[]): boolean {
  if (step.before === null) return false;
  if (step.action === 'move') return now === '';
  if (!isPlaceholder(step.blockId, tasks)) return hashOfBlock(now) !== step.before.hash;
  const standing = parseBlock(now);
  return standing !== undefined && plainText(standing) !== '';
}

function homeOf(step: WriteStep, tasks: readonly UndoTask[]): BlockPosition | undefined {
  if (step.from) return step.from;
  const container = tasks.find((task) => task.kind === 'clear' && task.blockId === step.blockId)?.operation;
  if (!container?.from) return undefined;
  return { documentId: container.from.documentId, parentId: container.blockId, previousId: null, nextId: null };
}

/** The task that brings a block back as somebody had just written it; none where it stands so, or was changed again since. */
function bringBack(
  step: WriteStep,
  overwrittenDom: string,
  state: BlockState | undefined,
  tasks: readonly UndoTask[],
): UndoTask | undefined {
  if (state?.result !== 'applied') return undefined;
  const from = homeOf(step, tasks);
  const operation: JournalOperation = {
    action: step.action,
    blockId: step.blockId,
    before: { dom: overwrittenDom, hash: hashOfBlock(overwrittenDom) },
    after: { dom: state.dom, hash: state.hash },
    result: 'applied',
    ...(from ? { from } : {}),
  };
  return { kind: step.action === 'delete' ? 'restore' : 'update', operation, now: state.dom };
}

function overwrittenIn(
  chunk: Chunk,
  states: ReadonlyMap<string, BlockState>,
  request: UndoSendRequest,
  pushes: TransactionLog,
): UndoTask[] {
  const operations = pushes.operationsSince(request.position);
  const theirs = operations.filter((each) => !each.own);
  return chunk.steps.flatMap((step) => {
    if (!step.before || (step.action !== 'update' && step.action !== 'delete')) return [];
    const state = states.get(step.blockId);
    if (request.repairing && step.action === 'update') {
      const whole = reconstructOverwritten(step.dom, theirs, new Set());
      if (whole === undefined || !state || state.dom === '' || state.hash === hashOfBlock(whole)) return [];
      return bringBack(step, whole, { ...state, result: 'applied' }, request.tasks) ?? [];
    }
    const overwrittenDom = reconstructOverwritten(step.before.dom, operations, new Set());
    const task = overwrittenDom === undefined ? undefined : bringBack(step, overwrittenDom, state, request.tasks);
    return task ? [task] : [];
  });
}

async function isLate(deps: RunDeps, chunk: Chunk, tasks: readonly UndoTask[]): Promise<boolean> {
  const standing = chunk.steps.filter((step) => step.before !== null);
  const doms = await deps.routes.doms(
    standing.map((step) => step.blockId),
    new AbortController().signal,
  );
  return standing.some((step) => isChanged(step, doms[step.blockId] ?? '', tasks));
}

/**
 * Sends an undo, at most 31 operations a request, and stops where somebody writes meanwhile. An answer that was lost is an error only
 * when it is known what had been written over.
 */
export async function sendUndo(deps: RunDeps, request: UndoSendRequest): Promise<UndoSent & { readonly failure?: unknown }> {
  const states = new Map<string, BlockState>();
  const { steps, tasks, planned, checkBeforeSend } = request;
  for (const chunk of toChunks({ steps, remove: null })) {
    if (checkBeforeSend && (await isLate(deps, chunk, tasks))) return { states, overwritten: [], retry: true };
    const failure = await deps.writer.send(chunk.writes, chunk.undoTail).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    const found = await readStates(deps, chunk, planned).catch((error: unknown) => {
      throw failure ? failure.error : error;
    });
    for (const [id, state] of found) states.set(id, state);
    const overwritten = overwrittenIn(chunk, found, request, deps.pushes);
    const isRefused = [...found.values()].every((state) => state.result !== 'applied');
    if (failure || overwritten.length > 0) return { states, overwritten, retry: true, ...(failure ? { failure: failure.error } : {}) };
    if (isRefused && checkBeforeSend && found.size > 0) return { states, overwritten, retry: true };
  }
  return { states, overwritten: [], retry: false };
}
