// Enforces the layer table of docs/architecture.md: who may import whom, which packages belong to which layer, and that no imports
// run in a circle.
// That `document` and `window` stay out of the core is enforced by tsconfig.core.json, which compiles it without DOM types.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import ts from 'typescript';

interface LayerRule {
  /** Layers whose modules may be imported besides the layer's own. */
  readonly imports: readonly string[];
  /** Packages that may be imported at run time or for types. */
  readonly packages: readonly string[];
}

export const LAYERS: Readonly<Record<string, LayerRule>> = {
  tools: { imports: [], packages: ['valibot', '@cfworker/json-schema', 'tokenx', 'entities/decode'] },
  protocol: { imports: ['tools'], packages: [] },
  model: { imports: ['tools'], packages: ['openai', 'openai/*', 'valibot'] },
  host: { imports: ['tools'], packages: ['valibot', 'htmlparser2', 'dom-serializer', 'domhandler', 'entities/decode'] },
  mcp: { imports: ['tools'], packages: ['@modelcontextprotocol/client'] },
  desktop: { imports: ['tools'], packages: ['node:*'] },
  chat: { imports: ['tools', 'protocol', 'model', 'host'], packages: ['valibot', 'tokenx'] },
  ui: { imports: ['chat', 'tools', 'protocol', 'model', 'i18n'], packages: ['svelte', 'svelte/*', 'marked', 'dompurify', 'diff'] },
  wiring: { imports: ['i18n', 'ui', 'chat', 'tools', 'protocol', 'model', 'host', 'mcp', 'desktop'], packages: [] },
  service: { imports: ['chat', 'tools', 'protocol', 'model', 'host', 'mcp', 'desktop'], packages: ['hono', 'node:*'] },
  'index.ts': { imports: ['ui', 'chat', 'tools', 'protocol', 'model', 'host', 'mcp', 'desktop', 'wiring'], packages: ['siyuan'] },
};

/** Modules that only one other module may import, with the reason. */
const PRIVATE_EXPORTS: readonly {
  readonly name: string;
  readonly from: string;
  readonly allowed: readonly string[];
  readonly why: string;
}[] = [
  {
    name: 'approvePlan',
    from: 'tools/contract/plans.ts',
    allowed: ['tools/executor/execute-call.ts'],
    why: 'only the executor turns consent into a write',
  },
];

interface Module {
  /** Relative to its root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

interface FoundImport {
  readonly specifier: string;
  readonly typeOnly: boolean;
  readonly names: readonly string[];
}

/** Imports, re-exports and dynamic imports of one module; for Svelte, of its script blocks. */
function importsOf(path: string, text: string): FoundImport[] {
  const code = path.endsWith('.svelte')
    ? [...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map((found) => found[1]).join('\n')
    : text;
  const source = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const found: FoundImport[] = [];
  const visit = (node: ts.Node): void => {
    if (
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
      node.moduleSpecifier &&
      ts.isStringLiteral(node.moduleSpecifier)
    ) {
      const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause;
      const elements = bindings && (ts.isNamedImports(bindings) || ts.isNamedExports(bindings)) ? [...bindings.elements] : [];
      const wholeTypeOnly = ts.isImportDeclaration(node) ? node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword : node.isTypeOnly;
      const typeOnly = wholeTypeOnly || (elements.length > 0 && elements.every((element) => element.isTypeOnly));
      found.push({
        specifier: node.moduleSpecifier.text,
        typeOnly,
        names: elements.map((element) => (element.propertyName ?? element.name).text),
      });
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      if (argument && ts.isStringLiteral(argument)) found.push({ specifier: argument.text, typeOnly: false, names: [] });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const layerOf = (path: string): string => (path.includes('/') ? (path.split('/')[0] ?? path) : path);
const matches = (pattern: string, specifier: string): boolean =>
  pattern.endsWith('*') ? specifier.startsWith(pattern.slice(0, -1)) : specifier === pattern;

function checkImport(path: string, item: FoundImport): string | undefined {
  const layer = layerOf(path);
  const rule = LAYERS[layer];
  if (!rule) return `${path}: "${layer}" is no layer; add it to the table in scripts/check-layers.ts with its reason`;
  if (!item.specifier.startsWith('.')) {
    if (item.specifier === 'siyuan' && item.typeOnly) return undefined;
    if (rule.packages.some((pattern) => matches(pattern, item.specifier))) return undefined;
    return `${path}: ${layer} may not import "${item.specifier}"`;
  }
  const target = posix.normalize(posix.join(posix.dirname(path), item.specifier));
  const hidden = PRIVATE_EXPORTS.find((entry) => entry.from === target && item.names.includes(entry.name));
  if (hidden && !hidden.allowed.includes(path)) return `${path}: may not import ${hidden.name}: ${hidden.why}`;
  // The dictionaries stand beside src, since SiYuan reads them too.
  const targetLayer = layerOf(target.replace(/^\.\.\//, ''));
  if (targetLayer === layer || rule.imports.includes(targetLayer)) return undefined;
  return `${path}: ${layer} may not import ${targetLayer} (${item.specifier})`;
}

const isTestCode = (path: string): boolean => path.endsWith('.test.ts') || path.includes('/testing/');

/** Problems in a set of modules, `path` relative to src with forward slashes. */
export function checkModules(modules: readonly Module[]): string[] {
  return modules
    .filter((module) => !isTestCode(module.path))
    .flatMap((module) => importsOf(module.path, module.text).flatMap((item) => checkImport(module.path, item) ?? []));
}

/** Circles of imports, types among them, each told once: what one of its modules means cannot be read without the others. */
export function findCircles(modules: readonly Module[]): string[] {
  const known = new Set(modules.map((module) => module.path));
  const targets = new Map(
    modules.map(({ path, text }) => [
      path,
      importsOf(path, text).flatMap(({ specifier }) => {
        const target = posix.normalize(posix.join(posix.dirname(path), specifier));
        return specifier.startsWith('.') && known.has(target) ? [target] : [];
      }),
    ]),
  );
  const circles: string[] = [];
  const finished = new Set<string>();
  const follow = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) circles.push(`circle of imports: ${[...trail.slice(start), path].join(' → ')}`);
    if (start >= 0 || finished.has(path)) return;
    for (const target of targets.get(path) ?? []) follow(target, [...trail, path]);
    finished.add(path);
  };
  for (const { path } of modules) follow(path, []);
  return circles;
}

function modulesBelow(folder: string): Module[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(ts|svelte)$/.test(path));
  return paths.map((path) => ({ path: path.split(sep).join('/'), text: readFileSync(join(folder, path), 'utf8') }));
}

/** Reads every module under `src` and checks it; circles are looked for in the development host too. */
export function checkLayers(root: string): string[] {
  const modules = modulesBelow(join(root, 'src'));
  return [...checkModules(modules), ...findCircles(modules), ...findCircles(modulesBelow(join(root, 'devhost')))];
}

if (process.argv[1] && relative(process.argv[1], import.meta.filename) === '') {
  const problems = checkLayers(dirname(import.meta.dirname));
  for (const problem of problems) console.error(problem);
  console.log(problems.length ? `${problems.length} layer problems` : 'layers: ok');
  process.exitCode = problems.length ? 1 : 0;
}
