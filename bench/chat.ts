import { measureChatSearch } from './chat-search.ts';
import { measureChatSend } from './chat-send.ts';
import type { BenchReport } from './figures.ts';
import { measureFirstToken } from './first-token.ts';
import { measureRendering } from './render-stream.ts';

/** `npm run bench -- chat`: what long chats and many chats cost. */
export async function benchChat(): Promise<BenchReport> {
  const send = await measureChatSend();
  const search = await measureChatSearch();
  const rendering = await measureRendering();
  const firstToken = await measureFirstToken();
  return { notes: [...search.notes, ...rendering.notes], figures: [...rendering.figures, ...firstToken, ...send, ...search.figures] };
}
