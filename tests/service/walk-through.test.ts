// A question over HTTP, step by step: what the model is asked, what a client hears, what is kept.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { MessageView } from '../../src/service/chats/messages.ts';
import { allEvents, eventsOf, nextEvent, type ServiceBench, startServiceBench, TOKEN, textOf } from './support.ts';

const SESSION = '550e8400-e29b-41d4-a716-446655440000';

let bench: ServiceBench;
beforeAll(async () => {
  bench = await startServiceBench();
});
afterAll(() => bench.close());

/** What the model says in the end, in the pieces in which it comes. */
const PIECES = [
  ...['我已经', '读取了', ' README.md ', '文件', '。这是', ' CountBot ', '项目的', '说明文档', ',主要', '介绍了', '以下', '内容', ':\n\n'],
  ...[
    '1. ',
    '**功能特性**',
    ':\n',
    ' - 多模型支持',
    '(OpenAI、Claude、',
    '国产大模型)\n',
    ' - 工具调用系统\n',
    ' - 记忆管理\n',
    ' - 技能系统\n',
    ' - 多渠道接入',
  ],
];
const QUESTION = '读取 README.md 文件';
const LINES = [
  '# CountBot',
  '',
  'CountBot 是一个基于 LLM 的智能助手框架。',
  ...Array.from({ length: 147 }, (_, index) => `Line ${index + 4}`),
];
const ARGUMENTS = { path: 'README.md', show_line_numbers: true };
const RESULT = ['[File: README.md | Lines: 150]', ...LINES.map((line, index) => ` ${index + 1}| ${line}`)].join('\n');

/** Chunks of an answer as a server sends them. */
const chunks = (deltas: readonly object[], finish: string): { raw: string } => {
  const choices = [...deltas.map((delta) => ({ delta, finish_reason: null })), { delta: {}, finish_reason: finish }];
  const lines = choices.map((choice) => `data: ${JSON.stringify({ id: 'chatcmpl-456', choices: [{ index: 0, ...choice }] })}\n\n`);
  return { raw: `${lines.join('')}data: [DONE]\n\n` };
};

