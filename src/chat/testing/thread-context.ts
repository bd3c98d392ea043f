import type { Message } from '../../tools/contract/messages.ts';
import { Withheld } from '../../tools/contract/provenance.ts';
import { TreeModel } from '../session/tree-model.ts';
import type { Node } from '../session/types.ts';
import { conversationOf } from '../turn/model-context.ts';
import type { ContextWindow } from '../turn/select-messages.ts';

/** What the model gets of consecutive messages, the last of them the question. */
export function contextOfThread(
  thread: readonly Node[],
  { toolHistory, window = {} }: { readonly toolHistory: 'compressed' | 'full'; readonly window?: ContextWindow },
): readonly Message[] {
  const nodes = thread.map((node, index) => ({ ...node, parent: thread[index - 1]?.id ?? null }));
  const leafId = nodes.at(-1)?.id ?? null;
  const snapshot = { nodes: Object.fromEntries(nodes.map((node) => [node.id, node])), rootId: nodes[0]?.id ?? null, leafId };
  const tree = new TreeModel({ newId: () => '', now: () => 0, device: '' }, snapshot);
  return conversationOf(tree, leafId, { toolHistory, messages: window.messages }).messages(window.tokens, Withheld.nothing);
}
