import type { EventError } from '../tools/events.ts';
import { CHAT_GONE, READ_ONLY } from './notices.ts';
import type { ChatStore } from './store.ts';

/** A chat that is not open; answers with what stands in the way. */
export async function renameStored(store: ChatStore, id: string, title: string): Promise<EventError | undefined> {
  const loaded = await store.load(id);
  if (!loaded) return CHAT_GONE;
  if (loaded.readOnly) return READ_ONLY;
  await store.save({ ...loaded.session, title });
  return undefined;
}

/** The chat that was changed last; null when there is none. */
export async function lastChat(store: ChatStore): Promise<string | null> {
  const [last] = [...(await store.list())].sort((left, right) => right.updated - left.updated);
  return last?.id ?? null;
}
