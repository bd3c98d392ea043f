import { resultOf } from '../../tools/chain/chain-history.ts';
import { type EventError, toToolError } from '../../tools/contract/errors.ts';
import type { CallDetail, ToolChainEvent } from '../../tools/contract/events.ts';
import type { ToolArguments, ToolEffect, ToolExecuteResult } from '../../tools/contract/types.ts';
import { cutArguments, cutText } from '../../tools/util/cut-texts.ts';
import { inBackground } from '../../tools/util/notify.ts';
import { maskArguments, maskSecrets } from '../../tools/util/secrets.ts';
import type { ActivityRecord, ActivityStore } from './activity.ts';

export interface RecorderDeps {
  readonly store: ActivityStore;
  readonly sessionId: string;
  readonly newId: () => string;
  readonly now: () => number;
  readonly effectOf: (tool: string, args: ToolArguments) => ToolEffect;
  readonly question: (nodeId: string) => { readonly id: string; readonly text: string } | null;
  /** The first failure of the storage; later ones are not reported. */
  readonly onTrouble: (error: EventError) => void;
}

interface BegunCall {
  readonly callId: string;
  readonly parentCallId?: string | undefined;
  readonly nodeId: string;
  readonly tool: string;
  readonly arguments: ToolArguments;
}

interface OpenRecord {
  readonly record: ActivityRecord;
  /** Settles when the storage has saved its start, or failed to. */
  readonly kept: Promise<void>;
}

const MAX_RESULT = 200_000;
const MAX_QUESTION = 10_000;

/** The error of a call for its record. A rejection is recorded as an error, with the user's reason. */
function errorOf({ status, error, rejectReason }: ToolExecuteResult): EventError | null {
  if (error) return { code: error.code, message: maskSecrets(error.message), next: maskSecrets(error.next) };
  if (status === 'success') return null;
  if (status === 'aborted') return { code: 'aborted', message: 'the call was stopped', next: '' };
  const reason = rejectReason ? `: ${maskSecrets(rejectReason)}` : '';
  if (status === 'result_rejected') return { code: 'not_approved', message: `its result was kept from the model${reason}`, next: '' };
  return { code: 'not_approved', message: `it was rejected${reason}`, next: '' };
}

/** The record of a call that a crash cut off. Its duration is unknown. */
export const interruptedRecord = (record: ActivityRecord): ActivityRecord => ({
  ...record,
  status: 'interrupted',
  error: { code: 'interrupted', message: 'the program ended while the call was running', next: 'check whether it was done' },
});

const keyOf = ({ callId, parentCallId }: Pick<BegunCall, 'callId' | 'parentCallId'>): string => JSON.stringify([parentCallId, callId]);

/** Records each call when it begins and when it ends. It blocks nothing and never throws: if the storage fails, the record is lost. */
export class ActivityRecorder {
  private readonly deps: RecorderDeps;
  private readonly open = new Map<string, OpenRecord>();
  private troubled = false;

  constructor(deps: RecorderDeps) {
    this.deps = deps;
  }

  /** The chat was opened, and nothing runs in it: calls still recorded as running were cut off. */
  opened(): void {
    inBackground(this.keep(() => this.deps.store.cutOff(this.deps.sessionId)));
  }

  /** An event of a turn or one of its sub-agents. `nodeId`: the answer being written. */
  take(nodeId: string, event: ToolChainEvent, detail?: CallDetail): void {
    const { parentCallId } = event;
    if (event.type === 'tool-start')
      this.begin({ callId: event.callId, parentCallId, nodeId, tool: event.tool, arguments: event.arguments }, event.time);
    if (event.type === 'tool-arguments') this.received({ callId: event.callId, parentCallId }, event.arguments);
    if (event.type === 'tool-end') this.end({ callId: event.callId, parentCallId }, resultOf(event, detail), event.durationMs);
  }

  begin({ callId, parentCallId, nodeId, tool, arguments: args }: BegunCall, timestamp = this.deps.now()): void {
    const { sessionId, newId, effectOf, question, store } = this.deps;
    const asked = question(nodeId);
    const record: ActivityRecord = {
      id: newId(),
      sessionId,
      messageId: nodeId,
      callId,
      toolName: tool,
      effect: effectOf(tool, args),
      parentCallId,
      arguments: cutArguments(maskArguments(args)),
      result: null,
      error: null,
      status: 'running',
      durationMs: null,
      timestamp,
      sources: [],
      questionId: asked ? asked.id : undefined,
      userMessage: cutText(maskSecrets(asked?.text ?? ''), MAX_QUESTION),
    };
    this.open.set(keyOf({ callId, parentCallId }), { record, kept: this.keep(() => store.start(record)) });
  }

  /** The arguments as the tool gets them. Ignored if the start of the call is unknown. */
  received(call: Pick<BegunCall, 'callId' | 'parentCallId'>, args: ToolArguments): void {
    const begun = this.open.get(keyOf(call));
    if (!begun) return;
    const { store, effectOf } = this.deps;
    const record = { ...begun.record, effect: effectOf(begun.record.toolName, args), arguments: cutArguments(maskArguments(args)) };
    this.open.set(keyOf(call), { record, kept: begun.kept.then(() => this.keep(() => store.start(record))) });
  }

  end(call: Pick<BegunCall, 'callId' | 'parentCallId'>, result: ToolExecuteResult, durationMs?: number): void {
    const begun = this.open.get(keyOf(call));
    if (!begun) return;
    this.open.delete(keyOf(call));
    const { store, now } = this.deps;
    const { status, formattedText, finalText, sources = [], written } = result;
    // What another program gave as its reason is in the words for the model alone.
    const why = status === 'error' && begun.record.effect === 'outgoing' ? finalText : undefined;
    const text = status === 'success' ? (formattedText ?? finalText) : why;
    const record: ActivityRecord = {
      ...{ ...begun.record, status, sources, error: errorOf(result) },
      result: text === undefined ? null : cutText(maskSecrets(text), MAX_RESULT),
      durationMs: durationMs ?? now() - begun.record.timestamp,
      written,
    };
    // The storage must get the two in this order.
    inBackground(begun.kept.then(() => this.keep(() => store.finish(record))));
  }

  private async keep(write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (this.troubled) return;
      this.troubled = true;
      const { code, message } = toToolError(error, 'storage_failed');
      this.deps.onTrouble({ code, message: `tool calls are not being recorded: ${message}`, next: 'the chat goes on without records' });
    }
  }
}
