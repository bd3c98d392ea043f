// npm run install-plugin -- --workspace DIR: the built plugin into a SiYuan workspace. There it has to be enabled once, in
// Settings → Marketplace → Downloaded.
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPlugin } from '../esbuild.config.mjs';

/** Takes the place of what was installed before. */
export function installPlugin(dist: string, workspace: string): string {
  const folder = join(workspace, 'data/plugins/siyuan-marginalia');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  cpSync(dist, folder, { recursive: true });
  return folder;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { workspace: { type: 'string' } } });
  const { workspace } = values;
  if (workspace === undefined || !existsSync(join(workspace, 'data'))) {
    console.error(`${workspace ?? 'no folder'} is no SiYuan workspace: npm run install-plugin -- --workspace DIR, where DIR holds "data"`);
    process.exitCode = 1;
    return;
  }
  const { outDir } = await buildPlugin();
  console.log(`installed in ${installPlugin(outDir, workspace)}: reload SiYuan`);
}

if (import.meta.main) await main();
