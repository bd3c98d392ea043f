import { inBackground } from '../../tools/util/notify.ts';
import type { ChatListing, ChatStore } from '../store/store-port.ts';
import { TRASH_TIME } from './chat-library.ts';

/** Restores what a crash left, and returns the chat to open: the one shown before a reload, else the one changed last. */
export async function startChats(
  store: ChatStore,
  attempt: (work: () => Promise<void>) => Promise<void>,
  shown: string | null = null,
): Promise<string | null> {
  // Both at once: mostly nothing is left.
  const found = find(store, shown);
  inBackground(found, () => undefined);
  const left = await store.interrupted();
  for (const id of left) await attempt(async () => void (await store.load(id)));
  return left.length > 0 ? find(store, shown) : found;
}

async function find(store: ChatStore, shown: string | null): Promise<string | null> {
  if (shown !== null) return (await store.has(shown)) ? shown : null;
  // Without an index the panel waits for one file, and for more only if that chat should not be opened.
  const newest = await store.listSoon(1);
  return lastOf(newest) ?? (newest.unread > 0 ? lastOf(await store.listSoon()) : null);
}

function lastOf({ chats }: ChatListing): string | null {
  const [last] = chats.filter((chat) => !chat.archived && !chat.suggestion).sort((left, right) => right.updated - left.updated);
  return last?.id ?? null;
}

/** Restores what a sync removed from chats, and purges old deleted ones. Never rejects: the next start tries again. */
export async function tidyChats(store: ChatStore, now: number): Promise<void> {
  await store.restoreOverwritten().catch(() => undefined);
  await store.purge(now - TRASH_TIME).catch(() => undefined);
}
