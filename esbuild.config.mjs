// Builds the plugin's folder as SiYuan wants it: `dist/` can be copied to data/plugins/siyuan-marginalia.
// The start script stays small. What is behind it are ES modules named by their content hash (SiYuan sends no cache headers, and modules
// are cached by URL): the panel, imported when the dock first opens, and a file for each dynamic import in it.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { minify } from '@swc/core';
import { build } from 'esbuild';
import sveltePlugin from 'esbuild-svelte';
import openWabt from 'wabt';
import { checkNode } from './scripts/check-node.mjs';
import { joinChunks } from './scripts/join-chunks.ts';
import { pdfTextOnly } from './scripts/pdf-text-only.ts';
import { APP_NODE } from './src/desktop/app-node.ts';

const root = dirname(fileURLToPath(import.meta.url));
/** WebViews of SiYuan's phones: Android WebView 105 (`:has`, import()), iOS 16. */
const target = ['chrome105', 'safari16', 'firefox115'];

/** The resources of the OpenAI client that this plugin calls. */
const usedResources = /openai[\\/]resources[\\/](chat[\\/]completions[\\/](completions|index)|chat[\\/](chat|index)|index|shared)\.m?js$/;
/** Modules with the rest: other resources, keys that are certificates, the client's runners over a stream (we read it ourselves). */
const unusedModules =
  /openai[\\/](resources|auth|internal[\\/]auth[\\/]x509-workload-identity|lib[\\/](\w*ChatCompletion\w*|EventStream)\.)/;

/**
 * A function can be constructed, extended and called, which is all that is done with what is stubbed.
 * @param {string} text of a module
 */
function emptyFunctions(text) {
  const names = [...text.matchAll(/^export (?:default )?(?:class|const|function|async function|var|let) (\w+)?/gm)];
  return names.map(([whole, name = '']) => `${whole.includes('default') ? 'export default' : 'export'} function ${name}() {}`).join('\n');
}

/** Modules of what the MCP client brings along: schemas as JSON, which only a server tells; the English of checks that nobody reads. */
const unusedOfZod = /zod[\\/]v4[\\/](core[\\/](json-schema-processors|to-json-schema)|locales[\\/]en)\.js$/;
/** Its own check of results: here they are text (foreign-result.ts), and arguments are checked by the executor. */
const unusedCheck = 'export class t { getValidator() { return (data) => ({ valid: true, data, errorMessage: undefined }); } }';

/** @returns {import('esbuild').Plugin} */
function stubUnusedMcp() {
  return {
    name: 'stub-unused-mcp',
    setup(builder) {
      builder.onLoad({ filter: unusedOfZod }, ({ path }) => ({ contents: emptyFunctions(readFileSync(path, 'utf8')), loader: 'js' }));
      builder.onLoad({ filter: /client[\\/]dist[\\/]cfWorkerProvider-\w+\.mjs$/ }, () => ({ contents: unusedCheck, loader: 'js' }));
    },
  };
}

/** @returns {import('esbuild').Plugin} */
function stubUnusedOpenAI() {
  return {
    name: 'stub-unused-openai',
    setup(builder) {
      builder.onLoad({ filter: /openai[\\/].*\.m?js$/ }, ({ path }) => {
        if (!unusedModules.test(path) || usedResources.test(path)) return undefined;
        const text = readFileSync(path, 'utf8');
        if (!/^export (class|const|function|var|let)/m.test(text)) return undefined;
        return { contents: emptyFunctions(text), loader: 'js' };
      });
    },
  };
}

/**
 * Parsers that the libraries which read web pages bring along and are never asked for here: of style sheets (linkedom) and of HTML in a
 * text (turndown, which gets elements).
 * @returns {import('esbuild').Plugin}
 */
