import type { ChangePlan } from '../../tools/contract/plans.ts';
import type { Clock, WriteOrigin } from '../../tools/contract/ports.ts';
import type { Access } from '../access/access.ts';
import { parseBlock, type Random, serializeBlock, timestamp } from '../blocks/block-dom.ts';
import { idsIn } from '../blocks/emptied-container.ts';
import { CITES_ATTRIBUTE, READ_ATTRIBUTE, SOURCE_ATTRIBUTE } from '../blocks/source-attributes.ts';
import { openTrash } from '../documents/trash-document.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import type { TransactionLog } from '../kernel/transaction-log.ts';
import { asWritable } from '../transactions/block-writer.ts';
import { newlyGuarded } from '../transactions/guarded-sections.ts';
import { emptiedBy, withHidden } from '../transactions/kernel-place.ts';
import { readOrderedLists } from '../transactions/list-order.ts';
import { resolveAnchor } from '../transactions/plan-anchor.ts';
import { anchorIds } from '../transactions/plan-places.ts';
import { planSteps, type StampedOperation } from '../transactions/plan-steps.ts';
import type { Anchor, PreparedOperation, PreparedPlan } from '../transactions/prepared-plan.ts';
import { assertFresh, stale } from '../transactions/write-check.ts';
import type { WriteStep } from '../transactions/write-step.ts';
import type { BlockTree } from '../tree/block-tree.ts';
import { type Focus, withTree } from '../tree/near-tree.ts';
import type { CitesByBlock } from './stamp-cites.ts';

export interface StepDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly pushes: TransactionLog;
  readonly clock: Clock;
  readonly random: Random;
}

export interface StepJob {
  readonly plan: ChangePlan;
  readonly prepared: PreparedPlan;
  readonly operations: readonly PreparedOperation[];
  readonly origin: WriteOrigin;
  readonly cites: CitesByBlock;
  readonly signal: AbortSignal;
}

/** Every block records the chat whose model wrote it, whether edited or new, and what it cites; nobody has read it yet. */
export function stamp(operation: PreparedOperation, { origin, cites }: Pick<StepJob, 'origin' | 'cites'>, clock: Clock): StampedOperation {
  if (operation.action === 'delete' || operation.action === 'move') return operation;
  const updated = timestamp(clock);
  const block = parseBlock(operation.action === 'update' ? asWritable(operation.dom, updated) : operation.dom);
  if (!block) throw new Error('a plan holds something that is not one block');
  if (!origin.byPerson) block.attribs[SOURCE_ATTRIBUTE] = `${origin.sessionId}/${origin.nodeId}/${origin.callId}`;
  delete block.attribs[READ_ATTRIBUTE];
  delete block.attribs[CITES_ATTRIBUTE];
  const cited = cites.get(operation.blockId);
  if (cited) block.attribs[CITES_ATTRIBUTE] = cited;
  block.attribs.updated = updated;
  return { ...operation, dom: serializeBlock(block) };
}

/** Inserts of an edit follow the edited block, whether or not its own change was accepted. */
function defaultAnchor(prepared: PreparedPlan, documentId: string): Anchor {
  const first = prepared.operations[0];
  return first?.action === 'update' ? { kind: 'after', id: first.blockId } : { kind: 'last', parent: documentId };
}

const inChain = ({ action, place }: PreparedOperation): boolean => place === undefined && (action === 'insert' || action === 'move');

/** The plan's own document first. */
export const documentsOf = (operations: readonly PreparedOperation[], documentId: string): readonly string[] => [
  ...new Set([documentId, ...operations.map((operation) => operation.documentId ?? documentId)]),
];

function namedBy({ blockId, place }: PreparedOperation): readonly string[] {
  if (place === undefined || place === 'trash') return [blockId];
  return [blockId, place.parentId, ...place.after, ...(typeof place.before === 'string' ? [place.before] : [])];
}

/** The blocks and positions that the operations touch in each document. */
function focusOf(job: StepJob, documentId: string, anchor: Anchor | null, trash: string | null): ReadonlyMap<string, Focus> {
  const focus = new Map<string, Focus>();
  for (const id of documentsOf(job.operations, documentId)) {
    const own = job.operations.filter((operation) => (operation.documentId ?? documentId) === id);
    const home = id === documentId;
    const ids = [...own.flatMap(namedBy), ...(home ? anchorIds(anchor) : [])];
    const end =
      (home && anchor?.kind === 'last' && anchor.parent === id) ||
      own.some(({ place }) => typeof place === 'object' && place.before === null);
    const sections = home && anchor?.kind === 'section-end' ? [anchor.heading] : [];
    focus.set(id, { ids: [...new Set(ids)], end, sections });
  }
  if (trash !== null) focus.set(trash, { ids: focus.get(trash)?.ids ?? [], end: true });
  return focus;
}

/** The steps for the current documents, and those in their final state. Rejects with `stale` if something has changed since. */
export async function stepsNow(
  deps: StepDeps,
  job: StepJob,
  documentId: string,
): Promise<{ readonly steps: WriteStep[]; readonly tree: BlockTree }> {
  const { prepared, operations, signal } = job;
  const trash = operations.some(({ place }) => place === 'trash') ? await openTrash(deps, job.plan.notebook.id, signal) : null;
  const anchor = operations.some(inChain) ? (prepared.anchor ?? defaultAnchor(prepared, documentId)) : null;
  const focus = focusOf(job, documentId, anchor, trash);
  return withTree(deps.routes, focus, signal, async (tree) => {
    const { pushPosition } = prepared;
    await assertFresh(deps, tree, { operations, documentId, pushPosition }, signal);
    return { steps: await stepsIn(deps, job, tree, anchor, trash), tree };
  });
}

async function stepsIn(deps: StepDeps, job: StepJob, tree: BlockTree, anchor: Anchor | null, trash: string | null): Promise<WriteStep[]> {
  const { prepared, operations, signal } = job;
  const { clock, random } = deps;
  const moving = operations.filter((operation) => operation.action === 'move').map((operation) => operation.blockId);
  const leaving = operations.filter(({ action }) => action === 'move' || action === 'delete').map(({ blockId }) => blockId);
  const accepted = new Set(operations);
  const guarded = tree.guardedIds();
  const lists = await readOrderedLists(deps.routes, prepared.numbered ?? [], signal);
  const leftOut = prepared.operations.filter((operation) => !accepted.has(operation) && operation.action === 'move');
  const steps = planSteps(
    {
      tree,
      operations: operations.map((operation) => stamp(operation, job, clock)),
      start: anchor ? resolveAnchor(tree, anchor, withHidden(tree, moving)) : null,
      trash,
      containers: await containerDoms(deps.routes, tree, emptiedBy(tree, leaving), signal),
      lists,
      clock,
      random,
    },
    new Set(leftOut.map((operation) => operation.blockId)),
  );
  const announced = job.plan.notices.some(({ code }) => code === 'comes-under-guard');
  if (!announced && newlyGuarded(tree, guarded).length > 0)
    throw stale('blocks would move under a heading that is hidden from the model, which the approval did not mention');
  return steps;
}

/** In the given order, whatever order the kernel answers in. Rejects with `stale` if a block was added to one meanwhile. */
async function containerDoms(
  routes: KernelRoutes,
  tree: BlockTree,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const doms = await routes.doms(ids, signal);
  const known = tree.ids();
  const filled = ids.find((id) => idsIn(doms[id] ?? '').some((each) => !known.has(each)));
  if (filled !== undefined) throw stale(`someone wrote in block ${filled}, which would have been left empty`);
  return Object.fromEntries(ids.map((id) => [id, doms[id] ?? '']));
}
