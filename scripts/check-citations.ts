// A comment or page gives the reason itself, or cites what a reader of this repository can open. Refused: names of documents in capitals
// (`DESIGN.md`) that are not here, and numbered briefs that only their authors have read; on pages also paths and names of files that are gone.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const DOCUMENT = /\b[A-Z][A-Z_]+\.md\b/gu;
/** Files of a user's workspace that the code reads, which are no documents of ours. */
const OF_USERS: ReadonlySet<string> = new Set(['SKILL.md', 'AGENTS.md']);
const BRIEF = /\bseeds? \d/giu;

/** Citations in one file that lead nowhere. `documents`: names of the Markdown files of the repository. */
export function checkCitations(path: string, text: string, documents: ReadonlySet<string>): string[] {
  return text.split('\n').flatMap((line, index) => {
    const found = [...line.matchAll(DOCUMENT)].map(([name]) => name).filter((name) => !documents.has(name) && !OF_USERS.has(name));
    const briefs = [...line.matchAll(BRIEF)].map(([name]) => name);
    return [...found, ...briefs].map(
      (name) => `${path}:${index + 1}: cites "${name}", which is not in this repository; give the reason itself`,
    );
  });
}

/** In backticks, as a path from the root or as the name of a source file. */
const PATH = /`((?:src|tests|scripts|docs|devhost|bench|eval|i18n)\/[\w./-]+|[\w-]+(?:\.[\w-]+)*\.(?:ts|svelte))`/gu;

/** Paths and file names on one page that lead nowhere. `files`: the files of the repository. */
export function checkPaths(page: string, text: string, files: readonly string[]): string[] {
  const names = new Set(files.map((file) => basename(file)));
  const isThere = (path: string): boolean =>
    path.includes('/') ? files.some((file) => file === path || file.startsWith(`${path.replace(/\/$/u, '')}/`)) : names.has(path);
  return text.split('\n').flatMap((line, index) => {
    const gone = [...line.matchAll(PATH)].map(([, path = '']) => path).filter((path) => !isThere(path));
    return gone.map((path) => `${page}:${index + 1}: names "${path}", which is not here`);
  });
}

function main(): void {
  const root = dirname(import.meta.dirname);
  const list = (...patterns: string[]): string[] =>
    execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...patterns], { cwd: root, encoding: 'utf8' })
      .split('\n')
      .filter((path) => path && existsSync(join(root, path)));
  const documents = new Set(list('*.md').map((path) => basename(path)));
  const code = list('src', 'devhost', 'scripts', 'bench', 'eval', 'tests', 'esbuild.config.mjs').filter(
    (path) => /\.(ts|svelte|mjs|js|css)$/.test(path) && path !== 'scripts/check-citations.test.ts',
  );
  const pages = list('*.md').filter((path) => !path.startsWith('devhost/sample/'));
  const paths = [...code, ...pages];
  const own = 'scripts/check-citations.ts';
  const problems = paths
    .filter((path) => path !== own)
    .flatMap((path) => checkCitations(path, readFileSync(join(root, path), 'utf8'), documents));
  const files = list('.');
  problems.push(...pages.flatMap((path) => checkPaths(path, readFileSync(join(root, path), 'utf8'), files)));
  for (const problem of problems) console.error(problem);
  console.log(problems.length ? `${problems.length} citations lead nowhere` : `citations: ok (${paths.length} files)`);
  process.exitCode = problems.length ? 1 : 0;
}

if (import.meta.main) main();
