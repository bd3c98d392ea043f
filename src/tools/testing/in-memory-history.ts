import type { PlanOperation } from '../contract/plans.ts';
import type { UndoConflict, UndoReport, UndoState, WriteOrigin } from '../contract/ports.ts';
import type { StoredBlock } from './in-memory-markdown.ts';
import type { InMemoryStore, StoredDocument } from './in-memory-store.ts';

type Fields = Readonly<Omit<StoredDocument, 'id' | 'day'>>;

/** Everything that a write can change, as it was at one moment. */
export interface StoreState {
  readonly documents: ReadonlyMap<StoredDocument, Fields>;
  readonly notebooks: ReadonlyMap<InMemoryStore['notebooks'][number], { readonly name: string; readonly open: boolean }>;
  readonly attributes: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

export function stateOf(store: InMemoryStore): StoreState {
  return {
    documents: new Map(store.documents.map((document) => [document, { ...document }])),
    notebooks: new Map(store.notebooks.map((notebook) => [notebook, { name: notebook.name, open: notebook.open }])),
    attributes: new Map(store.attributes),
  };
}

interface Written {
  readonly origin: WriteOrigin;
  readonly before: StoreState;
  readonly after: StoreState;
  readonly blockIds: readonly string[];
  undone: boolean;
  /** Blocks that undo left alone, and that nobody decided about. */
  conflicts: readonly UndoConflict[];
  /** Blocks that stand as the user wants them. */
  kept: readonly string[];
  /** Blocks that Redo left alone: no part of it any more. */
  left: readonly string[];
}

/** What Redo would write again. */
const undoneIds = ({ blockIds, conflicts, kept, left }: Written): readonly string[] =>
  blockIds.filter((id) => ![...conflicts.map(({ blockId }) => blockId), ...kept, ...left].includes(id));

interface BlockState {
  readonly document: StoredDocument;
  readonly block: StoredBlock;
  /** Ids of the blocks before it, nearest first. */
  readonly previous: readonly string[];
}

type Blocks = ReadonlyMap<string, BlockState>;

function blocksOf(documents: Iterable<readonly [StoredDocument, Pick<Fields, 'blocks'>]>): Blocks {
  const found = new Map<string, BlockState>();
  for (const [document, { blocks }] of documents) {
    const previous: string[] = [];
    for (const block of blocks) {
      found.set(block.id, { document, block, previous: [...previous] });
      previous.unshift(block.id);
    }
  }
  return found;
}

const textIn = (blocks: Blocks, id: string): string | null => blocks.get(id)?.block.markdown ?? null;

interface Choice {
  readonly blockId: string;
  readonly choice: 'undo' | 'keep';
  readonly shown: string | null | undefined;
}

const changed = (blockId: string): UndoConflict => ({ blockId, reasons: [{ code: 'changed' }] });

/** Undo by message, as WriteHistory says: what the user changed since is left alone and reported, block by block. */
export class InMemoryHistory {
  private readonly store: InMemoryStore;
  private readonly written: Written[] = [];

  constructor(store: InMemoryStore) {
    this.store = store;
  }

  record(origin: WriteOrigin, before: StoreState, blockIds: readonly string[]): void {
    this.written.push({ origin, before, after: stateOf(this.store), blockIds, undone: false, conflicts: [], kept: [], left: [] });
  }

  state(sessionId: string, nodeId: string): UndoState {
    const mine = this.of(sessionId, nodeId);
    const blocks = new Set(mine.flatMap(({ blockIds }) => blockIds)).size;
    const kept = new Set(mine.flatMap((entry) => [...entry.kept, ...(entry.undone ? entry.left : [])])).size;
    const isTried = mine.some((entry) => entry.undone);
    const undone = mine.length > 0 && mine.every((entry) => entry.undone || (isTried && entry.conflicts.length > 0));
    const redo = new Set(mine.filter((entry) => entry.undone).flatMap(undoneIds)).size;
    const conflicts = mine.flatMap((entry) => entry.conflicts).reverse();
    const restored = [...new Set(mine.filter((entry) => entry.undone).flatMap(undoneIds))];
    const isUntried = mine.some((entry) => !entry.undone && entry.conflicts.length === 0);
    const report = conflicts.length > 0 && !isUntried ? { report: { restored, conflicts } } : {};
    const counts = { redo: redo > 0 ? redo : undefined, kept: kept > 0 ? kept : undefined };
    return { blocks, kind: mine.length === 0 ? 'none' : 'exact', undone, ...counts, ...report };
  }

