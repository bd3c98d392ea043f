// Two services, each a process of its own, on one workspace: one runs the orders. Their clock and their looks are the test's.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { KERNEL_TOKEN, type ServiceBench, startServiceBench } from './support.ts';

/** A Thursday, 06:00 where the tests run. */
const START = new Date(2026, 10, 26, 6, 0).getTime();
const HOUR = 3_600_000;
const ORDER = '## Sort\n\n- When: every day at 7\n\nAdd a line to the README.';

interface Program {
  readonly child: ChildProcess;
  /** One look at what is due; `settle`: resolves when that has run. */
  look(now: number, settle?: boolean): Promise<void>;
  /** Resolves when it is gone. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

let bench: ServiceBench;
let folder = '';
let one: Program;
let two: Program;

async function startProgram(name: string): Promise<Program> {
  const args = [bench.host.url.replace(/\/$/, ''), KERNEL_TOKEN, bench.model.baseURL, join(folder, name)];
  const child = fork(join(import.meta.dirname, 'order-process.ts'), args, { execArgv: [] });
  const ended = once(child, 'exit');
  await Promise.race([once(child, 'message'), ended.then(() => Promise.reject(new Error(`the service ${name} did not start`)))]);
  return {
    child,
    async look(now, settle = true) {
      const looked = once(child, 'message');
      child.send({ now, settle });
      await looked;
    },
    async end(signal) {
      child.kill(signal);
      await ended;
    },
  };
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marginalia-order-processes-'));
  // Its service looks at nothing by itself: it is the person's, who decides about what the others propose.
  bench = await startServiceBench({ orders: { everyMs: 0 } });
  const note = await bench.kernel('/api/filetree/createDocWithMd', { notebook: bench.notebook, path: '/Orders', markdown: ORDER });
  await bench.json('/api/orders/note', { note });
  [one, two] = await Promise.all([startProgram('one'), startProgram('two')]);
  await one.look(START);
  await two.look(START);
});
afterEach(async () => {
  await Promise.all([one.end('SIGKILL'), two.end('SIGKILL')]);
  await bench.close();
  rmSync(folder, { recursive: true, force: true });
});

const insert = (markdown: string) => ({ name: 'insert_blocks', args: { anchor: bench.note, position: 'append', markdown } });
const textOf = async (id: string) => (await bench.kernel<{ content: string }>('/api/export/exportMdContent', { id })).content;
const inbox = () =>
  bench.json<{ id: string; run: string; approval?: { plan: { operations: { after: string }[] } } }[]>('/api/orders/inbox');

interface SavedRun {
  readonly id: string;
  readonly attempt: number;
  readonly status: string;
  readonly proposals: readonly { readonly status: string }[];
}

/** In the order in which they were begun. */
async function runs(): Promise<readonly SavedRun[]> {
  const path = '/data/storage/petal/siyuan-marginalia/orders/runs';
  const names = (await bench.kernel<{ name: string }[]>('/api/file/readDir', { path })).map(({ name }) => name);
  const texts = await Promise.all(names.sort().map((name) => bench.read(`orders/runs/${name}`)));
  return texts.map((text) => JSON.parse(text ?? ''));
}

const shortOf = ({ attempt, status, proposals }: SavedRun) => [attempt, status, proposals.map((each) => each.status)];

/** The first program is in the middle of a run: it has proposed, and the model has not answered yet. */
async function reachMiddle(): Promise<() => void> {
  let release = (): void => undefined;
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  bench.model.push({ calls: [insert('From the first.')] }, { text: 'Let me think about that.', hold });
  await one.look(START + 2 * HOUR, false);
  await expect.poll(() => bench.model.requests.length).toBe(2);
  await expect.poll(async () => (await runs()).map(shortOf)).toEqual([[1, 'running', ['pending']]]);
  return release;
}

/** The second program finds the other's lease unchanged until it counts as dead. */
async function takeOver(): Promise<void> {
  for (let look = 0; look < 8; look += 1) await two.look(START + 2 * HOUR + look * 20_000);
}

it('a process that is killed in the middle of a run leaves nothing behind, and the other makes that run again once', async () => {
  const before = await textOf(bench.note);
  const release = await reachMiddle();
  await two.look(START + 2 * HOUR);
  await one.end('SIGKILL');
  release();
  bench.model.push({ calls: [insert('From the second.')] }, { text: 'I proposed a line.' });
  await takeOver();
  expect((await runs()).map(shortOf)).toEqual([
    [1, 'cut_off', ['dropped']],
    [2, 'done', ['pending']],
  ]);
  expect(bench.model.requests).toHaveLength(4);
  expect((await inbox()).map(({ approval }) => approval?.plan.operations.map(({ after }) => after))).toEqual([['From the second.']]);
  expect(await textOf(bench.note)).toBe(before);
});

it('a process that stands still in the middle of a run, and wakes up when another has made it, proposes nothing more, until the other ends and lets it run', async () => {
  const release = await reachMiddle();
  bench.model.push({ calls: [insert('From the second.')] }, { text: 'I proposed a line.' });
  await takeOver();
  bench.model.push({ calls: [insert('Too late.')] }, { text: 'Done.' });
  release();
  await one.look(START + 3 * HOUR);
  expect((await runs()).map(shortOf)).toEqual([
    [1, 'cut_off', ['dropped']],
    [2, 'done', ['pending']],
  ]);
  expect((await inbox()).map(({ approval }) => approval?.plan.operations.map(({ after }) => after))).toEqual([['From the second.']]);
  await two.end('SIGTERM');
  bench.model.clear();
  bench.model.otherwise({ text: 'Nothing to do.' });
  await one.look(START + 26 * HOUR);
  expect((await runs()).map(shortOf).at(-1)).toEqual([1, 'done', []]);
});
