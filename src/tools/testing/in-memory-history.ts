import type { PlanOperation } from '../contract/plans.ts';
import type { UndoConflict, UndoReport, UndoState, WriteOrigin } from '../contract/ports.ts';
import type { StoredBlock } from './in-memory-markdown.ts';
import type { InMemoryStore, StoredDocument } from './in-memory-store.ts';

type Fields = Readonly<Omit<StoredDocument, 'id' | 'day'>>;

/** Everything that a write can change, as it stood at one moment. */
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
  readonly documents: readonly StoredDocument[];
  readonly blockIds: readonly string[];
  undone: boolean;
}

/** Shallow: block lists are never changed in place. */
function isEqual(left: Fields | undefined, right: Fields | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return left.blocks === right.blocks && left.path === right.path && left.notebook === right.notebook && left.title === right.title;
}

const blockOf = ({ documents }: StoreState, id: string): StoredBlock | undefined =>
  [...documents.values()].flatMap(({ blocks }) => blocks).find((block) => block.id === id);

/** Undo by message, as WriteHistory says: what the user changed since is left alone and reported. */
export class InMemoryHistory {
  private readonly store: InMemoryStore;
  private readonly written: Written[] = [];

  constructor(store: InMemoryStore) {
    this.store = store;
  }

  record(origin: WriteOrigin, before: StoreState, blockIds: readonly string[]): void {
    const after = stateOf(this.store);
    const all = new Set([...before.documents.keys(), ...after.documents.keys()]);
    const documents = [...all].filter((document) => !isEqual(before.documents.get(document), after.documents.get(document)));
    this.written.push({ origin, before, after, documents, blockIds, undone: false });
  }

  state(sessionId: string, nodeId: string): UndoState {
    const mine = this.of(sessionId, nodeId);
    const blocks = mine.reduce((sum, { blockIds }) => sum + blockIds.length, 0);
    return { blocks, kind: blocks === 0 ? 'none' : 'exact', undone: mine.length > 0 && mine.every(({ undone }) => undone) };
  }

  undo(sessionId: string, nodeId: string, callId?: string): UndoReport {
    const restored: string[] = [];
    const conflicts: UndoConflict[] = [];
    for (const entry of this.of(sessionId, nodeId).reverse()) {
      if (entry.undone || (callId !== undefined && entry.origin.callId !== callId)) continue;
      const changed = entry.documents.filter((document) => !isEqual(this.current(document), entry.after.documents.get(document)));
      if (changed.length > 0) conflicts.push(...entry.blockIds.map((blockId) => this.conflictOf(entry, blockId)));
      else restored.push(...this.putBack(entry));
    }
    return { restored, conflicts };
  }

  changes(sessionId: string, nodeId: string, callId: string): PlanOperation[] {
    const entries = this.of(sessionId, nodeId).filter(({ origin }) => origin.callId === callId);
    return entries.flatMap(({ before, after, blockIds }) =>
      blockIds.map((blockId) => {
        const [old, fresh] = [blockOf(before, blockId), blockOf(after, blockId)];
        const action = old === undefined ? 'insert' : fresh === undefined ? 'delete' : 'update';
        const [was, is] = [old?.markdown ?? null, fresh?.markdown ?? null];
        return { id: blockId, action, blockId, blockType: (fresh ?? old)?.type ?? '', before: was, after: is, requires: [] };
      }),
    );
  }

  resolve(sessionId: string, nodeId: string, blockId: string, choice: 'take-back' | 'keep'): UndoReport {
    const entry = this.of(sessionId, nodeId).find(({ undone, blockIds }) => !undone && blockIds.includes(blockId));
    if (entry === undefined) return { restored: [], conflicts: [] };
    if (choice === 'take-back') return { restored: this.putBack(entry), conflicts: [] };
    entry.undone = true;
    return { restored: [], conflicts: [] };
  }

  private of(sessionId: string, nodeId: string): Written[] {
    return this.written.filter(({ origin }) => origin.sessionId === sessionId && origin.nodeId === nodeId);
  }

  private current(document: StoredDocument): Fields | undefined {
    return this.store.documents.includes(document) ? document : undefined;
  }

  private conflictOf(entry: Written, blockId: string): UndoConflict {
    const find = (documents: readonly { readonly blocks: readonly StoredBlock[] }[]) =>
      documents.flatMap(({ blocks }) => blocks).find(({ id }) => id === blockId)?.markdown ?? null;
    return { blockId, reasons: [{ code: 'changed' }], now: find(this.store.documents), before: find([...entry.before.documents.values()]) };
  }

  private putBack(entry: Written): readonly string[] {
    for (const document of entry.documents) {
      const before = entry.before.documents.get(document);
      if (before === undefined) this.store.removeDocument(document.id);
      else {
        const { notebook, title, path, blocks, updated } = before;
        Object.assign(document, { notebook, title, path, blocks, updated });
        if (!this.store.documents.includes(document)) this.store.documents.push(document);
      }
    }
    for (const id of new Set([...entry.before.attributes.keys(), ...entry.after.attributes.keys()])) {
      const before = entry.before.attributes.get(id);
      if (before === entry.after.attributes.get(id)) continue;
      if (before === undefined) this.store.attributes.delete(id);
      else this.store.attributes.set(id, before);
    }
    this.putBackNotebooks(entry);
    entry.undone = true;
    return entry.blockIds;
  }

  private putBackNotebooks({ before, after }: Written): void {
    const { notebooks } = this.store;
    for (const notebook of after.notebooks.keys()) {
      if (!before.notebooks.has(notebook) && notebooks.includes(notebook)) notebooks.splice(notebooks.indexOf(notebook), 1);
    }
    for (const [notebook, fields] of before.notebooks) {
      Object.assign(notebook, fields);
      if (!after.notebooks.has(notebook) && !notebooks.includes(notebook)) notebooks.push(notebook);
    }
  }
}
