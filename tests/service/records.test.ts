// What the tools did, asked for later.
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { MessageView } from '../../src/service/chats/messages.ts';
import { allEvents, type ServiceBench, startServiceBench } from './support.ts';

const LIST = '/api/tools/conversations';
const MISSING = '20200101000000-nothere';

let bench: ServiceBench;
let messages: readonly MessageView[] = [];
beforeAll(async () => {
  bench = await startServiceBench();
  const calls = [
    { name: 'read_doc', args: { id: bench.note } },
    { name: 'read_doc', args: { id: MISSING } },
  ];
  bench.model.push({ calls }, { text: 'One of two.' });
  await allEvents(await bench.send({ session_id: 'first', message: 'Read both; my api_key=abc123' }));
  messages = await bench.json<MessageView[]>('/api/chat/sessions/first/messages');
  bench.model.push({ calls: [{ name: 'search_notes', args: { query: 'margin' } }] }, { text: 'Found.' });
  await allEvents(await bench.send({ session_id: 'second', message: 'Search.' }));
});
afterAll(() => bench.close());

type Listed = Readonly<Record<string, unknown>>;
const list = (query: string): Promise<Listed[]> => bench.json<Listed[]>(LIST + query);

describe('records of calls', () => {
  it('are listed newest first, with the question and what came of it; secrets are masked', async () => {
    const all = await bench.fetch(LIST);
    expect(all.headers.get('x-total-count')).toBe('3');
    expect(((await all.json()) as Listed[]).map(({ tool_name, status }) => [tool_name, status])).toEqual([
      ['search_notes', 'success'],
      ['read_doc', 'error'],
      ['read_doc', 'success'],
    ]);
    const [question, answer] = messages;
    const [, read] = await list('?session_id=first');
    expect(read).toEqual({
      ...{ id: expect.any(String), session_id: 'first', message_id: question?.id, answer_id: answer?.id },
      ...{ call_id: answer?.tool_calls[0]?.id, tool_name: 'read_doc', arguments: JSON.stringify({ id: bench.note }), effect: 'read' },
      ...{ result: expect.any(String), error: null, status: 'success', duration_ms: answer?.tool_calls[0]?.duration },
      ...{ timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), user_message: 'Read both; my api_key=•••' },
    });
    const [failed] = await list('?session_id=first&tool_name=read_doc&limit=1&offset=0');
    expect(failed).toMatchObject({ arguments: JSON.stringify({ id: MISSING }), error: { code: 'not_found' }, result: null });
    expect(await list('?session_id=nowhere')).toEqual([]);
  });

  it('are also in the workspace, where the panel lists them, marked and limited per day', async () => {
    const folder = '/data/storage/petal/siyuan-marginalia/activity';
    const lines = async (): Promise<Listed[]> => {
      const files = (await bench.kernel<{ name: string }[] | null>('/api/file/readDir', { path: folder }).catch(() => null)) ?? [];
      const texts = await Promise.all(files.map(({ name }) => bench.read(`activity/${name}`)));
      return texts.flatMap((text) => (text ?? '').trim().split('\n')).map((line) => JSON.parse(line) as Listed);
    };
    await expect.poll(async () => (await lines()).length, { timeout: 20_000 }).toBe(3);
    expect(await lines()).toMatchObject([
      { toolName: 'read_doc', status: 'success', program: 'service', sessionId: 'first', userMessage: 'Read both; my api_key=•••' },
      { toolName: 'read_doc', status: 'error', program: 'service' },
      { toolName: 'search_notes', program: 'service', sessionId: 'second' },
    ]);
  });

  it('can be read in full by their id or the call’s: the result, where it was read, what was written', async () => {
    const [call] = messages[1]?.tool_calls ?? [];
    const path = '/api/chat/tool-calls/';
    const whole = await bench.json<Listed>(path + call?.id);
    expect(whole).toMatchObject({ result: call?.result, written: null, sources: [expect.objectContaining({ document: bench.note })] });
    expect(await bench.json(path + whole.id)).toEqual(whole);
    expect((await bench.fetch(`${path}${call?.id}?session_id=second`)).status).toBe(404);
    expect((await bench.fetch(`${path}nowhere`)).status).toBe(404);
  });

  it('are counted, in total and per chat', async () => {
    expect(await bench.json(`${LIST}/stats`)).toMatchObject({ total: 3, by_status: { error: 1, success: 2 } });
    expect(await bench.json(`${LIST}/stats?session_id=second`)).toMatchObject({ total: 1, by_tool: [{ tool_name: 'search_notes' }] });
  });

  it.each([
    ['GET', '?limit=0', /limit.*whole number from 1 to 200/],
    ['GET', '?limit=201', /limit/],
    ['GET', '?limit=ten', /limit/],
    ['GET', '?limit=', /limit/],
    ['GET', '?offset=-1', /offset/],
    ['GET', '?offset=1e3', /offset/],
    ['GET', '?limit=1&limit=2', /limit is given twice/],
    ['GET', '?sort=oldest', /no parameter \\"sort\\"/],
    ['GET', '?__proto__=1', /no parameter/],
    ['DELETE', '', /give session_id, before, or both/],
    ['DELETE', '?before=yesterday', /before.*2026-01-31/],
    ['DELETE', '?before=2026-13-01', /before/],
    ['GET', '/stats?days=3', /no parameter/],
  ])('are asked for by what there is: %s %s', async (method, query, expected) => {
    const refused = await bench.fetch(LIST + query, { method });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toMatch(expected);
    expect(await list('')).toHaveLength(3);
  });

  it('survive a restart, and are removed by chat or time', async () => {
    await bench.restart();
    expect(await list('')).toHaveLength(3);
    const remove = async (query: string) => (await bench.fetch(LIST + query, { method: 'DELETE' })).json();
    expect(await remove('?session_id=first&before=2026-01-01')).toEqual({ removed: 0 });
    expect(await remove('?session_id=first')).toEqual({ removed: 2 });
    expect(await list('')).toMatchObject([{ session_id: 'second' }]);
    expect(await remove(`?before=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual({ removed: 1 });
    expect(await list('')).toEqual([]);
  });
});

it('that a full disk does not take are said once, by the disk’s own words: SQLite has rolled back by then', async () => {
  const { exec } = DatabaseSync.prototype;
  vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
    if (sql !== 'COMMIT') return exec.call(this, sql);
    exec.call(this, 'ROLLBACK');
    throw new Error('database or disk is full');
  });
  const call = { name: 'read_doc', args: { id: bench.note } };
  bench.model.push({ calls: [call] }, { calls: [call] }, { text: 'Read.' });
  const events = await allEvents(await bench.send({ session_id: 'full', message: 'Read it.' })).finally(() => vi.restoreAllMocks());
  expect(events.at(-1)).toMatchObject({ event: 'done', data: { status: 'completed' } });
  expect(events.at(-1)?.data.warnings).toEqual([
    {
      code: 'storage_failed',
      message: 'tool calls are not being recorded: records.db: database or disk is full',
      next: 'the chat goes on without records',
    },
  ]);
});
