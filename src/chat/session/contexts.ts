import type { Attached, AttachedContext, ChatContext } from './types.ts';

export const NOTHING_ATTACHED: Attached = { contexts: [], attachments: [] };

/**
 * Attached notes with ids of their own, each once among them: a block can be attached with words that were selected in it, and both
 * have the block's id. One that has an id keeps it; others are numbered, so that every device gives the same.
 */
export function withOwnIds(contexts: readonly (ChatContext & { readonly contextId?: string })[]): readonly AttachedContext[] {
  const taken = new Set<string>();
  const free = (wanted: string): string => {
    let id = wanted;
    for (let number = 2; taken.has(id); number++) id = `${wanted}:${number}`;
    taken.add(id);
    return id;
  };
  return contexts.map((context) => ({ ...context, contextId: free(context.contextId ?? `${context.kind}:${context.id}`) }));
}
