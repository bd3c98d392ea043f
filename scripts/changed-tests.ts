// Which tests a change can reach, for `npm test -- --changed`.
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { reachableFrom, testFiles, tierOf } from './test-tiers.ts';

const root = dirname(import.meta.dirname);

/**
 * Tests of the built plugin or service import none of its source, and those of the documentation read it as files. Of these, what a change below a folder can reach; a change of
 * anything else in src that the plugin is built from runs the main job alone, and the whole runs before it lands.
 */
const BUILT: readonly { readonly source: RegExp; readonly tests: RegExp }[] = [
  { source: /^src\/service\//u, tests: /^tests\/service\// },
  { source: /^src\/desktop\//u, tests: /^tests\/(?:service\/|e2e\/desktop-tools)/ },
  { source: /^src\/ui\/tester\//u, tests: /^tests\/e2e\/tester/ },
  { source: /^src\/ui\/editor\/|^src\/app\/editor\//u, tests: /^tests\/e2e\/(?:editor|from-editor)/ },
  { source: /^src\/ui\/approval\//u, tests: /^tests\/e2e\/(?:main-job|notes-review)/ },
  { source: /^src\/(?:ui\/models|model|protocol)\//u, tests: /^tests\/e2e\/(?:models|failures|text-calls)/ },
  { source: /^src\/ui\/(?:styles|testing)\//u, tests: /^src\/ui\/in-sight/ },
  { source: /^devhost\/shell\//u, tests: /^(?:devhost\/shell\/|tests\/e2e\/start)/ },
  {
    source: /^(?:docs\/|[^/]+\.md$)/u,
    tests: /^scripts\/(?:check-citations|check-words|conformance|docs|formats|tools-doc|tour)\.test|^src\/tools\/conformance\.test/,
  },
  { source: /^src\/(?:index\.ts|app|ui|chat|tools|host)/u, tests: /^tests\/e2e\/main-job/ },
];

/** A folder of src/ui with the components of one part of the panel; its tests draw them in a page that is built for them. */
const componentsOf = (path: string): string | undefined => /^src\/ui\/[^/]+\//u.exec(path)?.[0];

/** Files that differ from the last commit, and those that git does not know yet. */
export function changedFiles(): readonly string[] {
  const list = (args: readonly string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
  return [...list(['diff', '--name-only', 'HEAD']), ...list(['ls-files', '--others', '--exclude-standard'])];
}

export function testsReaching(changed: readonly string[]): readonly string[] {
  const built = BUILT.filter(({ source }) => changed.some((path) => source.test(path)));
  const components = changed.flatMap((path) => componentsOf(path) ?? []);
  return testFiles().filter((file) => {
    const reached = reachableFrom(file);
    const draws = tierOf(file) === 'browser' && components.some((folder) => file.startsWith(folder));
    return draws || changed.some((path) => reached.has(path)) || built.some(({ tests }) => tests.test(file));
  });
}
