import type { Progress } from '../../tools/contract/plans.ts';
import type { Clock, UndoConflict } from '../../tools/contract/ports.ts';
import type { UndoReason } from '../../tools/contract/undo-reasons.ts';
import { NEVER } from '../../tools/util/abort.ts';
import { childBlocks, parseBlock, type Random, serializeBlock, timestamp } from '../blocks/block-dom.ts';
import { hashOfBlock } from '../blocks/block-hash.ts';
import { idsIn } from '../blocks/emptied-container.ts';
import type { ListKind } from '../blocks/list-numbers.ts';
import type { MarkdownEngine } from '../blocks/markdown-engine.ts';
import { wasWritten } from '../journal/entry-writes.ts';
import type { JournalEntry, JournalOperation } from '../journal/write-journal.ts';
import { KernelRefusal } from '../kernel/kernel-client.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import type { TransactionLog } from '../kernel/transaction-log.ts';
import { batchesOf, quotedList } from '../sql/sql-text.ts';
import { asWritable, type BlockWriter } from '../transactions/block-writer.ts';
import { currentDoms } from '../transactions/current-doms.ts';
import { foldedLike, hasFoldInside, showHiddenByFolds } from '../transactions/fold-state.ts';
import { refersToAny, unknownReferences, withoutReferences } from '../transactions/lost-references.ts';
import { type StampedOperation, undoSteps } from '../transactions/plan-steps.ts';
import type { PreparedPosition } from '../transactions/prepared-plan.ts';
import type { WriteStep } from '../transactions/write-step.ts';
import { type BlockPosition, type BlockTree, loadTree, NotLoaded } from '../tree/block-tree.ts';
import { isGuardedElement, removeGuarded } from '../tree/document-tree.ts';
import { type Focus, nearTree } from '../tree/near-tree.ts';
import { type BlockConflict, idsBrought, type UndoSnapshot, type UndoTask, undoTasks } from './undo-judgement.ts';
import { sendUndo, type UndoSent } from './undo-sending.ts';

/** By id of a list that took the kind of a task at its front: its former kind. */
const kindsBefore = (operations: readonly JournalOperation[]): ReadonlyMap<string, ListKind> =>
  new Map(operations.flatMap(({ listKind, from }) => (listKind && from ? [[from.parentId, listKind] as const] : [])));

/** Writing the whole list would lose a reference, or duplicate what a folded heading in it hides. */
const mayNotBeWritten = (dom: string, unknown: ReadonlySet<string>): boolean => refersToAny(dom, unknown) || hasFoldInside(dom);

/** Changes that restore the kind of these lists. Those that have it, and those that still begin with a task, are left out. */
function kindChanges(kinds: ReadonlyMap<string, ListKind>, doms: Readonly<Record<string, string>>): JournalOperation[] {
  return [...kinds].flatMap(([blockId, kind]): JournalOperation[] => {
    const now = doms[blockId] ?? '';
    const list = parseBlock(now);
    if (list?.attribs['data-subtype'] !== 't' || childBlocks(list)[0]?.attribs['data-subtype'] === 't') return [];
    list.attribs['data-subtype'] = kind;
    const dom = serializeBlock(list);
    const [before, after] = [dom, now].map((each) => ({ dom: each, hash: hashOfBlock(each) }));
    return before && after ? [{ action: 'update', blockId, before, after, result: 'applied' }] : [];
  });
}

export interface BlockUndoDeps {
  readonly routes: KernelRoutes;
  readonly writer: BlockWriter;
  readonly pushes: TransactionLog;
  readonly engine: MarkdownEngine;
  readonly clock: Clock;
  readonly random: Random;
}

interface BlockUndoResult {
  readonly restored: string[];
  readonly conflicts: UndoConflict[];
  /** Somebody wrote meanwhile, or SiYuan refused: it was not completed. */
  readonly retry: boolean;
}

interface UndoneBlocks extends BlockUndoResult {
  /** By block: its position when it was removed or moved back, if that differs from where it had been written. */
  readonly positionsBefore: Readonly<Record<string, BlockPosition>>;
}

interface WrittenBlocks {
  readonly operations: readonly JournalOperation[];
  readonly document: Pick<JournalEntry['document'], 'id'>;
}

