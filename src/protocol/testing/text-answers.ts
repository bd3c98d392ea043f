import { AnswerAssembler } from '../../model/answer/answer-assembler.ts';
import { withPartial } from '../../model/language-model.ts';
import type { Complete, ToolDefinition } from '../../tools/contract/messages.ts';
import type { ToolCallingProtocol } from '../contract.ts';
import { textComplete } from '../text-complete.ts';

const tool = (name: string, properties: object): ToolDefinition => ({
  type: 'function',
  function: { name, description: 'A tool.', parameters: { type: 'object', properties } },
});
const TOOLS = [tool('find', { q: { type: 'string' }, limit: { type: 'integer' } }), tool('list_all', {})];

/** The result of an answer with calls as text, streamed in these pieces; `!` before a call that does not run. */
export async function answerOf(protocol: ToolCallingProtocol, pieces: readonly string[], finish = 'stop') {
  const paused: boolean[] = [];
  let isCut = false;
  const inner: Complete = async (_request, signal, onDelta) => {
    const assembler = new AnswerAssembler({ onDelta, now: () => 0, startedAt: 0, newCallId: () => 'native', usedCallIds: new Set() });
    for (const content of pieces) assembler.take({ choices: [{ delta: { content }, finish_reason: null }] });
    assembler.take({ choices: [{ delta: {}, finish_reason: finish }] });
    isCut = signal.aborted;
    return assembler.result();
  };
  let count = 0;
  let said = '';
  const complete = textComplete(inner, {
    ...{ protocol, rewritePartial: withPartial, now: () => 0, newCallId: () => `call${++count}` },
    stops: { areOff: () => true, refuse: () => undefined, pause: (isPaused) => paused.push(isPaused) },
  });
  const request = { messages: [{ role: 'user' as const, content: 'What?' }], tools: TOOLS };
  const answer = await complete(request, new AbortController().signal, (delta) => {
    if (delta.type === 'text') said += delta.text;
    if (delta.type === 'text-was-reasoning') said = '';
  });
  const calls = answer.tool_calls.map(({ function: { name, arguments: args }, invalid }) => `${invalid ? '!' : ''}${name} ${args}`);
  const reasons = answer.tool_calls.flatMap(({ invalid = [] }) => invalid);
  return { content: answer.content, reasoning: answer.reasoning ?? '', said, calls, reasons, paused, isCut };
}
