import { ToolError } from '../contract/errors.ts';
import type { NotebookRequest, NotePlanner } from '../contract/note-planner.ts';
import type { NotesPort } from '../contract/ports.ts';
import { draftInsertAt } from './in-memory-block-plans.ts';
import { acceptedInserts, type Draft, notice, operation, pathInWords, shownDocument } from './in-memory-drafts.ts';
import { referringElsewhere } from './in-memory-queries.ts';
import { dailyPath, type InMemoryStore, type StoredDocument } from './in-memory-store.ts';

function requireFree(store: InMemoryStore, notebook: string, path: string): void {
  if (!store.documents.some((document) => document.notebook === notebook && document.path === path)) return;
  throw new ToolError('path_exists', `${path} exists already`, 'choose another path, or insert_blocks into it');
}

export function draftCreate(store: InMemoryStore, request: Parameters<NotesPort['planCreateDocument']>[0], day?: string): Draft {
  const { id: notebook } = store.requireNotebook(request.notebook);
  const path = `/${request.path.split('/').filter(Boolean).join('/')}`;
  requireFree(store, notebook, path);
  const blocks = store.parseGiven(request.markdown);
  const id = store.newId();
  const create = operation('create-document', id, 'd', null, path);
  const inserts = blocks.map((block) => operation('insert', block.id, block.type, null, block.markdown, { requires: [create.id] }));
  return {
    notebook,
    document: { id: null, title: path.split('/').at(-1) ?? path, path },
    operations: [create, ...inserts],
    run: (accepted) => {
      const kept = acceptedInserts(blocks, accepted);
      store.addDocument(notebook, path, kept, { id, ...(day === undefined ? {} : { day }) });
      return { documentId: id, blockIds: [id, ...kept.map((block) => block.id)] };
    },
  };
}

export function draftDaily(store: InMemoryStore, request: Parameters<NotesPort['planDailyAppend']>[0]): Draft {
  const wanted = request.notebook ?? store.notebooks.find(({ open, right }) => open && right !== 'none')?.id ?? '';
  const notebook = store.requireNotebook(wanted).id;
  const existing = store.documents.find((document) => document.notebook === notebook && document.day === request.date);
  if (existing !== undefined) return draftInsertAt(store, existing, existing.blocks.length, request.markdown);
  return draftCreate(store, { notebook, path: dailyPath(request.date), markdown: request.markdown }, request.date);
}

function requireDocuments(store: InMemoryStore, ids: readonly string[]): readonly StoredDocument[] {
  return ids.map((id) => {
    const { document, block } = store.locate(id);
    if (block !== undefined) throw new ToolError('bad_id', `${id} is a block, not a document`, 'give the id of its document');
    return document;
  });
}

/** Puts a document, and what is below it, at another path. */
function relocate(store: InMemoryStore, document: StoredDocument, notebook: string, path: string): void {
  const below = store.below(document);
  for (const entry of below) {
    entry.path = path + entry.path.slice(document.path.length);
    entry.notebook = notebook;
  }
  document.path = path;
  document.title = path.split('/').at(-1) ?? path;
  document.notebook = notebook;
}

export function draftOrganize(store: InMemoryStore, request: Parameters<NotePlanner['planOrganize']>[0]): Draft {
  const documents = requireDocuments(store, request.ids);
  const [first] = documents;
  if (first === undefined) throw new ToolError('bad_arguments', 'no ids are given', 'give the ids of the documents');
  const moves = documents.map((document) => ({ document, ...destinationOf(store, document, request) }));
  for (const { notebook, path } of moves) requireFree(store, notebook, path);
  const action = `${request.op}-document` as const;
  const copies = new Map(documents.map((document) => [document.id, request.op === 'duplicate' ? store.newId() : document.id]));
  return {
    notebook: first.notebook,
    document: shownDocument(first),
    operations: moves.map(({ document, notebook, path }) => {
      const [from, to] = [pathInWords(store, document), pathInWords(store, { notebook, path })];
      return operation(action, document.id, 'd', from, to, { document: shownDocument(document) });
    }),
    run: (accepted) => {
      const kept = moves.filter(({ document }) => accepted.has(`${action}-${document.id}`));
      for (const { document, notebook, path } of kept) {
        if (request.op !== 'duplicate') relocate(store, document, notebook, path);
        else {
          const blocks = document.blocks.map((block) => ({ ...block, id: store.newId(), ...store.itemsIn(block) }));
          store.addDocument(notebook, path, blocks, { id: copies.get(document.id) ?? document.id });
        }
      }
      return { documentId: copies.get(first.id) ?? first.id, blockIds: kept.map(({ document }) => copies.get(document.id) ?? document.id) };
    },
  };
}

