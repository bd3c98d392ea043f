import { ChainHistory } from '../../tools/chain/chain-history.ts';
import { MessageFlowFormatter } from '../../tools/chain/message-flow.ts';
import type { ToolCallHistoryEntry } from '../../tools/chain/tool-chain.ts';
import type { CallDetail, ChainStatus, ToolChainEvent } from '../../tools/contract/events.ts';
import type { AssistantMessage } from '../../tools/contract/messages.ts';
import { preview } from '../../tools/util/graphemes.ts';
import type { SavedSubAgent, SavedToolChain, ToolCallRecord } from '../session/types.ts';
import type { AnswerSegment, SubAgentView, ToolCallView } from '../view/view.ts';
import { type AnswerState, citationsOf, EMPTY_ANSWER, patchCall, reduceAnswer } from '../view/view-reducer.ts';

/** The time of a turn in which it waited for a person: for a decision, or for an answer. Concurrent waits count once. */
class PersonTime {
  total = 0;
  private readonly waits = new Set<string>();
  private since = 0;

  take(event: ToolChainEvent): void {
    if (event.type === 'approval-request') this.begin(event.approvalId, event.time);
    if (event.type === 'approval-end') this.end(event.approvalId, event.time);
    if (event.type === 'tool-start' && event.tool === 'ask_user') this.begin(event.callId, event.time);
    if (event.type === 'tool-end') this.end(event.callId, event.time);
  }

  private begin(id: string, time: number): void {
    if (this.waits.size === 0) this.since = time;
    this.waits.add(id);
  }

  private end(id: string, time: number): void {
    if (this.waits.delete(id) && this.waits.size === 0) this.total += Math.max(0, time - this.since);
  }
}

function toRecord(entry: ToolCallHistoryEntry): ToolCallRecord {
  const { result, preview: shown, argsPreview: _args, ...rest } = entry;
  const { data: _data, formattedText: _formatted, finalText: _final, ...kept } = result;
  return { ...rest, result: { ...kept, preview: shown } };
}

/** Reasoning, texts and calls in the order in which they were shown; the final text is the last round, without calls. */
export function roundsOf(segments: readonly AnswerSegment[]): SavedToolChain['rounds'] {
  const rounds: { reasoning?: string; text: string; callIds: string[] }[] = [];
  let last: AnswerSegment['kind'] | undefined;
  for (const segment of segments) {
    const current = rounds.at(-1);
    if (segment.kind === 'reasoning') rounds.push({ reasoning: segment.text, text: '', callIds: [] });
    else if (segment.kind === 'text' && current && last === 'reasoning') current.text = segment.text;
    else if (segment.kind === 'text') rounds.push({ text: segment.text, callIds: [] });
    else if (current) current.callIds.push(segment.call.callId);
    else rounds.push({ text: '', callIds: [segment.call.callId] });
    last = segment.kind;
  }
  return rounds;
}

export function textOf(segments: readonly AnswerSegment[]): string {
  return segments.flatMap((segment) => (segment.kind === 'text' ? [segment.text] : [])).join('\n\n');
}

export function reasoningOf(segments: readonly AnswerSegment[]): string {
  return segments.flatMap((segment) => (segment.kind === 'reasoning' ? [segment.text] : [])).join('\n\n');
}

/** Characters saved of a result of a sub-agent's call, and of all of them together. */
const TEXT = 4000;
const ALL_TEXTS = 60_000;

class ReadTexts {
  readonly byCall = new Map<string, string>();
  private room = ALL_TEXTS;

  add(callId: string, text: string | undefined): string | undefined {
    const kept = preview(text ?? '', Math.min(TEXT, this.room));
    if (kept === '') return undefined;
    this.room -= kept.length;
    this.byCall.set(callId, kept);
    return kept;
  }
}

/** Follows one turn: the live answer from its events, and each finished call, so that a crash loses neither. */
export class TurnProgress {
  answer: AnswerState = EMPTY_ANSWER;
  readonly history = new ChainHistory();
  /** Sub-agents ask in the same turn: their waits count here. */
  readonly personTime = new PersonTime();
  private readonly startTime: number;
  private readonly inner = new Map<string, TurnProgress>();
  private readonly texts = new ReadTexts();
  private end: Extract<ToolChainEvent, { type: 'turn-end' }> | undefined;

