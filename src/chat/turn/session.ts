import type { LanguageModel, PreparedRequest } from '../../model/language-model.ts';
import { type EventError, ToolError, toToolError } from '../../tools/contract/errors.ts';
import { InlineApprovalAdapter } from '../../tools/executor/approvals.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import type { ReadCall } from '../../tools/executor/legal-calls.ts';
import { InlineAskUser } from '../../tools/executor/questions.ts';
import { inBackground } from '../../tools/util/notify.ts';
import type { ActivityRecorder } from '../activity/recorder.ts';
import { continues, mergedHeader, type SessionHeader } from '../session/after-merge.ts';
import { answersIn, type ChatProject, projectReader } from '../session/chat-project.ts';
import { givenPrivate, isJudged, sourcesOf, toolsBehind, writtenFrom } from '../session/lineage.ts';
import { ownSettings, withOwnSettings } from '../session/own-settings.ts';
import { TreeModel } from '../session/tree-model.ts';
import type { LeftOut, OwnSettings, OwnSettingsPatch, Session } from '../session/types.ts';
import type { LoadedSession } from '../store/store-port.ts';
import type { TurnLogWriter } from '../store/turn-log-files.ts';
import { type ChatSettings, settingsOfChat } from './chat-settings.ts';
import { ChatSummaries, type SummaryModels, type SummaryOutcome } from './chat-summaries.ts';
import { type ChatHandler, createChatHandler } from './handlers.ts';
import { createMessageLifecycle } from './lifecycle.ts';
import { autoTitle } from './model-title.ts';
import { callsChanged, ELSEWHERE, READ_ONLY, REPAIRED } from './notices.ts';
import { recorderOf } from './recorded-calls.ts';
import { firstRequest } from './request-preview.ts';
import { RunningCalls, type ToolsChat } from './running-calls.ts';
import type { SessionDeps, SessionListener } from './session-deps.ts';
import type { SummaryWish } from './summarize.ts';
import { type Answering, type CallReport, type ProgramTurn, type QuestionAttached, type TurnDeps, Turns } from './turn.ts';
import type { TurnProgress } from './turn-progress.ts';
import { TurnRecorder } from './turn-recorder.ts';

export type { ExecutorPorts, SessionDeps, SessionListener } from './session-deps.ts';

export type OpenedAs = Pick<LoadedSession, 'readOnly' | 'elsewhere'>;

export class ChatSession {
  readonly tree: TreeModel;
  readonly executor: ToolExecutor;
  readonly approvals = new InlineApprovalAdapter();
  readonly questions = new InlineAskUser();
  readonly summaries: ChatSummaries;
  readonly recorder: ActivityRecorder | null;
  readonly calls = new RunningCalls();
  readonly readOnly: boolean;
  readonly project: ChatProject | undefined;
  /** Answers that another window is writing: until they are finished, nothing is written here. */
  elsewhere: readonly string[];
  /** The bound document was not found: deleted, or a sync has not brought it yet. */
  noteGone = false;
  /** Messages that somebody edited in the bound document, with their blocks there; checked when the chat is opened or saved there. */
  noteEdits: Readonly<Record<string, string>> = {};
  /** The answer being written; null between turns. */
  live: { readonly nodeId: string; readonly progress: TurnProgress } | null = null;
  /** Before a question is sent: older messages are checked for length, or summarized. */
  preparing: 'checking' | 'summarizing' | null = null;
  /** When the settings were read before a question. */
  private settingsRead = Number.NEGATIVE_INFINITY;
  private base: Session;
  /** It has a file, or will have one soon. */
  private filed: boolean;
  private readonly deps: SessionDeps;
  private readonly listener: SessionListener;
  private readonly turnLog: TurnLogWriter;
  private readonly turnRecorder: TurnRecorder;
  private readonly handler: ChatHandler;
  private readonly turns: Turns;
  private readonly unsubscribe: readonly (() => void)[];
  private turn: { readonly controller: AbortController; done: Promise<void>; readonly model?: LanguageModel | ToolError } | null = null;

