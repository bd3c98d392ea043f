import type { ChatView, MessageView } from '../../chat/view/view.ts';
import { lazyPart } from '../../tools/util/lazy.ts';
import { inBackground } from '../../tools/util/notify.ts';
import type { MenuItem } from '../controls/menu-item.ts';
import { BlockRenderer, type RenderOptions } from '../markdown/render.ts';
import { renderWords } from '../markdown/render-labels.ts';
import { createSanitize } from '../markdown/sanitize.ts';
import { NO_FEATURES, type PanelContext } from '../state/features.ts';
import { answerText } from './answer-text.ts';

/** An answer as HTML for the clipboard: sanitised, its references as links to their blocks. */
function richText(markdown: string, words: RenderOptions['words']): string {
  const renderer = new BlockRenderer({ citation: () => 'verified', words });
  const html = renderer.lex(markdown, {}).map((token) => renderer.html(token));
  return createSanitize(window)(html.join(''));
}

const loadRewind = lazyPart(async () => (await import('./rewind.ts')).rewind);

const isFixed = ({ running, blocked }: ChatView): boolean => running || blocked !== undefined;

function rerunItems({ role, status, nodeId }: MessageView, { t, panel, chat }: PanelContext): readonly MenuItem[] {
  if (role !== 'assistant' || status === 'streaming') return [];
  const run = (): void => {
    panel.askAgain = nodeId;
    panel.chooseModel();
  };
  return [{ icon: 'iconRefresh', label: t('action.rerunWith'), run, disabled: isFixed(chat.view) }];
}

/** Set if something that later answers wrote can be undone. */
function rewindItems({ nodeId }: MessageView, context: PanelContext): readonly MenuItem[] {
  const { t, panel, chat } = context;
  const { view } = chat;
  const later = view.messages.slice(view.messages.findIndex((each) => each.nodeId === nodeId) + 1);
  const wrote = later.filter(({ undo }) => undo && !undo.undone);
  if (wrote.every(({ undo }) => undo?.kind === 'none')) return [];
  const rewind = async (): Promise<void> => (await loadRewind())(nodeId, wrote, context);
  return [{ icon: 'iconUndo', label: t('action.rewind'), run: () => panel.run(rewind()), disabled: isFixed(view) }];
}

/** Less frequent actions on one message. If nothing may be written, only those that do not change the chat. */
export function messageMenu(message: MessageView, context: PanelContext): readonly MenuItem[] {
  const { t, panel, chat, features = NO_FEATURES } = context;
  const { view } = chat;
  const { messages } = context.controller;
  const { nodeId, hidden = false, pinned = false } = message;
  const last = view.messages.at(-1);
  const busy = isFixed(view);
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
    const written = message.undo && !message.undo.undone;
    panel.say(t(written ? 'said.removedWritten' : 'said.removed'), { undo: () => messages.restore(nodeId), ofChat: true });
    await panel.goTo(Math.min(place, view.messages.length - 2));
  };
  const goesOn = message.role === 'assistant' && last !== undefined && last.nodeId !== nodeId;
  const said = answerText(message);
  const copy = (...parts: Parameters<typeof panel.copy>): void => inBackground(panel.copy(...parts));
  const text = said !== '';
  const finished = message.role === 'assistant' && message.status !== 'streaming' && text;
  return [
    ...rerunItems(message, context),
    ...(finished
      ? [
          ...features.menu('answer', context, message),
          { icon: 'iconCopy' as const, label: t('action.copyRich'), run: () => copy(said, richText(said, renderWords(t))) },
        ]
      : []),
    { icon: 'iconMarginaliaBranch', label: t('action.extract'), run: () => panel.run(leave()), disabled: view.running },
    ...(goesOn ? [{ icon: 'iconRight' as const, label: t('action.continueHere'), run: () => panel.run(goOn()), disabled: busy }] : []),
    ...(goesOn ? rewindItems(message, context) : []),
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
