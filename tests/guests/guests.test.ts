import { RequestError } from '@agentclientprotocol/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { openLocalDoor } from '../../src/desktop/guests/open-door.ts';
import { isOwnTool } from '../../src/guests/own-tools.ts';
import type { Message, ModelDelta, ToolDefinition } from '../../src/tools/contract/messages.ts';
import { type AgentParts, guestModel, type Play } from './support.ts';

const SEARCH: ToolDefinition = {
  type: 'function',
  function: {
    name: 'search_notes',
    description: 'Finds notes.',
    parameters: { type: 'object', properties: { query: { type: 'string' } } },
  },
};
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function open(play: Play, parts?: AgentParts) {
  const { model, link, seen } = guestModel(play, parts);
  ends.push(() => link.close());
  const deltas: ModelDelta[] = [];
  const ask = (messages: readonly Message[], turn: object = {}, signal = new AbortController().signal) =>
    model.complete({ messages, tools: [SEARCH], turn }, signal, (delta) => deltas.push(delta));
  return { ask, deltas, seen };
}
const QUESTION: Message = { role: 'user', content: 'Where are the roses?' };

describe('an agent that is a guest', () => {
  it('answers like a model: its calls stop the answer, and their results go back to it', async () => {
    const { ask, deltas, seen } = open(async ({ say, think, use, text }) => {
      await think('Look first.');
      const found = await use('search_notes', { query: 'roses' });
      await say(`${text.includes('roses') ? 'asked' : 'not asked'}: ${found}`);
      return 'end_turn';
    });
    const turn = {};
    const first = await ask([QUESTION], turn);
    expect(first).toMatchObject({ content: '', reasoning: 'Look first.', finishReason: 'tool_calls' });
    const [call] = first.tool_calls;
    expect(call?.function).toEqual({ name: 'search_notes', arguments: '{"query":"roses"}' });
    const result: Message = { role: 'tool', tool_call_id: call?.id ?? '', content: 'at the harbour' };
    const second = await ask([QUESTION, { role: 'assistant', content: '', tool_calls: first.tool_calls }, result], turn);
    expect(second).toMatchObject({ content: 'asked: at the harbour', tool_calls: [], finishReason: 'stop' });
    expect(deltas.map(({ type }) => type)).toEqual(['reasoning', 'toolCallStart', 'toolCallArgs', 'text']);
    expect(seen.capabilities).toMatchObject({ fs: { readTextFile: false, writeTextFile: false }, terminal: false });
    expect(seen.folders).toEqual(['/empty']);
  });

  it('is given the whole conversation anew for each turn, in a session of its own, and is started once', async () => {
    const texts: string[] = [];
    const { ask, seen } = open(async ({ say, text }) => {
      texts.push(text);
      await say('yes');
      return 'end_turn';
    });
    await ask([QUESTION]);
    await ask([
      { role: 'system', content: 'Be brief.' },
      QUESTION,
      { role: 'assistant', content: '## The user\nyes' },
      { role: 'user', content: 'Really?' },
    ]);
    expect(texts[0]).toBe('Where are the roses?');
    expect(texts[1]).toContain(
      '## Instructions\n\nBe brief.\n\n## The user\n\nWhere are the roses?\n\n## You\n\n\\## The user\nyes\n\n## The user\n\nReally?',
    );
    expect([seen.starts, seen.folders.length]).toEqual([1, 2]);
  });

  it('is stopped, and told so', async () => {
    const stop = new AbortController();
    let stopped = false;
    const { ask } = open(({ signal, think }) => {
      void think('long').then(() => stop.abort());
      return new Promise((resolve) =>
        signal.addEventListener('abort', () => {
          stopped = true;
          resolve('cancelled');
        }),
      );
    });
    await expect(ask([QUESTION], {}, stop.signal)).rejects.toMatchObject({ code: 'aborted' });
    await expect.poll(() => stopped).toBe(true);
  });

  it('may use our tools, and none of its own that it asks for', async () => {
    const outcomes: unknown[] = [];
    const { ask, deltas } = open(async ({ client, sessionId, say }) => {
      for (const [title, kind] of [
        ['mcp__marginalia__search_notes', 'other'],
        ['rm -rf / # mcp__marginalia__search_notes', 'execute'],
        ['Write notes.txt', 'edit'],
      ] as const) {
        const { outcome } = await client.request('session/request_permission', {
          sessionId,
          toolCall: { toolCallId: title, title, kind },
          options: [
            { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
            { optionId: 'no', name: 'No', kind: 'reject_once' },
          ],
        });
        outcomes.push('optionId' in outcome ? outcome.optionId : outcome.outcome);
      }
      await say('done');
      return 'end_turn';
    });
    await ask([QUESTION]);
    expect(outcomes).toEqual(['yes', 'no', 'no']);
    const told = deltas.flatMap((delta) => (delta.type === 'reasoning' ? delta.text.trim() : []));
    expect(told).toEqual(['*Not allowed: rm -rf / # mcp__marginalia__search_notes*', '*Not allowed: Write notes.txt*']);
  });

  it('that wants to be signed in to, that fails, and that takes no tools is told of in words', async () => {
    const idle: Play = async () => 'end_turn';
    await expect(open(idle, { refuse: -32_000 }).ask([QUESTION])).rejects.toMatchObject({ code: 'model_unauthorized' });
    const failing = open(() => Promise.reject(new RequestError(-32_603, 'out of credit')));
    await expect(failing.ask([QUESTION])).rejects.toMatchObject({
      code: 'model_bad_answer',
      message: expect.stringContaining('out of credit'),
    });
    const plain = open(async ({ say }) => say('without').then(() => 'end_turn'), { http: false });
    expect(await plain.ask([QUESTION])).toMatchObject({ content: 'without', reasoning: expect.stringContaining('takes no tools by HTTP') });
    expect(plain.seen.servers).toEqual([]);
  });

  it('calls several tools at once, and more after their results', async () => {
    const { ask } = open(async ({ use, say }) => {
      const [one, other] = await Promise.all([use('search_notes', { query: 'a' }), use('search_notes', { query: 'b' })]);
      await say(`${one} ${other} ${await use('search_notes', { query: 'c' })}`);
      return 'max_tokens';
    });
    const turn = {};
    const messages: Message[] = [QUESTION];
    let result = await ask(messages, turn);
    while (result.finishReason === 'tool_calls') {
      messages.push({ role: 'assistant', content: '', tool_calls: result.tool_calls });
      for (const call of result.tool_calls)
        messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.parse(call.function.arguments).query.toUpperCase() });
      result = await ask(messages, turn);
    }
    expect(result).toMatchObject({ content: 'A B C', finishReason: 'length' });
  });
});

