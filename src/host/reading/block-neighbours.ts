import { isContainer } from '../../tools/contract/block-kinds.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { BlockNeighbourhood, BlockRange } from '../../tools/contract/note-queries.ts';
import type { IndexedBlock } from '../access/readable-blocks.ts';
import { type BlockElement, blockId, blockType, childBlocks, findBlock, parseBlocks, serializeBlock } from '../blocks/block-dom.ts';
import { noSuchBlock } from '../kernel/not-found.ts';
import { findPlace, guardedSiblings } from '../tree/document-tree.ts';
import type { BlockView } from './block-view.ts';
import type { OpenDocument } from './document-blocks.ts';
import { countSection } from './document-facts.ts';
import type { NotesReaderDeps } from './notes-reader.ts';
import { requireReadable } from './readable-place.ts';

export type BlockNeighboursDeps = NotesReaderDeps;

interface Run {
  readonly views: readonly BlockView[];
  readonly hidden: number;
  readonly more: number;
}

interface Query {
  readonly id: string;
  readonly range: BlockRange;
  readonly limit: number;
}

interface Sibling {
  readonly id: string;
  readonly type: string;
  readonly level: number;
}

const NOTHING: Run = { views: [], hidden: 0, more: 0 };

function siblingOf(block: BlockElement): Sibling {
  const type = blockType(block);
  return { id: blockId(block), type, level: type === 'h' ? Number(block.attribs['data-subtype']?.slice(1)) || 6 : 7 };
}

/** The section of a heading: what follows it, up to the next heading of the same or a higher level. */
function sectionOf(siblings: readonly Sibling[], index: number): readonly Sibling[] {
  const rest = siblings.slice(index + 1);
  const end = rest.findIndex((each) => each.level <= (siblings[index]?.level ?? 0));
  return end < 0 ? rest : rest.slice(0, end);
}

/** The start of `limit` blocks around one (included), with as many before as after it where there are enough. */
const startAround = (total: number, index: number, limit: number): number =>
  Math.max(0, Math.min(index - Math.floor((limit - 1) / 2), total - limit));

const moved = (): ToolError => new ToolError('not_found', 'the block has been moved in the meantime', 'read the document again');

export class BlockNeighbours {
  private readonly deps: BlockNeighboursDeps;

  constructor(deps: BlockNeighboursDeps) {
    this.deps = deps;
  }

  /** Neighbours of a block; a document's are its first top-level ones, `before` none. Rejects with `not_found` where it is guarded. */
  async blocks(query: Query, signal: AbortSignal): Promise<BlockNeighbourhood> {
    const asked = { ...query, limit: Math.max(1, Math.trunc(query.limit)) };
    const { access, blocks, viewer, routes } = this.deps;
    const place = await access.locateDocument(query.id, signal);
    const known = query.id === place.documentId ? undefined : await requireReadable(this.deps, place, signal);
    const narrow = known && (await this.narrowRun(known, asked, signal));
    const document = narrow ? undefined : await blocks.open(query.id, signal);
    const { views, hidden, more } = narrow ?? (document ? await this.runOf(document, known, asked, signal) : NOTHING);
    return {
      document: {
        id: place.documentId,
        title: place.documentTitle,
        path: known?.wordPath ?? document?.path ?? (await routes.pathOf(place.documentId, signal)),
      },
      notebook: place.notebook,
      blocks: views.map((view) => viewer.reading(view)),
      more,
      hidden,
    };
  }

  /** The answer if it needs only the block itself; undefined otherwise. */
  private async narrowRun({ type }: IndexedBlock, query: Query, signal: AbortSignal): Promise<Run | undefined> {
    if (query.range === 'self') return this.shown([await this.deps.routes.dom(query.id, signal)], 0, signal);
    return query.range === 'children' && type !== 'h' ? this.childrenOf(query, type, signal) : undefined;
  }

  private async runOf(document: OpenDocument, known: IndexedBlock | undefined, query: Query, signal: AbortSignal): Promise<Run> {
    const { place, facts } = document;
    if (query.id === place.documentId) {
      if (query.range === 'before') return NOTHING;
      return this.windowFrom(document, 0, query.limit, (total) => total, signal);
    }
    const { routes } = this.deps;
    if (known && facts) {
      return facts.holder === undefined ? this.atTop(document, query, signal) : this.inside(facts.holder, query, signal);
    }
    const { type, parentIds } = await findPlace(routes, place.documentId, query.id, signal);
    if (query.range === 'self') return this.shown([await routes.dom(query.id, signal)], 0, signal);
    if (query.range === 'children' && type !== 'h') return this.childrenOf(query, type, signal);
    return parentIds[0] === undefined ? this.atTop(document, query, signal) : this.inside(parentIds[0], query, signal);
  }