interface BlockUndoManner {
  /** Ids of containers that are removed too once they are empty. */
  readonly emptied?: readonly string[];
  readonly progress: Progress | undefined;
}

interface Sending {
  readonly checkBeforeSend?: boolean;
  readonly repairDepth?: number;
  readonly progress?: Progress | undefined;
}

/** Restores the blocks of one write; later changes stay and are reported. */
export interface BlockUndo {
  undo(write: WrittenBlocks, signal: AbortSignal, how: BlockUndoManner): Promise<UndoneBlocks>;
  /** The current documents and blocks that these operations are about. */
  snapshot(operations: readonly JournalOperation[], documentId: string | null, signal: AbortSignal): Promise<UndoSnapshot>;
  /** Runs the tasks, at most 31 per request, and returns the outcome. Rejects if the kernel cannot be reached; can be repeated. */
  carryOut(tasks: readonly UndoTask[], snapshot: UndoSnapshot, how?: Sending): Promise<BlockUndoResult>;
  conflictOf(conflict: BlockConflict): UndoConflict;
}

/** Up to this number, documents are looked up one by one. */
const FEW_DOCUMENTS = 4;
/** The maximum number of attempts while somebody goes on writing. */
const ATTEMPTS = 4;
const CHANGED: readonly UndoReason[] = [{ code: 'changed' }];
const NEARBY: readonly UndoReason[] = [{ code: 'nearby' }];
const REFUSED: readonly UndoReason[] = [{ code: 'refused' }];

class KernelBlockUndo implements BlockUndo {
  private readonly deps: BlockUndoDeps;

  constructor(deps: BlockUndoDeps) {
    this.deps = deps;
  }

  async undo(write: WrittenBlocks, signal: AbortSignal, { emptied = [], progress }: BlockUndoManner): Promise<UndoneBlocks> {
    const operations = write.operations.filter(wasWritten);
    const restored = new Set<string>();
    const nearby: UndoConflict[] = [];
    let positionsBefore: Readonly<Record<string, BlockPosition>> = {};
    for (let attempt = 1; ; attempt += 1) {
      const found = await this.snapshot(operations, write.document.id, signal);
      const near = { ...found, containers: await this.containers(emptied, signal) };
      const [{ tasks, blocked }, snapshot] = await this.withWhole(near, (each) => undoTasks(operations, each));
      positionsBefore = { ...positionsOf(tasks, snapshot.tree), ...positionsBefore };
      const done = await this.carryOut(tasks, snapshot, { checkBeforeSend: attempt < ATTEMPTS, progress });
      for (const id of done.restored) restored.add(id);
      // Finished tasks drop out: the rest is judged again.
      if (done.retry && attempt < ATTEMPTS) {
        nearby.push(...done.conflicts.filter((each) => each.reasons === NEARBY));
        continue;
      }
      for (const { attributes } of blocked) {
        for (const [id, attrs] of attributes ?? []) await this.deps.routes.setAttributes(id, attrs, signal);
      }
      const kinds = await this.restoreKinds(operations, write.document.id, signal);
      const conflicts = [...blocked.map((each) => this.conflictOf(each)), ...nearby, ...done.conflicts, ...kinds];
      const left = new Set(conflicts.filter((each) => each.reasons !== NEARBY).map((each) => each.blockId));
      return { restored: [...restored].filter((id) => !left.has(id)), conflicts, retry: done.retry, positionsBefore };
    }
  }

