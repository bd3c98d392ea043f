import type { Access, BlockPlace } from '../access/access.ts';
import type { IndexedBlock } from '../access/readable-blocks.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { noSuchBlock } from '../kernel/not-found.ts';
import { assertOpen, findPlace } from '../tree/document-tree.ts';

/**
 * Rejects with `not_found` where the block, or something around it in its document, is guarded. Answers what the index says of it;
 * undefined where the index does not have it.
 */
export async function requireReadable(
  { routes, access }: { readonly routes: KernelRoutes; readonly access: Access },
  { id, documentId }: BlockPlace,
  signal: AbortSignal,
): Promise<IndexedBlock | undefined> {
  const known = (await access.look([id], signal)).get(id);
  if (known?.readable === false) throw noSuchBlock(id);
  if (!known && id !== documentId) assertOpen(await findPlace(routes, documentId, id, signal), id);
  return known;
}
