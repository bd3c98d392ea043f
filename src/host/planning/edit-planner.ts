import { fitsInto } from '../../tools/contract/block-kinds.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { ChangePlan, PlanNotice, PlanOperation, PlanPosition } from '../../tools/contract/plans.ts';
import type { NotesPort } from '../../tools/contract/ports.ts';
import { inOwnSigns } from '../../tools/equal-text/equal-text.ts';
import { preview } from '../../tools/util/graphemes.ts';
import type { BlockLocation } from '../access/access.ts';
import { type MaskedIds, unmaskReferences } from '../access/dynamic-references.ts';
import { knownReferences } from '../access/known-references.ts';
import { beyondMarkdown, isBeyondMarkdown } from '../blocks/beyond-markdown.ts';
import { adoptIdentity } from '../blocks/block-align.ts';
import {
  allBlocks,
  attributeValues,
  type BlockElement,
  blockId,
  blockType,
  childBlocks,
  cloneBlock,
  findBlock,
  parseBlock,
  parseBlocks,
  serializeBlock,
  timestamp,
  withoutZwsp,
  writableDom,
} from '../blocks/block-dom.ts';
import { isMarkdownSafe, leafWith, replaceOnce, requireBlock, type TextEdit } from '../blocks/block-edit.ts';
import { hashOfBlock, shortHash } from '../blocks/block-hash.ts';
import { isEmptyParagraph } from '../blocks/emptied-container.ts';
import { numberOf, setNumber, takeListStyle } from '../blocks/list-numbers.ts';
import { replaceInText } from '../blocks/text-edit.ts';
import { existingContent } from '../content/active-content.ts';
import type { ContentFilter, FilteredContent } from '../content/content-filter.ts';
import { TYPED, turnsAnew } from '../content/typed-text.ts';
import { noSuchBlock } from '../kernel/not-found.ts';
import { createBlockViewer, shownMarkdown } from '../reading/block-view.ts';
import { openPlace, requireReadable } from '../reading/readable-place.ts';
import { type OrderedLists, readOrderedLists } from '../transactions/list-order.ts';
import { assertReferencesStay } from '../transactions/lost-references.ts';
import { rehearse } from '../transactions/plan-rehearsal.ts';
import type { PreparedOperation } from '../transactions/prepared-plan.ts';
import { isGuardedElement } from '../tree/document-tree.ts';
import { withTree } from '../tree/near-tree.ts';
import { numberedLists, numberingNotices, withItems } from './list-numbering.ts';
import type { ChangePlannerDeps, PlanDraft } from './plan-draft.ts';
import { namedElement } from './plan-position.ts';

export type EditRequest = Parameters<NotesPort['planEdit']>[0];

export interface EditPlannerDeps extends ChangePlannerDeps {
  readonly filter: ContentFilter;
  readonly finish: (draft: PlanDraft) => Promise<ChangePlan>;
  readonly nextId: (kind: string) => string;
}

interface ReadableBlock {
  readonly block: BlockElement;
  readonly masked: MaskedIds;
}

/** The result of an edit before it becomes a plan: one updated block, and blocks inserted after it. */
interface EditResult {
  readonly target: BlockElement;
  readonly updatedDom: string;
  readonly insertedDoms: readonly string[];
  readonly notices: readonly PlanNotice[];
  readonly masked: MaskedIds;
}

/** Notices about references that the model could not read: those that its new text keeps continue to show their text. */
function referenceNotices({ target, updatedDom, insertedDoms, masked }: EditResult, whole: boolean): PlanNotice[] {
  const hiddenReferences = [...masked].filter((id) => attributeValues(target, 'data-id').has(id));
  const written = [updatedDom, ...insertedDoms].flatMap((dom) =>
    parseBlocks(dom).flatMap((block) => [...attributeValues(block, 'data-id')]),
  );
  const kept = hiddenReferences.filter((id) => written.includes(id)).length;
  const notices = [
    { code: 'unreadable-references-kept', count: whole ? kept : 0 },
    { code: 'unreadable-references-lost', count: hiddenReferences.length - kept },
  ];
  return notices.filter((notice) => notice.count > 0);
}

const SHOWN_CHARS = 400;