  constructor(startTime: number) {
    this.startTime = startTime;
  }

  take(event: ToolChainEvent, detail?: CallDetail): void {
    this.personTime.take(event);
    if (event.parentCallId !== undefined) this.takeInner(event.parentCallId, event, detail);
    else {
      this.answer = reduceAnswer(this.answer, event);
      const found = event.type === 'tool-end' ? detail?.result.found : undefined;
      if (event.type === 'tool-end' && found) this.answer = patchCall(this.answer, event.callId, { found });
      this.history.take(event, detail);
    }
  }

  records(entries: readonly ToolCallHistoryEntry[]): readonly ToolCallRecord[] {
    return entries.map((entry) => {
      const record = toRecord(entry);
      const inner = this.inner.get(entry.callId);
      return inner ? { ...record, subAgent: inner.saved() } : record;
    });
  }

  /** The answer so far, in the form of a finished one that was stopped; calls that still run are cut off in it. */
  snapshot(): { readonly content: string; readonly hintSize: number; readonly toolChainResult: SavedToolChain } {
    const toolChainResult = this.chain('aborted');
    const entries = this.history.entriesIfCut();
    const calls = new Map(this.calls().map((call) => [call.callId, call]));
    const messages = toolChainResult.rounds.map(({ text, callIds }): AssistantMessage => {
      const tool_calls = callIds.map((id) => ({
        id,
        type: 'function' as const,
        function: { name: calls.get(id)?.tool ?? '', arguments: '{}' },
      }));
      return { role: 'assistant', content: text, ...(tool_calls.length > 0 ? { tool_calls } : {}) };
    });
    const hint = MessageFlowFormatter.generateSystemHint(entries);
    return {
      content: hint + MessageFlowFormatter.convertMessagesToNaturalFlow(messages, entries),
      hintSize: hint.length,
      toolChainResult,
    };
  }

  private chain(status: ChainStatus): SavedToolChain {
    const rounds = roundsOf(this.answer.segments);
    const entries = this.history.entriesIfCut();
    const { startTime } = this;
    const endTime = entries.at(-1)?.endTime ?? startTime;
    const stats = { totalRounds: rounds.length, totalCalls: entries.length, totalTime: endTime - startTime, startTime, endTime };
    return { toolCallHistory: this.records(entries), rounds, stats, status };
  }

  private takeInner(callId: string, given: ToolChainEvent, detail: CallDetail | undefined): void {
    const inner = this.inner.get(callId) ?? new TurnProgress(given.time);
    this.inner.set(callId, inner);
    const { parentCallId: _parent, ...event } = given;
    if (event.type === 'turn-end') inner.end = event;
    if (event.type === 'tool-end') {
      // Its variables end with the sub-agent.
      const { resultRef: _variable, ...rest } = event;
      inner.take(rest, detail);
      const text = inner.texts.add(event.callId, detail?.result.status === 'success' ? detail.result.formattedText : undefined);
      if (text !== undefined) inner.answer = patchCall(inner.answer, event.callId, { text });
    } else inner.take(event, detail);
    this.answer = patchCall(this.answer, callId, { subAgent: inner.view() });
  }

  private view(): SubAgentView {
    const { segments, error, retry } = this.answer;
    const { status = 'running', usage } = this.end ?? {};
    const citations = this.end ? citationsOf(segments, this.records(this.history.entries())) : [];
    return { segments, citations, status, ...(error ? { error } : {}), ...(retry ? { retry } : {}), ...(usage ? { usage } : {}) };
  }

  private saved(): SavedSubAgent {
    const { status = 'aborted', usage } = this.end ?? {};
    const { error } = this.answer;
    const { toolCallHistory, ...chain } = this.chain(status);
    const calls = toolCallHistory.map(({ result: { cacheVarArgs: _args, cacheVarResult: _result, ...result }, ...record }) => ({
      ...record,
      result,
    }));
    return {
      chain: { ...chain, toolCallHistory: calls, ...(error ? { error } : {}) },
      texts: Object.fromEntries(this.texts.byCall),
      ...(usage ? { usage } : {}),
    };
  }

  private calls(): readonly ToolCallView[] {
    return this.answer.segments.flatMap((segment) => (segment.kind === 'call' ? [segment.call] : []));
  }
}
