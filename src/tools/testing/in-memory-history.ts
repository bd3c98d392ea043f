import type { UndoConflict, UndoReport, UndoState, WriteOrigin } from '../contract/ports.ts';
import type { StoredBlock } from './in-memory-markdown.ts';
import type { InMemoryStore, StoredDocument, StoredNotebook } from './in-memory-store.ts';

/** Everything that a write can change, as it was at one moment. */
export interface StoreState {
  readonly documents: ReadonlyMap<StoredDocument, Readonly<Omit<StoredDocument, 'id' | 'day'>>>;
  readonly notebooks: ReadonlyMap<StoredNotebook, Readonly<Pick<StoredNotebook, 'name' | 'open'>>>;
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
}

/** Undo by message, without Redo and without decisions about conflicts: tests/host has the tests of those. */
export class InMemoryHistory {
  private readonly store: InMemoryStore;
  private readonly written: Written[] = [];

  constructor(store: InMemoryStore) {
    this.store = store;
  }

  record(origin: WriteOrigin, before: StoreState, blockIds: readonly string[]): void {
    this.written.push({ origin, before, after: stateOf(this.store), blockIds, undone: false });
  }

  state(sessionId: string, nodeId: string): UndoState {
    const mine = this.of(sessionId, nodeId);
    const blocks = new Set(mine.flatMap(({ blockIds }) => blockIds)).size;
    const undone = mine.length > 0 && mine.every((entry) => entry.undone);
    return { blocks, kind: mine.length === 0 ? 'none' : 'exact', undone };
  }

  undo(sessionId: string, nodeId: string, callId?: string): UndoReport {
    const restored: string[] = [];
    const conflicts: UndoConflict[] = [];
    for (const entry of this.of(sessionId, nodeId).reverse()) {
      if (entry.undone || (callId !== undefined && entry.origin.callId !== callId)) continue;
      const changed = this.undoDocuments(entry);
      this.undoOthers(entry);
      entry.undone = changed.length === 0;
      conflicts.push(...changed.map((blockId): UndoConflict => ({ blockId, reasons: [{ code: 'changed' }] })));
      if (entry.undone) restored.push(...entry.blockIds);
    }
    return { restored: [...new Set(restored)], conflicts };
  }

  private of(sessionId: string, nodeId: string): Written[] {
    return this.written.filter(({ origin }) => origin.sessionId === sessionId && origin.nodeId === nodeId);
  }

  /** The blocks that somebody changed since; their documents are left alone. */
  private undoDocuments({ before, after }: Written): readonly string[] {
    const changed: string[] = [];
    const { documents } = this.store;
    for (const document of new Set([...before.documents.keys(), ...after.documents.keys()])) {
      const [old, written] = [before.documents.get(document), after.documents.get(document)];
      if (old?.blocks === written?.blocks && old?.path === written?.path && old?.notebook === written?.notebook) continue;
      const others = documents.includes(document) ? differing(document.blocks, written?.blocks ?? []) : [];
      if (others.length > 0) {
        changed.push(...others);
      } else if (old === undefined) this.store.removeDocument(document.id);
      else {
        Object.assign(document, old);
        if (!documents.includes(document)) documents.push(document);
      }
    }
    return changed;
  }

  private undoOthers({ before, after }: Written): void {
    const { attributes, notebooks } = this.store;
    for (const id of new Set([...before.attributes.keys(), ...after.attributes.keys()])) {
      if (before.attributes.get(id) !== after.attributes.get(id)) attributes.set(id, before.attributes.get(id) ?? {});
    }
    for (const notebook of after.notebooks.keys()) {
      if (!before.notebooks.has(notebook)) notebooks.splice(notebooks.indexOf(notebook), 1);
    }
    for (const [notebook, fields] of before.notebooks) Object.assign(notebook, fields);
  }
}

/** Ids of blocks that are in one only, or have another text. */
function differing(now: readonly StoredBlock[], written: readonly StoredBlock[]): readonly string[] {
  const texts = new Map(now.map(({ id, markdown }) => [id, markdown]));
  const changed = written.filter(({ id, markdown }) => texts.get(id) !== markdown).map(({ id }) => id);
  const added = now.filter((block) => !written.some(({ id }) => id === block.id)).map(({ id }) => id);
  return [...changed, ...added];
}
