import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));

/** What SiYuan draws with, and the Markdown engine; Vditor brings the same libraries in the same folders. */
const LIBRARIES = [
  'lute/lute.min.js',
  'katex',
  'highlight.js/highlight.min.js',
  'highlight.js/styles/github.min.css',
  'highlight.js/styles/github-dark.min.css',
  'mermaid/mermaid.min.js',
  'echarts/echarts.min.js',
];

/** What a page shows that has no saved layout yet: a document and an open dock, both by their ids. */
export interface FirstLayout {
  readonly document: string;
  readonly dock: string;
}

const firstAttributes = ({ document, dock }: FirstLayout): string => `<body data-first-document="${document}" data-first-dock="${dock}">`;

/**
 * Builds the shell into a folder that the host serves at `/`:
 * `index.html`, `stage/main.js`, `stage/shell.css`, and the libraries at SiYuan's own addresses, `stage/protyle/js/…`.
 * Rejects with esbuild's error when the source does not build.
 */
export async function buildShell(outDir: string, first?: FirstLayout): Promise<void> {
  const vditor = dirname(createRequire(import.meta.url).resolve('vditor/package.json'));
  await mkdir(outDir, { recursive: true });
  const page = await readFile(join(here, 'index.html'), 'utf8');
  await Promise.all([
    build({
      entryPoints: { main: join(here, 'main.ts'), shell: join(here, 'styles', 'shell.css') },
      outdir: join(outDir, 'stage'),
      bundle: true,
      format: 'esm',
      target: 'es2022',
      sourcemap: true,
      logLevel: 'warning',
    }),
    writeFile(join(outDir, 'index.html'), first ? page.replace('<body>', firstAttributes(first)) : page),
    // With the time of the package's files: a page that is loaded again does not ask for them again.
    ...LIBRARIES.map((path) =>
      cp(join(vditor, 'dist', 'js', path), join(outDir, 'stage', 'protyle', 'js', path), { recursive: true, preserveTimestamps: true }),
    ),
  ]);
}
