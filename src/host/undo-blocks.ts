import type { Clock, UndoConflict } from '../tools/ports.ts';
import type { UndoReason } from '../tools/undo-reasons.ts';
import { parseBlock, type Random, serializeBlock, timestamp } from './block-dom.ts';
import { type BlockForest, loadForest } from './block-forest.ts';
import { hashOfBlock } from './block-hash.ts';
import { asWritable, type BlockState, type BlockWriter } from './block-writer.ts';
import { idsIn } from './container-shell.ts';
import { isGuardedElement, removeGuarded } from './document-tree.ts';
import { foldedLike } from './fold-state.ts';
import { KernelRefusal } from './kernel-client.ts';
import type { KernelRoutes } from './kernel-routes.ts';
import type { MarkdownEngine } from './markdown-engine.ts';
import { type StampedOperation, undoSteps } from './plan-steps.ts';
import type { PreparedPlace } from './prepared-plan.ts';
import { idsBrought, type Objection, type UndoScene, type UndoTask, undoTasks, wasWritten } from './undo-tasks.ts';
import type { JournalEntry, JournalOperation } from './write-journal.ts';
import { readStates, toChunks } from './write-run.ts';
import type { WriteStep } from './write-step.ts';

export interface BlockUndoDeps {
  readonly routes: KernelRoutes;
  readonly writer: BlockWriter;
  readonly engine: MarkdownEngine;
  readonly clock: Clock;
  readonly random: Random;
}

interface BlockUndoResult {
  readonly restored: string[];
  readonly conflicts: UndoConflict[];
}

/** Puts the blocks of one write back as they were; what somebody changed since stays and is reported. */
export interface BlockUndo {
  undo(entry: JournalEntry, signal: AbortSignal): Promise<BlockUndoResult>;
  /** The documents and blocks that these operations are about, as they stand now. */
  scene(operations: readonly JournalOperation[], documentId: string | null, signal: AbortSignal): Promise<UndoScene>;
  /** Does the tasks, at most 31 a request, and says what came of it. Rejects when the kernel cannot be reached: it can be done again. */
  carryOut(tasks: readonly UndoTask[], scene: UndoScene): Promise<BlockUndoResult>;
  conflictOf(objection: Objection): UndoConflict;
}

const NEARBY: readonly UndoReason[] = [{ code: 'nearby' }];
const REFUSED: readonly UndoReason[] = [{ code: 'refused' }];

class KernelBlockUndo implements BlockUndo {
  private readonly deps: BlockUndoDeps;

  constructor(deps: BlockUndoDeps) {
    this.deps = deps;
  }

  async undo(entry: JournalEntry, signal: AbortSignal): Promise<BlockUndoResult> {
    const operations = entry.operations.filter(wasWritten);
    const scene = await this.scene(operations, entry.document.id, signal);
    const { tasks, objections } = undoTasks(operations, scene);
    const done = await this.carryOut(tasks, scene);
    return { restored: done.restored, conflicts: [...objections.map((each) => this.conflictOf(each)), ...done.conflicts] };
  }

  async scene(operations: readonly JournalOperation[], documentId: string | null, signal: AbortSignal): Promise<UndoScene> {
    const { routes } = this.deps;
    const ids = operations.map((operation) => operation.blockId);
    const doms = await routes.doms(ids, signal);
    const brought = operations.flatMap((operation) => idsBrought(operation, doms[operation.blockId] ?? ''));
    const found = await routes.doms([...new Set(brought)], signal);
    const standing = new Set(brought.filter((id) => (found[id] ?? '') !== ''));
    const named = operations.flatMap(({ from, to }) => [from, to].flatMap((spot) => (spot ? [spot.documentId] : [])));
    const documents = await this.existing([...named, ...(documentId === null ? [] : [documentId])], signal);
    let forest = await loadForest(routes, documents, signal);
    // Blocks that somebody took to another document.
    const strayed = ids.filter((id) => (doms[id] ?? '') !== '' && !forest.has(id));
    if (strayed.length > 0) {
      for (const id of strayed) documents.add((await routes.blockInfo(id, signal)).rootID);
      forest = await loadForest(routes, documents, signal);
    }
    return { forest, doms, standing };
  }

  conflictOf({ blockId, reasons, now, before }: Objection): UndoConflict {
    const [shownNow, shownBefore] = [this.shown(now), this.shown(before)];
    if (shownNow === undefined || shownBefore === undefined) return { blockId, reasons };
    return { blockId, reasons, now: shownNow, before: shownBefore };
  }

