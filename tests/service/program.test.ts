// The built service, as somebody starts it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildService } from '../../esbuild.config.mjs';
import { createPageReader } from '../../src/desktop/web/page-reader.ts';
import { readMcpServers } from '../../src/features/mcp-client/settings/mcp-servers.ts';
import type { MessageView } from '../../src/service/chats/messages.ts';
import { openRecords } from '../../src/service/records/records.ts';
import { openServers } from '../mcp/support.ts';
import { pdfOfText } from '../support/pdf.ts';
import { allEvents, eventsOf, nextEvent, type ServiceBench, startServiceBench, textOf } from './support.ts';

const ACTIVITY = '/data/storage/petal/siyuan-marginalia/activity';
const JOURNAL = '/data/storage/petal/siyuan-marginalia/journal/killed';

let bench: ServiceBench;
let folder = '';
let file = '';
beforeAll(async () => {
  bench = await startServiceBench();
  folder = mkdtempSync(join(tmpdir(), 'marginalia-program-'));
  ({ file } = await buildService(join(folder, 'dist-service')));
});
afterAll(async () => {
  await bench.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Whether another service uses the folder. */
function openRecordsIn(data: string): string {
  try {
    openRecords({ folder: data, keepDays: 1, now: Date.now, log: () => undefined }).close();
    return 'free';
  } catch {
    return 'used';
  }
}

interface Running {
  readonly child: ChildProcess;
  /** All that it has written. */
  readonly output: () => string;
  readonly ended: Promise<number | null>;
}

function run(flags: readonly string[], environment: Record<string, string>): Running {
  const child = spawn(process.execPath, [file, ...flags], { cwd: folder, env: { PATH: process.env.PATH, ...environment } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      output += part;
    });
  return { child, output: () => output, ended: new Promise((resolve) => child.once('exit', resolve)) };
}

it('answers in front of a kernel without the source tree, ends when it is told to, and prints no secret', async () => {
  const flags = ['--kernel', bench.host.url, '--port', '0', '--data', join(folder, 'data')];
  const secrets = {
    MARGINALIA_SERVICE_TOKEN: 'secret-of-service',
    MARGINALIA_KERNEL_TOKEN: 'the-token-of-the-kernel',
    OPENAI_API_KEY: 'secret-of-model',
  };
  const { child, output, ended } = run(flags, { ...secrets, OPENAI_BASE_URL: bench.model.baseURL, OPENAI_MODEL: 'scripted' });
  await expect.poll(output).toMatch(/ready http:\S+/);
  const url = /ready (\S+)/.exec(output())?.[1] ?? '';
  // The first call needs Lute, which is beside the program.
  const create = { name: 'create_doc', args: { notebook: 'Work', path: '/From the program', markdown: '**Bold.**' } };
  bench.model.push({ calls: [create] }, { text: 'Not now.' });
  const headers = { Authorization: 'Bearer secret-of-service' };
  const sent = fetch(`${url}/api/chat/send`, { method: 'POST', headers, body: '{"message":"Make it."}' });
  const waiting = async () => (await (await fetch(`${url}/api/chat/approvals`, { headers })).json()) as { id: string }[];
  await expect.poll(async () => (await waiting()).length).toBe(1);
  const [{ id } = { id: '' }] = await waiting();
  await fetch(`${url}/api/chat/approvals/${id}`, { method: 'POST', headers, body: '{"decision":"approve"}' });
  const events = await allEvents(await sent);
  expect(textOf(events)).toBe('Not now.');
  expect(events.map(({ event }) => event)).toContain('tool_complete');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  for (const secret of Object.values(secrets)) expect(output()).not.toContain(secret);
  expect(readdirSync(join(folder, 'data'))).toEqual(['device', 'records.db']);
});

it('speaks MCP with the program that starts it, opens no port without a token, and ends with it', async () => {
  const data = join(folder, 'stdio-data');
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [file, '--stdio', '--kernel', bench.host.url, '--data', data],
    env: { PATH: process.env.PATH ?? '', MARGINALIA_KERNEL_TOKEN: 'the-token-of-the-kernel' },
    stderr: 'pipe',
  });
  let logged = '';
  transport.stderr?.on('data', (part: Buffer) => {
    logged += part;
  });
  const client = new Client({ name: 'Inspector', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { decision: 'approve' } }));
  await client.connect(transport);
  const args = { notebook: 'Work', path: '/Over stdio', markdown: 'Said on a pipe.' };
  const made = await client.callTool({ name: 'create_doc', arguments: args });
  expect(made.structuredContent).toMatchObject({ status: 'success' });
  const { contents } = await client.readResource({ uri: 'siyuan://notes/Over%20stdio' });
  expect(contents).toEqual([expect.objectContaining({ text: expect.stringContaining('Said on a pipe.') })]);
  expect(logged.trim()).toBe('ready');
  await client.close();
  // Its folder is free again.
  await expect.poll(() => openRecordsIn(data)).toBe('free');
});

