import type { CallDetail, ToolChainEvent, ToolChainEventBody } from '../contract/events.ts';
import type { Usage } from '../contract/messages.ts';
import { type ProposedChange, withoutDrawing } from '../contract/plans.ts';
import type { ToolArguments, ToolExecuteResult, WrittenBlocks } from '../contract/types.ts';
import { PREVIEW_CHARACTERS } from '../executor/call-preview.ts';
import { readWritten } from '../executor/read-result.ts';
import { preview } from '../util/graphemes.ts';

export interface ToolCallHistoryEntry {
  readonly callId: string;
  readonly toolName: string;
  /** As the tool got them (each text up to 50,000 characters); {} if they could not be parsed. */
  readonly args: ToolArguments;
  /** Without `data` and `formattedText`: the whole result is in its variable. */
  readonly result: ToolExecuteResult;
  /** ≤ 200 characters for cards and logs; nothing of a rejected result. */
  readonly preview: string;
  /** ≤ 200 characters: `compressArgs` of the tool, or JSON. */
  readonly argsPreview: string;
  /** The change that waited for approval when the call was cut off: nothing of it was written. */
  readonly proposed?: ProposedChange;
  /** It waited for approval when it was cut off; while another program writes the answer, it still does. */
  readonly waited?: boolean;
  /** Milliseconds between its start and its end in which it waited for a person's decision. */
  readonly waitedMs?: number;
  readonly startTime: number;
  readonly endTime: number;
  readonly roundIndex: number;
  readonly llmUsage?: Usage;
  readonly resultRejected?: boolean;
  readonly resultRejectReason?: string;
}

type ToolStart = Extract<ToolChainEvent, { type: 'tool-start' }>;
type ToolEnd = Extract<ToolChainEventBody, { type: 'tool-end' }>;

interface Followed {
  readonly start: ToolStart;
  /** As the tool got them, if the model wrote others. */
  args?: ToolArguments;
  readonly round: number;
  readonly usage: Usage | undefined;
  /** Its change was made, whatever the result of the call is. */
  written?: WrittenBlocks;
  /** It waits for an approval now; `toRun`: nothing was done yet. `proposed`: its change, if it is a write. */
  waiting?:
    | { readonly approvalId: string; readonly since: number; readonly toRun: boolean; readonly proposed?: ProposedChange }
    | undefined;
  waitedMs: number;
  entry?: ToolCallHistoryEntry;
}

/** Shown to the model for a call that a crash cut off. */
const CUT_OFF = 'The program ended before this call was finished. Check whether it was done before you do it again.';
const WAITED_AND_CUT_OFF = 'The program ended while this call waited for the user. Nothing was written. Ask before you do it again.';
const DONE_AND_CUT_OFF = 'The change was made, then the program ended. Do not make it again.';

/** The toolCallHistory, built from the event stream: a call is added when it ends, and calls are ordered by their starts. */
export class ChainHistory {
  private readonly calls = new Map<string, Followed>();
  private round = 0;
  private usage: Usage | undefined;

  take(event: ToolChainEvent, detail?: CallDetail): void {
    if (event.type === 'round-start') {
      this.round = event.round;
      this.usage = event.usage;
    }
    if (event.type === 'tool-start') this.calls.set(event.callId, { start: event, round: this.round, usage: this.usage, waitedMs: 0 });
    if (event.type === 'tool-arguments') this.noteArguments(event);
    if (event.type === 'write') this.noteWrite(event);
    if (event.type === 'approval-request') this.noteQuestion(event);
    if (event.type === 'approval-end') this.noteDecision(event);
    if (event.type !== 'tool-end') return;
    const followed = this.calls.get(event.callId);
    if (followed !== undefined) followed.entry = entryOf(followed, event, detail);
  }

  entries(): readonly ToolCallHistoryEntry[] {
    return [...this.calls.values()].flatMap(({ entry }) => entry ?? []);
  }

