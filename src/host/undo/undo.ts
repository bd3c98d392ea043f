import { ToolError, toToolError } from '../../tools/contract/errors.ts';
import type { PlanOperation, Progress } from '../../tools/contract/plans.ts';
import type { UndoConflict, UndoReport, UndoState, WriteHistory } from '../../tools/contract/ports.ts';
import { blockType, parseBlock, serializeBlock } from '../blocks/block-dom.ts';
import { hashOfBlock } from '../blocks/block-hash.ts';
import { blockHtml } from '../blocks/block-html.ts';
import { idsIn } from '../blocks/emptied-container.ts';
import type { MarkdownEngine } from '../blocks/markdown-engine.ts';
import { documentHash, documentState } from '../documents/structure-documents.ts';
import type { StepKinds } from '../documents/structure-steps.ts';
import { isOpen, wasWritten, withoutUnredone, writtenIds } from '../journal/entry-writes.ts';
import type { DeleteStep, RemovedDocument, StructureStep } from '../journal/structure-journal.ts';
import { undoState } from '../journal/undo-state.ts';
import type { JournalEntry, JournalOperation, JournalRecord } from '../journal/write-journal.ts';
import { KernelRefusal } from '../kernel/kernel-client.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import type { TransactionLog } from '../kernel/transaction-log.ts';
import { awaitCaret } from '../transactions/typing-guard.ts';
import type { BlockPosition } from '../tree/block-tree.ts';
import { isGuardedElement, removeGuarded } from '../tree/document-tree.ts';
import type { WritePathDeps } from '../writing/write-path.ts';
import { ClosedNotebooks } from './closed-notebook.ts';
import { entryProgress } from './entry-progress.ts';
import { deletedLaterConflicts, withWords } from './later-deletes.ts';
import { isChangedLater, writtenInLater } from './later-writes.ts';
import { type RedoDeps, redoRecords } from './redo.ts';
import { type StructureUndo, structureBlocks } from './structure-undo.ts';
import { type BlockUndo, type BlockUndoDeps, createBlockUndo } from './undo-blocks.ts';
import { resolveConflict } from './undo-choices.ts';
import { isOurWriting } from './undo-judgement.ts';

interface Shown {
  readonly type: string;
  readonly markdown: string;
  readonly html: string;
}

/** Null for what did not exist; undefined for what is hidden from the model and shown nowhere in its chat. */
function shown(dom: string, engine: MarkdownEngine): Shown | null | undefined {
  if (dom === '') return null;
  const block = parseBlock(dom);
  if (!block || isGuardedElement(block)) return undefined;
  removeGuarded(block);
  return { type: blockType(block), markdown: engine.toMarkdown(serializeBlock(block)), html: blockHtml(block, engine) };
}

function changeOf({ action, blockId, before, after }: JournalOperation, id: string, engine: MarkdownEngine): PlanOperation[] {
  const [old, fresh] = [shown(before?.dom ?? '', engine), shown(after.dom, engine)];
  if (old === undefined || fresh === undefined) return [];
  const blockType = (fresh ?? old)?.type ?? '';
  const texts = { before: old?.markdown ?? null, after: fresh?.markdown ?? null };
  return [{ id, action, blockId, blockType, ...texts, drawn: { before: old?.html ?? null, after: fresh?.html ?? null }, requires: [] }];
}

/** Changes of blocks by these writes, as an approval shows them; without documents and notebooks, and from the journal. */
function writtenChanges(entries: readonly JournalEntry[], engine: MarkdownEngine): PlanOperation[] {
  return entries.flatMap(({ operations }, write) =>
    operations.flatMap((operation, index) => (wasWritten(operation) ? changeOf(operation, `${write}-${index}`, engine) : [])),
  );
}

async function hasOtherChildren(routes: KernelRoutes, notebook: string, id: string, signal: AbortSignal): Promise<boolean> {
  const { path } = await routes.blockInfo(id, signal);
  return (await routes.documentsAt(notebook, path, signal)).length > 0;
}

