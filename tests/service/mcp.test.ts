// Another program over MCP, with the official client, in front of the real service and the development host.
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ServiceBench, startServiceBench, TOKEN } from './support.ts';

let bench: ServiceBench;
beforeAll(async () => {
  bench = await startServiceBench({ mcpWaitMs: 0, origins: ['https://allowed.example'] });
});
afterAll(() => bench.close());

const open: Client[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
  for (const { id } of await approvals()) await bench.json(`/api/chat/approvals/${id}`, { decision: 'reject' });
});

/** A connected client: of the revision before the newest, unless `options` say otherwise. */
async function connect(options: ClientOptions & { readonly token?: string; readonly name?: string; readonly at?: ServiceBench } = {}) {
  const { token = TOKEN, name = 'Claude Desktop', at = bench, ...rest } = options;
  const client = new Client({ name, version: '1.0.0' }, rest);
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${at.url}/mcp`), { requestInit }));
  open.push(client);
  return client;
}

const NEWEST: ClientOptions = { versionNegotiation: { mode: 'auto' } };

interface Approval {
  readonly id: string;
  readonly session_id: string;
  readonly tool: string;
}

interface Pending {
  readonly status: string;
  readonly id: string;
}

const textOf = (result: { readonly content?: unknown }): string => {
  const [first] = result.content as readonly { readonly text?: string }[];
  return first?.text ?? '';
};

/** What a model gets of a result: of a program that gives it the structured content alone where there is any (Codex, Cursor), and of others. */
const handedOn = (result: { readonly content?: unknown; readonly structuredContent?: unknown }): readonly string[] => [
  JSON.stringify(result.structuredContent ?? result.content),
  JSON.stringify(result.content),
];

const approvals = (): Promise<Approval[]> => bench.json('/api/chat/approvals');

const INSERT = (markdown: string, anchor = bench.note) => ({ name: 'insert_blocks', arguments: { anchor, position: 'append', markdown } });

const read = async (client: Client, id = bench.note): Promise<string> =>
  textOf(await client.callTool({ name: 'read_doc', arguments: { id } }));

/** A token of a client's own. */
async function tokenFor(rights: object, at = bench): Promise<{ readonly id: string; readonly token: string }> {
  return at.json('/api/mcp/clients', { name: 'Cursor', ...rights });
}

describe('a task', () => {
  it('is done from the search to Undo', async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toContain('search_notes');
    expect(names).toContain('edit_block');
    expect(names).not.toContain('ask_user');
    expect(tools.find(({ name }) => name === 'read_doc')).toMatchObject({ title: 'Read doc', annotations: { readOnlyHint: true } });
    expect(tools.find(({ name }) => name === 'delete_doc')).toMatchObject({ annotations: { destructiveHint: true, readOnlyHint: false } });

    const found = await client.callTool({ name: 'search_notes', arguments: { query: 'margin' } });
    expect(found.content).toContainEqual(expect.objectContaining({ type: 'resource_link', uri: `siyuan://blocks/${bench.note}` }));
    expect(await read(client)).toContain('A chat in the margin.');

    const asked = await client.callTool(INSERT('Written from outside.'));
    const pending = asked.structuredContent as Pending;
    expect(textOf(asked)).toMatch(/^pending: /);
    await expect.poll(approvals).toMatchObject([{ tool: 'insert_blocks' }]);
    const [approval] = await approvals();
    const again = await client.callTool({ name: 'pending_change', arguments: { id: pending.id } });
    expect(again.structuredContent).toEqual({ status: 'pending', text: textOf(again), id: pending.id, approval_id: approval?.id });
    await bench.json(`/api/chat/approvals/${approval?.id}`, { decision: 'approve' });

    const ask = () => client.callTool({ name: 'pending_change', arguments: { id: pending.id } });
    await expect.poll(async () => (await ask()).structuredContent).toMatchObject({ status: 'success' });
    const done = await ask();
    const { written } = done.structuredContent as { written: { session_id: string; message_id: string; block_ids: string[] } };
    expect(done.content).toContainEqual(expect.objectContaining({ type: 'resource_link', uri: `siyuan://blocks/${written.block_ids[0]}` }));
    expect(await read(client)).toContain('Written from outside.');

    const undone = await bench.json<{ restored: string[] }>(`/api/chat/sessions/${written.session_id}/undo`, {
      message_id: written.message_id,
    });
    expect(undone.restored).toEqual(written.block_ids);
    expect(await read(client)).not.toContain('Written from outside.');

    const chats = await bench.json<{ id: string; title: string }[]>('/api/chat/sessions');
    expect(chats).toContainEqual(expect.objectContaining({ id: written.session_id, title: 'Claude Desktop' }));
    const records = await bench.json<{ tool_name: string; user_message: string }[]>('/api/tools/conversations');
    expect(records).toContainEqual(expect.objectContaining({ tool_name: 'read_doc', user_message: 'Claude Desktop' }));
    expect(records).toContainEqual(expect.objectContaining({ tool_name: 'insert_blocks', user_message: 'Claude Desktop: insert_blocks' }));
  });
});

