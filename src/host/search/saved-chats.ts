import type { SearchMatch } from '../../tools/contract/note-readings.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { quotedList } from '../sql/sql-text.ts';

/** The attribute of a note that is a saved chat (`CHAT_ATTRIBUTES.session`). */
export const SAVED_CHAT = 'custom-marginalia-session';

/** Matches in saved chats come last: a chat repeats the words of its notes, and would be cited instead of them. */
export async function savedChatsLast(
  routes: Pick<KernelRoutes, 'sql'>,
  matches: readonly SearchMatch[],
  signal: AbortSignal,
): Promise<readonly SearchMatch[]> {
  const documents = [...new Set(matches.map((match) => match.documentId))];
  if (documents.length === 0) return matches;
  const found = await routes.sql(
    `SELECT block_id FROM attributes WHERE name = '${SAVED_CHAT}' AND block_id IN (${quotedList(documents)}) LIMIT ${documents.length}`,
    signal,
  );
  return chatsLast(matches, new Set((found ?? []).map((row) => row.block_id)));
}

export function chatsLast(matches: readonly SearchMatch[], chats: ReadonlySet<unknown>): readonly SearchMatch[] {
  if (chats.size === 0) return matches;
  const ofChats = matches.filter((match) => chats.has(match.documentId)).map((match) => ({ ...match, isSavedChat: true as const }));
  return [...matches.filter((match) => !chats.has(match.documentId)), ...ofChats];
}
