import { ToolError, toToolError } from '../../tools/contract/errors.ts';
import { allBlocks, blockId, parseBlock, plainText } from '../blocks/block-dom.ts';
import { hashOfBlock } from '../blocks/block-hash.ts';
import { idsIn } from '../blocks/container-shell.ts';
import type { KernelOperation, KernelRoutes } from '../kernel/kernel-routes.ts';
import type { TransactionLog } from '../kernel/transaction-log.ts';
import { type BlockPosition, type BlockTree, loadTree } from '../tree/block-tree.ts';
import { type BlockState, type BlockWrite, type BlockWriter, deleteWrite, MAX_OPERATIONS } from './block-writer.ts';
import { assertReferencesStay } from './lost-references.ts';
import { reconstructOverwritten } from './overwritten-edits.ts';
import { refusedSteps, takeBack, unsafeToSend } from './stored-check.ts';
import { stale, touchedIds } from './write-check.ts';
import { failureOf, partly } from './write-failure.ts';
import type { WriteStep } from './write-step.ts';

export interface RunRequest {
  readonly steps: readonly WriteStep[];
  /** The documents as they are to stand in the end; null where all is inserted in a row. */
  readonly planned: BlockTree | null;
  /** An empty paragraph that goes in the same transaction as the first block comes. */
  readonly remove: { readonly id: string; readonly dom: string } | null;
  /** Position in the transaction log before the first request. */
  readonly position: number;
  readonly signal: AbortSignal;
}

export interface RunOutcome {
  /** By block id; a block is missing when it could not be read back. */
  readonly states: ReadonlyMap<string, BlockState>;
  /** Set when not everything stands as it was meant to. */
  readonly error: ToolError | null;
  /** What stood in truth before blocks were written over, where somebody wrote in the last moment. */
  readonly overwritten?: ReadonlyMap<string, string>;
}

export interface RunDeps {
  readonly routes: KernelRoutes;
  readonly writer: BlockWriter;
  readonly pushes: TransactionLog;
}

export interface Chunk {
  readonly steps: readonly WriteStep[];
  readonly writes: readonly BlockWrite[];
  readonly undoTail: readonly KernelOperation[];
}

/** Runs of steps in the same documents, at most 31 operations each; order is kept. What is written twice is so in two of them. */
export function toChunks(request: Pick<RunRequest, 'steps' | 'remove'>): Chunk[] {
  const groups: WriteStep[][] = [];
  let count = 0;
  for (const step of request.steps) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    count += step.writes.length;
    const size = request.remove && groups.length === 1 ? MAX_OPERATIONS - 1 : MAX_OPERATIONS;
    const stands = !step.completes || !group?.some((each) => each.blockId === step.blockId);
    if (group && stands && count <= size && first?.documents.join() === step.documents.join()) group.push(step);
    else {
      groups.push([step]);
      count = step.writes.length;
    }
  }
  return groups.map((steps, index) => {
    const last = steps.at(-1)?.blockId ?? '';
    const removal = index === 0 && request.remove ? [deleteWrite(request.remove.id, request.remove.dom, { previousID: last })] : [];
    return {
      steps,
      writes: [...steps.flatMap((step) => step.writes), ...removal],
      undoTail: steps.flatMap((step) => (step.undoTail ? [step.undoTail] : [])),
    };
  });
}

/** Edits of others that came between our last look and the request, and that it wrote over: the kernel told of them. */
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

/** An emptied container has lost blocks on purpose by now; nothing may have come into it. */
function isChanged(step: WriteStep, now: string): boolean {
  if (step.whole === undefined) return hashOfBlock(now) !== step.before?.hash;
  const known = new Set(idsIn(step.whole));
  const standing = parseBlock(now);
  // SiYuan draws an empty paragraph, another one each time, into a task that is left with none.
  return standing !== undefined && allBlocks(standing).some((block) => !known.has(blockId(block)) && plainText(block) !== '');
}

const overwrittenError = (id: string): ToolError =>
  new ToolError(
    'raced',
    `somebody wrote in block ${id} in the moment before the change; what they wrote is kept in the journal`,
    'tell the user: Undo brings their text back',
  );

