import type { ModelUse } from '../../model/budget/usage.ts';
import type { LanguageModel, PreparedRequest } from '../../model/language-model.ts';
import type { ModelRef } from '../../model/providers.ts';
import type { EventError, ToolError } from '../../tools/contract/errors.ts';
import type { NotebookInfo } from '../../tools/contract/ports.ts';
import { inBackground } from '../../tools/util/notify.ts';
import { stayAt } from '../session/after-merge.ts';
import { withContext } from '../session/contexts.ts';
import { fromElsewhere } from '../session/exchange.ts';
import type { ChatContext, NewChat, OwnSettingsPatch, Session } from '../session/types.ts';
import type { DraftStore } from '../store/draft-store.ts';
import type { OutsideChange } from '../store/store-port.ts';
import { refusalOf } from '../turn/modal-types.ts';
import { BUSY, CHAT_GONE, NO_MODEL, openingNotice, thrownError } from '../turn/notices.ts';
import { ChatSession, type OpenedAs, type SessionListener } from '../turn/session.ts';
import type { ChatView, ModelStatus } from '../view/view.ts';
import { ViewAnnouncer } from '../view/view-announcer.ts';
import { BackgroundChats, newSession } from './background-chats.ts';
import { ChatLibrary } from './chat-library.ts';
import {
  answeringModel,
  type ChatControllerDeps,
  type ChatExtension,
  type ChatModel,
  modelOfChat,
  type OwnedChatController,
} from './controller-deps.ts';
import type { AttachTo, NewAttachment, OpenedChat } from './controller-port.ts';
import { giveTitle } from './give-title.ts';
import { MessageActions, type MessageActionsHost } from './message-actions.ts';
import { attachBeside, attachTo, MessageQueue } from './message-queue.ts';
import { chatView, MessageViews } from './session-view.ts';
import { startChats } from './start-chats.ts';
import { previewQuestion, type SummaryCheck, summaryCheck, summaryModels } from './summary-models.ts';
import { UndoStates } from './undo-states.ts';

/** The key of a chat's draft: all chats without messages share one. */
const draftOf = ({ id, empty }: ChatSession): string => (empty ? '' : id);

class Controller implements OwnedChatController {
  private readonly deps: ChatControllerDeps;
  private session: ChatSession;
  readonly messages: MessageActions;
  readonly library: ChatLibrary;
  private readonly views = new MessageViews();
  private readonly announcer = new ViewAnnouncer<ChatView>(() => this.buildView());
  private readonly undoStates: UndoStates;
  private readonly background: BackgroundChats;
  readonly typed: DraftStore;
  private queue: MessageQueue;
  private notebooks: readonly NotebookInfo[] = [];
  private notice: EventError | undefined;
  private modelStatus: ModelStatus | undefined;
  private switching: Promise<void> = Promise.resolve();
  private readonly closing = new AbortController();

  constructor(deps: ChatControllerDeps) {
    this.deps = deps;
    this.undoStates = new UndoStates(deps.history, { onChange: () => this.changed(), announce: (id) => deps.store.announce(id) });
    this.session = this.makeSession();
    this.background = new BackgroundChats(this.session, deps.onShown);
    const { store, newId, clock } = deps;
    this.typed = store.typed;
    const host = { newId, now: clock.now, store, session: () => this.session, say: (problem: EventError) => this.say(problem) };
    this.queue = new MessageQueue(this.typed);
    const actions: MessageActionsHost = {
      ...host,
      changed: () => this.changed(),
      turn: (work) => this.runTurn(work),
      summarize: () => this.summarize(),
      open: (made) => this.switchTo(() => this.keep(made)),
      written: () => this.undoStates,
      attempt: (work) => this.attempt(work),
    };
    this.messages = new MessageActions(actions);
    this.library = new ChatLibrary({ ...host, open: (id) => this.background.open(id), end: (id) => this.end(id), writes: deps.writes });
    const stopListening = store.subscribe((change) => this.outsideChange(change));
    this.closing.signal.addEventListener('abort', stopListening);
  }

  async start(): Promise<void> {
    const notebooks = this.readNotebooks();
    inBackground(notebooks, () => undefined); // A failure is said below: a chat that is shown takes a notice away.
    // What others save meanwhile is merged after it.
    this.switching = this.attempt(async () => {
      const last = await startChats(this.deps.store, (work) => this.attempt(work), this.deps.shown?.get());
      if (last !== null) await this.showSaved(last);
      this.typed.enter(draftOf(this.session));
      this.deps.shown?.set(this.session.id);
    });
    await this.switching;
    // The chat is shown before; what is sent waits for it.
    this.switching = this.switching.then(() => this.look());
    await this.refresh(notebooks);
  }

