import type { ChatListing, ChatStore } from '../store/store-port.ts';
import { TRASH_TIME } from './chat-library.ts';

/**
 * Restores what a crash left behind. Returns the chat to open: the one that this window showed before its reload (`shown`; null if that
 * one has no message yet), or in a new window the one changed last, except archived ones and suggestions at a block. `attempt` catches
 * what one broken chat throws.
 */
export async function startChats(
  store: ChatStore,
  attempt: (work: () => Promise<void>) => Promise<void>,
  shown: string | null = null,
): Promise<string | null> {
  for (const id of await store.interrupted()) await attempt(async () => void (await store.load(id)));
  if (shown !== null) return (await store.has(shown)) ? shown : null;
  // Without an index the panel waits for one file, and for more only if that chat should not be opened.
  const newest = await store.listSoon(1);
  return lastOf(newest) ?? (newest.unread > 0 ? lastOf(await store.listSoon()) : null);
}

function lastOf({ chats }: ChatListing): string | null {
  const [last] = chats.filter((chat) => !chat.archived && !chat.suggestion).sort((left, right) => right.updated - left.updated);
  return last?.id ?? null;
}

/**
 * Tidies the stored chats when nobody is waiting: restores what a sync removed from them, and permanently removes old deleted
 * chats. Never rejects: what fails is tried again at the next start.
 */
export async function tidyChats(store: ChatStore, now: number): Promise<void> {
  await store.restoreOverwritten().catch(() => undefined);
  await store.purge(now - TRASH_TIME).catch(() => undefined);
}