  /** The same including running calls, as a crash would leave them: for saving in the middle of a round. */
  entriesIfCut(): readonly ToolCallHistoryEntry[] {
    return [...this.calls.values()].map((followed) => followed.entry ?? cutEntry(followed));
  }

  private noteArguments({ callId, arguments: args }: Extract<ToolChainEvent, { type: 'tool-arguments' }>): void {
    const followed = this.calls.get(callId);
    if (followed !== undefined) followed.args = args;
  }

  private noteQuestion({ callId, approvalId, kind, plan, time }: Extract<ToolChainEvent, { type: 'approval-request' }>): void {
    const followed = this.calls.get(callId);
    if (followed === undefined) return;
    const toRun = kind === 'execution';
    const proposed = toRun && plan && { document: plan.document, operations: plan.operations.map(withoutDrawing) };
    followed.waiting = { approvalId, since: time, toRun, ...(proposed ? { proposed } : {}) };
  }

  private noteDecision({ approvalId, time }: Extract<ToolChainEvent, { type: 'approval-end' }>): void {
    for (const followed of this.calls.values()) {
      if (followed.waiting?.approvalId !== approvalId) continue;
      followed.waitedMs += Math.max(0, time - followed.waiting.since);
      followed.waiting = undefined;
    }
  }

  private noteWrite(event: Extract<ToolChainEvent, { type: 'write' }>): void {
    const followed = this.calls.get(event.callId);
    const written = readWritten(event);
    if (followed !== undefined && written !== undefined) followed.written = written;
  }
}

function cutEntry(followed: Followed): ToolCallHistoryEntry {
  const { callId } = followed.start;
  const { written, waiting } = followed;
  const unwritten = waiting?.toRun ? WAITED_AND_CUT_OFF : CUT_OFF;
  const reason = written ? DONE_AND_CUT_OFF : unwritten;
  const entry = entryOf(followed, { type: 'tool-end', callId, status: 'interrupted', durationMs: 0, preview: reason }, undefined);
  return {
    ...entry,
    ...(waiting ? { waited: true } : {}),
    ...(waiting?.proposed ? { proposed: waiting.proposed } : {}),
    ...(written && !waiting?.proposed ? { result: { ...entry.result, written } } : {}),
  };
}

function entryOf(
  { start, args = start.arguments, round, usage, waitedMs }: Followed,
  end: ToolEnd,
  detail: CallDetail | undefined,
): ToolCallHistoryEntry {
  const { data: _data, formattedText: _formatted, ...result } = resultOf(end, detail);
  // A write of unknown outcome stays unknown when its result is rejected.
  const rejected = result.status === 'result_rejected' || (result.status === 'unknown' && result.rejectReason !== undefined);
  return {
    callId: start.callId,
    toolName: start.tool,
    args,
    result,
    preview: end.preview,
    argsPreview: detail?.argsPreview ?? preview(JSON.stringify(start.arguments), PREVIEW_CHARACTERS),
    startTime: start.time,
    endTime: start.time + end.durationMs,
    roundIndex: round,
    ...(waitedMs > 0 ? { waitedMs } : {}),
    ...(usage === undefined ? {} : { llmUsage: usage }),
    ...(rejected ? { resultRejected: true } : {}),
    ...(rejected && result.rejectReason !== undefined ? { resultRejectReason: result.rejectReason } : {}),
  };
}

export function resultOf(end: ToolEnd, detail: CallDetail | undefined): ToolExecuteResult {
  if (detail !== undefined) return detail.result;
  const { status, error, reason, skipped, resultRef } = end;
  return {
    status,
    ...(error === undefined ? {} : { error }),
    ...(reason === undefined ? {} : { rejectReason: reason }),
    ...(skipped === undefined ? {} : { skipped }),
    ...(resultRef === undefined ? {} : { cacheVarResult: resultRef }),
  };
}
