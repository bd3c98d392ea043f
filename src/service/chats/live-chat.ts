import { answeringModel, type ChatModels, modelOfChat } from '../../chat/controller/controller-deps.ts';
import { giveTitle } from '../../chat/controller/give-title.ts';
import { summaryCheck, summaryModels } from '../../chat/controller/summary-models.ts';
import { wholeUsage } from '../../chat/session/saved-sub-agent.ts';
import type { Session } from '../../chat/session/types.ts';
import type { OpenedAs, SessionDeps } from '../../chat/turn/session.ts';
import { ChatSession } from '../../chat/turn/session.ts';
import { textOf } from '../../chat/turn/turn-progress.ts';
import type { LanguageModel } from '../../model/language-model.ts';
import type { EventError } from '../../tools/contract/errors.ts';
import type { ToolChainEvent } from '../../tools/contract/events.ts';
import type { Usage } from '../../tools/contract/messages.ts';
import type { ApprovalDecision, ApprovalRequest } from '../../tools/contract/types.ts';
import { ServiceError } from '../contract/errors.ts';
import { EventLog } from './event-log.ts';
import { type MessageView, messagesOf, type ReadChat } from './messages.ts';
import { TurnEvents } from './turn-events.ts';

/** Ids of approvals for clients: they cannot be guessed, and the service finds the chat by them. */
export interface ApprovalIds {
  open(chat: LiveChat, approvalId: string): string;
  close(chat: LiveChat, approvalId: string): string | undefined;
  of(chat: LiveChat, approvalId: string): string | undefined;
}

export interface TurnEnd {
  readonly status: 'completed' | 'aborted' | 'error';
  readonly message: MessageView;
  readonly usage: Usage | null;
}

export interface StartedTurn {
  /** Position of its first event in the log. */
  readonly from: number;
  /** Resolves when the answer is saved and its last event is in the log. */
  readonly ended: Promise<TurnEnd>;
}

export interface WaitingApproval {
  readonly id: string;
  readonly request: ApprovalRequest;
}

/** Of a call of another program. */
export interface CallWatch {
  readonly onEvent: (event: ToolChainEvent) => void;
  /** Approvals, among other things, have changed. */
  readonly onChange: () => void;
}

/** A sync writes without notice: for this many milliseconds a chat may be read without checking its file. */
const FRESH_MS = 5000;

/** A chat that the service keeps open, with its events. */
export class LiveChat {
  readonly log = new EventLog();
  /** Milliseconds since the epoch. */
  usedAt: number;
  private readonly deps: SessionDeps;
  private readonly approvalIds: ApprovalIds;
  private readonly session: ChatSession;
  private readonly events: TurnEvents;
  private turnFrom = 0;
  /** When its file was read last, in milliseconds since the epoch. */
  private freshSince: number;
  private outdated = 0;
  /** Settles when the answer is saved and its last event is in the log. */
  private turn: Promise<TurnEnd> | null = null;
  private warnings: EventError[] = [];
  private failure: EventError | undefined;
  private watch: CallWatch | undefined;
  private readonly closing = new AbortController();

  constructor(deps: SessionDeps, approvalIds: ApprovalIds, saved: Session, as?: OpenedAs) {
    this.deps = deps;
    this.approvalIds = approvalIds;
    this.usedAt = deps.clock.now();
    this.freshSince = this.usedAt;
    const listener = {
      onChange: () => this.watch?.onChange(),
      onNotice: (error: EventError) => void this.warnings.push(error),
      onEvent: (event: ToolChainEvent) => this.take(event),
    };
    this.session = new ChatSession(deps, listener, saved, as);
    this.events = new TurnEvents({
      log: this.log,
      sessionId: saved.id,
      questionId: () => this.questionId(),
      value: (name) => this.session.executor.varSystem.getVariable(name)?.value,
      openApproval: (id) => approvalIds.open(this, id),
      closeApproval: (id) => approvalIds.close(this, id),
    });
  }

  get id(): string {
    return this.session.id;
  }

  get running(): boolean {
    return this.turn !== null;
  }

  /** Where a client without an event id begins: at the current or last turn. */
  get lastTurn(): number {
    return this.turnFrom;
  }

  /** Merges what the panel or another device wrote. False: the chat must be opened again. */
  async refresh(): Promise<boolean> {
    this.usedAt = this.deps.clock.now();
    const since = this.usedAt;
    const { outdated } = this;
    const isSame = await this.session.refresh();
    if (outdated === this.outdated) this.freshSince = since;
    return isSame;
  }

  /** Whether it may be read as it is: it is written here, or its file was just read and nobody has announced a write since. */
  get fresh(): boolean {
    return this.running || (this.session.elsewhere.length === 0 && this.deps.clock.now() - this.freshSince < FRESH_MS);
  }

  /** Somebody else has written it. */
  outdate(): void {
    this.outdated += 1;
    this.freshSince = Number.NEGATIVE_INFINITY;
  }

  /** Starts a turn at once, with the model chosen for the chat, if any. Throws ServiceError if none may start. */
  start(message: string, models: ChatModels): StartedTurn {
    return this.begin(() => this.answer(message, models));
  }

