// The workspace with sample notes that `npm start` and the service's demo show.
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startHost } from '../devhost/host.ts';
import { seedSampleWorkspace } from '../devhost/sample/workspace.ts';

async function post(url: string, path: string, body: object): Promise<unknown> {
  const response = await fetch(new URL(path, url), {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  const answer = (await response.json()) as { code: number; msg: string; data: unknown };
  if (answer.code !== 0) throw new Error(`${path}: ${answer.msg}`);
  return answer.data;
}

/** The sample is made once; what the visitor changes stays until the folder is removed. */
export async function seedWorkspace(workspace: string): Promise<void> {
  const data = join(workspace, 'data');
  if (existsSync(data) && readdirSync(data).some((name) => /^\d{14}-/.test(name))) return;
  const unfinished = `${workspace}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  const host = await startHost({ workspace: unfinished, port: 0, indexDelayMs: 0 });
  await seedSampleWorkspace((path, body) => post(host.url, path, body));
  await host.close();
  rmSync(workspace, { recursive: true, force: true });
  // Renamed when it is whole: an interrupted first start leaves no half sample behind.
  renameSync(unfinished, workspace);
}
