import { isSeen } from '../contract/notebook-right.ts';
import type { NoteRights, NoteSource, Obstacles } from '../contract/provenance.ts';
import type { InMemoryNotes } from './in-memory-notes.ts';
import type { InMemoryStore, StoredDocument } from './in-memory-store.ts';

const isClosed = (store: InMemoryStore, notebook: string): boolean => {
  const found = store.notebooks.find(({ id }) => id === notebook);
  return found === undefined || !found.open || !isSeen(found.right);
};

function idsIn(document: StoredDocument): readonly string[] {
  return [document.id, ...document.blocks.flatMap(({ id, items = [] }) => [id, ...items.map((item) => item.id)])];
}

const find = (store: InMemoryStore, id: string): StoredDocument | undefined => store.documents.find((each) => idsIn(each).includes(id));

function* obstaclesOf(store: InMemoryStore, source: NoteSource): Generator<string> {
  const { notebook, document, blocks } = source;
  if (notebook !== undefined && isClosed(store, notebook)) yield notebook;
  const places = [...(document === undefined ? [] : [document]), ...(blocks ?? [])];
  const inside = (stored: StoredDocument): readonly string[] => {
    const above = store.documents.filter((each) => each.notebook === stored.notebook && stored.path.startsWith(`${each.path}/`));
    return [...idsIn(stored), ...above.map(({ id }) => id)].filter((id) => store.isHidden({ id }));
  };
  for (const id of places) {
    const stored = find(store, id);
    // A block that is gone from a document that is there was deleted from it.
    if (stored === undefined && (id === document || document === undefined)) yield id;
    if (stored === undefined) continue;
    if (isClosed(store, stored.notebook)) yield stored.notebook;
    yield* inside(stored);
  }
  if (notebook === undefined || places.length > 0) return;
  for (const stored of store.documents.filter((each) => each.notebook === notebook)) yield* inside(stored);
}

/** NoteRights over in-memory notes: rights of notebooks, and `custom-ai-access` of documents and blocks. */
export function inMemoryRights({ store }: Pick<InMemoryNotes, 'store'>): NoteRights {
  const isAnythingHidden = (): boolean =>
    store.notebooks.some(({ id }) => isClosed(store, id)) || [...store.attributes.keys()].some((id) => store.isHidden({ id }));
  const of = (source: NoteSource): Obstacles => new Set(isAnythingHidden() ? obstaclesOf(store, source) : []);
  return {
    async currentObstacles() {
      const closed = store.notebooks.filter(({ id }) => isClosed(store, id)).map(({ id }) => id);
      return new Set([...closed, ...[...store.attributes.keys()].filter((id) => store.isHidden({ id }))]);
    },
    async trace({ notebooks, ids }, before) {
      const byDocument = new Map<StoredDocument, string[]>();
      for (const id of ids) {
        const stored = find(store, id);
        if (stored !== undefined) byDocument.set(stored, [...(byDocument.get(stored) ?? []), ...(id === stored.id ? [] : [id])]);
      }
      const named = [...byDocument].map(([{ id, notebook }, blocks]) => ({ notebook, document: id, blocks }));
      const whole = notebooks.filter((notebook) => !named.some((source) => source.notebook === notebook)).map((notebook) => ({ notebook }));
      return [...named, ...whole].map((source) => {
        const except = [...of(source)].filter((id) => before.has(id));
        return except.length === 0 ? source : { ...source, except };
      });
    },
    obstacles: async (sources) => sources.map(of),
  };
}
