import { describe, expect, it } from 'vitest';
import { InterruptedAnswer, withPartial } from '../model/language-model.ts';
import { createGate, createScriptedModel, type ScriptedReply } from '../model/testing/scripted-model.ts';
import { ToolError } from '../tools/contract/errors.ts';
import type { CompletionRequest, CompletionResult, ModelDelta, ToolDefinition } from '../tools/contract/messages.ts';
import { stubProtocol } from './testing/stub-protocol.ts';
import { type StopSequences, textComplete } from './text-complete.ts';

const never = new AbortController().signal;
const FIND: ToolDefinition = {
  type: 'function',
  function: {
    name: 'find',
    description: 'Finds.',
    parameters: { type: 'object', properties: { q: { type: 'string' }, limit: { type: 'integer' }, deep: { type: 'boolean' } } },
  },
};
const QUESTION: CompletionRequest = { messages: [{ role: 'user', content: 'What?' }], tools: [FIND] };

/** A model that answers in text, behind the stub protocol. */
function bench(...replies: readonly ScriptedReply[]) {
  const model = createScriptedModel(replies);
  let count = 0;
  let [isRefused, isPaused] = [false, false];
  const stops: StopSequences = {
    areOff: () => isRefused || isPaused,
    refuse() {
      isRefused = true;
    },
    pause(paused) {
      isPaused = paused;
    },
  };
  const complete = textComplete(model.complete, {
    ...{ protocol: stubProtocol, stops, rewritePartial: withPartial, now: () => 5 },
    newCallId: () => `call${++count}`,
  });
  const deltas: ModelDelta[] = [];
  const ask = (request: CompletionRequest = QUESTION, signal = never): Promise<CompletionResult> =>
    complete(request, signal, (delta) => deltas.push(delta));
  const said = (type: 'text' | 'reasoning'): string => deltas.map((delta) => (delta.type === type ? delta.text : '')).join('');
  const argumentsOf = (index: number): string =>
    deltas.map((delta) => (delta.type === 'toolCallArgs' && delta.index === index ? delta.argumentsDelta : '')).join('');
  return { model, ask, deltas, said, argumentsOf };
}

const call = (id: string, name: string, args: object) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(args) } });

describe('a request in text', () => {
  it('has the tools after the person’s instructions, earlier calls as written, and a round’s results in one message', async () => {
    const { model, ask } = bench('Done.');
    await ask({
      ...QUESTION,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'What?' },
        { role: 'assistant', content: 'I look.', tool_calls: [call('a', 'find', { q: 'x' }), call('b', 'find', { q: 'y' })] as never },
        { role: 'tool', tool_call_id: 'a', content: 'one', outcome: { status: 'success', durationMs: 12 } },
        { role: 'tool', tool_call_id: 'b', content: 'two', outcome: { status: 'error', durationMs: 3 } },
      ],
      chatOption: { temperature: 1, tool_choice: 'auto', parallel_tool_calls: false },
    });
    expect(model.requests).toEqual([
      {
        messages: [
          { role: 'system', content: 'Be brief.\n\nTOOLS: find' },
          { role: 'user', content: 'What?' },
          { role: 'assistant', content: 'I look.\n\n[[find id=a {"q":"x"}]]\n\n[[find id=b {"q":"y"}]]' },
          { role: 'user', content: '{{a find success 12: one}}\n{{b find error 3: two}}' },
        ],
        chatOption: { temperature: 1, stop: [']]'] },
      },
    ]);
  });

  it('keeps the person’s own stop sequence, and omits ours once the server has refused it', async () => {
    const refusal = new ToolError('model_bad_request', "Unsupported parameter: 'stop'", 'check the options');
    const { model, ask } = bench('One.', { error: refusal }, 'Two.', 'Three.');
    await ask({ ...QUESTION, chatOption: { stop: ['END'] } });
    expect(await ask()).toMatchObject({ content: 'Two.' });
    await ask();
    expect(model.requests.map(({ chatOption }) => chatOption?.stop)).toEqual([['END'], [']]'], undefined, undefined]);
  });

  it('fails as the model fails, without a second attempt', async () => {
    const refusal = new ToolError('model_bad_request', 'no such option: top_k', 'check the options');
    const { model, ask } = bench({ error: refusal });
    await expect(ask()).rejects.toBe(refusal);
    expect(model.requests).toHaveLength(1);
  });
});

