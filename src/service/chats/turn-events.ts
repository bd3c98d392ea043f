import type { ToolChainEvent } from '../../tools/contract/events.ts';
import { withoutDrawing } from '../../tools/contract/plans.ts';
import type { ApprovalRequest } from '../../tools/contract/types.ts';
import type { EventLog } from './event-log.ts';

export interface TurnEventsDeps {
  readonly log: EventLog;
  readonly sessionId: string;
  /** The question being answered. */
  readonly questionId: () => string;
  /** The value of a variable of the chat. */
  readonly value: (name: string) => string | undefined;
  /** The id by which an approval is decided over HTTP. */
  readonly openApproval: (approvalId: string) => string;
  readonly closeApproval: (approvalId: string) => string | undefined;
}

type EventOf<Type extends ToolChainEvent['type']> = Extract<ToolChainEvent, { readonly type: Type }>;

type InnerCall = Pick<EventOf<'tool-start'>, 'callId' | 'tool'>;

/** Milliseconds after which a call that is still being written is reported; a quick one is reported only when it starts. */
const LONG_WRITING_MS = 1000;
/** Milliseconds between two events of such a call, since they are kept for clients that reconnect. */
const WRITING_PAUSE_MS = 500;

/** Seconds since the epoch. */
const seconds = (milliseconds: number): number => milliseconds / 1000;

/** An approval for whoever decides it. */
export function approvalView(id: string, sessionId: string, request: ApprovalRequest): object {
  const { callId, kind, tool, args, plan, outgoing, program, resultText, scope, lasting, manual, subAgent } = request;
  return {
    id,
    session_id: sessionId,
    call_id: callId,
    kind,
    tool,
    arguments: args,
    plan: plan ? { ...plan, operations: plan.operations.map(withoutDrawing) } : undefined,
    outgoing,
    program,
    result: resultText,
    scope,
    lasting: lasting || undefined,
    manual: manual || undefined,
    spawn: subAgent ? { id: subAgent.callId, label: subAgent.label } : undefined,
  };
}

/** Converts the events of a chat for its clients. The end of a turn is not included: it is sent when the chat is saved. */
export class TurnEvents {
  private readonly deps: TurnEventsDeps;
  private readonly tools = new Map<string, string>();
  /** By index in the answer: since when a call is being written, and when it was last reported. */
  private readonly written = new Map<number, { readonly since: number; readonly sentAt: number }>();
  /** For each sub-agent, the number of its finished calls, and the running ones. */
  private readonly inner = new Map<string, readonly [number, readonly InnerCall[]]>();
  /** The texts of an answer, before and after its calls, are paragraphs of one text. */
  private gap: 'none' | 'before-next' = 'none';
  private said = false;

  constructor(deps: TurnEventsDeps) {
    this.deps = deps;
  }

  take(event: ToolChainEvent): void {
    if (event.parentCallId !== undefined) {
      this.takeInner(event.parentCallId, event);
      return;
    }
    switch (event.type) {
      case 'turn-start':
        this.start();
        break;
      case 'text-start':
        this.gap = this.said ? 'before-next' : 'none';
        break;
      case 'text-delta':
        this.say(event.text);
        break;
      case 'tool-writing':
        this.write(event);
        break;
      case 'tool-writing-end':
      case 'round-start':
        this.written.clear();
        break;
      case 'tool-start':
        this.startCall(event);
        break;
      case 'tool-end':
        this.endCall(event);
        break;
      case 'approval-request':
        this.ask(event);
        break;
      case 'approval-end':
        this.settle(event);
    }
  }

  /** For a sub-agent's turn: its approvals and its progress. Its text and results are in its record. */
  private takeInner(id: string, event: ToolChainEvent): void {
    if (event.type === 'approval-request') this.ask(event);
    if (event.type === 'approval-end') this.settle(event);
    if (event.type === 'tool-start') this.progress(id, event, (done, running) => [done, [...running, event]]);
    if (event.type === 'tool-end')
      this.progress(id, event, (done, running) => [done + 1, running.filter(({ callId }) => callId !== event.callId)]);
  }

  private progress(
    id: string,
    { time }: ToolChainEvent,
    next: (done: number, running: readonly InnerCall[]) => readonly [number, readonly InnerCall[]],
  ): void {
    const [done, running] = next(...(this.inner.get(id) ?? [0, []]));
    this.inner.set(id, [done, running]);
    this.deps.log.append('spawn_progress', {
      id,
      progress: { calls: done, running: running.map(({ tool }) => tool) },
      timestamp: seconds(time),
    });
  }

  private start(): void {
    this.inner.clear();
    this.tools.clear();
    this.said = false;
    this.gap = 'none';
    this.deps.log.append('start', { message_id: this.deps.questionId(), session_id: this.deps.sessionId });
  }

  private say(text: string): void {
    const content = this.gap === 'before-next' ? `\n\n${text}` : text;
    this.gap = 'none';
    this.said = true;
    this.deps.log.append('message', { content });
  }

  private write({ index, tool, arguments: args, time }: EventOf<'tool-writing'>): void {
    const { since, sentAt } = this.written.get(index) ?? { since: time, sentAt: 0 };
    const isDue = time - since >= LONG_WRITING_MS && time - sentAt >= WRITING_PAUSE_MS;
    this.written.set(index, { since, sentAt: isDue ? time : sentAt });
    if (!isDue) return;
    this.deps.log.append('tool_writing', { index, tool, arguments: args, timestamp: seconds(time) });
  }

  private startCall({ callId, tool, arguments: args, time }: EventOf<'tool-start'>): void {
    this.tools.set(callId, tool);
    this.deps.log.append('tool_start', { id: callId, tool, arguments: args, timestamp: seconds(time) });
  }

  private endCall({ callId, status, durationMs, preview, resultRef, error, reason, time }: EventOf<'tool-end'>): void {
    const head = { id: callId, tool: this.tools.get(callId) ?? '' };
    const foot = { duration_ms: durationMs, timestamp: seconds(time) };
    if (status === 'success') {
      const result = (resultRef === undefined ? undefined : this.deps.value(resultRef)) ?? preview;
      this.deps.log.append('tool_complete', { ...head, result, ...foot });
    } else {
      const failed = { status, error: error ?? { code: status, message: preview }, reason };
      this.deps.log.append('tool_error', { ...head, ...failed, ...foot });
    }
  }

  private ask(event: EventOf<'approval-request'>): void {
    const { log, sessionId, openApproval } = this.deps;
    log.append('approval_request', { ...approvalView(openApproval(event.approvalId), sessionId, event), timestamp: seconds(event.time) });
  }

  private settle({ approvalId, decision, reason }: EventOf<'approval-end'>): void {
    const id = this.deps.closeApproval(approvalId);
    if (id !== undefined) this.deps.log.append('approval_end', { id, decision, reason });
  }
}
