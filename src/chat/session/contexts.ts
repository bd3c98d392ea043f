import type { Attached, AttachedContext, Attachment, ChatContext } from './types.ts';

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

/** Whether the text of a note goes along: one that is only named has not been read. */
export const isRead = ({ kind }: Pick<ChatContext, 'kind'>): boolean => kind !== 'open';

/** A block or note that was attached before is attached as it reads now; of its words each choice counts by itself, and one note is open. */
export function withContext({ contexts, attachments }: Attached, context: ChatContext): Attached {
  const { kind, id, text } = context;
  const again = (one: ChatContext): boolean =>
    one.kind === kind && (!isRead(one) || (one.id === id && (kind !== 'selection' || one.text === text)));
  // Attached once more in another way, it is still what the sentence names.
  const { mention = contexts.find((one) => one.id === id && again(one))?.mention } = context;
  const added = mention === undefined ? context : { ...context, mention };
  return { contexts: withOwnIds([...contexts.filter((one) => !again(one)), added]), attachments };
}

/** The same file once. */
export function withFile({ contexts, attachments }: Attached, file: Attachment): Attached {
  return { contexts, attachments: [...attachments.filter(({ asset }) => asset !== file.asset), file] };
}
