import type { DocumentListing, DocumentNode } from '../../tools/contract/note-readings.ts';
import { sideBySide } from '../../tools/util/side-by-side.ts';
import type { Access } from '../access/access.ts';
import type { DocumentFile, KernelRoutes } from '../kernel/kernel-routes.ts';

export interface DocumentListingDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
}

export interface ListingQuery {
  /** A notebook's or a document's id. */
  readonly parent: string;
  readonly depth: number;
  readonly page: number;
  readonly pageSize: number;
}

/** One listing: where it looks, and which of its documents are shown. */
interface Walk {
  readonly notebook: string;
  /** Something is guarded somewhere, so what is below a document has to be looked at before it is counted. */
  readonly guards: boolean;
  readonly start: number;
  readonly end: number;
}

/** Documents in the order of the tree; undefined for one that is only counted. */
type Listed = readonly (DocumentNode | undefined)[];

interface Folder {
  readonly path: string;
  /** Its path in words. */
  readonly words: string;
  readonly depth: number;
  /** Levels to show. */
  readonly left: number;
}

const titleOf = (file: DocumentFile): string => file.name.replace(/\.sy$/, '');

/** Documents as the tree of SiYuan has them: in the order that the user chose, which the kernel alone knows. */
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
    const walk: Walk = { notebook: id, guards, start, end: start + query.pageSize };
    const found = await this.walk(walk, { path, words, depth: 0, left: Math.max(1, query.depth) }, signal);
    return {
      notebook: { id, name },
      documents: found.slice(start, walk.end).filter((each) => each !== undefined),
      total: found.length,
      nextPage: walk.end < found.length ? query.page + 1 : null,
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

  private async walk(walk: Walk, folder: Folder, signal: AbortSignal): Promise<Listed> {
    const files = await this.readableFiles(walk, folder.path, signal);
    const opens = (file: DocumentFile): boolean => folder.left > 1 && file.subFileCount > 0;
    // Of the last two levels the kernel has said how many documents there are: those of other pages are not listed.
    const counted = folder.depth === 0 && folder.left === 2 && !walk.guards;
    let place = 0;
    const places = files.map((file) => {
      const first = place + 1;
      place = first + (opens(file) ? file.subFileCount : 0);
      return { first, end: place };
    });
    const isShown = (index: number): boolean =>
      !counted || ((places[index]?.first ?? 0) < walk.end && (places[index]?.end ?? 0) > walk.start);
    const listed = await sideBySide(files, async (file, index): Promise<Listed> => {
      const words = `${folder.words}/${titleOf(file)}`;
      const below = opens(file) || file.subFileCount === 0 ? 0 : await this.countBelow(walk, file, signal);
      const own = { id: file.id, title: titleOf(file), path: words, depth: folder.depth, moreChildren: below };
      if (!opens(file)) return [own];
      if (!isShown(index)) return [own, ...Array.from({ length: file.subFileCount }, () => undefined)];
      const inner = { path: file.path, words, depth: folder.depth + 1, left: folder.left - 1 };
      return [own, ...(await this.walk(walk, inner, signal))];
    });
    return listed.flat();
  }

  private async readableFiles(walk: Walk, path: string, signal: AbortSignal): Promise<readonly DocumentFile[]> {
    const files = await this.routes.documentsAt(walk.notebook, path, signal);
    if (!walk.guards) return files;
    const paths = files.map((file) => file.path);
    const guarded = await this.access.guardedDocuments(walk.notebook, paths, signal);
    return files.filter((file) => !guarded.has(file.path));
  }

  private async countBelow(walk: Walk, file: DocumentFile, signal: AbortSignal): Promise<number> {
    return walk.guards ? (await this.readableFiles(walk, file.path, signal)).length : file.subFileCount;
  }
}
