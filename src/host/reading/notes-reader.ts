import { ToolError, toToolError } from '../../tools/contract/errors.ts';
import type {
  DailyNote,
  DocumentAddress,
  DocumentListing,
  DocumentReading,
  ReadItem,
  ReadRange,
} from '../../tools/contract/note-readings.ts';
import { isSeen } from '../../tools/contract/notebook-right.ts';
import { areAlike } from '../../tools/equal-text/equal-text.ts';
import { sideBySide } from '../../tools/util/turns.ts';
import type { Access } from '../access/access.ts';
import { isVisible } from '../access/notebook-list.ts';
import { IS_GUARD, titleIn } from '../access/readable-blocks.ts';
import type { DocumentFile, KernelRoutes } from '../kernel/kernel-routes.ts';
import { noSuchBlock } from '../kernel/not-found.ts';
import { quoted } from '../sql/sql-text.ts';
import { writtenForms } from '../sql/written-forms.ts';
import type { BlockViewer } from './block-view.ts';
import type { DocumentBlocks, OpenDocument } from './document-blocks.ts';
import { factsOfMany } from './document-facts.ts';

interface ListingQuery {
  readonly parent: string;
  readonly depth: number;
  readonly page: number;
  readonly pageSize: number;
}

/** The start of a listing, and the documents that it shows. */
interface Walk {
  readonly notebook: string;
  /** Something is guarded somewhere: documents must be checked. */
  readonly guards: boolean;
  readonly countBelow: (file: DocumentFile) => number;
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

interface Folder {
  readonly path: string;
  readonly words: string;
}

/** A document in the tree, with the documents below it once they were requested. */
interface Branch extends Folder {
  readonly file: DocumentFile;
  readonly depth: number;
  below: readonly Branch[] | undefined;
}

/** The maximum number of opened folders (one request each, and one more per level if there are guards); others are only counted. */
const mostOpened = ({ guards }: Walk): number => (guards ? 4 : 5);

/** Attribute of a document that SiYuan's tree hides. */
const HIDDEN_IN_TREE = 'custom-hidden';
const MANY = 1_000_000;

const titleOf = (file: DocumentFile): string => file.name.replace(/\.sy$/, '');

/** The kernel counts the documents of the last two levels: those on other pages need no request. */
const isCounted = ({ depth, guards }: Walk): boolean => depth === 2 && !guards;

/** Documents in the order of the tree; undefined for one that is only counted. */
function flat(branch: Branch, walk: Walk): readonly (Branch | undefined)[] {
  if (branch.below) return [branch, ...branch.below.flatMap((each) => flat(each, walk))];
  const isOnlyCounted = isCounted(walk) && branch.depth === 0;
  return [branch, ...Array.from({ length: isOnlyCounted ? branch.file.subFileCount : 0 }, () => undefined)];
}

function onPage(top: readonly Branch[], { start, end }: Walk): readonly Branch[] {
  let place = 0;
  return top.filter(({ file }) => {
    const first = place + 1;
    place = first + file.subFileCount;
    return first < end && place > start;
  });
}

/** Documents as SiYuan's tree shows them: in the user's order, which only the kernel knows, folder by folder. */
class DocumentListings {
  private readonly routes: KernelRoutes;
  private readonly access: Access;

  constructor({ routes, access }: { readonly routes: KernelRoutes; readonly access: Access }) {
    this.routes = routes;
    this.access = access;
  }

  async list(query: ListingQuery, signal: AbortSignal): Promise<DocumentListing> {
    const known = (await this.access.notebooks(signal)).find((each) => each.id === query.parent && isSeen(each.right));
    const guards = await this.access.hasGuards(signal);
    const { id, name, path, words } = known ? await this.top(known.id, signal) : await this.below(query.parent, signal);
    const start = (query.page - 1) * query.pageSize;
    const countBelow = guards ? await this.readableBelow(id, signal) : (file: DocumentFile) => file.subFileCount;
    const walk: Walk = { notebook: id, guards, countBelow, start, end: start + query.pageSize, depth: Math.max(1, query.depth) };
    const found = (await this.walk(walk, { path, words }, signal)).flatMap((branch) => flat(branch, walk));
    const shown = found.slice(start, walk.end).filter((each) => each !== undefined);
    const more = ({ below, file }: Branch): number => (below ? 0 : countBelow(file));
    return {
      notebook: { id, name },
      documents: shown.map((branch) => {
        const { file, words: own, depth } = branch;
        return { id: file.id, title: titleOf(file), path: own, depth, moreChildren: more(branch) };
      }),
      total: found.length,
      nextPage: walk.end < found.length ? query.page + 1 : null,
      unopened: shown.filter((branch) => branch.depth < walk.depth - 1 && more(branch) > 0).length,
    };
  }