it('is set up in other programs as the guide says', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/guide/programs.md'), 'utf8');
  const blocks = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  expect(blocks).toHaveLength(3);
  const { token } = await bench.json<{ token: string }>('/api/mcp/clients', { name: 'Cursor' });
  for (const block of blocks) {
    const own = block
      .replaceAll('http://127.0.0.1:6810', bench.url)
      .replaceAll('mcp_…', token)
      .replace('"command": "marginalia-service"', `"command": ${JSON.stringify(process.execPath)}`)
      .replace('"--stdio"', `${JSON.stringify(file)}, "--stdio", "--port", "0"`)
      .replace('http://127.0.0.1:6806', bench.host.url)
      .replace('/path/to/marginalia-claude', join(folder, 'claude-data'))
      .replaceAll('"…"', '"the-token-of-the-kernel"');
    const servers = openServers();
    await servers.use(readMcpServers(JSON.parse(own)).servers);
    expect(servers.states()).toEqual([{ name: 'marginalia', tools: expect.any(Number) }]);
    expect(servers.groups()[0]?.tools.length).toBeGreaterThan(10);
    await servers.close();
  }
});

it('reads web pages and PDFs without the source tree', async () => {
  const reader = createPageReader({ program: join(folder, 'dist-service', 'page-reader.mjs') });
  const { signal } = new AbortController();
  const page = (body: string | Uint8Array) => ({ url: new URL('https://example.org/'), contentType: '', bytes: Buffer.from(body) });
  expect((await reader.read(page('<h1>Tides</h1>'), signal)).markdown).toBe('# Tides');
  expect((await reader.readPdf(pdfOfText('High water')))?.texts).toEqual(['High water']);
});

it('that is killed in the middle of an answer finds it when it starts again, and the chat goes on', async () => {
  const flags = ['--kernel', bench.host.url, '--port', '0', '--data', join(folder, 'data'), '--token', 'secret-of-service'];
  const environment = {
    MARGINALIA_KERNEL_TOKEN: 'the-token-of-the-kernel',
    OPENAI_BASE_URL: bench.model.baseURL,
    OPENAI_MODEL: 'scripted',
  };
  const headers = { Authorization: 'Bearer secret-of-service' };
  const start = async () => {
    const running = run(flags, environment);
    await expect.poll(running.output).toMatch(/ready http:\S+/);
    return { ...running, chat: `${/ready (\S+)/.exec(running.output())?.[1]}/api/chat` };
  };
  const create = { name: 'create_doc', args: { notebook: 'Work', path: '/Never', markdown: 'x' } };
  bench.model.push({ text: 'I will make it.', calls: [create] });
  const first = await start();
  const body = JSON.stringify({ session_id: 'killed', message: 'Make it.' });
  const events = eventsOf(await fetch(`${first.chat}/send`, { method: 'POST', headers, body }));
  const { data } = await nextEvent(events, 'approval_request');
  // Killed once the journal has the call.
  const journal = async () => {
    const entries = await bench.kernel<{ name: string }[]>('/api/file/readDir', { path: JOURNAL });
    return (await Promise.all(entries.map(({ name }) => bench.read(`journal/killed/${name}`)))).join();
  };
  await expect.poll(journal).toContain('create_doc');
  first.child.kill('SIGKILL');
  await first.ended;
  const second = await start();
  const messages = async () => (await (await fetch(`${second.chat}/sessions/killed/messages`, { headers })).json()) as MessageView[];
  expect((await messages()).at(-1)).toMatchObject({ status: 'interrupted', tool_calls: [{ id: data.call_id, status: 'interrupted' }] });
  const record = await (await fetch(`${second.chat}/tool-calls/${data.call_id}`, { headers })).json();
  expect(record).toMatchObject({
    tool_name: 'create_doc',
    status: 'interrupted',
    error: { code: 'interrupted' },
    user_message: 'Make it.',
  });
  // In the panel's list, too.
  const listed = async () => {
    const files = await bench.kernel<{ name: string }[]>('/api/file/readDir', { path: ACTIVITY }).catch(() => []);
    return (await Promise.all(files.map(({ name }) => bench.read(`activity/${name}`)))).join();
  };
  await expect.poll(listed).toMatch(/"toolName":"create_doc".*"status":"interrupted"/);
  // Meanwhile the folder is this one's alone.
  const third = run(flags, environment);
  expect(await third.ended).toBe(2);
  expect(third.output()).toMatch(new RegExp(`^data_in_use: process ${second.child.pid} has .*→`));
  bench.model.push({ text: 'It was not made.' });
  const again = await fetch(`${second.chat}/send`, { method: 'POST', headers, body });
  expect(textOf(await allEvents(again))).toBe('It was not made.');
  expect(await messages()).toHaveLength(4);
  second.child.kill('SIGTERM');
  expect(await second.ended).toBe(0);
});

