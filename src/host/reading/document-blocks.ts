import { ToolError } from '../../tools/contract/errors.ts';
import type { Access, BlockLocation } from '../access/access.ts';
import { plainText } from '../blocks/block-dom.ts';
import type { ChildBlock, KernelRoutes } from '../kernel/kernel-routes.ts';
import { hasReference } from '../tree/block-tree.ts';
import { guardedSections } from '../tree/document-tree.ts';
import { loadWindow } from '../tree/document-window.ts';
import type { BlockView, BlockViewer } from './block-view.ts';
import { type DocumentFacts, documentFacts, guardedAmong } from './document-facts.ts';

export interface OpenDocument {
  readonly place: BlockLocation;
  readonly path: string;
  /** Absent if it is not indexed. */
  readonly facts: DocumentFacts | undefined;
}

/** A block with its 0-based index among all top-level blocks of the document, including guarded ones. */
interface IndexedView {
  readonly index: number;
  readonly view: BlockView;
}

interface BlockWindow {
  readonly views: readonly IndexedView[];
  readonly hidden: number;
  readonly total: number;
}

type Outline = readonly { readonly id: string; readonly level: number; readonly text: string }[];

export interface DocumentBlocks {
  /** Rejects like Access.locate. `id` may be that of any block in the document. */
  open(id: string, signal: AbortSignal): Promise<OpenDocument>;
  /** Like `open`, with what `outline` needs. */
  openWithOutline(id: string, signal: AbortSignal): Promise<OpenDocument>;
  /** Up to `count` blocks from index `start` on: only these are fetched and checked. */
  window(document: OpenDocument, start: number, count: number, signal: AbortSignal): Promise<BlockWindow>;
  /** Requires a document from `openWithOutline`. */
  outline(document: OpenDocument, signal: AbortSignal): Promise<Outline>;
}

export interface DocumentBlocksDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly viewer: BlockViewer;
}

/** Blocks whose DOM is requested by id in one request: for each of them the kernel walks through the document. */
const CHUNK = 200;

interface Block {
  readonly id: string;
  readonly dom: string;
}

class KernelDocumentBlocks implements DocumentBlocks {
  private readonly deps: DocumentBlocksDeps;
  private readonly children = new Map<string, Promise<readonly ChildBlock[]>>();

  constructor(deps: DocumentBlocksDeps) {
    this.deps = deps;
  }

  open(id: string, signal: AbortSignal): Promise<OpenDocument> {
    return this.openWith(false, id, signal);
  }

  openWithOutline(id: string, signal: AbortSignal): Promise<OpenDocument> {
    return this.openWith(true, id, signal);
  }

  private async openWith(outline: boolean, id: string, signal: AbortSignal): Promise<OpenDocument> {
    const { access, routes } = this.deps;
    const place = await access.locateDocument(id, signal);
    const facts = await documentFacts(routes, place, outline, signal);
    return { place, path: facts ? facts.wordPath : await routes.pathOf(place.documentId, signal), facts };
  }

  async window(document: OpenDocument, start: number, count: number, signal: AbortSignal): Promise<BlockWindow> {
    const { facts, place } = document;
    const loaded = facts && !facts.folded ? await loadWindow(this.deps.routes, place.documentId, start, count, signal) : undefined;
    if (!facts || !loaded) return this.windowOfChildren(document, start, count, signal);
    const ids = loaded.blocks.map(({ id }) => id);
    const guarded = facts.guarded ? await guardedAmong(this.deps.routes, place.documentId, ids, signal) : new Set<string>();
    return { ...(await this.shown(loaded.blocks, guarded, start, signal)), total: loaded.total };
  }

  async outline(document: OpenDocument, signal: AbortSignal): Promise<Outline> {
    const { facts, place } = document;
    const { routes } = this.deps;
    if (!facts) return this.outlineOfChildren(document, signal);
    if (facts.headings.size === 0) return [];
    const ids = (await routes.outline(place.documentId, signal)).filter((id) => facts.headings.has(id));
    if (ids.length < facts.headings.size) return this.outlineOfChildren(document, signal);
    const guarded = facts.guarded ? await guardedAmong(routes, place.documentId, ids, signal) : new Set<string>();
    const shown = ids.filter((id) => !guarded.has(id)).map((id) => ({ id, level: 1, text: '', refers: false, ...facts.headings.get(id) }));
    return this.namedHeadings(shown, signal);
  }