  view(): ChatView {
    return this.announcer.value();
  }

  subscribe(listener: (view: ChatView) => void): () => void {
    return this.announcer.subscribe(listener);
  }

  /** Asks, or queues the text while an answer is being written, here or in another window. Resolves when it is answered or queued. */
  async send(text: string, beside?: Promise<readonly ChatContext[]>): Promise<void> {
    const alone = this.queue.attached.attachments.length > 0 && !this.session.running && !this.session.blocked;
    if (text.trim() === '' && !alone) return;
    const taken = this.typed.hold(text);
    if (beside !== undefined) await attachBeside(beside, this.composer(), () => this.typed.putBack(text), taken);
    await this.startOrQueue(text, taken);
  }

  async preview(text: string, beside: readonly ChatContext[] = []): Promise<PreparedRequest | null> {
    await this.switching;
    const attached = beside.reduce(withContext, this.queue.attached);
    return previewQuestion(this.deps, this.session, { text, attached }, this.closing.signal);
  }

  /** Stops the answer. Nothing else is sent: queued text goes back into the composer. */
  stop(): void {
    this.editQueued();
    inBackground(this.session.stop());
  }

  editQueued(): void {
    if (this.queue.withdraw()) this.changed();
  }

  dropQueued(): void {
    this.queue.takeText()?.taken();
    this.changed();
  }

  readonly decide: OwnedChatController['decide'] = (id, decision) => void this.session.approvals.decide(id, decision);
  readonly revise: OwnedChatController['revise'] = (id, args) => this.session.approvals.revise(id, args);

  revoke(tool: string, scope: string): void {
    this.session.executor.approvalRecords.revoke(tool, scope);
  }

  newChat(made?: NewChat): Promise<void> {
    return this.switchTo(async () => this.show(this.makeSession(newSession(this.deps, made))));
  }

  openChat(sessionId: string): Promise<void> {
    return this.switchTo(() => this.load(sessionId));
  }

  async rerun(nodeId: string, rest = false, ref?: ModelRef): Promise<void> {
    await this.switching;
    if (this.session.blocked) return this.say(this.session.blocked);
    if (this.session.running) return this.say(BUSY);
    const again = this.undoStates.isUndone(nodeId);
    await this.runTurn((session, model) => (rest ? session.continue(nodeId, model) : session.rerun(nodeId, model, !again)), ref);
  }

  undo(nodeId: string): Promise<void> {
    return this.attempt(async () => void (await this.undoStates.undo(this.session, nodeId, this.closing.signal)));
  }

  redo(nodeId: string): Promise<void> {
    return this.attempt(() => this.undoStates.redo(this.session, nodeId, this.closing.signal));
  }

  resolveConflict(nodeId: string, blockId: string, choice: 'undo' | 'keep', shown?: string | null): Promise<void> {
    return this.attempt(() => this.undoStates.resolve(this.session, nodeId, this.closing.signal, blockId, choice, shown));
  }

  answer(callId: string, text: string | null): void {
    this.session.questions.answer(callId, text);
  }

  addContext(context: ChatContext): void {
    this.composer().addContext(context);
  }

  removeContext(contextId: string): void {
    this.queue.detach(contextId);
    this.changed();
  }

  attach(file: NewAttachment): Promise<void> {
    return this.composer().attach(file);
  }

  composer(): AttachTo {
    const { session, deps, typed } = this;
    const places = (): readonly [string, string] => [draftOf(session), draftOf(this.session)];
    return attachTo({ ...deps, typed, places, changed: () => this.changed() }, this.closing.signal);
  }

  removeAttachment(id: string): void {
    this.queue.detach(id);
    this.changed();
  }

  variable(name: string): string | null {
    return this.session.executor.varSystem.getVariable(name)?.value ?? null;
  }

  async work(run: (chat: OpenedChat) => Promise<void>): Promise<void> {
    await this.switching;
    const { session, undoStates: undo } = this;
    const { signal } = this.closing;
    const isShown = (): boolean => session === this.session;
    await this.attempt(() => run({ session, undo, isShown, say: (problem) => this.say(problem), signal }));
    this.changed();
  }

