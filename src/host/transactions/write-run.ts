import { ToolError, toToolError } from '../../tools/contract/errors.ts';
import type { Refusal } from '../../tools/safe-content/formulas.ts';
import { NEVER } from '../../tools/util/abort.ts';
import { existingContent, refusalOf } from '../content/active-content.ts';
import type { TransactionLog } from '../kernel/transaction-log.ts';
import type { BlockState, BlockWriter } from './block-writer.ts';
import { assertReferencesStay } from './lost-references.ts';
import { reconstructOverwritten } from './overwritten-edits.ts';
import { type Chunk, changedBlock, type SendDeps, type SendRequest, type SentChunk, sendSteps } from './send-steps.ts';
import { stale, touchedIds } from './write-check.ts';
import type { WriteStep } from './write-step.ts';

const partly = ({ code, message }: ToolError, written: number): ToolError =>
  new ToolError(code, `${message}; ${written} blocks had been written before`, 'read the document; Undo reverts what was written');

/** True if the kernel carried out nothing of this step: the block is unchanged. */
function isUntouched(step: WriteStep, state: BlockState | undefined): boolean {
  if (step.action === 'update') return state?.hash === step.before?.hash;
  return state?.result === 'absent';
}

/** The failure of a request that was read back; null if everything is as intended. */
function failureOf(
  steps: readonly WriteStep[],
  states: ReadonlyMap<string, BlockState>,
  foreign: readonly string[],
  sending: ToolError | null,
  written: number,
): ToolError | null {
  const wrong = steps.filter((step) => states.get(step.blockId)?.result !== 'applied');
  if (wrong.length === 0) return null;
  if (foreign.length > 0) {
    return new ToolError(
      'raced',
      `somebody changed block ${foreign[0]} while it was written; both versions are kept in the journal`,
      'read the block again and ask the user which version to keep',
    );
  }
  const untouched = wrong.filter((step) => isUntouched(step, states.get(step.blockId)));
  if (untouched.length === steps.length) {
    if (written > 0) return partly(sending ?? new ToolError('kernel_refused', 'SiYuan did not carry out the whole change', ''), written);
    if (sending) return new ToolError(sending.code, `${sending.message}; none of these blocks was written`, sending.next);
    return new ToolError(
      'kernel_refused',
      'SiYuan did not carry out the change; none of it was written',
      'read the document again and plan the change again',
    );
  }
  if (wrong.some((step) => !untouched.includes(step))) {
    return new ToolError(
      'raced',
      'a block is not as it was written; both versions are kept in the journal',
      'read the block again and ask the user',
    );
  }
  return new ToolError(
    'kernel_refused',
    `SiYuan wrote only ${steps.length - wrong.length} of ${steps.length} blocks`,
    'read the document; Undo reverts what was written',
  );
}

/** A step whose block would run, fetch or show something as HTML that was not there before. */
interface RefusedStep {
  readonly step: WriteStep;
  readonly refusal: Refusal;
}

/** The first refusal of each step that writes content; the block's old content and the step's existing content are the user's. */
function refusedSteps(steps: readonly WriteStep[], domOf: (step: WriteStep) => string): readonly RefusedStep[] {
  return steps.flatMap((step) => {
    const dom = step.action === 'insert' || step.action === 'update' ? domOf(step) : '';
    if (dom === '') return [];
    const existing = new Set([...existingContent(step.before?.dom ?? ''), ...(step.existing ?? [])]);
    const refusal = refusalOf(dom, existing);
    return refusal ? [{ step, refusal }] : [];
  });
}

const unsafeToSend = ({ refusal }: RefusedStep): ToolError =>
  new ToolError('unsafe_markdown', `${refusal.what}; nothing was written`, refusal.instead);

/** Steps whose block is neither what was planned nor SiYuan's form of it; empty unless all of them are new or changed blocks. */
function deviatingSteps(steps: readonly WriteStep[], states: ReadonlyMap<string, BlockState>): readonly RefusedStep[] {
  const wrong = steps.filter((step) => states.get(step.blockId)?.result === 'different');
  if (!wrong.every(({ action }) => action === 'insert' || action === 'update')) return [];
  const refusal: Refusal = { what: 'a block is not what was planned', instead: 'read the document, then write the block in another way' };
  return wrong.map((step) => ({ step, refusal }));
}

interface RolledBack {
  /** States of the refused blocks: absent if they are gone, or as they were before. */
  readonly states: ReadonlyMap<string, BlockState>;
  readonly error: ToolError;
}

/** Asked twice: a lost answer must not leave something in a note that would run. */
const ATTEMPTS = 2;

function stateAfter(step: WriteStep, found: BlockState): BlockState {
  if (found.result !== 'applied') return { ...found, result: 'different' };
  return { result: 'absent', dom: step.before?.dom ?? '', hash: step.before?.hash ?? '' };
}

/** Deletes or restores blocks that the kernel stored differently than they were sent. Rejects if SiYuan cannot be reached. */
async function rollBack(
  writer: BlockWriter,
  refused: readonly RefusedStep[],
  code: 'unsafe_markdown' | 'kernel_refused',
): Promise<RolledBack> {
  const steps = refused.map(({ step }) => step);
  const writes = steps.flatMap((step) => step.writes).map(({ operation, inverse }) => ({ operation: inverse, inverse: operation }));
  const expected = new Map(steps.map((step) => [step.blockId, step.before?.dom ?? null] as const));
  let found: ReadonlyMap<string, BlockState> = new Map();
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      await writer.send([...writes].reverse());
      found = await writer.check(expected);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
    if ([...found.values()].every((state) => state.result === 'applied') && found.size > 0) break;
  }
  const states = new Map(
    steps.flatMap((step) => {
      const state = found.get(step.blockId);
      return state ? [[step.blockId, stateAfter(step, state)] as const] : [];
    }),
  );
  const left = [...states].filter(([, state]) => state.result !== 'absent').map(([id]) => id);
  const what = refused[0]?.refusal.what ?? '';
  const error =
    left.length === 0
      ? new ToolError(code, `as SiYuan stored it, ${what}; the change to the block was undone at once`, refused[0]?.refusal.instead ?? '')
      : new ToolError(
          'raced',
          `as SiYuan stored it, ${what}; the change could not be undone`,
          `tell the user to delete block ${left.join(', ')}`,
        );
  return { states, error };
}

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
    // Text written in blocks that have left a container is in those blocks.
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
  /** The last request could not be read back: nothing is known of unsent ones either. */
  readonly isUnknown?: boolean;
}

/** Sends the steps and reads each back (docs/kernel.md#writing-blocks). Never throws for a kernel failure: the journal needs the state. */
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
  // An unreadable state stays unknown: undo checks it then.
  const current = containers.length > 0 ? await deps.routes.doms(containers, NEVER).catch(() => null) : {};
  for (const step of unsent) {
    const isEmptiedContainer = step.shell !== undefined;
    if (isEmptiedContainer && current === null) continue;
    if (isEmptiedContainer && !current?.[step.blockId]) all.set(step.blockId, { result: 'applied', dom: '', hash: '' });
    else all.set(step.blockId, { result: 'absent', dom: step.before?.dom ?? '', hash: step.before?.hash ?? '' });
  }
  return all;
}
