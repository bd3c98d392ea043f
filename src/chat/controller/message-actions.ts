import type { LanguageModel } from '../../model/language-model.ts';
import type { EventError, ToolError } from '../../tools/contract/errors.ts';
import type { PlanOperation } from '../../tools/contract/plans.ts';
import { withCovers, withoutDeleted } from '../session/lineage.ts';
import { ownSettings } from '../session/own-settings.ts';
import { pathOf } from '../session/thread.ts';
import type { Node, Payload, SavedVariable, Session } from '../session/types.ts';
import { emptySession } from '../store/turn-log.ts';
import { BUSY } from '../turn/notices.ts';
import type { ChatSession } from '../turn/session.ts';
import { userPayload } from '../turn/turn.ts';
import { type ChatFigures, chatFigures } from '../view/message-figures.ts';
import type { UndoStates } from './undo-states.ts';

function variableNames(node: Node): readonly string[] {
  const records = Object.values(node.versions).flatMap((payload) => payload.toolChainResult?.toolCallHistory ?? []);
  return records.flatMap(({ result }) => [result.cacheVarArgs, result.cacheVarResult].filter((name) => name !== undefined));
}

/** The same messages with new ids: ids are unique everywhere, and two chats with one message would both claim its notes. */
function renamed(nodes: readonly Node[], newId: () => string): ReadonlyMap<string, Node> {
  const ids = new Map(nodes.map((node) => [node.id, newId()]));
  return new Map(
    nodes.map((node): [string, Node] => {
      const versionIds = new Map(Object.keys(node.versions).map((id) => [id, newId()]));
      const versions = Object.values(node.versions).map((payload): [string, Payload] => {
        const id = versionIds.get(payload.id) ?? payload.id;
        return [id, { ...payload, id }];
      });
      const made: Node = {
        ...node,
        id: ids.get(node.id) ?? node.id,
        parent: node.parent === null ? null : (ids.get(node.parent) ?? null),
        versions: Object.fromEntries(versions),
        currentVersionId: versionIds.get(node.currentVersionId) ?? node.currentVersionId,
      };
      return [node.id, withCovers(made, (id) => ids.get(id))];
    }),
  );
}

/** The message that wrote it, in the chat that has it now. */
function writtenIn(variable: SavedVariable, copies: ReadonlyMap<string, Node>): SavedVariable {
  const node = variable.node === undefined ? undefined : copies.get(variable.node)?.id;
  return node === undefined ? variable : { ...variable, node };
}

interface Extraction {
  readonly title: string;
  readonly now: number;
  readonly newId: () => string;
}

/** Copies the branch with all versions, its settings and its variables, but without consent, which was given for the other chat. */
export function extractBranch(session: Session, leafId: string, { title, now, newId }: Extraction): Session {
  const thread = withoutDeleted(pathOf(session, leafId));
  const names = new Set(thread.flatMap(variableNames));
  const isSet = (type: string): boolean => type === 'LLMAdd' || type === 'UserAdd';
  // Tombstones are dropped: what followed one now follows the message before it.
  const chained = thread.map((node, index) => ({ ...node, parent: thread[index - 1]?.id ?? null }));
  const copies = renamed(chained, newId);
  const nodes = [...copies.values()];
  return {
    ...emptySession({ id: newId(), title, created: now, project: session.project }),
    tags: session.tags,
    ...ownSettings(session),
    ...(session.fromElsewhere ? { fromElsewhere: true } : {}),
    nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
    rootId: nodes[0]?.id ?? null,
    leafId: nodes.at(-1)?.id ?? null,
    variables: session.variables
      .filter(({ name, type, node }) => names.has(name) || (isSet(type) && (node === undefined || copies.has(node))))
      .map((variable) => writtenIn(variable, copies)),
  };
}

export interface MessageActionsHost {
  readonly session: () => ChatSession;
  readonly turn: (work: (session: ChatSession, model: LanguageModel | ToolError) => Promise<void>) => Promise<void>;
  readonly summarize: () => Promise<void>;
  readonly open: (made: Session) => Promise<void>;
  readonly say: (problem: EventError) => void;
  readonly changed: () => void;
  readonly newId: () => string;
  readonly now: () => number;
  readonly written: () => UndoStates;
  readonly attempt: (work: () => Promise<void>) => Promise<void>;
}

/** Actions on the messages of the open chat. What cannot be done now becomes a notice; nothing rejects. */
export class MessageActions {
  private readonly host: MessageActionsHost;

  constructor(host: MessageActionsHost) {
    this.host = host;
  }

