import { type Asker, callOf, mayCall, requireAllowed } from '../chain/run-call.ts';
import { errorText, ToolError, toToolError } from '../contract/errors.ts';
import type { ToolDefinition } from '../contract/messages.ts';
import type {
  ApprovalDecision,
  ApprovalRequest,
  ToolArguments,
  ToolEffect,
  ToolExecuteResult,
  ToolExecuteStatus,
} from '../contract/types.ts';
import type { ToolExecutor } from '../executor/executor.ts';
import type { ReadCall } from '../executor/legal-calls.ts';
import { inBackground, Listeners } from '../util/notify.ts';
import { Turns } from '../util/turns.ts';
import type { FormAnswerer, PendingList } from './pending.ts';

export interface OfferedTool {
  readonly definition: ToolDefinition;
  /** Of its strictest operation. */
  readonly effect: ToolEffect;
  /** It may change or remove what is there. */
  readonly destroys: boolean;
}

export interface LinkedBlock {
  readonly id: string;
  readonly name: string;
}

export interface CallEnd {
  readonly status: ToolExecuteStatus;
  readonly text: string;
  readonly links: readonly LinkedBlock[];
  /** The place where a person finds and undoes the change; absent if nothing was written. */
  readonly written?: {
    readonly sessionId: string;
    readonly messageId: string;
    readonly documentId: string;
    readonly blockIds: readonly string[];
    readonly undoable: boolean;
  };
}

/** A call that was begun: it has ended, it asks, or neither so far. */
export type CallState =
  | { readonly kind: 'ended'; readonly end: CallEnd }
  | { readonly kind: 'asked'; readonly approvalId: string; readonly request: ApprovalRequest }
  | { readonly kind: 'open' };

export interface WaitOptions {
  readonly signal: AbortSignal;
  /** An approval that waits is an answer too. */
  readonly stopAtApproval: boolean;
  readonly onProgress: (message: string) => void;
}

export interface RunWatch {
  readonly asker: Asker;
  readonly signal: AbortSignal;
  readonly onProgress: (message: string) => void;
}

/** Where the calls of a program run and are recorded, with the rights and switches of this moment. */
export interface CallRoom {
  readonly executor: ToolExecutor;
  readonly sessionId: string;
  /** `asksNobody`: it only reads, and needs no message of its own. Never rejects. */
  run(call: ReadCall, watch: RunWatch & { readonly asksNobody: boolean }): Promise<ToolExecuteResult & { readonly messageId: string }>;
}

/** The result of a call that waits longer than the program would. `where`: what it waits for; `tool`: asks for it again. */
export const pendingText = (id: string, where: string, tool: string): string =>
  `pending: ${id} (${where}). Nothing was written. Call ${tool} with this id to wait on; do not make the call again.`;

export const PENDING_SCHEMA = {
  description: 'Waits for a call whose result was "pending: …", and returns its result. Make the call itself only once.',
  parameters: {
    type: 'object',
    properties: { id: { type: 'string', description: 'The id from the result "pending: …"' } },
    required: ['id'],
    additionalProperties: false,
  },
} as const;

const MAX_OPEN = 20;
/** Those of them that only read, at a time. */
const MAX_READS = 50;
/** Calls whose results can still be asked for. */
const MAX_KEPT = 100;
const REPORT_MS = 10_000;

const noCall = (): ToolError => new ToolError('not_found', 'there is no such call of this program', 'make the call again');

class OpenCall {
  readonly stop = new AbortController();
  readonly changes = new Listeners<[progress?: string]>();
  readonly asksNobody: boolean;
  end: CallEnd | undefined;

  constructor(asksNobody: boolean) {
    this.asksNobody = asksNobody;
  }
}

/** The calls of one program: through every gate, one change at a time, each answered in time although a person may think for long. */
export abstract class OutsideCalls {
  private readonly calls = new Map<string, OpenCall>();
  private readonly turns = new Turns(1);

  /** The asker of the calls, by the rights of this moment. */
  protected abstract readonly asker: Asker;
  /** Milliseconds after which a call that waits for a person is answered with "pending". */
  protected abstract readonly waitMs: number;
  protected abstract readonly pending: PendingList;
  protected abstract newId(): string;
  protected abstract room(): Promise<CallRoom>;

  async tools(): Promise<readonly OfferedTool[]> {
    const { executor } = await this.room();
    return executor.getEnabledToolDefinitions().flatMap((definition) => {
      const tool = executor.getTool(definition.function.name);
      if (!tool || !mayCall(this.asker, executor, definition.function.name)) return [];
      return [{ definition, effect: tool.effect, destroys: tool.effect === 'write' && tool.onlyAdds !== true }];
    });
  }

