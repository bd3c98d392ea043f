import { describe, expect, it } from 'vitest';
import { ToolError } from '../tools/contract/errors.ts';
import { createGate, createScriptedModel } from './testing/scripted-model.ts';

const request = { messages: [{ role: 'user' as const, content: 'q' }] };
const signal = (): AbortSignal => new AbortController().signal;

describe('createScriptedModel', () => {
  it('gives its replies in order, in pieces, keeps the requests, and throws by name when there are no more', async () => {
    const model = createScriptedModel([{ text: '笔记本', chunk: 2 }, (asked) => `${asked.messages.length} messages`]);
    const pieces: string[] = [];
    expect((await model.complete(request, signal(), (delta) => void (delta.type === 'text' && pieces.push(delta.text)))).content).toBe(
      '笔记本',
    );
    expect(pieces).toEqual(['笔记', '本']);
    expect((await model.complete(request, signal(), () => undefined)).content).toBe('1 messages');
    expect(model.remaining).toBe(0);
    await expect(model.complete(request, signal(), () => undefined)).rejects.toThrow('scripted model: no reply left for request 3');
    expect(model.requests).toHaveLength(3);
  });

  it('calls tools, fails and waits at gates as told', async () => {
    const gate = createGate();
    const model = createScriptedModel([
      {
        calls: [
          { name: 'a', arguments: { x: 1 } },
          { name: 'b', arguments: '{broken' },
        ],
      },
      { text: 'part', error: new ToolError('model_unreachable', 'gone', 'again') },
      { text: 'part', gateEnd: gate },
    ]);
    expect((await model.complete(request, signal(), () => undefined)).tool_calls.map((call) => call.function.arguments)).toEqual([
      '{"x":1}',
      '{broken',
    ]);
    await expect(model.complete(request, signal(), () => undefined)).rejects.toMatchObject({ code: 'model_unreachable' });
    const controller = new AbortController();
    const waiting = model.complete(request, controller.signal, () => undefined);
    await gate.reached;
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
  });
});