function stubUnusedParsers() {
  return {
    name: 'stub-unused-parsers',
    setup(builder) {
      builder.onLoad({ filter: /node_modules[\\/](cssomnom|@mixmark-io[\\/]domino)[\\/].*\.js$/ }, () => ({
        contents: 'export const parse = () => ({}); export const createDocument = () => ({});',
        loader: 'js',
      }));
    },
  };
}

/**
 * `node:` modules of what is loaded only in SiYuan's desktop app: the app's own, which its page requires; those that APP_NODE names.
 * @returns {import('esbuild').Plugin}
 */
function nodeOfDesktopApp() {
  return {
    name: 'node-of-desktop-app',
    setup(builder) {
      builder.onResolve({ filter: /^node:/ }, ({ path }) =>
        Object.hasOwn(APP_NODE, path)
          ? { path, namespace: 'desktop-app' }
          : { errors: [{ text: `${path} is not in src/desktop/app-node.ts, which names what a page uses of Node` }] },
      );
      builder.onLoad({ filter: /.*/, namespace: 'desktop-app' }, ({ path }) => ({
        contents: `module.exports = globalThis.require(${JSON.stringify(path)});`,
        loader: 'js',
      }));
    },
  };
}

/**
 * The panel decodes character references by the browser: the tables of `entities` are large. What htmlparser2 takes of that package stays.
 * @returns {import('esbuild').Plugin}
 */
function browserEntities() {
  return {
    name: 'browser-entities',
    setup(builder) {
      builder.onResolve({ filter: /^entities\/decode$/ }, ({ importer }) =>
        importer.startsWith(join(root, 'src')) ? { path: join(root, 'src/ui/text/browser-entities.ts') } : undefined,
      );
    },
  };
}

/**
 * Examples of tools (src/tools/contract/tool-info.ts) are for tests and docs/tools.md.
 * @returns {import('esbuild').Plugin}
 */
function withoutToolExamples() {
  return {
    name: 'without-tool-examples',
    setup(builder) {
      builder.onLoad({ filter: /src[\\/]tools[\\/].*\.ts$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (!text.includes('satisfies ToolInfo')) return undefined;
        return { contents: text.replace(/\bexamples: [\s\S]*?(?=\} as const satisfies ToolInfo)/g, 'examples: [],'), loader: 'ts' };
      });
    },
  };
}

/** @param {string} outDir @param {Record<string, string>} [define] */
function common(outDir, define = {}) {
  return {
    absWorkingDir: root,
    bundle: true,
    minify: true,
    target,
    outdir: outDir,
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
    define: { 'process.env.NODE_ENV': '"production"', ...define },
  };
}

/**
 * Minifies the built scripts once more: swc inlines and drops what esbuild leaves, which is a twentieth of the package and an eighth of what
 * Svelte compiles.
 * @param {string} outDir @param {readonly string[]} scripts their files' names
 */
async function minifyScripts(outDir, scripts) {
  for (const name of scripts) {
    const file = join(outDir, name);
    const { code } = await minify(readFileSync(file, 'utf8'), {
      module: name !== 'index.js',
      ecma: 2020,
      compress: { passes: 3, ecma: 2020 },
      mangle: true,
    });
    writeFileSync(file, code);
  }
}

/**
 * WebAssembly in its text form, as its bytes.
 * @param {string} file
 * @returns {Promise<Uint8Array>}
 */
export async function assemble(file) {
  const { parseWat } = await openWabt();
  const parsed = parseWat(file, readFileSync(file, 'utf8'));
  parsed.validate();
  return parsed.toBinary({}).buffer;
}

/** @returns {import('esbuild').Plugin} */
function webAssemblyText() {
  return {
    name: 'web-assembly-text',
    setup(builder) {
      builder.onLoad({ filter: /\.wat$/ }, async ({ path }) => ({ contents: await assemble(path), loader: 'binary' }));
    },
  };
}

/**
 * @param {string} source below `src`
 * @returns {Promise<string>} a worker's program, which a chunk of its own carries as a text (start-search-worker.ts)
 */