  openFound(find: (signal: AbortSignal) => Promise<Session>): Promise<void> {
    return this.switchTo(async () => {
      const found = await find(this.closing.signal);
      if (this.background.open(found.id) ?? (await this.deps.store.load(found.id))) await this.load(found.id);
      else await this.keep(fromElsewhere(found));
    });
  }

  async setOwn(patch: OwnSettingsPatch): Promise<void> {
    await this.switching;
    if (this.session.blocked) return this.say(this.session.blocked);
    await this.session.setOwn(patch);
  }

  dismissNotice(): void {
    this.say(undefined);
  }

  async dispose(): Promise<void> {
    await this.leave();
    await Promise.all([this.session.stop(), this.background.endAll()]);
    this.closing.abort();
    this.session.dispose();
    this.announcer.clear();
  }

  /** `taken` is called when the chat has saved the text, or it is queued. */
  private async startOrQueue(text: string, taken: () => void, summaryCheck?: SummaryCheck): Promise<void> {
    await this.switching;
    const { readOnly, blocked, running } = this.session;
    if (running || blocked) {
      if (readOnly && blocked) this.say(blocked);
      else this.queue.add(text);
      taken();
      return this.changed();
    }
    const refused = refusalOf(this.model().model, { text, ...this.queue.attached });
    if (refused) {
      this.typed.putBack(text);
      taken();
      return this.say(refused);
    }
    if (!summaryCheck && this.session.summaries.mayBeNeeded) {
      // Queued text survives the page, and Stop puts it back into the composer.
      this.queue.add(text);
      taken();
      return this.prepare(text);
    }
    // The notice was about the previous attempt.
    if (this.notice?.code.startsWith('media_')) this.notice = undefined;
    const answered = this.runTurn((chat, model) => chat.ask(text, this.queue.takeAttached(), model, summaryCheck?.unsummarized));
    taken();
    await answered;
  }

  /** Summarizes older messages if the queued question needs it, and asks it. */
  private async prepare(text: string): Promise<void> {
    const { session } = this;
    const { attached } = this.queue;
    const models = summaryModels(this.deps, session, attached.attachments);
    const outcome = models && (await session.summarize({ kind: 'if-needed', text, attached }, models));
    if (session === this.session) await this.askWaiting(summaryCheck(outcome));
  }

  private async summarize(): Promise<void> {
    const { session } = this;
    const models = summaryModels(this.deps, session);
    if (!models) return this.say(this.model().problem ?? NO_MODEL);
    const outcome = await session.summarize({ kind: 'by-hand' }, models);
    if (outcome.kind === 'failed') this.say(outcome.error);
    await this.extend('grown', session);
    if (session === this.session) await this.askWaiting();
  }

  private async runTurn(start: (session: ChatSession, model: LanguageModel | ToolError) => Promise<void>, ref?: ModelRef): Promise<void> {
    const { session, notice } = this;
    await start(session, answeringModel(this.model(session, ref)));
    const titleModel = (use: ModelUse): LanguageModel | null => this.deps.titleModel?.(use, this.model(session).status.ref) ?? null;
    // In the background: nothing waits for a title.
    const titled = giveTitle(session, titleModel, this.closing.signal, () => session === this.background.open(session.id));
    await this.extend('grown', session);
    await this.attempt(() => this.undoStates.refresh(this.session));
    // The answer was saved, and nothing failed since: SiYuan answers again.
    if (notice?.code === 'kernel_unreachable' && notice === this.notice) this.dismissNotice();
    if (session === this.session) await this.askWaiting();
    inBackground(titled.finally(() => this.background.drop(session)));
  }

  private async askWaiting(summaryCheck?: SummaryCheck): Promise<void> {
    const { running, blocked } = this.session;
    const waiting = running || blocked ? null : this.queue.takeText();
    if (waiting) await this.startOrQueue(waiting.text, waiting.taken, summaryCheck);
  }

  /** The answer continues, but preparation stops; queued text goes back into the composer, which belongs to its chat. */
  private async leave(): Promise<void> {
    this.queue.withdraw();
    if (this.session.preparing) await this.session.stop();
    this.typed.leave(draftOf(this.session));
  }

  /** Ends a chat's answer and closes it; if it is shown, an empty chat replaces it. */
  private async end(id: string): Promise<void> {
    if (id !== this.session.id) return this.background.end(id);
    this.editQueued();
    await this.session.stop();
    await this.newChat();
  }

