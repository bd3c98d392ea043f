// What an earlier version saved opens: a workspace as the code before the move into features left it (commit aa2b3c70), with a chat that
// wrote, the journal of the write, an order that ran, its proposal, usage and records.
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningHost, startHost } from '../../devhost/host.ts';
import { type RunningService, startService } from '../../src/service/service.ts';
import { KERNEL_TOKEN, TOKEN } from './support.ts';

const README = '20261129144425-x8h271s';
const CHAT = 'mx1y9z0y-dc2454edfd0a';

let host: RunningHost;
let service: RunningService;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'marginalia-saved-before-'));
  cpSync(join(import.meta.dirname, 'recorded-before/workspace'), join(folder, 'workspace'), { recursive: true });
  host = await startHost({ workspace: join(folder, 'workspace'), port: 0, indexDelayMs: 20, token: KERNEL_TOKEN });
  service = await startService({
    ...{ kernel: host.url.replace(/\/$/, ''), kernelToken: KERNEL_TOKEN, token: TOKEN, hosts: [], origins: [], port: 0, host: '127.0.0.1' },
    ...{ data: join(folder, 'data'), log: () => undefined, orders: { everyMs: 0 } },
  });
});
afterAll(async () => {
  await service.close();
  await host.close();
});

async function ask<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(`${service.url}${path}`, {
    headers: { Authorization: `Bearer ${TOKEN}` },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  });
  return (await response.json()) as T;
}

async function noteText(): Promise<string> {
  const headers = { Authorization: `Token ${KERNEL_TOKEN}` };
  const body = JSON.stringify({ id: README });
  const response = await fetch(new URL('/api/export/exportMdContent', host.url), { method: 'POST', headers, body });
  return ((await response.json()) as { data: { content: string } }).data.content;
}

it('shows the chats with their messages and calls', async () => {
  const chats = await ask<{ id: string; title: string }[]>('/api/chat/sessions');
  expect(chats.map(({ title }) => title).sort()).toEqual(['Add a line to the README.', 'Sort my inbox · 2026-11-26 08:00']);
  const messages = JSON.stringify(await ask(`/api/chat/sessions/${CHAT}/messages`));
  for (const words of ['Add a line to the README.', 'I added a line.', 'insert_blocks']) expect(messages).toContain(words);
});

it('shows orders and what they proposed, planned against the notes of now', async () => {
  const { orders } = await ask<{ orders: object[] }>('/api/orders');
  expect(orders).toMatchObject([{ name: 'Sort my inbox', problems: [], last_run: { status: 'done', proposals: 1 } }]);
  expect(await ask('/api/orders/inbox')).toMatchObject([{ name: 'Sort my inbox', tool: 'insert_blocks', changed: '' }]);
});

it('undoes what was written then', async () => {
  const messages = await ask<{ id: string; role: string }[]>(`/api/chat/sessions/${CHAT}/messages`);
  expect(await noteText()).toContain('Written in the chat.');
  const answer = messages.find(({ role }) => role === 'assistant');
  await ask(`/api/chat/sessions/${CHAT}/undo`, { message_id: answer?.id });
  expect(await noteText()).not.toContain('Written in the chat.');
});
