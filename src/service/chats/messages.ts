import { readSubAgent } from '../../chat/session/saved-sub-agent.ts';
import type { TreeModel } from '../../chat/session/tree-model.ts';
import type { Node, Payload, SavedVariable, ToolCallRecord } from '../../chat/session/types.ts';
import { visibleText } from '../../chat/session/visible-text.ts';
import type { ParsedToolRequest, ToolExecutionResult } from '../../protocol/contract.ts';
import { type EventError, errorText } from '../../tools/contract/errors.ts';
import type { ToolArguments, ToolExecuteStatus } from '../../tools/contract/types.ts';
import { ServiceError } from '../contract/errors.ts';

/** How much of each call is sent: its whole result, its beginning (200 characters), or nothing. */
export const TOOL_MODES = ['full', 'summary', 'none'] as const;
export type ToolMode = (typeof TOOL_MODES)[number];

/** For a call that has not ended: it runs, or waits for an approval. */
export const OPEN_STATUSES = ['running', 'waiting'] as const;
type OpenStatus = (typeof OPEN_STATUSES)[number];

const isOpen = (status: ToolCallView['status']): status is OpenStatus => status === 'running' || status === 'waiting';

interface ToolCallView {
  readonly id: string;
  readonly name: string;
  readonly arguments: ToolArguments;
  /** null if the call gave none, or the user withheld it from the model. */
  readonly result: string | null;
  readonly error: EventError | null;
  readonly status: ToolExecuteStatus | OpenStatus;
  /** Milliseconds. */
  readonly duration: number;
  /** A sub-agent's work in the call; null for every other call, and if none began. */
  readonly spawn_task: SpawnTaskView | null;
}

interface SpawnTaskView {
  /** Of the call. */
  readonly id: string;
  readonly label: string;
  readonly task: string;
  readonly status: 'running' | 'completed' | 'stopped' | 'error' | 'interrupted';
  /** The number of its finished calls, and the tools that run now. */
  readonly progress: { readonly calls: number; readonly running: readonly string[] };
  readonly tool_calls: readonly ToolCallView[];
  /** Its last text. */
  readonly result: string | null;
  readonly error: EventError | null;
  /** Of all its requests; null before its end. */
  readonly tokens: number | null;
  /** Milliseconds. */
  readonly duration: number;
}

export interface MessageView {
  readonly id: string;
  readonly session_id: string;
  readonly role: 'user' | 'assistant';
  readonly content: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  readonly tool_calls: readonly ToolCallView[];
  /** The same under the names of text protocols, if requested; absent if nothing was called. */
  readonly metadata?: CallMetadata;
  /** For an answer that is being written, or did not finish. */
  readonly status?: 'running' | 'stopped' | 'error' | 'interrupted';
  readonly error?: EventError;
  /** How an answer ended, if not normally. */
  readonly end?: Payload['end'];
}

/** Requested calls, and the outcome of those that have ended. */
interface CallMetadata {
  readonly toolCallsRequested: readonly Pick<ParsedToolRequest, 'requestId' | 'toolName' | 'args'>[];
  readonly toolCall: readonly ToolExecutionResult[];
}

/** A chat for reading its messages. */
export interface ReadChat {
  readonly id: string;
  readonly tree: Pick<TreeModel, 'has' | 'node' | 'leaf' | 'newestFirst'>;
  /** The answer that is being written, with its text so far. */
  readonly running: { readonly id: string; readonly text: string } | null;
  /** Its calls that wait for an approval, including those of its sub-agents. */
  readonly waiting: ReadonlySet<string>;
  /** The values that its calls produced. */
  readonly variables: () => readonly Pick<SavedVariable, 'name' | 'value'>[];
}

/** Which messages of a chat. */
export interface MessagePage {
  /** At most this many of the last ones. Default: all. */
  readonly limit?: number | undefined;
  /** Only messages before this one. */
  readonly before?: string | undefined;
  /** With `metadata` of each. */
  readonly metadata?: boolean | undefined;
}

/** Whole results by variable; null if only beginnings are requested. */
type Values = ReadonlyMap<string, string> | null;

const textArgument = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Waiting calls of an answer being written: what looks cut off in it is still running. null: it is not being written. */
type Waiting = ReadonlySet<string> | null;

