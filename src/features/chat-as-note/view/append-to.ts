import type { NoteChoice } from '../../../ui/ports/host-ui.ts';
import { NO_FEATURES, type PanelContext } from '../../../ui/state/features.ts';
import { type AnswerPlace, type AppendedAnswer, CHAT_NOTES } from '../chat-notes-port.ts';

type NoteContext = Pick<PanelContext, 't' | 'panel' | 'host' | 'features'>;

const undoAppend = ({ features = NO_FEATURES }: NoteContext, ...call: [nodeId: string, callId: string]): Promise<void> =>
  features.port(CHAT_NOTES).undoAppend(...call);

/** Appends an answer; if it contains text of other notebooks, asks as for a whole chat. */
export function append(
  nodeId: string,
  place: AnswerPlace,
  { t, host, features = NO_FEATURES }: NoteContext,
): Promise<AppendedAnswer | null> {
  const question = { title: t('save.othersTitle'), text: t('save.answerOthers'), action: t('save.others') };
  return features.port(CHAT_NOTES).append(nodeId, place, () => host.confirm(question));
}

/** Appends an answer below the block with the caret, or asks where; the message links there and offers Undo. */
export async function insertAtCaret(nodeId: string, context: NoteContext): Promise<void> {
  const { t, panel, host } = context;
  const below = host.caretBlock();
  if (below === undefined) return panel.openAt('append', [nodeId]);
  const inserted = await append(nodeId, { below }, context);
  if (!inserted) return;
  panel.say(t('said.inserted'), {
    undo: () => undoAppend(context, nodeId, inserted.callId),
    show: inserted.blockIds[0] ?? inserted.documentId,
    ofChat: true,
  });
}

/** Appends an answer to a note; the message says where, links there and offers Undo. */
export async function appendTo(nodeId: string, note: NoteChoice, context: NoteContext): Promise<void> {
  const { t, panel } = context;
  const appended = await append(nodeId, { end: note.id }, context);
  if (!appended) return;
  const about = note.title || t('chat.untitled');
  panel.say(t('said.appended', { title: about }), {
    about,
    undo: () => undoAppend(context, nodeId, appended.callId),
    show: appended.blockIds[0] ?? appended.documentId,
    ofChat: true,
  });
}