  async snapshot(operations: readonly JournalOperation[], documentId: string | null, signal: AbortSignal): Promise<UndoSnapshot> {
    const { routes } = this.deps;
    const position = this.deps.pushes.position();
    const ids = operations.map((operation) => operation.blockId);
    const focus = await this.existingDocuments(focusOf(operations, documentId), signal);
    let tree = await nearTree(routes, focus, signal);
    const doms = await currentDoms(routes, homesOf(operations, documentId), (id) => tree.lengthOf(id) !== undefined, signal);
    const brought = operations.flatMap((operation) => idsBrought(operation, doms[operation.blockId] ?? ''));
    const found = await currentDoms(routes, new Map([['', brought]]), () => false, signal);
    const existing = new Set(brought.filter((id) => (found[id] ?? '') !== ''));
    const coming = new Set(operations.flatMap(({ before }) => idsIn(before?.dom ?? '')));
    const old = operations.flatMap(({ action, before }) => (action === 'update' || action === 'delete' ? [before?.dom ?? ''] : []));
    const unknown = await unknownReferences(routes, old, signal, coming);
    // Blocks that somebody moved to another document.
    const strayed = ids.filter((id) => (doms[id] ?? '') !== '' && !tree.has(id));
    if (strayed.length > 0) {
      const further = new Map(focus);
      for (const id of strayed) {
        const { rootID } = await routes.blockInfo(id, signal);
        further.set(rootID, { ids: [...(further.get(rootID)?.ids ?? []), id] });
      }
      tree = await nearTree(routes, further, signal);
    }
    return { tree, doms, existing, unknown, position };
  }

  conflictOf({ blockId, reasons, now, before }: BlockConflict): UndoConflict {
    const [shownNow, shownBefore] = [this.shown(now), this.shown(before)];
    if (shownNow === undefined || shownBefore === undefined) return { blockId, reasons };
    return { blockId, reasons, now: shownNow, before: shownBefore };
  }

  async carryOut(
    tasks: readonly UndoTask[],
    near: UndoSnapshot,
    { checkBeforeSend = true, repairDepth = 0, progress }: Sending = {},
  ): Promise<BlockUndoResult> {
    const { clock, random } = this.deps;
    const coming = new Map(tasks.flatMap((task) => (isComing(task) ? [[task.operation.blockId, task] as const] : [])));
    const [steps, snapshot] = await this.withWhole(near, (each) =>
      undoSteps({
        tree: each.tree,
        operations: tasks.map((task) => this.stamped(task, each, coming)),
        start: null,
        trash: null,
        // Any other container that becomes empty stays: somebody may be about to write in it.
        containers: each.containers ?? {},
        clock,
        random,
      }),
    );
    const sent = await sendUndo(this.deps, {
      steps,
      tasks,
      planned: snapshot.tree,
      position: snapshot.position,
      checkBeforeSend,
      repairing: repairDepth > 0,
      progress,
    });
    if (sent.overwritten.length > 0) {
      const signal = NEVER;
      const found = await this.snapshot(
        sent.overwritten.map((task) => task.operation),
        null,
        signal,
      );
      // From the same log position on, so that their later text is not lost either.
      const deeper = { checkBeforeSend: false, repairDepth: repairDepth + 1 };
      if (repairDepth < ATTEMPTS) await this.carryOut(sent.overwritten, { ...found, position: snapshot.position }, deeper);
    }
    if (sent.failure !== undefined) throw sent.failure;
    const { tree, position } = snapshot;
    if (tree.buried().length > 0 || this.deps.pushes.othersSince(position)) await showHiddenByFolds(this.deps, tree.documentIds());
    return this.report(steps, tasks, sent, Object.keys(snapshot.containers ?? {}));
  }

  /** SiYuan does not turn a task list back when the task has left its front. Returns what was written meanwhile. */
  private async restoreKinds(
    operations: readonly JournalOperation[],
    documentId: string | null,
    signal: AbortSignal,
  ): Promise<UndoConflict[]> {
    const kinds = kindsBefore(operations);
    for (let attempt = 1; ; attempt += 1) {
      const changes = kinds.size === 0 ? [] : kindChanges(kinds, await this.deps.routes.doms([...kinds.keys()], signal));
      if (changes.length === 0) return [];
      const snapshot = await this.snapshot(changes, documentId, signal);
      const left = changes.filter(({ before }) => mayNotBeWritten(before?.dom ?? '', snapshot.unknown));
      const tasks = changes.flatMap((operation): UndoTask[] =>
        left.includes(operation) ? [] : [{ kind: 'update', operation, now: operation.after.dom }],
      );
      const done = await this.carryOut(tasks, snapshot, { checkBeforeSend: attempt < ATTEMPTS });
      if (done.retry && attempt < ATTEMPTS) continue;
      return [...left.map(({ blockId }) => ({ blockId, reasons: REFUSED })), ...done.conflicts];
    }
  }

