import type { Access, BlockLocation } from '../access/access.ts';
import type { IndexedBlock } from '../access/readable-blocks.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { noSuchBlock } from '../kernel/not-found.ts';
import { assertOpen, findPlace, type TreePosition } from '../tree/document-tree.ts';
import { containersOf } from './document-facts.ts';

/** The facts of a block from the index, undefined if not indexed. Rejects with `not_found` if it, or something around it, is guarded. */
export async function requireReadable(
  { routes, access }: { readonly routes: KernelRoutes; readonly access: Access },
  { id, documentId }: BlockLocation,
  signal: AbortSignal,
): Promise<IndexedBlock | undefined> {
  const known = (await access.look([id], signal)).get(id);
  if (known?.readable === false) throw noSuchBlock(id);
  if (!known && id !== documentId) assertOpen(await findPlace(routes, documentId, id, signal), id);
  return known;
}

export type ReadablePosition = Pick<TreePosition, 'type' | 'parentType' | 'parentId'>;

/** The same for a readable block; null for a document. Rejects like `requireReadable`. */
export async function openPlace(
  deps: { readonly routes: KernelRoutes; readonly access: Access },
  { id, documentId }: BlockLocation,
  signal: AbortSignal,
): Promise<ReadablePosition | null> {
  if (id === documentId) return null;
  const known = (await deps.access.look([id], signal)).get(id);
  if (known?.readable === false) throw noSuchBlock(id);
  if (!known) {
    const place = await findPlace(deps.routes, documentId, id, signal);
    assertOpen(place, id);
    return place;
  }
  const container = (await containersOf(deps.routes, [id], signal)).get(id);
  return { type: known.type, parentType: container?.type ?? 'd', parentId: container?.id ?? documentId };
}