  async carryOut(tasks: readonly UndoTask[], scene: UndoScene): Promise<BlockUndoResult> {
    const { clock, random } = this.deps;
    const coming = new Set(tasks.flatMap((task) => (task.kind === 'restore' ? [task.operation.blockId] : [])));
    const steps = undoSteps({
      forest: scene.forest,
      operations: tasks.map((task) => this.stamped(task, scene.forest, coming)),
      start: null,
      trash: null,
      // A container that is left empty stays: somebody may be about to write in it.
      containers: {},
      clock,
      random,
    });
    return this.send(steps, tasks, scene.forest);
  }

  private async existing(ids: readonly string[], signal: AbortSignal): Promise<Set<string>> {
    const documents = new Set<string>();
    for (const id of new Set(ids)) {
      try {
        if ((await this.deps.routes.blockInfo(id, signal)).rootID === id) documents.add(id);
      } catch (error) {
        if (!(error instanceof KernelRefusal) || error.code === 'read_only') throw error;
      }
    }
    return documents;
  }

  /** Markdown for a person to choose by, without what is kept from the assistant; undefined where there is nothing to choose. */
  private shown(dom: string | undefined): string | null | undefined {
    if (dom === undefined) return undefined;
    if (dom === '') return null;
    const block = parseBlock(dom);
    if (!block || isGuardedElement(block)) return undefined;
    removeGuarded(block);
    return this.deps.engine.toMarkdown(serializeBlock(block));
  }

  private stamped(task: UndoTask, forest: BlockForest, coming: ReadonlySet<string>): StampedOperation {
    const { operation, now } = task;
    const old = operation.before?.dom ?? '';
    const before = now === '' ? null : { dom: now, hash: hashOfBlock(now) };
    const updated = timestamp(this.deps.clock);
    const { blockId } = operation;
    switch (task.kind) {
      case 'update':
        return { action: 'update', blockId, dom: asWritable(old, updated), before };
      case 'restore':
        return { action: 'insert', blockId, dom: asWritable(old, updated), before: null, place: homeOf(operation, forest, coming) };
      case 'move-back':
        return { action: 'move', blockId, dom: foldedLike(now, old), before, place: homeOf(operation, forest, coming) };
      case 'remove':
        return { action: 'delete', blockId, dom: '', before };
      case 'clear':
        return { action: 'delete', blockId: task.blockId, dom: '', before };
    }
  }

  private async send(steps: readonly WriteStep[], tasks: readonly UndoTask[], planned: BlockForest): Promise<BlockUndoResult> {
    const states = new Map<string, BlockState>();
    for (const chunk of toChunks({ steps, remove: null })) {
      await this.deps.writer.send(chunk.writes, chunk.undoTail);
      for (const [id, state] of await readStates(this.deps, chunk, planned)) states.set(id, state);
    }
    const restored: string[] = [];
    const conflicts: UndoConflict[] = [];
    for (const task of tasks) {
      if (task.kind === 'clear') continue;
      const { blockId, shell } = task.operation;
      const state = states.get(blockId);
      // What others were moved back into is not as it was sent.
      const filled = new Set(task.kind === 'restore' ? idsIn(task.operation.before?.dom ?? '') : []);
      const isFilled = shell !== undefined || tasks.some((other) => filled.has(other.operation.from?.parentId ?? ''));
      const done = state?.result === 'applied' || (isFilled && state !== undefined && state.dom !== '');
      if (done) restored.push(blockId);
      if (!done) conflicts.push({ blockId, reasons: REFUSED });
      else if (
        isElsewhere(
          task,
          steps.find((step) => step.blockId === blockId),
        )
      )
        conflicts.push({ blockId, reasons: NEARBY });
    }
    return { restored, conflicts };
  }
}

function homeOf({ from }: JournalOperation, forest: BlockForest, coming: ReadonlySet<string>): PreparedPlace {
  if (!from) throw new Error('a block without an old place is not put back');
  const { documentId, parentId, previousId, nextId } = from;
  // What it stood in is gone: to the end of the document.
  if (!forest.has(parentId) && !coming.has(parentId)) return { parentId: documentId, after: [parentId], before: null };
  return { parentId, after: previousId === null ? [] : [previousId], before: nextId };
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
