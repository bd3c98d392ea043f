import type { CompletionRequest, CompletionResult, Message, ToolCall } from '../contract/messages.ts';
import type { ChangePlan } from '../contract/plans.ts';
import type { Clock } from '../contract/ports.ts';
import type { ApprovalRequest, Tool, ToolGroup } from '../contract/types.ts';
import { HeadlessApprovalAdapter } from '../executor/approvals.ts';
import { ToolExecutor, type ToolExecutorOptions } from '../executor/executor.ts';

/** A clock that advances by one millisecond with every reading. */
export function testClock(start = 1_700_000_000_000): Clock {
  let now = start;
  return { now: () => now++, today: () => '2026-01-15' };
}

/** A tool `name` that reads and answers "<name> ok"; every part can be replaced. */
export function testTool(
  name: string,
  parts: Partial<Tool> & { readonly properties?: Record<string, object>; readonly required?: string[] } = {},
): Tool {
  const { properties = {}, required = [], ...rest } = parts;
  return {
    definition: {
      type: 'function',
      function: { name, description: `${name}.`, parameters: { type: 'object', properties, required, additionalProperties: false } },
    },
    permission: { executionPolicy: 'auto', resultApprovalPolicy: 'never' },
    effect: 'read',
    execute: async () => ({ status: 'success', data: `${name} ok` }),
    ...rest,
  };
}

export const ASK_ALWAYS = { executionPolicy: 'ask-always', resultApprovalPolicy: 'never' } as const;

export function testPlan(ids: readonly string[] = ['one', 'two']): ChangePlan {
  return {
    id: 'plan-1',
    tool: 'write',
    notebook: { id: 'notebook-1', name: 'Notes' },
    document: { id: 'document-1', title: 'Doc', path: '/Doc' },
    operations: ids.map((id) => ({ id, action: 'insert', blockId: id, blockType: 'p', before: null, after: id, requires: [] })),
    anchorId: null,
    undo: { kind: 'exact' },
    notices: [],
  };
}

/** An executor with one enabled group `test`, and an adapter that logs requests and approves unless `decide` says otherwise. */
export function testExecutor(
  tools: readonly Tool[],
  options: Partial<ToolExecutorOptions> & { readonly group?: Partial<ToolGroup> } = {},
): { readonly executor: ToolExecutor; readonly asked: ApprovalRequest[] } {
  const asked: ApprovalRequest[] = [];
  const { group, ...rest } = options;
  const approvalAdapter = new HeadlessApprovalAdapter((request) => {
    asked.push(request);
    return { approved: true };
  });
  const executor = new ToolExecutor({ approvalAdapter, clock: testClock(), ...rest });
  executor.registerToolGroup({ name: 'test', tools, ...group });
  executor.toggleGroupEnabled('test', true);
  return { executor, asked };
}

export function callOptions(callId = 'c1', signal: AbortSignal = new AbortController().signal) {
  return { callId, sessionId: 's1', nodeId: 'n1', signal };
}

export function toolCall(id: string, name: string, args: unknown = {}): ToolCall {
  return { id, type: 'function', function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) } };
}

export function answer(content: string, tool_calls: readonly ToolCall[] = []): CompletionResult {
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  return { content, tool_calls, usage, finishReason: tool_calls.length > 0 ? 'tool_calls' : 'stop' };
}

/** A queue of answers (an Error is thrown) and a log of requests. */
export function scripted(replies: readonly (CompletionResult | Error | ((request: CompletionRequest) => CompletionResult))[]) {
  const queue = [...replies];
  const requests: CompletionRequest[] = [];
  const complete = async (request: CompletionRequest): Promise<CompletionResult> => {
    requests.push(request);
    const reply = queue.shift();
    if (reply === undefined) throw new Error('no reply left');
    if (reply instanceof Error) throw reply;
    return typeof reply === 'function' ? reply(request) : reply;
  };
  return { complete, requests };
}

/** The rules of the OpenAI API: after an assistant message with calls, one result for each, in order, before anything else. */
export function protocolErrors(messages: readonly Message[]): readonly string[] {
  const errors: string[] = [];
  const seen = new Set<string>();
  let expected: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      const next = expected.shift();
      if (next !== message.tool_call_id) errors.push(`message ${index}: answers ${message.tool_call_id}, expected ${next}`);
      continue;
    }
    if (expected.length > 0) errors.push(`message ${index}: ${expected.join(', ')} unanswered`);
    expected = message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [];
    for (const id of expected) {
      if (seen.has(id) || id === '') errors.push(`id ${id} used twice or empty`);
      seen.add(id);
    }
  }
  if (expected.length > 0) errors.push(`end: ${expected.join(', ')} unanswered`);
  return errors;
}