  /**
   * Starts a turn in which another program is the model: its one call, under the rights and approvals of this chat. Throws ServiceError if none may start.
   */
  startCall(message: string, caller: LanguageModel, watch: CallWatch): StartedTurn {
    return this.begin(async () => {
      this.watch = watch;
      await this.session.ask(message, { ...NOTHING_ATTACHED, search: false }, caller);
      this.watch = undefined;
      return this.end();
    });
  }

  /** The tools of this chat, and where calls outside its turns are recorded. */
  get tools(): Pick<ChatSession, 'executor' | 'recorder'> {
    return this.session;
  }

  private begin(work: () => Promise<TurnEnd>): StartedTurn {
    if (this.running)
      throw new ServiceError(
        409,
        'chat_busy',
        'this chat is writing an answer',
        `wait until it is finished (GET /api/chat/sessions/${this.id}/events) or abort it`,
      );
    const { blocked } = this.session;
    if (blocked) throw new ServiceError(409, blocked.code, blocked.message, blocked.next);
    this.usedAt = this.deps.clock.now();
    this.warnings = [];
    this.failure = undefined;
    this.turnFrom = this.log.end;
    const ended = work().finally(() => {
      this.turn = null;
    });
    this.turn = ended;
    return { from: this.turnFrom, ended };
  }

  private async answer(message: string, models: ChatModels): Promise<TurnEnd> {
    const { session, id: sessionId } = this;
    const unsummarized = await this.summarize(message, models);
    const chosen = modelOfChat(models.model, { sessionId, purpose: 'answer' }, session.own.model);
    await session.ask(message, NOTHING_ATTACHED, answeringModel(chosen), unsummarized);
    const titleModel = () => models.titleModel?.({ sessionId, purpose: 'title' }, chosen.status.ref) ?? null;
    // In the background: nothing waits for a title.
    void giveTitle(session, titleModel, this.closing.signal, () => !this.closing.signal.aborted);
    return this.end();
  }

  /** Summarizes older messages if the question needs it. Rejects if it was stopped meanwhile: then nothing was asked. */
  private async summarize(text: string, models: ChatModels) {
    const { session } = this;
    const writers = session.summaries.mayBeNeeded ? summaryModels(models, session) : null;
    const outcome = writers && (await session.summarize({ kind: 'if-needed', text, attached: NOTHING_ATTACHED }, writers));
    if (outcome?.kind !== 'stopped') return summaryCheck(outcome).unsummarized;
    const { code, message, next } = STOPPED_BEFORE;
    this.log.append('error', { code, message, next });
    throw STOPPED_BEFORE;
  }

  /** True if something was running; resolves when it has ended and is saved. */
  async stop(): Promise<boolean> {
    const { turn } = this;
    void this.session.stop();
    await turn?.catch(() => undefined); // Its last event says so.
    return turn !== null;
  }

  /** Stops a single sub-agent; the turn continues with what it had found. False if none runs in that call. */
  stopCall(callId: string): boolean {
    return this.session.calls.stop(callId);
  }

  /** False if nothing waits under this id any more. */
  decide(approvalId: string, decision: ApprovalDecision): boolean {
    return this.session.approvals.decide(approvalId, decision);
  }

  get title(): string {
    return this.session.title;
  }

  waiting(): readonly WaitingApproval[] {
    return this.session.approvals.list().flatMap((request) => {
      const id = this.approvalIds.of(this, request.approvalId);
      return id === undefined ? [] : [{ id, request }];
    });
  }

  read(): ReadChat {
    const { tree, live, executor, approvals } = this.session;
    this.usedAt = this.deps.clock.now();
    const waiting = new Set(approvals.list().map(({ callId }) => callId));
    const running = live && { id: live.nodeId, text: textOf(live.progress.answer.segments) };
    return { id: this.id, tree, running, waiting, variables: () => executor.varSystem.listVariables() };
  }

  dispose(): void {
    this.closing.abort();
    this.session.dispose();
  }

  private take(event: ToolChainEvent): void {
    this.watch?.onEvent(event);
    if (event.type === 'error' && event.parentCallId === undefined) {
      const { code, message, next } = event;
      this.failure = { code, message, next };
    } else this.events.take(event);
  }

  private questionId(): string {
    const { tree, live } = this.session;
    return (live ? tree.node(live.nodeId).parent : null) ?? '';
  }

  private end(): TurnEnd {
    this.usedAt = this.deps.clock.now();
    const [message] = messagesOf(this.read(), 'full', { limit: 1 });
    if (!message) {
      this.log.append('error', { code: 'internal', message: 'the turn ended without an answer', next: 'send again' });
      throw new ServiceError(500, 'internal', 'the turn ended without an answer', 'send again');
    }
    const payload = this.session.tree.payload(message.id);
    const usage = wholeUsage(payload) ?? null;
    const status = DONE[payload.status];
    const warnings = this.warnings.length > 0 ? { warnings: this.warnings } : {};
    const failure = payload.error ?? this.failure;
    const { end } = message;
    if (status === 'error' && failure) this.log.append('error', { ...failure, message_id: message.id, end, ...warnings });
    else this.log.append('done', { message_id: message.id, status, end, usage, ...warnings });
    return { status, message, usage };
  }
}

const NOTHING_ATTACHED = { contexts: [] };
const STOPPED_BEFORE = new ServiceError(409, 'aborted', 'the turn was aborted before the question was sent', 'send it again');

const DONE = { done: 'completed', stopped: 'aborted', error: 'error', interrupted: 'aborted' } as const;