  /** Those that exist, in the given order. */
  private async containers(ids: readonly string[], signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
    if (ids.length === 0) return {};
    const doms = await this.deps.routes.doms(ids, signal);
    return Object.fromEntries(ids.flatMap((id): [string, string][] => ((doms[id] ?? '') === '' ? [] : [[id, doms[id] ?? '']])));
  }

  /** The result of `use`, and the snapshot that it used: with whole documents if the surroundings of the blocks were not enough. */
  private async withWhole<T>(snapshot: UndoSnapshot, use: (snapshot: UndoSnapshot) => T): Promise<readonly [T, UndoSnapshot]> {
    try {
      return [use(snapshot), snapshot];
    } catch (error) {
      if (!(error instanceof NotLoaded)) throw error;
      const whole = { ...snapshot, tree: await loadTree(this.deps.routes, snapshot.tree.documentIds(), NEVER) };
      return [use(whole), whole];
    }
  }

  /** Those of the documents that exist: for many of them, the index answers most. */
  private async existingDocuments(focus: ReadonlyMap<string, Focus>, signal: AbortSignal): Promise<ReadonlyMap<string, Focus>> {
    const { routes } = this.deps;
    const indexed = new Set<string>();
    if (focus.size > FEW_DOCUMENTS) {
      await routes.flushIndex(signal);
      for (const batch of batchesOf([...focus.keys()])) {
        const stmt = `SELECT id FROM blocks WHERE type = 'd' AND id IN (${quotedList(batch)}) LIMIT ${batch.length}`;
        for (const row of await routes.sql(stmt, signal)) indexed.add(String(row.id));
      }
    }
    const existing = new Map<string, Focus>();
    for (const [id, each] of focus) {
      try {
        if (indexed.has(id) || (await routes.blockInfo(id, signal)).rootID === id) existing.set(id, each);
      } catch (error) {
        if (!(error instanceof KernelRefusal) || error.code === 'read_only') throw error;
      }
    }
    return existing;
  }

  /** Markdown for a person to choose by, without hidden text; undefined if there is nothing to choose. */
  private shown(dom: string | undefined): string | null | undefined {
    if (dom === undefined) return undefined;
    if (dom === '') return null;
    const block = parseBlock(dom);
    if (!block || isGuardedElement(block)) return undefined;
    removeGuarded(block);
    return this.deps.engine.toMarkdown(serializeBlock(block));
  }

  private stamped(task: UndoTask, { tree, unknown }: UndoSnapshot, coming: Coming): StampedOperation {
    const { operation, now } = task;
    // Only if a person chose to restore it anyway.
    const old = withoutReferences(operation.before?.dom ?? '', unknown);
    const before = now === '' ? null : { dom: now, hash: hashOfBlock(now) };
    const updated = timestamp(this.deps.clock);
    const { blockId } = operation;
    switch (task.kind) {
      case 'update':
        return { action: 'update', blockId, dom: asWritable(old, updated), before };
      case 'restore':
        return { action: 'insert', blockId, dom: asWritable(old, updated), before: null, place: homeOf(operation, tree, coming) };
      case 'move-back':
        return { action: 'move', blockId, dom: foldedLike(now, old), before, place: homeOf(operation, tree, coming) };
      case 'remove':
        return { action: 'delete', blockId, dom: '', before };
      case 'clear':
        return { action: 'delete', blockId: task.blockId, dom: '', before };
    }
  }

  private report(steps: readonly WriteStep[], tasks: readonly UndoTask[], sent: UndoSent, containers: readonly string[]): BlockUndoResult {
    const restored: string[] = [];
    const conflicts: UndoConflict[] = [];
    const overwritten = new Set(sent.overwritten.map((task) => task.operation.blockId));
    for (const task of tasks) {
      if (task.kind === 'clear') continue;
      const { blockId, shell } = task.operation;
      const state = sent.states.get(blockId);
      // A container into which others were moved back differs from what was sent.
      const filled = new Set(task.kind === 'restore' ? idsIn(task.operation.before?.dom ?? '') : []);
      const isFilled = shell !== undefined || tasks.some((other) => filled.has(other.operation.from?.parentId ?? ''));
      const done = state?.result === 'applied' || (isFilled && state !== undefined && state.dom !== '');
      const step = steps.find((each) => each.blockId === blockId);
      if (overwritten.has(blockId)) conflicts.push({ blockId, reasons: CHANGED });
      else if (!done) conflicts.push({ blockId, reasons: state ? REFUSED : CHANGED });
      else {
        restored.push(blockId);
        if (isElsewhere(task, step)) conflicts.push({ blockId, reasons: NEARBY });
      }
    }
    for (const blockId of containers) {
      if (sent.states.get(blockId)?.result === 'applied') restored.push(blockId);
      else conflicts.push({ blockId, reasons: CHANGED });
    }
    return { restored, conflicts, retry: sent.retry };
  }
}

