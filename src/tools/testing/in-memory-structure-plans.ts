import { ToolError } from '../contract/errors.ts';
import { isSeen } from '../contract/notebook-right.ts';
import type { PlanNotice } from '../contract/plans.ts';
import type { NotesPort } from '../contract/ports.ts';
import { draftInsertAt } from './in-memory-block-plans.ts';
import { acceptedInserts, type Draft, notice, operation, stepsOf } from './in-memory-drafts.ts';
import { checkDay, findDailyNotes } from './in-memory-reading.ts';
import { dailyPath, type InMemoryStore } from './in-memory-store.ts';

const badPath = (path: string): ToolError =>
  new ToolError('bad_path', `"${path}" is not a document path`, 'write it in words, like /Projects/Apollo');

function checkPath(path: string): string {
  const parts = path.split('/').map((part) => part.trim());
  if (parts[0] === '') parts.shift();
  if (parts.length === 0 || parts.some((part) => part === '' || part === '.' || part === '..')) throw badPath(path);
  return `/${parts.join('/')}`;
}

function _checkTitle(text: string): string {
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
  const [only, ...others] = store.notebooks.filter(({ open, right }) => open && isSeen(right));
  if (only !== undefined && others.length === 0) return only.id;
  const [latest] = findDailyNotes(store, { from: '2000-01-01', to: store.today });
  if (latest !== undefined) return latest.notebook.id;
  throw new ToolError('not_found', 'it is not clear which notebook the diary is in', 'give a notebook id');
}
