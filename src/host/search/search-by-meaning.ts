import { ToolError } from '../../tools/contract/errors.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';

/** Whether the host has embeddings. Rejects with `kernel_unreachable`. */
export async function canSearchByMeaning(routes: KernelRoutes, signal: AbortSignal): Promise<boolean> {
  try {
    if (!(await routes.hasEmbeddings(signal))) return false;
    await routes.searchByMeaning({ query: '', page: 1, pageSize: 1 }, signal);
    return (await routes.sql('SELECT id FROM block_embeddings WHERE length(embedding) > 0 LIMIT 1', signal)).length > 0;
  } catch (error) {
    // An older or a newer host without it says so by refusing.
    if (error instanceof ToolError && error.code === 'kernel_refused') return false;
    throw error;
  }
}