const homeDocument = ({ from, to }: JournalOperation, documentId: string | null): string =>
  to?.documentId ?? from?.documentId ?? documentId ?? '';

function homesOf(operations: readonly JournalOperation[], documentId: string | null): ReadonlyMap<string, readonly string[]> {
  const homes = new Map<string, string[]>();
  for (const operation of operations) {
    const home = homeDocument(operation, documentId);
    homes.set(home, [...(homes.get(home) ?? []), operation.blockId]);
  }
  return homes;
}

/** By document, what these operations touched, and their earlier positions. */
function focusOf(operations: readonly JournalOperation[], documentId: string | null): ReadonlyMap<string, Focus> {
  const focus = new Map<string, Set<string>>(documentId === null ? [] : [[documentId, new Set()]]);
  const add = (document: string, ids: readonly (string | null | undefined)[]): void => {
    const known = focus.get(document) ?? new Set();
    for (const id of ids) if (id) known.add(id);
    focus.set(document, known);
  };
  for (const operation of operations) {
    const { blockId, from, to, along = [], shell } = operation;
    for (const position of [from, to]) {
      if (position) add(position.documentId, [blockId, ...along, shell, position.parentId, position.previousId, position.nextId]);
    }
    const home = homeDocument(operation, documentId);
    if (home !== '') add(home, [blockId]);
  }
  return new Map([...focus].map(([id, ids]) => [id, { ids: [...ids] }]));
}

type Coming = ReadonlyMap<string, UndoTask>;
const isComing = ({ kind }: UndoTask): boolean => kind === 'restore' || kind === 'move-back';

/** The next sibling that is not itself on its way back. */
function nextExisting(nextId: string | null, coming: Coming): string | null {
  const seen = new Set<string>();
  let next = nextId;
  while (next !== null && coming.has(next) && !seen.has(next)) {
    seen.add(next);
    next = coming.get(next)?.operation.from?.nextId ?? null;
  }
  return next;
}

function homeOf({ from }: JournalOperation, tree: BlockTree, coming: Coming): PreparedPosition {
  if (!from) throw new Error('a block without an old place is not put back');
  const { documentId, parentId, previousId, nextId } = from;
  // Its container is gone: it goes to the end of the document.
  if (!tree.has(parentId) && coming.get(parentId)?.kind !== 'restore') return { parentId: documentId, after: [parentId], before: null };
  return { parentId, after: previousId === null ? [] : [previousId], before: nextExisting(nextId, coming) };
}

/** The positions of blocks that are removed or moved: others may have been inserted next to them, and Redo restores the order. */
function positionsOf(tasks: readonly UndoTask[], tree: BlockTree): Readonly<Record<string, BlockPosition>> {
  const places = tasks.flatMap(({ kind, operation: { blockId, to } }): [string, BlockPosition][] => {
    const now = kind === 'remove' || kind === 'move-back' ? tree.positionOf(blockId) : undefined;
    const isAsWritten = now?.parentId === to?.parentId && now?.previousId === to?.previousId && now?.nextId === to?.nextId;
    return now && to && !isAsWritten ? [[blockId, now]] : [];
  });
  return Object.fromEntries(places);
}

function isElsewhere(task: UndoTask, step: WriteStep | undefined): boolean {
  const { from } = task.operation;
  if ((task.kind !== 'restore' && task.kind !== 'move-back') || !from || !step?.to) return false;
  const { parentId, previousId, nextId } = step.to;
  return parentId !== from.parentId || (previousId !== from.previousId && nextId !== from.nextId);
}

export function createBlockUndo(deps: BlockUndoDeps): BlockUndo {
  return new KernelBlockUndo(deps);
}