/** A bar in the replacement of part of a cell is text and does not end the cell. A line break does not end the row. */
function withinCell(edit: TextEdit): TextEdit {
  if (/\n|(?<!\\)\|/.test(edit.old)) return edit;
  // Rows begin with a bar.
  if (/\n[ \t]*\|/.test(edit.new)) return edit;
  return { old: edit.old, new: edit.new.replace(/(?<!\\)\|/g, '\\|').replace(/\n+/g, '<br />') };
}

/** The children of an item whose new text is only its own line: a reading lists an item this way, with its children as further items. */
function childrenBelow(old: BlockElement, fresh: BlockElement): readonly BlockElement[] {
  const [own, ...below] = childBlocks(old);
  const isLine = childBlocks(fresh).length === 1;
  return own && blockType(own) !== 'l' && isLine ? below.map(cloneBlock) : [];
}

/** As the last block of a container: before what SiYuan adds at its end. */
function appendChild(parent: BlockElement, child: BlockElement): void {
  const last = childBlocks(parent).at(-1);
  parent.children.splice(last ? parent.children.indexOf(last) + 1 : parent.children.length, 0, child);
  child.parent = parent;
}

class EditPlanner implements Pick<NotesPort, 'planEdit'> {
  private readonly deps: EditPlannerDeps;

  constructor(deps: EditPlannerDeps) {
    this.deps = deps;
  }

  async planEdit(request: EditRequest, tool: string, signal: AbortSignal): Promise<ChangePlan> {
    const pushPosition = this.deps.pushes.position();
    const where = await this.deps.access.locate(request.id, 'read', signal);
    const notebook = await this.deps.access.requireNotebook(where.notebook.id, 'read', signal);
    const dom = await this.openBlock(where, signal);
    await this.checkHash(dom, request.expectHash, signal);
    const result = await this.editBlock(await this.readable(dom, signal), request, signal);
    if (
      result.insertedDoms.length === 0 &&
      parseBlock(result.updatedDom) &&
      hashOfBlock(result.updatedDom) === hashOfBlock(serializeBlock(result.target))
    ) {
      throw new ToolError('no_match', 'the edit changes nothing', 'leave the block as it is, or give other text');
    }
    await this.checkFits(where, requireBlock(dom), result, signal);
    const operations = this.operationsOf(result, requireBlock(dom), where.documentTitle);
    await assertReferencesStay(this.deps.routes, operations.prepared, signal);
    const guards = await this.checkHeadings(where.documentId, operations.prepared, signal);
    const path = await this.deps.routes.pathOf(where.documentId, signal);
    const numbering = await this.numbering(where, result, signal);
    const order = withItems([...numbering.items.keys()], { kind: 'after', id: blockId(result.target) }, result.insertedDoms.length);
    return this.deps.finish({
      tool,
      notebook,
      document: { id: where.documentId, title: where.documentTitle, path },
      target: { kind: 'existing', documentId: where.documentId },
      anchor: null,
      ...operations,
      ...numberedLists(numbering),
      notices: [
        ...result.notices,
        ...referenceNotices(result, 'markdown' in request),
        ...guards,
        ...numberingNotices(numbering, () => order),
      ],
      pushPosition,
      signal,
    });
  }

  /** A changed leaf must fit into its container: SiYuan allows no list in an item of a mind map. */
  private async checkFits(
    where: BlockLocation,
    whole: BlockElement,
    { target, updatedDom, insertedDoms }: EditResult,
    signal: AbortSignal,
  ) {
    const written = [updatedDom, ...insertedDoms].flatMap((dom) => parseBlocks(dom).map(blockType));
    if (written.length === 1 && written[0] === blockType(target)) return;
    const above = findBlock([whole], blockId(target))?.parents[0];
    const parentType = above ? blockType(above) : (await openPlace(this.deps, { ...where, id: blockId(target) }, signal))?.parentType;
    if (written.every((type) => fitsInto(parentType ?? 'd', type))) return;
    throw new ToolError(
      'bad_target',
      `the container of this block (${parentType}) allows no other kind of block`,
      'keep it one block of its kind',
    );
  }

  private async numbering(where: BlockLocation, { target, insertedDoms }: EditResult, signal: AbortSignal): Promise<OrderedLists> {
    const isAlone = insertedDoms.length === 0 || numberOf(target) === undefined;
    const place = isAlone ? null : await openPlace(this.deps, { ...where, id: blockId(target) }, signal);
    return readOrderedLists(this.deps.routes, place ? [place.parentId] : [], signal);
  }

