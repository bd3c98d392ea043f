import { ToolError } from '../../tools/contract/errors.ts';
import type { SearchMatch } from '../../tools/contract/note-readings.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { byRank } from './rank-order.ts';
import type { RankedText } from './text-copies.ts';

/** If SiYuan's settings name no service, this environment variable does (kernel/model/embedding.go). */
const NAMED_ELSEWHERE = 'SIYUAN_OPENAI_EMBEDDING_BASE_URL';

interface NearBlock {
  readonly id: string;
  readonly similarity: number;
}

/** Blocks by their similarity to a text, nearest first: those in its script, and the others. None before there are vectors. */
export interface NearBlocks {
  readonly own: readonly NearBlock[];
  readonly other: readonly NearBlock[];
}

type FindNear = (text: string) => Promise<NearBlocks>;

/** Where vectors on this device join the search; undefined while there are none. */
export interface NearSlot {
  find: FindNear | undefined;
}

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

/** What is similar in meaning, nearest first. */
export interface NearMatches {
  readonly matches: readonly SearchMatch[];
  /** In another script, where words find nothing. `nearer`: by how much its first is more similar than the first in the script of the question. */
  readonly other?: { readonly matches: readonly SearchMatch[]; readonly nearer: number };
}

/** What is found by words counts that much where there is a list for each script: such vectors are small, and often wrong. */
const WORDS = 3;
/** The share of another script where the answer is probably in that of the question. */
const FARTHER = 0.5;
/** The answer is probably in another script from this difference on: the more where more words of the question are found. */
const NEARER = { least: -0.35, perWords: 0.8 };

/** Merges by reciprocal ranks, weighted by score and by the share of the question's words. `asked`: the number of words. */
export function fuseRanks(byWords: readonly RankedText[], { matches: near, other }: NearMatches, asked: number): RankedText[] {
  const [best] = byWords;
  const words = Math.min(1, (best?.match.words?.length ?? 0) / Math.max(1, asked));
  const covered = (other ? WORDS : 1) * words;
  const share = (score: number): number => (best && best.score > 0 ? (covered * score) / best.score : 0);
  // The first in another script may be as good as one in this script that is the first by words and by meaning.
  const isThere = other !== undefined && other.nearer > NEARER.least + NEARER.perWords * words;
  const ofOther = (covered + 1) * (isThere ? 1 : FARTHER);
  const all = new Map(
    byWords.map((each, index) => [each.match.id, { ...each, score: share(each.score) / (RANK_ROOM + index + 1) }] as const),
  );
  const add = (matches: readonly SearchMatch[], weight: number): void => {
    for (const [index, match] of matches.entries()) {
      const score = weight / (RANK_ROOM + index + 1);
      const known = all.get(match.id);
      const unread = { match, body: undefined, score, updated: '', path: match.path, id: match.id, isSavedChat: undefined };
      all.set(match.id, known ? { ...known, score: known.score + score } : unread);
    }
  };
  add(near, 1);
  add(other?.matches ?? [], ofOther);
  return [...all.values()].sort(byRank);
}
