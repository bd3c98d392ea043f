import { isRead } from './contexts.ts';
import { allRecords } from './saved-sub-agent.ts';
import type { Node } from './types.ts';

/** Blocks and documents that a message attached, read or wrote. */
export function sourcesOf(node: Node): readonly string[] {
  const attached = node.context?.filter(isRead).map((context) => context.id) ?? [];
  return [
    ...attached,
    ...resultsOf(node).flatMap(({ blockIds, written }) => [
      ...(blockIds ?? []),
      ...(written?.blockIds ?? []),
      ...(written ? [written.documentId] : []),
    ]),
  ];
}

/**
 * Whether the model has seen anything of the notes in this message, in any version: attached by the user or read by a tool.
 * The variables tell less: they may have been dropped since.
 */
export function holdsNotes(node: Node): boolean {
  if (node.context?.length) return true;
  return resultsOf(node).some(({ blockIds, notebooks }) => Boolean(blockIds?.length) || Boolean(notebooks?.length));
}

function resultsOf(node: Node) {
  const records = Object.values(node.versions).flatMap((payload) => payload.toolChainResult?.toolCallHistory ?? []);
  return allRecords(records).map(({ result }) => result);
}