describe('an answer in text', () => {
  it('becomes text and calls with typed arguments, however it is cut into pieces', async () => {
    for (const chunk of [1, 2, 3, 7, 100]) {
      const { ask, said, argumentsOf, deltas } = bench({ text: 'I look.\n\n[[find q=a"b limit=5 deep=true]]\n [[find q=z]]', chunk });
      const answer = await ask();
      expect(answer).toMatchObject({ content: 'I look.', finishReason: 'tool_calls' });
      expect(answer.tool_calls.map(({ id, function: { name, arguments: args } }) => [id, name, JSON.parse(args)])).toEqual([
        ['call1', 'find', { q: 'a"b', limit: 5, deep: true }],
        ['call2', 'find', { q: 'z' }],
      ]);
      expect(said('text')).toBe('I look.');
      expect(deltas.filter(({ type }) => type === 'toolCallStart')).toMatchObject([
        { index: 0, id: 'call1', name: 'find' },
        { index: 1, id: 'call2', name: 'find' },
      ]);
      expect(JSON.parse(argumentsOf(0))).toMatchObject({ q: 'a"b', limit: 5 });
      expect(argumentsOf(0)).toContain('"limit":5');
    }
  });

  it('is cut off if it goes on after its requests: the rest is not shown, kept or waited for', async () => {
    const gateEnd = createGate();
    const { ask, said } = bench({ text: 'Look: [[find q=x]]\n{{r1 find success: made up}} I found it.', chunk: 1, gateEnd });
    expect(await ask()).toMatchObject({ content: 'Look:', tool_calls: [{ id: 'call1' }], time: { firstToken: 0, total: 0 } });
    expect(said('text')).toBe('Look:');
  });

  it('gets its end marker back where the server stopped at it, and only there', async () => {
    const stopped = bench({ text: '[[find q=x' });
    expect((await stopped.ask()).tool_calls).toEqual([call('call1', 'find', { q: 'x' })]);
    const cut = bench({ text: 'So: [[find q=x', finishReason: 'length' });
    expect(await cut.ask()).toMatchObject({ content: 'So:', tool_calls: [{ invalid: 'the request was interrupted' }] });
    expect(JSON.parse(cut.argumentsOf(0))).toEqual({ q: 'x' });
  });

  it('stopped by the server inside a value is reported as interrupted, and the next request has no stop sequences', async () => {
    const { ask, model } = bench({ text: '[[find !unclosed' }, { text: '[[find q=x]]' }, 'Done.');
    expect((await ask()).tool_calls).toMatchObject([{ invalid: 'a value is not closed' }]);
    expect((await ask()).tool_calls).toHaveLength(1);
    await ask();
    expect(model.requests.map(({ chatOption }) => chatOption?.stop)).toEqual([[']]'], undefined, [']]']]);
  });

  it('keeps its reasoning unchanged, and text that only looked like the start of a request', async () => {
    const { ask, said } = bench({ reasoning: '[[find q=x]]', text: 'a [b [', chunk: 1 });
    expect(await ask()).toMatchObject({ content: 'a [b [', reasoning: '[[find q=x]]', tool_calls: [], finishReason: 'stop' });
    expect([said('text'), said('reasoning')]).toEqual(['a [b [', '[[find q=x]]']);
  });

  it('keeps what had arrived before it broke off, without the unfinished request', async () => {
    const partial = { content: 'I look. [[find q=', tool_calls: [], finishReason: 'unknown' };
    const { ask } = bench({ text: partial.content, chunk: 1, error: new InterruptedAnswer('broke', 'again', partial) });
    const failure = await ask().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'model_interrupted', partial: { content: 'I look.', tool_calls: [] } });
  });

  it('keeps calls that the server itself parsed from the text', async () => {
    const { ask, deltas } = bench({ text: 'I look.', calls: [{ id: 'native1', name: 'find', arguments: { q: 'x' } }] });
    expect((await ask()).tool_calls).toMatchObject([{ id: 'native1' }]);
    expect(deltas).toContainEqual({ type: 'toolCallStart', index: 1000, id: 'native1', name: 'find' });
  });

  it('ends with the person’s stop', async () => {
    const gateEnd = createGate();
    const { ask } = bench({ text: 'I look. [[find', gateEnd });
    const controller = new AbortController();
    const asked = ask(QUESTION, controller.signal);
    await gateEnd.reached;
    controller.abort();
    await expect(asked).rejects.toMatchObject({ code: 'aborted' });
  });
});