  /** Begins a call; resolves with an id that nobody can guess. Rejects with ToolError if it may not be made, or if there are too many. */
  async begin(tool: string, args: ToolArguments): Promise<string> {
    const room = await this.room();
    const { executor } = room;
    requireAllowed(this.asker, executor, tool, args);
    const asksNobody = executor.effectOf(tool, args) === 'read' && executor.readsUnasked(tool);
    this.requireSpace(asksNobody);
    const id = this.newId();
    const open = new OpenCall(asksNobody);
    this.calls.set(id, open);
    this.forgetOld();
    const call = callOf(id, tool, args);
    // A read runs in this moment; what waits for its turn, with the rights of then.
    inBackground(asksNobody ? this.run(call, open, room) : this.turns.take(() => this.run(call, open)));
    return id;
  }

  /** Waits, for a while. Rejects with ToolError if the program has no such call. */
  async wait(id: string, options: WaitOptions): Promise<CallState> {
    const open = this.calls.get(id);
    if (!open) throw noCall();
    await this.settled(id, open, options);
    const { end, asksNobody } = open;
    if (end && asksNobody) this.calls.delete(id);
    if (end) return { kind: 'ended', end };
    const entry = this.pending.ofCall(id);
    return entry ? { kind: 'asked', approvalId: entry.id, request: entry.request } : { kind: 'open' };
  }

  /** A person decided, as the program states. Rejects with ToolError if there is no such call, else like PendingList.decide. */
  async decide(id: string, approvalId: string, decision: ApprovalDecision, showed: FormAnswerer['showed']): Promise<void> {
    if (!this.calls.has(id)) throw noCall();
    // Decided elsewhere meanwhile.
    if (this.pending.ofCall(id)?.id !== approvalId) return;
    await this.pending.decide(approvalId, decision, { callId: id, showed });
  }

  /** Ends a call that nobody waits for any more; nothing happens to one that has ended. */
  withdraw(id: string): void {
    this.calls.get(id)?.stop.abort();
  }

  withdrawAll(): void {
    for (const { stop } of this.calls.values()) stop.abort();
  }

  get isIdle(): boolean {
    return [...this.calls.values()].every(({ end }) => end);
  }

  private settled(id: string, open: OpenCall, { signal, stopAtApproval, onProgress }: WaitOptions): Promise<void> {
    const isDone = (): boolean => open.end !== undefined || signal.aborted || (stopAtApproval && this.pending.ofCall(id) !== undefined);
    return new Promise((resolve) => {
      const finish = (): void => {
        for (const stop of stops) stop();
        resolve();
      };
      const check = (): void => void (isDone() && finish());
      // A read is answered whenever it has ended.
      const timer = open.asksNobody ? undefined : setTimeout(finish, this.waitMs);
      const report = (): void => onProgress(this.pending.ofCall(id) ? 'a person decides' : 'it waits for an earlier call');
      const reports = open.asksNobody ? undefined : setInterval(report, REPORT_MS);
      const stops = [
        () => clearTimeout(timer),
        () => clearInterval(reports),
        () => signal.removeEventListener('abort', finish),
        this.pending.changes.add(check),
        open.changes.add((progress) => {
          if (progress !== undefined) onProgress(progress);
          check();
        }),
      ];
      signal.addEventListener('abort', finish, { once: true });
      check();
    });
  }

  private async run(call: ReadCall, open: OpenCall, given?: CallRoom): Promise<void> {
    const { asksNobody, changes, stop } = open;
    try {
      if (stop.signal.aborted) throw new ToolError('aborted', 'the call was withdrawn', '');
      const { asker } = this;
      const room = given ?? (await this.room());
      const onProgress = (message: string): void => changes.call(message);
      const { messageId, ...result } = await room.run(call, { asker, asksNobody, signal: stop.signal, onProgress });
      open.end = endOf(result, { sessionId: room.sessionId, messageId });
    } catch (error) {
      const failure = toToolError(error);
      open.end = { status: failure.code === 'aborted' ? 'aborted' : 'error', text: errorText(failure), links: [] };
    }
    changes.call();
  }

  private requireSpace(asksNobody: boolean): void {
    const most = asksNobody ? MAX_READS : MAX_OPEN;
    const running = [...this.calls.values()].filter((call) => call.end === undefined && call.asksNobody === asksNobody);
    if (running.length < most) return;
    const next = asksNobody ? 'wait for them' : 'wait until a person has decided about them';
    throw new ToolError('too_many', `${most} calls of this program have not ended`, next);
  }

  private forgetOld(): void {
    for (const [id, { end }] of this.calls) {
      if (this.calls.size <= MAX_KEPT) return;
      if (end) this.calls.delete(id);
    }
  }
}

function endOf(result: ToolExecuteResult, place: { readonly sessionId: string; readonly messageId: string }): CallEnd {
  const { status, error, found, written, finalText } = result;
  const links = written
    ? written.blockIds.map((id) => ({ id, name: written.title ?? '' }))
    : (found?.notes.map(({ id, title }) => ({ id, name: title })) ?? []);
  const text = finalText ?? (error ? errorText(error) : status);
  return { status, text, links, ...(written ? { written: { ...written, ...place } } : {}) };
}