function destinationOf(store: InMemoryStore, document: StoredDocument, { op, target = '' }: Parameters<NotePlanner['planOrganize']>[0]) {
  const { notebook, path, title } = document;
  const parent = path.slice(0, path.lastIndexOf('/'));
  if (op === 'rename') return { notebook, path: `${parent}/${target.replaceAll('/', ' ')}` };
  if (op === 'duplicate') return { notebook, path: `${path} (copy)` };
  const isNotebook = store.notebooks.some(({ id }) => id === target);
  if (isNotebook) return { notebook: store.requireNotebook(target).id, path: `/${title}` };
  const under = store.locate(target).document;
  if (under === document || under.path.startsWith(`${path}/`)) {
    throw new ToolError('bad_target', `${title} cannot go below itself`, 'choose another document or a notebook');
  }
  return { notebook: under.notebook, path: `${under.path}/${title}` };
}

export function draftDeleteDocuments(store: InMemoryStore, { ids }: Parameters<NotePlanner['planDeleteDocuments']>[0]): Draft {
  const documents = requireDocuments(store, ids);
  const [first] = documents;
  if (first === undefined) throw new ToolError('bad_arguments', 'no ids are given', 'give the ids of the documents');
  const children = new Set(documents.flatMap((document) => store.below(document)).filter((document) => !documents.includes(document)));
  const blocks = [...documents, ...children].flatMap((document) => [document.id, ...document.blocks.map(({ id }) => id)]);
  return {
    notebook: first.notebook,
    document: shownDocument(first),
    need: 'delete',
    operations: documents.map((document) =>
      operation('delete-document', document.id, 'd', pathInWords(store, document), null, { document: shownDocument(document) }),
    ),
    notices: [...notice('children-deleted', children.size), ...notice('references-lost', referringElsewhere(store, blocks))],
    run: (accepted) => {
      const kept = documents.filter(({ id }) => accepted.has(`delete-document-${id}`));
      const gone = kept.flatMap((document) => [document, ...store.below(document)]);
      for (const { id } of gone) store.removeDocument(id);
      return { documentId: first.id, blockIds: gone.map(({ id }) => id) };
    },
  };
}

export function draftNotebook(store: InMemoryStore, request: NotebookRequest): Draft {
  const existing = request.op === 'create' ? undefined : store.visibleNotebook(request.id);
  const id = existing?.id ?? store.newId();
  const before = existing === undefined ? null : existing.name;
  const after = 'name' in request ? request.name : request.op === 'remove' ? null : before;
  const isSame = (request.op === 'open' && existing?.open === true) || (request.op === 'close' && existing?.open === false);
  const inside = store.documents.filter(({ notebook }) => notebook === id);
  return {
    notebook: existing?.id ?? null,
    document: { id: null, title: after ?? before ?? '', path: '/' },
    operations: isSame ? [] : [operation(`${request.op}-notebook`, existing?.id ?? '', '', before, after)],
    ...(request.op === 'remove' ? { need: 'delete', undo: { kind: 'none' } } : {}),
    notices: request.op === 'remove' ? notice('children-deleted', inside.length) : [],
    run: () => {
      if (existing === undefined) store.addNotebook(after ?? '', { id });
      else if (request.op === 'rename') existing.name = request.name;
      else if (request.op === 'remove') {
        store.notebooks.splice(store.notebooks.indexOf(existing), 1);
        for (const document of inside) store.removeDocument(document.id);
      } else existing.open = request.op === 'open';
      return { documentId: id, blockIds: [id] };
    },
  };
}