describe('a model', () => {
  it('gets the whole text of every result, whichever part of it its program hands on', async () => {
    const client = await connect();
    const { id } = (await client.callTool(INSERT('Asked for.'))).structuredContent as unknown as Pending;
    await expect.poll(approvals).toHaveLength(1);
    const waiting = await client.callTool({ name: 'pending_change', arguments: { id } });
    const [approval] = await approvals();
    await bench.json(`/api/chat/approvals/${approval?.id}`, { decision: 'approve' });
    await expect.poll(async () => textOf(await client.callTool({ name: 'pending_change', arguments: { id } }))).not.toMatch(/^pending/);
    const results = [
      waiting,
      await client.callTool({ name: 'pending_change', arguments: { id } }),
      await client.callTool({ name: 'pending_change', arguments: { id: 'none' } }),
      await client.callTool({ name: 'search_notes', arguments: { query: 'margin' } }),
      await client.callTool({ name: 'read_doc', arguments: { id: bench.note } }),
      await client.callTool({ name: 'read_doc', arguments: { id: 7 } }),
      await client.callTool({ name: 'read_doc', arguments: { id: '20200101000000-nowhere' } }),
    ];
    for (const result of results) for (const model of handedOn(result)) expect(model).toContain(JSON.stringify(textOf(result)));
  });
});