it('takes no more answers than it has memory for: the others are refused, and none that runs is lost', async () => {
  const flags = ['--kernel', bench.host.url, '--port', '0', '--data', join(folder, 'small'), '--token', 'secret-of-service'];
  const { child, output, ended } = run(flags, {
    NODE_OPTIONS: '--max-old-space-size=64',
    MARGINALIA_KERNEL_TOKEN: 'the-token-of-the-kernel',
    OPENAI_BASE_URL: bench.model.baseURL,
    OPENAI_MODEL: 'scripted',
  });
  await expect.poll(output).toMatch(/ready http:\S+/);
  const chat = `${/ready (\S+)/.exec(output())?.[1]}/api/chat`;
  const headers = { Authorization: 'Bearer secret-of-service' };
  const ask = (id: string) =>
    fetch(`${chat}/send`, { method: 'POST', headers, body: JSON.stringify({ session_id: id, message: 'Write.' }) });
  let release = (): void => undefined;
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  bench.model.otherwise({ text: 'x'.repeat(1_000_000), piece: 10_000, hold });
  const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => ask(`small-${at}`)));
  const refused = answers.filter(({ status }) => status === 503);
  const taken = answers.filter(({ status }) => status === 200);
  expect([refused.length > 0, taken.length > 1, refused.length + taken.length]).toEqual([true, true, 40]);
  for (const response of refused)
    expect(await response.json()).toEqual({
      error: {
        code: 'memory_full',
        message: expect.stringMatching(/question was not taken/),
        next: expect.stringMatching(/send it again/),
      },
    });
  release();
  for (const events of await Promise.all(taken.map(allEvents)))
    expect([textOf(events).length, events.at(-1)?.event]).toEqual([1_000_000, 'done']);
  const [again] = answers.flatMap(({ status }, at) => (status === 503 ? [`small-${at}`] : []));
  expect(textOf(await allEvents(await ask(again ?? '')))).toHaveLength(1_000_000);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

it('does not start in front of nothing, or as it may not, and says why', async () => {
  const gone = run(['--kernel', 'http://127.0.0.1:1', '--token', 'secret-of-service'], {});
  expect(await gone.ended).toBe(1);
  expect(gone.output()).toMatch(/^kernel_unreachable: .*→/);
  const help = run(['--help'], {});
  expect(await help.ended).toBe(0);
  expect(help.output()).toMatch(/^usage: marginalia-service --kernel URL .*--demo/s);
  const bad = run(['--kernel', bench.host.url], {});
  expect(await bad.ended).toBe(2);
  expect(bad.output()).toMatch(/^missing: --token/);
});

const NEVER_OPENED = {
  'a folder below one in which none can be made': () => '/proc/nothing/data',
  'a folder with a pipe in the place of records.db': (path: string) => withPipe(path, 'records.db'),
  'a folder with a pipe in the place of device': (path: string) => withPipe(path, 'device'),
  'no name': () => '',
} as const;

function withPipe(path: string, name: string): string {
  mkdirSync(path);
  execFileSync('mkfifo', [join(path, name)]);
  return path;
}

it.each(Object.keys(NEVER_OPENED) as (keyof typeof NEVER_OPENED)[])('never waits for its folder, and says why: %s', async (which) => {
  const data = NEVER_OPENED[which](join(folder, which.replaceAll(' ', '-')));
  const { ended, output } = run(['--kernel', bench.host.url, '--token', 'secret-of-service', '--data', data], {});
  expect(await ended).toBe(2);
  expect(output()).toMatch(/^bad_(?:data|value): [^\n]+ → name [^\n]+\n$/);
});
