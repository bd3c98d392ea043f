import type { ChatOption, CompletionRequest, Message, ToolDefinition } from '../tools/contract/messages.ts';
import { readCall } from '../tools/executor/legal-calls.ts';
import type { ToolCallingProtocol, ToolDefinitionInput, ToolExecutionResult } from './contract.ts';
import { byGroup } from './discovery.ts';

/** Options for native calls: refused by several servers if a request has no tools. */
const OF_NATIVE_CALLS = new Set(['tool_choice', 'parallel_tool_calls']);

/** Describes tools after the system prompt and writes earlier calls and results as text. `stop`: unless the person set some. */
export function textRequest(request: CompletionRequest, protocol: ToolCallingProtocol, stop: readonly string[]): CompletionRequest {
  const { tools = [], messages, chatOption } = request;
  return {
    messages: withDefinitions(textMessages(messages, tools, protocol), tools, protocol),
    ...(chatOption === undefined && stop.length === 0 ? {} : { chatOption: textOptions(chatOption, stop) }),
  };
}

function textOptions(options: ChatOption = {}, stop: readonly string[]): ChatOption {
  const kept = Object.fromEntries(Object.entries(options).filter(([name]) => !OF_NATIVE_CALLS.has(name)));
  return stop.length === 0 || hasStop(options) ? kept : { ...kept, stop };
}

export const hasStop = ({ stop }: ChatOption): boolean => stop !== undefined && stop !== null && stop !== '';

function withDefinitions(
  messages: readonly Message[],
  tools: readonly ToolDefinition[],
  protocol: ToolCallingProtocol,
): readonly Message[] {
  if (tools.length === 0) return messages;
  const definitions = protocol.generateToolDefinitions(groupsOf(tools));
  const [first, ...rest] = messages;
  if (first?.role !== 'system') return [{ role: 'system', content: definitions }, ...messages];
  return [{ ...first, content: first.content.trim() === '' ? definitions : `${first.content}\n\n${definitions}` }, ...rest];
}

/** The tools of a request by their groups, in their order. */
export function groupsOf(tools: readonly ToolDefinition[]): readonly ToolDefinitionInput[] {
  return byGroup(
    tools.map(({ group = '', type, function: body, command }) => [
      group,
      { definition: { type, function: body }, ...(command === undefined ? {} : { command }) },
    ]),
  );
}

function textMessages(messages: readonly Message[], tools: readonly ToolDefinition[], protocol: ToolCallingProtocol): readonly Message[] {
  const written: Message[] = [];
  const names = new Map<string, string>();
  let results: ToolExecutionResult[] = [];
  const endRound = (): void => {
    if (results.length > 0) written.push({ role: 'user', content: protocol.formatToolResults(results) });
    results = [];
  };
  for (const message of messages) {
    if (message.role === 'tool') {
      results.push(resultOf(message, names.get(message.tool_call_id) ?? ''));
      continue;
    }
    endRound();
    for (const call of callsOf(message)) names.set(call.id, call.function.name);
    written.push(message.role === 'assistant' ? textAnswer(message, tools, protocol) : message);
  }
  endRound();
  return written;
}

const callsOf = (message: Message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []);

type Answer = Extract<Message, { role: 'assistant' }>;

/** An answer with its calls after its words, where they were. */
function textAnswer(
  { tool_calls: calls = [], ...answer }: Answer,
  tools: readonly ToolDefinition[],
  protocol: ToolCallingProtocol,
): Message {
  if (calls.length === 0) return answer;
  const blocks = calls.map((call) => {
    const { args = {} } = readCall(call);
    const { name } = call.function;
    const parameters = tools.find((tool) => tool.function.name === name)?.function.parameters;
    return protocol.formatToolRequest({ requestId: call.id, toolName: name, args, ...(parameters ? { parameters } : {}) });
  });
  return { ...answer, content: [answer.content, ...blocks].filter((part) => part !== '').join('\n\n') };
}

function resultOf({ tool_call_id, content, outcome }: Extract<Message, { role: 'tool' }>, toolName: string): ToolExecutionResult {
  return { requestId: tool_call_id, toolName, status: outcome?.status ?? 'success', result: content, durationMs: outcome?.durationMs ?? 0 };
}
