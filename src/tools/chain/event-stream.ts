import type { CallDetail, ChainListener, ChainStatus, ToolChainEventBody } from '../contract/events.ts';
import type { ModelDelta } from '../contract/messages.ts';
import type { Clock } from '../contract/ports.ts';
import type { ToolExecuteStatus } from '../contract/types.ts';
import { notify } from '../util/notify.ts';
import { PartialArguments } from '../util/partial-arguments.ts';

interface CallInWriting {
  readonly index: number;
  readonly tool: string;
  /** By name, as far as they have arrived: text as it is, anything else as JSON; of long values only the end, after "…". */
  readonly arguments: Readonly<Record<string, string>>;
}

type CallDelta = Extract<ModelDelta, { readonly type: 'toolCallStart' | 'toolCallArgs' }>;

/** Milliseconds between two reports of one call: nobody can read faster. */
const PAUSE_MS = 100;

/** Follows the calls of one answer while they arrive: a fragment costs time in proportion to its length. */
class CallsInWriting {
  private readonly now: () => number;
  private readonly report: (call: CallInWriting) => void;
  private readonly calls = new Map<number, { tool: string; readonly args: PartialArguments; reportedAt: number }>();

  constructor(now: () => number, report: (call: CallInWriting) => void) {
    this.now = now;
    this.report = report;
  }

  take(delta: CallDelta): void {
    const call = this.calls.get(delta.index) ?? { tool: '', args: new PartialArguments(), reportedAt: Number.NEGATIVE_INFINITY };
    this.calls.set(delta.index, call);
    if (delta.type === 'toolCallStart') call.tool = delta.name;
    else {
      call.args.take(delta.argumentsDelta);
      const now = this.now();
      if (now - call.reportedAt < PAUSE_MS) return;
      call.reportedAt = now;
    }
    this.report({ index: delta.index, tool: call.tool, arguments: call.args.known() });
  }
}

export interface EventEmitterOptions {
  readonly sessionId: string;
  readonly turnId: string;
  readonly clock: Pick<Clock, 'now'>;
  /** Receives every event before the subscribers; only it receives relayed events. */
  readonly onEvent: ChainListener;
  readonly parentCallId?: string;
}

interface CloseReason {
  readonly tools?: ToolExecuteStatus;
  /** Given by the owner of the turn; without it an open turn stays open. */
  readonly turn?: ChainStatus;
}

/** The only entry to the event stream of a turn: stamps events, and ensures that every start has exactly one end. */
export interface EventEmitter {
  /** Drops an end or update without its start, and a second start of what is open. `detail` belongs to a `tool-end`. */
  emit(body: ToolChainEventBody, detail?: CallDetail): void;
  /** Relays an event of a turn that an open call runs; events of other calls, or of none, are dropped. */
  readonly relay: ChainListener;
  /** Calls back with every event from now on; returns a function that stops listening. */
  subscribe(listener: ChainListener): () => void;
  /** Streamed text or reasoning: opens its pair if needed and closes the other one. */
  delta(kind: 'text' | 'reasoning', text: string): void;
  /** Ends open text and reasoning: the model's answer is over. */
  closeText(): void;
  callsInWriting(): CallsInWriting;
  /** Calls that were being written will not start any more. */
  closeWriting(): void;
  /** Ends everything that is open, innermost first. Idempotent. */
  closeAll(reason?: CloseReason): void;
}

type Opened =
  | { readonly kind: 'turn' | 'text' | 'reasoning' | 'tool-writing'; readonly key: string }
  | { readonly kind: 'round'; readonly key: string; readonly round: number }
  | { readonly kind: 'tool'; readonly key: string; readonly callId: string; readonly since: number }
  | { readonly kind: 'approval'; readonly key: string; readonly approvalId: string };