/** SiYuan's answer for any document while it indexes a notebook that was just opened. */
const INDEXING = 'indexing';

const isRefusal = (error: unknown): error is KernelRefusal => error instanceof KernelRefusal && error.code !== 'read_only';

/** Throws `kernel_refused` while nothing can be found yet: an unindexed block is not gone, and its Undo must not be used up. */
async function assertIndexed(routes: KernelRoutes, id: string, signal: AbortSignal): Promise<void> {
  try {
    await routes.pathOf(id, signal);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (error.kernelMessage === INDEXING)
      throw new ToolError('kernel_refused', 'SiYuan is still indexing', 'wait a little, then try again');
  }
}

async function isMissing(routes: KernelRoutes, id: string, signal: AbortSignal): Promise<boolean> {
  try {
    await routes.blockInfo(id, signal);
    return false;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await assertIndexed(routes, id, signal);
    return true;
  }
}

export interface RemovalDeps {
  readonly routes: KernelRoutes;
  readonly pushes: TransactionLog;
  readonly kinds: StepKinds;
}

/** The ids of a document and its blocks, if it contains only our unchanged text and its template's; otherwise undefined. */
async function idsWhereOurs(
  routes: KernelRoutes,
  entry: JournalEntry,
  id: string,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  if (await hasOtherChildren(routes, entry.notebook, id, signal)) return undefined;
  const children = await routes.children(id, signal);
  const doms = await routes.doms(
    children.map((child) => child.id),
    signal,
  );
  const ours = new Map(entry.operations.map((operation) => [operation.blockId, operation]));
  const baseline = new Map(entry.document.created?.baseline.map((each) => [each.id, each.hash]));
  const isOurs = children.every((child) => {
    const dom = doms[child.id] ?? '';
    const operation = ours.get(child.id);
    if (operation) return isOurWriting(operation, dom);
    // SiYuan adds an empty paragraph to a document without blocks.
    return baseline.get(child.id) === hashOfBlock(dom) || (child.type === 'p' && `${child.content}${child.markdown}`.trim() === '');
  });
  return isOurs ? new Set([id, ...Object.values(doms).flatMap(idsIn)]) : undefined;
}

/** Removes a document with only our text; undefined, and restored, if somebody wrote in it meanwhile. Else Redo's data. */
async function remove(deps: RemovalDeps, entry: JournalEntry, id: string, signal: AbortSignal): Promise<RemovedDocument | undefined> {
  const { routes, pushes, kinds } = deps;
  const position = pushes.position();
  // SiYuan's index takes changes of a document in the place of an earlier one: Redo's before this removal, unless that is done.
  await routes.flushIndex(signal);
  const state = await documentState(routes, id, signal);
  const hash = await documentHash(routes, id, signal);
  // Checked last, so that what somebody writes during the other reads counts.
  const ids = await idsWhereOurs(routes, entry, id, signal);
  if (!ids) return undefined;
  await routes.removeDocument(id, signal);
  const removed: RemovedDocument = { id, path: state?.path ?? '', title: state?.title ?? '', hash, copy: null };
  const isTouched = pushes
    .operationsSince(position)
    .some((each) => !each.own && [each.id, each.parentID, each.previousID].some((block) => ids.has(block)));
  if (!isTouched) return removed;
  const step: DeleteStep = { kind: 'delete', documentId: id, notebook: entry.notebook, documents: [removed], result: 'applied' };
  if ((await kinds.revert(step, signal)).length === 0) return undefined;
  throw new ToolError(
    'raced',
    `somebody wrote in ${removed.title} while Undo removed it, and it could not be brought back`,
    'look for it in the history of SiYuan',
  );
}