async function bundleWorker(source) {
  const { outputFiles } = await build({
    ...common(root),
    entryPoints: [join(root, 'src', source)],
    format: 'iife',
    write: false,
    plugins: [webAssemblyText()],
  });
  const [program] = outputFiles;
  if (!program) throw new Error(`${source} has no program`);
  return program.text;
}

export const bundleSearchWorker = () => bundleWorker('app/search/search-worker.ts');

/**
 * The part of pdf.js that reads text, once for all that read PDFs in that folder: the panel, and the program that reads web pages. Its name
 * ends with `.mjs` for Node, which takes `.js` for something else in a folder without package.json.
 * @param {string} outDir
 * @returns {Promise<string>} its file's name
 */
export async function buildPdfReader(outDir) {
  const whole = join(dirname(createRequire(import.meta.url).resolve('unpdf')), 'pdfjs.mjs');
  const { metafile } = await build({
    ...common(outDir),
    stdin: { contents: `export { getDocument } from ${JSON.stringify(whole)};`, resolveDir: root, sourcefile: 'pdfjs.mjs' },
    entryNames: 'pdfjs-[hash]',
    outExtension: { '.js': '.mjs' },
    target: [...target, 'node18'],
    format: 'esm',
    plugins: [pdfReaderOfText(whole)],
  });
  return basename(Object.keys(metafile.outputs)[0] ?? '');
}

/**
 * @param {string} whole the file of pdf.js
 * @returns {import('esbuild').Plugin}
 */
function pdfReaderOfText(whole) {
  return {
    name: 'pdf-reader-of-text',
    setup(builder) {
      builder.onLoad({ filter: /pdfjs\.mjs$/ }, ({ path }) =>
        path === realpathSync(whole) ? { contents: pdfTextOnly(readFileSync(path, 'utf8')), loader: 'js' } : undefined,
      );
    },
  };
}

/**
 * What writes HTML takes three functions of `entities`, without the tables of all names that come with them.
 * @returns {import('esbuild').Plugin}
 */
function escapesAlone() {
  return {
    name: 'escapes-alone',
    setup(builder) {
      builder.onResolve({ filter: /^entities$/ }, ({ importer }) => {
        if (!/dom-serializer[\\/]/.test(importer)) return undefined;
        const folder = dirname(createRequire(importer).resolve('entities'));
        const path = ['esm/escape.js', 'escape.js'].map((name) => join(folder, name)).find(existsSync);
        return path === undefined ? undefined : { path };
      });
    },
  };
}

/**
 * @param {string} file
 * @returns {import('esbuild').Plugin}
 */
function pdfReaderBeside(file) {
  return {
    name: 'pdf-reader-beside',
    setup(builder) {
      builder.onResolve({ filter: /^unpdf\/pdfjs$/ }, () => ({ path: `./${file}`, external: true }));
    },
  };
}

/**
 * The program that reads a web page in a process of its own (src/desktop/web/page-reader.ts), for Node and Electron's.
 * @param {string} outDir
 * @param {string} pdfReader
 */
async function buildPageReader(outDir, pdfReader) {
  const { outdir: _folder, ...options } = common(outDir);
  await build({
    ...options,
    entryPoints: [join(root, 'src/desktop/web/page-process.ts')],
    outfile: join(outDir, 'page-reader.mjs'),
    format: 'esm',
    platform: 'node',
    target: 'node18',
    plugins: [stubUnusedParsers(), escapesAlone(), pdfReaderBeside(pdfReader)],
  });
}

/**
 * The program that programs start which start a command (src/features/programs/desktop/bridge.ts), for Node and Electron's.
 * @param {string} outDir
 */
async function buildBridge(outDir) {
  const { outdir: _folder, ...options } = common(outDir);
  await build({
    ...options,
    entryPoints: [join(root, 'src/features/programs/desktop/bridge.ts')],
    outfile: join(outDir, 'mcp-bridge.cjs'),
    ...{ format: 'cjs', platform: 'node', target: 'node18' },
  });
}