  /** The kernel's text of a heading contains the text of the blocks that it refers to. */
  private async namedHeadings(
    headings: readonly { readonly id: string; readonly level: number; readonly text: string; readonly refers: boolean }[],
    signal: AbortSignal,
  ): Promise<Outline> {
    const referring = headings.filter(({ refers }) => refers).map(({ id }) => id);
    const views = await this.viewsOf(await this.domsOf(referring, signal), signal);
    return headings.map(({ id, level, text, refers }) => {
      if (!refers) return { id, level, text: text.trim() };
      const view = views.get(id);
      return { id, level, text: view ? plainText(view.element).trim() : '' };
    });
  }

  private async shown(blocks: readonly Block[], guarded: ReadonlySet<string>, start: number, signal: AbortSignal) {
    const views = await this.viewsOf(
      blocks.filter(({ id }) => !guarded.has(id)),
      signal,
    );
    const indexed: IndexedView[] = [];
    let hidden = 0;
    for (const [offset, { id }] of blocks.entries()) {
      const view = views.get(id);
      // A block that was deleted since it was listed is missing, not hidden.
      if (guarded.has(id) || views.has(id)) hidden += view ? view.hidden : 1;
      if (view) indexed.push({ index: start + offset, view });
    }
    return { views: indexed, hidden };
  }

  private async viewsOf(blocks: readonly Block[], signal: AbortSignal): Promise<ReadonlyMap<string, BlockView | undefined>> {
    const present = blocks.filter(({ dom }) => dom !== '');
    const views = await this.deps.viewer.view(
      present.map(({ dom }) => dom),
      signal,
    );
    return new Map(present.map(({ id }, index) => [id, views[index]] as const));
  }

  private async domsOf(ids: readonly string[], signal: AbortSignal): Promise<readonly Block[]> {
    const doms = await this.deps.routes.doms(ids, signal);
    return ids.map((id) => ({ id, dom: doms[id] ?? '' }));
  }

  // A document that is not indexed, or contains a fold: its children are listed, and read by their ids.

  private childrenOf({ place }: OpenDocument, signal: AbortSignal): Promise<readonly ChildBlock[]> {
    const known = this.children.get(place.documentId) ?? this.deps.routes.children(place.documentId, signal);
    this.children.set(place.documentId, known);
    return known;
  }

  private async windowOfChildren(document: OpenDocument, start: number, count: number, signal: AbortSignal): Promise<BlockWindow> {
    const children = await this.childrenOf(document, signal);
    const guarded = await guardedSections(this.deps.routes, children, signal);
    const views: IndexedView[] = [];
    let hidden = 0;
    const end = Math.min(start + count, children.length);
    for (let from = start; from < end; from += CHUNK) {
      if (signal.aborted) throw new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on');
      const ids = children.slice(from, Math.min(from + CHUNK, end)).map(({ id }) => id);
      const open = new Map(
        (
          await this.domsOf(
            ids.filter((id) => !guarded.has(id)),
            signal,
          )
        ).map((block) => [block.id, block]),
      );
      const shown = await this.shown(
        ids.map((id) => open.get(id) ?? { id, dom: '' }),
        guarded,
        from,
        signal,
      );
      views.push(...shown.views);
      hidden += shown.hidden;
    }
    return { views, hidden, total: children.length };
  }

  private async outlineOfChildren(document: OpenDocument, signal: AbortSignal): Promise<Outline> {
    const children = await this.childrenOf(document, signal);
    const guarded = await guardedSections(this.deps.routes, children, signal);
    const headings = children.filter((child) => child.type === 'h' && !guarded.has(child.id));
    return this.namedHeadings(
      headings.map(({ id, subType, content, markdown }) => {
        return { id, level: Number(subType.slice(1)) || 1, text: content, refers: hasReference(markdown) };
      }),
      signal,
    );
  }
}

export function createDocumentBlocks(deps: DocumentBlocksDeps): DocumentBlocks {
  return new KernelDocumentBlocks(deps);
}
