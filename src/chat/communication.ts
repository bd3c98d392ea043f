import { ToolError } from '../tools/errors.ts';
import type { Message } from '../tools/messages.ts';
import type { Slot } from './lifecycle.ts';
import { branchContext } from './model-context.ts';
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
  const contextOf = (leafId: string | null): readonly Message[] => {
    const { toolHistory = 'compressed', contextMessages, contextTokens } = settings();
    const window = {
      ...(contextMessages === undefined ? {} : { messages: contextMessages }),
      ...(contextTokens === undefined ? {} : { tokens: contextTokens }),
    };
    return branchContext(tree, leafId, { toolHistory, window });
  };

  async function answer(slot: Slot, history: readonly Message[], { model, signal }: TurnModel): Promise<TurnReport> {
    const nodeId = lifecycle.prepareSlot(slot, model instanceof ToolError ? 'none' : model.model);
    const progress = new TurnProgress(clock.now());
    options.onTurnStart(nodeId, progress);
    const result = await runTurn(options, { turnId: newId(), nodeId, model, history, progress, signal });
    await options.pageStays?.();
    lifecycle.finalize(nodeId, result);
    return { nodeId, updatedTimestamp: clock.now(), hasResponse: result.content !== '' };
  }

  function ask(text: string, context: readonly ChatContext[], turn: TurnModel, parent?: string | null): Promise<TurnReport> {
    const payload = userPayload(newId(), text, clock.now());
    tree.append({ role: 'user', payload, context, ...(parent === undefined ? {} : { parent }) });
    // Before the placeholder, which would otherwise be sent as a message (seed 2 §3).
    const history = contextOf(tree.leaf);
    return answer('append', history, turn);
  }

  return {
    sendMessage: (text, contexts, turn) => ask(text, contexts, turn),
    editMessage: (nodeId, text, contexts, turn) => ask(text, contexts, turn, tree.node(nodeId).parent),
    reRunMessage(nodeId, turn, goOn) {
      const { slot, until } = rerunSlot(tree, nodeId);
      const broken = goOn && typeof slot === 'object' && 'updateAt' in slot ? tree.payload(slot.updateAt) : null;
      const history = contextOf(until);
      return answer(slot, broken && mayHaveWritten(broken) ? [...history, ...goingOn(broken)] : history, turn);
    },
  };
}

function mayHaveWritten({ status, toolChainResult }: Payload): boolean {
  if (status === 'done') return false;
  const results = toolChainResult?.toolCallHistory.map(({ result }) => result) ?? [];
  return results.some((result) => result.written !== undefined || result.status === 'interrupted' || result.status === 'unknown');
}

const GO_ON = 'The answer above broke off. Go on from there and answer the question: what its calls changed stands, so do not do it again.';

function goingOn({ message }: Payload): readonly Message[] {
  return [
    { role: 'assistant', content: message.content },
    { role: 'user', content: GO_ON },
  ];
}

/** Where a rerun goes, and the last message that the model may see. */
function rerunSlot(tree: TreeModel, nodeId: string): { readonly slot: Slot; readonly until: string | null } {
  const node = tree.node(nodeId);
  if (node.role === 'assistant') return { slot: { updateAt: nodeId }, until: node.parent };
  const answered = tree.thread().find((one) => one.parent === nodeId && one.role === 'assistant');
  return { slot: answered ? { updateAt: answered.id } : { insertAt: nodeId }, until: nodeId };
}
