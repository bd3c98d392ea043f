import type { Complete, Message, ToolCall } from '../../tools/contract/messages.ts';

/**
 * A model whose call ids have `prefix` here, and not in its requests: providers require ids of their own form,
 * while approvals, the chat's records and the write journal distinguish the calls of all models of a turn by them.
 */
export function withCallIds(complete: Complete, prefix: string): Complete {
  const bare = (id: string): string => (id.startsWith(prefix) ? id.slice(prefix.length) : id);
  let unnamed = 0;
  const inside = (call: ToolCall): ToolCall => ({ ...call, id: `${prefix}${call.id === '' ? `call_${++unnamed}` : call.id}` });
  const outside = (message: Message): Message => {
    if (message.role === 'tool') return { ...message, tool_call_id: bare(message.tool_call_id) };
    if (message.role !== 'assistant' || !message.tool_calls) return message;
    return { ...message, tool_calls: message.tool_calls.map((call) => ({ ...call, id: bare(call.id) })) };
  };
  return async (request, signal, onDelta) => {
    const answer = await complete({ ...request, messages: request.messages.map(outside) }, signal, onDelta);
    return { ...answer, tool_calls: answer.tool_calls.map(inside) };
  };
}
