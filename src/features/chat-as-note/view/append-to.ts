import type { AnswerPlace, AppendedAnswer } from '../../../chat/chat-document/append-answer.ts';
import type { NoteChoice } from '../../../ui/ports/host-ui.ts';
import type { PanelContext } from '../../../ui/state/context.ts';

/** Appends an answer; if it contains text of other notebooks, asks as for a whole chat. */
export function append(
  nodeId: string,
  place: AnswerPlace,
  { t, controller: { messages }, host }: Pick<PanelContext, 't' | 'controller' | 'host'>,
): Promise<AppendedAnswer | null> {
  const question = { title: t('save.othersTitle'), text: t('save.answerOthers'), action: t('save.others') };
  return messages.append(nodeId, place, () => host.confirm(question));
}

/** Appends an answer below the block with the caret, or asks where; the message links there and offers Undo. */
export async function insertAtCaret(nodeId: string, context: Pick<PanelContext, 't' | 'controller' | 'panel' | 'host'>): Promise<void> {
  const {
    t,
    controller: { messages },
    panel,
    host,
  } = context;
  const below = host.caretBlock();
  if (below === undefined) return panel.openAt('append', [nodeId]);
  const inserted = await append(nodeId, { below }, context);
  if (!inserted) return;
  panel.say(t('said.inserted'), {
    undo: () => messages.undoAppend(nodeId, inserted.callId),
    show: inserted.blockIds[0] ?? inserted.documentId,
    ofChat: true,
  });
}

/** Appends an answer to a note; the message says where, links there and offers Undo. */
export async function appendTo(
  nodeId: string,
  note: NoteChoice,
  context: Pick<PanelContext, 't' | 'controller' | 'panel' | 'host'>,
): Promise<void> {
  const {
    t,
    controller: { messages },
    panel,
  } = context;
  const appended = await append(nodeId, { end: note.id }, context);
  if (!appended) return;
  const about = note.title || t('chat.untitled');
  panel.say(t('said.appended', { title: about }), {
    about,
    undo: () => messages.undoAppend(nodeId, appended.callId),
    show: appended.blockIds[0] ?? appended.documentId,
    ofChat: true,
  });
}
