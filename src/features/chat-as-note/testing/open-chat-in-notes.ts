import type { ChatControllerDeps } from '../../../chat/controller/controller-deps.ts';
import { type OpenChat, type OpenChatOptions, openChat, sampleNotes } from '../../../chat/testing/open-chat.ts';
import { counter, steppingClock } from '../../../chat/testing/samples.ts';
import { keepInNotes } from '../chat-notes.ts';
import type { ChatNotes } from '../chat-notes-port.ts';
import type { BoundDocumentDeps } from '../note-binding.ts';

interface Options extends Omit<OpenChatOptions, 'deps'> {
  readonly deps?: Partial<ChatControllerDeps & Pick<BoundDocumentDeps, 'chatDocument' | 'whyKeptBack' | 'notes'>>;
}

/** A whole chat that can be kept as a note. */
export async function openChatInNotes(options: Options = {}): Promise<OpenChat & { readonly kept: ChatNotes }> {
  const { deps = {}, run = 1, notes = sampleNotes(options.before) } = options;
  const { chatDocument, whyKeptBack, ...ofChat } = deps;
  const clock = steppingClock(1_800_000_000_000 + run * 1_000_000);
  const kept = keepInNotes({
    ...{ notes: ofChat.notes ?? notes, clock, device: 'dev', newId: counter(`k${run}-`) },
    ...(chatDocument ? { chatDocument } : {}),
    ...(whyKeptBack ? { whyKeptBack } : {}),
  });
  const opened = await openChat({ ...options, notes, deps: { ...ofChat, extensions: [kept] } });
  return { ...opened, kept: kept.over(opened.chat) };
}
