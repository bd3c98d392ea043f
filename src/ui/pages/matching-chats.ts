import type { SessionSummary } from '../../chat/types.ts';

/** Chats whose titles hold every word of the query; pinned ones first, then the latest. */
export function matchingChats(chats: readonly SessionSummary[], query: string): SessionSummary[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return chats
    .filter((chat) => words.every((word) => chat.title.toLocaleLowerCase().includes(word)))
    .sort((one, other) => Number(other.pinned) - Number(one.pinned) || other.updated - one.updated);
}
