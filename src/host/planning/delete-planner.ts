import { ToolError } from '../../tools/contract/errors.ts';
import type { NotePlanner } from '../../tools/contract/note-planner.ts';
import type { ChangePlan, PlanOperation } from '../../tools/contract/plans.ts';
import type { UndoNote } from '../../tools/contract/undo-reasons.ts';
import { isBound, lossNotices } from '../access/block-losses.ts';
import { TRASH_PATH } from '../documents/trash-document.ts';
import { shownMarkdown } from '../reading/block-view.ts';
import { refersToAny, unknownReferences } from '../transactions/lost-references.ts';
import { rehearse } from '../transactions/plan-rehearsal.ts';
import type { PreparedOperation } from '../transactions/prepared-plan.ts';
import type { BlockTree } from '../tree/block-tree.ts';
import { type BlockSelection, selectedDoms, wholeBlock, withBlocks } from './block-selection.ts';
import type { EditPlannerDeps } from './edit-planner.ts';
import { readNumbering } from './list-numbering.ts';
import type { PlanDraft } from './plan-draft.ts';

/** The blocks that go with these: those inside, and containers without a remaining block; of headings not the section. In order. */
function doomedBlocks(tree: BlockTree, ids: readonly string[]): string[] {
  const doomed = new Set(ids);
  for (const id of doomed) {
    const parent = tree.parentOf(id);
    if (parent === '' || tree.hasDocument(parent)) continue;
    // The set grows while it is iterated: an added parent is visited in its turn.
    if (tree.childrenOf(parent).every((child) => doomed.has(child))) doomed.add(parent);
  }
  const outermost = [...doomed].filter((id) => !tree.parentsOf(id).some((parent) => doomed.has(parent)));
  const documents = [...new Set(outermost.map((id) => tree.documentOf(id)))];
  const wanted = new Set(outermost);
  return documents.flatMap((document) => tree.descendantsOf(document).filter((id) => wanted.has(id)));
}

/** Deleting a folded heading alone would leave its section hidden for good. */
export function assertNothingBuried(tree: BlockTree, doomed: ReadonlySet<string>): void {
  for (const id of doomed) {
    const left = tree.hiddenBelow(id).filter((each) => !doomed.has(each));
    if (left.length === 0) continue;
    const named = left.filter((each) => !tree.isGuarded(each)).slice(0, 50);
    throw new ToolError(
      'bad_target',
      `heading ${id} is folded and hides blocks that are not to be deleted`,
      named.length > 0
        ? `ask the user to unfold it first, or delete its section too: ${named.join(', ')}`
        : 'ask the user to unfold it first',
    );
  }
}

/** Deletes headings after the blocks that they hide: if a long deletion stops half-way, no block stays hidden without its heading. */
export const foldedLast = <T>(items: readonly T[], isFolded: (item: T) => boolean): T[] => [
  ...items.filter((item) => !isFolded(item)),
  ...items.filter(isFolded),
];

/** Losses in Undo of the blocks that are not moved to the trash. */
const notesOf = (lost: readonly string[], unknown: ReadonlySet<string>): UndoNote[] => [
  ...(lost.some(isBound) ? (['rows-and-cards'] as const) : []),
  ...(lost.some((dom) => refersToAny(dom, unknown)) ? (['references'] as const) : []),
];

/** The way to remove a block: a spared one is moved to the trash. */
function deletionOf(
  facts: { readonly id: string; readonly blockId: string; readonly before: PreparedOperation['before']; readonly documentId: string },
  spared: boolean,
): PreparedOperation {
  return spared ? { ...facts, action: 'move', dom: facts.before?.dom ?? '', place: 'trash' } : { ...facts, action: 'delete', dom: '' };
}

export async function planDeleteBlocks(
  deps: EditPlannerDeps,
  request: Parameters<NotePlanner['planDeleteBlocks']>[0],
  tool: string,
  signal: AbortSignal,
): Promise<ChangePlan> {
  const pushPosition = deps.pushes.position();
  const asked = { ids: request.ids, useForDocument: 'use delete_doc for documents' };
  return withBlocks(deps, asked, signal, (chosen) => planDeletion(deps, chosen, { tool, pushPosition }, signal));
}

const parentsOf = (tree: BlockTree, ids: readonly string[]): string[] => ids.map((id) => tree.parentOf(id));

async function planDeletion(
  deps: EditPlannerDeps,
  { ids, tree, documents, notebook }: BlockSelection,
  { tool, pushPosition }: Pick<PlanDraft, 'tool' | 'pushPosition'>,
  signal: AbortSignal,
): Promise<ChangePlan> {
  const doomed = doomedBlocks(tree, ids);
  assertNothingBuried(tree, new Set(doomed));
  const doms = await selectedDoms(deps, tree, doomed, signal);
  const wholes = doomed.map((id) => wholeBlock(doms[id], id));
  const wholeDoms = wholes.map(({ dom }) => dom);
  const texts = await shownMarkdown(deps, wholeDoms, signal);
  const unknown = await unknownReferences(deps.routes, wholeDoms, signal);
  const several = documents.size > 1;
  const shown: PlanOperation[] = [];
  const prepared: PreparedOperation[] = [];
  const [lost, kept]: [string[], string[]] = [[], []];
  for (const [index, blockId] of doomed.entries()) {
    const before = wholes[index] ?? wholeBlock(undefined, blockId);
    const document = documents.get(tree.documentOf(blockId));
    const id = deps.nextId('op');
    // An item can only be in a list; blocks in the trash are meant to be deleted.
    const spared =
      (isBound(before.dom) || refersToAny(before.dom, unknown)) && tree.typeOf(blockId) !== 'i' && document?.path !== TRASH_PATH;
    (spared ? kept : lost).push(before.dom);
    shown.push({
      id,
      action: 'delete',
      blockId,
      blockType: tree.typeOf(blockId),
      before: texts[index] ?? '',
      after: null,
      requires: [],
      to: spared ? TRASH_PATH : undefined,
      document: several && document ? document : undefined,
    });
    prepared.push(deletionOf({ id, blockId, before, documentId: document?.id ?? '' }, spared));
  }
  const losses = await lossNotices(deps, lost, signal);
  const last = foldedLast(prepared, (operation) => tree.isFolded(operation.blockId));
  const home = tree.documentOf(doomed[0] ?? '');
  const numbering = await readNumbering(deps.routes, tree, parentsOf(tree, doomed), signal);
  const guards = rehearse(deps, tree, last, null);
  const notes = notesOf(lost, unknown);
  return deps.finish({
    tool,
    notebook,
    document: documents.get(home) ?? [...documents.values()][0] ?? { id: null, title: '', path: '' },
    target: { kind: 'existing', documentId: home },
    anchor: null,
    shown,
    prepared: last,
    ...numbering.lists,
    notices: [...losses, ...guards, ...numbering.notices(), ...(kept.length > 0 ? [{ code: 'moved-to-trash', count: kept.length }] : [])],
    pushPosition,
    signal,
    undo: notes.length > 0 ? { kind: 'partial', notes } : undefined,
  });
}
