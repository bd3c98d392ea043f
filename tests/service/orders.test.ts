// Standing orders in the real service, by a fake clock, with a scripted model in front of the development host.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ServiceBench, startServiceBench } from './support.ts';

/** A Thursday, 06:00 where the tests run. */
const START = new Date(2026, 10, 26, 6, 0).getTime();
const HOUR = 3_600_000;

let clock = START;
let bench: ServiceBench;
let ordersNote = '';

interface Orders {
  readonly orders: readonly {
    readonly id: string;
    readonly name: string;
    readonly next: readonly string[];
    readonly problems: readonly { readonly code: string; readonly line: string }[];
    readonly paused: string | null;
    readonly last_run: { readonly id: string; readonly status: string; readonly reason: string | null } | null;
  }[];
}

interface InboxItem {
  readonly id: string;
  readonly run: string;
  readonly changed: string;
  readonly approval?: { readonly plan: { readonly operations: readonly { readonly id: string; readonly after: string }[] } };
}

const ORDER = `## Sort my inbox

- When: every weekday at 7
- Budget: 20000 tokens

Add a line to the README.`;

async function start(markdown = ORDER): Promise<void> {
  clock = START;
  bench = await startServiceBench({ orders: { everyMs: 0, now: () => clock } });
  ordersNote = await bench.kernel<string>('/api/filetree/createDocWithMd', { notebook: bench.notebook, path: '/Orders', markdown });
  await bench.json('/api/orders/note', { note: ordersNote });
}

beforeEach(() => start());
afterEach(() => bench.close());

const orders = async () => (await bench.json<Orders>('/api/orders')).orders;
const inbox = () => bench.json<InboxItem[]>('/api/orders/inbox');
const textOf = async (id: string) => (await bench.kernel<{ content: string }>('/api/export/exportMdContent', { id })).content;
const insert = (markdown: string, anchor = bench.note) => ({ name: 'insert_blocks', args: { anchor, position: 'append', markdown } });

/** Time passes, the service looks, and what is due has run. */
async function pass(milliseconds: number): Promise<void> {
  clock += milliseconds;
  await bench.service.orders.look();
  await bench.service.orders.orders.settled();
}

describe('a standing order', () => {
  it('runs at its time, proposes and writes nothing, and what is approved is undone like any answer', async () => {
    await pass(0);
    const [order] = await orders();
    expect(order).toMatchObject({ name: 'Sort my inbox', problems: [], last_run: null });
    expect(order?.next.map((time) => new Date(time).getTime())).toEqual([START + HOUR, START + 25 * HOUR, START + 4 * 24 * HOUR + HOUR]);

    bench.model.push({ calls: [insert('From the order.'), insert('And more.')] }, { text: 'I proposed two lines.' });
    await pass(2 * HOUR);
    expect((await orders())[0]?.last_run).toMatchObject({ status: 'done' });
    expect(await textOf(bench.note)).not.toContain('From the order.');
    expect(JSON.stringify(bench.model.requests.at(-1)?.messages)).toContain('nothing is written yet');

    const items = await inbox();
    expect(items.map(({ approval, changed }) => [approval?.plan.operations.map(({ after }) => after), changed])).toEqual([
      [['From the order.'], ''],
      [['And more.'], ''],
    ]);
    const [first, second] = items;
    await bench.json(`/api/orders/inbox/${second?.run}/${second?.id}`, { decision: 'reject' });
    await bench.json(`/api/orders/inbox/${first?.run}/${first?.id}`, { decision: 'approve' });
    expect(await textOf(bench.note)).toContain('From the order.');
    expect(await textOf(bench.note)).not.toContain('And more.');
    expect(await inbox()).toEqual([]);

    const messages = await bench.json<{ id: string; role: string }[]>(`/api/chat/sessions/${first?.run}/messages`);
    const answer = messages.find(({ role }) => role === 'assistant')?.id;
    await bench.json(`/api/chat/sessions/${first?.run}/undo`, { message_id: answer });
    expect(await textOf(bench.note)).not.toContain('From the order.');
    const chats = await bench.json<{ id: string; title: string }[]>('/api/chat/sessions');
    expect(chats).toContainEqual(expect.objectContaining({ id: first?.run, title: 'Sort my inbox · 2026-11-26 08:00' }));
  });
});
