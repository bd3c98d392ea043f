import type { EventError } from '../tools/events.ts';
import type { NotebookInfo } from '../tools/ports.ts';
import type { ApprovalDecision } from '../tools/types.ts';
import { readFromDocument, saveToDocument } from './bound.ts';
import { answeringModel, type ChatControllerDeps, type OwnedChatController } from './controller-deps.ts';
import { emptySession } from './journal.ts';
import { BUSY, CHAT_GONE, missingVariables, READ_ONLY, toEventError } from './notices.ts';
import { ChatSession, type SessionListener } from './session.ts';
import { allowancesOf, MessageViews } from './session-view.ts';
import { lastChat, renameStored } from './stored-chats.ts';
import type { ChatContext, Session, SessionSummary } from './types.ts';
import { UndoStates } from './undo-states.ts';
import type { ChatView, ModelStatus } from './view.ts';
import { ViewAnnouncer } from './view-announcer.ts';

/** Opens the last chat, after what a crash left behind was put back. Never rejects: what fails is a notice. */
export async function createChatController(deps: ChatControllerDeps): Promise<OwnedChatController> {
  const controller = new Controller(deps);
  await controller.start();
  return controller;
}

export type { ChatControllerDeps, ChatModel, OwnedChatController } from './controller-deps.ts';

class Controller implements OwnedChatController {
  private readonly deps: ChatControllerDeps;
  private session: ChatSession;
  private readonly views = new MessageViews();
  private readonly announcer = new ViewAnnouncer<ChatView>(() => this.buildView());
  private undoStates: UndoStates;
  private queued: string | null = null;
  private contexts: readonly ChatContext[] = [];
  private notebooks: readonly NotebookInfo[] = [];
  private notice: EventError | undefined;
  private modelStatus: ModelStatus | undefined;
  /** Switching chats, one after another. */
  private switching: Promise<void> = Promise.resolve();
  private readonly closing = new AbortController();

  constructor(deps: ChatControllerDeps) {
    this.deps = deps;
    this.undoStates = new UndoStates(deps.history);
    this.session = this.makeSession(this.blank(), false);
  }

  async start(): Promise<void> {
    const { store } = this.deps;
    await this.attempt(async () => {
      for (const id of await store.interrupted()) await this.attempt(async () => void (await store.load(id)));
      const last = await lastChat(store);
      if (last !== null) await this.load(last);
    });
    await this.refresh();
  }

  view(): ChatView {
    return this.announcer.value();
  }

  subscribe(listener: (view: ChatView) => void): () => void {
    return this.announcer.subscribe(listener);
  }

  async send(text: string): Promise<void> {
    if (text.trim() === '') return;
    await this.switching;
    if (this.session.readOnly) return this.say(READ_ONLY);
    if (this.session.running) {
      this.queued = this.queued === null ? text : `${this.queued}\n\n${text}`;
      return this.changed();
    }
    await this.runTurn((session) => {
      const contexts = this.contexts;
      this.contexts = [];
      return session.send(text, contexts, answeringModel(this.deps.model()));
    });
  }

  stop(): void {
    void this.session.stop();
  }

  decide(approvalId: string, decision: ApprovalDecision): void {
    this.session.approvals.decide(approvalId, decision);
  }

  revoke(tool: string, scope: string): void {
    this.session.executor.approvalRecords.revoke(tool, scope);
  }

  newChat(): Promise<void> {
    return this.switchTo(async () => this.show(this.makeSession(this.blank(), false)));
  }

  openChat(sessionId: string): Promise<void> {
    return this.switchTo(() => this.load(sessionId));
  }

  async renameChat(sessionId: string, title: string): Promise<void> {
    const name = title.trim();
    if (name === '') return;
    if (sessionId === this.session.id) return void (await this.session.rename(name));
    await this.attempt(async () => {
      const problem = await renameStored(this.deps.store, sessionId, name);
      if (problem) this.say(problem);
    });
  }

  removeChat(sessionId: string): Promise<void> {
    if (sessionId !== this.session.id) return this.attempt(() => this.deps.store.remove(sessionId));
    return this.switchTo(async () => {
      this.show(this.makeSession(this.blank(), false));
      await this.deps.store.remove(sessionId);
    });
  }

  async chats(): Promise<readonly SessionSummary[]> {
    let found: readonly SessionSummary[] = [];
    await this.attempt(async () => {
      found = await this.deps.store.list();
    });
    return found;
  }

