// The official suite of MCP against our server and our client, as tests/mcp/README.md says.
import { execFile, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { EvalOptions, EvalRow } from '../part.ts';
import { setFolder } from '../sets.ts';

const VERSION = '0.2.0-alpha.12';
const REVISIONS = ['2025-11-25', '2026-07-28'];
const SUITE_MS = 300_000;
/** Not offered, and not declared as offered. */
const NOT_OFFERED = ['completion-complete', 'logging-set-level', 'tools-call-with-logging', 'resources-subscribe', 'resources-unsubscribe'];
const tests = join(import.meta.dirname, '../../tests/mcp');

interface Summary {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
}

/** The required scenarios of what the suite prints. */
export function summaryOf(printed: string): Summary {
  const [, summary = ''] = printed.split(/^=== (?:SUITE )?SUMMARY ===$/mu);
  const [scored = '', rest = ''] = summary.split(/^Not scored for/mu);
  const others = [...rest.matchAll(/^ {2}[✓✗] (\S+)/gmu)].map(([, name]) => name);
  const all = [...scored.matchAll(/^([✓✗]) (\S+):/gmu)].filter(([, , name]) => !others.includes(name));
  const named = (sign: string): string[] => all.flatMap(([, each, name = '']) => (each === sign ? [name] : []));
  return { passed: named('✓'), failed: named('✗') };
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** Prints what it found wrong, and fails then. */
const suite = (folder: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const program = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
    execFile(process.execPath, [program, ...args], { timeout: SUITE_MS, maxBuffer: 2 ** 26, cwd: folder }, (error, stdout, stderr) => {
      const printed = `${stdout}\n${stderr}`;
      if (printed.includes('SUMMARY ===') || printed.includes('Test Results')) resolve(printed);
      else reject(error ?? new Error(`the suite printed no summary: ${printed.slice(-300)}`));
    });
  });

function rowOf(who: string, revision: string, { passed, failed }: Summary): EvalRow {
  const unknown = failed.filter((name) => !NOT_OFFERED.includes(name));
  return {
    ...{ set: '@modelcontextprotocol/conformance', version: VERSION, measured: `${who}, required scenarios of ${revision}` },
    ...{ cases: passed.length + failed.length, ours: `${passed.length} pass`, wanted: 'named exceptions only' },
    ...{ holds: unknown.length === 0, failed: unknown },
    ...(failed.length > unknown.length
      ? { reason: `not offered, and not declared as offered: ${failed.filter((name) => !unknown.includes(name)).join(', ')}` }
      : {}),
  };
}

async function serverRow(folder: string, revision: string): Promise<EvalRow> {
  const port = await freePort();
  const server = spawn(process.execPath, [join(tests, 'conformance-server.ts'), String(port)], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    await new Promise((resolve) => server.stdout.once('data', resolve));
    const printed = await suite(folder, ['server', '--url', `http://127.0.0.1:${port}/mcp`, '--requirements', revision]);
    return rowOf('our server', revision, summaryOf(printed));
  } finally {
    server.kill();
  }
}

async function clientRow(folder: string, revision: string): Promise<EvalRow> {
  const command = `${process.execPath} ${join(tests, 'conformance-client.ts')}`;
  const { passed, failed } = summaryOf(await suite(folder, ['client', '--command', command, '--requirements', revision]));
  // The suite starts all its programs at once: what fails is asked once more, alone.
  const still: string[] = [];
  for (const name of failed) {
    const alone = await suite(folder, ['client', '--command', command, '--scenario', name, '--requirements', revision]).catch(() => '');
    if (!/Failed: 0\b|, 0 failed/u.test(alone)) still.push(name);
  }
  return rowOf('our client', revision, { passed: [...passed, ...failed.filter((name) => !still.includes(name))], failed: still });
}

/** Only of the fetched suite: it is a program, of which there is no part to commit. */
export async function mcpRows(options: EvalOptions): Promise<readonly EvalRow[]> {
  if (!options.full) return [];
  const folder = setFolder(options, 'mcp-conformance', `npm install @modelcontextprotocol/conformance@${VERSION} in it`);
  const rows: EvalRow[] = [];
  for (const revision of REVISIONS) rows.push(await serverRow(folder, revision), await clientRow(folder, revision));
  return rows;
}
