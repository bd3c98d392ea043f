import { ToolError } from '../tools/errors.ts';
import type { Message } from '../tools/messages.ts';
import type { Conversation } from '../tools/model-requests.ts';
import type { Slot } from './lifecycle.ts';
import { type ConversationOptions, conversationOf } from './model-context.ts';
import type { TreeModel } from './tree-model.ts';
import { runTurn, type Turn, type TurnDeps } from './turn.ts';
import { TurnProgress } from './turn-progress.ts';
import type { ChatContext, Payload } from './types.ts';

export interface CommunicationOptions extends TurnDeps {
  readonly tree: TreeModel;
  readonly newId: () => string;
  /** The placeholder stands; nothing was asked yet. */
  readonly onTurnStart: (nodeId: string, progress: TurnProgress) => void;
  /** See SessionDeps. */
  readonly pageStays?: (() => Promise<void>) | undefined;
}

type TurnModel = Pick<Turn, 'model' | 'signal'>;

interface TurnReport {
  readonly nodeId: string;
  readonly updatedTimestamp: number;
  readonly hasResponse: boolean;
}

/** seed 2's orchestration. Neither method rejects for what a model, a tool or the user does: it stands on the message. */
export interface Communication {
  sendMessage(text: string, contexts: readonly ChatContext[], turn: TurnModel): Promise<TurnReport>;
  /**
   * A new version of an answer; for a question, of its answer or a first one. With `goOn`, an answer that broke off after it may
   * have changed notes is told what it had done: nothing is to be written twice.
   */
  reRunMessage(nodeId: string, turn: TurnModel, goOn: boolean): Promise<TurnReport>;
  /** The question in other words, as a branch beside it; what followed the old one stays there. */
  editMessage(nodeId: string, text: string, contexts: readonly ChatContext[], turn: TurnModel): Promise<TurnReport>;
}

/** The question as a version of a message. */
export function userPayload(id: string, text: string, created: number): Payload {
  return { id, message: { role: 'user', content: text }, author: 'user', created, status: 'done' };
}

export function createCommunication(options: CommunicationOptions): Communication {
  const { tree, lifecycle, clock, newId, settings } = options;
  const conversation = (question: string | null, goingOn?: ConversationOptions['goingOn']): Conversation => {
    const { toolHistory = 'compressed', contextMessages: messages } = settings();
    return conversationOf(tree, question, { toolHistory, messages, goingOn });
  };

  async function answer(slot: Slot, before: Conversation, { model, signal }: TurnModel): Promise<TurnReport> {
    const nodeId = lifecycle.prepareSlot(slot, model instanceof ToolError ? 'none' : model.model);
    const progress = new TurnProgress(clock.now());
    options.onTurnStart(nodeId, progress);
    const result = await runTurn(options, { turnId: newId(), nodeId, model, conversation: before, progress, signal });
    await options.pageStays?.();
    lifecycle.finalize(nodeId, result);
    return { nodeId, updatedTimestamp: clock.now(), hasResponse: result.content !== '' };
  }

  function ask(text: string, context: readonly ChatContext[], turn: TurnModel, parent?: string | null): Promise<TurnReport> {
    const payload = userPayload(newId(), text, clock.now());
    tree.append({ role: 'user', payload, context, ...(parent === undefined ? {} : { parent }) });
    // Before the placeholder, which would otherwise be sent as a message (seed 2 §3).
    return answer('append', conversation(tree.leaf), turn);
  }

  return {
    sendMessage: (text, contexts, turn) => ask(text, contexts, turn),
    editMessage: (nodeId, text, contexts, turn) => ask(text, contexts, turn, tree.node(nodeId).parent),
    reRunMessage(nodeId, turn, goOn) {
      const { slot, question } = rerunSlot(tree, nodeId);
      const again = typeof slot === 'object' && 'updateAt' in slot ? slot.updateAt : null;
      const broken = goOn && again !== null ? { node: tree.node(again), payload: tree.payload(again) } : null;
      const goingOn = broken && mayHaveWritten(broken.payload) ? { ...broken, word: GO_ON } : undefined;
      return answer(slot, conversation(question, goingOn), turn);
    },
  };
}

function mayHaveWritten({ status, toolChainResult }: Payload): boolean {
  if (status === 'done') return false;
  const results = toolChainResult?.toolCallHistory.map(({ result }) => result) ?? [];
  return results.some((result) => result.written !== undefined || result.status === 'interrupted' || result.status === 'unknown');
}

const GO_ON: Message = {
  role: 'user',
  content: 'The answer above broke off. Go on from there and answer the question: its changes are in place, so do not make them again.',
};

/** Where a rerun goes, and the question that it answers, which is sent whatever became of it. */
function rerunSlot(tree: TreeModel, nodeId: string): { readonly slot: Slot; readonly question: string | null } {
  const node = tree.node(nodeId);
  if (node.role === 'assistant') return { slot: { updateAt: nodeId }, question: node.parent };
  const answered = tree.path(tree.leaf).find((one) => one.parent === nodeId && one.role === 'assistant');
  if (!answered) return { slot: { insertAt: nodeId }, question: nodeId };
  // A deleted answer comes back in its place, with what follows it, and the new one as its version.
  tree.restore(answered.id);
  return { slot: { updateAt: answered.id }, question: nodeId };
}
