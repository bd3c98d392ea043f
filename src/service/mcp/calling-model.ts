import type { LanguageModel } from '../../model/language-model.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { ToolCall } from '../../tools/contract/messages.ts';
import type { ToolArguments } from '../../tools/contract/types.ts';

export interface ProgramCall {
  readonly id: string;
  readonly tool: string;
  readonly args: ToolArguments;
}

/**
 * Another program as the model of a turn: its answer is one call, and what a model would then be sent goes to `onResult`. So such a call has
 * everything that a call of a chat has: gates, approvals, journal, records and Undo.
 */
export function callingModel(name: string, { id, tool, args }: ProgramCall, onResult: (text: string) => void): LanguageModel {
  const call: ToolCall = { id, type: 'function', function: { name: tool, arguments: JSON.stringify(args) } };
  return {
    label: name,
    model: name,
    async complete({ messages }, signal, onDelta) {
      if (signal.aborted) throw new ToolError('aborted', 'the call was withdrawn', '');
      const last = messages.at(-1);
      if (last?.role !== 'tool') {
        onDelta({ type: 'toolCallStart', index: 0, id, name: tool });
        onDelta({ type: 'toolCallArgs', index: 0, argumentsDelta: call.function.arguments });
        return { content: '', tool_calls: [call], finishReason: 'tool_calls' };
      }
      onResult(last.content);
      const content = `${tool}: ${last.outcome?.status ?? 'not run'}`;
      onDelta({ type: 'text', text: content });
      return { content, tool_calls: [], finishReason: 'stop' };
    },
  };
}
