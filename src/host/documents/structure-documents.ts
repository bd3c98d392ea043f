import { ToolError } from '../../tools/contract/errors.ts';
import type { DocumentRights } from '../access/readable-blocks.ts';
import { isBlockId } from '../blocks/block-dom.ts';
import { hashOfBlock, hashText } from '../blocks/block-hash.ts';
import type { DocumentPlacement } from '../journal/structure-journal.ts';
import { KernelRefusal } from '../kernel/kernel-client.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import type { StructureRoutes } from '../kernel/structure-routes.ts';

export interface DocumentState {
  readonly id: string;
  readonly title: string;
  /** The kernel's path of ids. */
  readonly path: string;
  readonly place: DocumentPlacement;
}

export type DocumentBelow = Omit<DocumentState, 'place'>;

const MAX_DOCUMENTS = 1000;

export const parentOf = (path: string): string | null => path.split('/').at(-2) || null;
export const folderOf = (path: string): string => path.replace(/\.sy$/, '');

/** Null if it is gone. The title comes from the block index: right after a rename the attributes still have the old one (3.7.3). */
export async function documentState(routes: KernelRoutes, id: string, signal: AbortSignal): Promise<DocumentState | null> {
  // For a deleted document the kernel says "still indexing", as it does for one that is not indexed yet.
  if (!(await routes.exists(id, signal))) return null;
  try {
    const info = await routes.blockInfo(id, signal);
    return { id, title: info.rootTitle, path: info.path, place: { notebook: info.box, parent: parentOf(info.path) } };
  } catch (error) {
    if (error instanceof KernelRefusal && error.code !== 'read_only' && !(await routes.exists(id, signal))) return null;
    throw error;
  }
}

/** SQL over a document and everything below it, by the kernel's path of ids. */
function withinPath(notebook: string, path: string): string {
  const parts = folderOf(path).split('/').slice(1);
  if (!isBlockId(notebook) || !parts.every(isBlockId))
    throw new ToolError('bad_id', 'this is not where a document can be', 'look for the id again');
  return `box = '${notebook}' AND (path = '${path}' OR path LIKE '${folderOf(path)}/%')`;
}

/** All documents below one, parents before children, hidden ones too. Flushes the index first. */
export async function documentsBelow(
  routes: KernelRoutes,
  notebook: string,
  path: string,
  signal: AbortSignal,
): Promise<readonly DocumentBelow[]> {
  await routes.flushIndex(signal);
  const rows = await routes.sql(
    `SELECT id, path, content FROM blocks WHERE type = 'd' AND ${withinPath(notebook, path)} ORDER BY length(path), path LIMIT ${MAX_DOCUMENTS + 2}`,
    signal,
  );
  const below = rows
    .map((row) => ({ id: String(row.id), path: String(row.path), title: String(row.content) }))
    .filter((each) => each.path !== path);
  if (below.length <= MAX_DOCUMENTS) return below;
  throw new ToolError(
    'too_large',
    `there are more than ${MAX_DOCUMENTS} documents below it`,
    'take smaller parts of the tree, one after another',
  );
}

/** Documents below move along. Rejects with `no_right` if the user hides any of them from the assistant. */
export async function assertNoneHiddenBelow(
  deps: { readonly routes: KernelRoutes; readonly access: DocumentRights },
  document: { readonly id: string; readonly notebook: string; readonly path: string },
  signal: AbortSignal,
): Promise<void> {
  const below = await documentsBelow(deps.routes, document.notebook, document.path, signal);
  const paths = below.map((each) => each.path);
  if ((await deps.access.guardedDocuments(document.notebook, paths, signal)).size === 0) return;
  throw new ToolError('no_right', `a document below ${document.id} is hidden from the model`, 'move others, or ask the user');
}

/** One hash over the blocks of a document; like block hashes, without `updated` and display attributes. */
export async function documentHash(routes: KernelRoutes, id: string, signal: AbortSignal): Promise<string> {
  const ids = (await routes.children(id, signal)).map((child) => child.id);
  const doms = await routes.doms(ids, signal);
  return hashText(ids.map((each) => hashOfBlock(doms[each] ?? '')).join('\n'));
}

/** Recent copies that are inspected: the wanted ones are nearly always the newest. */
const MAX_COPIES_INSPECTED = 200;

/** The newest copies of removed documents in the history folders; the search lists them late (docs/kernel.md#documents-and-notebooks). */
export async function findCopies(
  structure: StructureRoutes,
  notebook: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const stamps = (await structure.namesIn('/history', signal)).filter((each) => each.endsWith('-delete')).sort();
  for (const stamp of stamps.reverse().slice(0, MAX_COPIES_INSPECTED)) {
    const missing = paths.filter((path) => !found.has(path));
    if (missing.length === 0) break;
    for (const folder of new Set(missing.map(directoryOf))) {
      const place = `/history/${stamp}/${notebook}${folder}`;
      const names = new Set(await structure.namesIn(place, signal));
      for (const path of missing) {
        const name = path.slice(path.lastIndexOf('/') + 1);
        if (directoryOf(path) === folder && names.has(name)) found.set(path, `${place}/${name}`);
      }
    }
  }
  return found;
}

const directoryOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));
