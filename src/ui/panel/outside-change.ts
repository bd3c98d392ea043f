import type { ChatView } from '../../chat/view/view.ts';

type Shown = Pick<ChatView, 'sessionId' | 'messages' | 'running' | 'blocked'>;

/**
 * Whether a chat was changed on another device or in another window: messages that were never shown here came in at its end, or a
 * message got another branch, while nothing ran here. A turn that another window writes is shown as that.
 */
export function changedOutside(before: Shown, after: Shown, seen: ReadonlySet<string>): boolean {
  if (before.sessionId !== after.sessionId || before.messages === after.messages || before.messages.length === 0) return false;
  if (before.running || after.running || before.blocked || after.blocked) return false;
  if (before.messages.some((message, index) => after.messages[index]?.nodeId !== message.nodeId)) return false;
  const fresh = after.messages.slice(before.messages.length).some(({ role, nodeId }) => role !== 'separator' && !seen.has(nodeId));
  const branches = (message: ChatView['messages'][number] | undefined): number => message?.position?.branches ?? 1;
  return fresh || before.messages.some((message, index) => branches(after.messages[index]) > branches(message));
}
