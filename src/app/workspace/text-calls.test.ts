import { describe, expect, it } from 'vitest';
import { createScriptedModel, type ScriptedReply } from '../../model/testing/scripted-model.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { CompletionRequest, ModelDelta, ToolDefinition } from '../../tools/contract/messages.ts';
import type { ToolProtocol } from '../../tools/contract/tool-call-config.ts';
import { callMemory } from './call-memory.ts';
import { withTextCalls } from './text-calls.ts';

const never = new AbortController().signal;
const FIND: ToolDefinition = {
  type: 'function',
  function: { name: 'find', description: 'Finds notes.', parameters: { type: 'object', properties: { q: { type: 'string' } } } },
};
const SEARCH: ToolDefinition = {
  type: 'function',
  function: {
    name: 'search_notes',
    description: 'Searches.',
    parameters: {
      type: 'object',
      properties: { query: { type: 'string', maxLength: 2000 }, mode: { anyOf: [{ type: 'string' }] } },
      required: ['query'],
    },
  },
};
const ASKED: CompletionRequest = { messages: [{ role: 'user', content: 'What?' }], tools: [FIND] };
const NO_TOOLS = new ToolError('model_no_tools', 'm does not support tools', 'choose another');
const VCP = '<<<[TOOL_REQUEST]>>>\ntool_name:「始」find「末」\nq:「始」x「末」\n<<<[END_TOOL_REQUEST]>>>';
const JSON_CALL = '<tool_call>\n{"name": "find", "arguments": {"q": "x"}}\n</tool_call>';

function bench(
  replies: readonly ScriptedReply[],
  { callsTools, choice = 'auto' }: { callsTools?: boolean | undefined; choice?: ToolProtocol } = {},
) {
  const inner = createScriptedModel(replies);
  const memory = callMemory();
  const prepared: CompletionRequest[] = [];
  const prepare = async (request: CompletionRequest) => {
    prepared.push(request);
    return { address: 'a', body: '{}' };
  };
  let chosen = choice;
  const parts = { choice: () => chosen, callsTools, key: 'k', memory, options: undefined };
  const model = withTextCalls({ ...inner, prepare }, parts);
  const deltas: ModelDelta[] = [];
  const ask = (request: CompletionRequest = { ...ASKED }) => model.complete(request, never, (delta) => deltas.push(delta));
  const told = (): number => deltas.filter(({ type }) => type === 'text-calls').length;
  const choose = (next: ToolProtocol): void => {
    chosen = next;
  };
  return { model, requests: inner.requests, memory, prepared, deltas, ask, told, choose };
}
const isNative = ({ tools }: CompletionRequest): boolean => tools !== undefined;