/** Removes a created document with its created parents; 'keep' if it contains more: then its blocks are undone one by one. */
export async function removeCreated(
  deps: RemovalDeps,
  entry: JournalEntry,
  signal: AbortSignal,
): Promise<readonly RemovedDocument[] | 'keep'> {
  const { routes } = deps;
  const { id, created } = entry.document;
  if (!created || id === null) return 'keep';
  if (await isMissing(routes, id, signal)) return [];
  const first = await remove(deps, entry, id, signal);
  if (!first) return 'keep';
  const removed = [first];
  for (const parent of [...created.parents].reverse()) {
    const empty = { ...entry, operations: [], document: { id: parent, path: '', created: { parents: [], baseline: [] } } };
    const next = (await isMissing(routes, parent, signal)) ? undefined : await remove(deps, empty, parent, signal);
    if (!next) break;
    removed.unshift(next);
  }
  return removed;
}

export interface WriteHistoryDeps extends BlockUndoDeps, Omit<RedoDeps, 'blocks'> {
  readonly structure: StructureUndo;
  readonly lock: WritePathDeps['lock'];
}

interface EntryUndone {
  readonly restored: string[];
  readonly conflicts: UndoConflict[];
  readonly removed?: readonly RemovedDocument[];
  readonly positionsBefore?: Readonly<Record<string, BlockPosition>>;
}

class JournalHistory implements WriteHistory {
  private readonly deps: WriteHistoryDeps;
  private readonly blocks: BlockUndo;

  constructor(deps: WriteHistoryDeps) {
    this.deps = deps;
    this.blocks = createBlockUndo(deps);
  }

  state(sessionId: string, nodeId: string, callId?: string): Promise<UndoState> {
    return undoState(this.deps.journal, sessionId, nodeId, callId);
  }

  undo(sessionId: string, nodeId: string, signal: AbortSignal, callId?: string, progress?: Progress): Promise<UndoReport> {
    return this.deps.lock(async () => {
      const records = await this.deps.journal.ofMessage(sessionId, nodeId);
      const wanted = callId === undefined ? records : records.filter(({ entry }) => entry.callId === callId);
      return this.undoRecords(wanted, signal, progress);
    });
  }

  redo(sessionId: string, nodeId: string, signal: AbortSignal, callId?: string, progress?: Progress): Promise<UndoReport> {
    return this.deps.lock(async () => {
      const records = await this.deps.journal.ofMessage(sessionId, nodeId);
      const wanted = callId === undefined ? records : records.filter(({ entry }) => entry.callId === callId);
      return redoRecords({ ...this.deps, blocks: this.blocks }, wanted, signal, progress);
    });
  }

  async changes(sessionId: string, nodeId: string, callId: string): Promise<readonly PlanOperation[]> {
    const records = await this.deps.journal.ofMessage(sessionId, nodeId);
    const entries = records.flatMap(({ entry }) => (entry.callId === callId ? [entry] : []));
    return writtenChanges(entries, this.deps.engine);
  }

  resolve(
    sessionId: string,
    nodeId: string,
    blockId: string,
    choice: 'undo' | 'keep',
    signal: AbortSignal,
    shown?: string | null,
  ): Promise<UndoReport> {
    return this.deps.lock(async () => {
      const records = await this.deps.journal.ofMessage(sessionId, nodeId);
      if (choice === 'undo') await awaitCaret(this.deps.probe, [blockId], signal);
      return resolveConflict({ ...this.deps, blocks: this.blocks }, records, { blockId, choice, shown }, signal);
    });
  }

  private async undoRecords(all: readonly JournalRecord[], signal: AbortSignal, progress: Progress | undefined): Promise<UndoReport> {
    const records = all.filter((record) => isOpen(record.entry)).reverse();
    const restored: string[] = [];
    const conflicts: UndoConflict[] = [];
    const notebooks = new ClosedNotebooks(this.deps);
    const each = entryProgress(
      records.map(({ entry }) => writtenIds(withoutUnredone(entry)).length),
      progress,
    );
    for (const [index, record] of records.entries()) {
      if (signal.aborted) throw toToolError(signal.reason);
      each[index]?.(0, 1);
      const result = await this.undoEntry(record, { notebooks, progress: each[index] }, signal);
      each[index]?.(1, 1);
      restored.push(...result.restored);
      conflicts.push(...result.conflicts);
    }
    return { restored: [...new Set(restored)], conflicts };
  }

