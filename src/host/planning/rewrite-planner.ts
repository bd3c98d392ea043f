import { ToolError } from '../../tools/contract/errors.ts';
import type { NotePlanner } from '../../tools/contract/note-planner.ts';
import type { ChangePlan, PlanNotice, PlanOperation, PlanPosition } from '../../tools/contract/plans.ts';
import { preview } from '../../tools/util/graphemes.ts';
import { isBound, lossNotices } from '../access/block-losses.ts';
import { knownReferences } from '../access/known-references.ts';
import { beyondMarkdown, isBeyondMarkdown, wordsIn } from '../blocks/beyond-markdown.ts';
import { adoptIdentity } from '../blocks/block-align.ts';
import {
  allBlocks,
  attributeValues,
  type BlockElement,
  blockId,
  blockType,
  parseBlock,
  parseBlocks,
  serializeBlock,
  timestamp,
  writableDom,
} from '../blocks/block-dom.ts';
import { isMarkdownSafe, requireBlock, type WriteMarkdown } from '../blocks/block-edit.ts';
import { hashOfBlock } from '../blocks/block-hash.ts';
import { wordsWithin } from '../blocks/block-pairs.ts';
import { changeWithin } from '../blocks/text-changes.ts';
import { existingContent, refuseBlock } from '../content/active-content.ts';
import type { FilteredContent } from '../content/content-filter.ts';
import { TRASH_PATH } from '../documents/trash-document.ts';
import { createBlockViewer } from '../reading/block-view.ts';
import { refersToAny, unknownReferences } from '../transactions/lost-references.ts';
import { rehearse } from '../transactions/plan-rehearsal.ts';
import type { PreparedOperation, PreparedPosition } from '../transactions/prepared-plan.ts';
import { outermostWithout } from '../transactions/vanishing.ts';
import { type BlockTree, loadTree } from '../tree/block-tree.ts';
import { namedBlock, placeNames } from '../tree/place-words.ts';
import { assertNothingBuried, foldedLast } from './delete-planner.ts';
import type { EditPlannerDeps } from './edit-planner.ts';
import { namedElement } from './plan-position.ts';
import { type Aligned, alignBlocks, type OldBlock } from './rewrite-align.ts';
import { readRewrite } from './rewrite-markdown.ts';

/** How many preceding blocks are named as neighbours, nearest first. */
const NEIGHBOURS = 100;
/** A new text with this share of a block's words contains that block. */
const FLATTENED = 0.5;
/** Types that a reading shows as text: a new text without them means to delete them. */
const TEXT_TYPES = new Set(['p', 'h', 'l', 'b', 't', 'c', 'm', 'callout', 's']);

interface CurrentBlocks {
  readonly old: readonly OldBlock[];
  readonly doms: Readonly<Record<string, string>>;
  readonly hidden: number;
  /** Ids that blocks refer to and that SiYuan does not know now. */
  readonly unknown: ReadonlySet<string>;
}

interface Piece {
  /** Index in the new document, to show deletions where the block was. */
  readonly at: number;
  readonly shown: PlanOperation;
  readonly prepared: PreparedOperation;
  readonly lost: readonly string[];
}

class RewritePlan {
  private readonly deps: EditPlannerDeps;
  private readonly document: { readonly id: string; readonly title: string; readonly path: string };
  private readonly tree: BlockTree;
  private readonly current: CurrentBlocks;
  /** Existing content of the document that no rewrite may add, by the keys of active-content.ts. */
  private readonly ownContent: ReadonlySet<string>;
  /** New blocks by id, to describe the position of what follows them. */
  private readonly inserted = new Map<string, NonNullable<PlanPosition['block']>>();

  constructor(deps: EditPlannerDeps, document: RewritePlan['document'], tree: BlockTree, current: CurrentBlocks) {
    this.deps = deps;
    this.document = document;
    this.tree = tree;
    this.current = current;
    this.ownContent = existingContent(...Object.values(current.doms));
  }

