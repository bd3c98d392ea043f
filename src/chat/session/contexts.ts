import type { Attached, AttachedContext, Attachment, ChatContext } from './types.ts';

export const NOTHING_ATTACHED: Attached = { contexts: [], attachments: [] };

/** Gives attached notes unique ids, the same on every device: a block and words selected in it share one. Existing ids stay. */
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

/** Tells if the text of a note is sent: a note that is only named has not been read. */
export const isRead = ({ kind }: Pick<ChatContext, 'kind'>): boolean => kind !== 'open';

/** Attaches a note again as it reads now; each selection of words is separate, and only one note is open. */
export function withContext({ contexts, attachments }: Attached, context: ChatContext): Attached {
  const { kind, id, text } = context;
  const again = (one: ChatContext): boolean =>
    one.kind === kind && (!isRead(one) || (one.id === id && (kind !== 'selection' || one.text === text)));
  // Attached again in another way, it is still what the sentence names.
  const { mention = contexts.find((one) => one.id === id && again(one))?.mention } = context;
  const added = mention === undefined ? context : { ...context, mention };
  return { contexts: withOwnIds([...contexts.filter((one) => !again(one)), added]), attachments };
}

export function withFile({ contexts, attachments }: Attached, file: Attachment): Attached {
  return { contexts, attachments: [...attachments.filter(({ asset }) => asset !== file.asset), file] };
}
