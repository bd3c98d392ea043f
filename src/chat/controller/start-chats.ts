import type { ChatStore } from '../store/store-port.ts';
import { TRASH_TIME } from './chat-library.ts';

/**
 * What is done with the stored chats at start: what a crash left behind is put back, what was deleted long ago goes for good. The
 * chat to open: the one that this window showed before its reload (`shown`; null where that one has no message yet), in a new
 * window the one that was changed last, archived ones left out. `attempt` catches what one broken chat throws.
 */
export async function startChats(
  store: ChatStore,
  now: number,
  attempt: (work: () => Promise<void>) => Promise<void>,
  shown: string | null = null,
): Promise<string | null> {
  for (const id of await store.interrupted()) await attempt(async () => void (await store.load(id)));
  await attempt(() => store.purge(now - TRASH_TIME));
  // Nobody waits for it: the chat that is opened now looks after itself.
  void attempt(() => store.regain());
  const chats = await store.list();
  if (shown !== null) return chats.find(({ id }) => id === shown)?.id ?? null;
  const [last] = chats.filter((chat) => !chat.archived).sort((left, right) => right.updated - left.updated);
  return last?.id ?? null;
}
