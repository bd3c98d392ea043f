// What a release carries of the service, as somebody uses it who has neither the source nor a registry: with npm, and by the steps of the Dockerfile.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildService } from '../../esbuild.config.mjs';
import { deployFiles, packService } from '../../scripts/package.ts';
import { KERNEL_TOKEN, type ServiceBench, startServiceBench, TOKEN } from '../service/support.ts';
import { freePort } from '../support/free-port.ts';

let bench: ServiceBench;
let folder = '';
let packed = '';
/** No registry is asked, and no file outside the folder is used. */
const environment = (more: Record<string, string> = {}) => ({
  PATH: process.env.PATH,
  HOME: folder,
  ...{ npm_config_offline: 'true', npm_config_update_notifier: 'false', npm_config_cache: join(folder, 'npm-cache') },
  ...more,
});

beforeAll(async () => {
  bench = await startServiceBench();
  folder = mkdtempSync(join(tmpdir(), 'marginalia-package-'));
  const { file } = await buildService(join(folder, 'built'));
  packed = join(folder, packService(dirname(file), folder));
});
afterAll(async () => {
  await bench.close();
  rmSync(folder, { recursive: true, force: true });
});

const TOKENS = { MARGINALIA_SERVICE_TOKEN: TOKEN, MARGINALIA_KERNEL_TOKEN: KERNEL_TOKEN };

/** Starts it until `use` has ended; it has to end by itself when it is told to. */
async function whileRuns(
  [command = '', ...flags]: readonly string[],
  use: (url: string, child: ChildProcess) => Promise<void>,
): Promise<void> {
  const child = spawn(command, flags, { cwd: folder, env: environment(TOKENS) });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part));
  await expect.poll(() => output).toMatch(/ready http:\S+/);
  await use(/ready (\S+)/.exec(output)?.[1] ?? '', child);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
}

/** Lets a program read by MCP, as Claude Desktop and others do. */
async function readsNotes(url: string): Promise<void> {
  const client = new Client({ name: 'cursor', version: '1' });
  const headers = { Authorization: `Bearer ${TOKEN}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  const { content } = await client.callTool({ name: 'search_notes', arguments: { query: 'margin' } });
  expect(JSON.stringify(content)).toContain('siyuan://blocks/');
  await client.close();
}

it('installs from its file with nothing beside it, says what it can do, and answers a program', async () => {
  const app = join(folder, 'app');
  mkdirSync(app);
  const npm = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: app, env: environment(), encoding: 'utf8' });
  npm('npm', 'install', packed);
  const installed = join(app, 'node_modules');
  expect(readdirSync(installed).filter((name) => !name.startsWith('.'))).toEqual(['marginalia-service']);
  expect(readdirSync(join(installed, 'marginalia-service'))).toEqual([
    ...['LICENSE', 'README.md', 'lute.min.js', 'package.json', 'page-reader.mjs', expect.stringMatching(/^pdfjs-\w+\.mjs$/)],
    ...['program.mjs', 'service.mjs'],
  ]);
  const manifest = JSON.parse(readFileSync(join(installed, 'marginalia-service/package.json'), 'utf8'));
  expect(manifest).toMatchObject({ bin: { 'marginalia-service': 'service.mjs' }, engines: { node: expect.stringMatching(/^>=\d/) } });
  expect(Object.keys(manifest).filter((key) => /dependencies|scripts/i.test(key))).toEqual([]);
  expect(npm('npx', 'marginalia-service', '--help')).toMatch(/^usage: marginalia-service --kernel URL/);
  const flags = ['--kernel', bench.host.url, '--port', '0', '--data', join(folder, 'data')];
  await whileRuns([join(installed, '.bin/marginalia-service'), ...flags], readsNotes);
});

/** Steps of a Dockerfile, in order; a list in JSON is what it says. */
function stepsOf(text: string): readonly { readonly name: string; readonly value: string; readonly list: readonly string[] }[] {
  const lines = text.split('\n').filter((line) => /^[A-Z]/.test(line));
  return lines.map((line) => {
    const [, name = '', value = ''] = /^(\w+) (.*)$/.exec(line) ?? [];
    const list: unknown = value.includes('["') ? JSON.parse(value.slice(value.indexOf('["'))) : [];
    return { name, value, list: list as string[] };
  });
}

/** Does what Docker does, with a folder in the place of the image's root. */
function buildImage(context: string, image: string, dockerfile: string): ReturnType<typeof stepsOf> {
  for (const path of ['tmp', 'home/node']) mkdirSync(join(image, path), { recursive: true });
  const steps = stepsOf(dockerfile);
  const inImage = (words: string): string => words.replaceAll(/(?<=^|\s)\//g, `${image}/`);
  const sh = (command: string) =>
    execFileSync('sh', ['-ec', command], {
      cwd: context,
      env: environment({ npm_config_prefix: join(image, 'usr/local') }),
      stdio: 'pipe',
    });
  for (const { name, value } of steps) {
    if (name === 'FROM') expect(Number(/^node:(\d+)-slim$/.exec(value)?.[1])).toBeGreaterThanOrEqual(24);
    if (name === 'COPY') sh(`cp ${inImage(value)}`);
    if (name === 'RUN') sh(inImage(value));
  }
  expect(new Set(steps.map(({ name }) => name))).toEqual(
    new Set(['FROM', 'COPY', 'RUN', 'USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD']),
  );
  return steps;
}

it('becomes an image by the steps of its Dockerfile, in a folder that holds what is unpacked, and is found healthy as long as it runs', async () => {
  const context = join(folder, 'unpacked');
  for (const [name, bytes] of deployFiles(packed)) {
    mkdirSync(dirname(join(context, name)), { recursive: true });
    writeFileSync(join(context, name), bytes);
  }
  expect(readdirSync(join(context, 'marginalia'))).toEqual(expect.arrayContaining(['Dockerfile', 'compose.yaml', 'env.example']));
  const image = join(folder, 'image');
  // Another program may have the port on this machine, and SiYuan is at another address.
  const port = String(await freePort());
  const text = readFileSync(join(context, 'marginalia/Dockerfile'), 'utf8').replaceAll('6810', port);
  const steps = buildImage(join(context, 'marginalia'), image, text.replace('http://siyuan:6806', bench.host.url));
  const listOf = (step: string): readonly string[] => steps.find(({ name }) => name === step)?.list ?? [];
  const volume = steps.find(({ name }) => name === 'VOLUME')?.value ?? '';
  const [program = '', ...flags] = [...listOf('ENTRYPOINT'), ...listOf('CMD')];
  expect(flags).toContain(volume);
  const healthy = (): number | null => {
    const [command = '', ...args] = listOf('HEALTHCHECK');
    return spawnSync(command, args, { env: environment() }).status;
  };
  expect(healthy()).toBe(1);
  const started = [join(image, 'usr/local/bin', program), ...flags.map((flag) => (flag === volume ? join(image, volume) : flag))];
  await whileRuns(started, async () => {
    await expect.poll(healthy).toBe(0);
    await readsNotes(`http://127.0.0.1:${port}`);
  });
  expect(readdirSync(join(image, volume))).toEqual(['device', 'records.db']);
});