describe('a question whose answer needs a tool', () => {
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'marginalia-walk-'));
    writeFileSync(join(folder, 'README.md'), LINES.join('\n'));
    await bench.restart({ folders: [folder], policy: () => ({ allow: ['read_file'], otherwise: 'ask' }) });
    await bench.settings({ groups: { files: true }, chatOption: { temperature: 0.7, max_tokens: 4096 } });
  });
  afterAll(async () => {
    await bench.settings({});
    await bench.restart();
    rmSync(folder, { recursive: true, force: true });
  });

  it('goes from the request to the tool, the answer and the history, message by message', async () => {
    const { model } = bench;
    const call = { id: 'call_abc123', type: 'function', function: { name: 'read_file', arguments: JSON.stringify(ARGUMENTS) } };
    model.push(
      chunks([{ role: 'assistant', content: null, tool_calls: [{ index: 0, ...call }] }], 'tool_calls'),
      chunks([{ role: 'assistant', content: '' }, ...PIECES.map((content) => ({ content }))], 'stop'),
    );
    const heard: Record<string, unknown>[] = [];
    const socket = new WebSocket(`${bench.url.replace('http', 'ws')}/ws/tool-events?session_id=${SESSION}`, {
      headers: { Authorization: `Bearer ${TOKEN}` },
    });
    socket.on('message', (data) => void heard.push(JSON.parse(String(data))));
    await once(socket, 'open');

    // 1. The request of a client.
    const response = await bench.send({ session_id: SESSION, message: QUESTION, attachments: null });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const events = await allEvents(response);

    // 2. The first request to the model: prompt and question, the tools.
    const [first, second] = model.requests;
    const system = { role: 'system', content: expect.stringMatching(/./) };
    expect(first?.messages).toEqual([system, { role: 'user', content: QUESTION }]);
    const definition = first?.tools?.find((tool) => tool.function.name === 'read_file');
    expect(definition).toMatchObject({
      type: 'function',
      function: {
        description: expect.stringContaining('Read file contents with line numbers.'),
        parameters: {
          type: 'object',
          properties: {
            ...{ path: { type: 'string' }, paths: { type: 'array', items: { type: 'string' } } },
            ...{ start_line: { type: 'integer' }, end_line: { type: 'integer' }, show_line_numbers: { type: 'boolean' } },
          },
        },
      },
    });

    // 4. The tool: both notifications, its result, the record.
    await expect.poll(() => heard.length).toBe(2);
    socket.close();
    const duration = expect.any(Number);
    const timestamp = expect.any(Number);
    expect(heard).toEqual([
      { type: 'tool_start', session_id: SESSION, id: 'call_abc123', tool: 'read_file', arguments: ARGUMENTS, timestamp },
      {
        type: 'tool_complete',
        session_id: SESSION,
        id: 'call_abc123',
        tool: 'read_file',
        result: RESULT,
        duration_ms: duration,
        timestamp,
      },
    ]);
    const [start] = events;
    const records = await bench.json(`/api/tools/conversations?session_id=${SESSION}`);
    expect(records).toMatchObject([
      {
        ...{ id: expect.any(String), session_id: SESSION, tool_name: 'read_file', arguments: JSON.stringify(ARGUMENTS) },
        ...{
          result: expect.stringMatching(/^\[File: README\.md \| Lines: 150\]/),
          error: null,
          duration_ms: duration,
          timestamp: expect.stringMatching(/Z$/),
        },
        ...{ user_message: QUESTION, message_id: start?.data.message_id },
      },
    ]);

    expect(await bench.json('/api/chat/tool-calls/call_abc123')).toMatchObject({ result: RESULT, message_id: start?.data.message_id });

    // 5., 6. The second request, which has the call and its result.
    expect(second?.messages).toEqual([
      ...[system, { role: 'user', content: QUESTION }, { role: 'assistant', content: null, tool_calls: [call] }],
      { role: 'tool', tool_call_id: 'call_abc123', content: expect.stringContaining(RESULT) },
    ]);
    expect(second).toMatchObject({ model: 'scripted', temperature: 0.7, max_tokens: 4096, stream: true, tools: first?.tools });

    // 7. What the client hears.
    expect(events.map(({ event, data }) => (event === 'message' ? data : event))).toEqual([
      ...['start', 'tool_start', 'tool_complete'],
      ...PIECES.map((content) => ({ content })),
      'done',
    ]);
    expect(events.slice(1, 3).map(({ event: type, data }) => ({ type, session_id: SESSION, ...data }))).toEqual(heard);
    const answerId = events.at(-1)?.data.message_id;

    // 8. What is kept.
    const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    const messages = await bench.json<MessageView[]>(`/api/chat/sessions/${SESSION}/messages`);
    expect(messages).toEqual([
      { id: start?.data.message_id, session_id: SESSION, role: 'user', content: QUESTION, created_at, tool_calls: [] },
      {
        ...{ id: answerId, session_id: SESSION, role: 'assistant', content: PIECES.join(''), created_at },
        tool_calls: [
          {
            ...{ id: 'call_abc123', name: 'read_file', arguments: ARGUMENTS, result: heard[1]?.result, error: null },
            ...{ status: 'success', duration: heard[1]?.duration_ms, spawn_task: null },
          },
        ],
      },
    ]);
  });

  it('has its calls in the history as they are asked for: whole, in short, or not', async () => {
    const path = `/api/chat/sessions/${SESSION}/messages?tool_mode=`;
    const resultIn = async (mode: string) => (await bench.json<MessageView[]>(path + mode)).at(-1)?.tool_calls.map(({ result }) => result);
    const [whole = ''] = (await resultIn('full')) ?? [];
    expect((await resultIn('summary'))?.[0]?.length).toBeLessThan(whole?.length ?? 0);
    expect(await resultIn('none')).toEqual([]);
    const refused = await bench.fetch(`${path}some`);
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { next: 'give one of full, summary, none' } }]);
  });

  it('is in the list of chats, in the panel’s files, and there after a restart', async () => {
    const before = await bench.json<MessageView[]>(`/api/chat/sessions/${SESSION}/messages`);
    await bench.restart();
    expect(await bench.json('/api/chat/sessions')).toMatchObject([{ id: SESSION, title: '读取 README.md 文件', messages: 2 }]);
    expect(await bench.json<MessageView[]>(`/api/chat/sessions/${SESSION}/messages`)).toEqual(before);
    expect(JSON.parse((await bench.read(`sessions/${SESSION}.json`)) ?? '')).toMatchObject({ schema: 1, id: SESSION });
  });

  it('goes on in the same chat: the model is sent what was said', async () => {
    bench.model.push({ text: 'Yes.' });
    expect(textOf(await allEvents(await bench.send({ session_id: SESSION, message: 'Is it short?' })))).toBe('Yes.');
    expect(bench.model.requests.at(-1)?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  });

  it('is read in pages from its end: so many messages, before one that is known', async () => {
    const path = `/api/chat/sessions/${SESSION}/messages`;
    const ids = async (query: string) => (await bench.json<MessageView[]>(path + query)).map(({ id }) => id);
    const all = await ids('');
    expect(all).toHaveLength(4);
    expect(await ids('?limit=2')).toEqual(all.slice(2));
    expect(await ids(`?limit=2&before=${all[2]}`)).toEqual(all.slice(0, 2));
    expect(await ids(`?limit=9&before=${all[1]}`)).toEqual(all.slice(0, 1));
    expect(await ids(`?before=${all[0]}`)).toEqual([]);
    for (const query of ['?limit=0', '?limit=1001', '?limit=x', '?offset=1']) expect((await bench.fetch(path + query)).status).toBe(400);
    expect((await bench.fetch(`${path}?before=nowhere`)).status).toBe(404);
  });

  it('comes as one object where no stream is asked for; a chat without an id is a new one', async () => {
    bench.model.push({ text: 'I will look.', calls: [{ name: 'read_doc', args: { id: bench.note } }] }, { text: 'It is short.' });
    const answer = await bench.send({ message: 'Is the README short?', stream: false });
    const body = (await answer.json()) as { session_id: string; content: string };
    expect(body).toMatchObject({
      status: 'completed',
      content: 'I will look.\n\nIt is short.',
      tool_calls: [{ name: 'read_doc' }],
      error: null,
    });
    expect(answer.headers.get('x-session-id')).toBe(body.session_id);
    expect(await bench.json('/api/chat/sessions')).toHaveLength(2);
  });

  it('reports a tool’s failure, and ends with an error if the model fails', async () => {
    bench.model.push(
      { calls: [{ name: 'read_doc', args: { id: '20200101000000-nothere' } }] },
      { status: 400, body: '{"error":{"message":"no"}}' },
    );
    const events = await allEvents(await bench.send({ message: 'Read it.' }));
    expect(events.map(({ event }) => event)).toEqual(['start', 'tool_start', 'tool_error', 'error']);
    expect(events[2]?.data).toMatchObject({ tool: 'read_doc', status: 'error', error: { code: 'not_found', next: expect.any(String) } });
    expect(events[3]?.data).toMatchObject({ code: expect.any(String), message: expect.any(String), next: expect.any(String) });
  });
});