  private async undoEntry(
    record: JournalRecord,
    { notebooks, progress }: { readonly notebooks: ClosedNotebooks; readonly progress: Progress | undefined },
    signal: AbortSignal,
  ): Promise<{ restored: string[]; conflicts: UndoConflict[] }> {
    const entry = withoutUnredone(record.entry);
    const ids = entry.operations.filter(wasWritten).map((operation) => operation.blockId);
    await awaitCaret(this.deps.probe, [...ids, ...(entry.structure ? structureBlocks(entry.structure) : [])], signal);
    const closed = await notebooks.left(entry, ids, signal);
    if (closed.length > 0) return { restored: [], conflicts: [...closed] };
    const intent: JournalEntry = { ...record.entry, undo: { state: 'intent', time: this.deps.clock.now(), restored: [], conflicts: [] } };
    const begun = await this.deps.journal.update(record, intent);
    const result = await this.undoWritten(record, entry, signal, progress);
    const { restored, conflicts, removed, positionsBefore } = result;
    const end: JournalEntry = {
      ...record.entry,
      undo: {
        state: 'done',
        time: this.deps.clock.now(),
        restored,
        conflicts,
        removed: removed ? [...removed] : undefined,
        stood: positionsBefore && Object.keys(positionsBefore).length > 0 ? positionsBefore : undefined,
      },
    };
    // A second Undo would have no conflicts to report: one lost answer is no reason to fail.
    await this.deps.journal.update(begun, end).catch(() => this.deps.journal.update(begun, end));
    return { restored, conflicts };
  }

  private async undoWritten(
    record: JournalRecord,
    entry: JournalEntry,
    signal: AbortSignal,
    progress: Progress | undefined,
  ): Promise<EntryUndone> {
    const records = await this.deps.journal.ofSession(entry.sessionId);
    const { structure } = entry;
    const isLater = (step: StructureStep): boolean => isChangedLater(records, record, step);
    if (structure) return this.deps.structure.undo(structure, signal, { isChangedLater: isLater, progress });
    const removed = await removeCreated(this.deps, entry, signal);
    const ids = entry.operations.filter(wasWritten).map((operation) => operation.blockId);
    const isGone = removed !== 'keep' && removed.length === 0;
    const result: EntryUndone =
      removed === 'keep'
        ? await this.undoBlocks({ records, record, entry }, signal, progress)
        : { restored: [...removed.slice(-1).map(({ id }) => id), ...ids], conflicts: [], removed };
    const isNothing = isGone || (result.restored.length === 0 && result.conflicts.length === 0);
    const settled = isNothing ? [] : [...result.restored, ...result.conflicts.map(({ blockId }) => blockId)];
    const away = deletedLaterConflicts(records, entry, { settled, isOver: !isNothing });
    if (away.length === 0) return { ...result, conflicts: withWords(result.conflicts, entry) };
    return isNothing
      ? { restored: [], conflicts: withWords(away, entry) }
      : { ...result, conflicts: withWords([...result.conflicts, ...away], entry) };
  }

  private async undoBlocks(
    {
      records,
      record,
      entry,
    }: { readonly records: readonly JournalRecord[]; readonly record: JournalRecord; readonly entry: JournalEntry },
    signal: AbortSignal,
    progress: Progress | undefined,
  ): Promise<EntryUndone> {
    const { id, created, path } = entry.document;
    const newer = writtenInLater(records, record);
    if (newer.length > 0) return { restored: [], conflicts: newer };
    const result = await this.blocks.undo(entry, signal, { progress });
    if (created && id !== null) result.conflicts.push({ blockId: id, reasons: [{ code: 'document-kept' }] });
    else if (id === null) result.conflicts.push({ blockId: '', reasons: [{ code: 'document-unknown', title: path }] });
    return result;
  }
}

export function createWriteHistory(deps: WriteHistoryDeps): WriteHistory {
  return new JournalHistory(deps);
}