  undo(sessionId: string, nodeId: string, callId?: string): UndoReport {
    const restored: string[] = [];
    const conflicts: UndoConflict[] = [];
    for (const entry of this.of(sessionId, nodeId).reverse()) {
      if (entry.undone || (callId !== undefined && entry.origin.callId !== callId)) continue;
      entry.conflicts = [];
      const found = [...this.undoDocuments(entry), ...this.undoBlocks(entry), ...this.undoAttributes(entry)];
      this.undoNotebooks(entry);
      entry.conflicts = found;
      // If nothing was undone, it is tried again: what was in the way may be undone itself.
      entry.undone = found.length === 0 || undoneIds(entry).length > 0;
      conflicts.push(...found);
      restored.push(...entry.blockIds.filter((id) => !found.some(({ blockId }) => blockId === id)));
    }
    return { restored: [...new Set(restored)], conflicts };
  }

  /** Undo of the undo, oldest first; what Undo left alone is no part of it. */
  redo(sessionId: string, nodeId: string, callId?: string): UndoReport {
    const restored: string[] = [];
    const conflicts: UndoConflict[] = [];
    for (const entry of this.of(sessionId, nodeId)) {
      if (!entry.undone || (callId !== undefined && entry.origin.callId !== callId)) continue;
      const undone = undoneIds(entry);
      const inverse = { ...entry, before: entry.after, after: entry.before, blockIds: undone };
      const found = [...this.undoDocuments(inverse), ...this.undoBlocks(inverse), ...this.undoAttributes(inverse)];
      const left = found.map(({ blockId }) => blockId);
      conflicts.push(...found.map(({ blockId, reasons }) => ({ blockId, reasons })));
      restored.push(...undone.filter((id) => !left.includes(id)));
      if (undone.every((id) => left.includes(id))) continue;
      Object.assign(entry, { undone: false, conflicts: [], left: [...left, ...entry.kept], kept: [] });
    }
    return { restored: [...new Set(restored)], conflicts };
  }

  changes(sessionId: string, nodeId: string, callId: string): PlanOperation[] {
    const entries = this.of(sessionId, nodeId).filter(({ origin }) => origin.callId === callId);
    return entries.flatMap(({ before, after, blockIds }) => {
      const [olds, fresh] = [blocksOf(before.documents), blocksOf(after.documents)];
      return blockIds.map((blockId) => {
        const [old, now] = [olds.get(blockId)?.block, fresh.get(blockId)?.block];
        const action = old === undefined ? 'insert' : now === undefined ? 'delete' : 'update';
        const [was, is] = [old?.markdown ?? null, now?.markdown ?? null];
        return { id: blockId, action, blockId, blockType: (now ?? old)?.type ?? '', before: was, after: is, requires: [] };
      });
    });
  }

  resolve(sessionId: string, nodeId: string, { blockId, choice, shown }: Choice): UndoReport {
    const entry = this.of(sessionId, nodeId).find(({ conflicts }) => conflicts.some((each) => each.blockId === blockId));
    const conflict = entry?.conflicts.find((each) => each.blockId === blockId);
    if (entry === undefined || conflict === undefined) return { restored: [], conflicts: [] };
    const now = textIn(this.now(), blockId);
    if (choice === 'undo' && conflict.now !== undefined && now !== (shown === undefined ? conflict.now : shown)) {
      const anew: UndoConflict = { ...conflict, reasons: [{ code: now === null ? 'removed' : 'changed' }], now };
      entry.conflicts = entry.conflicts.map((each) => (each === conflict ? anew : each));
      return { restored: [], conflicts: [anew] };
    }
    entry.conflicts = entry.conflicts.filter((each) => each.blockId !== blockId);
    entry.undone = true;
    if (choice === 'keep') {
      entry.kept = [...entry.kept, blockId];
      return { restored: [], conflicts: [] };
    }
    this.putBack(entry, blockId);
    return { restored: [blockId], conflicts: [] };
  }

  private of(sessionId: string, nodeId: string): Written[] {
    return this.written.filter(({ origin }) => origin.sessionId === sessionId && origin.nodeId === nodeId);
  }

  private now(): Blocks {
    return blocksOf(this.store.documents.map((document) => [document, document] as const));
  }

