import type { DocumentListing } from '../../tools/contract/note-readings.ts';
import { sideBySide } from '../../tools/util/side-by-side.ts';
import type { Access } from '../access/access.ts';
import { IS_GUARD } from '../access/readable-blocks.ts';
import type { DocumentFile, KernelRoutes } from '../kernel/kernel-routes.ts';
import { quoted } from '../sql/sql-text.ts';

export interface DocumentListingDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
}

export interface ListingQuery {
  /** Id of a notebook or a document. */
  readonly parent: string;
  readonly depth: number;
  readonly page: number;
  readonly pageSize: number;
}

/** One listing: where it starts, and which documents it shows. */
interface Walk {
  readonly notebook: string;
  /** Something is guarded somewhere: documents must be checked. */
  readonly guards: boolean;
  /** How many readable documents are directly below one. */
  readonly countBelow: (file: DocumentFile) => number;
  readonly start: number;
  readonly end: number;
  /** Levels to show. */
  readonly depth: number;
}

interface Folder {
  readonly path: string;
  /** Its human-readable path. */
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

/** The branches that are at least partly on the page. */
function onPage(top: readonly Branch[], { start, end }: Walk): readonly Branch[] {
  let place = 0;
  return top.filter(({ file }) => {
    const first = place + 1;
    place = first + file.subFileCount;
    return first < end && place > start;
  });
}

/** Documents as SiYuan's tree shows them: in the user's order, which only the kernel knows, folder by folder. */
export class DocumentListings {
  private readonly routes: KernelRoutes;
  private readonly access: Access;

  constructor({ routes, access }: DocumentListingDeps) {
    this.routes = routes;
    this.access = access;
  }

  async list(query: ListingQuery, signal: AbortSignal): Promise<DocumentListing> {
    const known = (await this.access.notebooks(signal)).find((each) => each.id === query.parent && each.right !== 'none');
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

  /** The readable documents of each folder. */
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