  /** What one call of a message wrote into blocks, for display. */
  async changes(nodeId: string, callId: string): Promise<readonly PlanOperation[]> {
    let made: readonly PlanOperation[] = [];
    await this.host.attempt(async () => {
      made = await this.host.written().changes(this.host.session(), nodeId, callId);
    });
    return made;
  }

  /** Stops one sub-agent in the running answer; the answer continues with what it had found. */
  stopCall(callId: string): void {
    this.host.session().calls.stop(callId);
  }

  /** Asks in other words, in a new branch; resolves when the turn has ended. `search`: the notes may be searched for it first. */
  async edit(nodeId: string, text: string, search = true): Promise<void> {
    if (text.trim() === '' || !this.mayWrite(true)) return;
    await this.host.turn((session, model) => session.edit(nodeId, text, model, search));
  }

  /** `version` counts from 1, like MessageView.position. */
  showVersion(nodeId: string, version: number): Promise<void> {
    return this.act(true, ({ tree }) => {
      const versionId = tree.versions(nodeId)[version - 1];
      if (versionId !== undefined) tree.selectVersion(nodeId, versionId);
    });
  }

  /** Shows another branch at this message. `branch` counts from 1. */
  showBranch(nodeId: string, branch: number): Promise<void> {
    return this.act(true, ({ tree }) => {
      const first = tree.branches(nodeId)[branch - 1];
      if (first !== undefined) tree.selectBranch(first);
    });
  }

  /** Shows the branch that contains a message: used to open a search result. */
  reveal(nodeId: string): Promise<void> {
    const { tree } = this.host.session();
    // If it is already shown, nothing changes: a chat that is only viewed is not saved again.
    if (!tree.has(nodeId) || tree.thread().some((node) => node.id === nodeId)) return Promise.resolve();
    return this.act(true, ({ tree }) => tree.selectBranch(nodeId));
  }

  /** The next question follows this message; what followed it stays as a branch. */
  continueFrom(nodeId: string): Promise<void> {
    return this.act(true, ({ tree }) => tree.setLeaf(nodeId));
  }

  setHidden(nodeId: string, hidden: boolean): Promise<void> {
    return this.act(false, ({ tree }) => tree.setHidden(nodeId, hidden));
  }

  setPinned(nodeId: string, pinned: boolean): Promise<void> {
    return this.act(false, ({ tree }) => tree.setPinned(nodeId, pinned));
  }

  remove(nodeId: string): Promise<void> {
    return this.act(true, ({ tree }) => tree.tombstone(nodeId));
  }

  restore(nodeId: string): Promise<void> {
    return this.act(false, ({ tree }) => tree.restore(nodeId));
  }

  /** Messages above the separator are no longer sent, except pinned ones. */
  separate(): Promise<void> {
    return this.act(true, ({ tree, empty }) => {
      const { newId, now } = this.host;
      if (!empty) tree.append({ role: 'separator', payload: userPayload(newId(), '', now()) });
    });
  }

  /** Replaces all but the last two turns by a summary. Resolves when it is done, or a notice says why not. */
  async summarize(): Promise<void> {
    if (this.mayWrite(true)) await this.host.summarize();
  }

  editSummary(nodeId: string, text: string): Promise<void> {
    return this.host.attempt(() => this.act(true, (session) => session.summaries.edit(nodeId, text)));
  }

  /** Copies the branch that ends with this message into a new chat and opens it. */
  async extract(nodeId: string, title: string): Promise<void> {
    const { session, open, newId, now } = this.host;
    await open(extractBranch(session().snapshot(), nodeId, { title, newId, now: now() }));
  }

  /** A message's writes were undone elsewhere: updates its state if its chat is open. */
  async lookAgain(sessionId: string, nodeId: string): Promise<void> {
    const { session, written, attempt } = this.host;
    const chat = session();
    if (chat.id === sessionId && chat.tree.has(nodeId)) await attempt(() => written().look(chat, nodeId));
  }

  figures(): ChatFigures {
    return chatFigures(this.host.session().tree.snapshot().nodes);
  }

  private mayWrite(exclusive: boolean): boolean {
    const { session, say } = this.host;
    const problem = session().blocked ?? (exclusive && session().running ? BUSY : null);
    if (problem) say(problem);
    return problem === null;
  }

  /** `exclusive`: not while an answer is being written. */
  private async act(exclusive: boolean, change: (session: ChatSession) => void): Promise<void> {
    if (!this.mayWrite(exclusive)) return;
    const session = this.host.session();
    change(session);
    this.host.changed();
    await session.save();
  }
}
