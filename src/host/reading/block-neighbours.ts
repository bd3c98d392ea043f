import { ToolError } from '../../tools/contract/errors.ts';
import type { BlockNeighbourhood, BlockRange } from '../../tools/contract/note-queries.ts';
import type { Access } from '../access/access.ts';
import { isGuarded } from '../access/access-attribute.ts';
import {
  type BlockElement,
  blockId,
  blockType,
  childBlocks,
  findBlock,
  isContainer,
  parseBlocks,
  serializeBlock,
} from '../blocks/block-dom.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { noSuchBlock } from '../kernel/not-found.ts';
import { assertOpen, findPlace, guardedSiblings } from '../tree/document-tree.ts';
import type { BlockViewer } from './block-view.ts';
import type { DocumentBlocks, OpenDocument } from './document-blocks.ts';

export interface BlockNeighboursDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly viewer: BlockViewer;
  readonly blocks: DocumentBlocks;
}

/** A run of blocks side by side that a question is about. */
interface Run {
  readonly ids: readonly string[];
  /** DOM of those that are not top-level blocks; the others are asked for. */
  readonly doms: ReadonlyMap<string, string>;
  /** Those of them that are kept back. */
  readonly guarded: ReadonlySet<string>;
  readonly more: number;
}

/** Blocks directly inside one that is no document. */
interface Inside {
  readonly doms: ReadonlyMap<string, string>;
  readonly guarded: ReadonlySet<string>;
}

interface Sibling {
  readonly id: string;
  readonly type: string;
  /** 1 to 6; 7 for what is no heading. */
  readonly level: number;
}

const levelOf = (type: string, subtype: string): number => (type === 'h' ? Number(subtype.slice(1)) || 6 : 7);

function siblingOf(block: BlockElement): Sibling {
  const type = blockType(block);
  return { id: blockId(block), type, level: levelOf(type, block.attribs['data-subtype'] ?? '') };
}

/** The section of a heading: what stands after it, up to a heading of its level or above. */
function sectionOf(siblings: readonly Sibling[], index: number): readonly Sibling[] {
  const rest = siblings.slice(index + 1);
  const end = rest.findIndex((each) => each.level <= (siblings[index]?.level ?? 0));
  return end < 0 ? rest : rest.slice(0, end);
}

/** `limit` blocks around one, itself among them, as many before as after where there are so many. */
function around<T>(all: readonly T[], index: number, limit: number): readonly T[] {
  const start = Math.max(0, Math.min(index - Math.floor((limit - 1) / 2), all.length - limit));
  return all.slice(start, start + limit);
}

export class BlockNeighbours {
  private readonly deps: BlockNeighboursDeps;

  constructor(deps: BlockNeighboursDeps) {
    this.deps = deps;
  }

  /**
   * A document's own blocks are its top-level ones: `self`, `children`, `context` and `after` give its first ones, `before` none.
   * Rejects with `not_found` where the block or something around it is guarded.
   */
  async blocks(query: { id: string; range: BlockRange; limit: number }, signal: AbortSignal): Promise<BlockNeighbourhood> {
    const limit = Math.max(1, Math.trunc(query.limit));
    const document = await this.deps.blocks.open(query.id, signal);
    const { place, path } = document;
    const run =
      query.id === place.documentId
        ? firstOf(query.range === 'before' ? [] : document.children.map((child) => child.id), limit, topOf(document))
        : await this.runOf(document, query.id, query.range, limit, signal);
    const ids = run.ids.filter((id) => !run.guarded.has(id));
    const views = await this.deps.viewer.view(await this.domsOf(ids, run, signal), signal);
    return {
      document: { id: place.documentId, title: place.documentTitle, path },
      notebook: place.notebook,
      blocks: views.flatMap((view) => (view ? [this.deps.viewer.reading(view)] : [])),
      more: run.more,
      hidden: run.ids.length - ids.length + views.reduce((sum, view) => sum + (view ? view.hidden : 1), 0),
    };
  }

  private async domsOf(ids: readonly string[], run: Run, signal: AbortSignal): Promise<readonly string[]> {
    const asked = await this.deps.routes.doms(
      ids.filter((id) => !run.doms.has(id)),
      signal,
    );
    return ids.map((id) => run.doms.get(id) ?? asked[id] ?? '').filter((dom) => dom !== '');
  }

  private async runOf(document: OpenDocument, id: string, range: BlockRange, limit: number, signal: AbortSignal): Promise<Run> {
    const index = document.children.findIndex((child) => child.id === id);
    if (index >= 0) {
      const attributes = await this.deps.routes.attributesOf([id], signal);
      if (document.guarded.has(id) || isGuarded(attributes[id])) throw noSuchBlock(id);
      const siblings = document.children.map((child) => ({ id: child.id, type: child.type, level: levelOf(child.type, child.subType) }));
      return this.rangeOf(siblings, index, range, limit, topOf(document), signal);
    }
    const place = await findPlace(this.deps.routes, document.place.documentId, id, signal);
    assertOpen(place, id);
    const dom = await this.deps.routes.dom(place.parentIds.at(-1) ?? '', signal);
    const found = findBlock(parseBlocks(dom), id);
    const parent = found?.parents[0];
    if (!found || !parent) throw noSuchBlock(id);
    const siblings = childBlocks(parent);
    return this.rangeOf(siblings.map(siblingOf), siblings.indexOf(found.block), range, limit, insideOf(parent), signal);
  }

  private async rangeOf(
    siblings: readonly Sibling[],
    index: number,
    range: BlockRange,
    limit: number,
    inside: Inside,
    signal: AbortSignal,
  ): Promise<Run> {
    const own = siblings[index];
    if (!own) throw new ToolError('not_found', 'the block has been moved in the meantime', 'read the document again');
    if (range === 'children' && own.type !== 'h') return this.childrenOf(own, limit, signal);
    const wanted = {
      self: () => [own],
      children: () => sectionOf(siblings, index),
      context: () => around(siblings, index, limit),
      before: () => siblings.slice(0, index),
      after: () => siblings.slice(index + 1),
    }[range]();
    const cut = range === 'before' ? wanted.slice(-limit) : wanted.slice(0, limit);
    return { ids: cut.map((each) => each.id), ...inside, more: wanted.length - cut.length };
  }

  private async childrenOf(own: Sibling, limit: number, signal: AbortSignal): Promise<Run> {
    const [block] = isContainer(own.type) ? parseBlocks(await this.deps.routes.dom(own.id, signal)) : [];
    return firstOf(block ? childBlocks(block).map(blockId) : [], limit, insideOf(block));
  }
}

const topOf = ({ guarded }: OpenDocument): Inside => ({ doms: new Map(), guarded });

function insideOf(parent: BlockElement | undefined): Inside {
  const children = parent ? childBlocks(parent) : [];
  return {
    doms: new Map(children.map((child) => [blockId(child), serializeBlock(child)] as const)),
    guarded: new Set([...guardedSiblings(children)].map(blockId)),
  };
}

const firstOf = (ids: readonly string[], limit: number, inside: Inside): Run => ({
  ids: ids.slice(0, limit),
  ...inside,
  more: Math.max(0, ids.length - limit),
});
