import type { MessageView } from '../../../chat/view/view.ts';
import type { FeatureAction, PanelContext } from '../../../ui/state/features.ts';
import { appendTo, insertAtCaret } from './append-to.ts';

const ofChat = ({ t, chat, panel }: PanelContext): readonly FeatureAction[] => [
  {
    place: 'keep',
    icon: 'iconFile',
    label: t(chat.view.boundDocument ? 'action.updateNote' : 'action.saveNote'),
    run: async () => panel.open('save'),
  },
];

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
  ];
}

/** Saves the chat or an answer as a note, or adds an answer to one. */
export const noteActions = (context: PanelContext, answer?: MessageView): readonly FeatureAction[] =>
  answer ? ofAnswer(context, answer) : ofChat(context);
