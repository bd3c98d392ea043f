import { ToolError } from '../../tools/contract/errors.ts';
import type {
  DailyNote,
  DocumentAddress,
  DocumentListing,
  DocumentNode,
  DocumentReading,
  ReadRange,
} from '../../tools/contract/note-readings.ts';
import type { Access } from '../access/access.ts';
import type { DocumentFile, KernelRoutes } from '../kernel/kernel-routes.ts';
import type { BlockViewer } from './block-view.ts';
import type { DocumentBlocks } from './document-blocks.ts';

export interface NotesReaderDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly viewer: BlockViewer;
  readonly blocks: DocumentBlocks;
}

/** Reading without rights of its own: it asks `access` for every notebook, document and block. */
export interface NotesReader {
  documents(query: { parent: string; depth: number; page: number; pageSize: number }, signal: AbortSignal): Promise<DocumentListing>;
  document(address: DocumentAddress, range: ReadRange, signal: AbortSignal): Promise<DocumentReading>;
  /** The id of an address. A path is looked up among documents that may be read; an id is given back as it is. */
  resolve(address: DocumentAddress, signal: AbortSignal): Promise<string>;
  dailyNotes(query: { from: string; to: string; notebook?: string }, signal: AbortSignal): Promise<readonly DailyNote[]>;
}

const titleOf = (file: DocumentFile): string => file.name.replace(/\.sy$/, '');
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MAX_DAILY_NOTES = 1000;

export function checkDay(day: string): string {
  if (!DAY.test(day)) throw new ToolError('bad_date', `"${day}" is not a day`, 'write days as YYYY-MM-DD');
  return day.replaceAll('-', '');
}

/** A listing while it grows. */
interface Walk {
  readonly notebook: string;
  readonly found: DocumentNode[];
  /** Something is guarded somewhere, so what is below a document has to be looked at before it is counted. */
  readonly guards: boolean;
}

class KernelNotesReader implements NotesReader {
  private readonly routes: KernelRoutes;
  private readonly access: Access;
  private readonly viewer: BlockViewer;
  private readonly blocks: DocumentBlocks;

  constructor({ routes, access, viewer, blocks }: NotesReaderDeps) {
    this.routes = routes;
    this.access = access;
    this.viewer = viewer;
    this.blocks = blocks;
  }

  async documents(query: { parent: string; depth: number; page: number; pageSize: number }, signal: AbortSignal): Promise<DocumentListing> {
    const notebook = (await this.access.notebooks(signal)).find((each) => each.id === query.parent && each.right !== 'none');
    const guards = await this.access.hasGuards(signal);
    let place: { id: string; name: string };
    let state: Walk;
    if (notebook) {
      const { id, name } = await this.access.requireNotebook(notebook.id, 'read', signal);
      place = { id, name };
      state = { notebook: id, found: [], guards };
      await this.walk(state, '/', '', 0, Math.max(1, query.depth), signal);
    } else {
      const parent = await this.access.locateDocument(query.parent, signal);
      place = parent.notebook;
      state = { notebook: place.id, found: [], guards };
      const words = await this.routes.pathOf(parent.documentId, signal);
      await this.walk(state, parent.documentPath, words, 0, Math.max(1, query.depth), signal);
    }
    const start = (query.page - 1) * query.pageSize;
    const end = start + query.pageSize;
    return {
      notebook: { id: place.id, name: place.name },
      documents: state.found.slice(start, end),
      total: state.found.length,
      nextPage: end < state.found.length ? query.page + 1 : null,
    };
  }

  async document(address: DocumentAddress, range: ReadRange, signal: AbortSignal): Promise<DocumentReading> {
    const document = await this.blocks.open(await this.resolve(address, signal), signal);
    const start = Math.max(0, range.start);
    const [{ views, hidden, total }, outline] = await Promise.all([
      this.blocks.window(document, start, Math.max(1, range.blocks), signal),
      this.blocks.outline(document, signal),
    ]);
    return {
      id: document.place.documentId,
      title: document.place.documentTitle,
      path: document.path,
      notebook: document.place.notebook,
      outline,
      blocks: views.map(({ view }) => this.viewer.reading(view)),
      start,
      totalBlocks: total,
      hidden,
    };
  }

