import type { EventError } from '../../tools/contract/errors.ts';
import type { ToolChainEventBody } from '../../tools/contract/events.ts';
import { isFoundList } from '../../tools/contract/found-notes.ts';
import type { ProgressCount } from '../../tools/contract/types.ts';
import { readLeftOut } from '../../tools/executor/read-result.ts';
import { checkCitations } from '../session/citations.ts';
import { readProposed, readWritten } from '../session/saved-calls.ts';
import { readSubAgent } from '../session/saved-sub-agent.ts';
import type { Payload, SavedToolChain, ToolCallRecord } from '../session/types.ts';
import type { AnswerSegment, RetryWait, SubAgentView, ToolCallView } from './view.ts';

export interface AnswerState {
  readonly segments: readonly AnswerSegment[];
  readonly error?: EventError;
  /** Set since the last request failed, until something else happens. */
  readonly retry?: RetryWait;
  /** Tokens of the request that a local server is reading: nothing of its answer came yet. */
  readonly reading?: number;
  /** The type of the last segment while it grows. */
  readonly open: 'text' | 'reasoning' | null;
  readonly waiting: Readonly<Record<string, string>>;
}

export const EMPTY_ANSWER: AnswerState = { segments: [], open: null, waiting: {} };

const countOf = ({ done, total }: Partial<ProgressCount>): ProgressCount | undefined =>
  done === undefined || total === undefined ? undefined : { done, total };

type AnswerEvent = ToolChainEventBody & { readonly time: number };

/** Applies one event to an answer. Pure: unchanged segments, and a state that an event does not change, keep their identity. */
export function reduceAnswer(state: AnswerState, event: AnswerEvent): AnswerState {
  if (event.type === 'retry') return { ...state, retry: { attempt: event.attempt, at: event.at, error: event.error } };
  const { retry, reading, ...rest } = state;
  if (event.type === 'reading') return { ...rest, reading: event.tokens };
  return reduce(retry || reading !== undefined ? rest : state, event);
}

function reduce(state: AnswerState, event: Exclude<AnswerEvent, { type: 'retry' | 'reading' }>): AnswerState {
  switch (event.type) {
    case 'text-delta':
      return grow(state, 'text', event.text);
    case 'reasoning-delta':
      return grow(state, 'reasoning', event.text);
    case 'text-end':
      if (event.wasReasoning === true) return textToReasoning(state);
      return state.open === null ? state : { ...state, open: null };
    case 'reasoning-end':
      return state.open === null ? state : { ...state, open: null };
    case 'tool-writing':
      return writeCall(state, event);
    case 'tool-writing-end':
      return withoutWriting(state);
    case 'tool-start':
      return startCall(state, event);
    case 'tool-arguments':
      return patchCall(state, event.callId, { args: event.arguments });
    case 'tool-progress':
      return patchCall(state, event.callId, { progress: event.message, counted: countOf(event) });
    case 'approval-request':
      return {
        ...patchCall(state, event.callId, { status: 'waiting', args: event.args, waitingSince: event.time }),
        waiting: { ...state.waiting, [event.approvalId]: event.callId },
      };
    case 'approval-end':
      return resumeCall(state, event);
    case 'tool-end':
      return endCall(state, event);
    case 'write':
      return patchCall(state, event.callId, {
        wrote: {
          ...{ documentId: event.documentId, title: event.title ?? '', blockIds: event.blockIds },
          ...(event.unasked === undefined ? {} : { unasked: event.unasked }),
          ...readLeftOut(event),
        },
      });
    case 'error':
      return { ...state, error: { code: event.code, message: event.message, next: event.next } };
    case 'turn-end':
      return { ...withoutWriting(state), open: null };
    case 'round-start':
      return queueWriting(state);
    case 'turn-start':
    case 'round-end':
    case 'text-start':
    case 'reasoning-start':
      return state;
  }
}

function endCall(state: AnswerState, event: EventOf<'tool-end'>): AnswerState {
  const segment = state.segments.findLast((each) => each.kind === 'call' && each.call.callId === event.callId);
  const waited = (segment?.kind === 'call' && segment.call.waitedMs) || 0;
  return patchCall(state, event.callId, { ...endedCall(event), durationMs: Math.max(0, event.durationMs - waited) });
}

function endedCall(event: EventOf<'tool-end'>): Partial<ToolCallView> {
  return {
    status: event.status,
    preview: event.preview,
    ...(event.error === undefined ? {} : { error: event.error }),
    ...(event.reason === undefined ? {} : { rejectReason: event.reason }),
    ...(event.skipped === undefined ? {} : { skipped: event.skipped }),
    ...(event.resultRef === undefined ? {} : { resultVariable: event.resultRef }),
  };
}