  /** Adding or removing a heading changes the section that a fold hides or a guard covers. */
  private async checkHeadings(documentId: string, operations: readonly PreparedOperation[], signal: AbortSignal): Promise<PlanNotice[]> {
    const isHeading = (dom: string): boolean => parseBlocks(dom).some((block) => allBlocks(block).some((each) => blockType(each) === 'h'));
    if (!operations.some(({ dom, before }) => isHeading(dom) || isHeading(before?.dom ?? ''))) return [];
    const id = operations[0]?.blockId ?? '';
    return withTree(this.deps.routes, new Map([[documentId, { ids: [id] }]]), signal, (tree) =>
      rehearse(this.deps, tree, operations, { kind: 'after', id }),
    );
  }

  private async openBlock(where: BlockLocation, signal: AbortSignal): Promise<string> {
    if (where.id === where.documentId)
      throw new ToolError('bad_id', 'this id is a document', 'edit one of its blocks: read_doc gives their ids');
    await requireReadable(this.deps, where, signal);
    const dom = await this.deps.routes.dom(where.id, signal);
    if (allBlocks(requireBlock(dom)).some(isGuardedElement)) {
      throw new ToolError('no_right', 'a part of this block is hidden from the model', 'edit the blocks around it by their own ids');
    }
    return dom;
  }

  private async checkHash(dom: string, expectHash: string, signal: AbortSignal): Promise<void> {
    const hash = hashOfBlock(dom);
    if (expectHash.length >= 8 && hash.startsWith(expectHash)) return;
    const [now = ''] = await shownMarkdown(this.deps, [dom], signal);
    throw new ToolError(
      'stale',
      'the block has changed since it was read',
      `edit again with expectHash ${shortHash(hash)}`,
      undefined,
      preview(now, SHOWN_CHARS),
    );
  }

  /** The block as the model could read it: nothing is matched against hidden text. */
  private async readable(dom: string, signal: AbortSignal): Promise<ReadableBlock> {
    const viewer = createBlockViewer({ engine: this.deps.engine, readable: this.deps.access });
    const [view] = await viewer.view([dom], signal);
    if (!view) throw noSuchBlock(blockId(requireBlock(dom)));
    return { block: view.element, masked: view.masked };
  }

  private async editBlock({ block, masked }: ReadableBlock, request: EditRequest, signal: AbortSignal): Promise<EditResult> {
    if ('markdown' in request) {
      if (isBeyondMarkdown(block)) throw beyondMarkdown(block);
      // An empty block has no Markdown, and nothing to lose.
      if (!isEmptyParagraph(block) && !(await this.isSafe(block, signal))) {
        throw new ToolError(
          'not_markdown_safe',
          'this block contains something that Markdown cannot express and would lose',
          'use edits on pieces of plain text',
        );
      }
      return { ...(await this.rewrite(block, request.markdown, signal)), masked };
    }
    const markdown = this.markdownOf(block);
    const edits = request.edits.map((edit) => inOwnSigns(markdown, { old: withoutZwsp(edit.old), new: edit.new }));
    const edited = replaceOnce(markdown, edits);
    const leaf = allBlocks(block).length > 1 ? leafWith(this.deps.engine, block, edits) : undefined;
    const target = leaf ?? block;
    if (await this.isSafe(target, signal)) {
      const inCells = blockType(target) === 't' ? edits.map(withinCell) : edits;
      const markdownOfTarget = target === block && inCells === edits ? edited : replaceOnce(this.markdownOf(target), inCells);
      return { ...(await this.rewrite(target, markdownOfTarget, signal)), masked };
    }
    if (isBeyondMarkdown(target)) throw beyondMarkdown(target);
    return { ...(await this.editText(target, edits, signal)), masked };
  }

  /** Edits a block that Markdown cannot express: everything outside the edits is unchanged. */
  private async editText(target: BlockElement, edits: readonly TextEdit[], signal: AbortSignal): Promise<Omit<EditResult, 'masked'>> {
    const changed = cloneBlock(target);
    const filter = this.filterFor(target, signal);
    const notices: FilteredContent['notices'][] = [];
    await replaceInText(changed, edits, async (markdown) => {
      const content = await filter(markdown);
      notices.push(content.notices);
      return content.blocks;
    });
    if (turnsAnew(this.deps.engine, changed, target)) throw new ToolError('unsafe_markdown', TYPED.what, TYPED.instead);
    return { target, updatedDom: writableDom(changed, timestamp(this.deps.clock)), insertedDoms: [], notices: notices.flat() };
  }

