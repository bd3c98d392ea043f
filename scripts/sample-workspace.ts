// The workspace with sample notes that `npm start` and the service's demo show.
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startHost } from '../devhost/host.ts';
import { seedSampleWorkspace } from '../devhost/sample/workspace.ts';
import { ORDERS_WISHES } from '../src/tools/contract/saved-names.ts';

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

const WISHES = `data/storage/petal/siyuan-marginalia/${ORDERS_WISHES}`;

const INBOX = [
  'Sourdough bread: the crust is better with ten minutes less steam.',
  'Lisbon: Inês says that the tile museum is closed on Mondays.',
  'Mapo tofu: half of the chilli when Inês is here.',
  'The blue umbrella is not ours.',
];
const ORDER = ['## Sort my inbox', '- When: every weekday at 7', 'Look through the note Inbox and propose where each item belongs.'];

/** What a standing order can be tried with: a note to sort, and the note with the order. */
async function seedOrder(url: string): Promise<void> {
  const { notebooks } = (await post(url, '/api/notebook/lsNotebooks', {})) as { notebooks: readonly { name: string; id: string }[] };
  const notebook = notebooks.find(({ name }) => name === 'Life')?.id;
  const create = (title: string, paragraphs: readonly string[]): Promise<unknown> =>
    post(url, '/api/filetree/createDocWithMd', { notebook, path: `/${title}`, markdown: paragraphs.join('\n\n') });
  await create('Inbox', INBOX);
  const note = await create('Standing orders', ORDER);
  const body = new FormData();
  body.append('path', `/${WISHES}`);
  body.append('file', new Blob([JSON.stringify({ schema: 1, note, orders: {} })]));
  const answer = await fetch(new URL('/api/file/putFile', url), { method: 'POST', body });
  if (!answer.ok) throw new Error(`putFile: ${answer.status}`);
}

/** The sample is made once; what the visitor changes stays until the folder is removed. */
export async function seedWorkspace(workspace: string): Promise<void> {
  const data = join(workspace, 'data');
  const isSeeded = existsSync(data) && readdirSync(data).some((name) => /^\d{14}-/.test(name));
  if (isSeeded && existsSync(join(workspace, WISHES))) return;
  const made = isSeeded ? workspace : `${workspace}.new`;
  if (!isSeeded) rmSync(made, { recursive: true, force: true });
  const host = await startHost({ workspace: made, port: 0, indexDelayMs: 0 });
  if (!isSeeded) await seedSampleWorkspace((path, body) => post(host.url, path, body));
  await seedOrder(host.url);
  await host.close();
  if (isSeeded) return;
  rmSync(workspace, { recursive: true, force: true });
  // Renamed when it is whole: an interrupted first start leaves no half sample behind.
  renameSync(made, workspace);
}
