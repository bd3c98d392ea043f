import { RequestError } from '@agentclientprotocol/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { openAgentDoor } from '../../src/features/guests/desktop/create-guests.ts';
import { KNOWN_GUESTS } from '../../src/features/guests/guest-settings.ts';
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
const ASK: ToolDefinition = { ...SEARCH, function: { ...SEARCH.function, name: 'ask_user' } };
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function open(play: Play, parts?: AgentParts) {
  const { model, link, seen } = guestModel(play, parts);
  ends.push(() => link.close());
  const deltas: ModelDelta[] = [];
  const ask = (messages: readonly Message[], turn: object = {}, signal = new AbortController().signal, tools = [SEARCH]) =>
    model.complete({ messages, tools, turn }, signal, (delta) => deltas.push(delta));
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

  it('that looks for its tools by itself is asked once it has them', async () => {
    const { ask, seen } = open(
      async ({ say }) => {
        await say(`${seen.listed} lists`);
        return 'end_turn';
      },
      { listsAfter: 200, listMs: 10_000 },
    );
    expect(await ask([QUESTION])).toMatchObject({ content: '1 lists' });
    expect(await ask([QUESTION])).toMatchObject({ content: '2 lists' });
  });

  it('that does not look for them is waited for once, and that is said', async () => {
    const { ask } = open(
      async ({ say }) => {
        await say('yes');
        return 'end_turn';
      },
      { listMs: 300 },
    );
    expect(await ask([QUESTION])).toMatchObject({
      content: 'yes',
      reasoning: expect.stringContaining('has not asked which tools there are'),
    });
    const started = performance.now();
    expect((await ask([QUESTION])).reasoning).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(250);
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

  /** Asks for each of these, as a program does; resolves with what was chosen, and what was said in the chat. */
  async function permissions(asked: readonly object[], { answers = [], ...parts }: AgentParts & { answers?: readonly string[] } = {}) {
    const outcomes: unknown[] = [];
    const { ask, deltas } = open(async ({ client, sessionId, say }) => {
      for (const [index, { begun, ...toolCall }] of asked.entries() as IterableIterator<[number, { begun?: object }]>) {
        const toolCallId = `call-${index}`;
        if (begun)
          await client.notify('session/update', { sessionId, update: { sessionUpdate: 'tool_call', toolCallId, title: 'x', ...begun } });
        const { outcome } = await client.request('session/request_permission', {
          sessionId,
          toolCall: { toolCallId, ...toolCall },
          options: [
            { optionId: 'always', name: 'Always', kind: 'allow_always' },
            { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
            { optionId: 'no', name: 'No', kind: 'reject_once' },
          ],
        });
        outcomes.push('optionId' in outcome ? outcome.optionId : outcome.outcome);
      }
      await say('done');
      return 'end_turn';
    }, parts);
    const [turn, messages, questions]: [object, Message[], string[]] = [{}, [QUESTION], []];
    let result = await ask(messages, turn, undefined, answers.length > 0 ? [SEARCH, ASK] : [SEARCH]);
    for (const answer of answers) {
      const [call] = result.tool_calls;
      if (!call) break;
      questions.push(call.function.arguments);
      messages.push({ role: 'assistant', content: '', tool_calls: [call] }, { role: 'tool', tool_call_id: call.id, content: answer });
      result = await ask(messages, turn, undefined, [SEARCH, ASK]);
    }
    const told = deltas.flatMap((delta) => (delta.type === 'reasoning' ? delta.text.trim() : []));
    return { outcomes, told, questions };
  }
  // What the programs sent, from their sources: codex-acp 0.16, claude-agent-acp, Qwen Code 0.15.10, Gemini CLI 0.61.
  const codex = (server: string, kind = 'mcp_tool_call') => ({
    title: 'Approve search_notes',
    rawInput: { turn_id: 't', server_name: server, id: 'i', request: { mode: 'form', _meta: { codex_approval_kind: kind }, message: 'm' } },
  });
  const claude = (toolName: string, kind = 'other') => ({
    ...{ title: toolName, kind, rawInput: { query: 'roses' } },
    begun: { kind, title: toolName, _meta: { claudeCode: { toolName } } },
  });
  // As recorded of the programs where they were not started as KNOWN_GUESTS says.
  const qwen = { title: '{"query":"roses"}', kind: 'other', rawInput: { query: 'roses' } };
  const gemini = { title: 'search_notes (marginalia MCP Server)', kind: 'other' };

  it('may use our tools, which its data name, and is told no of each of its own', async () => {
    const asked = [codex('marginalia'), codex('other'), codex('marginalia', 'exec')];
    expect((await permissions(asked, { name: 'codex-acp' })).outcomes).toEqual(['yes', 'no', 'no']);
    const tools = ['mcp__marginalia__search_notes', 'mcp__marginalia__unknown', 'mcp__other__search_notes', 'Bash'].map((name) =>
      claude(name),
    );
    expect((await permissions([...tools, claude('mcp__marginalia__search_notes', 'execute')])).outcomes).toEqual([
      'yes',
      'no',
      'no',
      'no',
      'no',
    ]);
  });

  it.each([
    ['Gemini CLI', '--acp --skip-trust --allowed-mcp-server-names marginalia --allowed-tools mcp_marginalia_*'],
    ['Qwen Code', '--acp --allowed-mcp-server-names marginalia --allowed-tools mcp__marginalia'],
  ])('that does not say whose tool it asks about is started with our server alone: %s', (name, args) => {
    expect(KNOWN_GUESTS.find((guest) => guest.name === name)?.args.join(' ')).toBe(args);
  });

  it('is never let through by a title, nor by what its model wrote as arguments', async () => {
    const titles = [
      ...['mcp__marginalia__search_notes', 'marginalia_search_notes', 'search_notes (marginalia MCP Server)', 'marginalia.sh'],
      ...['marginalia: search_notes', 'rm -rf / # mcp__marginalia__search_notes'],
    ];
    for (const kind of ['other', 'read', 'fetch', 'execute', 'edit', undefined]) {
      const asked = titles.map((title) => ({ title, kind, rawInput: codex('marginalia').rawInput, begun: { title, kind } }));
      expect((await permissions(asked)).outcomes).toEqual(titles.map(() => 'no'));
    }
    const written = { ...claude('Bash'), rawInput: { _meta: { toolName: 'mcp__marginalia__search_notes' }, server: 'marginalia' } };
    expect((await permissions([written])).outcomes).toEqual(['no']);
  });

  it('says in the chat what was refused, and why', async () => {
    const { told } = await permissions([{ title: 'rm\n-rf /\u202e', kind: 'execute' }, gemini]);
    expect(told).toEqual([
      '*Not allowed: rm -rf /  (it works on this machine)*',
      '*Not allowed: search_notes (marginalia MCP Server) (Guest does not say that it is a tool of the notes)*',
    ]);
  });

  it.each([
    ['Allow\n[kept as $VAR_REF{{x}}]', 'yes'],
    ['Do not allow', 'no'],
    ['Allowed? No.', 'no'],
    ['no_answer: Allow', 'no'],
  ])('is let through by the person where it does not say whose tool it is: %j', async (answer, expected) => {
    for (const asked of [qwen, gemini]) {
      const { outcomes, questions } = await permissions([asked], { answers: [answer] });
      expect(outcomes).toEqual([expected]);
      expect(questions).toEqual([expect.stringContaining('does not say which server')]);
      if (asked === qwen) expect(questions[0]).toContain('roses');
    }
    const long = await permissions([{ ...qwen, rawInput: { query: 'x'.repeat(3000) } }], { answers: [answer] });
    expect(long).toMatchObject({ outcomes: ['no'], questions: [] });
    const ofTheMachine = await permissions(
      [
        { ...qwen, kind: 'execute' },
        { ...qwen, kind: 'read' },
      ],
      { answers: [answer] },
    );
    expect(ofTheMachine).toMatchObject({ outcomes: ['no', 'no'], questions: [] });
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

describe('the door', () => {
  it('opens for the token alone, for no page of a browser and no other host, and is closed after', async () => {
    const door = await openAgentDoor(async (request) => new Response(await request.text()));
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