describe('a note or block as a resource', () => {
  const readNote = async (client: Client, uri: string) =>
    (await client.readResource({ uri })).contents as readonly { readonly text: string }[];
  const create = (path: string, markdown: string) =>
    bench.kernel<string>('/api/filetree/createDocWithMd', { notebook: bench.notebook, path, markdown });

  it('is whole and clean Markdown, however long and whatever is in it', async () => {
    const client = await connect();
    const kinds = [
      '# Plan',
      `See ((${bench.note} 'the first note')) for **more**.`,
      '* one\n* two\n\n  * inside',
      '```md\nnext: @@20240131120000-abc1234@@p#12\n```',
      '> quoted',
      '| a | b |\n| --- | --- |\n| 1 | 2 |',
      'x'.repeat(90_000),
    ];
    const long = Array.from({ length: 700 }, (_, at) => `Paragraph ${at + 1} of a long note, with some words in it.`);
    const id = await create('/Long', [...kinds, ...long].join('\n\n'));
    for (const uri of [`siyuan://blocks/${id}`, 'siyuan://notes/Long']) {
      const [{ text } = { text: '' }] = await readNote(client, uri);
      expect(text.startsWith('# Plan\n\nSee the first note for **more**.\n\n')).toBe(true);
      expect([...kinds.slice(3), ...long].filter((part) => !text.includes(part))).toEqual([]);
      expect(text.endsWith(long.at(-1) ?? '')).toBe(true);
      expect(text.replace(kinds[3] ?? '', '')).not.toMatch(/@@|next:|\d{14}-[0-9a-z]{7}|\{: /);
    }
  });

  it('gives a block in the same form, and says how much of a note is private', async () => {
    const client = await connect();
    const words = 'word '.repeat(12_000).trim();
    const id = await create('/Parts', `See ((${bench.note} 'the first note')).\n\n${words}\n\n> For nobody.`);
    const blocks = await bench.kernel<{ id: string }[]>('/api/block/getChildBlocks', { id });
    const texts = [];
    for (const block of blocks) texts.push((await readNote(client, `siyuan://blocks/${block.id}`))[0]?.text);
    expect(texts).toEqual(['See the first note.', words, '> For nobody.']);
    await bench.kernel('/api/attr/setBlockAttrs', { id: blocks[2]?.id, attrs: { 'custom-ai-access': 'none' } });
    const [{ text } = { text: '' }] = await readNote(client, `siyuan://blocks/${id}`);
    expect(text).toBe(`See the first note.\n\n${words}\n\n(1 blocks are kept private)`);
    const quote = blocks[2]?.id ?? '';
    const [inside] = await bench.kernel<{ id: string }[]>('/api/block/getChildBlocks', { id: quote });
    for (const block of [quote, inside?.id]) await expect(readNote(client, `siyuan://blocks/${block}`)).rejects.toThrow('not_found');
  });
});

describe('a program that', () => {
  const post = (body: object, headers: Record<string, string>) =>
    fetch(`${bench.url}/mcp`, {
      ...{ method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', ...body }) },
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json', ...headers },
    });
  const initialize = {
    ...{ id: 1, method: 'initialize' },
    params: {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: null },
      clientInfo: { name: 'x', version: '1', title: null },
      _meta: null,
    },
  };

  it.each([
    ['*/*', 'text/event-stream'],
    ['application/json', 'application/json'],
    ['application/*;q=0.9', 'application/json'],
    ['text/event-stream, application/json', 'text/event-stream'],
  ])('accepts %s is answered so, and null is absent', async (Accept, type) => {
    const begun = await post(initialize, { Accept });
    expect([begun.status, begun.headers.get('content-type')]).toEqual([200, type]);
    expect(await begun.text()).toContain('"marginalia"');
    const session = { Accept, 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
    const called = await post(
      { id: 2, method: 'tools/call', params: { name: 'list_docs', arguments: { parent: bench.notebook, page: null }, _meta: null } },
      session,
    );
    const text = await called.text();
    expect([called.status, called.headers.get('content-type')]).toEqual([200, type]);
    expect(text).toContain('README');
    if (type === 'application/json') expect(JSON.parse(text)).toMatchObject({ id: 2, result: { isError: false } });
    const listed = await post({ id: 3, method: 'tools/list', params: { cursor: null } }, session);
    expect(await listed.text()).toContain('search_notes');
  });

  it('accepts a picture alone is refused', async () => {
    expect((await post(initialize, { Accept: 'image/png' })).status).toBe(406);
  });
});

describe.each([
  ['the newest revision', NEWEST, '2026-07-28'],
  ['the revision before', {}, '2025-11-25'],
] as const)('%s', (_name, options, revision) => {
  it('is spoken, with resources and prompts', async () => {
    await bench.settings({ prompts: [{ id: 'weekly', name: 'Weekly review', prompt: 'Review my week.' }] });
    const client = await connect(options);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    const { resources } = await client.listResources();
    expect(resources).toContainEqual(expect.objectContaining({ uri: `siyuan://blocks/${bench.note}`, name: 'README' }));
    const { contents } = await client.readResource({ uri: 'siyuan://notes/README' });
    expect(contents).toEqual([expect.objectContaining({ text: expect.stringContaining('A chat in the margin.') })]);
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow('there is no such resource');
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(expect.arrayContaining(['summarize', 'my-weekly']));
    const { messages } = await client.getPrompt({ name: 'my-weekly', arguments: { note: bench.note } });
    expect(messages).toMatchObject([{ content: { text: `Review my week.\n\nThe note: siyuan://blocks/${bench.note}` } }]);
  });

  it('refuses a tool that is not there, and wrong arguments', async () => {
    const client = await connect(options);
    await expect(client.callTool({ name: 'format_disk', arguments: {} })).rejects.toThrow('there is no tool "format_disk"');
    const wrong = await client.callTool({ name: 'read_doc', arguments: { id: 7 } });
    expect(wrong.isError).toBe(true);
    expect(textOf(wrong)).toMatch(/^bad_/);
  });
});

describe('consent', () => {
  let patient: ServiceBench;
  beforeAll(async () => {
    patient = await startServiceBench();
  });
  afterAll(() => patient.close());

  const asking = async (decision: 'approve' | 'reject', options: ClientOptions, token = TOKEN) => {
    const asked: string[] = [];
    const client = await connect({ ...options, at: patient, token, capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { decision } };
    });
    return { client, asked };
  };

  it.each([
    ['the newest revision', NEWEST],
    ['the revision before', {}],
  ] as const)('is given by a person at the client, who sees the diff: %s', async (_name, options) => {
    const { client, asked } = await asking('approve', options);
    const done = await client.callTool(INSERT('Approved at the client.', patient.note));
    expect(done.structuredContent).toMatchObject({ status: 'success', written: { undoable: true } });
    expect(asked).toEqual([expect.stringContaining('+ Approved at the client.')]);
    expect(await read(client, patient.note)).toContain('Approved at the client.');
  });

  it('is refused by a person at the client', async () => {
    const { client } = await asking('reject', NEWEST);
    const refused = await client.callTool(INSERT('Never written.', patient.note));
    expect(refused).toMatchObject({ isError: true, structuredContent: { status: 'execution_rejected' } });
    expect(await read(client, patient.note)).not.toContain('Never written.');
  });

  it('of a change of the standing orders is asked for in the panel alone', async () => {
    const note = await patient.kernel<string>('/api/filetree/createDocWithMd', {
      notebook: patient.notebook,
      path: '/Orders',
      markdown: '',
    });
    await patient.json('/api/orders/note', { note });
    const { client, asked } = await asking('approve', NEWEST);
    const stop = new AbortController();
    const refused = expect(client.callTool(INSERT('## Mine', note), { signal: stop.signal })).rejects.toThrow();
    await expect.poll(() => patient.json('/api/chat/approvals')).toMatchObject([{ tool: 'insert_blocks' }]);
    stop.abort();
    await refused;
    expect(asked).toEqual([]);
    expect(await read(client, note)).not.toContain('Mine');
    await patient.json('/api/orders/note', { note: '' });
  });

  it('of a client whose token does not say so is not asked for there', async () => {
    const { token } = await tokenFor({ writes: true }, patient);
    const { client, asked } = await asking('approve', NEWEST, token);
    const stop = new AbortController();
    const call = client.callTool(INSERT('Only a person.', patient.note), { signal: stop.signal });
    const refused = expect(call).rejects.toThrow();
    await expect.poll(() => patient.json('/api/chat/approvals')).toMatchObject([{ tool: 'insert_blocks' }]);
    stop.abort();
    await refused;
    // Nobody waits for it any more.
    await expect.poll(() => patient.json('/api/chat/approvals')).toEqual([]);
    expect(asked).toEqual([]);
    expect(await read(client, patient.note)).not.toContain('Only a person.');
  });

  it('cannot be given in the name of another call', async () => {
    const { token } = await tokenFor({ writes: true, elicitation: true, name: 'Mallory' });
    const [mallory, victim] = [await connect({ ...NEWEST, token, name: 'Mallory' }), await connect(NEWEST)];
    const { id } = (await victim.callTool(INSERT('Not by Mallory.'))).structuredContent as unknown as Pending;
    await expect.poll(approvals).toHaveLength(1);
    const [approval] = await approvals();
    const stolen = await mallory.callTool({ name: 'pending_change', arguments: { id } });
    expect(textOf(stolen)).toMatch(/^not_found: /);
    const forged = await fetch(`${bench.url}/mcp`, {
      method: 'POST',
      headers: {
        ...{ Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
        ...{ 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'insert_blocks' },
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: {
          ...INSERT('x'),
          requestState: `${id}/${approval?.id}`,
          inputResponses: { consent: { action: 'accept', content: { decision: 'approve' } } },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'Claude Desktop', version: '1.0.0' },
            'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
          },
        },
      }),
    });
    expect(await forged.text()).toContain('not_found');
    expect(await approvals()).toHaveLength(1);
    expect(await read(victim)).not.toContain('Not by Mallory.');
  });

  it('comes from the policy file for what it names', async () => {
    const at = await startServiceBench({ policy: () => ({ allow: ['create_doc'], otherwise: 'reject' }) });
    try {
      const client = await connect({ at });
      const made = await client.callTool({ name: 'create_doc', arguments: { notebook: at.notebook, path: '/Inbox', markdown: 'Later.' } });
      expect(made.structuredContent).toMatchObject({ status: 'success' });
      const refused = await client.callTool(INSERT('No.', at.note));
      expect(refused.structuredContent).toEqual({ status: 'execution_rejected', text: textOf(refused) });
    } finally {
      await at.close();
    }
  });
});

