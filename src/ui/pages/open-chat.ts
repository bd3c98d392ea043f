import type { PanelContext } from '../state/context.ts';

export async function openChatAt(
  id: string,
  nodeId: string | undefined,
  { controller, chat, panel }: Pick<PanelContext, 'controller' | 'chat' | 'panel'>,
): Promise<void> {
  if (id !== chat.view.sessionId || nodeId === undefined) await controller.openChat(id);
  if (nodeId !== undefined) await controller.messages.reveal(nodeId);
  panel.focusComposer();
  const place = nodeId === undefined ? -1 : chat.view.messages.findIndex((message) => message.nodeId === nodeId);
  if (place >= 0) await panel.goTo(place);
}
