#!/usr/bin/env node
// The first step of every npm script. It has no dependencies and runs on the machine's own Node: it installs what the
// lock file names when that is not there yet, then goes on with the project's Node.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkNode } from './check-node.mjs';

checkNode('20');

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const commands = {
  start: 'scripts/start.ts',
  test: 'scripts/test.ts',
  'test:unit': ['scripts/test.ts', '--tier', 'unit'],
  'test:host': ['scripts/test.ts', '--tier', 'host'],
  'test:browser': ['scripts/test.ts', '--tier', 'browser'],
  build: 'esbuild.config.mjs',
  check: 'scripts/check.ts',
  host: 'devhost/main.ts',
  service: 'scripts/service.ts',
  bench: 'bench/main.ts',
  eval: 'eval/main.ts',
  monkey: 'tests/monkey/main.ts',
  soak: 'tests/soak/main.ts',
  fuzz: 'tests/protocol-fuzz/main.ts',
  mutations: 'scripts/mutations.ts',
  pictures: 'scripts/pictures.ts',
  'tools-doc': 'scripts/tools-doc.ts',
  package: 'scripts/package.ts',
  'install-plugin': 'scripts/install-plugin.ts',
};

const [command = '', ...args] = process.argv.slice(2);
if (!Object.hasOwn(commands, command)) fail(`unknown command "${command}": use one of ${Object.keys(commands).join(', ')}`);

install();
const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
if (!existsSync(node))
  fail('the "node" package did not bring a Node: remove node_modules and run the command again, with npm install scripts allowed');
const [script, ...given] = [commands[command]].flat();
run(node, ['--disable-warning=ExperimentalWarning', join(root, script), ...given, ...args]);

/** Installs once per lock file; the stamp is written last, so an interrupted install is done again. */
function install() {
  const stamp = join(root, 'node_modules', '.marginalia-installed');
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  // npm ci would empty what it leads to, which another checkout may be using.
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink())
    fail('node_modules is a link to packages of another lock file: remove the link, or run the command where it leads to');
  console.error('installing dependencies (npm ci) …');
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (npm.status !== 0) fail('npm ci failed: read its message above, mend that (often the network or a proxy), and run the command again');
  writeFileSync(stamp, lock);
}

function run(program, argv) {
  const child = spawn(program, argv, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: `${dirname(program)}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH ?? ''}` },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
