// House rule: files near 100 lines, 300 at most as a habit, up to 450 where a cut would tear one story apart; functions of at most 60.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const MAX_FILE_LINES = 450;
const MAX_FUNCTION_LINES = 60;

/** Problems of one file. Test callbacks (`describe`) may be longer than a function, so tests are held to neither limit. */
export function checkSizes(path: string, text: string): string[] {
  const lines = text.split('\n').length - 1;
  const problems = lines > MAX_FILE_LINES ? [`${path}: ${lines} lines, at most ${MAX_FILE_LINES}`] : [];
  if (path.endsWith('.svelte') || path.endsWith('.css')) return problems;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const start = source.getLineAndCharacterOfPosition(node.getStart(source)).line;
      const length = source.getLineAndCharacterOfPosition(node.getEnd()).line - start + 1;
      if (length > MAX_FUNCTION_LINES) problems.push(`${path}:${start + 1}: a function of ${length} lines, at most ${MAX_FUNCTION_LINES}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return problems;
}

function main(): void {
  const root = dirname(import.meta.dirname);
  const listed = execFileSync(
    'git',
    ['ls-files', '-co', '--exclude-standard', '--', 'src', 'devhost', 'scripts', 'bench', 'eval', 'tests'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  // A file that was just removed is still listed.
  const present = listed.split('\n').filter((path) => existsSync(join(root, path)));
  const paths = present.filter((path) => /\.(ts|svelte|mjs|css)$/.test(path) && !/\.test\.ts$|^tests\/contract\//.test(path));
  const problems = paths.flatMap((path) => checkSizes(path, readFileSync(join(root, path), 'utf8')));
  for (const problem of problems) console.error(problem);
  console.log(problems.length ? `${problems.length} too long` : `sizes: ok (${paths.length} files)`);
  process.exitCode = problems.length ? 1 : 0;
}

if (import.meta.main) main();
