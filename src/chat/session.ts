import type { LanguageModel } from '../model/language-model.ts';
import { InlineApprovalAdapter } from '../tools/approvals.ts';
import { type ToolError, toToolError } from '../tools/errors.ts';
import type { EventError, ToolChainEvent } from '../tools/events.ts';
import type { ToolExecutor } from '../tools/executor.ts';
import type { Clock } from '../tools/ports.ts';
import type { ApprovalAdapter } from '../tools/types.ts';
import { autoTitle } from './auto-title.ts';
import type { ChatSettings } from './chat-settings.ts';
import { type Communication, createCommunication, userPayload } from './communication.ts';
import { createChatHandler } from './handlers.ts';
import type { JournalWriter } from './journal.ts';
import { createMessageLifecycle } from './lifecycle.ts';
import type { ChatStore } from './store.ts';
import { TreeModel } from './tree-model.ts';
import type { TurnProgress } from './turn-progress.ts';
import type { ChatContext, Node, Session } from './types.ts';

export interface SessionDeps {
  /** One executor a chat, with its own variables and consent (seed 1). */
  readonly executorFactory: (approvalAdapter: ApprovalAdapter) => ToolExecutor;
  readonly settings: () => ChatSettings;
  readonly store: ChatStore;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly device: string;
  readonly timeZone: string;
}

export interface SessionListener {
  /** Something that the panel shows changed. */
  readonly onChange: () => void;
  /** A failure outside any message. */
  readonly onNotice: (error: EventError) => void;
  readonly onEvent?: (event: ToolChainEvent) => void;
}

/** One open chat: its tree, its tools with variables and consent, the turn that runs, and how it is kept. */
export class ChatSession {
  readonly tree: TreeModel;
  readonly executor: ToolExecutor;
  readonly approvals = new InlineApprovalAdapter();
  readonly readOnly: boolean;
  /** The answer that is being written; null between turns. */
  live: { readonly nodeId: string; readonly progress: TurnProgress } | null = null;
  private base: Session;
  private readonly deps: SessionDeps;
  private readonly listener: SessionListener;
  private readonly journal: JournalWriter;
  private readonly communication: Communication;
  private readonly unsubscribe: readonly (() => void)[];
  private turn: { readonly controller: AbortController; done: Promise<void> } | null = null;
  private journaledVariables: ReadonlySet<string> = new Set();

  constructor(deps: SessionDeps, listener: SessionListener, saved: Session, readOnly = false) {
    this.deps = deps;
    this.listener = listener;
    this.base = saved;
    this.readOnly = readOnly;
    const { clock, newId, device, store } = deps;
    this.tree = new TreeModel({ newId, now: clock.now, device }, { nodes: saved.nodes, rootId: saved.rootId, leafId: saved.leafId });
    this.executor = deps.executorFactory(this.approvals);
    this.executor.varSystem.restore(saved.variables);
    this.executor.approvalRecords.restore(saved.approvals);
    this.journal = store.journal(saved.id, listener.onNotice);
    this.communication = this.createCommunication();
    const consentChanged = (): void => {
      listener.onChange();
      if (!this.running) void this.save();
    };
    this.unsubscribe = [this.approvals.subscribe(listener.onChange), this.executor.approvalRecords.subscribe(consentChanged)];
  }

  get id(): string {
    return this.base.id;
  }

  get title(): string {
    return this.base.title;
  }

  get boundDocument(): string | undefined {
    return this.base.boundDocument;
  }

  get running(): boolean {
    return this.turn !== null;
  }

  get empty(): boolean {
    return this.tree.snapshot().rootId === null;
  }

  /** Resolves when the turn has ended and is saved. Must not be called while a turn runs. */
  send(text: string, contexts: readonly ChatContext[], model: LanguageModel | ToolError): Promise<void> {
    if (this.base.title === '') this.base = { ...this.base, title: autoTitle(text) };
    return this.runTurn(async (signal) => void (await this.communication.sendMessage(text, contexts, { model, signal })));
  }

  rerun(nodeId: string, model: LanguageModel | ToolError): Promise<void> {
    return this.runTurn(async (signal) => void (await this.communication.reRunMessage(nodeId, { model, signal })));
  }

  /** The turn ends with what was done so far; resolves when it has. */
  stop(): Promise<void> {
    this.turn?.controller.abort();
    return this.turn?.done ?? Promise.resolve();
  }

  /** A message that waits for no answer: what the user typed when the chat was left. */
  keepUnsent(text: string): void {
    const { newId, clock } = this.deps;
    this.tree.append({ role: 'user', payload: userPayload(newId(), text, clock.now()) });
  }