  private async top(notebook: string, signal: AbortSignal) {
    const { id, name } = await this.access.requireNotebook(notebook, 'read', signal);
    return { id, name, path: '/', words: '' };
  }

  private async below(parent: string, signal: AbortSignal) {
    const { notebook, documentId, documentPath } = await this.access.locateDocument(parent, signal);
    return { ...notebook, path: documentPath, words: await this.routes.pathOf(documentId, signal) };
  }

  /** Level by level, so that the upper levels of a large tree are complete. */
  private async walk(walk: Walk, root: Folder, signal: AbortSignal): Promise<readonly Branch[]> {
    const [top = []] = await this.open(walk, [root], 0, signal);
    let level = top;
    let left = mostOpened(walk) - 1;
    for (let depth = 1; depth < walk.depth && left > 0 && level.length > 0; depth += 1) {
      const folders = (isCounted(walk) ? onPage(level, walk) : level).filter(({ file }) => walk.countBelow(file) > 0).slice(0, left);
      left -= folders.length;
      const lists = await this.open(walk, folders, depth, signal);
      for (const [index, folder] of folders.entries()) folder.below = lists[index] ?? [];
      level = lists.flat();
    }
    return top;
  }

  private async open(walk: Walk, folders: readonly Folder[], depth: number, signal: AbortSignal): Promise<readonly (readonly Branch[])[]> {
    const lists = await sideBySide(folders, ({ path }) => this.routes.documentsAt(walk.notebook, path, signal));
    const paths = lists.flatMap((files) => files.map((file) => file.path));
    const guarded = walk.guards && paths.length > 0 ? await this.access.guardedDocuments(walk.notebook, paths, signal) : new Set<string>();
    return lists.map((files, index) => {
      const open = files.filter((file) => !guarded.has(file.path));
      return open.map((file) => {
        const words = `${folders[index]?.words ?? ''}/${titleOf(file)}`;
        return { file, path: file.path, words, depth, below: undefined };
      });
    });
  }

  /** From the index, so that no folder must be listed for it. */
  private async readableBelow(notebook: string, signal: AbortSignal): Promise<Walk['countBelow']> {
    // A path ends with the ids of the parent document and the document: "…/<22 characters>/<22 characters>.sy".
    const stmt =
      `SELECT substr(path, -48, 22) AS parent, count(*) AS n FROM blocks WHERE type = 'd' AND box = ${quoted(notebook)} ` +
      `AND id NOT IN (SELECT block_id FROM attributes WHERE ${IS_GUARD} OR (name = '${HIDDEN_IN_TREE}' AND value = 'true')) ` +
      `GROUP BY parent LIMIT ${MANY}`;
    const counts = new Map((await this.routes.sql(stmt, signal)).map(({ parent, n }) => [String(parent), Number(n)] as const));
    return ({ id }) => counts.get(id) ?? 0;
  }
}

export interface NotesReaderDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly viewer: BlockViewer;
  readonly blocks: DocumentBlocks;
}

