import type { ChatController } from '../../chat/controller/controller-port.ts';
import type { ChatView, MessageView } from '../../chat/view/view.ts';
import type { MenuItem } from '../controls/menu-item.ts';
import { renderWords } from '../markdown/render-labels.ts';
import type { Translate } from '../ports/i18n.ts';
import type { PanelState } from '../state/panel-state.svelte.ts';
import { answerText } from './answer-text.ts';
import { richText } from './rich-text.ts';

interface MenuDeps {
  readonly t: Translate;
  readonly controller: Pick<ChatController, 'messages'>;
  readonly panel: PanelState;
  readonly view: ChatView;
}

/** What is done to one message now and then. Where nothing may be written, only what leaves the chat as it is. */
export function messageMenu(message: MessageView, { t, controller: { messages }, panel, view }: MenuDeps): readonly MenuItem[] {
  const { nodeId, hidden = false, pinned = false } = message;
  const last = view.messages.at(-1);
  const busy = view.running || view.blocked !== undefined;
  const title = view.title === '' ? '' : t('chats.continued', { title: view.title });

  const leave = async (): Promise<void> => {
    await messages.extract(nodeId, title);
    panel.say(t('said.extracted'));
    panel.focusComposer();
  };
  const goOn = async (): Promise<void> => {
    await messages.continueFrom(nodeId);
    panel.say(t('said.continued'), { undo: () => messages.reveal(last?.nodeId ?? nodeId), ofChat: true });
    panel.focusComposer();
  };
  const remove = async (): Promise<void> => {
    const place = view.messages.findIndex((each) => each.nodeId === nodeId);
    await messages.remove(nodeId);
    // Its Undo goes with it.
    const wrote = message.undo && !message.undo.undone;
    panel.say(t(wrote ? 'said.removedWritten' : 'said.removed'), { undo: () => messages.restore(nodeId), ofChat: true });
    await panel.goTo(Math.min(place, view.messages.length - 2));
  };
  const goesOn = message.role === 'assistant' && last !== undefined && last.nodeId !== nodeId;
  const said = answerText(message);
  const text = said !== '';
  const appendable = message.role === 'assistant' && message.status !== 'streaming' && text;
  return [
    ...(appendable ? [{ icon: 'iconMarginaliaAppend' as const, label: t('action.appendTo'), run: () => panel.chooseNote(nodeId) }] : []),
    ...(appendable
      ? [
          { icon: 'iconFile' as const, label: t('action.saveAnswer'), run: () => panel.saveAnswer(nodeId) },
          { icon: 'iconCopy' as const, label: t('action.copyMarkdown'), run: () => void panel.copy(said) },
          { icon: 'iconCopy' as const, label: t('action.copyRich'), run: () => void panel.copy(said, richText(said, renderWords(t))) },
        ]
      : []),
    { icon: 'iconMarginaliaBranch', label: t('action.extract'), run: () => panel.run(leave()), disabled: view.running },
    ...(goesOn ? [{ icon: 'iconRight' as const, label: t('action.continueHere'), run: () => panel.run(goOn()), disabled: busy }] : []),
    {
      icon: 'iconMarginaliaPin',
      label: t(pinned ? 'action.unpin' : 'action.pin'),
      run: () => panel.run(messages.setPinned(nodeId, !pinned)),
      disabled: view.blocked !== undefined,
    },
    {
      icon: hidden ? 'iconMarginaliaSeen' : 'iconMarginaliaUnseen',
      label: t(hidden ? 'action.unhide' : 'action.hide'),
      run: () => panel.run(messages.setHidden(nodeId, !hidden)),
      disabled: view.blocked !== undefined,
    },
    { icon: 'iconTrashcan', label: t('action.delete'), run: () => panel.run(remove()), disabled: busy },
  ];
}
