import { type ToolError, toToolError } from '../../tools/contract/errors.ts';
import type { Progress } from '../../tools/contract/plans.ts';
import { NEVER } from '../../tools/util/abort.ts';
import { allBlocks, blockId, parseBlock, parseBlocks, plainText } from '../blocks/block-dom.ts';
import { hashOfBlock } from '../blocks/block-hash.ts';
import { idsIn } from '../blocks/emptied-container.ts';
import type { KernelOperation, KernelRoutes } from '../kernel/kernel-routes.ts';
import { batchesOf, quotedList } from '../sql/sql-text.ts';
import type { BlockPosition, BlockTree } from '../tree/block-tree.ts';
import { loadAround } from '../tree/near-tree.ts';
import { type BlockState, type BlockWrite, type BlockWriter, deleteWrite, MAX_OPERATIONS } from './block-writer.ts';
import { currentDoms } from './current-doms.ts';
import type { WriteStep } from './write-step.ts';

export interface SendDeps {
  readonly routes: KernelRoutes;
  readonly writer: BlockWriter;
}

export interface SendRequest {
  readonly steps: readonly WriteStep[];
  /** The documents in the intended final state; null if everything is inserted in a row. */
  readonly planned: BlockTree | null;
  /** An empty paragraph that is deleted in the transaction that inserts the first block. */
  readonly remove: { readonly id: string; readonly dom: string } | null;
  /** Called with the number of blocks read back, and of all. */
  readonly progress?: Progress;
}

export interface Chunk {
  readonly steps: readonly WriteStep[];
  /** Each is a transaction; several if each changes blocks of another note. */
  readonly requests: readonly ChunkRequest[];
}

interface ChunkRequest {
  readonly steps: readonly WriteStep[];
  readonly writes: readonly BlockWrite[];
  readonly undoTail: readonly KernelOperation[];
}

export interface SentChunk {
  readonly chunk: Chunk;
  /** The current state by block id, or why it could not be read. */
  readonly found: ReadonlyMap<string, BlockState> | ToolError;
  /** The reason why it is unknown whether the request arrived. */
  readonly failure: unknown;
  /** All states found so far, including this request's. */
  readonly states: Map<string, BlockState>;
  readonly written: number;
}

/** Called before each request and after each chunk. Any result except null ends the sending. */
export interface SendChecks<Ended> {
  before(chunk: Chunk, written: number): Promise<Ended | null>;
  after(sent: SentChunk): Promise<Ended | null>;
}

