import type { EventError } from '../tools/errors.ts';
import type { NotebookInfo } from '../tools/ports.ts';
import type { ApprovalDecision } from '../tools/types.ts';
import { lookIntoNote, readFromDocument, saveToDocument } from './bound.ts';
import { ChatLibrary } from './chat-library.ts';
import { answeringModel, type ChatControllerDeps, type OwnedChatController } from './controller-deps.ts';
import { emptySession } from './journal.ts';
import { MessageActions } from './message-actions.ts';
import { BUSY, CHAT_GONE, missingVariables, thrownError } from './notices.ts';
import { Outbox, type OutboxHost } from './outbox.ts';
import { ChatSession, type OpenedAs, type SessionListener } from './session.ts';
import { stayAt } from './session-merge.ts';
import { chatView, MessageViews } from './session-view.ts';
import { startChats } from './start-chats.ts';
import type { OutsideChange } from './store-port.ts';
import type { TypedWords } from './typed-words.ts';
import type { ChatContext, Session } from './types.ts';
import { UndoStates } from './undo-states.ts';
import type { ChatView, ModelStatus } from './view.ts';
import { ViewAnnouncer } from './view-announcer.ts';

/** The framework-free chat behind the panel, the service and the tests. */
export class Controller implements OwnedChatController {
  private readonly deps: ChatControllerDeps;
  private session: ChatSession;
  readonly messages: MessageActions;
  readonly library: ChatLibrary;
  private readonly views = new MessageViews();
  private readonly announcer = new ViewAnnouncer<ChatView>(() => this.buildView());
  private readonly undoStates: UndoStates;
  readonly typed: TypedWords;
  private readonly outbox: Outbox;
  private notebooks: readonly NotebookInfo[] = [];
  private notice: EventError | undefined;
  private modelStatus: ModelStatus | undefined;
  /** Switching chats, one after another. */
  private switching: Promise<void> = Promise.resolve();
  private readonly closing = new AbortController();

  constructor(deps: ChatControllerDeps) {
    this.deps = deps;
    this.undoStates = new UndoStates(deps.history, () => this.changed());
    this.session = this.makeSession();
    const { store, newId, clock } = deps;
    this.typed = store.typed;
    const host = { newId, now: clock.now, store, session: () => this.session, say: (problem: EventError) => this.say(problem) };
    const turns: Pick<OutboxHost, 'turn' | 'changed'> = {
      changed: () => this.changed(),
      turn: (work) => this.runTurn((session) => work(session, answeringModel(deps.model()))),
    };
    this.outbox = new Outbox({ ...host, ...turns, typed: this.typed, settled: () => this.switching });
    this.messages = new MessageActions({
      ...{ ...host, ...turns },
      open: (made) => this.switchTo(() => this.keep(made)),
      written: () => this.undoStates,
      attempt: (work) => this.attempt(work),
      signal: this.closing.signal,
    });
    this.library = new ChatLibrary({ ...host, leave: () => this.newChat() });
    const stopListening = store.subscribe((change) => this.outsideChange(change));
    this.closing.signal.addEventListener('abort', stopListening);
  }

  async start(): Promise<void> {
    // What others save meanwhile is taken in after it.
    this.switching = this.attempt(async () => {
      const last = await startChats(this.deps.store, this.deps.clock.now(), (work) => this.attempt(work), this.deps.shown?.get());
      if (last !== null) await this.load(last);
      this.outbox.enter();
      this.deps.shown?.set(this.session.id);
    });
    await this.switching;
    await this.refresh();
  }

  view(): ChatView {
    return this.announcer.value();
  }

  subscribe(listener: (view: ChatView) => void): () => void {
    return this.announcer.subscribe(listener);
  }

  send(text: string): Promise<void> {
    return this.outbox.send(text);
  }

  /** Ends the answer. Nothing else is sent: what waited stands in the composer again. */
  stop(): void {
    this.outbox.withdraw();
    void this.session.stop();
  }

  editQueued(): void {
    this.outbox.withdraw();
  }

  dropQueued(): void {
    this.outbox.drop();
  }

  decide(approvalId: string, decision: ApprovalDecision): void {
    this.session.approvals.decide(approvalId, decision);
  }

  revoke(tool: string, scope: string): void {
    this.session.executor.approvalRecords.revoke(tool, scope);
  }

  newChat(): Promise<void> {
    return this.switchTo(async () => this.show(this.makeSession()));
  }

  openChat(sessionId: string): Promise<void> {
    return this.switchTo(() => this.load(sessionId));
  }

  async rerun(nodeId: string): Promise<void> {
    await this.switching;
    if (this.session.blocked) return this.say(this.session.blocked);
    if (this.session.running) return this.say(BUSY);
    const again = this.undoStates.isUndone(nodeId);
    await this.runTurn((session) => session.rerun(nodeId, answeringModel(this.deps.model()), !again));
  }

  undo(nodeId: string): Promise<void> {
    return this.attempt(() => this.undoStates.undo(this.session, nodeId, this.closing.signal));
  }

  resolveConflict(nodeId: string, blockId: string, choice: 'take-back' | 'keep'): Promise<void> {
    return this.attempt(() => this.undoStates.resolve(this.session, { nodeId, blockId, choice }, this.closing.signal));
  }