/** What a moved block is found as, by its place alone: what somebody writes in it meanwhile is theirs. */
function judgeMove(step: WriteStep, found: BlockState, now: BlockTree, planned: BlockTree | null): BlockState {
  const position = now.positionOf(step.blockId);
  if (found.dom === '' || !position) return { ...found, result: 'different' };
  if (step.to && isAt(now, position, step.to, planned)) return { ...found, result: 'applied' };
  const stays = step.from && position.parentId === step.from.parentId && position.previousId === step.from.previousId;
  return { ...found, result: stays ? 'absent' : 'different' };
}

/** Other people's blocks between do not count: only the neighbours that were planned do. */
function isAt(now: BlockTree, position: BlockPosition, to: BlockPosition, planned: BlockTree | null): boolean {
  if (position.parentId !== to.parentId) return false;
  if (position.previousId === to.previousId) return true;
  const siblings = now.childrenOf(position.parentId);
  const known = new Set(planned?.childrenOf(to.parentId) ?? []);
  const before = siblings
    .slice(0, position.previousId === null ? 0 : siblings.indexOf(position.previousId) + 1)
    .filter((id) => known.has(id));
  return (before.at(-1) ?? null) === to.previousId;
}

/** What stands after a request, judged by what each of its steps meant. */
export async function readStates(
  deps: Pick<RunDeps, 'routes' | 'writer'>,
  chunk: Chunk,
  planned: BlockTree | null,
): Promise<ReadonlyMap<string, BlockState>> {
  const never = new AbortController().signal;
  const expected = new Map(chunk.steps.map((step) => [step.blockId, step.action === 'delete' ? null : step.dom] as const));
  const states = new Map(await deps.writer.check(expected));
  const moves = chunk.steps.filter((step) => step.action === 'move');
  if (moves.length > 0) {
    const now = await loadTree(deps.routes, new Set(moves.flatMap((step) => step.documents)), never);
    for (const step of moves) {
      const found = states.get(step.blockId);
      if (found) states.set(step.blockId, judgeMove(step, found, now, planned));
    }
  }
  for (const step of chunk.steps) {
    const found = states.get(step.blockId);
    const kept = step.action === 'delete' && found?.result === 'different' && found.hash === step.before?.hash;
    if (found && kept) states.set(step.blockId, { ...found, result: 'absent' });
  }
  return states;
}

/** One lost answer must not make an outcome unknown: reading twice harms nothing. */
async function readBack(deps: RunDeps, chunk: Chunk, planned: BlockTree | null): Promise<ReadonlyMap<string, BlockState> | ToolError> {
  try {
    return await readStates(deps, chunk, planned).catch(() => readStates(deps, chunk, planned));
  } catch (error) {
    return toToolError(error);
  }
}

