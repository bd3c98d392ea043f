import { ToolError } from '../../tools/contract/errors.ts';
import type { Progress } from '../../tools/contract/plans.ts';
import { hashOfBlock } from '../blocks/block-hash.ts';
import type { JournalOperation } from '../journal/write-journal.ts';
import type { TransactionLog } from '../kernel/transaction-log.ts';
import type { BlockState } from '../transactions/block-writer.ts';
import { reconstructOverwritten } from '../transactions/overwritten-edits.ts';
import { type Chunk, changedBlock, sendSteps } from '../transactions/send-steps.ts';
import type { RunDeps } from '../transactions/write-run.ts';
import type { WriteStep } from '../transactions/write-step.ts';
import type { BlockPosition, BlockTree } from '../tree/block-tree.ts';
import type { UndoTask } from './undo-judgement.ts';

export interface UndoSendRequest {
  readonly steps: readonly WriteStep[];
  readonly tasks: readonly UndoTask[];
  readonly planned: BlockTree;
  /** Position in the transaction log before the snapshot was read. */
  readonly position: number;
  readonly checkBeforeSend: boolean;
  /** Restores somebody's text: later text of theirs stays on top of it. */
  readonly repairing: boolean;
  readonly progress: Progress | undefined;
}

export interface UndoSent {
  /** By block id, for everything that was sent. */
  readonly states: ReadonlyMap<string, BlockState>;
  /** Restore what somebody wrote at the last moment in blocks that were overwritten or removed. */
  readonly overwritten: readonly UndoTask[];
  /** Somebody wrote, or a request failed: the rest must be judged again. */
  readonly retry: boolean;
}

const isPlaceholder = (id: string, tasks: readonly UndoTask[]): boolean =>
  tasks.some((task) => task.kind === 'clear' && task.blockId === id);

/** A block goes back to its position whatever was written in it. */
function lateCheckOf(step: WriteStep, tasks: readonly UndoTask[]): Pick<WriteStep, 'lateCheck'> {
  if (step.action === 'move') return { lateCheck: 'presence' };
  return isPlaceholder(step.blockId, tasks) ? { lateCheck: 'empty' } : {};
}

function homeOf(step: WriteStep, tasks: readonly UndoTask[]): BlockPosition | undefined {
  if (step.from) return step.from;
  const container = tasks.find((task) => task.kind === 'clear' && task.blockId === step.blockId)?.operation;
  if (!container?.from) return undefined;
  return { documentId: container.from.documentId, parentId: container.blockId, previousId: null, nextId: null };
}

/** The task that restores a block as somebody had just written it; none if it is unchanged, or was changed again since. */
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

/** The reason why an undo ended before its last step. */
interface Ended {
  readonly overwritten: readonly UndoTask[];
  /** A lost answer is reported as an error only once it is known what was overwritten. */
  readonly failure?: unknown;
}

/** Sends an undo, and stops if somebody writes meanwhile. */
export async function sendUndo(deps: RunDeps, request: UndoSendRequest): Promise<UndoSent & { readonly failure?: unknown }> {
  const { tasks, planned, checkBeforeSend } = request;
  const steps = request.steps.map((step) => ({ ...step, ...lateCheckOf(step, tasks) }));
  const { states, ended } = await sendSteps<Ended>(
    deps,
    { steps, planned, remove: null, ...(request.progress ? { progress: request.progress } : {}) },
    {
      async before(chunk) {
        return checkBeforeSend && (await changedBlock(deps, chunk, planned)) !== undefined ? { overwritten: [] } : null;
      },
      async after({ chunk, found, failure }) {
        if (found instanceof ToolError) throw failure ?? found;
        const overwritten = overwrittenIn(chunk, found, request, deps.pushes);
        if (failure !== undefined) return { overwritten, failure };
        const isRefused = checkBeforeSend && found.size > 0 && [...found.values()].every((state) => state.result !== 'applied');
        return overwritten.length > 0 || isRefused ? { overwritten } : null;
      },
    },
  );
  return { states, overwritten: [], retry: ended !== null, ...ended };
}
