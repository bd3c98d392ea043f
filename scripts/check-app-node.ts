// What the plugin uses of Node in the page of SiYuan's desktop app is src/desktop/app-node.ts, and nothing else.
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { APP_NODE } from '../src/desktop/app-node.ts';
import { reachableFrom } from './test-tiers.ts';

const LIST = 'src/desktop/app-node.ts';
const GLOBALS: readonly string[] = ['process', 'Buffer', 'require'];
const PAGE: readonly string[] = ['globalThis', 'window', 'self'];
const listed: Readonly<Record<string, readonly string[]>> = APP_NODE;

export interface NodeUse {
  /** A module of Node, or a global. */
  readonly of: string;
  /** '*' for all of it. */
  readonly name: string;
}

function importedNames({ importClause }: ts.ImportDeclaration): readonly string[] {
  if (importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return [];
  const bindings = importClause?.namedBindings;
  if (!bindings || !ts.isNamedImports(bindings) || importClause.name) return ['*'];
  return bindings.elements.filter((element) => !element.isTypeOnly).map((element) => (element.propertyName ?? element.name).text);
}

/** How an identifier with the name of a global is used; undefined where it is the name of something else. */
function usedName(node: ts.Identifier): string | undefined {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) {
    if (parent.expression === node) return parent.name.text;
    return PAGE.includes(parent.expression.getText()) ? '*' : undefined;
  }
  const isName = ts.isTypeReferenceNode(parent) || ts.isQualifiedName(parent) || ('name' in parent && parent.name === node);
  return isName ? undefined : '*';
}

/** What a module takes of Node. */
export function nodeUses(text: string): readonly NodeUse[] {
  const source = ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const uses: NodeUse[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const of = node.moduleSpecifier.text;
      if (of.startsWith('node:')) uses.push(...importedNames(node).map((name) => ({ of, name })));
      return;
    }
    if (ts.isIdentifier(node) && GLOBALS.includes(node.text)) {
      const name = usedName(node);
      if (name !== undefined) uses.push({ of: node.text, name });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return uses;
}

/** Uses that the list lacks, and names on it that nothing uses. */
export function checkUses(modules: readonly { readonly path: string; readonly uses: readonly NodeUse[] }[]): string[] {
  const all = new Set(modules.flatMap(({ uses }) => uses.map(({ of, name }) => `${of} ${name}`)));
  const missing = modules.flatMap(({ path, uses }) =>
    uses
      .filter(({ of, name }) => !listed[of]?.includes(name))
      .map(({ of, name }) => `${path}: ${of}, ${name} is not in ${LIST}, which names what a page uses of Node`),
  );
  const unused = Object.entries(listed).flatMap(([of, names]) =>
    names.filter((name) => !all.has(`${of} ${name}`)).map((name) => `${LIST}: nothing uses ${of}, ${name}`),
  );
  return [...missing, ...unused];
}

export function checkAppNode(root: string): string[] {
  const paths = new Set(['src/index.ts', 'src/app/panel.ts'].flatMap((entry) => [...reachableFrom(entry)]));
  paths.delete(LIST);
  const scriptOf = (path: string): string => {
    const text = readFileSync(join(root, path), 'utf8');
    return path.endsWith('.svelte') ? [...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/gu)].map(([, code]) => code).join('\n') : text;
  };
  const modules = [...paths].filter((path) => /\.(?:ts|svelte)$/u.test(path));
  return checkUses(modules.map((path) => ({ path, uses: nodeUses(scriptOf(path)) })));
}

if (process.argv[1] && relative(process.argv[1], import.meta.filename) === '') {
  const problems = checkAppNode(dirname(import.meta.dirname));
  for (const problem of problems) console.error(problem);
  console.log(problems.length ? `${problems.length} problems with Node in a page` : 'Node in a page: ok');
  process.exitCode = problems.length ? 1 : 0;
}
