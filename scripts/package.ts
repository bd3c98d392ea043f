// npm run package: builds the plugin and writes package.zip, which a release carries and the marketplace takes.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { buildPlugin } from '../esbuild.config.mjs';
import { LIMITS, type PackageFiles, packageProblems } from './package-rules.ts';

/** All files below a folder, by their paths in it. */
export function filesIn(folder: string): PackageFiles {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.sort().map((path) => [path.slice(folder.length + 1).replaceAll('\\', '/'), readFileSync(path)]));
}

/** Bytes, gzip, of all but pictures, and of the script that runs when SiYuan starts. */
export function packageSizes(files: PackageFiles): { readonly all: number; readonly start: number } {
  const zipped = (name: string): number => gzipSync(files.get(name) ?? new Uint8Array()).length;
  const all = [...files.keys()].filter((name) => !name.endsWith('.png')).reduce((sum, name) => sum + zipped(name), 0);
  return { all, start: zipped('index.js') };
}

function sizeProblems(files: PackageFiles): string[] {
  const sizes = packageSizes(files);
  return (['all', 'start'] as const).flatMap((part) =>
    sizes[part] <= LIMITS[part] ? [] : [`${part}: ${sizes[part]} bytes gzip, at most ${LIMITS[part]}`],
  );
}

async function main(): Promise<void> {
  const { outDir } = await buildPlugin();
  const files = filesIn(outDir);
  const problems = [...packageProblems(files), ...sizeProblems(files)];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    console.error('no package was written');
    process.exitCode = 1;
    return;
  }
  // The same files give the same package: no time of the build is in it.
  const zip = zipSync(Object.fromEntries(files), { level: 9, mtime: new Date('2026-01-01T00:00:00') });
  const file = join(dirname(outDir), 'package.zip');
  writeFileSync(file, zip);
  const { all, start } = packageSizes(files);
  console.log(`wrote ${file}: ${files.size} files, ${(zip.length / 1000).toFixed(1)} KB`);
  console.log(`gzip without pictures ${(all / 1000).toFixed(1)} KB, start script ${(start / 1000).toFixed(1)} KB`);
}

if (import.meta.main) await main();