/**
 * @param {{ outDir?: string, small?: boolean }} [options] Where the plugin's folder goes, default `dist`; whether its scripts are minified twice.
 * @returns {Promise<{ outDir: string, sizes: Record<string, [number, number]>, first: readonly string[] }>} sizes: bytes raw and gzip by file;
 *   first: the scripts that the first opening of the dock loads.
 */
export async function buildPlugin({ outDir = join(root, 'dist'), small = true } = {}) {
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  const pdfReader = await buildPdfReader(outDir);
  const panel = await build({
    ...common(outDir, {
      SEARCH_WORKER: JSON.stringify(await bundleSearchWorker()),
      MEANING_WORKER: JSON.stringify(await bundleWorker('features/meaning/meaning-worker.ts')),
    }),
    entryPoints: { panel: join(root, 'src/app/panel.ts') },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    format: 'esm',
    splitting: true,
    conditions: ['svelte', 'browser', 'production'],
    mainFields: ['svelte', 'browser', 'module', 'main'],
    plugins: [
      withoutToolExamples(),
      nodeOfDesktopApp(),
      browserEntities(),
      stubUnusedOpenAI(),
      stubUnusedMcp(),
      stubUnusedParsers(),
      pdfReaderBeside(pdfReader),
      sveltePlugin({ compilerOptions: { css: 'external', dev: false } }),
    ],
  });
  const outputs = Object.entries(panel.metafile.outputs).map(([path, output]) => ({ name: basename(path), ...output }));
  const entry = outputs.find(({ entryPoint }) => entryPoint === 'src/app/panel.ts');
  if (!entry?.cssBundle) throw new Error(`the panel's build gave no ${entry ? 'style sheet' : 'script'}`);
  const chunk = entry.name;
  const chunks = outputs
    .filter(({ name }) => name.endsWith('.js'))
    .map(({ name, imports }) => ({
      name,
      imports: imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path)),
    }));
  const scripts = await joinChunks(outDir, chunks, chunk);
  await build({
    ...common(outDir, { PANEL_CHUNK: JSON.stringify(chunk) }),
    entryPoints: { index: join(root, 'src/index.ts') },
    format: 'cjs',
    external: ['siyuan'],
  });
  // One style sheet, index.css, since that is what the host adds and removes with the plugin. The panel's holds those of its parts.
  writeFileSync(join(outDir, 'index.css'), readFileSync(join(outDir, basename(entry.cssBundle))));
  for (const { name } of outputs) if (name.endsWith('.css')) rmSync(join(outDir, name));
  await buildPageReader(outDir, pdfReader);
  await buildBridge(outDir);
  if (small) await minifyScripts(outDir, ['index.js', ...scripts, pdfReader, 'page-reader.mjs']);
  for (const name of ['plugin.json', 'icon.png', 'preview.png', 'LICENSE']) cpSync(join(root, name), join(outDir, name));
  mkdirSync(join(outDir, 'i18n'));
  for (const name of readdirSync(join(root, 'i18n')))
    writeFileSync(join(outDir, 'i18n', name), JSON.stringify(JSON.parse(readFileSync(join(root, 'i18n', name), 'utf8'))));
  for (const name of ['README.md', 'README_zh_CN.md'])
    if (existsSync(join(root, name))) writeFileSync(join(outDir, name), absoluteLinks(readFileSync(join(root, name), 'utf8')));
  const sizes = Object.fromEntries(
    ['index.js', ...scripts, pdfReader, 'index.css'].map((name) => [
      name,
      [readFileSync(join(outDir, name)).length, gzipSync(readFileSync(join(outDir, name))).length],
    ]),
  );
  return { outDir, sizes, first: ['index.js', chunk] };
}

/** Of the service. */
const oldestNode = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node.replace('>=', '');

