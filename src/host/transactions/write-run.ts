import { ToolError, toToolError } from '../../tools/contract/errors.ts';
import { NEVER } from '../../tools/util/abort.ts';
import type { TransactionLog } from '../kernel/transaction-log.ts';
import type { BlockState } from './block-writer.ts';
import { assertReferencesStay } from './lost-references.ts';
import { reconstructOverwritten } from './overwritten-edits.ts';
import { type Chunk, changedBlock, type SendDeps, type SendRequest, type SentChunk, sendSteps } from './send-steps.ts';
import { deviatingSteps, refusedSteps, rollBack, unsafeToSend } from './stored-check.ts';
import { stale, touchedIds } from './write-check.ts';
import { failureOf, partly } from './write-failure.ts';

export interface RunRequest extends SendRequest {
  /** Position in the transaction log before the first request. */
  readonly position: number;
  readonly signal: AbortSignal;
}

export interface RunOutcome {
  /** By block id; a block is missing when it could not be read back. */
  readonly states: ReadonlyMap<string, BlockState>;
  /** Set if not everything is as intended. */
  readonly error: ToolError | null;
  /** The real content of blocks before they were overwritten, if somebody wrote at the last moment. */
  readonly overwritten?: ReadonlyMap<string, string>;
}

export interface RunDeps extends SendDeps {
  readonly pushes: TransactionLog;
}

/** Edits of others between our last check and the request, which it overwrote, as the kernel pushed them. */
function overwrittenEdits(deps: RunDeps, request: RunRequest, chunk: Chunk): ReadonlyMap<string, string> {
  const operations = deps.pushes.operationsSince(request.position);
  const overwritten = new Map<string, string>();
  if (operations.length === 0) return overwritten;
  const left = new Set(request.steps.flatMap((step) => [step.blockId, ...(step.along ?? [])]));
  for (const step of chunk.steps) {
    if (!step.before || step.action === 'move') continue;
    // What was written in blocks that have left a container is in those blocks.
    const overwrittenDom = reconstructOverwritten(step.whole ?? step.before.dom, operations, step.whole === undefined ? new Set() : left);
    if (overwrittenDom !== undefined) overwritten.set(step.blockId, overwrittenDom);
  }
  return overwritten;
}

const overwrittenError = (id: string): ToolError =>
  new ToolError(
    'raced',
    `someone edited block ${id} just before the change was written; their text is kept in the journal`,
    'tell the user: Undo brings their text back',
  );

/** A last check directly before the request. */
async function lateChange(deps: RunDeps, chunk: Chunk, request: RunRequest): Promise<ToolError | null> {
  try {
    const changed = await changedBlock(deps, chunk, request.planned);
    const existing = chunk.steps.filter((step) => step.before !== null);
    const [foreign] = deps.pushes.foreignSince(request.position, existing.flatMap(touchedIds));
    const id = changed ?? foreign;
    return id === undefined ? null : stale(`block ${id} was changed by somebody else in the moment before the write`);
  } catch (error) {
    return toToolError(error);
  }
}

/** What ended the write before this request was sent, if anything. */
async function stopBefore(deps: RunDeps, chunk: Chunk, request: RunRequest, written: number): Promise<ToolError | null> {
  if (written > 0 && request.signal.aborted) {
    return new ToolError('aborted', `the call was stopped after ${written} blocks were written`, 'Undo reverts them');
  }
  const late = await lateChange(deps, chunk, request);
  return late && written > 0 ? partly(late, written) : late;
}

/** The outcome of a sent request: null if everything is as intended and the next may follow. */
async function outcomeOf(deps: RunDeps, request: RunRequest, sent: SentChunk): Promise<Ended | null> {
  const { chunk, found, failure, states, written } = sent;
  if (failure !== undefined && !(failure instanceof ToolError)) throw failure;
  const overwritten = overwrittenEdits(deps, request, chunk);
  if (found instanceof ToolError) {
    const isLocked = found.code === 'encrypted_notebook';
    const what = isLocked ? 'the notebook was locked while SiYuan wrote' : 'SiYuan stopped answering while it wrote';
    const next = `${isLocked ? 'ask the user to unlock it; ' : ''}do not write again; read the document first, or use Undo`;
    const unknown = `${what}; it is not known whether the blocks were written`;
    return { error: new ToolError('outcome_unknown', unknown, next, found.message), overwritten, isUnknown: true };
  }
  const refused = refusedSteps(chunk.steps, (step) => found.get(step.blockId)?.dom ?? '');
  if (refused.length > 0) return { error: await withoutRefused(deps, states, refused, 'unsafe_markdown'), overwritten };
  const deviating = overwritten.size > 0 ? [] : await deviatingNow(deps, request, chunk, states);
  if (deviating.length > 0) return { error: await withoutRefused(deps, states, deviating, 'kernel_refused') };
  const foreign = deps.pushes.foreignSince(request.position, chunk.steps.flatMap(touchedIds));
  const error = failureOf(chunk.steps, states, foreign, failure ?? null, written);
  if (error) return { error, overwritten };
  const [id] = overwritten.keys();
  return id === undefined ? null : { error: overwrittenError(id), overwritten };
}

