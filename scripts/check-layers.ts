// Enforces the layer table of docs/architecture.md: who may import whom, which packages belong to which layer, in which order the
// rooms of a layer stand on one another, how many files a room holds, and that no imports run in a circle.
// That `document` and `window` stay out of the core is enforced by tsconfig.core.json, which compiles it without DOM types.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import ts from 'typescript';

interface LayerRule {
  /** Layers whose modules may be imported besides the layer's own. */
  readonly imports: readonly string[];
  /** Rooms of other layers of which the types alone may be imported: ports that those layers declare. */
  readonly types?: readonly string[];
  /** Packages that may be imported at run time or for types. */
  readonly packages: readonly string[];
}

export const LAYERS: Readonly<Record<string, LayerRule>> = {
  tools: { imports: ['i18n'], packages: ['valibot', '@cfworker/json-schema', 'diff', 'tokenx', 'entities/decode', 'unpdf', 'yaml'] },
  protocol: { imports: ['tools'], packages: [] },
  model: { imports: ['tools'], packages: ['openai', 'openai/*', 'eventsource-parser', 'valibot', 're2js', 'entities/decode'] },
  host: {
    imports: ['tools'],
    types: ['chat/ports'],
    packages: ['valibot', 'htmlparser2', 'dom-serializer', 'domhandler', 'entities/decode', 're2js'],
  },
  desktop: { imports: ['tools'], packages: ['node:*', '@mozilla/readability', 'linkedom', 'turndown', 'unpdf'] },
  chat: { imports: ['tools', 'protocol', 'model'], packages: ['valibot'] },
  ui: {
    imports: ['chat', 'tools', 'protocol', 'model', 'i18n'],
    // What a setting is, said once: the format of the file.
    types: ['host/settings'],
    packages: ['svelte', 'svelte/*', 'marked', 'dompurify', 'diff'],
  },
  /** What the panel and the service join in the same way. */
  'app/workspace': { imports: ['features', 'chat', 'tools', 'protocol', 'model', 'host'], packages: [] },
  /** The panel over them, and the list of features. */
  app: {
    imports: [
      ...['i18n', 'ui', 'app/workspace', 'chat', 'tools', 'protocol', 'model', 'host', 'desktop'],
      ...['features', 'features/view', 'features/panel', 'features/desktop', 'features/feature.ts'],
    ],
    packages: [],
  },
  service: {
    imports: ['app/workspace', 'chat', 'tools', 'protocol', 'model', 'host', 'desktop', 'features', 'features/service'],
    packages: ['hono', '@hono/node-server', '@hono/node-server/utils/response', 'ws', 'valibot', '@valibot/to-json-schema', 'node:*'],
  },
  'index.ts': {
    imports: ['ui', 'chat', 'tools', 'protocol', 'model', 'host', 'desktop', 'app', 'features/panel'],
    packages: ['siyuan'],
  },
  /**
   * What the core does not know: `features/NAME` is one concept whole. Its own folder compiles without a page and without Node; `view` is
   * drawn, `panel` and `service` join it to those programs, `desktop` needs Node. A feature knows no other one.
   */
  features: {
    imports: ['app/workspace', 'chat', 'tools', 'protocol', 'model', 'host', 'i18n'],
    packages: [
      'valibot',
      'yaml',
      'entities/decode',
      'croner',
      'fflate',
      '@noble/hashes/*',
      '@agentclientprotocol/sdk',
      '@modelcontextprotocol/client',
      '@modelcontextprotocol/server',
    ],
  },
  'features/view': {
    imports: ['features', 'ui', 'chat', 'tools', 'protocol', 'model', 'i18n'],
    types: ['host/settings'],
    packages: ['svelte', 'svelte/*'],
  },
  /** The face of a feature: what it adds to the panel. */
  'features/feature.ts': { imports: ['features', 'features/view', 'features/panel', 'app', 'ui', 'chat', 'model', 'tools'], packages: [] },
  'features/desktop': { imports: ['features', 'desktop', 'tools', 'app'], packages: ['node:*'] },
  'features/panel': {
    imports: ['features', 'features/view', 'features/desktop', 'app', 'ui', 'app/workspace', 'chat', 'tools', 'model', 'host', 'desktop'],
    packages: [],
  },
  'features/service': {
    imports: ['features', 'features/desktop', 'service', 'app/workspace', 'chat', 'tools', 'model', 'host', 'desktop'],
    packages: ['@modelcontextprotocol/server', '@modelcontextprotocol/server/stdio', 'hono', 'valibot', 'node:*'],
  },
};

const FEATURE_PARTS: readonly string[] = ['view', 'desktop', 'panel', 'service', 'feature.ts'];