/**
 * What starts the service: it imports nothing before it has checked Node's version, since an older one fails while it reads the program.
 * @param {string} outDir
 * @returns {string} its file
 */
export function writeServiceStart(outDir) {
  const file = join(outDir, 'service.mjs');
  writeFileSync(file, `#!/usr/bin/env node\n${checkNode}\ncheckNode('${oldestNode}');\nimport('./program.mjs');\n`);
  return file;
}

/**
 * What makes the folder one that npm installs as the command `marginalia-service`: nothing else is installed with it.
 * @param {string} outDir
 */
function writeServicePackage(outDir) {
  const { version, url } = JSON.parse(readFileSync(join(root, 'plugin.json'), 'utf8'));
  const { license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const description = 'The chat over SiYuan notebooks as a service: MCP and HTTP, with rights and approvals.';
  const manifest = {
    name: 'marginalia-service',
    version,
    description,
    license,
    homepage: url,
    bin: { 'marginalia-service': 'service.mjs' },
    engines,
  };
  writeFileSync(join(outDir, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(root, 'deploy/npm-readme.md'), join(outDir, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(outDir, 'LICENSE'));
}

/**
 * The service, a package for npm: one program with the Markdown engine and what reads web pages beside it; `service.mjs` checks Node's version and
 * loads it. Not in `dist/`: what is there is the plugin's, and goes to everybody who installs it.
 * @param {string} [outDir]
 * @returns {Promise<{ file: string, size: number }>} file: what is started; size: bytes of the program
 */
export async function buildService(outDir = join(root, 'dist-service')) {
  rmSync(outDir, { recursive: true, force: true });
  const program = join(outDir, 'program.mjs');
  const entry = "import { main } from './src/service/main.ts';\nawait main(process.argv.slice(2), process.env);";
  const { outdir: _folder, ...options } = common(outDir);
  const pdfReader = await buildPdfReader(outDir);
  await build({
    ...options,
    stdin: { contents: entry, resolveDir: root, loader: 'ts' },
    outfile: program,
    format: 'esm',
    platform: 'node',
    target: `node${oldestNode}`,
    // ws asks for Node's own modules by `require`, which a module does not have by itself.
    banner: { js: "import { createRequire as requireOfModule } from 'node:module'; const require = requireOfModule(import.meta.url);" },
    plugins: [stubUnusedOpenAI(), stubUnusedParsers(), pdfReaderBeside(pdfReader)],
  });
  await buildPageReader(outDir, pdfReader);
  cpSync(createRequire(import.meta.url).resolve('vditor/dist/js/lute/lute.min.js'), join(outDir, 'lute.min.js'));
  writeServicePackage(outDir);
  return { file: writeServiceStart(outDir), size: statSync(program).size };
}

/** The marketplace shows the README outside the repository: relative links would lead nowhere. */
export function absoluteLinks(markdown) {
  const { url } = JSON.parse(readFileSync(join(root, 'plugin.json'), 'utf8'));
  return markdown.replace(
    /(!?)\[([^\]]*)\]\((?!https?:|#|mailto:)([^)\s]+)\)/g,
    (_, image, text, path) => `${image}[${text}](${url}/${image ? 'raw' : 'blob'}/main/${path})`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { outDir, sizes, first } = await buildPlugin();
  for (const [name, [raw, gzip]] of Object.entries(sizes))
    console.log(`${name.padEnd(24)} ${(raw / 1000).toFixed(1).padStart(8)} KB  ${(gzip / 1000).toFixed(1).padStart(7)} KB gzip`);
  const opening = first.reduce((sum, name) => sum + sizes[name][1], 0);
  console.log(`the first opening loads ${first.length} scripts, ${(opening / 1000).toFixed(1)} KB gzip\nbuilt ${outDir}`);
  const service = await buildService();
  console.log(`built ${service.file}, ${(service.size / 1000).toFixed(1)} KB`);
}