  async make(markdown: string, signal: AbortSignal): Promise<{ pieces: Piece[]; notices: PlanNotice[]; trashed: number; lost: string[] }> {
    const { old } = this.current;
    const text = await readRewrite({ engine: this.deps.engine, filter: this.filter(signal) }, markdown.replace(/\r\n?/g, '\n'), old);
    const { aligned, unmatched } = alignBlocks(old, text.blocks);
    const ids: string[] = [];
    const pieces: Piece[] = [];
    for (const each of aligned) {
      const own = await this.piecesOf(each, text.blocks[each.fresh]?.dom ?? '', ids, signal);
      pieces.push(...own);
      ids.push(own[0]?.prepared.blockId ?? this.idOf(each));
    }
    this.assertNotFlattened(
      unmatched.filter((index) => !old[index]?.removable),
      aligned.flatMap(({ kind, fresh }) => (kind === 'same' || kind === 'move' ? [] : (text.blocks[fresh]?.dom ?? []))),
    );
    const doomed = unmatched.filter((index) => old[index]?.removable);
    assertNothingBuried(this.tree, new Set(doomed.flatMap((index) => old[index]?.id ?? [])));
    const isFolded = (index: number): boolean => this.tree.isFolded(old[index]?.id ?? '');
    for (const index of foldedLast(doomed, isFolded)) pieces.push(this.removal(index, aligned));
    const lost = pieces.flatMap((piece) => piece.lost);
    const losses = await lossNotices(this.deps, lost, signal);
    const kept = unmatched.filter((index) => !old[index]?.removable && old[index]?.markdown !== '');
    const guarded = kept.filter((index) => !old[index]?.movable);
    const trashed = pieces.filter((piece) => piece.prepared.place === 'trash').length;
    const notices: PlanNotice[] = [
      ...text.notices,
      ...losses,
      { code: 'moved-to-trash', count: trashed },
      { code: 'hidden-kept', count: this.current.hidden + guarded.length },
      { code: 'unsaid-kept', count: kept.length - guarded.length },
    ].filter((notice) => notice.count > 0);
    return { pieces, notices, trashed, lost };
  }

  /** Tabs that stay while their text is also written next to them would appear twice, the second time without tabs. */
  private assertNotFlattened(left: readonly number[], written: readonly string[]): void {
    const texts = written.flatMap((dom) => parseBlocks(dom).map(wordsIn)).join(' ');
    for (const index of left) {
      const block = parseBlock(this.current.doms[this.current.old[index]?.id ?? ''] ?? '');
      if (!block || !isBeyondMarkdown(block) || wordsWithin(wordsIn(block), texts) < FLATTENED) continue;
      const { code, message } = beyondMarkdown(block);
      const next = 'copy it word for word as it was read, or leave its words out: then it stays. Edit the blocks in it with edit_block';
      throw new ToolError(code, message, next);
    }
  }

  private idOf(each: Aligned): string {
    return each.kind === 'insert' ? '' : (this.current.old[each.old]?.id ?? '');
  }

  private filter(signal: AbortSignal): (markdown: string) => Promise<FilteredContent> {
    const elements = Object.values(this.current.doms).flatMap((dom) => parseBlock(dom) ?? []);
    const gather = (name: string): ReadonlySet<string> => new Set(elements.flatMap((element) => [...attributeValues(element, name)]));
    // Existing content of the document may stay: its remote images and its references.
    const references = gather('data-id');
    const existing = this.ownContent;
    const known = knownReferences(this.deps.access, signal);
    const stays = (id: string): boolean => references.has(id) && !this.current.unknown.has(id);
    const knownHere = async (ids: readonly string[]): Promise<ReadonlySet<string>> =>
      new Set([...ids.filter(stays), ...(await known(ids.filter((id) => !stays(id))))]);
    return (markdown) => this.deps.filter.filter({ markdown, existing, knownReferences: knownHere });
  }

  private async piecesOf(each: Aligned, dom: string, before: readonly string[], signal: AbortSignal): Promise<Piece[]> {
    if (each.kind === 'same') return [];
    if (each.kind === 'insert') return [this.insertion(dom, each.fresh, before)];
    const old = this.current.old[each.old];
    if (!old) throw new Error('the alignment names a block that does not exist');
    const moved = each.kind === 'update' ? [] : [this.movement(old, each.fresh, before)];
    const changed = each.kind === 'move' ? null : await this.change(old, dom, each.fresh, signal);
    // The move comes first: it expects the block unchanged.
    return changed ? [...moved, changed] : moved;
  }

  private placeAfter(before: readonly string[]): PreparedPosition {
    return { parentId: this.document.id, after: before.slice(-NEIGHBOURS).reverse() };
  }