  answer(callId: string, text: string | null): void {
    this.session.questions.answer(callId, text);
  }

  addContext(context: ChatContext): void {
    this.outbox.pending.attach(context);
    this.changed();
  }

  removeContext(contextId: string): void {
    this.outbox.pending.detach(contextId);
    this.changed();
  }

  variable(name: string): string | null {
    return this.session.executor.varSystem.getVariable(name)?.value ?? null;
  }

  async saveAsNote(notebook: string, path: string, withOthers = false): Promise<boolean> {
    await this.switching;
    let saved = false;
    await this.attempt(async () => {
      await saveToDocument(this.deps, this.session, { notebook, path, withOthers }, this.closing.signal);
      saved = true;
    });
    this.changed();
    return saved;
  }

  openFromDocument(documentId: string): Promise<void> {
    return this.switchTo(async () => {
      const { clock, device, store } = this.deps;
      const found = await readFromDocument(this.deps, documentId, { time: clock.now(), device }, this.closing.signal);
      if (await store.load(found.sessionId)) await this.load(found.sessionId);
      else await this.keep(found.restored);
      const names = found.missingVariables.filter((name) => !this.session.executor.varSystem.hasVariable(name));
      if (names.length > 0) this.say(missingVariables(names));
    });
  }

  dismissNotice(): void {
    this.notice = undefined;
    this.changed();
  }

  async dispose(): Promise<void> {
    await this.outbox.leave();
    this.closing.abort();
    this.session.dispose();
    this.announcer.clear();
  }

  /** Runs a turn, then what was typed meanwhile; ends when nothing waits. */
  private async runTurn(work: (session: ChatSession) => Promise<void>): Promise<void> {
    const { session } = this;
    await work(session);
    if (session.boundDocument !== undefined) await this.attempt(() => saveToDocument(this.deps, session, null, this.closing.signal));
    await this.attempt(() => this.undoStates.refresh(this.session));
    await this.refresh();
    if (session === this.session) await this.outbox.sendWaiting();
  }

  private switchTo(open: () => Promise<void>): Promise<void> {
    this.switching = this.switching.then(() =>
      this.attempt(async () => {
        await this.outbox.leave();
        await this.attempt(open);
        this.outbox.enter();
      }),
    );
    return this.switching;
  }

  /** `leaf`: the end of the branch that its reader has before him. */
  private async load(id: string, leaf: string | null = null): Promise<void> {
    const loaded = await this.deps.store.load(id);
    if (!loaded) return this.say(CHAT_GONE);
    const session = this.makeSession(loaded.session, loaded);
    stayAt(session.tree, leaf);
    this.show(session);
    if (loaded.missingVariables.length > 0) this.say(missingVariables(loaded.missingVariables));
    await this.attempt(() => this.undoStates.refresh(session));
    await lookIntoNote(this.deps, session, this.closing.signal);
    this.changed();
  }

  private async keep(made: Session): Promise<void> {
    await this.deps.store.save(made);
    await this.load(made.id);
  }

  /** Another window or a sync wrote chats (null: any): the open one takes in what concerns it, before anything else is sent. */
  private outsideChange(change: OutsideChange): void {
    const takeIn = async (): Promise<void> => {
      const { session } = this;
      if (session.empty || (change !== null && !change.includes(session.id))) return;
      if (!(await session.refresh())) await this.load(session.id, session.tree.leaf);
    };
    this.switching = this.switching.then(() => this.attempt(takeIn));
    void this.switching.then(() => this.outbox.sendWaiting());
  }

  private show(session: ChatSession): void {
    if (session.id !== this.session.id) this.outbox.renew();
    this.session.dispose();
    this.session = session;
    this.deps.shown?.set(session.id);
    this.views.clear();
    this.undoStates.clear();
    this.notice = undefined;
    this.changed();
  }

  /** Default: an empty chat. */
  private makeSession(saved?: Session, as?: OpenedAs): ChatSession {
    const { onEvent, newId, clock } = this.deps;
    const listener: SessionListener = {
      onChange: () => this.changed(),
      onNotice: (error) => this.say(error),
      ...(onEvent ? { onEvent } : {}),
    };
    return new ChatSession(this.deps, listener, saved ?? emptySession({ id: newId(), title: '', created: clock.now() }), as);
  }

  refresh(): Promise<void> {
    return this.attempt(async () => {
      this.notebooks = await this.deps.notes.notebooks(this.closing.signal);
      this.changed();
    });
  }

  /** What fails outside a message is a notice, never a rejection: the panel calls without waiting. */
  private async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.closing.signal.aborted) this.say(thrownError(error, 'storage_failed'));
    }
  }

  private say(notice: EventError): void {
    this.notice = notice;
    this.changed();
  }

  private changed(): void {
    this.announcer.changed();
  }

  private buildView(): ChatView {
    const { session, notice } = this;
    // Looked up once a turn, not for every token.
    if (!session.running || !this.modelStatus) this.modelStatus = this.deps.model().status;
    return chatView(session, {
      messages: this.views.of(session, this.undoStates.byMessage),
      queued: this.outbox.pending.text,
      notebooks: this.notebooks,
      model: this.modelStatus,
      contexts: this.outbox.pending.contexts,
      ...(notice ? { notice } : {}),
    });
  }
}
