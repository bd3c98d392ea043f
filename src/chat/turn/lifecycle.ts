import type { PayloadPatch, TreeModel } from '../session/tree-model.ts';
import type { LeftOut, Payload } from '../session/types.ts';

/** The place of an answer: a new message at the end, a new version of an answer, or a new answer to a question. */
export type Slot = 'append' | { readonly updateAt: string } | { readonly insertAt: string };

export interface ExtendedCompletionResult
  extends Pick<
    Payload,
    | 'usage'
    | 'time'
    | 'toolChainResult'
    | 'toolChainMessages'
    | 'files'
    | 'citations'
    | 'writes'
    | 'isPrivate'
    | 'fromElsewhere'
    | 'error'
    | 'end'
  > {
  /** `toolChainContent + responseContent` after tools, else the model's text. */
  readonly content: string;
  /** Length of toolChainContent in UTF-16 units; absent without tools. */
  readonly hintSize?: number;
  readonly reasoning?: string;
  readonly status: Exclude<Payload['status'], 'interrupted'>;
}

export interface MessageLifecycle {
  /** Inserts the placeholder and returns its node. History must be read before, or the empty placeholder would be sent as a message. */
  prepareSlot(slot: Slot, author: string): string;
  /** The answer so far, for the turn log and for a save in the middle; the panel renders from events. */
  stream(
    nodeId: string,
    patch: Pick<ExtendedCompletionResult, 'content' | 'hintSize' | 'toolChainResult' | 'isPrivate' | 'fromElsewhere'>,
  ): void;
  withhold(nodeId: string, prints: readonly string[]): void;
  leaveOut(nodeId: string, leftOut: LeftOut): void;
  finalize(nodeId: string, result: ExtendedCompletionResult): void;
}

export interface LifecycleOptions {
  readonly tree: TreeModel;
  readonly newId: () => string;
  readonly now: () => number;
}

type Extras = Omit<ExtendedCompletionResult, 'content' | 'reasoning' | 'status' | 'hintSize'>;

/** Fields of the payload that have a value: nothing empty is saved. */
function extrasOf(result: Extras): Partial<Payload> {
  const { usage, time, toolChainResult, toolChainMessages, files, citations, writes, isPrivate, fromElsewhere, error, end } = result;
  return {
    ...(usage ? { usage, token: usage.completion_tokens } : {}),
    ...(time ? { time } : {}),
    ...(toolChainResult ? { toolChainResult } : {}),
    ...(toolChainMessages ? { toolChainMessages } : {}),
    ...(files?.length ? { files } : {}),
    ...(citations?.length ? { citations } : {}),
    ...(writes?.length ? { writes } : {}),
    ...(isPrivate === undefined ? {} : { isPrivate }),
    ...(fromElsewhere ? { fromElsewhere } : {}),
    ...(error ? { error } : {}),
    ...(end ? { end } : {}),
  };
}

/** The end of the hint, so that nobody parses text for it. Without a hint, an earlier slice is removed. */
function slice(content: string, hintSize: number | undefined): Pick<PayloadPatch, 'userPromptSlice'> {
  return { userPromptSlice: hintSize ? [hintSize, content.length] : undefined };
}

export function createMessageLifecycle({ tree, newId, now }: LifecycleOptions): MessageLifecycle {
  function placeholder(author: string): Payload {
    // Until it is finalized an answer counts as interrupted: that is what it is after a crash.
    return { id: newId(), message: { role: 'assistant', content: '' }, author, created: now(), status: 'interrupted' };
  }

  function place(slot: Slot, payload: Payload): string {
    if (slot === 'append') return tree.append({ role: 'assistant', payload }).id;
    if ('insertAt' in slot) return tree.append({ role: 'assistant', payload, parent: slot.insertAt }).id;
    tree.addVersion(slot.updateAt, payload);
    return slot.updateAt;
  }

  return {
    prepareSlot(slot, author) {
      const nodeId = place(slot, placeholder(author));
      tree.openVersion(nodeId);
      return nodeId;
    },
    stream(nodeId, { content, hintSize, ...rest }) {
      tree.updatePayload(nodeId, { message: { role: 'assistant', content }, ...slice(content, hintSize), ...extrasOf(rest) });
    },
    withhold(nodeId, prints) {
      if (prints.length > 0 || tree.payload(nodeId).withheld) tree.updatePayload(nodeId, { withheld: prints });
    },
    leaveOut(nodeId, leftOut) {
      tree.updatePayload(nodeId, { leftOut });
    },
    finalize(nodeId, { content, hintSize, reasoning, status, ...rest }) {
      const message = { role: 'assistant' as const, content, ...(reasoning ? { reasoning } : {}) };
      tree.updatePayload(nodeId, { message, status, ...slice(content, hintSize), ...extrasOf(rest) });
      tree.closeVersion(nodeId);
    },
  };
}
