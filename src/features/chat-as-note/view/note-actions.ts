import type { MessageView } from '../../../chat/view/view.ts';
import type { FeatureAction, PanelContext } from '../../../ui/state/features.ts';
import { appendTo, insertAtCaret } from './append-to.ts';
import { undoSave } from './undo-save.ts';

function ofChat(context: PanelContext): readonly FeatureAction[] {
  const { t, chat, panel } = context;
  const { boundDocument: bound, noteSaved } = chat.view;
  const place = 'keep';
  return [
    { place, icon: 'iconFile', label: t(bound ? 'action.updateNote' : 'action.saveNote'), run: async () => panel.open('save') },
    ...(bound === undefined
      ? []
      : [{ place, icon: 'iconMarginaliaNotebook', label: t('save.open'), run: async () => panel.openBlock(bound) } as const]),
    ...(noteSaved ? [{ place, icon: 'iconUndo', label: t('action.undoSave'), run: () => undoSave(context) } as const] : []),
  ];
}

function ofAnswer(context: PanelContext, { nodeId }: MessageView): readonly FeatureAction[] {
  const { t, host, panel } = context;
  const chooseNote = async (): Promise<void> => panel.openAt('append', [nodeId]);
  const append = async (): Promise<void> => {
    const note = host.noteInEditor();
    await (note ? appendTo(nodeId, note, context) : chooseNote());
  };
  return [
    { place: 'foot', icon: 'iconMarginaliaInsert', label: t('action.insert'), run: () => insertAtCaret(nodeId, context) },
    { place: 'foot', icon: 'iconMarginaliaAppend', label: t('action.append'), run: append },
    { place: 'answer', icon: 'iconMarginaliaAppend', label: t('action.appendTo'), run: chooseNote },
    { place: 'answer', icon: 'iconFile', label: t('action.saveAnswer'), run: async () => panel.openAt('saveAnswer', [nodeId]) },
  ];
}

/** Saves the chat or an answer as a note, or adds an answer to one. */
export const noteActions = (context: PanelContext, answer?: MessageView): readonly FeatureAction[] =>
  answer ? ofAnswer(context, answer) : ofChat(context);