  private async atTop(document: OpenDocument, { id, range, limit }: Query, signal: AbortSignal): Promise<Run> {
    const index = (await this.deps.routes.blockIndex(id, signal)) - 1;
    if (index < 0) throw moved();
    switch (range) {
      case 'before':
        return this.windowFrom(document, Math.max(0, index - limit), Math.min(limit, index), () => index, signal);
      case 'children': {
        const length = await countSection(this.deps.routes, id, signal);
        return this.windowFrom(document, index + 1, Math.min(limit, length), () => length, signal);
      }
      case 'context':
        return this.around(document, index, limit, signal);
      default:
        return this.windowFrom(document, index + 1, limit, (total) => total - index - 1, signal);
    }
  }

  /** At the end of a document there are more blocks before the block than after it. */
  private async around(document: OpenDocument, index: number, limit: number, signal: AbortSignal): Promise<Run> {
    const hopeful = startAround(Number.POSITIVE_INFINITY, index, limit);
    const first = await this.deps.blocks.window(document, hopeful, limit, signal);
    const start = startAround(first.total, index, limit);
    const window = start === hopeful ? first : await this.deps.blocks.window(document, start, limit, signal);
    return { views: window.views.map(({ view }) => view), hidden: window.hidden, more: 0 };
  }

  private async windowFrom(
    document: OpenDocument,
    start: number,
    count: number,
    rangeOf: (total: number) => number,
    signal: AbortSignal,
  ): Promise<Run> {
    if (count === 0) return { ...NOTHING, more: Math.max(0, rangeOf(0)) };
    const { views, hidden, total } = await this.deps.blocks.window(document, start, count, signal);
    return { views: views.map(({ view }) => view), hidden, more: Math.max(0, rangeOf(total) - count) };
  }

  private async shown(doms: readonly string[], more: number, signal: AbortSignal, kept = 0): Promise<Run> {
    const views = await this.deps.viewer.view(
      doms.filter((dom) => dom !== ''),
      signal,
    );
    const open = views.filter((view) => view !== undefined);
    return { views: open, hidden: kept + views.length - open.length + open.reduce((sum, view) => sum + view.hidden, 0), more };
  }

  private async childrenOf({ id, limit }: Query, type: string, signal: AbortSignal): Promise<Run> {
    const [block] = isContainer(type) ? parseBlocks(await this.deps.routes.dom(id, signal)) : [];
    const children = block ? childBlocks(block) : [];
    return this.siblings(children, children.slice(0, limit).map(blockId), Math.max(0, children.length - limit), signal);
  }

  private async inside(container: string, { id, range, limit }: Query, signal: AbortSignal): Promise<Run> {
    const parent = findBlock(parseBlocks(await this.deps.routes.dom(container, signal)), container)?.block;
    const children = parent ? childBlocks(parent) : [];
    const index = children.findIndex((child) => blockId(child) === id);
    if (index < 0) throw noSuchBlock(id);
    const siblings = children.map(siblingOf);
    const start = startAround(siblings.length, index, limit);
    const wanted = {
      self: () => siblings.slice(index, index + 1),
      children: () => sectionOf(siblings, index),
      context: () => siblings.slice(start, start + limit),
      before: () => siblings.slice(0, index),
      after: () => siblings.slice(index + 1),
    }[range]();
    const cut = range === 'before' ? wanted.slice(-limit) : wanted.slice(0, limit);
    return this.siblings(
      children,
      cut.map((each) => each.id),
      wanted.length - cut.length,
      signal,
    );
  }

  private siblings(all: readonly BlockElement[], ids: readonly string[], more: number, signal: AbortSignal): Promise<Run> {
    const guarded = guardedSiblings(all);
    const wanted = all.filter((block) => ids.includes(blockId(block)));
    const open = wanted.filter((block) => !guarded.has(block));
    return this.shown(open.map(serializeBlock), more, signal, wanted.length - open.length);
  }
}
