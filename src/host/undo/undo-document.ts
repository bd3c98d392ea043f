import { ToolError } from '../../tools/contract/errors.ts';
import { hashOfBlock } from '../blocks/block-hash.ts';
import { documentHash, documentState } from '../documents/structure-documents.ts';
import type { RemovedDocument } from '../journal/structure-journal.ts';
import type { JournalEntry } from '../journal/write-journal.ts';
import { KernelRefusal } from '../kernel/kernel-client.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { isOurWriting } from './undo-tasks.ts';

async function hasOtherChildren(routes: KernelRoutes, notebook: string, id: string, signal: AbortSignal): Promise<boolean> {
  const { path } = await routes.blockInfo(id, signal);
  return (await routes.documentsAt(notebook, path, signal)).length > 0;
}

/** What SiYuan answers of any document while it makes its index of a notebook that was opened a moment ago. */
const INDEXING = 'indexing';

const isRefusal = (error: unknown): error is KernelRefusal => error instanceof KernelRefusal && error.code !== 'read_only';

/** Throws `kernel_refused` where nothing can be found yet: what is not in the index is not gone, and its Undo must not be spent. */
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

/** True when the document holds nothing but what we wrote, unchanged, and what its template put there. */
async function isOurs(routes: KernelRoutes, entry: JournalEntry, id: string, signal: AbortSignal): Promise<boolean> {
  if (await hasOtherChildren(routes, entry.notebook, id, signal)) return false;
  const children = await routes.children(id, signal);
  const ids = children.map((child) => child.id);
  const doms = await routes.doms(ids, signal);
  const ours = new Map(entry.operations.map((operation) => [operation.blockId, operation]));
  const baseline = new Map(entry.document.created?.baseline.map((each) => [each.id, each.hash]));
  return children.every((child) => {
    const dom = doms[child.id] ?? '';
    const operation = ours.get(child.id);
    if (operation) return isOurWriting(operation, dom);
    // SiYuan puts an empty paragraph where nothing is left.
    return baseline.get(child.id) === hashOfBlock(dom) || (child.type === 'p' && `${child.content}${child.markdown}`.trim() === '');
  });
}

/** Gives what Redo needs to find it again in the kernel's history. */
async function remove(routes: KernelRoutes, id: string, signal: AbortSignal): Promise<RemovedDocument> {
  const state = await documentState(routes, id, signal);
  const hash = await documentHash(routes, id, signal);
  await routes.removeDocument(id, signal);
  return { id, path: state?.path ?? '', title: state?.title ?? '', hash, copy: null };
}

/**
 * Takes away a document that a write made, and the parents made for it, while nothing else has come into them. 'keep' where there is no
 * such document or it holds more: then its blocks are undone one by one. Otherwise what was removed, parents before children; nothing when it
 * was gone already.
 */
export async function removeCreated(
  routes: KernelRoutes,
  entry: JournalEntry,
  signal: AbortSignal,
): Promise<readonly RemovedDocument[] | 'keep'> {
  const { id, created } = entry.document;
  if (!created || id === null) return 'keep';
  if (await isMissing(routes, id, signal)) return [];
  if (!(await isOurs(routes, entry, id, signal))) return 'keep';
  const removed = [await remove(routes, id, signal)];
  for (const parent of [...created.parents].reverse()) {
    const empty = { ...entry, operations: [], document: { id: parent, path: '', created: { parents: [], baseline: [] } } };
    if ((await isMissing(routes, parent, signal)) || !(await isOurs(routes, empty, parent, signal))) break;
    removed.unshift(await remove(routes, parent, signal));
  }
  return removed;
}