describe('a change', () => {
  const append = { name: 'daily_note', args: { op: 'append', notebook: 'Work', markdown: 'Called Li.' } };
  const writes = async (): Promise<number> =>
    (await bench.kernel<unknown[]>('/api/query/sql', { stmt: "SELECT id FROM blocks WHERE type = 'p' AND content = 'Called Li.'" })).length;

  it('waits for an approval over HTTP, and is written once it is approved', async () => {
    bench.model.push({ calls: [append] }, { text: 'Done.' });
    const events = eventsOf(await bench.send({ message: 'Note it.' }));
    const { data } = await nextEvent(events, 'approval_request');
    expect(data).toMatchObject({ kind: 'execution', tool: 'daily_note', arguments: append.args, plan: { notebook: { name: 'Work' } } });
    expect(await bench.json('/api/chat/approvals')).toMatchObject([{ id: data.id }]);
    expect(await writes()).toBe(0);
    expect(await bench.json(`/api/chat/approvals/${data.id}`, { decision: 'approve' })).toEqual({ decided: true });
    expect((await nextEvent(events, 'approval_end')).data).toEqual({ id: data.id, decision: 'approved' });
    expect((await nextEvent(events, 'tool_complete')).data).toMatchObject({ id: data.call_id });
    expect((await nextEvent(events, 'done')).data).toMatchObject({ status: 'completed' });
    await expect.poll(writes).toBe(1);
    // Twice is once too often.
    expect((await bench.fetch(`/api/chat/approvals/${data.id}`, { method: 'POST', body: '{"decision":"approve"}' })).status).toBe(404);
  });

  it('is undone and redone over HTTP, in notes and in files; what somebody has changed since is left alone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'marginalia-undo-'));
    writeFileSync(join(folder, 'old.md'), 'Before.');
    await bench.restart({ folders: [folder] });
    await bench.settings({ groups: { files: true } });
    const file = { name: 'write_file', args: { path: 'old.md', content: 'After.' } };
    bench.model.push({ calls: [append, file] }, { text: 'Done.' });
    const before = await writes();
    const events = eventsOf(await bench.send({ session_id: 'undone', message: 'Note it.' }));
    for (const _call of [append, file]) {
      const { data } = await nextEvent(events, 'approval_request');
      await bench.json(`/api/chat/approvals/${data.id}`, { decision: 'approve' });
    }
    const { data } = await nextEvent(events, 'done');
    await expect.poll(writes).toBe(before + 1);
    expect(readFileSync(join(folder, 'old.md'), 'utf8')).toBe('After.');
    const post = (action: string, body: object) =>
      bench.fetch(`/api/chat/sessions/undone/${action}`, { method: 'POST', body: JSON.stringify(body) });
    const undo = (body: object) => post('undo', body);
    expect((await undo({ message_id: 'nowhere' })).status).toBe(404);
    expect((await undo({})).status).toBe(400);
    expect(await (await undo({ message_id: data.message_id })).json()).toMatchObject({ conflicts: [] });
    await expect.poll(writes).toBe(before);
    expect(readFileSync(join(folder, 'old.md'), 'utf8')).toBe('Before.');
    expect(await (await post('redo', { message_id: data.message_id })).json()).toMatchObject({ conflicts: [] });
    await expect.poll(writes).toBe(before + 1);
    expect(readFileSync(join(folder, 'old.md'), 'utf8')).toBe('After.');
    expect(await (await undo({ message_id: data.message_id })).json()).toMatchObject({ conflicts: [] });
    await expect.poll(writes).toBe(before);
    expect(readFileSync(join(folder, 'old.md'), 'utf8')).toBe('Before.');

    bench.model.push({ calls: [file] }, { text: 'Done.' });
    const again = eventsOf(await bench.send({ session_id: 'undone', message: 'Once more.' }));
    const asked = await nextEvent(again, 'approval_request');
    await bench.json(`/api/chat/approvals/${asked.data.id}`, { decision: 'approve' });
    const done = await nextEvent(again, 'done');
    writeFileSync(join(folder, 'old.md'), 'By hand.');
    expect(await (await undo({ message_id: done.data.message_id })).json()).toMatchObject({
      conflicts: [{ reasons: [{ code: 'file-changed' }] }],
    });
    expect(readFileSync(join(folder, 'old.md'), 'utf8')).toBe('By hand.');
    await bench.settings({});
    await bench.restart();
    rmSync(folder, { recursive: true, force: true });
  });

  it('still waits if a decision cannot be carried out: unknown changes, none, or an insufficient right', async () => {
    await bench.settings({ notebooks: { [bench.notebook]: 'read' } });
    bench.model.push({ calls: [append] }, { text: 'Done.' });
    const before = await writes();
    const events = eventsOf(await bench.send({ message: 'Note it.' }));
    const { data } = await nextEvent(events, 'approval_request');
    const decide = async (body: object): Promise<readonly [number, string | undefined]> => {
      const answer = await bench.fetch(`/api/chat/approvals/${data.id}`, { method: 'POST', body: JSON.stringify(body) });
      return [answer.status, ((await answer.json()) as { error?: { code: string } }).error?.code];
    };
    const approve = { decision: 'approve', beyond_right: true };
    expect(await decide({ ...approve, accepted_operations: ['nope'] })).toEqual([400, 'bad_operations']);
    expect(await decide({ ...approve, accepted_operations: [] })).toEqual([400, 'bad_operations']);
    expect(await decide({ decision: 'approve' })).toEqual([409, 'needs_right']);
    expect(await writes()).toBe(before);
    expect(await decide(approve)).toEqual([200, undefined]);
    await nextEvent(events, 'done');
    await expect.poll(writes).toBe(before + 1);
    await bench.settings({});
  });

  it('is not made where it is rejected, and the model is told why', async () => {
    bench.model.push({ calls: [{ ...append, args: { ...append.args, markdown: 'Called Bo.' } }] }, { text: 'Then not.' });
    const events = eventsOf(await bench.send({ message: 'Note it.' }));
    const { data } = await nextEvent(events, 'approval_request');
    await bench.json(`/api/chat/approvals/${data.id}`, { decision: 'reject', reason: 'It was Li.' });
    expect((await nextEvent(events, 'tool_error')).data).toMatchObject({ status: 'execution_rejected', reason: 'It was Li.' });
    await nextEvent(events, 'done');
    expect(bench.model.bodies.at(-1)).toContain('It was Li.');
    expect(await bench.kernel('/api/query/sql', { stmt: "SELECT id FROM blocks WHERE content = 'Called Bo.'" })).toEqual([]);
  });

  it('that is no longer allowed when it is approved is refused', async () => {
    bench.model.push({ calls: [{ ...append, args: { ...append.args, markdown: 'Too late.' } }] }, { text: 'No.' });
    const events = eventsOf(await bench.send({ message: 'Note it.' }));
    const { data } = await nextEvent(events, 'approval_request');
    await bench.settings({ notebooks: { [bench.notebook]: 'read' } });
    await bench.json(`/api/chat/approvals/${data.id}`, { decision: 'approve' });
    expect((await nextEvent(events, 'tool_error')).data).toMatchObject({ error: { code: 'no_right' } });
    await nextEvent(events, 'done');
    await bench.settings({});
  });

  it('that the settings allow “without asking” is asked about here', async () => {
    await bench.settings({ permissions: { daily_note: { executionPolicy: 'auto', resultApprovalPolicy: 'never' } } });
    bench.model.push({ calls: [append] }, { text: 'Then not.' });
    const events = eventsOf(await bench.send({ message: 'Note it.' }));
    const { data } = await nextEvent(events, 'approval_request');
    await bench.json(`/api/chat/approvals/${data.id}`, { decision: 'reject' });
    await nextEvent(events, 'done');
    await bench.settings({});
  });
});

