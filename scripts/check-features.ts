// Takes the folder of a feature and its lines in the lists out of a copy of src, and checks the types of the rest: the core knows no feature.
// `node scripts/check-features.ts [--all | NAME…]`; without arguments three of them, others each day.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const A_DAY = 86_400_000;
const AT_ONCE = 3;

export const featureNames = (): readonly string[] =>
  readdirSync(join(root, 'src/features'), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

/** Those of a day: each has its turn. */
export function ofToday(names: readonly string[], now: number): readonly string[] {
  const start = Math.floor(now / A_DAY) * AT_ONCE;
  return Array.from({ length: Math.min(AT_ONCE, names.length) }, (_, at) => names[(start + at) % names.length] ?? '');
}

/** A list without what it imports or exports of a folder, and without the entries with their names. */
export function withoutFeature(list: string, name: string): string {
  const line = new RegExp(String.raw`^(?:import|export) .* from '[^']*features/${name}/[^']*';\n`, 'gmu');
  const names = [...list.matchAll(line)].flatMap(([found]) => /(?:as )?(\w+) \} from/u.exec(found)?.[1] ?? []);
  const entries = names.map((each) => new RegExp(String.raw`^\s*${each},.*\n`, 'gmu'));
  return [line, ...entries].reduce((text, taken) => text.replace(taken, ''), list);
}

const LISTS = [
  'app/features.ts',
  'app/pages.ts',
  'app/tabs.ts',
  'app/late-parts.ts',
  'app/editor/editor-features.ts',
  'app/groups/*-{groups,features}.ts',
  'app/workspace/*groups.ts',
  'service/features.ts',
];

/** The errors that are left in the rest; empty if it needs nothing of the feature. */
export function errorsWithout(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `without-${name}-`));
  try {
    const isTest = (path: string): boolean => /\.test\.ts$|\/testing\b/u.test(path);
    const isTaken = (path: string): boolean => relative(join(root, 'src/features', name), path).split('/')[0] !== '..';
    cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true, filter: (path) => !isTest(path) && !isTaken(path) });
    for (const each of ['i18n', 'tsconfig.json', 'package.json']) cpSync(join(root, each), join(folder, each), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const path of globSync(LISTS.map((each) => join(folder, 'src', each))))
      writeFileSync(path, withoutFeature(readFileSync(path, 'utf8'), name));
    writeFileSync(join(folder, 'tsconfig.rest.json'), JSON.stringify({ extends: './tsconfig.json', include: ['src'] }));
    const check = [join(root, 'node_modules/svelte-check/bin/svelte-check'), '--tsconfig', 'tsconfig.rest.json', '--threshold', 'error'];
    const { status, stdout } = spawnSync(process.execPath, [...check, '--output', 'human'], { cwd: folder, encoding: 'utf8' });
    return status === 0 ? '' : stdout.replaceAll(`${folder}/`, '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const given = process.argv.slice(2);
  const all = featureNames();
  const names = given.includes('--all') ? all : given.length > 0 ? given : ofToday(all, Date.now());
  for (const name of names) {
    const errors = errorsWithout(name);
    console.log(errors === '' ? `ok   without ${name}` : `FAIL without ${name}\n${errors}`);
    if (errors !== '') process.exitCode = 1;
  }
}