describe('a token of a client’s own', () => {
  it('is refused everywhere but at /mcp, and when it was taken away', async () => {
    const { id, token } = await tokenFor({ writes: true });
    const client = await connect({ token, name: 'Somebody else' });
    expect(await read(client)).toContain('A chat in the margin.');
    for (const path of ['/api/chat/approvals', '/api/chat/sessions', '/api/mcp/clients'])
      expect((await bench.fetch(path, { headers: { Authorization: `Bearer ${token}` } })).status, path).toBe(401);
    const list = await bench.fetch('/api/mcp/clients');
    expect(await list.text()).not.toContain(token);
    await client.callTool(INSERT('Too late.'));
    await expect.poll(approvals).toMatchObject([{ tool: 'insert_blocks' }]);
    const chats = await bench.json<{ title: string }[]>('/api/chat/sessions');
    expect(chats.map(({ title }) => title)).toContain('Cursor');

    expect(await (await bench.fetch(`/api/mcp/clients/${id}`, { method: 'DELETE' })).json()).toEqual({ removed: true });
    await expect(client.listTools()).rejects.toThrow();
    await expect(connect({ token })).rejects.toThrow();
    await expect.poll(approvals).toEqual([]);
  });

  it('adds notes to a notebook of which it sees nothing', async () => {
    const { token } = await tokenFor({ writes: true, notebooks: { [bench.notebook]: 'create' } });
    const client = await connect({ ...NEWEST, token });
    expect(textOf(await client.callTool({ name: 'list_notebooks', arguments: {} }))).toContain('rights: create');
    expect(await read(client)).not.toContain('A chat in the margin.');
    expect((await client.listResources()).resources).toEqual([]);
    const path = { notebook: 'Work', path: '/Filed', markdown: 'From outside.' };
    const waiting = await client.callTool({ name: 'create_doc', arguments: path });
    expect(textOf(waiting)).toMatch(/^pending: /u);
    await expect.poll(approvals).toMatchObject([{ tool: 'create_doc', plan: { notices: [{ code: 'new-notes-only' }] } }]);
    const [approval] = await approvals();
    await bench.json(`/api/chat/approvals/${approval?.id}`, { decision: 'approve' });
    const filed = () => bench.kernel<string[]>('/api/filetree/getIDsByHPath', { notebook: bench.notebook, path: '/Filed' });
    await expect.poll(async () => (await filed()).length).toBe(1);
    expect(await read(client, (await filed())[0])).toMatch(/^not_found/u);
  });

  it('reads only, unless it says otherwise', async () => {
    const { token } = await tokenFor({});
    const client = await connect({ token });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('edit_block');
    await expect(client.callTool(INSERT('No.'))).rejects.toThrow('there is no tool');
    const appended = await client.callTool({ name: 'daily_note', arguments: { op: 'append', notebook: bench.notebook, markdown: 'No.' } });
    expect(textOf(appended)).toMatch(/^no_right: /);
    expect(await approvals()).toEqual([]);
  });

  it('opens the notebooks that it names, and never more than the workspace does', async () => {
    const { notebook } = await bench.kernel<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Private' });
    const path = { notebook: notebook.id, path: '/Diary', markdown: 'Nobody reads this.' };
    const diary = await bench.kernel<string>('/api/filetree/createDocWithMd', path);
    const { token } = await tokenFor({ writes: true, notebooks: { [bench.notebook]: 'read' } });
    const client = await connect({ ...NEWEST, token });
    expect(await read(client)).toContain('A chat in the margin.');
    expect(await read(client, diary)).not.toContain('Nobody reads this.');
    const notebooks = textOf(await client.callTool({ name: 'list_notebooks', arguments: {} }));
    expect(notebooks).toContain('Work');
    expect(notebooks).not.toContain('Private');
    const { resources } = await client.listResources();
    expect(resources.map(({ name }) => name)).not.toContain('Diary');
    await client.callTool(INSERT('Beyond its right.'));
    await expect.poll(approvals).toMatchObject([{ plan: { needsRight: 'write' } }]);

    await bench.settings({ notebooks: { [bench.notebook]: 'none' } });
    expect(await read(client)).not.toContain('A chat in the margin.');
    await bench.settings({});
  });

  it('is kept over a restart, and a damaged file of them opens nothing', async () => {
    const at = await startServiceBench();
    try {
      const { token } = await tokenFor({}, at);
      await at.restart();
      const client = await connect({ token, at });
      expect(await read(client, at.note)).toContain('A chat in the margin.');
    } finally {
      await at.close();
    }
  });
});

