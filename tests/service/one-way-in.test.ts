// Every way into the tools of the service passes the same gates: clients of MCP and proposals of orders, in the real service.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ScriptedCall } from '../support/model-server.ts';
import { type ServiceBench, startServiceBench } from './support.ts';

const START = new Date(2026, 10, 26, 6, 0).getTime();
const DAY = 24 * 3_600_000;

let clock = START;
let bench: ServiceBench;
const open: Client[] = [];

beforeEach(async () => {
  clock = START;
  bench = await startServiceBench({ mcpWaitMs: 0, orders: { everyMs: 0, now: () => clock } });
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close().catch(() => undefined)));
  await bench.close();
});

async function connect(token: string, options: ClientOptions = {}): Promise<Client> {
  const client = new Client({ name: 'Cursor', version: '1.0.0' }, options);
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${bench.url}/mcp`), { requestInit }));
  open.push(client);
  return client;
}

const tokenFor = async (rights: object): Promise<string> =>
  (await bench.json<{ token: string }>('/api/mcp/clients', { name: 'Cursor', ...rights })).token;
const textOf = ({ content }: { readonly content?: unknown }): string => (content as { text?: string }[])[0]?.text ?? '';
const approvals = () => bench.json<{ id: string; tool: string; session_id: string }[]>('/api/chat/approvals');
const insert = (anchor: string, markdown: string): ScriptedCall => ({
  name: 'insert_blocks',
  args: { anchor, position: 'append', markdown },
});
const noteText = (id: string) => bench.kernel<{ kramdown: string }>('/api/block/getBlockKramdown', { id });

describe('a client that may pass on consent', () => {
  /** A call as the newest revision answers a question: with a state and an answer of the client's own making. */
  const answer = (token: string, call: ScriptedCall, requestState: string) =>
    fetch(`${bench.url}/mcp`, {
      method: 'POST',
      headers: {
        ...{ Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
        ...{ 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': call.name },
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: {
          ...{ name: call.name, arguments: call.args, requestState },
          inputResponses: { consent: { action: 'accept', content: { decision: 'approve' } } },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'Cursor', version: '1.0.0' },
            'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
          },
        },
      }),
    }).then((response) => response.text());

  it.each<[string, () => Promise<ScriptedCall>]>([
    ['changes the note of orders', async () => insert(await ordersNote(''), '## Mine\n\n- When: every day at 8\n\nDo it.')],
    ['is longer than a form', async () => insert(bench.note, 'word '.repeat(6000))],
    [
      'is beyond the right of its notebook',
      async () => {
        await bench.settings({ notebooks: { [bench.notebook]: 'read' } });
        return insert(bench.note, 'Beyond.');
      },
    ],
  ])('approves nothing that %s: a person does, in the panel', async (_what, made) => {
    const call = await made();
    const token = await tokenFor({ writes: true, elicitation: true });
    const client = await connect(token, { versionNegotiation: { mode: 'auto' } });
    const pending = textOf(await client.callTool({ name: call.name, arguments: call.args as Record<string, unknown> }));
    const id = /pending: (\w+)/.exec(pending)?.[1] ?? '';
    await expect.poll(approvals).toHaveLength(1);
    const [approval] = await approvals();
    const anchor = (call.args as { anchor: string }).anchor;
    const before = await noteText(anchor);
    expect(await answer(token, call, `${id}/${approval?.id}`)).toContain('panel_only');
    expect(await approvals()).toHaveLength(1);
    expect(await noteText(anchor)).toEqual(before);
  });
});

describe('the rights of a client', () => {
  it('are its own, whoever opened its chat before: another client of its name, or the owner over HTTP', async () => {
    const { notebook } = await bench.kernel<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Private' });
    const path = { notebook: notebook.id, path: '/Diary', markdown: 'Nobody reads this.' };
    const diary = await bench.kernel<string>('/api/filetree/createDocWithMd', path);
    const token = await tokenFor({ writes: true, notebooks: { [bench.notebook]: 'write' } });
    const first = await connect(token);
    await first.callTool({ name: 'insert_blocks', arguments: insert(bench.note, 'A line.').args as Record<string, unknown> });
    await expect.poll(approvals).toHaveLength(1);
    const [{ id = '', session_id: chat = '' } = {}] = await approvals();
    await bench.json(`/api/chat/approvals/${id}`, { decision: 'approve' });
    await expect.poll(approvals).toEqual([]);
    await bench.restart();

    // Reading its chat opens it; so does asking there.
    await bench.json(`/api/chat/sessions/${chat}/messages`);
    const second = await connect(token);
    const read = async () => textOf(await second.callTool({ name: 'read_doc', arguments: { id: diary } }));
    expect(await read()).not.toContain('Nobody reads this.');
    bench.model.push({ calls: [{ name: 'read_doc', args: { id: diary } }] }, { text: 'Read.' });
    await (await bench.send({ session_id: chat, message: 'Read my diary.', stream: false })).json();
    expect(JSON.stringify(bench.model.requests.at(-1)?.messages)).toContain('Nobody reads this.');
    expect(await read()).not.toContain('Nobody reads this.');
    const found = textOf(await second.callTool({ name: 'search_notes', arguments: { query: 'Nobody' } }));
    expect(found).not.toContain('Diary');
  });
});

describe('a note as a resource', () => {
  it.each<[string, object]>([
    ['tool calls are off', { toolCalls: { enabled: false } }],
    ['calls are started by hand', { toolCalls: { mode: 'manual' } }],
    ['every call is confirmed', { toolCalls: { requireConfirmation: true } }],
    ['its tool is off', { tools: { read_doc: false, recent_docs: false, read_block: false } }],
    ['its group is off', { groups: { documents: false, search: false, blocks: false } }],
  ])('is neither listed nor read where %s', async (_when, settings) => {
    const client = await connect(await tokenFor({}));
    expect((await client.listResources()).resources).not.toEqual([]);
    await bench.settings(settings);
    expect((await client.listResources()).resources).toEqual([]);
    await expect(client.readResource({ uri: `siyuan://blocks/${bench.note}` })).rejects.toThrow(/tool_disabled|no_right/);
    expect(await approvals()).toEqual([]);
  });
});