/** One more look right before the request: what is left of the gap in which somebody may write unseen is one round trip. */
async function lateChange(deps: RunDeps, chunk: Chunk, request: RunRequest): Promise<ToolError | null> {
  const standing = chunk.steps.filter((step) => step.before !== null);
  if (standing.length === 0) return null;
  const never = new AbortController().signal;
  const ids = standing.map((step) => step.blockId);
  try {
    const doms = await deps.routes.doms(ids, never);
    const changed = standing.find((step) => isChanged(step, doms[step.blockId] ?? ''))?.blockId;
    const [foreign] = deps.pushes.foreignSince(request.position, standing.flatMap(touchedIds));
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

/**
 * Sends the steps, at most 31 operations a request, and reads each request back before the next (docs/kernel.md#writing-blocks).
 * Never throws for what the kernel did: the journal needs to know how far it came.
 */
export async function runWrites(deps: RunDeps, request: RunRequest): Promise<RunOutcome> {
  const states = new Map<string, BlockState>();
  const [unsafe] = refusedSteps(request.steps, (step) => step.dom);
  if (unsafe) return { states: await withUnsent(deps, states, request), error: unsafeToSend(unsafe) };
  const lost = await lostReference(deps, request);
  if (lost) return { states: await withUnsent(deps, states, request), error: lost };
  for (const chunk of toChunks(request)) {
    const stopped = await stopBefore(deps, chunk, request, states.size);
    if (stopped) return { states: await withUnsent(deps, states, request), error: stopped };
    let sending: ToolError | null = null;
    try {
      await deps.writer.send(chunk.writes, chunk.undoTail);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      sending = error;
    }
    const found = await readBack(deps, chunk, request.planned);
    if (found instanceof ToolError) {
      const unknown = 'SiYuan stopped answering while it wrote; it is not known whether the blocks were written';
      const next = 'do not write again; read the document first, or use Undo';
      return {
        states,
        error: new ToolError('outcome_unknown', unknown, next, found.message),
        overwritten: overwrittenEdits(deps, request, chunk),
      };
    }
    const written = states.size;
    for (const [id, state] of found) states.set(id, state);
    const refused = refusedSteps(chunk.steps, (step) => found.get(step.blockId)?.dom ?? '');
    if (refused.length > 0)
      return { ...(await withoutRefused(deps, states, request, refused)), overwritten: overwrittenEdits(deps, request, chunk) };
    const foreign = deps.pushes.foreignSince(request.position, chunk.steps.flatMap(touchedIds));
    const error = failureOf(chunk.steps, states, foreign, sending, written);
    const overwritten = overwrittenEdits(deps, request, chunk);
    if (error) return { states: await withUnsent(deps, states, request), error, overwritten };
    const [id] = overwritten.keys();
    if (id !== undefined) return { states: await withUnsent(deps, states, request), error: overwrittenError(id), overwritten };
  }
  return { states, error: null };
}

/** Asked before the first request only: blocks that the plan itself brings or takes away are no surprise. */
async function lostReference(deps: RunDeps, { steps, signal }: RunRequest): Promise<ToolError | null> {
  try {
    await assertReferencesStay(deps.routes, steps, signal);
    return null;
  } catch (error) {
    return toToolError(error);
  }
}

/** What the kernel made something unsafe of does not stay, and nothing more is sent. */
async function withoutRefused(
  deps: RunDeps,
  states: Map<string, BlockState>,
  request: RunRequest,
  refused: ReturnType<typeof refusedSteps>,
): Promise<RunOutcome> {
  try {
    const { states: now, error } = await takeBack(deps.writer, refused);
    for (const [id, state] of now) states.set(id, state);
    return { states: await withUnsent(deps, states, request), error };
  } catch (error) {
    const what = 'SiYuan stopped answering while a block that is not safe to open was being undone';
    const ids = refused.map(({ step }) => step.blockId).join(', ');
    const outcome = new ToolError(
      'outcome_unknown',
      what,
      `tell the user to look at block ${ids}, or use Undo`,
      toToolError(error).message,
    );
    return { states: await withUnsent(deps, states, request), error: outcome };
  }
}

/** Steps of requests that were never sent are known not to stand; but SiYuan takes an emptied container away without being asked. */
async function withUnsent(
  deps: RunDeps,
  states: ReadonlyMap<string, BlockState>,
  request: RunRequest,
): Promise<ReadonlyMap<string, BlockState>> {
  const all = new Map(states);
  const unsent = request.steps.filter((step) => !states.has(step.blockId));
  const shells = unsent.filter((step) => step.shell !== undefined).map((step) => step.blockId);
  const never = new AbortController().signal;
  // What cannot be read stays unknown: undo looks then.
  const standing = shells.length > 0 ? await deps.routes.doms(shells, never).catch(() => null) : {};
  for (const step of unsent) {
    const isShell = step.shell !== undefined;
    if (isShell && standing === null) continue;
    if (isShell && !standing?.[step.blockId]) all.set(step.blockId, { result: 'applied', dom: '', hash: '' });
    else all.set(step.blockId, { result: 'absent', dom: step.before?.dom ?? '', hash: step.before?.hash ?? '' });
  }
  return all;
}