  /** The position of a block, by the block before it in the new text. */
  private positionAfter(before: readonly string[]): PlanPosition {
    const previous = before.at(-1);
    const { title } = this.document;
    const fresh = this.inserted.get(previous ?? '');
    if (previous === undefined || (!fresh && !this.tree.has(previous))) return { path: [title], at: 'start' };
    if (fresh) return { path: [title], at: 'after', block: fresh };
    return { path: placeNames(this.tree, title, previous), at: 'after', block: namedBlock(this.tree, previous) };
  }

  private insertion(dom: string, at: number, before: readonly string[]): Piece {
    const block = requireBlock(dom);
    const facts = { id: this.deps.nextId('op'), blockId: blockId(block) };
    this.inserted.set(facts.blockId, namedElement(block));
    return {
      at,
      shown: {
        ...facts,
        action: 'insert',
        blockType: blockType(block),
        before: null,
        after: this.deps.engine.toMarkdown(dom),
        requires: [],
        position: { after: this.positionAfter(before) },
      },
      prepared: { ...facts, action: 'insert', dom, before: null, existing: this.ownContent, place: this.placeAfter(before) },
      lost: [],
    };
  }

  private movement(old: OldBlock, at: number, before: readonly string[]): Piece {
    const dom = this.current.doms[old.id] ?? '';
    const facts = { id: this.deps.nextId('op'), action: 'move' as const, blockId: old.id };
    return {
      at,
      shown: {
        ...facts,
        blockType: old.type,
        before: old.markdown,
        after: old.markdown,
        requires: [],
        position: { before: { path: placeNames(this.tree, this.document.title, old.id) }, after: this.positionAfter(before) },
      },
      prepared: { ...facts, dom, before: { dom, hash: hashOfBlock(dom) }, place: this.placeAfter(before) },
      lost: [],
    };
  }

  /** The old block with the new text; what Markdown cannot express in it stays. If that is not possible, rejects and names the block. */
  private async changed(old: OldBlock, dom: string, signal: AbortSignal): Promise<BlockElement> {
    const [from, to] = [requireBlock(this.current.doms[old.id] ?? ''), requireBlock(dom)];
    const markdownOf = (block: BlockElement): string => this.deps.engine.toMarkdown(serializeBlock(block));
    const filter = this.filter(signal);
    const write = async (markdown: string): Promise<readonly string[]> => (await filter(markdown)).blocks;
    try {
      if (!old.free) return await changeWithin({ engine: this.deps.engine, write }, from, to);
      adoptIdentity(from, to, markdownOf);
      return to;
    } catch (error) {
      if (!(error instanceof ToolError) || error.code !== 'not_markdown_safe') throw error;
      const what = `block ${old.id} contains something that Markdown cannot express, and this change would lose it: ${preview(old.markdown, 80)}`;
      throw new ToolError(
        'not_markdown_safe',
        what,
        'copy this block word for word, change it with edit_block, or leave it out to delete it',
      );
    }
  }

  private async change(old: OldBlock, dom: string, at: number, signal: AbortSignal): Promise<Piece | null> {
    const before = this.current.doms[old.id] ?? '';
    const to = await this.changed(old, dom, signal);
    const after = writableDom(to, timestamp(this.deps.clock));
    if (hashOfBlock(after) === hashOfBlock(before)) return null;
    // Parsed again: adopting unchanged children has changed the first tree.
    const gone = outermostWithout(requireBlock(before), new Set(allBlocks(to).map(blockId)));
    const facts = { id: this.deps.nextId('op'), action: 'update' as const, blockId: old.id };
    return {
      at,
      shown: { ...facts, blockType: blockType(to), before: old.markdown, after: this.deps.engine.toMarkdown(after), requires: [] },
      prepared: {
        ...facts,
        dom: after,
        before: { dom: before, hash: hashOfBlock(before) },
        existing: this.ownContent,
      },
      lost: gone.map(serializeBlock),
    };
  }

  /** A removal is shown after what precedes it in the new text. */
  private removal(index: number, aligned: readonly Aligned[]): Piece {
    const old = this.current.old[index];
    if (!old) throw new Error('the alignment names a block that does not exist');
    const dom = this.current.doms[old.id] ?? '';
    const spared = isBound(dom) && this.document.path !== TRASH_PATH;
    const at = aligned.findLast((each) => each.kind !== 'insert' && !each.kind.startsWith('move') && each.old < index)?.fresh ?? -1;
    const facts = { id: this.deps.nextId('op'), blockId: old.id };
    const base = { ...facts, before: { dom, hash: hashOfBlock(dom) } };
    return {
      at: at + 0.5,
      shown: {
        ...facts,
        action: 'delete',
        blockType: old.type,
        before: old.markdown,
        after: null,
        requires: [],
        to: spared ? TRASH_PATH : undefined,
      },
      prepared: spared ? { ...base, action: 'move', dom, place: 'trash' } : { ...base, action: 'delete', dom: '' },
      lost: spared ? [] : [dom],
    };
  }
}