describe('a pending change', () => {
  it.each<[string, object]>([
    ['its tool was switched off', { tools: { insert_blocks: false } }],
    ['its group was switched off', { groups: { blocks: false } }],
    ['its notebook was closed', { notebooks: {} }],
  ])('of a client is not written where %s meanwhile', async (_what, settings) => {
    const client = await connect(await tokenFor({ writes: true }));
    const text = textOf(
      await client.callTool({ name: 'insert_blocks', arguments: insert(bench.note, 'Too late.').args as Record<string, unknown> }),
    );
    const pending = { name: 'pending_change', arguments: { id: /pending: (\w+)/.exec(text)?.[1] } };
    await expect.poll(approvals).toHaveLength(1);
    const [{ id = '' } = {}] = await approvals();
    await bench.settings({ notebooks: { [bench.notebook]: 'write' }, ...settings });
    await bench.json(`/api/chat/approvals/${id}`, { decision: 'approve' });
    await expect.poll(async () => textOf(await client.callTool(pending))).toMatch(/^(tool_disabled|no_right): /);
    expect(JSON.stringify(await noteText(bench.note))).not.toContain('Too late.');
  });
});

describe('a client whose token is taken away', () => {
  it('has nothing that waits or is written, however far its calls were', async () => {
    for (const after of [0, 5, 20, 60]) {
      const made = await bench.json<{ id: string; token: string }>('/api/mcp/clients', { name: 'Gone', writes: true });
      const client = await connect(made.token);
      const { name, args } = insert(bench.note, 'Of nobody.');
      const calls = [1, 2, 3].map(() => client.callTool({ name, arguments: args as Record<string, unknown> }).catch(() => undefined));
      await new Promise((resolve) => void setTimeout(resolve, after));
      await bench.fetch(`/api/mcp/clients/${made.id}`, { method: 'DELETE' });
      await new Promise((resolve) => void setTimeout(resolve, 300));
      expect(await approvals()).toEqual([]);
      void Promise.all(calls);
    }
    expect((await noteText(bench.note)).kramdown).not.toContain('Of nobody.');
  });
});

