import type { NoteChoice } from '../ports/host-ui.ts';
import type { PanelContext } from '../state/context.ts';

/** Puts an answer below the block that holds the caret, or asks where; the message about it links there and offers Undo. */
export async function insertAtCaret(
  nodeId: string,
  { t, controller: { messages }, panel, host }: Pick<PanelContext, 't' | 'controller' | 'panel' | 'host'>,
): Promise<void> {
  const below = host.caretBlock();
  if (below === undefined) return panel.chooseNote(nodeId);
  const inserted = await messages.append(nodeId, { below });
  if (!inserted) return;
  panel.say(t('said.inserted'), {
    undo: () => messages.undoAppend(nodeId, inserted.callId),
    show: inserted.blockIds[0] ?? inserted.documentId,
    ofChat: true,
  });
}

/** Puts an answer at the end of a note and says where it went; the message about it links there and offers Undo. */
export async function appendTo(
  nodeId: string,
  note: NoteChoice,
  { t, controller: { messages }, panel }: Pick<PanelContext, 't' | 'controller' | 'panel'>,
): Promise<void> {
  const appended = await messages.append(nodeId, { end: note.id });
  if (!appended) return;
  const about = note.title || t('chat.untitled');
  panel.say(t('said.appended', { title: about }), {
    about,
    undo: () => messages.undoAppend(nodeId, appended.callId),
    show: appended.blockIds[0] ?? appended.documentId,
    ofChat: true,
  });
}