describe('what the settings keep from the model', () => {
  it('is kept from it here: private text is masked, and a closed notebook is not there', async () => {
    await bench.settings({ privacy: { enabled: true, fields: ['in the margin'] }, notebooks: {} });
    bench.model.push({ calls: [{ name: 'read_doc', args: { id: bench.note } }] }, { text: 'Read.' });
    const events = await allEvents(await bench.send({ message: 'What is in the margin?' }));
    expect(events.some(({ event }) => event === 'tool_complete')).toBe(true);
    expect(bench.model.bodies.slice(-2).join()).not.toContain('in the margin');
    await bench.settings({ notebooks: { [bench.notebook]: 'none' } });
    bench.model.push({ calls: [{ name: 'read_doc', args: { id: bench.note } }] }, { text: 'Gone.' });
    const closed = await allEvents(await bench.send({ message: 'And now?' }));
    expect(closed.find(({ event }) => event === 'tool_error')?.data).toMatchObject({ error: { code: 'not_found' } });
    await bench.settings({});
  });
});

describe('where no model is given', () => {
  it('the workspace’s settings choose it, or the chat; the settings are left as they are, keys and all', async () => {
    const model = { source: 'custom', baseURL: bench.model.baseURL, model: 'of-settings', apiKey: 'a-key-by-hand' };
    await bench.settings({ model });
    const settings = await bench.read('settings.json');
    await bench.restart({ model: undefined });
    const ask = async (session_id: string) => {
      bench.model.push({ text: 'Yes.' });
      await allEvents(await bench.send({ session_id, message: 'Are you there?' }));
      return bench.model.requests.at(-1)?.model;
    };
    expect(await ask('a-chat')).toBe('of-settings');
    const chat = JSON.parse((await bench.read('sessions/a-chat.json')) ?? '');
    await bench.write(
      'sessions/another.json',
      JSON.stringify({ ...chat, id: 'another', model: { providerId: 'custom', model: 'of-chat' } }),
    );
    expect(await ask('another')).toBe('of-chat');
    expect(await bench.read('settings.json')).toBe(settings);
    await bench.settings({});
    await bench.restart();
    expect(await ask('another')).toBe('scripted');
  });
});

