import { ChainHistory } from '../../tools/chain/chain-history.ts';
import { MessageFlowFormatter } from '../../tools/chain/message-flow.ts';
import type { ToolCallHistoryEntry } from '../../tools/chain/tool-chain.ts';
import type { CallDetail, ToolChainEvent } from '../../tools/contract/events.ts';
import type { AssistantMessage } from '../../tools/contract/messages.ts';
import type { SavedToolChain, ToolCallRecord } from '../session/types.ts';
import type { AnswerSegment, ToolCallView } from '../view/view.ts';
import { type AnswerState, EMPTY_ANSWER, reduceAnswer } from '../view/view-reducer.ts';

export function toRecord(entry: ToolCallHistoryEntry): ToolCallRecord {
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

/** All that the model said, without logs and reasoning. */
export function textOf(segments: readonly AnswerSegment[]): string {
  return segments.flatMap((segment) => (segment.kind === 'text' ? [segment.text] : [])).join('\n\n');
}

export function reasoningOf(segments: readonly AnswerSegment[]): string {
  return segments.flatMap((segment) => (segment.kind === 'reasoning' ? [segment.text] : [])).join('\n\n');
}

/** Follows one turn: the live answer from its events, and each finished call, so that a crash loses neither. */
export class TurnProgress {
  answer: AnswerState = EMPTY_ANSWER;
  readonly history = new ChainHistory();
  private readonly startTime: number;

  constructor(startTime: number) {
    this.startTime = startTime;
  }

  take(event: ToolChainEvent, detail?: CallDetail): void {
    // A sub-agent's events belong to its own record.
    if (event.parentCallId !== undefined) return;
    this.answer = reduceAnswer(this.answer, event);
    this.history.take(event, detail);
  }

  /** The answer as it stands, in the form of a finished one that was stopped; calls that still run are cut off in it. */
  snapshot(): { readonly content: string; readonly hintSize: number; readonly toolChainResult: SavedToolChain } {
    const rounds = roundsOf(this.answer.segments);
    const entries = this.history.entriesIfCut();
    const calls = new Map(this.calls().map((call) => [call.callId, call]));
    const messages = rounds.map(({ text, callIds }): AssistantMessage => {
      const tool_calls = callIds.map((id) => ({
        id,
        type: 'function' as const,
        function: { name: calls.get(id)?.tool ?? '', arguments: '{}' },
      }));
      return { role: 'assistant', content: text, ...(tool_calls.length > 0 ? { tool_calls } : {}) };
    });
    const hint = MessageFlowFormatter.generateSystemHint(entries);
    const endTime = entries.at(-1)?.endTime ?? this.startTime;
    const stats = {
      totalRounds: rounds.length,
      totalCalls: entries.length,
      totalTime: endTime - this.startTime,
      startTime: this.startTime,
      endTime,
    };
    return {
      content: hint + MessageFlowFormatter.convertMessagesToNaturalFlow(messages, entries),
      hintSize: hint.length,
      toolChainResult: { toolCallHistory: entries.map(toRecord), rounds, stats, status: 'aborted' },
    };
  }

  private calls(): readonly ToolCallView[] {
    return this.answer.segments.flatMap((segment) => (segment.kind === 'call' ? [segment.call] : []));
  }
}