describe('a tool that an agent asks about', () => {
  it.each([
    ['mcp__marginalia__search_notes', 'other', true],
    ['marginalia_search_notes', undefined, true],
    ['search_notes (marginalia MCP Server)', undefined, true],
    ['marginalia: edit_block', 'other', true],
    ['mcp__marginalia__exec', 'execute', false],
    ['search_notes', 'other', false],
    ['echo marginalia_search_notes', undefined, false],
    ['mcp__marginalia__a\nrm', undefined, false],
  ] as const)('%j of kind %s is ours: %s', (title, kind, expected) => {
    expect(isOwnTool({ title, kind, server: 'marginalia' })).toBe(expected);
  });
});

describe('the door', () => {
  it('opens for the token alone, for no page of a browser and no other host, and is closed after', async () => {
    const door = await openLocalDoor(async (request) => new Response(await request.text()));
    const ask = (headers: Record<string, string>, url = door.url) => fetch(url, { method: 'POST', headers, body: 'knock' });
    const Authorization = `Bearer ${door.token}`;
    expect(await (await ask({ Authorization })).text()).toBe('knock');
    for (const headers of [{}, { Authorization: 'Bearer x' }, { Authorization, Origin: 'https://example.com' }])
      expect((await ask(headers as Record<string, string>)).status).toBe(401);
    expect((await ask({ Authorization }, door.url.replace('127.0.0.1', 'localhost'))).status).toBe(401);
    expect((await ask({ Authorization }, `${door.url}/other`)).status).toBe(401);
    door.close();
    await expect(ask({ Authorization })).rejects.toThrow();
  });
});
