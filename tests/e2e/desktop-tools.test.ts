// The built part for SiYuan's desktop app, which only the app can load: here it gets the `require` that the app gives its pages.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { openDesktop } from '../../src/app/groups/desktop-features.ts';
import { APP_NODE } from '../../src/desktop/app-node.ts';
import { HeadlessApprovalAdapter, toolExecutorFactory } from '../../src/tools/index.ts';
import { asListed } from '../support/desktop-page.ts';

const dist = join(import.meta.dirname, '..', '..', 'dist');
const scripts = readdirSync(dist).filter((name) => name.endsWith('.js'));
const part = scripts.find((name) => name.startsWith('desktop-features-')) ?? '';
const partsWith = (text: string): string[] => scripts.filter((name) => readFileSync(join(dist, name), 'utf8').includes(text));

let workspace: string;
beforeAll(() => {
  workspace = mkdtempSync(join(tmpdir(), 'marginalia-desktop-'));
});
afterAll(() => {
  Reflect.deleteProperty(globalThis, 'require');
  rmSync(workspace, { recursive: true, force: true });
});

it('starts programs in one file, and asks the app for its modules in those that are loaded when they are needed', () => {
  expect(partsWith('node:child_process')).toHaveLength(1);
  expect(partsWith('globalThis.require')).toEqual(expect.arrayContaining([part, ...partsWith('node:child_process')]));
  const atStart = scripts.filter((name) => /^(?:index|panel-|notes-and-model-|pages-)/u.test(name));
  expect(atStart.filter((name) => partsWith('globalThis.require').includes(name))).toEqual([]);
  for (const name of scripts) expect(readFileSync(join(dist, name), 'utf8')).not.toMatch(/from\s*["']node:/u);
});

it('cannot be loaded without the app', () => {
  const source = `await import(${JSON.stringify(pathToFileURL(join(dist, part)).href)})`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringContaining('globalThis.require is not a function')]);
});

it('reads, writes, undoes and runs with what the app gives', async () => {
  const ofNode = createRequire(import.meta.url);
  Reflect.set(globalThis, 'require', (name: string) => asListed(APP_NODE, name, ofNode(name) as object));
  const loaded: Record<string, unknown> = await import(pathToFileURL(join(dist, part)).href);
  const open = loaded.openDesktop as typeof openDesktop;
  const tools = open({ workspace, folders: () => [], now: Date.now, kernel: 'http://127.0.0.1:6806', onProblem: () => undefined });
  const nothing = { blocks: 0, kind: 'none', undone: false } as const;
  const report = { restored: [], conflicts: [] };
  const notes = {
    state: async () => nothing,
    undo: async () => report,
    redo: async () => report,
    changes: async () => [],
    resolve: async () => report,
  };
  const history = tools.history(notes);
  const executor = toolExecutorFactory({
    clock: { now: Date.now, today: () => '2026-11-23' },
    groups: tools.groups(),
    groupDefaults: { files: true, script: true },
    approvalAdapter: new HeadlessApprovalAdapter(() => ({ approved: true })),
  });
  const signal = new AbortController().signal;
  const at = { sessionId: 's', nodeId: 'n', signal };
  expect((await executor.execute('write_file', { path: 'a.txt', content: 'one\n' }, at)).status).toBe('success');
  expect((await executor.execute('read_file', { path: 'a.txt' }, at)).formattedText).toBe('[File: a.txt | Lines: 1]\n 1| one');
  expect((await executor.execute('exec', { command: 'cat a.txt' }, at)).formattedText).toContain('[stdout]\none\n');
  expect(readFileSync(join(workspace, 'marginalia/files/a.txt'), 'utf8')).toBe('one\n');
  expect(await history.state('s', 'n')).toEqual({ blocks: 1, files: 1, kind: 'exact', undone: false });
  expect((await history.undo('s', 'n', signal)).conflicts).toEqual([]);
  expect(readdirSync(join(workspace, 'marginalia/files'))).toEqual([]);
  expect(() => tools.toolsFor('web')[0]?.outgoing?.({ url: 'http://0xa000001/' }, signal)).toThrow('10.0.0.1 is a private address');
});
