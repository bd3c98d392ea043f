import { ToolError } from '../contract/errors.ts';
import type { NotebookRequest, NotePlanner } from '../contract/note-planner.ts';
import type { PlanNotice, PlanOperation } from '../contract/plans.ts';
import type { NotesPort } from '../contract/ports.ts';
import { draftInsertAt } from './in-memory-block-plans.ts';
import {
  acceptedInserts,
  type Draft,
  notice,
  operation,
  requireIds,
  requireOneNotebook,
  shownDocument,
  stepsInNotebook,
  stepsOf,
} from './in-memory-drafts.ts';
import { referringElsewhere } from './in-memory-queries.ts';
import { checkDay, findDailyNotes } from './in-memory-reading.ts';
import { dailyPath, ID, type InMemoryStore, type StoredDocument, type StoredNotebook } from './in-memory-store.ts';

const badPath = (path: string): ToolError =>
  new ToolError('bad_path', `"${path}" is not a document path`, 'write it in words, like /Projects/Apollo');

function checkPath(path: string): string {
  const parts = path.split('/').map((part) => part.trim());
  if (parts[0] === '') parts.shift();
  if (parts.length === 0 || parts.some((part) => part === '' || part === '.' || part === '..')) throw badPath(path);
  return `/${parts.join('/')}`;
}

function checkTitle(text: string): string {
  const title = text.trim();
  if (title === '') throw new ToolError('empty_text', 'the name is empty', 'give the new name');
  if (title.includes('/')) throw badPath(title);
  return title;
}

/** Refuses a path that is taken by what may be read; a hidden document there is for the person alone to know. */
function requireFree(store: InMemoryStore, notebook: string, path: string): readonly PlanNotice[] {
  const existing = store.documents.filter((document) => document.notebook === notebook && document.path === path);
  const hidden = existing.filter((document) => store.isGuarded(document));
  if (existing.length > hidden.length)
    throw new ToolError('path_exists', `${path} exists already`, 'choose another path, or insert_blocks into it');
  return notice('hidden-at-path', hidden.length).map((each) => ({ ...each, personOnly: true }));
}

export function draftCreate(store: InMemoryStore, request: Parameters<NotesPort['planCreateDocument']>[0], day?: string): Draft {
  const { id: notebook } = store.requireNotebook(request.notebook);
  const path = checkPath(request.path);
  const notices = requireFree(store, notebook, path);
  const blocks = store.parseGiven(request.markdown);
  const create = operation('create-document', '', 'd', null, path, { path: { before: null, after: stepsOf(path) } });
  const inserts = blocks.map((block) => operation('insert', block.id, block.type, null, block.markdown, { requires: [create.id] }));
  return {
    notebook,
    document: { id: null, title: path.split('/').at(-1) ?? path, path },
    operations: [create, ...inserts],
    notices,
    run: (accepted) => {
      requireFree(store, notebook, path);
      const kept = acceptedInserts(blocks, accepted);
      const { id } = store.addDocument(notebook, path, kept, day === undefined ? {} : { day });
      return { documentId: id, blockIds: kept.map((block) => block.id) };
    },
  };
}

export function draftDaily(store: InMemoryStore, request: Parameters<NotesPort['planDailyAppend']>[0]): Draft {
  checkDay(request.date);
  const notebook = store.requireNotebook(request.notebook ?? dailyNotebook(store)).id;
  const [found] = findDailyNotes(store, { from: request.date, to: request.date, notebook });
  if (found !== undefined) return draftInsertAt(store, store.requireDocument(found.id), { at: 'end' }, request.markdown, found.id);
  if (request.date !== store.today) {
    throw new ToolError('not_found', `there is no note for ${request.date}`, "only today's note can be made; choose a day that has one");
  }
  return draftCreate(store, { notebook, path: dailyPath(request.date), markdown: request.markdown }, request.date);
}

/** The only notebook that is open, or that of the latest daily note. */
function dailyNotebook(store: InMemoryStore): string {
  const [only, ...others] = store.notebooks.filter(({ open, right }) => open && right !== 'none');
  if (only !== undefined && others.length === 0) return only.id;
  const [latest] = findDailyNotes(store, { from: '2000-01-01', to: store.today });
  if (latest !== undefined) return latest.notebook.id;
  throw new ToolError('not_found', 'it is not clear which notebook the diary is in', 'give a notebook id');
}