async function ordersNote(markdown: string): Promise<string> {
  const note = await bench.kernel<string>('/api/filetree/createDocWithMd', { notebook: bench.notebook, path: '/Orders', markdown });
  await bench.json('/api/orders/note', { note });
  await look();
  return note;
}

async function look(milliseconds = 0): Promise<void> {
  clock += milliseconds;
  await bench.service.orders.look();
  await bench.service.orders.orders.settled();
}

interface Item {
  readonly id: string;
  readonly run: string;
  readonly tool: string;
  readonly changed: string;
  readonly approval?: { readonly program?: { readonly code: string }; readonly outgoing?: { readonly body: string } };
}
const inbox = () => bench.json<Item[]>('/api/orders/inbox');
const approve = ({ run = '', id = '' }: Partial<Item> = {}) =>
  bench.fetch(`/api/orders/inbox/${run}/${id}`, { method: 'POST', body: JSON.stringify({ decision: 'approve' }) });

const proposed = async (...lines: string[]): Promise<Item | undefined> => {
  await ordersNote('## Sort\n\n- When: every day at 7\n\nSort my notes.');
  bench.model.push({ calls: lines.map((line) => insert(bench.note, line)) }, { text: 'That is all.' });
  await look(DAY);
  return (await inbox())[0];
};

describe('a proposal of an order', () => {
  const isWritten = async () => JSON.stringify(await noteText(bench.note)).includes('From the order.');

  it.each<[string, object]>([
    ['its tool was switched off', { tools: { insert_blocks: false } }],
    ['its group was switched off', { groups: { blocks: false } }],
    ['its notebook may only be read by now', { notebooks: {} }],
  ])('is not written where %s, and still waits', async (_what, changed) => {
    const item = await proposed('From the order.');
    await bench.settings({ notebooks: { [bench.notebook]: 'read' }, ...changed });
    expect((await approve(item)).status).toBe(409);
    expect(await isWritten()).toBe(false);
    expect(await inbox()).toHaveLength(1);
  });

  it('can be approved once its group was switched on again', async () => {
    const item = await proposed('From the order.');
    await bench.settings({ groups: { blocks: false } });
    expect(await inbox()).toMatchObject([{ changed: expect.stringContaining('switched off') }]);
    await bench.settings({});
    expect(await inbox()).toMatchObject([{ changed: '' }]);
    expect((await approve(item)).status).toBe(200);
    expect(await isWritten()).toBe(true);
  });
});

describe('an order that names a tool which reaches outside', () => {
  it('has a command wait with its exact words, and it runs once it is approved', async () => {
    await bench.restart({ folders: [join(bench.data, 'files')] });
    await bench.settings({ groups: { script: true } });
    await ordersNote('## Back up\n\n- When: every day at 7\n- Tools: exec\n\nBack my notes up.');
    const made = join(bench.data, 'made-by-the-order');
    bench.model.push({ calls: [{ name: 'exec', args: { command: `touch '${made}'` } }] }, { text: 'Backed up.' });
    await look(DAY);
    expect(existsSync(made)).toBe(false);
    const [item] = await inbox();
    expect(item?.approval?.program?.code).toBe(`touch '${made}'`);
    const told = bench.model.requests.at(-1)?.messages.find(({ role }) => role === 'tool')?.content;
    expect(told).toContain('kept for the person as proposal 1: nothing was sent or run');
    expect((await approve(item)).status).toBe(200);
    expect(existsSync(made)).toBe(true);
    expect(await inbox()).toEqual([]);
  });
});