export function createEventEmitter(options: EventEmitterOptions): EventEmitter {
  const { sessionId, turnId, clock, onEvent, parentCallId } = options;
  const open = new Map<string, Opened>();
  const listeners = new Set<ChainListener>([onEvent]);
  let seq = 0;
  const send = (body: ToolChainEventBody, detail: CallDetail | undefined): void => {
    const head = { seq: ++seq, time: clock.now(), sessionId, turnId, ...(parentCallId === undefined ? {} : { parentCallId }) };
    const event = { ...head, ...body };
    for (const listener of [...listeners]) notify(() => listener(event, detail));
  };
  const emit = (body: ToolChainEventBody, detail?: CallDetail): void => {
    const starts = startOf(body, clock.now());
    const ends = endKey(body);
    if (body.type === 'tool-writing') open.set(body.type, { kind: body.type, key: body.type });
    else if (starts !== undefined) {
      if (open.has(starts.key)) return;
      open.set(starts.key, starts);
    } else if (ends !== undefined && !open.delete(ends)) return;
    const within = innerKey(body);
    if (within === undefined || open.has(within)) send(body, detail);
  };
  const closeText = (): void => {
    emit({ type: 'text-end' });
    emit({ type: 'reasoning-end' });
  };
  return {
    emit,
    relay(event, detail) {
      if (open.has(`tool ${event.parentCallId}`)) notify(() => onEvent(event, detail));
    },
    closeText,
    callsInWriting: () => new CallsInWriting(clock.now, (call) => emit({ type: 'tool-writing', ...call })),
    closeWriting: () => emit({ type: 'tool-writing-end' }),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    delta(kind, text) {
      if (text === '') return;
      emit({ type: kind === 'text' ? 'reasoning-end' : 'text-end' });
      emit({ type: `${kind}-start` });
      emit({ type: `${kind}-delta`, text });
    },
    closeAll(reason = {}) {
      for (const opened of [...open.values()].reverse()) {
        const body = closingEvent(opened, reason, clock.now());
        if (body !== undefined) emit(body);
      }
    },
  };
}

function startOf(body: ToolChainEventBody, now: number): Opened | undefined {
  switch (body.type) {
    case 'turn-start':
      return { kind: 'turn', key: 'turn' };
    case 'round-start':
      return { kind: 'round', key: `round ${body.round}`, round: body.round };
    case 'text-start':
      return { kind: 'text', key: 'text' };
    case 'reasoning-start':
      return { kind: 'reasoning', key: 'reasoning' };
    case 'tool-start':
      return { kind: 'tool', key: `tool ${body.callId}`, callId: body.callId, since: now };
    case 'approval-request':
      return { kind: 'approval', key: `approval ${body.approvalId}`, approvalId: body.approvalId };
    default:
      return undefined;
  }
}

function endKey(body: ToolChainEventBody): string | undefined {
  switch (body.type) {
    case 'turn-end':
      return 'turn';
    case 'round-end':
      return `round ${body.round}`;
    case 'tool-writing-end':
      return 'tool-writing';
    case 'text-end':
      return 'text';
    case 'reasoning-end':
      return 'reasoning';
    case 'tool-end':
      return `tool ${body.callId}`;
    case 'approval-end':
      return `approval ${body.approvalId}`;
    default:
      return undefined;
  }
}

/** Events that are valid only inside their pair: an abandoned tool may still report. */
function innerKey(body: ToolChainEventBody): string | undefined {
  if (body.type === 'tool-progress' || body.type === 'tool-arguments') return `tool ${body.callId}`;
  if (body.type === 'text-delta') return 'text';
  return body.type === 'reasoning-delta' ? 'reasoning' : undefined;
}

function closingEvent(opened: Opened, reason: CloseReason, now: number): ToolChainEventBody | undefined {
  switch (opened.kind) {
    case 'turn':
      return reason.turn === undefined ? undefined : { type: 'turn-end', status: reason.turn };
    case 'round':
      return { type: 'round-end', round: opened.round };
    case 'tool':
      return { type: 'tool-end', callId: opened.callId, status: reason.tools ?? 'aborted', durationMs: now - opened.since, preview: '' };
    case 'approval':
      return { type: 'approval-end', approvalId: opened.approvalId, decision: 'aborted' };
    default:
      return { type: `${opened.kind}-end` };
  }
}
