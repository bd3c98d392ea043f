import { ToolError } from '../../tools/contract/errors.ts';
import type { Access, BlockPlace } from '../access/access.ts';
import { plainText } from '../blocks/block-dom.ts';
import type { ChildBlock, KernelRoutes } from '../kernel/kernel-routes.ts';
import { guardedSections } from '../tree/document-tree.ts';
import type { BlockView, BlockViewer } from './block-view.ts';

/** The top-level blocks of a document that may be read, with their own rights applied. */
export interface OpenDocument {
  readonly place: BlockPlace;
  /** Path in words. */
  readonly path: string;
  /** All of them, guarded ones too: indexes count every block. */
  readonly children: readonly ChildBlock[];
  /** Ids of those that are kept back. */
  readonly guarded: ReadonlySet<string>;
}

/** A block of a run of blocks with its index among all of them. */
interface IndexedView {
  readonly index: number;
  readonly child: ChildBlock;
  readonly view: BlockView;
}

export interface DocumentBlocks {
  /** Rejects as Access.locate. `id` may be any block's of the document. */
  open(id: string, signal: AbortSignal): Promise<OpenDocument>;
  /** Views of `[start, end)`, and how many blocks were kept back among and inside them. */
  views(
    document: OpenDocument,
    start: number,
    end: number,
    signal: AbortSignal,
  ): Promise<{ readonly views: readonly IndexedView[]; readonly hidden: number }>;
  outline(
    document: OpenDocument,
    signal: AbortSignal,
  ): Promise<readonly { readonly id: string; readonly level: number; readonly text: string }[]>;
}

export interface DocumentBlocksDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly viewer: BlockViewer;
}

/** Blocks asked for in one request: DOM of a long document is many megabytes. */
const CHUNK = 200;
const HAS_REFERENCE = /\(\(\d{14}-/;

class KernelDocumentBlocks implements DocumentBlocks {
  private readonly deps: DocumentBlocksDeps;

  constructor(deps: DocumentBlocksDeps) {
    this.deps = deps;
  }

  async open(id: string, signal: AbortSignal): Promise<OpenDocument> {
    const { access, routes } = this.deps;
    const place = await access.locateDocument(id, signal);
    const [children, path] = await Promise.all([routes.children(place.documentId, signal), routes.pathOf(place.documentId, signal)]);
    return { place, path, children, guarded: await guardedSections(routes, children, signal) };
  }

  async views(document: OpenDocument, start: number, end: number, signal: AbortSignal) {
    const views: IndexedView[] = [];
    let hidden = 0;
    const last = Math.min(end, document.children.length);
    for (let from = start; from < last; from += CHUNK) {
      if (signal.aborted) throw new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on');
      const run = document.children.slice(from, Math.min(from + CHUNK, last)).map((child, offset) => ({ child, index: from + offset }));
      const open = run.filter(({ child }) => !document.guarded.has(child.id));
      const shown = await this.viewsOf(
        open.map(({ child }) => child.id),
        signal,
      );
      hidden += run.length - open.length;
      for (const { child, index } of open) {
        const view = shown.get(child.id);
        // Blocks that are gone since the children were listed are missing here, and are not hidden.
        if (shown.has(child.id)) hidden += view ? view.hidden : 1;
        if (view) views.push({ index, child, view });
      }
    }
    return { views, hidden };
  }

  async outline(document: OpenDocument, signal: AbortSignal) {
    const headings = document.children.filter((child) => child.type === 'h' && !document.guarded.has(child.id));
    // The kernel's text of a heading has the text of the blocks that it refers to in it.
    const referring = headings.filter((child) => HAS_REFERENCE.test(child.markdown)).map((child) => child.id);
    const views = await this.viewsOf(referring, signal);
    return headings.map((child) => {
      const view = views.get(child.id);
      const text = referring.includes(child.id) ? (view ? plainText(view.element) : '') : child.content;
      return { id: child.id, level: Number(child.subType.slice(1)) || 1, text: text.trim() };
    });
  }

  private async viewsOf(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, BlockView | undefined>> {
    const doms = await this.deps.routes.doms(ids, signal);
    const present = ids.filter((id) => doms[id]);
    const views = await this.deps.viewer.view(
      present.map((id) => doms[id] ?? ''),
      signal,
    );
    return new Map(present.map((id, index) => [id, views[index]] as const));
  }
}

export function createDocumentBlocks(deps: DocumentBlocksDeps): DocumentBlocks {
  return new KernelDocumentBlocks(deps);
}