/** Runs of steps in the same documents, at most 31 operations each; order is kept. Two writes of one block are in different runs. */
function toRequests(request: Pick<SendRequest, 'steps' | 'remove'>): ChunkRequest[] {
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

const NOTES_AT_ONCE = 8;

const changesOnly = ({ steps }: ChunkRequest): boolean => steps.every((step) => step.action === 'update' && !step.completes);

/** One request each; changes of many notes are combined, as far as they would be one request if they were of one note. */
function toChunks(request: Pick<SendRequest, 'steps' | 'remove'>): Chunk[] {
  const groups: ChunkRequest[][] = [];
  for (const each of toRequests(request)) {
    const group = groups.at(-1) ?? [];
    const count = [...group, each].reduce((sum, { writes }) => sum + writes.length, 0);
    const fits = group.length > 0 && group.length < NOTES_AT_ONCE && count <= MAX_OPERATIONS && [...group, each].every(changesOnly);
    if (fits) group.push(each);
    else groups.push([each]);
  }
  return groups.map((requests) => ({ steps: requests.flatMap(({ steps }) => steps), requests }));
}

/** Tells if a block is no longer as the step expects it. */
function isChanged(step: WriteStep, now: string): boolean {
  if (step.before === null) return false;
  if (step.lateCheck === 'presence') return now === '';
  const current = parseBlock(now);
  if (step.lateCheck === 'empty') return current !== undefined && plainText(current) !== '';
  if (step.whole === undefined) return hashOfBlock(now) !== step.before.hash;
  // An emptied container has lost blocks on purpose by now; no other block may have been added.
  const known = new Set(idsIn(step.whole));
  // SiYuan adds an empty paragraph, with a new id each time, to a task without blocks.
  return current !== undefined && allBlocks(current).some((block) => !known.has(blockId(block)) && plainText(block) !== '');
}

/** The current DOM of the blocks of these steps, in the document given by `home`. */
function domsOf(
  { routes }: SendDeps,
  steps: readonly WriteStep[],
  planned: BlockTree | null,
  home: (step: WriteStep) => string | undefined,
): Promise<Readonly<Record<string, string>>> {
  const homes = new Map<string, string[]>();
  for (const step of steps) homes.set(home(step) ?? '', [...(homes.get(home(step) ?? '') ?? []), step.blockId]);
  return currentDoms(routes, homes, (id) => planned?.lengthOf(id) !== undefined, NEVER);
}

/** The first block of the chunk that has changed since it was read; somebody can write unnoticed only within one round trip. */
export async function changedBlock(deps: SendDeps, chunk: Chunk, planned: BlockTree | null): Promise<string | undefined> {
  const existing = chunk.steps.filter((step) => step.before !== null);
  if (existing.length === 0) return undefined;
  const doms = await domsOf(deps, existing, planned, ({ documents }) => documents[0]);
  return existing.find((step) => isChanged(step, doms[step.blockId] ?? ''))?.blockId;
}

/** A moved block is judged by its position only, since what somebody writes in it meanwhile is theirs. */
function judgeMove(step: WriteStep, found: BlockState, now: BlockTree, planned: BlockTree | null): BlockState {
  const position = now.positionOf(step.blockId);
  if (found.dom === '' || !position) return { ...found, result: 'different' };
  if (step.to && isAt(now, position, step.to, planned)) return { ...found, result: 'applied' };
  const stays = step.from && position.parentId === step.from.parentId && position.previousId === step.from.previousId;
  return { ...found, result: stays ? 'absent' : 'different' };
}

/** Blocks of others in between are ignored: only the planned neighbours count. */
function isAt(now: BlockTree, position: BlockPosition, to: BlockPosition, planned: BlockTree | null): boolean {
  if (position.parentId !== to.parentId) return false;
  if (position.previousId === to.previousId) return true;
  const siblings = now.childrenOf(position.parentId);
  const known = new Set(planned?.childrenOf(to.parentId) ?? []);
  // A neighbour that was not loaded may be known: then the block is not at its target.
  const before = siblings
    .slice(0, position.previousId === null ? 0 : siblings.indexOf(position.previousId) + 1)
    .filter((id) => known.has(id) || now.isGap(id));
  return (before.at(-1) ?? null) === to.previousId;
}

/** The current positions of moved blocks; in long documents only what is around them and around their targets. */
async function treeNow({ routes }: SendDeps, moves: readonly WriteStep[], planned: BlockTree | null): Promise<BlockTree> {
  const documents = new Set(moves.flatMap((step) => step.documents));
  const neighbours = ({ to, from }: WriteStep) => [to?.previousId, to?.nextId, from?.previousId].filter((id) => typeof id === 'string');
  const ids = [...new Set(moves.flatMap((step) => [step.blockId, ...neighbours(step)]))];
  return loadAround(routes, new Map([...documents].map((id) => [id, { ids }])), NEVER, (id) => planned?.lengthOf(id));
}

/** The state after a request, judged by the intention of each step. */
async function readStates(deps: SendDeps, chunk: Chunk, planned: BlockTree | null): Promise<ReadonlyMap<string, BlockState>> {
  const expected = new Map(chunk.steps.map((step) => [step.blockId, step.action === 'delete' ? null : step.dom] as const));
  const states = new Map(await deps.writer.check(expected, () => domsOf(deps, chunk.steps, planned, ({ documents }) => documents.at(-1))));
  const moves = chunk.steps.filter((step) => step.action === 'move');
  if (moves.length > 0) {
    const now = await treeNow(deps, moves, planned);
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

/** Reads twice, since one lost answer must not make an outcome unknown. */
async function readBack(deps: SendDeps, chunk: Chunk, planned: BlockTree | null): Promise<ReadonlyMap<string, BlockState> | ToolError> {
  try {
    return await readStates(deps, chunk, planned).catch(() => readStates(deps, chunk, planned));
  } catch (error) {
    return toToolError(error);
  }
}

/** The number of references to changed blocks, for the editor to show. If it cannot be read, the editor shows it when it loads the note. */
async function referencesTo({ routes }: SendDeps, steps: readonly WriteStep[]): Promise<ReadonlyMap<string, number>> {
  const changed = steps.filter((step) => step.action === 'update');
  const ids = changed.flatMap(({ dom }) => parseBlocks(dom).flatMap(allBlocks).map(blockId));
  const counts = new Map<string, number>();
  try {
    for (const batch of batchesOf([...new Set(ids)])) {
      const where = `def_block_id IN (${quotedList(batch)}) GROUP BY def_block_id`;
      const rows = await routes.sql(`SELECT def_block_id AS id, count(*) AS n FROM refs WHERE ${where} LIMIT ${batch.length}`, NEVER);
      for (const { id, n } of rows ?? []) counts.set(String(id), Number(n));
    }
    return counts;
  } catch {
    return counts;
  }
}

/** The only way to change blocks: sends at most 31 operations a request, and reads each back before the next. */
export async function sendSteps<Ended>(
  deps: SendDeps,
  request: SendRequest,
  checks: SendChecks<Ended>,
): Promise<{ readonly states: Map<string, BlockState>; readonly ended: Ended | null }> {
  const states = new Map<string, BlockState>();
  const references = await referencesTo(deps, request.steps);
  for (const planned of toChunks(request)) {
    const written = states.size;
    const {
      chunk,
      failure,
      ended: stopped,
    } = await sendChunk(deps, { chunk: planned, references }, (part, sent) => checks.before(part, written + sent));
    if (chunk.steps.length === 0) return { states, ended: stopped };
    const found = await readBack(deps, chunk, request.planned);
    if (found instanceof Map) for (const [id, state] of found) states.set(id, state);
    const ended = (await checks.after({ chunk, found, failure, states, written })) ?? stopped;
    if (ended !== null) return { states, ended };
    request.progress?.(states.size, request.steps.length);
  }
  return { states, ended: null };
}

/** Sends the requests of a chunk, each after a check, until one fails or may not be sent; returns what was sent. */
async function sendChunk<Ended>(
  { writer }: SendDeps,
  { chunk, references }: { readonly chunk: Chunk; readonly references: ReadonlyMap<string, number> },
  before: (part: Chunk, sent: number) => Promise<Ended | null>,
): Promise<{ readonly chunk: Chunk; readonly failure: unknown; readonly ended: Ended | null }> {
  const sent: ChunkRequest[] = [];
  const part = (requests: readonly ChunkRequest[]): Chunk => ({ steps: requests.flatMap(({ steps }) => steps), requests });
  for (const each of chunk.requests) {
    const ended = await before(part([each]), part(sent).steps.length);
    if (ended !== null) return { chunk: part(sent), failure: undefined, ended };
    sent.push(each);
    try {
      await writer.send(each.writes, each.undoTail, references);
    } catch (failure) {
      return { chunk: part(sent), failure, ended: null };
    }
  }
  return { chunk, failure: undefined, ended: null };
}
