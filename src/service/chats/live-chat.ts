import { answeringModel, type ChatModels, modelOfChat } from '../../chat/controller/controller-deps.ts';
import { giveTitle } from '../../chat/controller/give-title.ts';
import { summaryCheck, summaryModels } from '../../chat/controller/summary-models.ts';
import { wholeUsage } from '../../chat/session/saved-sub-agent.ts';
import type { Attached, Attachment, Session } from '../../chat/session/types.ts';
import { tooLong } from '../../chat/turn/notices.ts';
import type { OpenedAs, SessionDeps } from '../../chat/turn/session.ts';
import { ChatSession } from '../../chat/turn/session.ts';
import type { CallReport } from '../../chat/turn/turn.ts';
import { textOf } from '../../chat/turn/turn-progress.ts';
import type { RunWatch } from '../../tools/calls/outside-calls.ts';
import { PendingApprovals, type PendingList } from '../../tools/calls/pending.ts';
import { runProgramsCall } from '../../tools/calls/recorded-call.ts';
import type { EventError } from '../../tools/contract/errors.ts';
import type { ChainListener, ToolChainEvent } from '../../tools/contract/events.ts';
import type { Usage } from '../../tools/contract/messages.ts';
import { CHAT_OF_PROGRAM } from '../../tools/contract/saved-names.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import type { ReadCall } from '../../tools/executor/legal-calls.ts';
import { inBackground } from '../../tools/util/notify.ts';
import { ServiceError } from '../contract/errors.ts';
import { EventLog } from './event-log.ts';
import { type MessageView, messagesOf, type ReadChat } from './messages.ts';
import { TurnEvents } from './turn-events.ts';

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

/** How a chat was opened. */
interface LiveOptions {
  /** Whose tools it has: '' for the workspace's, else an id of the program or run. */
  readonly owner: string;
  readonly pending: PendingList;
  /** Applies the rights and switches of this moment to its tools. */
  readonly follow: (executor: ToolExecutor) => Promise<void>;
  /** Of approvals; cannot be guessed. */
  readonly newApprovalId: () => string;
}

/** A sync writes without notice: for this many milliseconds a chat may be read without checking its file. */
const FRESH_MS = 5000;

export const chatBusy = (id: string): ServiceError =>
  new ServiceError(
    409,
    'chat_busy',
    'this chat is writing an answer',
    `wait until it is finished (GET /api/chat/sessions/${id}/events) or abort it`,
  );

interface Asked {
  readonly attachments?: readonly Attachment[];
  /** Of the chat, from now on; undefined: as before. */
  readonly planFirst?: boolean | undefined;
}

/** A chat that the service keeps open, with its events. */
export class LiveChat {
  readonly log = new EventLog();
  /** Milliseconds since the epoch. */
  usedAt: number;
  private readonly deps: SessionDeps;
  readonly owner: string;
  private readonly approvals: PendingApprovals;
  private readonly leavePending: () => void;
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
  /** Follows the call of a program. */
  private onProgress: ((message: string) => void) | undefined;
  private readonly closing = new AbortController();

  constructor(deps: SessionDeps, { owner, pending, follow, newApprovalId }: LiveOptions, saved: Session, as?: OpenedAs) {
    this.deps = deps;
    this.owner = owner;
    this.usedAt = deps.clock.now();
    this.freshSince = this.usedAt;
    const listener = {
      onChange: () => undefined,
      onNotice: (error: EventError) => void this.warnings.push(error),
      onEvent: (event: ToolChainEvent) => this.take(event),
    };
    this.session = new ChatSession(deps, listener, saved, as);
    this.approvals = new PendingApprovals(this.session.approvals, {
      ...{ from: saved.id.startsWith(CHAT_OF_PROGRAM) ? 'program' : 'chat', newId: newApprovalId },
      follow: () => follow(this.session.executor),
      about: () => ({ name: this.title, sessionId: this.id }),
    });
    this.leavePending = pending.add(this.approvals);
    this.events = new TurnEvents({
      log: this.log,
      sessionId: saved.id,
      questionId: () => this.questionId(),
      value: (name) => this.session.executor.varSystem.getVariable(name)?.value,
      openApproval: (id) => this.approvals.idOf(id),
      closeApproval: (id) => this.approvals.close(id),
    });
  }

  get id(): string {
    return this.session.id;
  }

