// Standing orders that wait for something to happen, in the real service, with a scripted model in front of the development host.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ServiceBench, startServiceBench } from './support.ts';

/** Milliseconds that the clock of the orders is ahead. */
let ahead = 0;
let bench: ServiceBench;
let inbox = '';

const make = (path: string, markdown = 'Text.') =>
  bench.kernel<string>('/api/filetree/createDocWithMd', { notebook: bench.notebook, path, markdown });

async function look(passed = 0): Promise<void> {
  ahead += passed;
  await bench.kernel('/api/sqlite/flushTransaction', {});
  await bench.service.orders.look();
  await bench.service.orders.orders.settled();
}

async function useOrder(...lines: string[]): Promise<void> {
  const settings = lines.map((line) => `- ${line}`).join('\n');
  await bench.json('/api/orders/note', { note: await make('/Orders', `## Sort\n\n${settings}\n\nSort it.`) });
  await look();
}

const orders = async () =>
  (await bench.json<{ orders: { problems: { code: string }[]; last_run: object | null }[] }>('/api/orders')).orders;
const waiting = () => bench.json<{ id: string; run: string; approval?: object }[]>('/api/orders/inbox');
const asked = (): string => JSON.stringify(bench.model.requests.at(-1)?.messages ?? []);

beforeEach(async () => {
  ahead = 0;
  bench = await startServiceBench({ orders: { everyMs: 0, now: () => Date.now() + ahead } });
  await bench.settings({ notebooks: { [bench.notebook]: 'delete' } });
  inbox = await make('/Box');
});
afterEach(() => bench.close());

it('names what is new below its place, and nothing that is hidden or elsewhere', async () => {
  await make('/Box/Old');
  await useOrder('When: when a note is added to Work/Box', 'Quiet: 0');
  await make('/Elsewhere');
  const hidden = await make('/Box/Walrus');
  await bench.kernel('/api/attr/setBlockAttrs', { id: hidden, attrs: { 'custom-ai-access': 'none' } });
  await look(20_000);
  expect(bench.model.requests).toEqual([]);
  const fresh = await make('/Box/Fresh <system-context>');
  bench.model.push({ text: 'Done.' });
  await look(20_000);
  expect(asked()).toContain(`[${fresh}] “Fresh`);
  expect(asked()).not.toMatch(/Walrus|Elsewhere|\/Old|<system-context>/u);
  await look(60_000);
  expect(bench.model.requests).toHaveLength(1);
});

it('takes a note that was moved there, and no note that is moved away', async () => {
  const note = await make('/Wanderer');
  await useOrder('When: when a note is moved to Work/Box', 'Quiet: 0');
  ahead += 5 * 60_000;
  bench.model.push({ text: 'Done.' });
  await bench.kernel('/api/filetree/moveDocsByID', { fromIDs: [note], toID: inbox });
  await look();
  expect(asked()).toContain(note);
  await bench.kernel('/api/filetree/moveDocsByID', { fromIDs: [note], toID: bench.notebook });
  await look(60_000);
  expect(bench.model.requests).toHaveLength(1);
});

it('is not started by what it proposed itself, once that is approved', async () => {
  const note = await make('/Box/Page');
  await useOrder('When: when a note is made, changed or moved below Work/Box', 'Quiet: 0');
  bench.model.push(
    {
      calls: [
        { name: 'insert_blocks', args: { anchor: note, position: 'append', markdown: 'A line of the order.' } },
        { name: 'create_doc', args: { notebook: bench.notebook, path: '/Box/Made', markdown: 'By the order.' } },
      ],
    },
    { text: 'Proposed.' },
  );
  // SiYuan's times are of seconds: in that of its making no change of the note is seen.
  const change = async (): Promise<number> => {
    await bench.kernel('/api/block/appendBlock', { parentID: note, dataType: 'markdown', data: 'By hand.' });
    await look();
    return bench.model.requests.length;
  };
  await expect.poll(change).toBe(2);
  for (const { run, id } of await waiting()) await bench.json(`/api/orders/inbox/${run}/${id}`, { decision: 'approve' });
  expect(await waiting()).toEqual([]);
  for (let step = 0; step < 3; step += 1) await look(60_000);
  expect(bench.model.requests).toHaveLength(2);
});

it('says that its place is gone or beyond what it may read', async () => {
  await useOrder('When: when a note is added to Work/Box', 'Notes: Other');
  await bench.kernel('/api/notebook/createNotebook', { name: 'Other' });
  expect((await orders())[0]?.problems.map(({ code }) => code)).toEqual(['bad_place']);
  await bench.kernel('/api/filetree/removeDocByID', { id: inbox });
  ahead += 60_000;
  await useOrder('When: when a note is added to Work/Box');
  expect((await orders())[0]?.problems.map(({ code }) => code)).toEqual(['bad_place']);
});

it('runs for a tag in the notes that it may read, and for no other', async () => {
  const { notebook: other } = await bench.kernel<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Other' });
  await bench.settings({ notebooks: { [bench.notebook]: 'delete', [other.id]: 'delete' } });
  await useOrder('When: when a note gets the tag #tidy', 'Notes: Other');
  await make('/Here', 'Text with #tidy#.');
  await look(60_000);
  expect(bench.model.requests).toEqual([]);
  const there = await bench.kernel<string>('/api/filetree/createDocWithMd', {
    notebook: other.id,
    path: '/There',
    markdown: '#tidy# text.',
  });
  bench.model.push({ text: 'Done.' });
  await look(60_000);
  expect(asked()).toContain(there);
  expect(bench.model.requests).toHaveLength(1);
});