describe('a proposal is carried out once', () => {
  const ran = (): string => (existsSync(log()) ? readFileSync(log(), 'utf8') : '');
  const log = (): string => join(bench.data, 'ran.log');
  const approveEntry = async (id: string) => (await bench.fetch(`/api/chat/approvals/${id}`, decision('approve'))).status;
  const decision = (name: string): RequestInit => ({ method: 'POST', body: JSON.stringify({ decision: name }) });
  const runOf = async (item: Item | undefined) => JSON.parse((await bench.read(`orders/runs/${item?.run}.json`)) ?? 'null');

  async function commandProposed(command: string): Promise<Item | undefined> {
    await bench.restart({ folders: [join(bench.data, 'files')] });
    await bench.settings({ groups: { script: true } });
    await ordersNote('## Back up\n\n- When: every day at 7\n- Tools: exec\n\nBack my notes up.');
    bench.model.push({ calls: [{ name: 'exec', args: { command } }] }, { text: 'Backed up.' });
    await look(DAY);
    return (await inbox())[0];
  }

  it('that is approved where all that waits is listed', async () => {
    const item = await commandProposed(`echo once >> '${log()}'`);
    const [entry] = await approvals();
    expect(await approveEntry(entry?.id ?? '')).toBe(200);
    expect(ran()).toBe('once\n');
    expect(await inbox()).toEqual([]);
    expect((await approve(item)).status).toBe(404);
    expect(ran()).toBe('once\n');
  });

  it('that is listed, approved, rejected and dropped while it runs', async () => {
    const item = await commandProposed(`echo begin >> '${log()}'; sleep 1; echo end >> '${log()}'`);
    const running = approve(item);
    await expect.poll(ran).toBe('begin\n');
    expect(await inbox()).toEqual([]);
    for (const name of ['approve', 'reject', 'never', 'drop'])
      await bench.fetch(`/api/orders/inbox/${item?.run}/${item?.id}`, decision(name));
    // Another program reads the same.
    expect((await runOf(item)).proposals).toMatchObject([{ status: 'approved' }]);
    expect((await running).status).toBe(200);
    expect(ran()).toBe('begin\nend\n');
    expect((await runOf(item)).proposals).toMatchObject([{ status: 'approved' }]);
  });

  it('that was listed by many at once, each of whom approves it', async () => {
    await proposed('From the order.');
    await Promise.all([inbox(), inbox(), inbox()]);
    const entries = await approvals();
    expect(entries).toHaveLength(1);
    const [item] = await inbox();
    const answers = await Promise.all([1, 2, 3].flatMap(() => [approve(item), ...entries.map(({ id }) => approveEntry(id))]));
    expect(answers.filter((answer) => answer !== 404 && typeof answer !== 'number' && answer.status === 200)).toHaveLength(1);
    expect((await noteText(bench.note)).kramdown.split('From the order.')).toHaveLength(2);
  });

  it('that is listed while it is written', async () => {
    const lines = [1, 2, 3, 4, 5, 6].map((n) => `Line ${n}.`);
    await proposed(...lines);
    for (const item of await inbox()) {
      const running = approve(item);
      await new Promise((resolve) => void setTimeout(resolve, 15));
      await Promise.all([inbox(), inbox()]);
      // Planned anew before it was decided: to be pressed again.
      const { status } = await running;
      expect(status === 200 || status === 404 ? '' : await (await running).text()).toBe('');
      if (status === 404) expect((await approve(item)).status).toBe(200);
    }
    const { kramdown } = await noteText(bench.note);
    expect(lines.map((line) => kramdown.split(line).length)).toEqual(lines.map(() => 2));
  });

  it('of those that are decided together, each as it was decided', async () => {
    await proposed('One.', 'Two.', 'Three.', 'Four.');
    const items = await inbox();
    const wanted = ['never', 'approve', 'reject', 'approve'];
    await Promise.all(items.map(({ run, id }, at) => bench.fetch(`/api/orders/inbox/${run}/${id}`, decision(wanted[at] ?? ''))));
    const statuses = (await runOf(items[0])).proposals.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(['declined', 'approved', 'rejected', 'approved']);
  });
});