function grow(state: AnswerState, kind: 'text' | 'reasoning', piece: string): AnswerState {
  if (piece === '') return state;
  // A call being written meanwhile does not split a text in two.
  const at = state.segments.findLastIndex((segment) => !isWriting(segment));
  const last = state.segments[at];
  if (state.open === kind && last?.kind === kind) {
    return { ...state, segments: replaced(state.segments, at, { kind, text: last.text + piece }) };
  }
  return { ...state, open: kind, segments: [...state.segments, { kind, text: piece }] };
}

function textToReasoning(state: AnswerState): AnswerState {
  const at = state.segments.findLastIndex((segment) => !isWriting(segment));
  const last = state.segments[at];
  if (state.open !== 'text' || last?.kind !== 'text') return state;
  return { ...state, open: null, segments: replaced(state.segments, at, { kind: 'reasoning', text: last.text.trim() }) };
}

const isWriting = (segment: AnswerSegment): boolean =>
  segment.kind === 'call' && (segment.call.status === 'writing' || segment.call.status === 'queued');

/** The answer is over: its calls run when it is their turn. */
function queueWriting(state: AnswerState): AnswerState {
  if (!state.segments.some(isWriting)) return state;
  const queued = (segment: AnswerSegment): AnswerSegment =>
    segment.kind === 'call' && segment.call.status === 'writing' ? { kind: 'call', call: { ...segment.call, status: 'queued' } } : segment;
  return { ...state, segments: state.segments.map(queued) };
}

function withoutWriting(state: AnswerState): AnswerState {
  return state.segments.some(isWriting) ? { ...state, segments: state.segments.filter((segment) => !isWriting(segment)) } : state;
}

type EventOf<Type extends AnswerEvent['type']> = Extract<AnswerEvent, { readonly type: Type }>;

/** A text longer than a line is shown growing below the name, not next to it. */
const isLong = (value: string): boolean => value.length > 60 || value.includes('\n');

/** Calls being written are at the end, in the order of the answer; a card keeps its place when its call starts. */
function writeCall(state: AnswerState, { index, tool, arguments: args, time }: AnswerEvent & EventOf<'tool-writing'>): AnswerState {
  const callId = `writing-${index}`;
  const values = Object.entries(args);
  // Models write one argument after another: the last long one is growing.
  const draft = values.findLast(([, value]) => isLong(value))?.[1];
  const short = Object.fromEntries(values.filter(([, value]) => !isLong(value)));
  const known = { tool, args: short, ...(draft === undefined ? {} : { draft }) };
  if (state.segments.some((segment) => isWriting(segment) && segment.kind === 'call' && segment.call.callId === callId))
    return patchCall(state, callId, known);
  const call: ToolCallView = { ...known, callId, cardId: `card-${state.segments.length}-${index}`, status: 'writing', started: time };
  return { ...state, segments: [...state.segments, { kind: 'call', call }] };
}

/** Replaces the first matching card; calls start in the order in which they were written. */
function startCall(state: AnswerState, { callId, tool, arguments: args, time }: AnswerEvent & EventOf<'tool-start'>): AnswerState {
  const started: ToolCallView = { callId, tool, args, status: 'running', started: time };
  const at = state.segments.findIndex((segment) => isWriting(segment) && segment.kind === 'call' && segment.call.tool === tool);
  const written = state.segments[at];
  if (written?.kind !== 'call') return { ...state, open: null, segments: [...state.segments, { kind: 'call', call: started }] };
  const { cardId, draft } = written.call;
  const call = { ...started, ...(cardId === undefined ? {} : { cardId }), ...(draft === undefined ? {} : { draft }) };
  return { ...state, open: null, segments: replaced(state.segments, at, { kind: 'call', call }) };
}

const replaced = (segments: readonly AnswerSegment[], at: number, segment: AnswerSegment): readonly AnswerSegment[] =>
  segments.map((other, index) => (index === at ? segment : other));

export function patchCall(state: AnswerState, callId: string, patch: Partial<ToolCallView>): AnswerState {
  const index = state.segments.findLastIndex((segment) => segment.kind === 'call' && segment.call.callId === callId);
  const segment = state.segments[index];
  if (segment?.kind !== 'call') return state;
  return { ...state, segments: replaced(state.segments, index, { kind: 'call', call: { ...segment.call, ...patch } }) };
}

/** Decided: the call continues (or ends), and its own end follows. */
function resumeCall(state: AnswerState, { approvalId, time }: AnswerEvent & EventOf<'approval-end'>): AnswerState {
  const callId = state.waiting[approvalId];
  if (callId === undefined) return state;
  const { [approvalId]: _decided, ...waiting } = state.waiting;
  const segment = state.segments.findLast((each) => each.kind === 'call' && each.call.callId === callId);
  const call = segment?.kind === 'call' ? segment.call : undefined;
  const waitedMs = (call?.waitedMs ?? 0) + Math.max(0, time - (call?.waitingSince ?? time));
  return { ...patchCall(state, callId, { status: 'running', waitedMs }), waiting };
}

