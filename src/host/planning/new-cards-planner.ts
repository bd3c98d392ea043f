import { ToolError } from '../../tools/contract/errors.ts';
import type { NewCard, NotePlanner } from '../../tools/contract/note-planner.ts';
import type { ChangePlan, PlanOperation, PlanPosition } from '../../tools/contract/plans.ts';
import type { InsertPosition } from '../../tools/contract/ports.ts';
import type { BlockLocation } from '../access/access.ts';
import { knownReferences } from '../access/known-references.ts';
import { type BlockElement, blockId, blockType, parseBlock, parseBlocks, serializeBlock } from '../blocks/block-dom.ts';
import { BUILT_IN_DECK, DECKS_ATTRIBUTE } from '../blocks/card-decks.ts';
import { isEmptyParagraph } from '../blocks/emptied-container.ts';
import type { FilteredContent } from '../content/content-filter.ts';
import { openPlace, type ReadablePosition } from '../reading/readable-place.ts';
import { chooseAnchor } from '../transactions/plan-anchor.ts';
import type { Anchor, PreparedOperation } from '../transactions/prepared-plan.ts';
import type { EditPlannerDeps } from './edit-planner.ts';
import { listAround } from './list-around.ts';
import type { PlanDraft } from './plan-draft.ts';
import { anchorPosition } from './plan-position.ts';
import { counted } from './structure-plan.ts';

const isList = (block: BlockElement): boolean => blockType(block) === 'l';

/** The place of cards: the end of a note or section, or after a block; before an empty paragraph, and past a list. */
async function anchorFor(
  deps: EditPlannerDeps,
  where: BlockLocation,
  signal: AbortSignal,
): Promise<{ readonly beside: BlockElement | undefined; readonly anchor: Anchor }> {
  let { id } = where;
  let place: ReadablePosition | null = await openPlace(deps, where, signal);
  while (place && (place.type === 'i' || place.parentType === 'l' || place.parentType === 'i')) {
    id = place.parentId;
    place = await openPlace(deps, { ...where, id }, signal);
  }
  const beside = place === null ? undefined : parseBlock(await deps.routes.dom(id, signal));
  return { beside, anchor: chooseAnchor(id, where.documentId, place, positionBy(beside)).anchor };
}

function positionBy(beside: BlockElement | undefined): InsertPosition {
  if (!beside || blockType(beside) === 'h') return 'append';
  // Somebody is about to write there, below the cards.
  return isEmptyParagraph(beside) ? 'before' : 'after';
}

class CardBlocks {
  private readonly filtered: (markdown: string) => Promise<FilteredContent>;
  private readonly counts = new Map<string, number>();

  constructor({ filter, access }: EditPlannerDeps, signal: AbortSignal) {
    this.filtered = (markdown) => filter.filter({ markdown, knownReferences: knownReferences(access, signal) });
  }

  /** A list of one item, the answer in a list below it: the form of which SiYuan hides the answer, and that reads well in a note. */
  async card({ question, answer }: NewCard, number: number): Promise<string> {
    const front = await this.blocks(question, `the question of card ${number}`);
    const back = await this.blocks(answer, `the answer of card ${number}`);
    if (front.some(isList)) {
      const message = `the question of card ${number} has a list, which SiYuan hides with the answer`;
      throw new ToolError('bad_value', message, 'put the list into the answer, or ask in a sentence');
    }
    const below = back.every(isList) ? back : [await listAround(this.filtered, 'u', back)];
    const list = await listAround(this.filtered, 'u', [...front, ...below]);
    list.attribs[DECKS_ATTRIBUTE] = BUILT_IN_DECK;
    return serializeBlock(list);
  }

  notices(): PlanDraft['notices'] {
    return counted([...this.counts].map(([code, count]) => ({ code, count })));
  }

  private async blocks(markdown: string, what: string): Promise<readonly BlockElement[]> {
    if (markdown.trim() === '') throw new ToolError('empty_text', `${what} is empty`, 'give both, or leave the card out');
    const { blocks, notices } = await this.filtered(markdown);
    for (const { code, count } of notices) this.counts.set(code, (this.counts.get(code) ?? 0) + count);
    return blocks.flatMap(parseBlocks);
  }
}

/** New blocks that are flashcards; each is an operation of its own. */
export async function planNewCards(
  deps: EditPlannerDeps,
  { cards, at }: Parameters<NotePlanner['planNewCards']>[0],
  tool: string,
  signal: AbortSignal,
): Promise<ChangePlan> {
  const pushPosition = deps.pushes.position();
  const where = await deps.access.locate(at, 'read', signal);
  const notebook = await deps.access.requireNotebook(where.notebook.id, 'read', signal);
  const { beside, anchor } = await anchorFor(deps, where, signal);
  const position = anchorPosition(where.documentTitle, anchor, beside);
  const made = new CardBlocks(deps, signal);
  const doms: string[] = [];
  for (const [index, card] of cards.entries()) doms.push(await made.card(card, index + 1));
  const operations = doms.map((dom) => operationOf(deps, dom, position));
  return deps.finish({
    tool,
    notebook,
    document: { id: where.documentId, title: where.documentTitle, path: await deps.routes.pathOf(where.documentId, signal) },
    target: { kind: 'existing', documentId: where.documentId },
    anchor,
    shown: operations.map(({ shown }) => shown),
    prepared: operations.map(({ prepared }) => prepared),
    notices: made.notices(),
    pushPosition,
    signal,
  });
}

function operationOf(deps: EditPlannerDeps, dom: string, position: PlanPosition): { shown: PlanOperation; prepared: PreparedOperation } {
  const block = parseBlock(dom);
  const [id, newId] = [deps.nextId('op'), block ? blockId(block) : ''];
  return {
    shown: {
      id,
      action: 'add-flashcard',
      blockId: newId,
      blockType: 'l',
      before: null,
      after: deps.engine.toMarkdown(dom),
      requires: [],
      position: { after: position },
    },
    prepared: { id, action: 'insert', blockId: newId, dom, before: null },
  };
}
