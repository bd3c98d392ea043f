import { isPrivateResult } from '../../tools/contract/private-text.ts';
import { allRecords } from './saved-sub-agent.ts';
import type { Node, Payload } from './types.ts';

const known = new WeakMap<Node, boolean>();

/** Tells if the model had private text when any version was written: by attachments, calls, or all before it (Payload.isPrivate). */
export function givenPrivate(node: Node): boolean {
  const value = known.get(node) ?? judge(node);
  known.set(node, value);
  return value;
}

function judge(node: Node): boolean {
  const attached = [node.context, node.attachments, node.sources].some((list) => list !== undefined && list.length > 0);
  return attached || Object.values(node.versions).some((payload) => saysPrivate(payload, node.role));
}

/** A version of an older program has no `isPrivate`: the result of any tool, and a summary, may then be private. */
function saysPrivate({ isPrivate, author, message, toolChainResult, toolChainMessages = [] }: Payload, role: Node['role']): boolean {
  // Text of a note that a chat was saved as, if its message could not be read.
  if (isPrivate === true || author === 'document') return true;
  const records = allRecords(toolChainResult?.toolCallHistory ?? []);
  if (records.some(({ result }) => isPrivateResult(result))) return true;
  const isSummary = role === 'separator' && message.content.trim() !== '';
  return isPrivate === undefined && (records.length > 0 || toolChainMessages.length > 0 || isSummary);
}
