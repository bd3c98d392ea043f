import { walkBack } from '../../chat/session/thread.ts';
import type { Payload, Session } from '../../chat/session/types.ts';
import { visibleText } from '../../chat/session/visible-text.ts';
import { CHAT_OF_ORDER, CHAT_OF_PROGRAM } from '../../tools/contract/saved-names.ts';
import { preview } from '../../tools/util/graphemes.ts';
import type { WrittenBlock, WrittenOrigin } from './provenance-port.ts';

const QUESTION = 160;

const callIn = ({ toolChainResult }: Payload, callId: string) => toolChainResult?.toolCallHistory.find((call) => call.callId === callId);

/** Who wrote in an answer, and why; null if the chat has lost the answer. */
export function originOf(chat: Session, { messageId, callId }: WrittenBlock['call']): WrittenOrigin | null {
  const node = chat.nodes[messageId];
  const versions = Object.values(node?.versions ?? {});
  const answer = versions.find((version) => callIn(version, callId)) ?? versions.find(({ id }) => id === node?.currentVersionId);
  if (!node || !answer) return null;
  const order = chat.id.startsWith(CHAT_OF_ORDER) ? chat.title : '';
  const asked = [...walkBack((id) => chat.nodes[id], node.parent)].find(({ role }) => role === 'user');
  const words = order || chat.id.startsWith(CHAT_OF_PROGRAM) ? undefined : asked?.versions[asked.currentVersionId];
  const question = words ? visibleText(words).replaceAll(/\s+/g, ' ').trim() : '';
  const isUnasked = callIn(answer, callId)?.result.written?.unasked !== undefined;
  return { by: answer.author, question: preview(question, QUESTION), order, isUnasked };
}