describe('a hostile client', () => {
  const INITIALIZE = {
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  };
  const post = (body: object | string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${bench.url}/mcp`, {
      method: 'POST',
      headers: {
        ...{ Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  it('without a token, with a wrong one, or from a foreign page gets nothing', async () => {
    expect((await post(INITIALIZE, { Authorization: '' })).status).toBe(401);
    const wrong = await post(INITIALIZE, { Authorization: 'Bearer mcp_wrong' });
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect((await post(INITIALIZE, { Origin: 'https://evil.example' })).status).toBe(403);
    expect((await post(INITIALIZE, { Origin: 'https://allowed.example' })).status).toBe(200);
  });

  it('cannot use or end the session of another', async () => {
    const session = (await post(INITIALIZE)).headers.get('mcp-session-id') ?? '';
    expect(session).not.toBe('');
    const { token } = await tokenFor({});
    const theirs = { Authorization: `Bearer ${token}`, 'Mcp-Session-Id': session };
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };
    expect((await post(list, theirs)).status).toBe(404);
    expect((await fetch(`${bench.url}/mcp`, { method: 'DELETE', headers: theirs })).status).toBe(404);
    expect((await post(list, { 'Mcp-Session-Id': session })).status).toBe(200);
  });

  it('cannot take all sessions, nor make calls without end', async () => {
    const { token } = await tokenFor({ writes: true });
    const headers = { Authorization: `Bearer ${token}` };
    const sessions: string[] = [];
    for (let count = 0; count < 21; count += 1) sessions.push((await post(INITIALIZE, headers)).headers.get('mcp-session-id') ?? '');
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };
    const statusOf = async (id = '') => (await post(list, { ...headers, 'Mcp-Session-Id': id })).status;
    // The oldest one ended for the last.
    expect([await statusOf(sessions.at(0)), await statusOf(sessions.at(1)), await statusOf(sessions.at(-1))]).toEqual([404, 200, 200]);
    const client = await connect(NEWEST);
    const results: string[] = [];
    for (let count = 0; count < 21; count += 1) results.push(textOf(await client.callTool(INSERT(`${count}`))));
    expect(results.slice(0, 20).every((text) => text.startsWith('pending: '))).toBe(true);
    expect(results.at(-1)).toMatch(/^too_many: /);
    for (let count = 0; count < 20; count += 1) {
      await expect.poll(approvals).toHaveLength(1);
      const [{ id = '' } = {}] = await approvals();
      await bench.json(`/api/chat/approvals/${id}`, { decision: 'reject' });
      await expect.poll(async () => (await approvals()).some((approval) => approval.id === id)).toBe(false);
    }
  });

  it('cannot send a body without end, or one that is not JSON', async () => {
    expect((await post(`"${'x'.repeat(11 * 1024 * 1024)}"`)).status).toBe(413);
    expect((await post('{')).status).toBe(400);
    expect((await post(INITIALIZE, { 'Content-Type': 'text/plain' })).status).toBe(415);
  });
});