  private async rewrite(target: BlockElement, markdown: string, signal: AbortSignal): Promise<Omit<EditResult, 'masked'>> {
    const content = await this.filterFor(target, signal)(markdown);
    const isItem = blockType(target) === 'i';
    const made = content.blocks.flatMap((dom) =>
      parseBlocks(dom).flatMap((block) => (isItem && blockType(block) === 'l' ? childBlocks(block) : [block])),
    );
    if (isItem && made.some((block) => blockType(block) !== 'i')) {
      throw new ToolError('not_markdown_safe', 'a list item stays a list item', 'write it as a list, beginning with "- "');
    }
    const [first, ...rest] = made;
    if (!first) throw new ToolError('empty_text', 'nothing would be left of the block', 'delete the block instead');
    if (isItem) for (const item of made) takeListStyle(item, target);
    const number = numberOf(target);
    if (number !== undefined) setNumber(first, number);
    const below = isItem ? childrenBelow(target, first) : [];
    adoptIdentity(target, first, (block) => this.markdownOf(block));
    for (const child of below) appendChild(first, child);
    return {
      target,
      updatedDom: writableDom(first, timestamp(this.deps.clock)),
      insertedDoms: rest.map(serializeBlock),
      notices: [...content.notices, ...(below.length > 0 ? [{ code: 'item-children-kept', count: below.length }] : [])],
    };
  }

  private isSafe(target: BlockElement, signal: AbortSignal): Promise<boolean> {
    return isMarkdownSafe(this.deps.engine, target, async (markdown) => (await this.filterFor(target, signal)(markdown)).blocks);
  }

  private filterFor(target: BlockElement, signal: AbortSignal): (markdown: string) => Promise<FilteredContent> {
    // Existing content of the block may stay: its remote images and its references.
    const existing = existingContent(serializeBlock(target));
    const references = attributeValues(target, 'data-id');
    const known = knownReferences(this.deps.access, signal);
    const knownReferencesHere = async (ids: readonly string[]): Promise<ReadonlySet<string>> =>
      new Set([...references, ...(await known(ids.filter((id) => !references.has(id))))]);
    return (markdown) => this.deps.filter.filter({ markdown, existing, knownReferences: knownReferencesHere });
  }

  /** The plan shows the readable block; written, and saved for undo, is the block in `raw`. */
  private operationsOf(result: EditResult, raw: BlockElement, title: string): Pick<PlanDraft, 'shown' | 'prepared'> {
    const shownBefore = this.markdownOf(result.target);
    const target = findBlock([raw], blockId(result.target))?.block;
    if (!target) throw new Error('an edit of a block that is not in the one that was read');
    const beforeDom = serializeBlock(target);
    const existing = existingContent(beforeDom);
    const below: PlanPosition = { path: [title], at: 'after', block: namedElement(requireBlock(result.updatedDom)) };
    const make = (action: 'update' | 'insert', dom: string): { shown: PlanOperation; prepared: PreparedOperation } => {
      const block = requireBlock(dom);
      const after = this.deps.engine.toMarkdown(dom);
      unmaskReferences(block, raw, result.masked);
      const id = this.deps.nextId('op');
      const before = action === 'update' ? { dom: beforeDom, hash: hashOfBlock(beforeDom) } : null;
      const shown: PlanOperation = {
        id,
        action,
        blockId: blockId(block),
        blockType: blockType(block),
        before: before ? shownBefore : null,
        after,
        requires: [],
        position: action === 'insert' ? { after: below } : undefined,
      };
      return { shown, prepared: { id, action, blockId: blockId(block), dom: serializeBlock(block), before, existing } };
    };
    const all = [make('update', result.updatedDom), ...result.insertedDoms.map((dom) => make('insert', dom))];
    return { shown: all.map((each) => each.shown), prepared: all.map((each) => each.prepared) };
  }

  private markdownOf(block: BlockElement): string {
    return this.deps.engine.toMarkdown(serializeBlock(block));
  }
}

export function createEditPlanner(deps: EditPlannerDeps): Pick<NotesPort, 'planEdit'> {
  return new EditPlanner(deps);
}