function spawnView(record: ToolCallRecord, values: Values, waiting: Waiting): SpawnTaskView | null {
  const saved = readSubAgent(record.subAgent);
  if (!saved) return null;
  const { callId, args, startTime, endTime, result } = record;
  const { chain, texts, usage } = saved;
  const open = result.status === 'interrupted';
  const isCut = (call: ToolCallRecord): boolean => call.result.status === 'interrupted';
  const last = chain.rounds.at(-1);
  const running = waiting !== null;
  const openStatus = running ? 'running' : 'interrupted';
  return {
    id: callId,
    label: textArgument(args.label),
    task: textArgument(args.task),
    status: open ? openStatus : SPAWN_STATUS[chain.status],
    progress: {
      calls: chain.toolCallHistory.filter((call) => !isCut(call)).length,
      running: running ? chain.toolCallHistory.filter(isCut).map(({ toolName }) => toolName) : [],
    },
    tool_calls: chain.toolCallHistory.map((call) => {
      const view = callView(call, null, waiting);
      return values !== null && view.result !== null ? { ...view, result: texts[call.callId] ?? view.result } : view;
    }),
    result: last && last.callIds.length === 0 && last.text !== '' ? last.text : null,
    error: chain.error ?? null,
    tokens: usage?.total_tokens ?? null,
    duration: endTime - startTime,
  };
}

const SPAWN_STATUS = { completed: 'completed', aborted: 'stopped', error: 'error', timeout: 'error' } as const;

/** In the middle of an answer, a call that has not ended is recorded as one that a crash would have cut off. */
function statusOf({ callId, result: { status } }: ToolCallRecord, waiting: Waiting): ToolCallView['status'] {
  if (status !== 'interrupted' || waiting === null) return status;
  return waiting.has(callId) ? 'waiting' : 'running';
}

function callView(record: ToolCallRecord, values: Values, waiting: Waiting): ToolCallView {
  const { callId, toolName, args, result, startTime, endTime } = record;
  const { status, error, cacheVarResult, preview } = result;
  // The full result is a variable of the chat; if that is gone, only its beginning is left.
  const open = statusOf(record, waiting);
  const whole = cacheVarResult === undefined ? undefined : values?.get(cacheVarResult);
  return {
    id: callId,
    name: toolName,
    arguments: args,
    result: status === 'success' ? (whole ?? preview) : null,
    error: isOpen(open) ? null : (error ?? null),
    status: open,
    duration: endTime - startTime,
    spawn_task: spawnView(record, values, waiting),
  };
}

function endOfMessage({ status, error, end }: Payload): Pick<MessageView, 'status' | 'error' | 'end'> {
  return { status: status === 'done' ? undefined : status, error, end };
}

function metadataOf(calls: readonly ToolCallView[]): CallMetadata {
  const ended = calls.filter(({ status }) => status !== 'interrupted' && !isOpen(status));
  return {
    toolCallsRequested: calls.map(({ id, name, arguments: args }) => ({ requestId: id, toolName: name, args })),
    toolCall: ended.map(({ id, name, status, result, error, duration }) => ({
      requestId: id,
      toolName: name,
      status: status === 'success' ? 'success' : 'error',
      durationMs: duration,
      result: result ?? (error ? errorText(error) : status),
    })),
  };
}

interface Viewing {
  readonly chat: ReadChat;
  readonly mode: ToolMode;
  readonly values: ReadonlyMap<string, string>;
  readonly metadata: boolean;
}

/** One message for clients; null if it is not shown. */
function messageView(node: Node, { chat, mode, values, metadata: withMetadata }: Viewing): MessageView | null {
  const payload = node.versions[node.currentVersionId];
  if (node.role === 'separator' || !payload) return null;
  const records = mode === 'none' ? [] : (payload.toolChainResult?.toolCallHistory ?? []);
  const running = chat.running?.id === node.id ? chat.running : null;
  const calls = records.map((call) => callView(call, mode === 'full' ? values : null, running ? chat.waiting : null));
  return {
    id: node.id,
    session_id: chat.id,
    role: node.role,
    content: running?.text ?? visibleText(payload),
    created_at: new Date(payload.created).toISOString(),
    tool_calls: calls,
    metadata: withMetadata && calls.length > 0 ? metadataOf(calls) : undefined,
    ...(running ? { status: 'running' } : endOfMessage(payload)),
  };
}

function* newestFirst({ tree }: ReadChat, before: string | undefined): Iterable<Node> {
  if (before !== undefined && !tree.has(before))
    throw new ServiceError(
      404,
      'message_missing',
      'the chat has no message with the id in before',
      'give the id of a message of this chat',
    );
  yield* tree.newestFirst(before === undefined ? tree.leaf : tree.node(before).parent);
}

/**
 * Messages of a chat's shown branch, oldest first. The cost of a page does not depend on the length of the chat. Throws ServiceError if
 * `before` is not one of its messages.
 */
export function messagesOf(
  chat: ReadChat,
  mode: ToolMode,
  { limit = Number.POSITIVE_INFINITY, before, metadata = false }: MessagePage = {},
): MessageView[] {
  const values = new Map(mode === 'full' ? chat.variables().map(({ name, value }) => [name, value]) : []);
  const views: MessageView[] = [];
  for (const node of newestFirst(chat, before)) {
    const view = messageView(node, { chat, mode, values, metadata });
    if (view) views.push(view);
    if (views.length >= limit) break;
  }
  return views.reverse();
}
