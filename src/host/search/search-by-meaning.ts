import { ToolError } from '../../tools/contract/errors.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';

/** Where SiYuan's settings name nobody, this variable of its environment does (kernel/model/embedding.go). */
const NAMED_ELSEWHERE = 'SIYUAN_OPENAI_EMBEDDING_BASE_URL';

/** The address of the service that computes the host's embeddings; none where there are none. Rejects with `kernel_unreachable`. */
export async function meaningServer(routes: KernelRoutes, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { enabled, baseURL } = await routes.embedding(signal);
    if (!enabled) return undefined;
    await routes.searchByMeaning({ query: '', page: 1, pageSize: 1 }, signal);
    const vectors = await routes.sql('SELECT id FROM block_embeddings WHERE length(embedding) > 0 LIMIT 1', signal);
    return vectors.length > 0 ? baseURL || NAMED_ELSEWHERE : undefined;
  } catch (error) {
    // An older or a newer host without it says so by refusing.
    if (error instanceof ToolError && error.code === 'kernel_refused') return undefined;
    throw error;
  }
}