const HEARD_WITHIN_MS = 3000;

/** Reads again, after pushes of others have arrived: what they wrote must not be rolled back. */
async function deviatingNow(deps: RunDeps, request: RunRequest, chunk: Chunk, states: ReadonlyMap<string, BlockState>) {
  const deviating = deviatingSteps(chunk.steps, states);
  if (deviating.length === 0) return [];
  const ids = deviating.map(({ step }) => step.blockId);
  // SiYuan pushes requests in order: our own push arrives after those of earlier changes.
  if (!(await deps.pushes.hearsOwn(request.position, ids, HEARD_WITHIN_MS))) return [];
  const now = await deps.writer.check(new Map(deviating.map(({ step }) => [step.blockId, step.dom]))).catch(() => null);
  const stands = ids.every((id) => now?.get(id)?.hash === states.get(id)?.hash);
  // An insert deep inside a container is pushed as a change of its direct parent, and would be removed with the container.
  return !deps.pushes.othersSince(request.position) && stands ? deviating : [];
}

interface Ended {
  readonly error: ToolError;
  readonly overwritten?: ReadonlyMap<string, string>;
  /** The last request could not be read back: for what was not sent nothing is known either. */
  readonly isUnknown?: boolean;
}

/**
 * Sends the steps and reads each request back before the next (docs/kernel.md#writing-blocks). Never throws for a kernel failure: the
 * journal needs to know how far it got.
 */
export async function runWrites(deps: RunDeps, request: RunRequest): Promise<RunOutcome> {
  const [unsafe] = refusedSteps(request.steps, (step) => step.dom);
  const refusal = unsafe ? unsafeToSend(unsafe) : await lostReference(deps, request);
  if (refusal) return { states: await withUnsent(deps, new Map(), request), error: refusal };
  const { states, ended } = await sendSteps<Ended>(deps, request, {
    before: async (chunk, written) => {
      const error = await stopBefore(deps, chunk, request, written);
      return error && { error };
    },
    after: (sent) => outcomeOf(deps, request, sent),
  });
  if (!ended) return { states, error: null };
  const { error, overwritten, isUnknown } = ended;
  return { states: isUnknown ? states : await withUnsent(deps, states, request), error, overwritten };
}

/** Checked before the first request only: blocks that the plan itself adds or removes are expected. */
async function lostReference(deps: RunDeps, { steps, signal }: RunRequest): Promise<ToolError | null> {
  try {
    await assertReferencesStay(deps.routes, steps, signal);
    return null;
  } catch (error) {
    return toToolError(error);
  }
}

/** Blocks that the kernel stored differently are rolled back, and nothing more is sent. */
async function withoutRefused(
  deps: RunDeps,
  states: Map<string, BlockState>,
  refused: ReturnType<typeof refusedSteps>,
  code: Parameters<typeof rollBack>[2],
): Promise<ToolError> {
  try {
    const { states: now, error } = await rollBack(deps.writer, refused, code);
    for (const [id, state] of now) states.set(id, state);
    return error;
  } catch (error) {
    const what = 'SiYuan stopped answering while a block that it had stored differently was being undone';
    const ids = refused.map(({ step }) => step.blockId).join(', ');
    return new ToolError('outcome_unknown', what, `tell the user to check block ${ids}, or use Undo`, toToolError(error).message);
  }
}

/** Steps that were never sent are known not to be written; but SiYuan removes an emptied container by itself. */
async function withUnsent(
  deps: RunDeps,
  states: ReadonlyMap<string, BlockState>,
  request: RunRequest,
): Promise<ReadonlyMap<string, BlockState>> {
  const all = new Map(states);
  const unsent = request.steps.filter((step) => !states.has(step.blockId));
  const containers = unsent.filter((step) => step.shell !== undefined).map((step) => step.blockId);
  // What cannot be read stays unknown: undo checks it then.
  const current = containers.length > 0 ? await deps.routes.doms(containers, NEVER).catch(() => null) : {};
  for (const step of unsent) {
    const isEmptiedContainer = step.shell !== undefined;
    if (isEmptiedContainer && current === null) continue;
    if (isEmptiedContainer && !current?.[step.blockId]) all.set(step.blockId, { result: 'applied', dom: '', hash: '' });
    else all.set(step.blockId, { result: 'absent', dom: step.before?.dom ?? '', hash: step.before?.hash ?? '' });
  }
  return all;
}