describe('unattended', () => {
  const create = { name: 'create_doc', args: { notebook: 'Work', path: '/Made', markdown: 'By the service.' } };
  const insert = { name: 'daily_note', args: { op: 'append', notebook: 'Work', markdown: 'Not allowed.' } };

  it('runs what its policy allows, and rejects the rest at once', async () => {
    await bench.restart({ policy: () => ({ allow: ['create_doc'], otherwise: 'reject' }) });
    bench.model.push({ calls: [create] }, { calls: [insert] }, { text: 'One of two.' });
    const events = await allEvents(await bench.send({ message: 'Make it.' }));
    const calls = events.filter(({ event }) => event === 'tool_complete' || event === 'tool_error');
    expect(calls.map(({ event, data }) => [event, data.tool])).toEqual([
      ['tool_complete', 'create_doc'],
      ['tool_error', 'daily_note'],
    ]);
    expect(await bench.json('/api/chat/approvals')).toEqual([]);
    await bench.restart();
  });

  it('does not go beyond the rights of a notebook, whatever the policy allows', async () => {
    await bench.restart({ policy: () => ({ allow: ['create_doc'], otherwise: 'reject' }) });
    await bench.settings({ notebooks: { [bench.notebook]: 'read' } });
    bench.model.push({ calls: [{ ...create, args: { ...create.args, path: '/Other' } }] }, { text: 'No.' });
    const events = await allEvents(await bench.send({ message: 'Make it.' }));
    expect(events.some(({ event }) => event === 'tool_complete')).toBe(false);
    await bench.settings({});
    await bench.restart();
  });
});
