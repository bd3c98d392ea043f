import { copyFile, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));

/**
 * Builds the shell into a folder that the host serves at `/`:
 * `index.html`, `stage/main.js`, `stage/shell.css` and Lute at SiYuan's own address, `stage/protyle/js/lute/lute.min.js`.
 * Rejects with esbuild's error when the source does not build.
 */
export async function buildShell(outDir: string): Promise<void> {
  const lute = join(outDir, 'stage', 'protyle', 'js', 'lute');
  await mkdir(lute, { recursive: true });
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
    copyFile(join(here, 'index.html'), join(outDir, 'index.html')),
    copyFile(createRequire(import.meta.url).resolve('vditor/dist/js/lute/lute.min.js'), join(lute, 'lute.min.js')),
  ]);
}
