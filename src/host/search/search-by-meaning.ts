import { ToolError } from '../../tools/contract/errors.ts';
import type { SearchMatch } from '../../tools/contract/note-readings.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { byRank } from './rank-order.ts';
import type { RankedText } from './text-copies.ts';

/** If SiYuan's settings name no service, this environment variable does (kernel/model/embedding.go). */
const NAMED_ELSEWHERE = 'SIYUAN_OPENAI_EMBEDDING_BASE_URL';

/** Asks for the address of the host's embedding service; undefined if it has none. Rejects with `kernel_unreachable`. */
export function meaningServerOf(routes: KernelRoutes): (signal: AbortSignal) => Promise<string | undefined> {
  let usable: string | undefined;
  return async (signal) => {
    try {
      const { enabled, baseURL } = await routes.embedding(signal);
      if (!enabled) return undefined;
      const server = baseURL || NAMED_ELSEWHERE;
      // One look at each service is enough: where its vectors are made again, meaning finds nothing for a while, and words do.
      if (server === usable) return server;
      await routes.searchByMeaning({ query: '', page: 1, pageSize: 1 }, signal);
      const vectors = await routes.sql('SELECT id FROM block_embeddings WHERE length(embedding) > 0 LIMIT 1', signal);
      usable = vectors.length > 0 ? server : undefined;
      return usable;
    } catch (error) {
      // An older or newer host without this route refuses it.
      if (error instanceof ToolError && error.code === 'kernel_refused') return undefined;
      throw error;
    }
  };
}

/** The constant of reciprocal ranks: the first of one list must not outrank a match near the top of both. */
const RANK_ROOM = 10;

/** Merges by reciprocal ranks, weighted by score and by the share of the question's words. `asked`: the number of words. */
export function fuseRanks(byWords: readonly RankedText[], near: readonly SearchMatch[], asked: number): RankedText[] {
  const [best] = byWords;
  const covered = Math.min(1, (best?.match.words?.length ?? 0) / Math.max(1, asked));
  const share = (score: number): number => (best && best.score > 0 ? (covered * score) / best.score : 0);
  const all = new Map(
    byWords.map((each, index) => [each.match.id, { ...each, score: share(each.score) / (RANK_ROOM + index + 1) }] as const),
  );
  for (const [index, match] of near.entries()) {
    const score = 1 / (RANK_ROOM + index + 1);
    const known = all.get(match.id);
    const unread = { match, body: undefined, score, updated: '', path: match.path, id: match.id, isSavedChat: undefined };
    all.set(match.id, known ? { ...known, score: known.score + score } : unread);
  }
  return [...all.values()].sort(byRank);
}