/** Reads notes. Every notebook, document and block is checked with `access`. */
export interface NotesReader {
  documents(query: ListingQuery, signal: AbortSignal): Promise<DocumentListing>;
  document(address: DocumentAddress, range: ReadRange, signal: AbortSignal): Promise<DocumentReading>;
  readings(items: readonly ReadItem[], signal: AbortSignal): Promise<readonly (DocumentReading | ToolError)[]>;
  /** The id of an address. A path is looked up among readable documents; an id is returned unchanged. */
  resolve(address: DocumentAddress, signal: AbortSignal): Promise<string>;
  dailyNotes(query: { from: string; to: string; notebook?: string }, signal: AbortSignal): Promise<readonly DailyNote[]>;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MAX_DAILY_NOTES = 1000;

export function checkDay(day: string): string {
  if (!DAY.test(day)) throw new ToolError('bad_date', `"${day}" is not a valid date`, 'write days as YYYY-MM-DD');
  return day.replaceAll('-', '');
}

/** Errors that fail the whole answer, not one document. */
const FOR_ALL = new Set(['aborted', 'kernel_unreachable', 'internal']);

async function unlessForAll<T>(work: Promise<T>): Promise<T | ToolError> {
  try {
    return await work;
  } catch (error) {
    const failure = toToolError(error);
    if (FOR_ALL.has(failure.code)) throw error;
    return failure;
  }
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

  documents(query: ListingQuery, signal: AbortSignal): Promise<DocumentListing> {
    return new DocumentListings({ routes: this.routes, access: this.access }).list(query, signal);
  }

  async document(address: DocumentAddress, range: ReadRange, signal: AbortSignal): Promise<DocumentReading> {
    const document = await this.blocks.openWithOutline(await this.resolve(address, signal), signal);
    const [reading, outline] = await Promise.all([this.windowOf(document, range, signal), this.blocks.outline(document, signal)]);
    return { ...reading, outline };
  }

  async readings(items: readonly ReadItem[], signal: AbortSignal): Promise<readonly (DocumentReading | ToolError)[]> {
    const ids: (string | ToolError)[] = [];
    for (const { address } of items) ids.push(await unlessForAll(this.resolve(address, signal)));
    const known = await this.access.look(
      ids.filter((id) => typeof id === 'string'),
      signal,
    );
    const open = [...known.values()].filter((place) => place.readable);
    const facts = await factsOfMany(this.routes, new Map(open.map((place) => [place.documentId, place.wordPath])), signal);
    const names = new Map((await this.access.notebooks(signal)).map((book) => [book.id, book.name] as const));
    return sideBySide(items, async ({ address, range }, index) => {
      const id = ids[index];
      if (id === undefined || typeof id !== 'string') return id ?? noSuchBlock('');
      const place = known.get(id);
      const own = place?.readable ? facts.get(place.documentId) : undefined;
      // Unindexed and unreadable documents get the same answer as a single request.
      if (!place || !own) return unlessForAll(this.document('id' in address ? address : { id }, range, signal));
      const { documentId, path: documentPath, notebook, wordPath } = place;
      const documentTitle = titleIn(wordPath);
      const where = { id, documentId, documentTitle, documentPath, notebook: { id: notebook, name: names.get(notebook) ?? '' } };
      return unlessForAll(this.windowOf({ place: where, path: wordPath, facts: own }, range, signal));
    });
  }

  private async windowOf(document: OpenDocument, range: ReadRange, signal: AbortSignal): Promise<DocumentReading> {
    const start = Math.max(0, range.start);
    const { views, hidden, total } = await this.blocks.window(document, start, Math.max(1, range.blocks), signal);
    return {
      id: document.place.documentId,
      title: document.place.documentTitle,
      path: document.path,
      notebook: document.place.notebook,
      outline: [],
      blocks: views.map(({ view }) => this.viewer.reading(view)),
      start,
      totalBlocks: total,
      hidden,
    };
  }

  async dailyNotes(query: { from: string; to: string; notebook?: string }, signal: AbortSignal): Promise<readonly DailyNote[]> {
    const [from, to] = [checkDay(query.from), checkDay(query.to)];
    const books = (await this.access.notebooks(signal)).filter(isVisible);
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

  private async idsByAddress(address: { readonly notebook?: string; readonly path: string }, signal: AbortSignal): Promise<string[]> {
    const path = `/${address.path.replace(/^\/+|\/+$/g, '')}`;
    const books = (await this.access.notebooks(signal)).filter(isVisible);
    const wanted =
      address.notebook === undefined
        ? books
        : books.filter((each) => each.id === address.notebook || areAlike(each.name, address.notebook ?? ''));
    if (address.notebook !== undefined && wanted.length === 0) {
      throw new ToolError('not_found', `there is no open notebook "${address.notebook}"`, 'call list_notebooks');
    }
    // As it is given first; then in the other forms in which it may be written.
    for (const form of writtenForms(path)) {
      const found = await this.idsAt(wanted, form, signal);
      if (found.length > 0) return found;
    }
    return [];
  }

  private async idsAt(
    books: readonly { readonly id: string; readonly name: string }[],
    path: string,
    signal: AbortSignal,
  ): Promise<string[]> {
    const found: string[] = [];
    for (const book of books) {
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
