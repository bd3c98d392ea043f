import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { writeServiceStart } from '../esbuild.config.mjs';

const root = dirname(import.meta.dirname);
const folder = mkdtempSync(join(tmpdir(), 'marginalia-node-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } };
const oldest = engines.node.replace('>=', '');

/** Runs a script as a Node of that version would, as far as it asks for its version. */
function runAs(version: string, args: readonly string[]) {
  const versions = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const preload = join(folder, `${version}.mjs`);
  writeFileSync(preload, versions);
  return spawnSync(process.execPath, ['--import', preload, ...args], { encoding: 'utf8' });
}

describe('a Node that is too old', () => {
  const program = join(folder, 'program.mjs');
  const service = writeServiceStart(folder);

  it.each(['12.22.12', '18.20.8', '20.20.2', '22.12.0'])('is not given the service, which names what it needs: %s', (version) => {
    // As a Node without one of its modules: it must not even be read.
    writeFileSync(program, "import 'node:not-there-yet';");
    for (const flags of [[], ['--stdio']]) {
      const { status, stdout, stderr } = runAs(version, [service, ...flags]);
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toBe(`Node ${version} is too old: install Node ${oldest} or newer and run the command again\n`);
    }
  });

  it.each(['22.13.0', '24.0.0', '100.1.0'])('is none that is new enough: %s', (version) => {
    writeFileSync(program, "console.log('started');");
    expect(runAs(version, [service])).toMatchObject({ status: 0, stdout: 'started\n', stderr: '' });
  });

  it.each(['14.21.3', '18.20.8', '19.9.0'])('runs no command of npm, and is named before anything else: %s', (version) => {
    const { status, stderr } = runAs(version, [join(root, 'scripts/run.mjs'), 'no-command']);
    expect([status, stderr]).toEqual([1, `Node ${version} is too old: install Node 20 or newer and run the command again\n`]);
  });
});

describe('the oldest Node', () => {
  const figures = (page: string): readonly string[] =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/\bNode (\d[\d.]*\d|\d)(?= or newer| 或更新)/g)].map(([, figure = '']) => figure);

  it('of the service is the same in package.json and on each page', () => {
    const guide = readdirSync(join(root, 'docs/guide'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
    const named = ['docs/service.md', ...guide.map((name) => `docs/guide/${name}`)].flatMap(figures);
    expect(named).toEqual([oldest, oldest, oldest]);
  });

  it('of the commands is the same in their script and on each page', () => {
    const script = readFileSync(join(root, 'scripts/run.mjs'), 'utf8');
    const named = ['README.md', 'README_zh_CN.md', 'CONTRIBUTING.md'].flatMap(figures);
    expect(named).toEqual(['20', '20', '20']);
    expect(script).toContain("checkNode('20')");
  });
});
