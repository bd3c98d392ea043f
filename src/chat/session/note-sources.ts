import { foundIds } from '../../tools/groups/common/found-notes.ts';
import { isRead } from './contexts.ts';
import { allRecords } from './saved-sub-agent.ts';
import type { ChatContext, Node } from './types.ts';

function idsOf({ id, found }: ChatContext): readonly string[] {
  return found ? foundIds(found.notes) : [id];
}

/** Blocks and documents that a message attached, read or wrote. */
export function sourcesOf(node: Node): readonly string[] {
  const attached = node.context?.filter(isRead).flatMap(idsOf) ?? [];
  return [
    ...attached,
    ...resultsOf(node).flatMap(({ blockIds, written }) => [
      ...(blockIds ?? []),
      ...(written?.blockIds ?? []),
      ...(written ? [written.documentId] : []),
    ]),
  ];
}

function resultsOf(node: Node) {
  const records = Object.values(node.versions).flatMap((payload) => payload.toolChainResult?.toolCallHistory ?? []);
  return allRecords(records).map(({ result }) => result);
}
