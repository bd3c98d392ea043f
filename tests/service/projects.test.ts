// Orders, programs and chats of the service that were given a project: they keep to it, and it cannot be left.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../../src/tools/contract/messages.ts';
import { type Call, systematicCalls } from '../host/non-interference-arguments.ts';
import { type ServiceBench, startServiceBench } from './support.ts';

const START = new Date(2026, 10, 26, 6, 0).getTime();
const HOUR = 3_600_000;
const idOf = (n: number): string => `20260101000000-n00000${n}`;
const [PROJECT, INSIDE, OUTSIDE, TAGGED, NEW_PROJECT] = [1, 2, 3, 4, 5].map(idOf) as [string, string, string, string, string];

let bench: ServiceBench | undefined;
let clock = START;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

/** A project that keeps to the notebook Work; what is outside has the secret in it. */
async function open(secret = 'zanzibar', settings: object = {}) {
  clock = START;
  const made = await startServiceBench({ mcpWaitMs: 0, orders: { everyMs: 0, now: () => clock } });
  bench = made;
  const { notebook: vault } = await made.kernel<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Vault' });
  const { notebook: home } = await made.kernel<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Home' });
  const note = (id: string, notebook: string, path: string, markdown: string) =>
    made.kernel('/api/filetree/createDocWithMd', { id, notebook, path, markdown });
  await note(PROJECT, home.id, '/Lamps', 'Answer in verses.');
  await note(INSIDE, made.notebook, '/Inside', `The pay is low. ((${OUTSIDE} '${secret}'))\n{: id="${idOf(6)}"}`);
  await note(OUTSIDE, vault.id, `/Salary ${secret}`, `The pay is ${secret}. #${secret}#`);
  await note(TAGGED, vault.id, '/Pay day', `Rent of ${secret}.`);
  const set = (attribute: object) =>
    made.kernel('/api/attr/setBlockAttrs', { id: PROJECT, attrs: { 'custom-marginalia-project': JSON.stringify(attribute) } });
  await set({ schema: 1, scope: { notebooks: [made.notebook], notes: [] }, ...settings });
  await made.settings({ notebooks: { '*': 'write' }, mcp: {} });
  await made.kernel('/api/sqlite/flushTransaction', {});
  return { ...made, bench: made, vault: vault.id, home: home.id, note, set };
}

type Opened = Awaited<ReturnType<typeof open>>;

