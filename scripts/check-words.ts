// One word for one thing (docs/dictionary.md): the words that are out do not come back in names and comments of src/. The dictionary is
// the list, so that the page and the check cannot differ.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

export interface OutWords {
  /** By the word, lower case: what to say instead. */
  readonly words: ReadonlyMap<string, string>;
  /** Those that are refused in names. */
  readonly names: ReadonlySet<string>;
  /** Those that are refused in comments. */
  readonly comments: ReadonlySet<string>;
  /** Refused as the whole name of a type. */
  readonly types: ReadonlySet<string>;
}

/** Plain English for "distinguished", with no better word. */
const TOLD_APART = /\btold (?:\S+ ){0,4}?apart\b/giu;
/** Saved fields: files of users have them. */
const SAVED = new Set(['stood']);

export function readDictionary(page: string): OutWords {
  const [, out = ''] = page.split(/^## Words that are out$/mu);
  const rows = [...out.matchAll(/^\| ([a-z]+) \| (.+) \| (names|names, comments|comments) \|$/gmu)];
  const [, names = ''] = /whole name of a type: ([^.]+)\./u.exec(out) ?? [];
  return {
    words: new Map(rows.map(([, word = '', say = '']) => [word, say])),
    names: new Set(rows.flatMap(([, word = '', , where]) => (where === 'comments' ? [] : [word]))),
    comments: new Set(rows.flatMap(([, word = '', , where]) => (where === 'names' ? [] : [word]))),
    types: new Set([...names.matchAll(/`(\w+)`/gu)].map(([, name = '']) => name)),
  };
}

/** `lastSeenAt`, `LAST_SEEN_AT` → last, seen, at. */
const partsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/gu, '$1 $2')
    .split(/[\s_$#]+/u)
    .map((part) => part.toLowerCase());

interface Use {
  readonly at: number;
  readonly name: string;
  readonly isType: boolean;
  readonly isSaved: boolean;
}

function declaredNames(source: ts.SourceFile): readonly Use[] {
  const uses: Use[] = [];
  const visit = (node: ts.Node): void => {
    const { name } = node as { readonly name?: ts.Node };
    const isUse = ts.isImportSpecifier(node) || ts.isExportSpecifier(node) || ts.isPropertyAccessExpression(node);
    if (name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) && !isUse) {
      const isType = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node);
      uses.push({ at: name.getStart(source), name: name.text, isType, isSaved: ts.isPropertyAssignment(node) && SAVED.has(name.text) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return uses;
}

/** Comments of a file, by line; `//` within a string counts only where it begins the line. */
const commentOf = (line: string): string => /^\s*(?:\/\/|\/\*|\*)(.*)/u.exec(line)?.[1] ?? /\s\/\/ (.*)$/u.exec(line)?.[1] ?? '';

/** Words that are out in one file of src/. Of a component only the script is looked at for names, and all of it for comments. */
export function checkWords(path: string, text: string, out: OutWords): string[] {
  const script = path.endsWith('.svelte') ? (/<script[^>]*>([\s\S]*?)<\/script>/u.exec(text)?.[1] ?? '') : text;
  const source = ts.createSourceFile(`${path}.ts`, script, ts.ScriptTarget.Latest, true);
  const before = path.endsWith('.svelte') ? text.slice(0, text.indexOf(script)).split('\n').length - 1 : 0;
  const lineOf = (at: number): number => source.getLineAndCharacterOfPosition(at).line + 1 + before;
  const names = declaredNames(source).flatMap(({ at, name, isType, isSaved }) => {
    if (isType && out.types.has(name)) return [`${path}:${lineOf(at)}: the type "${name}" says nothing of what it holds; name that`];
    const word = isSaved ? undefined : partsOf(name).find((part) => out.names.has(part));
    return word === undefined ? [] : [`${path}:${lineOf(at)}: "${name}": not "${word}", say ${out.words.get(word)}`];
  });
  const comments = text.split('\n').flatMap((line, index) => {
    const plain = commentOf(line)
      .replaceAll(/`[^`]*`/gu, '')
      .replaceAll(TOLD_APART, '');
    const words = [...plain.matchAll(/[a-z]+/giu)].map(([word]) => word.toLowerCase()).filter((word) => out.comments.has(word));
    return words.map((word) => `${path}:${index + 1}: a comment says "${word}"; say ${out.words.get(word)}`);
  });
  return [...names, ...comments];
}

function main(): void {
  const root = dirname(import.meta.dirname);
  const out = readDictionary(readFileSync(join(root, 'docs/dictionary.md'), 'utf8'));
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', 'src'], { cwd: root, encoding: 'utf8' }).split('\n');
  const paths = listed.filter((path) => /(?<!\.test)\.(?:ts|svelte)$/u.test(path) && existsSync(join(root, path)));
  const problems = paths.flatMap((path) => checkWords(path, readFileSync(join(root, path), 'utf8'), out));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) console.error('Why: docs/dictionary.md. One word for one thing, so that a search finds all of it.');
  console.log(problems.length ? `${problems.length} words that are out` : `words: ok (${paths.length} files, ${out.words.size} words out)`);
  process.exitCode = problems.length ? 1 : 0;
}

if (import.meta.main) main();
