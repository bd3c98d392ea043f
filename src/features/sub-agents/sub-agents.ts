import { createChatHandler } from '../../chat/turn/handlers.ts';
import type { ToolsChat } from '../../chat/turn/running-calls.ts';
import { ChainHistory } from '../../tools/chain/chain-history.ts';
import type { Conversation } from '../../tools/chain/chain-requests.ts';
import { createEventEmitter, type EventEmitter } from '../../tools/chain/event-stream.ts';
import { executeToolChain, type ToolCallHistoryEntry, type ToolChainResult } from '../../tools/chain/tool-chain.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { Message } from '../../tools/contract/messages.ts';
import type { Clock } from '../../tools/contract/ports.ts';
import { LEFT_OUT, mergeSources, type NoteSource } from '../../tools/contract/provenance.ts';
import type { SubAgentName, ToolContext } from '../../tools/contract/types.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import { idsInText } from '../../tools/executor/variable-rights.ts';
import { linkSignals } from '../../tools/util/abort.ts';
import { preview } from '../../tools/util/graphemes.ts';
import type { SubAgents, SubAgentTask } from './agents.ts';
import { withCallIds } from './call-ids.ts';
import { type Meter, metered } from './metered.ts';
import { Places } from './places.ts';
import { type SubAgentOutcome, spawnResult } from './spawn-result.ts';

export interface SubAgentDeps {
  readonly chat: ToolsChat;
  /** The tools of one sub-agent: all that read, and the named ones of the others. */
  readonly executorFor: (name: SubAgentName, tools: readonly string[]) => ToolExecutor;
  readonly clock: Clock;
}

/** The maximum number of concurrent sub-agents of one chat; further ones wait. */
const AT_ONCE = 3;

const PROMPT = [
  'You are a sub-agent: another assistant gave you the task of the first message, and your last message goes back to it. No person reads along or can be asked.',
  'Do the task with your tools. Answer with what you found, complete but short, with citations; say what you could not find. Do not tell how you worked.',
].join('\n');

/** Runs a model on a task inside a call, with its own tools, variables and conversation. */
export function createSubAgents(deps: SubAgentDeps): Pick<SubAgents, 'run'> {
  const places = new Places(AT_ONCE);
  return {
    async run(task, context) {
      const alone = new AbortController();
      const forget = deps.chat.stoppable(context.callId, () => alone.abort());
      const linked = linkSignals([context.signal, alone.signal]);
      try {
        const leave = await places.take(linked.signal);
        try {
          return spawnResult(task.label, await work(deps, task, context, linked.signal));
        } finally {
          leave();
        }
      } catch (error) {
        if (alone.signal.aborted && !context.signal.aborted) return spawnResult(task.label, STOPPED_BEFORE);
        throw error;
      } finally {
        linked.release();
        forget();
      }
    },
  };
}

const STOPPED_BEFORE: SubAgentOutcome = {
  ended: 'stopped',
  text: '',
  found: [],
  rounds: 0,
  calls: 0,
  tokens: 0,
  blockIds: [],
  sources: [],
  isPrivate: false,
};

