import { fitsInto, isContainer } from '../../tools/contract/block-kinds.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { BlockTarget, NotePlanner } from '../../tools/contract/note-planner.ts';
import type { ChangePlan, PlanOperation } from '../../tools/contract/plans.ts';
import { shownMarkdown } from '../reading/block-view.ts';
import { emptiedBy } from '../transactions/kernel-place.ts';
import { rehearse } from '../transactions/plan-rehearsal.ts';
import type { Anchor, PreparedOperation } from '../transactions/prepared-plan.ts';
import type { BlockTree } from '../tree/block-tree.ts';
import { placeNames } from '../tree/place-words.ts';
import { type BlockSelection, selectedDoms, wholeBlock, withBlocks } from './block-selection.ts';
import type { EditPlannerDeps } from './edit-planner.ts';
import { readNumbering } from './list-numbering.ts';
import type { PlanDraft } from './plan-draft.ts';
import { targetPosition } from './plan-position.ts';

const badTarget = (what: string, next: string): ToolError => new ToolError('bad_target', what, next);

/** Interprets "at the end of this" or "after this" as a person means it: under a heading it is the end of the section. */
function anchorFor(tree: BlockTree, target: BlockTarget): Anchor {
  if ('after' in target) {
    if (tree.hasDocument(target.after)) throw badTarget('nothing can be placed after a document', 'give the document as parent instead');
    return { kind: 'after', id: target.after };
  }
  const type = tree.typeOf(target.parent);
  if (type === 'h') return { kind: 'section-end', heading: target.parent };
  if (type === 'd' || isContainer(type)) return { kind: 'last', parent: target.parent };
  throw badTarget(
    `block ${target.parent} cannot contain other blocks`,
    'use after with this id, or the id of a document, heading, list item or quote',
  );
}

function assertFits(chosen: BlockSelection, parentId: string): void {
  const { ids, tree } = chosen;
  const moved = new Set(ids);
  for (const id of ids) {
    if (id === parentId || tree.isInside(parentId, id)) throw badTarget(`block ${id} cannot go into itself`, 'choose a place outside it');
    if (tree.parentsOf(id).some((parent) => moved.has(parent)))
      throw badTarget(`block ${id} is part of another block that is to be moved`, 'leave it out: it goes along with the block around it');
    const isItem = tree.typeOf(id) === 'i';
    const isList = tree.typeOf(parentId) === 'l';
    if (isItem && !isList) throw badTarget(`list item ${id} fits only into a list`, 'choose a list or a list item as the place');
    if (!isItem && isList)
      throw badTarget(`a list contains only list items, and block ${id} is not one`, 'choose the list item it is to belong to');
    if (isItem && tree.subtypeOf(id) !== tree.subtypeOf(parentId))
      throw badTarget(
        `list item ${id} belongs to another kind of list`,
        'insert it there again, in the style of that list, and delete the old item',
      );
    if (!fitsInto(tree.typeOf(parentId), tree.typeOf(id)))
      throw badTarget(`block ${id} does not fit into block ${parentId} (${tree.typeOf(parentId)})`, 'choose a place outside that block');
  }
}

const orderOf = (tree: BlockTree, documents: Iterable<string>): string =>
  [...documents]
    .map((id) =>
      tree
        .descendantsOf(id)
        .map((each) => `${tree.parentOf(each)}/${each}`)
        .join(),
    )
    .join('|');

/** Rejects moves that change nothing or that SiYuan cannot do; returns notices for the person who approves. */
function assertMoves(
  deps: EditPlannerDeps,
  chosen: BlockSelection,
  anchor: Anchor,
  prepared: readonly PreparedOperation[],
): Required<Pick<PlanDraft, 'notices' | 'emptied'>> {
  const { tree, documents } = chosen;
  const before = orderOf(tree, documents.keys());
  const left = emptiedBy(
    tree,
    prepared.map(({ blockId }) => blockId),
  );
  const notices = rehearse(deps, tree, prepared, anchor);
  if (orderOf(tree, documents.keys()) === before)
    throw new ToolError('no_change', 'the blocks are already there', 'leave them as they are');
  return { notices, emptied: withoutChildren(tree, left) };
}

