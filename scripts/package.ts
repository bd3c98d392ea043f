// npm run package: writes what a release carries. package.zip is the plugin, which the marketplace takes; marginalia-service-….tgz is the service for
// npm, and marginalia-deploy.zip the folder `deploy` with it.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { buildPlugin, buildService } from '../esbuild.config.mjs';
import { LIMITS, type PackageFiles, packageProblems } from './package-rules.ts';

const root = dirname(import.meta.dirname);

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

/** The same files give the same zip: no time of the build is in it. */
const zipOf = (files: PackageFiles): Uint8Array => zipSync(Object.fromEntries(files), { level: 9, mtime: new Date('2026-01-01T00:00:00') });

/** Packs a built service for npm into that folder; its file's name. */
export function packService(built: string, folder: string): string {
  const args = ['pack', built, '--silent', '--pack-destination', folder];
  return execFileSync('npm', args, { encoding: 'utf8', shell: process.platform === 'win32' }).trim();
}

/** What is unpacked on a server: the folder `deploy`, and beside its Dockerfile the packed service. */
export function deployFiles(packed: string): PackageFiles {
  const files = new Map([...filesIn(join(root, 'deploy'))].map(([name, text]) => [`marginalia/${name}`, text]));
  files.delete('marginalia/npm-readme.md');
  return files.set(`marginalia/${basename(packed)}`, readFileSync(packed));
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
  writePackage('package.zip', zipOf(files), files.size);
  const { all, start } = packageSizes(files);
  console.log(`gzip without pictures ${(all / 1000).toFixed(1)} KB, start script ${(start / 1000).toFixed(1)} KB`);
  const service = dirname((await buildService()).file);
  const packed = packService(service, root);
  writePackage(packed, readFileSync(join(root, packed)), filesIn(service).size);
  const deployed = deployFiles(join(root, packed));
  writePackage('marginalia-deploy.zip', zipOf(deployed), deployed.size);
}

function writePackage(name: string, bytes: Uint8Array, files: number): void {
  writeFileSync(join(root, name), bytes);
  console.log(`wrote ${join(root, name)}: ${files} files, ${(bytes.length / 1000).toFixed(1)} KB`);
}

if (import.meta.main) await main();