async function work(deps: SubAgentDeps, task: SubAgentTask, context: ToolContext, signal: AbortSignal): Promise<SubAgentOutcome> {
  const { chat, clock, executorFor } = deps;
  const model = chat.model();
  if (!model) throw new ToolError('model_missing', 'this chat has no model now', 'do the task yourself');
  const { callId, sessionId, nodeId, argumentSources = [] } = context;
  const executor = executorFor({ callId, label: task.label }, task.tools);
  const history = new ChainHistory();
  executor.setWrittenFrom(() => ({ sources: agentSources(argumentSources, history.entries()), withheld: [] }));
  const turnId = chat.newId();
  const emitter = createEventEmitter({
    ...{ sessionId, turnId, clock, parentCallId: callId },
    onEvent: (event, detail) => {
      history.take(event, detail);
      chat.relay(event, detail);
    },
  });
  const meter = metered((model.recordedAs?.('sub-agent') ?? model).complete);
  const settings = () => ({ ...chat.settings(), systemPrompt: [PROMPT, chat.settings().systemPrompt.trim()].filter(Boolean).join('\n\n') });
  const handler = createChatHandler({ executor, settings, today: clock.today, timeZone: chat.timeZone });
  await handler.fitTools(model.window, signal);
  emitter.emit({ type: 'turn-start' });
  const stopClosing = task.tools.length === 0 ? closeAtOnce(context.signal, emitter) : () => undefined;
  const { contextTokens, toolProtocol } = chat.settings();
  const result = await executeToolChain(executor, undefined, {
    ...{ sessionId, turnId, nodeId, clock, signal, emitter, history, contextTokens, toolProtocol },
    complete: withCallIds(meter.complete, `${callId}-`),
    contextMessages: conversationOf(task.task, argumentSources),
    systemPrompt: handler.buildSystemPrompt(),
    chatOption: handler.buildChatOption(),
    window: model.window,
    maxRounds: task.maxRounds,
    enough: () => (meter.usage.total_tokens >= task.maxTokens ? 'you have used the tokens that you were given' : undefined),
  });
  stopClosing();
  emitter.closeAll();
  emitter.emit({ type: 'turn-end', status: result.status, usage: meter.usage });
  return { ...outcomeOf(result, meter, argumentSources), isPrivate: executor.givenPrivate };
}

/** Ends with the parent's turn: a call that only reads is not awaited, so its open parts end now. */
function closeAtOnce(signal: AbortSignal, emitter: EventEmitter): () => void {
  const close = (): void => emitter.closeAll({ turn: 'aborted' });
  signal.addEventListener('abort', close, { once: true });
  return () => signal.removeEventListener('abort', close);
}

/** The task, as long as the notes quoted in it may be read. */
function conversationOf(task: string, sources: readonly NoteSource[]): Conversation {
  const given: readonly Message[] = [{ role: 'user', content: task }];
  const hidden: readonly Message[] = [{ role: 'user', content: LEFT_OUT }];
  return { sources, candidates: sources, messages: (_tokens, withheld) => (withheld.holds(sources) ? hidden : given) };
}

const agentSources = (given: readonly NoteSource[], entries: readonly ToolCallHistoryEntry[]): readonly NoteSource[] =>
  mergeSources(given, ...entries.map(({ result }) => result.sources));

const ENDED = { completed: 'finished', aborted: 'stopped', error: 'failed', timeout: 'failed' } as const;

function outcomeOf(result: ToolChainResult, { usage }: Meter, given: readonly NoteSource[]): Omit<SubAgentOutcome, 'isPrivate'> {
  const { status, error, finalContent, toolCallHistory, rounds } = result;
  const texts = [...rounds.map(({ text }) => text), finalContent].map((text) => text.trim()).filter(Boolean);
  const text = status === 'completed' ? finalContent : texts.join('\n\n');
  const known = new Set(toolCallHistory.flatMap(({ result: read }) => [...(read.blockIds ?? []), ...(read.written?.blockIds ?? [])]));
  return {
    ended: ENDED[status],
    ...(error ? { error } : {}),
    ...{ text, found: foundBy(toolCallHistory), rounds: rounds.length, calls: toolCallHistory.length, tokens: usage.total_tokens },
    blockIds: idsInText(text).filter((id) => known.has(id)),
    sources: agentSources(given, toolCallHistory),
  };
}

const MOST_FOUND = 30;

/** One line for each call that gave something. */
function foundBy(entries: readonly ToolCallHistoryEntry[]): readonly string[] {
  const lines = entries
    .filter(({ result }) => result.status === 'success')
    .map(({ toolName, argsPreview, preview: shown }) => `- ${toolName} ${preview(argsPreview, 100)}: ${shown.replaceAll(/\s+/gu, ' ')}`);
  return lines.length > MOST_FOUND ? [`- (${lines.length - MOST_FOUND} earlier calls)`, ...lines.slice(-MOST_FOUND)] : lines;
}