async function innerOf({ engine }: EditPlannerDeps, block: BlockElement, write: WriteMarkdown): Promise<ReadonlyMap<string, string>> {
  const inner = new Map<string, string>();
  for (const each of allBlocks(block).slice(1)) {
    if (blockType(each) !== 'p' || (await isMarkdownSafe(engine, each, write))) continue;
    const dom = serializeBlock(each);
    const markdown = engine.toMarkdown(dom);
    if (markdown !== '') inner.set(markdown, dom);
  }
  return inner;
}

async function readCurrentBlocks(deps: EditPlannerDeps, tree: BlockTree, documentId: string, signal: AbortSignal): Promise<CurrentBlocks> {
  const tops = tree.childrenOf(documentId);
  const open = tops.filter((id) => !tree.isGuarded(id));
  const doms = await deps.routes.doms(open, signal);
  const viewer = createBlockViewer({ engine: deps.engine, readable: deps.access });
  const views = await viewer.view(
    open.map((id) => doms[id] ?? ''),
    signal,
  );
  const unknown = await unknownReferences(deps.routes, Object.values(doms), signal);
  const old: OldBlock[] = [];
  for (const [index, id] of open.entries()) {
    const [view, element] = [views[index], parseBlock(doms[id] ?? '')];
    if (!view || !element) continue;
    const markdown = viewer.markdown(view.element);
    const existing = existingContent(doms[id] ?? '');
    const references = attributeValues(element, 'data-id');
    const write = async (text: string): Promise<readonly string[]> =>
      (await deps.filter.filter({ markdown: text, existing, knownReferences: async () => references })).blocks;
    const isWhole = !view.changed && !refersToAny(doms[id] ?? '', unknown) && markdown !== '';
    // Content that no tool writes goes only where the person takes it away.
    const free = isWhole && refuseBlock(element) === undefined && (await isMarkdownSafe(deps.engine, element, write));
    const removable = free || (isWhole && TEXT_TYPES.has(blockType(element)) && !isBeyondMarkdown(element));
    const inner = isWhole && !free ? await innerOf(deps, element, write) : undefined;
    old.push({ id, type: blockType(element), markdown, free, removable, movable: view.hidden === 0, ...(inner ? { inner } : {}) });
  }
  return { old, doms, hidden: tops.length - old.length, unknown };
}

/** Turns a document's new text into operations; hidden and inexpressible blocks stay where they are, unless copied verbatim. */
export async function planRewrite(
  deps: EditPlannerDeps,
  request: Parameters<NotePlanner['planRewrite']>[0],
  tool: string,
  signal: AbortSignal,
): Promise<ChangePlan> {
  const pushPosition = deps.pushes.position();
  const where = await deps.access.locateDocument(request.id, signal);
  if (where.id !== where.documentId)
    throw new ToolError('bad_id', `${where.id} is a block`, 'give the id of a document, or use edit_block');
  if (request.markdown.trim() === '')
    throw new ToolError('empty_text', 'nothing would be left of the document', 'use delete_doc to delete it');
  const notebook = await deps.access.requireNotebook(where.notebook.id, 'read', signal);
  const path = await deps.routes.pathOf(where.id, signal);
  const document = { id: where.id, title: where.documentTitle, path };
  const tree = await loadTree(deps.routes, [where.id], signal);
  const current = await readCurrentBlocks(deps, tree, where.id, signal);
  const { pieces, notices, lost } = await new RewritePlan(deps, document, tree, current).make(request.markdown, signal);
  if (pieces.length === 0) throw new ToolError('no_change', 'the document already has this text', 'leave it as it is');
  const prepared = pieces.map((piece) => piece.prepared);
  const guards = rehearse(deps, tree, prepared, null);
  return deps.finish({
    tool,
    notebook,
    document,
    target: { kind: 'existing', documentId: where.id },
    anchor: null,
    shown: [...pieces].sort((one, other) => one.at - other.at).map((piece) => piece.shown),
    prepared,
    notices: [...notices, ...guards],
    pushPosition,
    signal,
    undo: lost.some(isBound) ? { kind: 'partial', notes: ['rows-and-cards'] } : undefined,
  });
}
