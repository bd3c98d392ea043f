import { threadOf } from '../../chat/session/thread.ts';
import type { Node, Payload, SavedVariable, ToolCallRecord, TreeSnapshot } from '../../chat/session/types.ts';
import { visibleText } from '../../chat/session/visible-text.ts';
import type { EventError } from '../../tools/contract/errors.ts';
import type { ToolArguments, ToolExecuteStatus } from '../../tools/contract/types.ts';

/** How much is told of each call: its whole result, its beginning (200 characters), or the call not at all. */
export const TOOL_MODES = ['full', 'summary', 'none'] as const;
export type ToolMode = (typeof TOOL_MODES)[number];

interface ToolCallView {
  readonly id: string;
  readonly name: string;
  readonly arguments: ToolArguments;
  /** null where the call gave none, or where the user kept it from the model. */
  readonly result: string | null;
  readonly error: EventError | null;
  readonly status: ToolExecuteStatus;
  /** Milliseconds. */
  readonly duration: number;
  /** Of a sub-agent; there are none yet. */
  readonly spawn_task: null;
}

export interface MessageView {
  readonly id: string;
  readonly session_id: string;
  readonly role: 'user' | 'assistant';
  readonly content: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  readonly tool_calls: readonly ToolCallView[];
  /** Of an answer that is being written, or did not come to its end. */
  readonly status?: 'running' | 'stopped' | 'error' | 'interrupted';
  readonly error?: EventError;
}

/** A chat as its messages are read: the shown branch, and the values that its calls gave. */
export interface ReadChat extends Pick<TreeSnapshot, 'nodes' | 'leafId'> {
  readonly id: string;
  /** The answer that is being written. */
  readonly running: string | null;
  readonly variables: readonly Pick<SavedVariable, 'name' | 'value'>[];
}

function callView(
  { callId, toolName, args, result, startTime, endTime }: ToolCallRecord,
  values: ReadonlyMap<string, string> | null,
): ToolCallView {
  const { status, error, cacheVarResult, preview } = result;
  // In full it is a variable of the chat; where that is gone, its beginning is left.
  const whole = cacheVarResult === undefined ? undefined : values?.get(cacheVarResult);
  return {
    id: callId,
    name: toolName,
    arguments: args,
    result: status === 'success' ? (whole ?? preview) : null,
    error: error ?? null,
    status,
    duration: endTime - startTime,
    spawn_task: null,
  };
}

function failureOf({ status, error }: Payload): Pick<MessageView, 'status' | 'error'> {
  return { ...(status === 'done' ? {} : { status }), ...(error ? { error } : {}) };
}

/** One message as it is shown; null for what is none. */
function messageView(node: Node, chat: ReadChat, mode: ToolMode, values: ReadonlyMap<string, string>): MessageView | null {
  const payload = node.versions[node.currentVersionId];
  if (node.role === 'separator' || !payload) return null;
  const calls = mode === 'none' ? [] : (payload.toolChainResult?.toolCallHistory ?? []);
  return {
    id: node.id,
    session_id: chat.id,
    role: node.role,
    content: visibleText(payload),
    created_at: new Date(payload.created).toISOString(),
    tool_calls: calls.map((call) => callView(call, mode === 'full' ? values : null)),
    ...(node.id === chat.running ? { status: 'running' } : failureOf(payload)),
  };
}

/** The messages of a chat's shown branch, oldest first. */
export function messagesOf(chat: ReadChat, mode: ToolMode): readonly MessageView[] {
  const { nodes, leafId, variables } = chat;
  const values = new Map(variables.map(({ name, value }) => [name, value]));
  return threadOf({ nodes, leafId, rootId: null }, leafId).flatMap((node) => messageView(node, chat, mode, values) ?? []);
}