  async rerun(nodeId: string): Promise<void> {
    await this.switching;
    if (this.session.readOnly) return this.say(READ_ONLY);
    if (this.session.running) return this.say(BUSY);
    await this.runTurn((session) => session.rerun(nodeId, answeringModel(this.deps.model())));
  }

  undo(nodeId: string): Promise<void> {
    return this.attempt(async () => {
      await this.undoStates.undo(this.session, nodeId, this.closing.signal);
      this.changed();
    });
  }

  addContext(context: ChatContext): void {
    this.contexts = [...this.contexts.filter((one) => one.id !== context.id || one.kind !== context.kind), context];
    this.changed();
  }

  removeContext(id: string): void {
    this.contexts = this.contexts.filter((context) => context.id !== id);
    this.changed();
  }

  variable(name: string): string | null {
    return this.session.executor.varSystem.getVariable(name)?.value ?? null;
  }

  async saveAsNote(notebook: string, path: string): Promise<void> {
    await this.switching;
    await this.attempt(() => saveToDocument(this.deps, this.session, { notebook, path }, this.closing.signal));
  }

  openFromDocument(documentId: string): Promise<void> {
    return this.switchTo(async () => {
      const { clock, device, store } = this.deps;
      const found = await readFromDocument(this.deps, documentId, { time: clock.now(), device }, this.closing.signal);
      if (!(await store.load(found.sessionId))) await store.save(found.restored);
      await this.load(found.sessionId);
      const names = found.missingVariables.filter((name) => !this.session.executor.varSystem.hasVariable(name));
      if (names.length > 0) this.say(missingVariables(names));
    });
  }

  dismissNotice(): void {
    this.notice = undefined;
    this.changed();
  }

  async dispose(): Promise<void> {
    await this.leave();
    this.closing.abort();
    this.session.dispose();
    this.announcer.clear();
  }

  /** Runs a turn, then what was typed meanwhile; ends when nothing waits. */
  private async runTurn(work: (session: ChatSession) => Promise<void>): Promise<void> {
    const { session } = this;
    await work(session);
    if (session.boundDocument !== undefined) await this.attempt(() => saveToDocument(this.deps, session, null, this.closing.signal));
    await this.refreshUndo();
    await this.refresh();
    const text = this.queued;
    if (text === null || session !== this.session || session.running) return;
    this.queued = null;
    await this.send(text);
  }

  /** Ends the running turn and keeps everything, also what was typed and not sent. */
  private async leave(): Promise<void> {
    const text = this.queued;
    this.queued = null;
    await this.session.stop();
    if (text === null) return;
    this.session.keepUnsent(text);
    await this.session.save();
  }

  private switchTo(open: () => Promise<void>): Promise<void> {
    this.switching = this.switching.then(() =>
      this.attempt(async () => {
        await this.leave();
        await open();
      }),
    );
    return this.switching;
  }

  private async load(id: string): Promise<void> {
    const loaded = await this.deps.store.load(id);
    if (!loaded) return this.say(CHAT_GONE);
    this.show(this.makeSession(loaded.session, loaded.readOnly));
    await this.refreshUndo();
  }

  private show(session: ChatSession): void {
    this.session.dispose();
    this.session = session;
    this.views.clear();
    this.undoStates = new UndoStates(this.deps.history);
    this.contexts = [];
    this.notice = undefined;
    this.changed();
  }

  private blank(): Session {
    const { newId, clock } = this.deps;
    return emptySession({ id: newId(), title: '', created: clock.now() });
  }

  private makeSession(saved: Session, readOnly: boolean): ChatSession {
    const { onEvent } = this.deps;
    const listener: SessionListener = {
      onChange: () => this.changed(),
      onNotice: (error) => this.say(error),
      ...(onEvent ? { onEvent } : {}),
    };
    return new ChatSession(this.deps, listener, saved, readOnly);
  }

  private refreshUndo(): Promise<void> {
    return this.attempt(async () => {
      await this.undoStates.refresh(this.session);
      this.changed();
    });
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
      if (!this.closing.signal.aborted) this.say(toEventError(error, 'storage_failed'));
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
    return {
      sessionId: session.id,
      title: session.title,
      messages: this.views.of(session.tree.thread(), session.live, this.undoStates.byMessage),
      running: session.running,
      queued: this.queued,
      approvals: session.approvals.list(),
      allowances: allowancesOf(session.executor.approvalRecords.list(), this.notebooks),
      notebooks: this.notebooks,
      model: this.modelStatus,
      contexts: this.contexts,
      ...(session.boundDocument === undefined ? {} : { boundDocument: session.boundDocument }),
      ...(notice ? { notice } : {}),
    };
  }
}
