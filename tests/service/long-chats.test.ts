// What the panel does beside an answer, the service does too: titles, and summaries of older messages.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ModelRequest } from '../support/model-server.ts';
import { allEvents, eventsOf, nextEvent, type ServiceBench, startServiceBench } from './support.ts';

let bench: ServiceBench;
beforeAll(async () => {
  bench = await startServiceBench();
});
beforeEach(() => bench.model.clear());
afterAll(() => bench.close());

const long = (word: string): string => `${word} `.repeat(150).trim();
const titles = async () =>
  (await bench.json<{ id: string; title: string }[]>('/api/chat/sessions')).map(({ id, title }) => `${id}: ${title}`);
const ask = async (id: string, message: string) => allEvents(await bench.send({ session_id: id, message }));

it('a chat gets its title from the model after the first answer', async () => {
  await bench.settings({ modelTitles: true });
  bench.model.push({ text: 'It rains.' }, { text: '"Weather in March"' });
  await ask('weather', 'What will the weather be like in March, and why?');
  await expect.poll(titles).toContain('weather: Weather in March');
});

it('a chat that grew too long is summarized before the question goes; an abort meanwhile asks nothing', async () => {
  await bench.settings({ contextTokens: 2100, groups: Object.fromEntries(GROUPS.map((name) => [name, false])) });
  for (const turn of [1, 2, 3, 4]) {
    bench.model.push({ text: long(`answer${turn}`) });
    await ask('long', long(`question${turn}`));
  }
  const before = bench.model.requests.length;
  let release = (): void => undefined;
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  bench.model.push({ text: 'They spoke of four things.', hold });
  const events = bench.send({ session_id: 'long', message: long('question5') });
  await expect.poll(() => bench.model.requests.length).toBe(before + 1);
  expect(await bench.json('/api/chat/sessions/long/abort', {})).toEqual({ aborted: true });
  expect(await nextEvent(eventsOf(await events), 'error')).toMatchObject({ data: { code: 'aborted' } });
  release();
  const isSummary = ({ messages }: ModelRequest): boolean => messages[0]?.content?.startsWith('Summarize') ?? false;
  bench.model.otherwise((request) => ({ text: isSummary(request) ? 'They spoke of four things.' : 'Well.' }));
  expect((await ask('long', long('question5'))).at(-1)).toMatchObject({ event: 'done' });
  const textOf = (requests: readonly ModelRequest[]): string => JSON.stringify(requests);
  const [summaries, others] = [true, false].map((wanted) =>
    bench.model.requests.slice(before + 1).filter((one) => isSummary(one) === wanted),
  );
  expect(textOf(summaries ?? [])).toContain('question1');
  expect(others).toHaveLength(1);
  expect(textOf(others ?? [])).toContain('They spoke of four things.');
  expect(textOf(others ?? [])).not.toContain('question1');
  expect(textOf(others ?? [])).toContain('question5');
});

describe('an answer', () => {
  const readings = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ calls: [{ name: 'read_doc', args: { id: note, start: at, tokens: 3000 } }] }));
  let note = '';
  beforeAll(async () => {
    const markdown = Array.from({ length: 60 }, (_, at) => `${at}: ${long(`word${at}`).slice(0, 160)}`).join('\n\n');
    note = await bench.kernel<string>('/api/filetree/createDocWithMd', { notebook: bench.notebook, path: '/Long', markdown });
    const off = GROUPS.filter((name) => name !== 'documents').map((name) => [name, false]);
    await bench.settings({ contextTokens: 4000, groups: Object.fromEntries(off) });
  });

  it('that was written without all that was read for it says so, once', async () => {
    bench.model.push(...readings(4), { text: 'Well.' });
    const events = await ask('read', 'What is in the long note?');
    expect(JSON.stringify(bench.model.requests.at(-1)?.messages)).toContain('shortened to save room');
    const warned = events.filter(({ data }) => JSON.stringify(data).includes('model_context_overflow'));
    expect(warned).toMatchObject([
      {
        event: 'done',
        data: { warnings: [{ code: 'model_context_overflow', message: expect.stringMatching(/most of [12] tool results/) }] },
      },
    ]);
  });

  it('for which all that was read was sent says nothing', async () => {
    bench.model.push(...readings(1), { text: 'Well.' });
    expect((await ask('short', 'What is in the long note?')).at(-1)?.data.warnings).toBeUndefined();
  });
});

const GROUPS = ['basic', 'notebooks', 'documents', 'blocks', 'search', 'attributes', 'tags', 'export'];