function requireDocuments(store: InMemoryStore, given: readonly string[]): readonly [StoredDocument, ...StoredDocument[]] {
  const documents = requireIds(given).map((id) => {
    const isNotebook = store.notebooks.some((each) => each.id === id && each.right !== 'none');
    if (isNotebook) throw new ToolError('bad_id', `${id} is a notebook`, 'give the ids of documents, or use manage_notebook');
    const { document, block } = store.locate(id);
    if (block !== undefined) throw new ToolError('bad_id', `${id} is a block, not a document`, 'give the id of its document');
    return document;
  });
  requireOneNotebook(documents);
  const [first, ...rest] = documents;
  if (first === undefined) throw new Error('ids were checked');
  return [first, ...rest];
}

/** A document below another of the list goes along with it. */
function withoutNested(documents: readonly StoredDocument[]): readonly StoredDocument[] {
  return documents.filter(({ path }) => !documents.some((other) => path.startsWith(`${other.path}/`)));
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

type OrganizeRequest = Parameters<NotePlanner['planOrganize']>[0];

const pathChange = (document: StoredDocument, after: string | null): Pick<PlanOperation, 'path' | 'document'> => ({
  path: { before: stepsOf(document.path), after: after === null ? null : stepsOf(after) },
  document: shownDocument(document),
});

export function draftOrganize(store: InMemoryStore, request: OrganizeRequest): Draft {
  const documents = requireDocuments(store, request.ids);
  const [document, second] = documents;
  if (request.op === 'move') return draftMoveDocuments(store, documents, request.target ?? '');
  if (second !== undefined)
    throw new ToolError('bad_target', `${documents.length} documents cannot be ${request.op}d at once`, 'take one at a time');
  return request.op === 'rename' ? draftRename(store, document, request.target ?? '') : draftDuplicate(store, document);
}

function draftRename(store: InMemoryStore, document: StoredDocument, target: string): Draft {
  const title = checkTitle(target);
  if (title === document.title) throw new ToolError('no_change', `its title is already "${title}"`, 'leave it as it is');
  const path = `${document.path.slice(0, document.path.lastIndexOf('/'))}/${title}`;
  return {
    notebook: document.notebook,
    document: shownDocument(document),
    notices: requireFree(store, document.notebook, path),
    operations: [operation('rename-document', document.id, 'd', document.path, path, pathChange(document, path))],
    run: () => {
      relocate(store, document, document.notebook, path);
      return { documentId: document.id, blockIds: [document.id] };
    },
  };
}

function draftDuplicate(store: InMemoryStore, document: StoredDocument): Draft {
  const taken = new Set(store.documents.filter(({ notebook }) => notebook === document.notebook).map(({ path }) => path));
  let path = `${document.path} copy`;
  for (let count = 2; taken.has(path); count++) path = `${document.path} copy ${count}`;
  return {
    notebook: document.notebook,
    document: { id: null, title: path.split('/').at(-1) ?? path, path },
    notices: notice('hidden-kept', store.countHidden(document)),
    operations: [operation('duplicate-document', document.id, 'd', document.path, path, pathChange(document, path))],
    run: () => {
      const blocks = store.visibleBlocks(document).map((block) => ({ ...block, id: store.newId(), ...store.itemsIn(block) }));
      const { id } = store.addDocument(document.notebook, path, blocks);
      return { documentId: id, blockIds: [id] };
    },
  };
}

function draftMoveDocuments(store: InMemoryStore, documents: readonly [StoredDocument, ...StoredDocument[]], target: string): Draft {
  const below = targetOf(store, target);
  const [{ notebook: source }] = documents;
  const moves = withoutNested(documents).flatMap((document) => {
    if (below.notebook === source && `${below.path}/`.startsWith(`${document.path}/`)) {
      throw new ToolError('bad_target', `${document.title} cannot go below itself`, 'choose another document or a notebook');
    }
    const path = `${below.path}/${document.title}`;
    return below.notebook === source && path === document.path ? [] : [{ document, path }];
  });
  const [first] = moves;
  if (first === undefined) throw new ToolError('no_change', 'it is already there', 'leave it there, or give another target');
  const to = stepsInNotebook(store, below);
  const isWritable = (notebook: string): boolean => store.visibleNotebook(notebook).right !== 'read';
  if (source !== below.notebook && !isWritable(source) && !isWritable(below.notebook)) {
    throw new ToolError('no_right', 'both notebooks may only be read', 'ask the user to allow editing in both');
  }
  return {
    notebook: isWritable(source) ? below.notebook : source,
    document: shownDocument(first.document),
    operations: moves.map(({ document, path }) => {
      const names = { before: stepsInNotebook(store, document), after: [...to, document.title] };
      return operation('move-document', document.id, 'd', document.path, path, { path: names, document: shownDocument(document) });
    }),
    run: (accepted) => {
      const kept = moves.filter(({ document }) => accepted.has(`move-document-${document.id}`));
      for (const { document, path } of kept) relocate(store, document, below.notebook, path);
      return { documentId: first.document.id, blockIds: kept.map(({ document }) => document.id) };
    },
  };
}

/** What documents are moved below; the path of a notebook is empty. */
function targetOf(store: InMemoryStore, target: string): Pick<StoredDocument, 'notebook' | 'path'> {
  if (target === '') throw new ToolError('bad_target', 'no target was given', 'give the id of a document or notebook as target');
  if (store.notebooks.some(({ id, right }) => id === target && right !== 'none'))
    return { notebook: store.requireNotebook(target).id, path: '' };
  const { document, block } = store.locate(target);
  if (block !== undefined) throw new ToolError('bad_target', `${target} is a block`, 'give the id of a document or notebook');
  return document;
}

export function draftDeleteDocuments(store: InMemoryStore, { ids }: Parameters<NotePlanner['planDeleteDocuments']>[0]): Draft {
  const documents = withoutNested(requireDocuments(store, ids));
  const [first] = documents;
  if (first === undefined) throw new Error('ids were checked');
  const children = documents.flatMap((document) => store.below(document));
  const blocks = [...documents, ...children].flatMap((document) => [document.id, ...document.blocks.map(({ id }) => id)]);
  return {
    notebook: first.notebook,
    document: shownDocument(first),
    operations: documents.map((document) =>
      operation('delete-document', document.id, 'd', document.path, null, pathChange(document, null)),
    ),
    notices: [...notice('children-deleted', children.length), ...notice('references-lost', referringElsewhere(store, blocks))],
    run: (accepted) => {
      const kept = documents.filter(({ id }) => accepted.has(`delete-document-${id}`));
      const gone = kept.flatMap((document) => [document, ...store.below(document)]);
      for (const { id } of gone) store.removeDocument(id);
      return { documentId: first.id, blockIds: gone.map(({ id }) => id) };
    },
  };
}

const NEEDS = { create: 'read', rename: 'write', open: 'write', close: 'write', remove: 'write' } as const;

export function draftNotebook(store: InMemoryStore, request: NotebookRequest): Draft {
  const name = 'name' in request ? checkTitle(request.name) : '';
  if (store.notebooks.some((each) => each.name === name && each.right !== 'none')) {
    throw new ToolError('path_exists', `there is already a notebook "${name}"`, 'use it, or choose another name');
  }
  if (request.op === 'create') return draftNewNotebook(store, name);
  const existing = changeable(store, request);
  const states = request.op === 'open' ? ['closed', 'open'] : ['open', 'closed'];
  const [before, after] =
    request.op === 'open' || request.op === 'close'
      ? states.map((state) => `${existing.name} (${state})`)
      : [existing.name, request.op === 'remove' ? null : name];
  const inside = store.documents.filter(({ notebook }) => notebook === existing.id);
  return {
    notebook: existing.id,
    document: { id: null, title: existing.name, path: '' },
    operations: [
      operation(`${request.op}-notebook`, existing.id, 'd', before ?? null, after ?? null, {
        path: { before: [existing.name], after: request.op === 'remove' ? null : [request.op === 'rename' ? name : existing.name] },
      }),
    ],
    need: NEEDS[request.op],
    ...(request.op === 'remove' ? { undo: { kind: 'none', notes: ['notebook'] }, notices: notice('children-deleted', inside.length) } : {}),
    run: () => {
      if (request.op === 'rename') existing.name = name;
      else if (request.op === 'remove') {
        store.notebooks.splice(store.notebooks.indexOf(existing), 1);
        for (const document of inside) store.removeDocument(document.id);
      } else existing.open = request.op === 'open';
      return { documentId: existing.id, blockIds: [existing.id] };
    },
  };
}

function draftNewNotebook(store: InMemoryStore, name: string): Draft {
  return {
    notebook: null,
    document: { id: null, title: name, path: '' },
    operations: [operation('create-notebook', '', 'd', null, name, { path: { before: null, after: [name] } })],
    need: NEEDS.create,
    run: () => {
      // As every one that the user has not opened further.
      const { id } = store.addNotebook(name, { right: 'read' });
      return { documentId: id, blockIds: [id] };
    },
  };
}

function changeable(store: InMemoryStore, { op, id }: Exclude<NotebookRequest, { op: 'create' }>): StoredNotebook {
  if (!ID.test(id)) throw new ToolError('bad_id', `"${id}" is not a notebook id`, 'call list_notebooks for the ids');
  const notebook = op === 'open' || op === 'close' ? store.visibleNotebook(id) : store.requireNotebook(id);
  if ((op === 'open' && notebook.open) || (op === 'close' && !notebook.open)) {
    throw new ToolError('no_change', `"${notebook.name}" is ${notebook.open ? 'open' : 'closed'} already`, 'go on with it as it is');
  }
  return notebook;
}
