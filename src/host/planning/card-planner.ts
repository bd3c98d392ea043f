import { ToolError } from '../../tools/contract/errors.ts';
import type { NotePlanner } from '../../tools/contract/note-planner.ts';
import type { ChangePlan } from '../../tools/contract/plans.ts';
import type { BlockLocation } from '../access/access.ts';
import { BUILT_IN_DECK, decksIn } from '../blocks/card-decks.ts';
import { decksOf } from '../documents/structure-cards.ts';
import { noSuchBlock } from '../kernel/not-found.ts';
import { shownMarkdown } from '../reading/block-view.ts';
import { openPlace } from '../reading/readable-place.ts';
import { locateInOneNotebook, type PlanMaker, type PlannedStep, type StructurePlannerDeps } from './structure-plan.ts';

type CardPlannerDeps = StructurePlannerDeps & { readonly maker: PlanMaker };

/** Undefined where the block is, or is not, a card already. */
async function cardOf(
  deps: CardPlannerDeps,
  place: BlockLocation,
  isAdding: boolean,
  signal: AbortSignal,
): Promise<PlannedStep | undefined> {
  const { routes } = deps;
  const { id: blockId, documentId } = place;
  const tree = await openPlace(deps, place, signal);
  if (tree === null) throw new ToolError('bad_target', `${blockId} is a document`, 'give ids of blocks in it: each becomes one card');
  const before = await decksOf(deps, { blockId, documentId }, signal);
  if (before === undefined) throw noSuchBlock(blockId);
  if (isAdding ? decksIn(before).includes(BUILT_IN_DECK) : before === null) return undefined;
  const [markdown = ''] = await shownMarkdown(deps, [(await routes.doms([blockId], signal))[blockId] ?? ''], signal);
  return {
    shown: {
      action: isAdding ? 'add-flashcard' : 'remove-flashcard',
      blockId,
      blockType: tree.type,
      before: markdown,
      after: markdown,
      document: { id: documentId, title: place.documentTitle, path: await routes.pathOf(documentId, signal) },
    },
    step: {
      kind: 'card',
      blockId,
      documentId,
      before,
      after: isAdding ? [...decksIn(before), BUILT_IN_DECK].join(',') : null,
      result: 'unknown',
    },
  };
}

export async function planFlashcards(
  deps: CardPlannerDeps,
  { op, ids }: Parameters<NotePlanner['planFlashcards']>[0],
  tool: string,
  signal: AbortSignal,
): Promise<ChangePlan> {
  const isAdding = op === 'create';
  const places = await locateInOneNotebook(deps, ids, signal);
  const planned: PlannedStep[] = [];
  for (const place of places) {
    const step = await cardOf(deps, place, isAdding, signal);
    if (step) planned.push(step);
  }
  const [first] = planned;
  if (!first?.shown.document) {
    const message = isAdding ? 'these blocks are flashcards already' : 'none of these blocks is a flashcard';
    throw new ToolError('no_change', message, 'leave them as they are');
  }
  return deps.maker.finish({
    tool,
    notebook: await deps.access.requireNotebook(places[0]?.notebook.id ?? '', 'read', signal),
    document: first.shown.document,
    planned,
    undo: isAdding ? { kind: 'exact' } : { kind: 'partial', notes: ['card-progress'] },
  });
}