  constructor(deps: SessionDeps, listener: SessionListener, saved: Session, as: OpenedAs = { readOnly: false, elsewhere: [] }) {
    this.deps = deps;
    this.listener = listener;
    this.base = saved;
    this.filed = Object.keys(saved.nodes).length > 0;
    this.readOnly = as.readOnly;
    this.elsewhere = as.elsewhere;
    const { clock, newId, device, store } = deps;
    this.tree = new TreeModel({ newId, now: clock.now, device }, saved);
    this.project = saved.project === undefined ? undefined : deps.project?.(saved.project);
    const { approvals: approvalAdapter, questions: askUser, project } = this;
    this.executor = deps.executorFactory({ approvalAdapter, askUser, chat: this.toolsChat(), project });
    this.executor.setWrittenFrom((id) => writtenFrom(this.tree, id));
    this.executor.ran.before = () => [...(this.base.fromElsewhere ? [''] : []), ...[...this.tree.all()].flatMap(toolsBehind)];
    this.executor.varSystem.restore(saved.variables);
    this.executor.approvalRecords.restore(saved.approvals);
    this.notePrivate();
    this.turnLog = store.turnLog(saved.id, listener.onNotice);
    this.turnRecorder = new TurnRecorder({
      ...{ writer: this.turnLog, tree: this.tree, now: clock.now },
      variables: () => this.executor.varSystem.save(),
      head: () => ({ id: this.base.id, title: this.base.title, created: this.base.created, project: this.base.project }),
    });
    const { executor } = this;
    const title = (): string => this.base.title;
    this.recorder = recorderOf(deps, { tree: this.tree, executor, sessionId: saved.id, title, as, onTrouble: listener.onNotice });
    this.handler = createChatHandler({ executor, settings: () => this.settings(), today: clock.today, timeZone: deps.timeZone });
    this.summaries = new ChatSummaries({
      ...{ tree: this.tree, executor: this.executor, handler: this.handler, newId, now: clock.now, load: deps.summaries },
      settings: () => this.settings(),
      knownIds: () => this.knownIds(),
    });
    this.turns = this.turnsOf(this.tree, {
      onTurnStart: (nodeId, progress) => {
        this.live = { nodeId, progress };
        this.noteNewPrivate(nodeId);
        this.turnRecorder.begin(nodeId);
        inBackground(this.saveFirst());
        listener.onChange();
      },
      onEvent: (event, detail) => {
        if (this.live) this.recorder?.take(this.live.nodeId, event, detail);
        listener.onEvent?.(event);
        if (this.live) this.turnRecorder.grown(this.live.progress.answer.segments, 'text' in event ? event.text : '');
        listener.onChange();
      },
      onStep: (nodeId, step) => this.turnRecorder.step(nodeId, step),
    });
    this.unsubscribe = [
      this.approvals.subscribe(listener.onChange),
      this.questions.subscribe(listener.onChange),
      this.executor.approvalRecords.subscribe(() => inBackground(this.change({}))),
    ];
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

  get savedNote(): string | undefined {
    return this.base.savedNote;
  }

  get projectId(): string | undefined {
    return this.base.project;
  }

  get tags(): readonly string[] {
    return this.base.tags;
  }

  get own(): OwnSettings {
    return ownSettings(this.base);
  }

  get running(): boolean {
    return this.turn !== null;
  }

  get empty(): boolean {
    return this.tree.empty;
  }

  /** Why nothing may be written here now; null if it may. */
  get blocked(): EventError | null {
    if (this.readOnly) return READ_ONLY;
    return this.elsewhere.length > 0 ? ELSEWHERE : null;
  }

  /** Puts a summary of older messages at the end of the branch; like a turn, it runs alone. Never rejects. */
  summarize(wish: SummaryWish, models: SummaryModels): Promise<SummaryOutcome> {
    if (this.turn) throw new Error('ChatSession: a turn is running');
    const controller = new AbortController();
    this.preparing = 'checking';
    const work = this.runSummary(wish, models, controller.signal);
    this.turn = { controller, done: work.then(() => undefined) };
    this.listener.onChange();
    return work;
  }

  private async runSummary(wish: SummaryWish, models: SummaryModels, signal: AbortSignal): Promise<SummaryOutcome> {
    const onBegin = (): void => {
      this.preparing = 'summarizing';
      this.listener.onChange();
    };
    try {
      await this.deps.readSettings?.();
      this.settingsRead = this.deps.clock.now();
      const outcome = await this.summaries.make(wish, models, onBegin, signal);
      if (outcome.kind === 'made') await this.save();
      return outcome;
    } finally {
      this.turn = null;
      this.preparing = null;
      this.listener.onChange();
    }
  }

  /** Resolves when the turn has ended and is saved. Must not be called while a turn runs. `unsummarized`: see Answering. */
  ask(text: string, attached: QuestionAttached, model: LanguageModel | ToolError, unsummarized?: LeftOut['summary']): Promise<void> {
    if (this.base.title === '') this.base = { ...this.base, title: autoTitle(text || (attached.attachments?.[0]?.name ?? '')) };
    const turn = this.beginTurn(model);
    return turn.end(this.turns.sendMessage(text, attached, { ...turn.answering, unsummarized }));
  }

  /** The first request that `ask` would make, by the same way on a copy of the tree. Rejects with ToolError if nothing would be sent. */
  async preview(text: string, attached: QuestionAttached, models: SummaryModels, signal: AbortSignal): Promise<PreparedRequest> {
    const { clock, newId, device } = this.deps;
    const tree = new TreeModel({ newId, now: clock.now, device }, this.tree.snapshot());
    const summary = await this.summaries.preview({ kind: 'if-needed', text, attached }, models, tree, signal);
    if (summary) return summary;
    const { chat: model } = models;
    const nothing = (): void => undefined;
    const turns = this.turnsOf(tree, { onTurnStart: nothing, onEvent: nothing, onStep: nothing });
    return await firstRequest(model, async (previewModel) => {
      const { nodeId } = await turns.sendMessage(text, attached, { model: previewModel, signal });
      return tree.payload(nodeId).error;
    });
  }

  /** A call of another program, recorded as a question and its answer. Resolves when it has ended and is saved; see `ask`. */
  async call(text: string, asked: ReadCall, by: ProgramTurn): Promise<CallReport> {
    const turn = this.beginTurn(new ToolError('model_missing', 'no model answers here', 'make the call again'));
    const stop = (): void => inBackground(this.stop());
    by.signal.addEventListener('abort', stop, { once: true });
    const work = this.turns.call(text, asked, { ...by, signal: turn.answering.signal });
    await turn.end(work);
    by.signal.removeEventListener('abort', stop);
    return work;
  }

  rerun(nodeId: string, model: LanguageModel | ToolError, goOn = true): Promise<void> {
    const turn = this.beginTurn(model);
    return turn.end(this.turns.reRunMessage(nodeId, turn.answering, goOn));
  }

  continue(nodeId: string, model: LanguageModel | ToolError): Promise<void> {
    const turn = this.beginTurn(model);
    return turn.end(this.turns.continueMessage(nodeId, turn.answering));
  }

  /** Asks in other words, in a new branch with the old attachments, but without searched passages. `search`: see QuestionAttached. */
  edit(nodeId: string, text: string, model: LanguageModel | ToolError, search = true): Promise<void> {
    const { context = [], attachments = [] } = this.tree.node(nodeId);
    const contexts = context.filter(({ kind }) => kind !== 'found');
    const turn = this.beginTurn(model);
    return turn.end(this.turns.editMessage(nodeId, text, { contexts, attachments, search }, turn.answering));
  }

  /** Ends the turn with what was done so far; resolves when it has ended. */
  stop(): Promise<void> {
    this.turn?.controller.abort();
    return this.turn?.done ?? Promise.resolve();
  }

  change(fields: Partial<SessionHeader>): Promise<void> {
    this.base = { ...this.base, ...fields };
    this.listener.onChange();
    return this.save();
  }

  /** Unbinds the chat from its note; consent to text from other notebooks was for that note only. */
  leaveNote(): Promise<void> {
    const { boundDocument: _note, noteNotebooks: _others, savedNote: _saved, ...rest } = this.base;
    this.base = rest;
    return this.change({});
  }

  /** Takes effect with the next question; a chat without messages is saved with its first one. */
  setOwn(patch: OwnSettingsPatch): Promise<void> {
    this.base = withOwnSettings(this.base, patch);
    return this.change({});
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

  /** Never rejects: a chat that cannot be saved stays in memory and says so; the turn log is kept until it is saved. */
  async save(): Promise<void> {
    if (this.readOnly || (this.empty && this.base.title === '')) return;
    // A running turn needs its entries until it ends: in the file its answer is an unfinished one.
    const clearTurnLog = this.running ? null : this.turnLog.covered();
    this.base = { ...this.base, updated: this.deps.clock.now() };
    try {
      const since = this.snapshot();
      const { session, repaired } = await this.deps.store.save(since);
      this.takeIn(since, session);
      if (repaired) this.listener.onNotice(REPAIRED);
    } catch (error) {
      const { code, message } = toToolError(error, 'storage_failed');
      this.listener.onNotice({
        code,
        message: `the chat could not be saved: ${message}`,
        next: 'it is kept in this window; check SiYuan and send again, which saves it too',
      });
      return;
    }
    await clearTurnLog?.();
  }

  /** Saves a chat with its question: others see it while its answer is pending. The end of the turn saves again, and reports failures. */
  private async saveFirst(): Promise<void> {
    if (this.filed) return;
    this.filed = true;
    this.base = { ...this.base, updated: this.deps.clock.now() };
    try {
      const since = this.snapshot();
      this.takeIn(since, (await this.deps.store.save(since)).session);
    } catch {
      return;
    }
  }

  /** Merges what another window or a sync wrote. False: open the chat again, as a turn elsewhere ended. Rejects like the store. */
  async refresh(): Promise<boolean> {
    if (this.readOnly) return true;
    const since = this.snapshot();
    const found = await this.deps.store.refresh(since);
    if (this.elsewhere.length > 0 && !found?.elsewhere.length) return false;
    if (!found) return true;
    this.elsewhere = this.running ? [] : found.elsewhere;
    this.takeIn(since, found.session);
    // The end of a turn saves anyway.
    if (found.ahead && !this.running) await this.save();
    return true;
  }

  /** Shows what others wrote, too. `since`: this chat when the merge began; later changes here stay. */
  takeIn(since: Session, merged: Session): void {
    const follow = this.tree.leaf === since.leafId && !this.running && continues(merged, since.leafId);
    this.base = mergedHeader(this.base, since, merged);
    if (merged.nodes !== since.nodes || merged.leafId !== since.leafId) this.tree.merge(merged, follow);
    const { varSystem, approvalRecords } = this.executor;
    const news = merged.variables.filter((variable) => !varSystem.hasVariable(variable.name));
    if (news.length > 0) varSystem.restore([...varSystem.save(), ...news]);
    this.notePrivate();
    if (approvalRecords.list() === since.approvals && merged.approvals !== since.approvals) approvalRecords.restore(merged.approvals);
    this.listener.onChange();
  }

  /** From every branch, including deleted messages: leaving something out does not undo that the model was given it. */
  private notePrivate(): void {
    const { executor, tree } = this;
    // The instructions of a project are a note.
    if (executor.givenPrivate || this.project || [...tree.all()].some(givenPrivate)) executor.noteNotesRead();
  }

  /** For a turn. The check for a summary, directly before a question, has read them for that too. */
  private async readSettings(): Promise<void> {
    const { clock, readSettings } = this.deps;
    const isRead = clock.now() - this.settingsRead < SETTINGS_HOLD_MS;
    this.settingsRead = Number.NEGATIVE_INFINITY;
    if (!isRead) await readSettings?.();
  }

  /** Of the messages that are new since the last turn: in a long chat it costs as much as in a short one. */
  private noteNewPrivate(nodeId: string): void {
    for (const node of this.tree.newestFirst(nodeId)) {
      if (isJudged(node)) return;
      if (givenPrivate(node)) this.executor.noteNotesRead();
    }
  }

  /** Blocks that were read, written or attached in this chat: what an answer may cite. */
  knownIds(): ReadonlySet<string> {
    const ids = new Set<string>();
    for (const node of this.tree.all()) for (const id of sourcesOf(node)) ids.add(id);
    return ids;
  }

  dispose(): void {
    this.turn?.controller.abort();
    for (const stop of this.unsubscribe) stop();
    this.approvals.dispose();
    this.questions.dispose();
  }

  /** One turn at a time: nothing else may be asked here until `end` is called. */
  private beginTurn(given: LanguageModel | ToolError): { readonly answering: Answering; end(work: Promise<unknown>): Promise<void> } {
    if (this.turn) throw new Error('ChatSession: a turn is running');
    const controller = new AbortController();
    const answers = answersIn(given, this.base.project);
    const model = answers instanceof ToolError ? answers : (this.project?.budgeted(answers) ?? answers);
    const turn = { controller, model, done: Promise.resolve() };
    this.turn = turn;
    const onEnd = this.deps.onTurn?.();
    return {
      answering: { model, signal: controller.signal },
      end: (work) => {
        turn.done = this.finishTurn(work.finally(onEnd));
        return turn.done;
      },
    };
  }

  private async finishTurn(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      // Not a failure of the model or a tool, which is shown on the message, but a defect, which must not block the chat.
      const { code, message, next } = toToolError(error);
      this.listener.onNotice({ code, message, next });
    } finally {
      this.live = null;
      this.turn = null;
      this.turnRecorder.end();
    }
    this.listener.onChange();
    await this.save();
  }

  private settings(): ChatSettings {
    const settings = settingsOfChat(this.deps.settings(), this.base);
    if (!this.project) return settings;
    return { ...settings, systemPrompt: [settings.systemPrompt, this.project.instructions].filter(Boolean).join('\n\n') };
  }

  private toolsChat(): ToolsChat {
    const { timeZone, newId } = this.deps;
    const model = (): LanguageModel | null => (this.turn?.model && !(this.turn.model instanceof ToolError) ? this.turn.model : null);
    const settings = (): ChatSettings => this.settings();
    const relay: ToolsChat['relay'] = (event, detail) => this.turns.relay(event, detail);
    return { model, settings, thread: () => this.tree.thread(), timeZone, newId, relay, stoppable: this.calls.add };
  }

  private turnsOf(tree: TreeModel, watch: Pick<TurnDeps, 'onTurnStart' | 'onEvent' | 'onStep'>): Turns {
    const { deps, executor } = this;
    const { clock, newId, pageStays, assets } = deps;
    const findFirst = this.project?.findFirst ?? deps.findFirst;
    const readProject = projectReader(this);
    const readSettings = (): Promise<void> => this.readSettings();
    const settings = (): ChatSettings => this.settings();
    return new Turns({
      ...{ ...watch, tree, executor, settings, readSettings, clock, newId, pageStays, assets, findFirst, readProject },
      sessionId: this.base.id,
      lifecycle: createMessageLifecycle({ tree, newId, now: clock.now }),
      handler: this.handler,
      knownIds: () => this.knownIds(),
      onCallsChanged: ({ label }, how) => this.listener.onNotice(callsChanged(label, how)),
    });
  }
}
/** Milliseconds for which settings that were just read count as read. */
const SETTINGS_HOLD_MS = 1000;
