import type { ChatView, MessageView } from '../../chat/view/view.ts';
import type { PanelContext } from '../state/context.ts';

type Deps = Pick<PanelContext, 't' | 'host' | 'panel'> & {
  readonly controller: Pick<PanelContext['controller'], 'undo' | 'view'> & {
    readonly messages: Pick<PanelContext['controller']['messages'], 'continueFrom' | 'reveal'>;
  };
};

/** What remains of a later answer in the notes, after its Undo. */
const stays = ({ undo, undoReport }: MessageView): boolean => undo?.undone === false || (undoReport?.conflicts.length ?? 0) > 0;

/**
 * Undoes the writes of the answers after a message, last first, then continues from the message. If something was changed since,
 * the chat stays as it is, so that the conflicts can be seen and decided there.
 */
export async function rewind(nodeId: string, later: readonly MessageView[], { t, host, panel, controller }: Deps): Promise<void> {
  const partial = later.some(({ undo }) => undo?.kind !== 'exact');
  const text = t(partial ? 'rewind.askPartial' : 'rewind.ask', { n: later.length });
  if (!(await host.confirm({ title: t('action.rewind'), text, action: t('action.undo') }))) return;
  for (const { nodeId: each, undo } of [...later].reverse()) if (undo?.kind !== 'none') await controller.undo(each);
  const { messages }: ChatView = controller.view();
  const left = messages.findIndex((message) => later.some((each) => each.nodeId === message.nodeId) && stays(message));
  if (left >= 0) {
    panel.say(t('rewind.left'));
    await panel.goTo(left);
    return;
  }
  const last = messages.at(-1);
  await controller.messages.continueFrom(nodeId);
  panel.say(t('rewind.done', { n: later.length }), { undo: () => controller.messages.reveal(last?.nodeId ?? nodeId), ofChat: true });
  panel.focusComposer();
}
