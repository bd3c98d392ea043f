import { ToolError } from '../../tools/contract/errors.ts';
import { hashOfBlock } from '../blocks/block-hash.ts';
import { idsIn } from '../blocks/emptied-container.ts';
import { documentHash, documentState } from '../documents/structure-documents.ts';
import type { StepKinds } from '../documents/structure-steps.ts';
import type { DeleteStep, RemovedDocument } from '../journal/structure-journal.ts';
import type { JournalEntry } from '../journal/write-journal.ts';
import { KernelRefusal } from '../kernel/kernel-client.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import type { TransactionLog } from '../kernel/transaction-log.ts';
import { isOurWriting } from './undo-judgement.ts';

async function hasOtherChildren(routes: KernelRoutes, notebook: string, id: string, signal: AbortSignal): Promise<boolean> {
  const { path } = await routes.blockInfo(id, signal);
  return (await routes.documentsAt(notebook, path, signal)).length > 0;
}

/** SiYuan's answer for any document while it indexes a notebook that was just opened. */
const INDEXING = 'indexing';

const isRefusal = (error: unknown): error is KernelRefusal => error instanceof KernelRefusal && error.code !== 'read_only';

/** Throws `kernel_refused` while nothing can be found yet: what is not indexed is not gone, and its Undo must not be used up. */
async function assertIndexed(routes: KernelRoutes, id: string, signal: AbortSignal): Promise<void> {
  try {
    await routes.pathOf(id, signal);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (error.kernelMessage === INDEXING)
      throw new ToolError('kernel_refused', 'SiYuan is still indexing', 'wait a little, then try again');
  }
}

async function isMissing(routes: KernelRoutes, id: string, signal: AbortSignal): Promise<boolean> {
  try {
    await routes.blockInfo(id, signal);
    return false;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await assertIndexed(routes, id, signal);
    return true;
  }
}

export interface RemovalDeps {
  readonly routes: KernelRoutes;
  readonly pushes: TransactionLog;
  readonly kinds: StepKinds;
}

/**
 * The ids of a document and of all blocks in it, if it contains only what we wrote, unchanged, and what its template wrote; otherwise
 * undefined.
 */
async function idsWhereOurs(
  routes: KernelRoutes,
  entry: JournalEntry,
  id: string,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  if (await hasOtherChildren(routes, entry.notebook, id, signal)) return undefined;
  const children = await routes.children(id, signal);
  const doms = await routes.doms(
    children.map((child) => child.id),
    signal,
  );
  const ours = new Map(entry.operations.map((operation) => [operation.blockId, operation]));
  const baseline = new Map(entry.document.created?.baseline.map((each) => [each.id, each.hash]));
  const isOurs = children.every((child) => {
    const dom = doms[child.id] ?? '';
    const operation = ours.get(child.id);
    if (operation) return isOurWriting(operation, dom);
    // SiYuan adds an empty paragraph to a document without blocks.
    return baseline.get(child.id) === hashOfBlock(dom) || (child.type === 'p' && `${child.content}${child.markdown}`.trim() === '');
  });
  return isOurs ? new Set([id, ...Object.values(doms).flatMap(idsIn)]) : undefined;
}

/**
 * Removes a document that contains only what we wrote. If somebody wrote in it within the last round trip, it is restored from the
 * history and undefined is returned, as for one that contains more. Otherwise returns what Redo needs to find it in the history.
 */
async function remove(deps: RemovalDeps, entry: JournalEntry, id: string, signal: AbortSignal): Promise<RemovedDocument | undefined> {
  const { routes, pushes, kinds } = deps;
  const position = pushes.position();
  // SiYuan's index takes changes of a document in the place of an earlier one: Redo's before this removal, unless that is done.
  await routes.flushIndex(signal);
  const state = await documentState(routes, id, signal);
  const hash = await documentHash(routes, id, signal);
  // Checked last, so that what somebody writes during the other reads counts.
  const ids = await idsWhereOurs(routes, entry, id, signal);
  if (!ids) return undefined;
  await routes.removeDocument(id, signal);
  const removed: RemovedDocument = { id, path: state?.path ?? '', title: state?.title ?? '', hash, copy: null };
  const isTouched = pushes
    .operationsSince(position)
    .some((each) => !each.own && [each.id, each.parentID, each.previousID].some((block) => ids.has(block)));
  if (!isTouched) return removed;
  const step: DeleteStep = { kind: 'delete', documentId: id, notebook: entry.notebook, documents: [removed], result: 'applied' };
  if ((await kinds.revert(step, signal)).length === 0) return undefined;
  throw new ToolError(
    'raced',
    `somebody wrote in ${removed.title} while Undo removed it, and it could not be brought back`,
    'look for it in the history of SiYuan',
  );
}

/**
 * Removes a document that a write created, and the parents created for it, unless others were added to them. 'keep' if there is no
 * such document or it contains more: then its blocks are undone one by one. Otherwise what was removed, parents before children; empty if
 * it was already gone.
 */
export async function removeCreated(
  deps: RemovalDeps,
  entry: JournalEntry,
  signal: AbortSignal,
): Promise<readonly RemovedDocument[] | 'keep'> {
  const { routes } = deps;
  const { id, created } = entry.document;
  if (!created || id === null) return 'keep';
  if (await isMissing(routes, id, signal)) return [];
  const first = await remove(deps, entry, id, signal);
  if (!first) return 'keep';
  const removed = [first];
  for (const parent of [...created.parents].reverse()) {
    const empty = { ...entry, operations: [], document: { id: parent, path: '', created: { parents: [], baseline: [] } } };
    const next = (await isMissing(routes, parent, signal)) ? undefined : await remove(deps, empty, parent, signal);
    if (!next) break;
    removed.unshift(next);
  }
  return removed;
}
