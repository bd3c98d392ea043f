import { ToolError } from '../../tools/contract/errors.ts';
import type { CompletionResult, Message, ModelDelta, ToolCall } from '../../tools/contract/messages.ts';
import { frameName } from '../../tools/util/markers.ts';
import type { GuestUpdate } from './agent-link.ts';

/** A call of the agent that waits for its result. */
interface WaitingCall {
  readonly call: ToolCall;
  readonly answer: (text: string) => void;
}

type OnDelta = (delta: ModelDelta) => void;

const FINISHED: Readonly<Record<string, string>> = { max_tokens: 'length', refusal: 'content_filter' };

/**
 * One prompt of an agent as the requests to a model: the agent's answer stops wherever it calls one of our tools, and goes on with the
 * result. So its calls are those of a chat, with gates, approvals, journal and Undo.
 */
export class GuestTurn {
  private readonly waiting: WaitingCall[] = [];
  private readonly open = new Map<string, WaitingCall>();
  private end: { readonly reason: string } | { readonly error: unknown } | undefined;
  private unseen: ModelDelta[] = [];
  private onDelta: OnDelta | undefined;
  private wake: (() => void) | undefined;
  private count = 0;

  /** `run` prompts the agent, and resolves with the reason for its end. */
  begin(run: (onUpdate: (update: GuestUpdate) => void) => Promise<string>): void {
    run((update) => this.take(update)).then(
      (reason) => this.finish({ reason }),
      (error: unknown) => this.finish({ error }),
    );
  }

  /** A call of the agent. Resolves with what a model would be sent. */
  call(name: string, args: unknown, signal: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      this.count += 1;
      const call: ToolCall = { id: `guest_${this.count}`, type: 'function', function: { name, arguments: JSON.stringify(args ?? {}) } };
      const entry = { call, answer: resolve };
      // The agent gave it up: one that nobody has begun is not begun any more.
      signal.addEventListener('abort', () => {
        const at = this.waiting.indexOf(entry);
        if (at >= 0) this.waiting.splice(at, 1);
        reject(new ToolError('aborted', 'the call was withdrawn', ''));
      });
      this.waiting.push(entry);
      this.wake?.();
    });
  }

  /** The answer until the agent calls, or ends. */
  async next(messages: readonly Message[], signal: AbortSignal, onDelta: OnDelta): Promise<CompletionResult> {
    const [texts, thoughts]: [string[], string[]] = [[], []];
    this.onDelta = (delta) => {
      if (delta.type === 'text') texts.push(delta.text);
      if (delta.type === 'reasoning') thoughts.push(delta.text);
      onDelta(delta);
    };
    for (const delta of this.unseen.splice(0)) this.onDelta(delta);
    this.deliver(messages);
    try {
      await this.untilSomething(signal);
    } finally {
      this.onDelta = undefined;
    }
    const calls = this.waiting.splice(0);
    const answer = { content: texts.join(''), ...(thoughts.length > 0 ? { reasoning: thoughts.join('') } : {}) };
    if (calls.length > 0)
      return { ...answer, tool_calls: calls.map((each, index) => this.handOut(each, index, onDelta)), finishReason: 'tool_calls' };
    if (this.end && 'error' in this.end) throw this.end.error;
    return { ...answer, tool_calls: [], finishReason: FINISHED[this.end?.reason ?? ''] ?? 'stop' };
  }

  get isOver(): boolean {
    return this.end !== undefined && this.waiting.length === 0 && this.open.size === 0;
  }

  private deliver(messages: readonly Message[]): void {
    for (const message of messages) {
      if (message.role !== 'tool') continue;
      this.open.get(message.tool_call_id)?.answer(message.content);
      this.open.delete(message.tool_call_id);
    }
  }

  private handOut(entry: WaitingCall, index: number, onDelta: OnDelta): ToolCall {
    const { call } = entry;
    this.open.set(call.id, entry);
    onDelta({ type: 'toolCallStart', index, id: call.id, name: call.function.name });
    onDelta({ type: 'toolCallArgs', index, argumentsDelta: call.function.arguments });
    return call;
  }

  private async untilSomething(signal: AbortSignal): Promise<void> {
    while (this.waiting.length === 0 && this.end === undefined && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      this.wake = undefined;
    }
    if (signal.aborted) throw new ToolError('aborted', 'the answer was stopped', 'send again when you want to go on');
  }

  private finish(end: NonNullable<GuestTurn['end']>): void {
    this.end = end;
    this.wake?.();
  }

  private take(update: GuestUpdate): void {
    const delta = deltaOf(update);
    if (this.onDelta) this.onDelta(delta);
    else this.unseen.push(delta);
  }
}

function deltaOf(update: GuestUpdate): ModelDelta {
  switch (update.kind) {
    case 'text':
      return { type: 'text', text: update.text };
    case 'thought':
      return { type: 'reasoning', text: update.text };
    case 'plan':
      return {
        type: 'reasoning',
        text: `\n\n${update.steps.map(({ text, isDone }) => `- [${isDone ? 'x' : ' '}] ${text}`).join('\n')}\n\n`,
      };
    case 'used':
      return { type: 'reasoning', text: `\n\n*Used a tool: ${oneLine(update.title)}*\n\n` };
    case 'refused':
      return { type: 'reasoning', text: `\n\n*Not allowed: ${oneLine(update.title)} (${oneLine(update.why)})*\n\n` };
  }
}

const oneLine = (text: string): string => frameName(text, 200);