/** The containers that are empty now, inner ones first: a block may have moved back into one. */
function withoutChildren(tree: BlockTree, containers: readonly string[]): readonly string[] {
  const empty = new Set<string>();
  for (const id of containers) if (tree.childrenOf(id).every((child) => empty.has(child))) empty.add(id);
  return [...empty];
}

/** Moves within a notebook, in the given order. A heading moves alone, a folded one with what it hides. */
export async function planMoveBlocks(
  deps: EditPlannerDeps,
  request: Parameters<NotePlanner['planMoveBlocks']>[0],
  tool: string,
  signal: AbortSignal,
): Promise<ChangePlan> {
  const pushPosition = deps.pushes.position();
  const { target } = request;
  const targetId = 'after' in target ? target.after : target.parent;
  const useForDocument = 'use organize_doc to move documents';
  if (request.ids.includes(targetId)) throw badTarget('a block cannot be moved to itself', 'choose another place');
  const asked = { ids: request.ids, target: targetId, useForDocument };
  return withBlocks(deps, asked, signal, (chosen) => planMove(deps, chosen, target, { tool, pushPosition }, signal));
}

async function planMove(
  deps: EditPlannerDeps,
  chosen: BlockSelection,
  target: BlockTarget,
  { tool, pushPosition }: Pick<PlanDraft, 'tool' | 'pushPosition'>,
  signal: AbortSignal,
): Promise<ChangePlan> {
  const { tree, documents, notebook } = chosen;
  const targetId = 'after' in target ? target.after : target.parent;
  const along = new Set(chosen.ids.flatMap((id) => tree.hiddenBelow(id)));
  // Blocks hidden by a folded heading move with it.
  const ids = chosen.ids.filter((id) => !along.has(id));
  const anchor = anchorFor(tree, target);
  assertFits({ ...chosen, ids }, anchor.kind === 'last' ? anchor.parent : tree.parentOf(targetId));
  const targetDocument = documents.get(tree.documentOf(targetId));
  if (!targetDocument) throw new Error('the target was located in no document');
  const after = targetPosition(tree, targetDocument.title, target);
  const doms = await selectedDoms(deps, tree, ids, signal);
  const wholes = ids.map((id) => wholeBlock(doms[id], id));
  const wholeDoms = wholes.map(({ dom }) => dom);
  const texts = await shownMarkdown(deps, wholeDoms, signal);
  const operations = ids.map((blockId, index) => {
    const before = wholes[index] ?? wholeBlock(undefined, blockId);
    const document = documents.get(tree.documentOf(blockId));
    const id = deps.nextId('op');
    const markdown = texts[index] ?? '';
    const shown: PlanOperation = {
      id,
      action: 'move',
      blockId,
      blockType: tree.typeOf(blockId),
      before: markdown,
      after: markdown,
      requires: [],
      position: { before: { path: placeNames(tree, document?.title ?? '', blockId) }, after },
      document: documents.size > 1 && document ? document : undefined,
    };
    const prepared: PreparedOperation = { id, action: 'move', blockId, dom: before.dom, before, documentId: document?.id ?? '' };
    return { shown, prepared };
  });
  const prepared = operations.map((each) => each.prepared);
  const parents = [...ids.map((id) => tree.parentOf(id)), anchor.kind === 'last' ? anchor.parent : tree.parentOf(targetId)];
  const numbering = await readNumbering(deps.routes, tree, parents, signal);
  const moves = assertMoves(deps, chosen, anchor, prepared);
  return deps.finish({
    tool,
    notebook,
    document: targetDocument,
    target: { kind: 'existing', documentId: targetDocument.id ?? '' },
    anchor,
    shown: operations.map((each) => each.shown),
    prepared,
    ...moves,
    ...numbering.lists,
    notices: [...moves.notices, ...numbering.notices()],
    pushPosition,
    signal,
  });
}
