import type { Node, Payload } from './types.ts';

/** The shown version of a separator that summarizes the messages above it; undefined for every other message. */
export function summaryOf(node: Node): Payload | undefined {
  if (node.role !== 'separator') return undefined;
  const payload = node.versions[node.currentVersionId];
  return payload && payload.message.content.trim() !== '' ? payload : undefined;
}

/** Of the messages above it, only pinned ones are sent. */
export const isDivider = (node: Node): boolean => node.role === 'separator' && !node.deleted && !summaryOf(node);

export const quoted = (text: string): string => text.replaceAll(/^/gm, '> ').replaceAll(/^> $/gm, '>');