  /** Documents that were made go, those that were deleted come back, titles and places are as they were. */
  private undoDocuments({ before, after }: Written): readonly UndoConflict[] {
    const conflicts: UndoConflict[] = [];
    for (const [document, fields] of after.documents) {
      if (before.documents.has(document) || !this.store.documents.includes(document)) continue;
      const isSame =
        document.blocks.length === fields.blocks.length && document.blocks.every((block, index) => block === fields.blocks[index]);
      if (isSame && this.store.below(document).length === 0) this.store.removeDocument(document.id);
      else conflicts.push({ blockId: document.id, reasons: [{ code: 'document-kept' }] });
    }
    for (const [document, old] of before.documents) {
      const fresh = after.documents.get(document);
      if (fresh === undefined) {
        if (!this.store.documents.includes(document)) this.store.documents.push(Object.assign(document, old));
        continue;
      }
      const isMoved = old.path !== fresh.path || old.notebook !== fresh.notebook;
      if (!isMoved || !this.store.documents.includes(document)) continue;
      if (document.path === fresh.path && document.notebook === fresh.notebook) {
        Object.assign(document, { path: old.path, title: old.title, notebook: old.notebook });
      } else conflicts.push(changed(document.id));
    }
    return conflicts;
  }

  private undoBlocks(entry: Written): readonly UndoConflict[] {
    const [olds, fresh] = [blocksOf(entry.before.documents), blocksOf(entry.after.documents)];
    const isIn = (id: string): boolean => [...olds.keys(), ...fresh.keys()].includes(id);
    const conflicts: UndoConflict[] = [];
    // In the order that they were in, so that each finds the one before it.
    const lists = [...new Set([...olds.keys(), ...fresh.keys()])].filter((id) => textIn(olds, id) !== textIn(fresh, id));
    const none = [...entry.conflicts.map(({ blockId }) => blockId), ...entry.kept, ...entry.left];
    const touched = [...new Set([...lists, ...entry.blockIds.filter(isIn)])].filter((id) => !none.includes(id));
    const order = [...olds.keys()];
    for (const id of touched.sort((one, other) => order.indexOf(one) - order.indexOf(other))) {
      const conflict = this.conflictAt(id, olds, fresh);
      if (conflict === undefined) this.putBack(entry, id);
      else conflicts.push(conflict);
    }
    return conflicts;
  }

  private conflictAt(id: string, olds: Blocks, fresh: Blocks): UndoConflict | undefined {
    const [old, is, now] = [textIn(olds, id), textIn(fresh, id), textIn(this.now(), id)];
    // Gone as it was before, or as it was made.
    if (now === is || now === old) return undefined;
    const code = now === null ? 'removed' : is === null ? 'otherwise' : 'changed';
    return { blockId: id, reasons: [{ code }], now, before: old };
  }

  /** As it was before the write: its text, and its place after the nearest of those before it. */
  private putBack(entry: Written, id: string): void {
    const old = blocksOf(entry.before.documents).get(id);
    const now = this.now().get(id);
    if (old === undefined) {
      if (now !== undefined) now.document.blocks = now.document.blocks.filter((block) => block.id !== id);
      return;
    }
    const isMoved = entry.blockIds.includes(id) && blocksOf(entry.after.documents).get(id)?.block === old.block;
    if (now !== undefined && !isMoved) {
      now.document.blocks = now.document.blocks.map((block) => (block.id === id ? old.block : block));
      return;
    }
    if (now !== undefined) now.document.blocks = now.document.blocks.filter((block) => block.id !== id);
    const { blocks } = old.document;
    const before = old.previous.find((each) => blocks.some((block) => block.id === each));
    const at = blocks.findIndex((block) => block.id === before) + 1;
    old.document.blocks = [...blocks.slice(0, at), now?.block ?? old.block, ...blocks.slice(at)];
  }

  private undoAttributes({ before, after }: Written): readonly UndoConflict[] {
    const conflicts: UndoConflict[] = [];
    for (const id of new Set([...before.attributes.keys(), ...after.attributes.keys()])) {
      const [old = {}, fresh = {}] = [before.attributes.get(id), after.attributes.get(id)];
      const now = { ...this.store.attributes.get(id) };
      const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].filter((name) => old[name] !== fresh[name]);
      if (names.length === 0) continue;
      if (names.some((name) => now[name] !== fresh[name])) conflicts.push(changed(id));
      else
        this.store.attributes.set(
          id,
          Object.fromEntries(Object.entries({ ...now, ...valuesOf(old, names) }).filter(([, value]) => value !== '')),
        );
    }
    return conflicts;
  }

  private undoNotebooks({ before, after }: Written): void {
    const { notebooks } = this.store;
    for (const notebook of after.notebooks.keys()) {
      if (!before.notebooks.has(notebook) && notebooks.includes(notebook)) notebooks.splice(notebooks.indexOf(notebook), 1);
    }
    for (const [notebook, fields] of before.notebooks) {
      const fresh = after.notebooks.get(notebook);
      if (fresh?.name !== fields.name || fresh.open !== fields.open) Object.assign(notebook, fields);
    }
  }
}

/** The values of these names; '' for those that are not set. */
function valuesOf(values: Readonly<Record<string, string>>, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, values[name] ?? '']));
}