/**
 * The rooms (folders) of each layer, lowest first: a room imports those that stand before it and never one behind it. '.' is the
 * layer's own folder, its face. A layer without a row is one room.
 */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  tools: [
    ...[
      'contract',
      'safe-content',
      'util',
      'equal-text',
      'plan-words',
      'connections',
      'file-text',
      'markdown',
      'executor',
      'chain',
      'calls',
    ],
    ...['groups/common', 'groups/skill-texts', 'groups/basic', 'groups/blocks', 'groups/documents', 'groups/search'],
    // What reaches beyond notes.
    ...['groups/files', 'groups/web', 'groups/script', 'groups/skills', 'groups', '.'],
  ],
  chat: ['ports', 'prompts', 'activity', 'session', 'view', 'store/search', 'store', 'turn', 'controller'],
  host: [
    ...['kernel', 'sql', 'blocks', 'content', 'access', 'tree', 'reading', 'answers', 'databases', 'search', 'journal', 'transactions'],
    ...['documents', 'planning', 'writing', 'undo', 'chat-document', 'settings', '.'],
  ],
  ui: [
    ...['ports', 'controls', 'labels', 'markdown', 'find', 'history', 'state', 'text', 'broken', 'markdown/view', 'forms'],
    'approval',
    // One setting of each kind, with its way back: also for pages that keep one.
    ...[
      'rights',
      'models',
      'composer',
      'question',
      'answer',
      'pages',
      'settings/fields',
      'settings',
      'programs',
      'usage',
      'review',
      'panel',
    ],
    '.',
  ],
  service: ['contract', 'records', 'kernel', 'chats', 'http', '.'],
};

/** A room with more is two. */
export const MAX_FILES = 40;

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
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
      found.push({ specifier: node.argument.literal.text, typeOnly: true, names: [] });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const isTestCode = (path: string): boolean => path.endsWith('.test.ts') || path.includes('/testing/');

function layerOf(path: string): string {
  const [layer = path, room = '', part = ''] = path.split('/');
  if (layer === 'app' && room === 'workspace') return 'app/workspace';
  return layer === 'features' && FEATURE_PARTS.includes(part) ? `${layer}/${part}` : layer;
}

const featureOf = (path: string): string | undefined => (path.startsWith('features/') ? path.split('/')[1] : undefined);
const matches = (pattern: string, specifier: string): boolean =>
  pattern.endsWith('*') ? specifier.startsWith(pattern.slice(0, -1)) : specifier === pattern;

/** The folder of a module below its layer's. */
const roomOf = (path: string): string => posix.dirname(path).split('/').slice(1).join('/') || '.';

/** An import inside a layer: down the row of rooms, or within one. */
function checkRoom(path: string, target: string): string | undefined {
  const rooms = ROOMS[layerOf(path)];
  // The panel and a card at a block are pages of their own: each takes in the style sheets of what it shows.
  if (!rooms || target.endsWith('.css')) return undefined;
  const [from, to] = [roomOf(path), roomOf(target)];
  if (!rooms.includes(from)) return `${path}: "${from}" is no room of ${layerOf(path)}; add it to ROOMS in scripts/check-layers.ts`;
  return rooms.indexOf(to) <= rooms.indexOf(from) ? undefined : `${path}: ${from} stands below ${to} and may not import it`;
}

/** Rooms that hold too much; tests and what only tests use do not count. */
export function findCrowds(paths: readonly string[]): string[] {
  const rooms = Map.groupBy(
    paths.filter((path) => !isTestCode(path) && (ROOMS[layerOf(path)] || featureOf(path) !== undefined)),
    (path) => posix.dirname(path),
  );
  return [...rooms].flatMap(([room, inside]) =>
    inside.length > MAX_FILES ? [`${room}: ${inside.length} files, at most ${MAX_FILES}`] : [],
  );
}

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
  const [own, other] = [featureOf(path), featureOf(target)];
  if (own !== undefined && other !== undefined && own !== other) return `${path}: a feature knows no other one (${item.specifier})`;
  if (targetLayer === layer) return checkRoom(path, target);
  if (rule.imports.includes(targetLayer)) return undefined;
  if (item.typeOnly && rule.types?.includes(posix.dirname(target))) return undefined;
  return `${path}: ${layer} may not import ${targetLayer} (${item.specifier})`;
}

/** Problems in a set of modules, `path` relative to src with forward slashes. */
export function checkModules(modules: readonly Module[]): string[] {
  return modules
    .filter((module) => !isTestCode(module.path))
    .flatMap((module) => importsOf(module.path, module.text).flatMap((item) => checkImport(module.path, item) ?? []));
}

/**
 * Circles of imports, types among them, each told once: what one of its modules means cannot be read without the others. A component
 * that draws itself is none.
 */
export function findCircles(modules: readonly Module[]): string[] {
  const known = new Set(modules.map((module) => module.path));
  const targets = new Map(
    modules.map(({ path, text }) => [
      path,
      importsOf(path, text).flatMap(({ specifier }) => {
        const target = posix.normalize(posix.join(posix.dirname(path), specifier));
        return specifier.startsWith('.') && target !== path && known.has(target) ? [target] : [];
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
  const crowds = findCrowds(modules.map(({ path }) => path));
  return [...checkModules(modules), ...crowds, ...findCircles(modules), ...findCircles(modulesBelow(join(root, 'devhost')))];
}

if (process.argv[1] && relative(process.argv[1], import.meta.filename) === '') {
  const problems = checkLayers(dirname(import.meta.dirname));
  for (const problem of problems) console.error(problem);
  console.log(problems.length ? `${problems.length} layer problems` : 'layers: ok');
  process.exitCode = problems.length ? 1 : 0;
}