  private switchTo(open: () => Promise<void>): Promise<void> {
    this.switching = this.switching.then(() =>
      this.attempt(async () => {
        await this.leave();
        await this.attempt(open);
        this.typed.enter(draftOf(this.session));
        this.changed();
      }),
    );
    return this.switching;
  }

  private async load(id: string, leaf: string | null = null): Promise<void> {
    await this.showSaved(id, leaf);
    await this.look();
  }

  private async showSaved(id: string, leaf: string | null = null): Promise<void> {
    // In the file, the answer being written is an unfinished one.
    const running = this.background.running(id);
    const loaded = running ? null : await this.deps.store.load(id);
    if (!loaded && !running) return this.say(CHAT_GONE);
    const session = running ?? this.makeSession(loaded?.session, loaded ?? undefined);
    if (!running) stayAt(session.tree, leaf);
    this.show(session);
    if (loaded) this.say(openingNotice(loaded));
    else await session.refresh();
    await this.attempt(() => this.undoStates.refresh(session));
  }

  private async look(): Promise<void> {
    await this.extend('opened', this.session);
    this.changed();
  }

  private async extend(event: keyof ChatExtension, session: ChatSession): Promise<void> {
    for (const each of this.deps.extensions ?? []) await this.attempt(() => each[event](session, this.closing.signal));
  }

  private async keep(made: Session): Promise<void> {
    await this.deps.store.save(made);
    await this.load(made.id);
  }

  /** Another window or a sync wrote chats (null: any): the open chat merges its changes before anything else is sent. */
  private outsideChange(change: OutsideChange): void {
    const takeIn = async (): Promise<void> => {
      const { session } = this;
      if (session.empty || (change !== null && !change.includes(session.id))) return;
      await ((await session.refresh()) ? this.undoStates.refresh(session) : this.load(session.id, session.tree.leaf));
    };
    this.switching = this.switching.then(() => this.attempt(takeIn));
    inBackground(this.switching.then(() => this.askWaiting()));
  }

  private show(session: ChatSession): void {
    if (session.id !== this.session.id) this.queue = new MessageQueue(this.typed);
    this.background.show(session);
    this.session = session;
    this.modelStatus = undefined;
    this.deps.shown?.set(session.id);
    this.views.clear();
    this.undoStates.clear();
    this.notice = undefined;
    if (session.project) inBackground(this.refresh());
    this.changed();
  }

  private makeSession(saved?: Session, as?: OpenedAs): ChatSession {
    const listener: SessionListener = {
      onChange: () => this.changed(),
      onNotice: (error) => this.say(error),
      onEvent: (event) => event.sessionId === this.session.id && this.deps.onEvent?.(event),
    };
    return new ChatSession(this.deps, listener, saved ?? newSession(this.deps), as);
  }

  refresh(notebooks = this.readNotebooks()): Promise<void> {
    return this.attempt(async () => {
      await this.session.project?.read(this.closing.signal).catch(() => undefined);
      this.notebooks = await notebooks;
      this.changed();
    });
  }

  private readonly readNotebooks = (): Promise<readonly NotebookInfo[]> =>
    this.deps.allNotebooks?.(this.closing.signal) ?? this.deps.notes.notebooks(this.closing.signal);

  /** A failure outside a message becomes a notice, never a rejection: the panel calls without awaiting. */
  private async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.closing.signal.aborted) this.say(thrownError(error, 'storage_failed'));
    }
  }

  private model({ id, own } = this.session, ref = own.model): ChatModel {
    return modelOfChat(this.deps.model, { sessionId: id, purpose: 'answer' }, ref);
  }

  private say(notice: EventError | undefined): void {
    this.notice = notice;
    this.changed();
  }

  private readonly changed = (): void => this.announcer.changed();

  private buildView(): ChatView {
    const { session, notice } = this;
    // Looked up once per turn, not for every token.
    if (!session.running || !this.modelStatus) this.modelStatus = this.model().status;
    return chatView(session, {
      messages: this.views.of(session, this.undoStates.byMessage),
      // Text that only waits for a quick check is not shown as queued.
      queued: session.preparing === 'checking' ? null : this.queue.text,
      notebooks: this.notebooks,
      model: this.modelStatus,
      ...this.queue.attached,
      ...(notice ? { notice } : {}),
      background: this.background.view(),
    });
  }
}

/** Opens the last chat, after restoring what a crash left behind. Never rejects: failures are notices. */
export async function createChatController(deps: ChatControllerDeps): Promise<OwnedChatController> {
  const controller = new Controller(deps);
  await controller.start();
  return controller;
}