  rename(title: string): Promise<void> {
    this.base = { ...this.base, title };
    this.listener.onChange();
    return this.save();
  }

  bind(documentId: string): Promise<void> {
    this.base = { ...this.base, boundDocument: documentId };
    this.listener.onChange();
    return this.save();
  }

  snapshot(): Session {
    const { varSystem, approvalRecords } = this.executor;
    return {
      ...this.base,
      ...this.tree.snapshot(),
      updated: this.base.updated,
      variables: varSystem.save(),
      approvals: approvalRecords.list(),
    };
  }

  /** Never rejects: a chat that cannot be saved stays in memory and says so; the journal is kept until it could. */
  async save(): Promise<void> {
    if (this.readOnly || this.empty) return;
    const clearJournal = this.journal.covered();
    this.base = { ...this.base, updated: this.deps.clock.now() };
    try {
      await this.deps.store.save(this.snapshot());
    } catch (error) {
      const { code, message } = toToolError(error, 'storage_failed');
      this.listener.onNotice({
        code,
        message: `the chat could not be saved: ${message}`,
        next: 'it is kept in this window; check SiYuan and send again, which saves it too',
      });
      return;
    }
    await clearJournal();
  }

  /** Blocks that were read, written or attached in this chat: what an answer may cite. */
  knownIds(): ReadonlySet<string> {
    const ids = new Set<string>();
    for (const node of Object.values(this.tree.snapshot().nodes)) for (const id of sourcesOf(node)) ids.add(id);
    return ids;
  }

  dispose(): void {
    this.turn?.controller.abort();
    for (const stop of this.unsubscribe) stop();
    this.approvals.dispose();
  }

  private runTurn(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.turn) throw new Error('ChatSession: a turn is running');
    const controller = new AbortController();
    const turn = { controller, done: Promise.resolve() };
    this.turn = turn;
    turn.done = this.finishTurn(work(controller.signal));
    return turn.done;
  }

  private async finishTurn(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      // Not the model's or a tool's failure, those stand on the message: a defect, which must not block the chat.
      const { code, message, next } = toToolError(error);
      this.listener.onNotice({ code, message, next });
    } finally {
      this.live = null;
      this.turn = null;
    }
    this.listener.onChange();
    await this.save();
  }

  private createCommunication(): Communication {
    const { deps, tree, executor, listener } = this;
    const { clock, newId, settings, timeZone } = deps;
    const session = (): { systemPrompt?: string; options?: Readonly<Record<string, unknown>> } => {
      const { systemPrompt, options } = this.base;
      return { ...(systemPrompt === undefined ? {} : { systemPrompt }), ...(options ? { options } : {}) };
    };
    return createCommunication({
      ...{ tree, executor, settings, clock, newId, sessionId: this.base.id },
      lifecycle: createMessageLifecycle({ tree, newId, now: clock.now }),
      handler: createChatHandler({ executor, settings, today: clock.today, timeZone, session }),
      knownIds: () => this.knownIds(),
      onTurnStart: (nodeId, progress) => {
        this.live = { nodeId, progress };
        this.journalTurn(nodeId);
        listener.onChange();
      },
      onEvent: (event) => {
        listener.onEvent?.(event);
        listener.onChange();
      },
      onRound: (nodeId) => this.journalRound(nodeId),
    });
  }

  private journalTurn(nodeId: string): void {
    const answer = this.tree.node(nodeId);
    const question = answer.parent === null ? [] : [this.tree.node(answer.parent)];
    this.journaledVariables = new Set(this.executor.varSystem.listVariables().map((variable) => variable.name));
    void this.journal.add({ type: 'turn', head: this.head(), nodes: [...question, answer], leafId: this.tree.snapshot().leafId ?? nodeId });
  }

  private journalRound(nodeId: string): void {
    const variables = this.executor.varSystem.save().filter((variable) => !this.journaledVariables.has(variable.name));
    this.journaledVariables = new Set([...this.journaledVariables, ...variables.map((variable) => variable.name)]);
    void this.journal.add({ type: 'round', head: this.head(), answer: this.tree.node(nodeId), variables });
  }

  private head(): { readonly id: string; readonly title: string; readonly created: number } {
    const { id, title, created } = this.base;
    return { id, title, created };
  }
}

function sourcesOf(node: Node): readonly string[] {
  const attached = node.context?.map((context) => context.id) ?? [];
  const records = Object.values(node.versions).flatMap((payload) => payload.toolChainResult?.toolCallHistory ?? []);
  return [
    ...attached,
    ...records.flatMap(({ result }) => [
      ...(result.blockIds ?? []),
      ...(result.written?.blockIds ?? []),
      ...(result.written ? [result.written.documentId] : []),
    ]),
  ];
}