/** A saved answer as the events that would have led to it, so that the panel shows both with the same reducer. */
function* payloadEvents({ created: time, message, toolChainResult }: Payload): Generator<AnswerEvent> {
  if (toolChainResult) yield* chainEvents(toolChainResult, time);
  else {
    yield* textEvents('reasoning', message.role === 'assistant' ? (message.reasoning ?? '') : '', time);
    yield* textEvents('text', message.content, time);
  }
}

function* chainEvents({ toolCallHistory, rounds }: SavedToolChain, time: number): Generator<AnswerEvent> {
  const records = new Map(toolCallHistory.map((record) => [record.callId, record]));
  for (const round of rounds) {
    yield* textEvents('reasoning', round.reasoning ?? '', time);
    yield* textEvents('text', round.text, time);
    for (const callId of round.callIds) {
      const record = records.get(callId);
      if (record) yield* callEvents(record);
    }
  }
}

function* textEvents(kind: 'text' | 'reasoning', text: string, time: number): Generator<AnswerEvent> {
  if (text === '') return;
  yield { type: `${kind}-start`, time };
  yield { type: `${kind}-delta`, text, time };
  yield { type: `${kind}-end`, time };
}

function* callEvents(record: ToolCallRecord): Generator<AnswerEvent> {
  const { callId, toolName, args, result, startTime, endTime } = record;
  yield { type: 'tool-start', callId, tool: toolName, arguments: args, time: startTime };
  const { error, rejectReason: reason } = result;
  const written = readWritten(result.written);
  if (written) yield { type: 'write', callId, ...written, time: endTime };
  yield {
    type: 'tool-end',
    callId,
    status: result.status,
    durationMs: Math.max(0, endTime - startTime - (record.waitedMs ?? 0)),
    preview: result.preview,
    time: endTime,
    ...(result.cacheVarResult === undefined ? {} : { resultRef: result.cacheVarResult }),
    ...(error === undefined ? {} : { error }),
    ...(reason === undefined ? {} : { reason }),
    ...(result.skipped === undefined ? {} : { skipped: result.skipped }),
  };
}

/** Segments of a saved answer; what events do not contain is added from the records. */
export function payloadSegments(payload: Payload): readonly AnswerSegment[] {
  return segmentsOf(payloadEvents(payload), payload.toolChainResult?.toolCallHistory ?? []);
}

function segmentsOf(events: Iterable<AnswerEvent>, saved: readonly ToolCallRecord[]): readonly AnswerSegment[] {
  const { segments } = [...events].reduce(reduceAnswer, EMPTY_ANSWER);
  const records = new Map(saved.map((record) => [record.callId, record]));
  return segments.map((segment): AnswerSegment => {
    const record = segment.kind === 'call' ? records.get(segment.call.callId) : undefined;
    if (segment.kind !== 'call' || !record) return segment;
    const more = besideEvents(record);
    return Object.keys(more).length === 0 ? segment : { kind: 'call', call: { ...segment.call, ...more } };
  });
}

function besideEvents(record: ToolCallRecord): Partial<ToolCallView> {
  const argsVariable = record.result.cacheVarArgs;
  const proposed = readProposed(record.proposed);
  const subAgent = savedSubAgent(record);
  const { found } = record.result;
  return {
    ...(isFoundList(found) ? { found } : {}),
    ...(argsVariable ? { argsVariable } : {}),
    ...(proposed ? { proposed } : {}),
    ...(record.waited === true ? { waited: true } : {}),
    ...(subAgent ? { subAgent } : {}),
  };
}

/** The citations in a sub-agent's text of what its calls read or wrote. */
export function citationsOf(segments: readonly AnswerSegment[], calls: readonly Pick<ToolCallRecord, 'result'>[]): readonly string[] {
  const known = new Set(calls.flatMap(({ result }) => [...(result.blockIds ?? []), ...(result.written?.blockIds ?? [])]));
  return [...new Set(segments.flatMap((segment) => (segment.kind === 'text' ? checkCitations(segment.text, known).cited : [])))];
}

function savedSubAgent({ subAgent, startTime }: ToolCallRecord): SubAgentView | undefined {
  const saved = readSubAgent(subAgent);
  if (!saved) return undefined;
  const { chain, texts, usage } = saved;
  const segments = segmentsOf(chainEvents(chain, startTime), chain.toolCallHistory).map((segment): AnswerSegment => {
    const text = segment.kind === 'call' && Object.hasOwn(texts, segment.call.callId) ? texts[segment.call.callId] : undefined;
    return segment.kind !== 'call' || text === undefined ? segment : { kind: 'call', call: { ...segment.call, text } };
  });
  const citations = citationsOf(segments, chain.toolCallHistory);
  return { segments, citations, status: chain.status, ...(chain.error ? { error: chain.error } : {}), ...(usage ? { usage } : {}) };
}
