// Sorts test files into tiers by what they reach through their imports: a browser, a running kernel, or neither.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const root = dirname(import.meta.dirname);

export const TIERS = ['unit', 'host', 'browser'] as const;
export type Tier = (typeof TIERS)[number];

const TEST_ROOTS = ['src', 'devhost', 'scripts', 'eval', 'tests'];
/** Whatever imports it drives a browser. */
const BROWSER = 'tests/support/chromium.ts';
/** Starting a kernel or the service is what these export; what is in tests/e2e needs the built plugin. */
const HOST = /^(?:devhost\/(?:host|kernel\/kernel)\.ts|devhost\/kernel\/http\/|tests\/(?:host|service|soak|contract|e2e)\/)/u;

const known = new Map<string, readonly string[]>();

/** Relative imports of a file, as paths below the root. Type-only imports count too: that errs towards the slower tier. */
function importsOf(path: string): readonly string[] {
  const imports = known.get(path) ?? readImports(path);
  known.set(path, imports);
  return imports;
}

function readImports(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8');
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/gu)].map(([, specifier = '']) => specifier);
  return specifiers
    .map((specifier) => slashed(relative(root, join(root, dirname(path), specifier))))
    .filter((each) => existsSync(join(root, each)));
}

const slashed = (path: string): string => path.split(sep).join('/');

/** The file and everything that it imports, directly or not. */
export function reachableFrom(path: string): ReadonlySet<string> {
  const seen = new Set([path]);
  for (const each of seen) if (/\.(?:ts|mjs|js|svelte)$/u.test(each)) for (const next of importsOf(each)) seen.add(next);
  return seen;
}

export function tierOf(path: string): Tier {
  const reached = reachableFrom(path);
  if (reached.has(BROWSER)) return 'browser';
  return [...reached].some((each) => HOST.test(each)) ? 'host' : 'unit';
}

/** Every test file below the root, with forward slashes. */
export function testFiles(): string[] {
  return TEST_ROOTS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.test.ts'))
      .map((path) => slashed(join(folder, path))),
  ).sort();
}

/** Host tests whose subject SiYuan 3.8 answers otherwise: they run a second time over a development host that answers as it does. */
export const ON_NEWER_HOST: readonly string[] = [
  'tests/host/delete-blocks.test.ts',
  'tests/host/documents.test.ts',
  'tests/host/edit-programs.property.test.ts',
  'tests/host/guards.test.ts',
  'tests/host/move-blocks.test.ts',
  'tests/host/reads-search.test.ts',
  'tests/host/reads-sql.test.ts',
  'tests/host/reads.test.ts',
  'tests/host/saved-searches.test.ts',
  'tests/host/structure-attributes.test.ts',
  'tests/host/vertical.test.ts',
];

export function filesByTier(files: readonly string[]): Record<Tier, string[]> {
  const tiers: Record<Tier, string[]> = { unit: [], host: [], browser: [] };
  for (const file of files) tiers[tierOf(file)].push(file);
  return tiers;
}
