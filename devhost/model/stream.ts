import type { DemoReply, WireToolCall } from './types.ts';

export const demoModelId = 'offline-demo';

interface Envelope {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
}

/** Words with the white space after them; Chinese goes two characters at a time. Joined they are the text. */
export function wordChunks(text: string): string[] {
  return text.match(/\p{Script=Han}{1,2}|[^\s\p{Script=Han}]+\s*|\s+/gu) ?? [];
}

/** Fragments of a call's arguments, cut anywhere, as real endpoints do. */
function fragments(text: string, size = 12): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));
}

function callDeltas(call: WireToolCall, index: number): object[] {
  const opening = { index, id: call.id, type: 'function', function: { name: call.function.name, arguments: '' } };
  return [opening, ...fragments(call.function.arguments).map((part) => ({ index, function: { arguments: part } }))].map((delta) => ({
    tool_calls: [delta],
  }));
}

/** The chunks of a streamed answer, in order; the last ones carry the reason and, if asked for, the usage. */
export function replyChunks(reply: DemoReply, envelope: Envelope, includeUsage: boolean): object[] {
  const chunk = (delta: object, finish: string | null) => ({
    ...envelope,
    object: 'chat.completion.chunk',
    model: demoModelId,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const chunks: object[] = [
    chunk({ role: 'assistant', content: '' }, null),
    ...wordChunks(reply.content).map((word) => chunk({ content: word }, null)),
    ...reply.toolCalls.flatMap(callDeltas).map((delta) => chunk(delta, null)),
    chunk({}, reply.finishReason),
  ];
  if (includeUsage) chunks.push({ ...envelope, object: 'chat.completion.chunk', model: demoModelId, choices: [], usage: reply.usage });
  return chunks;
}

/** The same answer in one piece. */
export function replyObject(reply: DemoReply, envelope: Envelope): object {
  const calls = reply.toolCalls.length > 0 ? { tool_calls: reply.toolCalls } : {};
  return {
    ...envelope,
    object: 'chat.completion',
    model: demoModelId,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: reply.content === '' ? null : reply.content, ...calls },
        finish_reason: reply.finishReason,
      },
    ],
    usage: reply.usage,
  };
}