  get projectId(): string | undefined {
    return this.session.projectId;
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
  start(message: string, models: ChatModels, { attachments = [], planFirst }: Asked = {}): StartedTurn {
    return this.begin(async () => {
      if (planFirst !== undefined) await this.session.setOwn({ planFirst: planFirst || undefined });
      return this.answer(message, models, { contexts: [], attachments });
    });
  }

  /** Runs a call of another program; `asksNobody`: it only reads, and needs no message. Never rejects but for ServiceError: see `start`. */
  async call(asked: ReadCall, { asksNobody, ...watch }: RunWatch & { readonly asksNobody: boolean }) {
    const { session, title, deps } = this;
    if (asksNobody) {
      const record: ChainListener = (event, detail) => session.recorder?.take('', event, detail);
      const place = { executor: session.executor, sessionId: this.id, nodeId: '', clock: deps.clock };
      return { ...(await runProgramsCall(asked, { ...watch, ...place, record })), messageId: '' };
    }
    this.onProgress = watch.onProgress;
    let done: CallReport | undefined;
    const { ended } = this.begin(async () => {
      done = await session.call(`${title}: ${asked.call.function.name}`, asked, { ...watch, author: title });
      return this.end();
    });
    const { message } = await ended;
    return { ...(done?.result ?? { status: 'aborted' as const }), messageId: message.id };
  }

  /** The tools of this chat, and where calls outside its turns are recorded. */
  get tools(): Pick<ChatSession, 'executor' | 'recorder'> {
    return this.session;
  }

  private begin(work: () => Promise<TurnEnd>): StartedTurn {
    if (this.running) throw chatBusy(this.id);
    const { blocked } = this.session;
    if (blocked) throw new ServiceError(409, blocked.code, blocked.message, blocked.next);
    this.usedAt = this.deps.clock.now();
    this.warnings = [];
    this.failure = undefined;
    this.turnFrom = this.log.end;
    const ended = work().finally(() => {
      this.turn = null;
      this.onProgress = undefined;
    });
    this.turn = ended;
    return { from: this.turnFrom, ended };
  }

  private async answer(message: string, models: ChatModels, attached: Attached): Promise<TurnEnd> {
    const { session, id: sessionId } = this;
    const unsummarized = await this.summarize(message, models, attached);
    const chosen = modelOfChat(models.model, { sessionId, purpose: 'answer' }, session.own.model);
    // A program asks in the words of whoever uses it.
    session.executor.ran.addForeign();
    await session.ask(message, attached, answeringModel(chosen), unsummarized);
    const titleModel = () => models.titleModel?.({ sessionId, purpose: 'title' }, chosen.status.ref) ?? null;
    // In the background: nothing waits for a title.
    inBackground(giveTitle(session, titleModel, this.closing.signal, () => !this.closing.signal.aborted));
    return this.end();
  }

  /** Summarizes older messages if the question needs it. Rejects if it was stopped meanwhile: then nothing was asked. */
  private async summarize(text: string, models: ChatModels, attached: Attached) {
    const { session } = this;
    const writers = session.summaries.mayBeNeeded ? summaryModels(models, session) : null;
    const outcome = writers && (await session.summarize({ kind: 'if-needed', text, attached }, writers));
    if (outcome?.kind !== 'stopped') return summaryCheck(outcome).unsummarized;
    const { code, message, next } = STOPPED_BEFORE;
    this.log.append('error', { code, message, next });
    throw STOPPED_BEFORE;
  }

  /** True if something was running; resolves when it has ended and is saved. */
  async stop(): Promise<boolean> {
    const { turn } = this;
    inBackground(this.session.stop());
    await turn?.catch(() => undefined); // Its last event says so.
    return turn !== null;
  }

  /** Stops a single sub-agent; the turn continues with what it had found. False if none runs in that call. */
  stopCall(callId: string): boolean {
    return this.session.calls.stop(callId);
  }

  get title(): string {
    return this.session.title;
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
    this.leavePending();
    this.session.dispose();
  }

  private take(event: ToolChainEvent): void {
    if (event.type === 'tool-progress') this.onProgress?.(event.message);
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
    const all = [...this.warnings, ...(payload.leftOut ? [tooLong(payload.leftOut)] : [])];
    const warnings = all.length > 0 ? { warnings: all } : {};
    const failure = payload.error ?? this.failure;
    const { end } = message;
    if (status === 'error' && failure) this.log.append('error', { ...failure, message_id: message.id, end, ...warnings });
    else this.log.append('done', { message_id: message.id, status, end, usage, ...warnings });
    return { status, message, usage };
  }
}

const STOPPED_BEFORE = new ServiceError(409, 'aborted', 'the turn was aborted before the question was sent', 'send it again');

const DONE = { done: 'completed', stopped: 'aborted', error: 'error', interrupted: 'aborted' } as const;