  async dailyNotes(query: { from: string; to: string; notebook?: string }, signal: AbortSignal): Promise<readonly DailyNote[]> {
    const [from, to] = [checkDay(query.from), checkDay(query.to)];
    const books = (await this.access.notebooks(signal)).filter((each) => each.open && each.right !== 'none');
    if (query.notebook !== undefined) await this.access.requireNotebook(query.notebook, 'read', signal);
    await this.routes.flushIndex(signal);
    const rows = await this.routes.sql(
      `SELECT block_id, box, path, name FROM attributes WHERE name >= 'custom-dailynote-${from}' AND name <= 'custom-dailynote-${to}' ` +
        `ORDER BY name DESC LIMIT ${MAX_DAILY_NOTES}`,
      signal,
    );
    const notes: DailyNote[] = [];
    for (const row of rows) {
      const book = books.find((each) => each.id === row.box && (query.notebook === undefined || each.id === query.notebook));
      const day = /^custom-dailynote-(\d{4})(\d{2})(\d{2})$/.exec(String(row.name));
      if (!book || !day) continue;
      if ((await this.access.guardedDocuments(book.id, [String(row.path)], signal)).size > 0) continue;
      const id = String(row.block_id);
      const path = await this.routes.pathOf(id, signal);
      notes.push({ id, notebook: { id: book.id, name: book.name }, date: `${day[1]}-${day[2]}-${day[3]}`, path });
    }
    return notes;
  }

  private async walk(state: Walk, path: string, words: string, depth: number, left: number, signal: AbortSignal): Promise<void> {
    for (const file of await this.readableFiles(state, path, signal)) {
      const wordPath = `${words}/${titleOf(file)}`;
      const opens = left > 1 && file.subFileCount > 0;
      const below = opens || file.subFileCount === 0 ? 0 : await this.countBelow(state, file, signal);
      state.found.push({ id: file.id, title: titleOf(file), path: wordPath, depth, moreChildren: below });
      if (opens) await this.walk(state, file.path, wordPath, depth + 1, left - 1, signal);
    }
  }

  private async readableFiles(state: Walk, path: string, signal: AbortSignal): Promise<readonly DocumentFile[]> {
    const files = await this.routes.documentsAt(state.notebook, path, signal);
    if (!state.guards) return files;
    const paths = files.map((file) => file.path);
    const guarded = await this.access.guardedDocuments(state.notebook, paths, signal);
    return files.filter((file) => !guarded.has(file.path));
  }

  private async countBelow(state: Walk, file: DocumentFile, signal: AbortSignal): Promise<number> {
    return state.guards ? (await this.readableFiles(state, file.path, signal)).length : file.subFileCount;
  }

  private async idsByAddress(address: { readonly notebook?: string; readonly path: string }, signal: AbortSignal): Promise<string[]> {
    const path = `/${address.path.replace(/^\/+|\/+$/g, '')}`;
    const books = (await this.access.notebooks(signal)).filter((each) => each.open && each.right !== 'none');
    const wanted =
      address.notebook === undefined ? books : books.filter((each) => each.id === address.notebook || each.name === address.notebook);
    if (address.notebook !== undefined && wanted.length === 0) {
      throw new ToolError('not_found', `there is no open notebook "${address.notebook}"`, 'call list_notebooks');
    }
    const found: string[] = [];
    for (const book of wanted) {
      found.push(...(await this.access.documentsAt(book.id, path, signal)).readable);
      const prefix = `/${book.name}/`;
      if (path.startsWith(prefix)) found.push(...(await this.access.documentsAt(book.id, path.slice(prefix.length - 1), signal)).readable);
    }
    return [...new Set(found)];
  }

  async resolve(address: DocumentAddress, signal: AbortSignal): Promise<string> {
    if ('id' in address) return address.id;
    const ids = await this.idsByAddress(address, signal);
    if (ids.length === 0)
      throw new ToolError('not_found', `there is no document at "${address.path}"`, 'call list_docs or search_notes for the path');
    if (ids.length > 1)
      throw new ToolError('ambiguous_path', `${ids.length} documents are at "${address.path}"`, `use one of the ids: ${ids.join(', ')}`);
    return ids[0] ?? '';
  }
}

export function createNotesReader(deps: NotesReaderDeps): NotesReader {
  return new KernelNotesReader(deps);
}