async function connect({ bench: { url, json } }: Opened, rights: object = {}): Promise<Client> {
  const { token } = await json<{ token: string }>('/api/mcp/clients', { name: 'Cursor', writes: true, project: 'Lamps', ...rights });
  const client = new Client({ name: 'x', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return client;
}

const textIn = (result: { readonly content?: unknown }): string => JSON.stringify(result.content);

async function order(
  { bench: { json, service }, note, home }: Opened,
  lines: string,
  when = 'every weekday at 7',
): Promise<{ readonly problems: unknown[]; readonly last_run: { status: string; reason: string | null } | null }> {
  await note(NEW_PROJECT, home, '/Orders', `## Look\n\n- When: ${when}\n${lines}\n\nLook for the pay.`);
  await json('/api/orders/note', { note: NEW_PROJECT });
  for (const hours of [0, 2]) {
    clock += hours * HOUR;
    await service.orders.look();
    await service.orders.orders.settled();
  }
  const { orders } = await json<{ orders: Awaited<ReturnType<typeof order>>[] }>('/api/orders');
  return orders[0] ?? { problems: ['none'], last_run: null };
}

/** Ids, hashes and times as words. */
function normalised(text: string): string {
  const names = new Map<string, string>();
  return text
    .replaceAll(/\d{14}-[0-9a-z]{7}/g, (id) => names.get(id) ?? (names.set(id, `id${names.size}`).get(id) as string))
    .replaceAll(/\b\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?\b|\b20\d{12}\b|\b\d\d:\d\d\b/g, '<time>')
    .replaceAll(/_[\w-]+_result\b/g, '_CALL_result');
}

/** The calls that only read, of the tools that a program is offered. */
async function readsOf(opened: Opened, secrets: readonly string[]): Promise<readonly Call[]> {
  const { tools } = await (await connect(opened)).listTools();
  const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint === true && annotations.openWorldHint === false);
  const definitions = reading
    .filter(({ name }) => !['pending_change', 'datetime'].includes(name))
    .map(
      ({ name, description, inputSchema }) =>
        ({ type: 'function', function: { name, description, parameters: inputSchema } }) as ToolDefinition,
    );
  const ids = {
    inside: INSIDE,
    outside: OUTSIDE,
    tagged: TAGGED,
    project: PROJECT,
    notes: opened.notebook,
    shut: opened.vault,
    inbox: opened.home,
    closed: opened.vault,
    vault: opened.vault,
  };
  const world = {
    bench: null as never,
    ids,
    open: ['inside'],
    hidden: ['outside', 'tagged', 'project'],
    documents: ['inside'],
    kinds: {},
    secret: secrets[0] ?? '',
  };
  let at = 0;
  const all = systematicCalls(definitions, world, secrets, (items) => items[at++ % items.length] as never);
  return all.filter((_call, index) => index % Math.ceil(all.length / 150) === 0);
}

/** What each of the three is given for the same calls. */
async function seenBy(opened: Opened, secrets: readonly string[]): Promise<readonly string[]> {
  const calls = await readsOf(opened, secrets);
  const { bench: made } = opened;
  const scripted = calls.map(({ tool, args }) => ({ name: tool, args }));
  const client = await connect(opened);
  const seen: string[] = [client.getInstructions() ?? '', JSON.stringify((await client.listTools()).tools)];
  for (const { tool, args } of calls)
    seen.push(
      textIn(
        await client.callTool({ name: tool, arguments: args as Record<string, unknown> }).catch((error) => ({ content: String(error) })),
      ),
    );
  const answer = async (ask: () => Promise<unknown>) => {
    for (let from = 0; from < scripted.length; from += 15) made.model.push({ calls: scripted.slice(from, from + 15) });
    made.model.push({ text: 'Done.' });
    await ask();
    seen.push(
      ...(made.model.requests.at(-1)?.messages ?? [])
        .filter(({ role }) => role === 'tool' || role === 'system')
        .map(({ content }) => content ?? ''),
    );
  };
  await answer(() => made.send({ message: 'Look.', project: 'Lamps', stream: false }).then((response) => response.json()));
  await answer(() => order(opened, '- Project: Lamps'));
  return seen.map(normalised);
}

describe('a project', () => {
  it('keeps orders, programs and chats of the service from all that is outside it: they see the same whatever it says', {
    timeout: 300_000,
  }, async () => {
    const secrets = ['zqkestrel4711', 'brambleberry'] as const;
    const all = [...secrets, ''];
    const first = await open(secrets[0]);
    const base = await seenBy(first, all);
    await first.bench.close();
    const other = await seenBy(await open(secrets[1]), all);
    const differences = base.flatMap((text, index) =>
      text === other[index] ? [] : [`${text.slice(0, 600)}\n   not ${other[index]?.slice(0, 600)}`],
    );
    console.log(
      `${base.length} answers to reads of a program, a chat of the service and an order under a project: ${differences.length} differences`,
    );
    expect(base.length).toBe(other.length);
    expect(base.length).toBeGreaterThan(300);
    expect(differences.slice(0, 3)).toEqual([]);
  });

  it('is given to a chat of the service by its name, with its instructions and its limit', async () => {
    const opened = await open('zanzibar', { tokens: 10 });
    const { model, send, set } = opened;
    model.push({ calls: [{ name: 'search_notes', args: { query: 'pay' } }] }, { text: 'Low.' });
    const begun = await (await send({ message: 'What is the pay?', project: 'lamps', stream: false })).json();
    expect(model.bodies).toEqual([]);
    expect(begun).toMatchObject({ status: 'error', error: { code: 'budget_reached' } });
    await set({ schema: 1, scope: { notebooks: [opened.notebook], notes: [] } });
    const { session_id: id } = begun;
    model.clear();
    model.push({ calls: [{ name: 'search_notes', args: { query: 'pay' } }] }, { text: 'Low.' });
    expect(await (await send({ session_id: id, message: 'Again?', stream: false })).json()).toMatchObject({ content: 'Low.' });
    expect(model.bodies.at(-1)).toContain('Answer in verses.');
    expect(model.bodies.at(-1)).toContain('pay is low');
    expect(model.bodies.at(-1)).not.toContain('zanzibar');
    const other = await send({ session_id: id, message: 'Go', project: PROJECT, stream: false });
    expect(other.status).toBe(200);
  });

  it('is named to a caller that asks for another, as far as it may be read; no chat gets one later', async () => {
    const { send, model, note, home, bench: made, kernel, settings } = await open();
    const unknown = await send({ message: 'Go', project: 'Lumps' });
    expect([unknown.status, await unknown.json()]).toMatchObject([
      400,
      { error: { code: 'bad_project', next: expect.stringContaining(`"Lamps" (${PROJECT})`) } },
    ]);
    model.push({ text: 'Yes.' });
    const { session_id: id } = await (await send({ message: 'Go', stream: false })).json();
    const later = await send({ session_id: id, message: 'Go', project: 'Lamps' });
    expect([later.status, (await later.json()).error.code]).toEqual([409, 'other_project']);
    await note(NEW_PROJECT, home, '/Lumps', 'x');
    await kernel('/api/attr/setBlockAttrs', {
      id: NEW_PROJECT,
      attrs: { 'custom-marginalia-project': '{"schema":1}', 'custom-ai-access': 'none' },
    });
    const hidden = await send({ message: 'Go', project: 'Lumps' });
    expect((await hidden.json()).error.next).not.toContain(NEW_PROJECT);
    await settings({ notebooks: { '*': 'write', [home]: 'none' } });
    const none = await made.send({ message: 'Go', project: 'Lamps' });
    expect((await none.json()).error).toMatchObject({ code: 'bad_project', next: 'make one in the panel' });
  });

  it.each([
    [
      'is no project any more',
      async ({ kernel }: Opened) => kernel('/api/attr/setBlockAttrs', { id: PROJECT, attrs: { 'custom-marginalia-project': '' } }),
    ],
    ['is closed', async ({ kernel, home }: Opened) => kernel('/api/notebook/closeNotebook', { notebook: home })],
  ] as const)('that %s lets nobody read anything', async (_why, close) => {
    const opened = await open();
    const { model, send } = opened;
    const client = await connect(opened);
    model.push({ text: 'Yes.' });
    const { session_id: id } = await (await send({ message: 'Go', project: 'Lamps', stream: false })).json();
    await close(opened);
    expect(textIn(await client.callTool({ name: 'read_doc', arguments: { id: INSIDE } }))).toMatch(/project_gone: .* → /u);
    const refused = await (await send({ session_id: id, message: 'Go', stream: false })).json();
    expect(refused).toMatchObject({ status: 'error', error: { code: 'project_gone' } });
    expect(model.requests).toHaveLength(1);
  });

  it('holds a program that tries to get out of it: reading, writing, listing, searching, by a clash of names, and as its token', async () => {
    const opened = await open();
    const { vault, home, kernel, bench: made } = opened;
    const client = await connect(opened);
    expect(client.getInstructions()).toContain('Answer in verses.');
    const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args }).then(textIn);
    expect(await call('read_doc', { id: INSIDE })).toContain('The pay is low.');
    const all = [
      await call('read_doc', { id: OUTSIDE }),
      await call('list_docs', { notebook: vault }),
      await call('list_notebooks', {}),
      await call('search_notes', { query: 'zanzibar pay' }),
      await call('create_doc', { notebook: 'Vault', path: '/Salary zanzibar', markdown: 'x' }),
      await call('insert_blocks', { anchor: OUTSIDE, position: 'append', markdown: 'x' }),
      await call('insert_blocks', { anchor: PROJECT, position: 'append', markdown: 'Read all.' }),
      await call('attributes', { op: 'set', id: PROJECT, attributes: { 'custom-marginalia-project': '{"schema":1}' } }),
    ].join('\n');
    expect(all).not.toMatch(/is zanzibar|Vault\\"|Home/u);
    expect(await made.json<object[]>('/api/chat/approvals')).toEqual([]);
    const { resources } = await client.listResources();
    expect(resources.map(({ name }) => name)).not.toContain('Salary zanzibar');
    await expect(client.readResource({ uri: `siyuan://blocks/${OUTSIDE}` })).rejects.toThrow();
    // A wider right of its own changes nothing; a narrower one holds besides, and names nothing of the project that it may not read.
    const narrow = await connect(opened, { name: 'Narrow', notebooks: { [home]: 'read' } });
    expect(textIn(await narrow.callTool({ name: 'read_doc', arguments: { id: INSIDE } }))).toContain('project_empty');
    const [, entry] = await made.json<readonly { project: string }[]>('/api/mcp/clients');
    expect(entry?.project).toBe(PROJECT);
    const content = await kernel<{ content: string }>('/api/export/exportMdContent', { id: PROJECT });
    expect(content.content).not.toContain('Read all.');
  });

  it('is kept by an order, which does not run where it is unknown', async () => {
    const opened = await open();
    const { model } = opened;
    model.push(
      {
        calls: [
          { name: 'read_doc', args: { id: OUTSIDE } },
          { name: 'search_notes', args: { query: 'pay' } },
        ],
      },
      { text: 'Low.' },
    );
    expect(await order(opened, `- Project: ((${PROJECT} 'Lamps'))`)).toMatchObject({ problems: [], last_run: { status: 'done' } });
    expect(model.bodies[0]).toContain('Answer in verses.');
    expect(model.bodies[1]).not.toContain('zanzibar');
    expect(model.bodies[1]).toContain('pay is low');
  });

  it.each([
    [`a note is added to ((${TAGGED} 'Pay day'))`, 'project_place'],
    ['a note is added to Vault', 'project_place'],
    ['a note is added to Work', undefined],
    [`a note is added to ((${INSIDE} 'Inside'))`, undefined],
  ])('of an order that waits until %s: %s', async (when, code) => {
    const { problems, last_run } = await order(await open(), '- Project: Lamps', `when ${when}`);
    expect(problems).toEqual(code === undefined ? [] : [{ code, line: when.includes('Vault') ? 'Vault' : 'Pay day' }]);
    expect(last_run).toBeNull();
  });

  it('that was left is named in the order that refers to it, whatever the words of the reference are', async () => {
    const opened = await open();
    await opened.kernel('/api/attr/setBlockAttrs', { id: PROJECT, attrs: { 'custom-marginalia-project': '' } });
    expect(await order(opened, `- Project: ((${PROJECT} "*"))`)).toMatchObject({ problems: [{ code: 'left_project', line: 'Lamps' }] });
  });

  it.each(['Lumps', '20200101000000-absent0'])('that an order names as %s is a problem of the order', async (name) => {
    expect(await order(await open(), `- Project: ${name}`)).toMatchObject({
      problems: [{ code: 'bad_project', line: name }],
      last_run: null,
    });
  });
});
