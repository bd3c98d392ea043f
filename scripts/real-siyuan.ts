// The browser tests on a real SiYuan: npm run test:browser -- --siyuan URL --token T [--access-code C] [--workspace DIR]
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
/** What only the development host can show: whole files, or the tests whose names begin so. */
const TABLE = 'tests/e2e/development-only.json';

export interface DevelopmentOnly {
  /** In tests/e2e. */
  readonly file: string;
  /** How the full names of the tests begin; all of the file without it. */
  readonly tests?: string;
  readonly reason: string;
}

export const DEVELOPMENT_ONLY = JSON.parse(readFileSync(join(root, TABLE), 'utf8')) as readonly DevelopmentOnly[];

export interface RealSiYuan {
  readonly url: string;
  readonly token: string;
  readonly accessCode?: string | undefined;
  readonly workspace?: string | undefined;
}

/** What the tests read (tests/support/real-host.ts), after asking the kernel; throws with the next step. */
export async function realSiYuanEnvironment({ url, token, accessCode, workspace }: RealSiYuan): Promise<Record<string, string>> {
  const headers = { Authorization: `Token ${token}` };
  const asked = await fetch(new URL('/api/system/getWorkspaceInfo', url), { method: 'POST', body: '{}', headers }).catch(() => undefined);
  if (asked === undefined) throw new Error(`nothing answers at ${url}: start SiYuan, or give its address with --siyuan`);
  if (asked.status === 401) throw new Error('SiYuan refuses the token: copy that of Settings → Authentication → API token');
  const { data } = (await asked.json()) as { data: { workspaceDir: string; siyuanVer: string } };
  const folder = workspace ?? data.workspaceDir;
  if (!existsSync(join(folder, 'conf/conf.json')))
    throw new Error(`${folder} is no workspace on this machine: give the folder of this SiYuan with --workspace`);
  const page = await fetch(new URL('/stage/build/desktop/', url), { redirect: 'manual' });
  if (page.status !== 200 && accessCode === undefined) throw new Error('SiYuan is locked: give its access code with --access-code');
  console.log(`SiYuan ${data.siyuanVer} at ${url}, workspace ${folder}`);
  return {
    ...{ SIYUAN_URL: url, SIYUAN_TOKEN: token, SIYUAN_WORKSPACE: folder },
    ...(accessCode !== undefined && { SIYUAN_AUTH: accessCode }),
  };
}

export function printDevelopmentOnly(): void {
  console.log(`\nnot on a real SiYuan (${TABLE}):`);
  for (const { file, tests, reason } of DEVELOPMENT_ONLY) console.log(`  ${file}${tests === undefined ? '' : `, “${tests}…”`}: ${reason}`);
}