describe('with “auto”, a model', () => {
  it('with little room gets the text protocol that takes the least, whether it is known to need text or refused tools', async () => {
    for (const [callsTools, refusal] of [
      [false, []],
      [undefined, [{ error: NO_TOOLS }]],
    ] as const) {
      const { model, ask, requests, prepared } = bench([...refusal, { text: JSON_CALL }], { callsTools });
      const lean = { ...ASKED, isLean: true };
      expect((await ask(lean)).tool_calls).toMatchObject([{ function: { name: 'find' } }]);
      expect(JSON.stringify(requests.at(-1)?.messages)).toContain('<tools>');
      if (callsTools === undefined) continue;
      await model.prepare?.(lean, never);
      expect(JSON.stringify(prepared[0]?.messages)).toContain('<tools>');
    }
    const chosen = bench([{ text: VCP }], { choice: 'vcp' });
    expect((await chosen.ask({ ...ASKED, isLean: true })).tool_calls).toHaveLength(1);
  });

  it('gets native calls if it supports them or nobody knows', async () => {
    for (const callsTools of [true, undefined]) {
      const { ask, requests, told } = bench([{ calls: [{ name: 'find', arguments: { q: 'x' } }] }], { callsTools });
      expect((await ask()).tool_calls).toMatchObject([{ function: { name: 'find' } }]);
      expect([requests.map(isNative), told()]).toEqual([[true], 0]);
    }
  });

  it('is asked again in text within the same request after a refusal, and no more in that turn; reported once', async () => {
    const { ask, requests, memory, told, deltas } = bench([{ error: NO_TOOLS }, { text: VCP }, { text: VCP }]);
    const turn = {};
    for (let round = 0; round < 2; round++)
      expect((await ask({ ...ASKED, turn })).tool_calls).toMatchObject([{ function: { arguments: '{"q":"x"}' } }]);
    expect(requests.map(isNative)).toEqual([true, false, false]);
    expect(deltas[0]).toEqual({ type: 'text-calls', protocol: 'VCP' });
    expect([told(), memory.has('tools', 'k')]).toEqual([1, false]);
  });

  it('that was refused in two turns is not asked natively until that is forgotten', async () => {
    const refusal = [{ error: NO_TOOLS }, { text: VCP }];
    const { ask, requests, memory } = bench([...refusal, ...refusal, { text: VCP }]);
    for (let turn = 0; turn < 3; turn++) await ask();
    expect(requests.map(isNative)).toEqual([true, false, true, false, false]);
    memory.forget('k');
    await expect(ask()).rejects.toThrow('no reply left');
    expect(requests.map(isNative).at(-1)).toBe(true);
  });

  it('that takes native calls after one odd refusal goes on getting them', async () => {
    const native: ScriptedReply = { calls: [{ name: 'find', arguments: { q: 'x' } }] };
    const { ask, requests } = bench([{ error: NO_TOOLS }, { text: VCP }, native, { error: NO_TOOLS }, { text: VCP }, native]);
    for (let turn = 0; turn < 4; turn++) await ask();
    expect(requests.map(isNative)).toEqual([true, false, true, true, false, true]);
  });

  it('whose server refuses the descriptions is asked once more with fewer and simpler tools, also in the rest of the turn', async () => {
    const refused = new ToolError('model_schema_refused', 'failed to parse grammar', 'choose another');
    const call: ScriptedReply = { calls: [{ name: 'search_notes', arguments: { query: 'x' } }] };
    const { ask, requests, memory, deltas } = bench([{ error: refused }, call, call, { error: refused }, call]);
    const turn = {};
    for (const of of [turn, turn, {}]) expect((await ask({ ...ASKED, tools: [SEARCH, FIND], turn: of })).tool_calls).toHaveLength(1);
    const names = requests.map(({ tools = [] }) => tools.map(({ function: { name } }) => name).join());
    expect(names).toEqual(['search_notes,find', 'search_notes', 'search_notes', 'search_notes,find', 'search_notes']);
    expect(JSON.stringify(requests[1]?.tools)).not.toMatch(/maxLength|anyOf/u);
    expect(deltas.filter(({ type }) => type === 'simpler-tools')).toEqual([{ type: 'simpler-tools', tools: 1 }]);
    expect([memory.has('tools', 'k'), deltas.some(({ type }) => type === 'text-calls')]).toEqual([false, false]);
  });

  it('whose server refuses the simpler tools as well answers in text', async () => {
    const refused = new ToolError('model_schema_refused', 'failed to parse grammar', 'choose another');
    const { ask, requests, memory, deltas } = bench([{ error: refused }, { error: refused }, { text: VCP }, { text: VCP }]);
    const turn = {};
    for (const of of [turn, turn]) expect((await ask({ ...ASKED, tools: [SEARCH, FIND], turn: of })).tool_calls).toHaveLength(1);
    expect(requests.map(isNative)).toEqual([true, true, false, false]);
    expect(requests[2]?.messages[0]?.content).toContain('Finds notes.');
    expect([memory.has('tools', 'k'), deltas.filter(({ type }) => type === 'simpler-tools')]).toEqual([false, []]);
  });

  it('whose server refuses simple tools answers in text, and nothing is learned of it', async () => {
    const refused = new ToolError('model_schema_refused', 'failed to parse grammar', 'choose another');
    const replies = [1, 2, 3].flatMap((): ScriptedReply[] => [{ error: refused }, { text: VCP }]);
    const { ask, requests, memory, told } = bench(replies);
    for (let turn = 0; turn < 3; turn++) expect((await ask()).tool_calls).toHaveLength(1);
    expect(requests.map(isNative)).toEqual([true, false, true, false, true, false]);
    expect([told(), memory.has('tools', 'k')]).toEqual([1, false]);
  });

  it('whose server refuses stop sequences gets none in that turn, and none at all after two', async () => {
    const noStop = new ToolError('model_bad_request', 'unknown field stop', 'check');
    const { ask, requests } = bench([{ error: noStop }, { text: VCP }, { text: VCP }, { error: noStop }, { text: VCP }, { text: VCP }], {
      choice: 'vcp',
    });
    const hasStop = () => requests.map(({ chatOption }) => chatOption?.stop !== undefined);
    const turn = {};
    for (const of of [turn, turn, {}, {}]) await ask({ ...ASKED, turn: of });
    expect(hasStop()).toEqual([true, false, false, true, false, false]);
  });

  it('known to have no native calls never gets any', async () => {
    const { ask, requests, told } = bench([{ text: VCP }], { callsTools: false });
    await ask();
    expect([requests.map(isNative), told()]).toEqual([[false], 1]);
  });

  it('fails as before with any other error', async () => {
    const busy = new ToolError('model_unreachable', 'no connection', 'check');
    const { ask, requests, memory } = bench([{ error: busy }]);
    await expect(ask()).rejects.toBe(busy);
    expect([requests.length, memory.has('tools', 'k')]).toEqual([1, false]);
  });
});

it('a person’s choice is followed without comment; a chat’s own choice comes first', async () => {
  const { ask, requests, choose, told } = bench([{ text: JSON_CALL }, { text: VCP }, { error: NO_TOOLS }], { choice: 'json' });
  expect((await ask()).tool_calls).toMatchObject([{ function: { name: 'find', arguments: '{"q":"x"}' } }]);
  expect((await ask({ ...ASKED, toolProtocol: 'vcp' })).tool_calls).toHaveLength(1);
  choose('native');
  await expect(ask()).rejects.toBe(NO_TOOLS);
  expect(requests.map(isNative)).toEqual([false, false, true]);
  expect(told()).toBe(0);
});

it('a request without tools is left unchanged, and so is its answer', async () => {
  const { ask, requests } = bench([{ text: VCP }], { choice: 'vcp' });
  expect(await ask({ messages: ASKED.messages })).toMatchObject({ content: VCP, tool_calls: [] });
  expect(requests[0]?.messages).toEqual(ASKED.messages);
});

it('a preview shows the request as it would be sent', async () => {
  const { model, prepared, memory } = bench([]);
  await model.prepare?.(ASKED, never);
  memory.state('tools', 'k', true);
  await model.prepare?.(ASKED, never);
  expect(prepared[0]).toEqual(ASKED);
  expect(prepared[1]).toMatchObject({
    messages: [{ role: 'system', content: expect.stringContaining('Finds notes.') }, ASKED.messages[0]],
  });
  expect(prepared[1]).not.toHaveProperty('tools');
});
