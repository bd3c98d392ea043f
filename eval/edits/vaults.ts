import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvalOptions } from '../part.ts';
import { setFolder } from '../sets.ts';
import type { PageEdit } from './replay.ts';

export interface Vault {
  readonly name: string;
  readonly version: string;
  readonly edits: readonly PageEdit[];
  /** Pages that were changed in all. */
  readonly all: number;
}

const EDITS = 20;
const MOST_CHARACTERS = 40_000;
const VAULTS = [
  ['obsidian-help', 'en/'],
  ['logseq-docs', 'pages/'],
  ['vue-zh', 'src/'],
  ['foam', 'docs/'],
] as const;

function git(folder: string, ...args: readonly string[]): string {
  const { status, stdout } = spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`git ${args[0]} ended with ${status}`);
  return stdout;
}

/** What a note has of a page: not what stands above it for other programs. */
const bodyOf = (page: string): string => page.replaceAll('\r\n', '\n').replace(/^---\n[\s\S]*?\n---\n/, '');

/** Changed pages from the whole history, evenly. */
function readVault(name: string, folder: string, under: string): Vault {
  const log = git(
    folder,
    'log',
    '--no-merges',
    '--diff-filter=M',
    '--no-renames',
    '--format=@%H',
    '--name-only',
    '-z',
    '--',
    `${under}*.md`,
  );
  const changes: (readonly [commit: string, path: string])[] = [];
  let commit = '';
  for (const part of log.split('\0').map((text) => text.trim())) {
    if (/^@[0-9a-f]{40}$/.test(part)) commit = part.slice(1);
    else if (part !== '') changes.push([commit, part]);
  }
  const edits: PageEdit[] = [];
  const step = Math.max(1, changes.length / (EDITS * 1.2));
  for (let at = 0; at < changes.length && edits.length < EDITS; at += step) {
    const [hash = '', path = ''] = changes[Math.floor(at)] ?? [];
    const [old, now] = [bodyOf(git(folder, 'show', `${hash}~:${path}`)), bodyOf(git(folder, 'show', `${hash}:${path}`))];
    const isUsable = old.trim() !== '' && now.trim() !== '' && old !== now && Math.max(old.length, now.length) <= MOST_CHARACTERS;
    if (isUsable) edits.push({ name: `${hash.slice(0, 9)} ${path}`, old, new: now });
  }
  return { name, version: git(folder, 'rev-parse', '--short', 'HEAD').trim(), edits, all: changes.length };
}

export function vaults(options: EvalOptions): readonly Vault[] {
  if (!options.full) {
    const edits = JSON.parse(readFileSync(join(import.meta.dirname, 'sample/edits.json'), 'utf8')) as PageEdit[];
    return [{ name: 'pages', version: 'ours', edits, all: edits.length }];
  }
  const folder = setFolder(options, 'vaults', 'clone the four repositories that eval/README.md names, with their history');
  return VAULTS.map(([name, under]) => readVault(name, join(folder, name), under));
}
