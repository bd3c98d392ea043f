// A chat that the service runs, in the panel beside it: shown as it is written, and gone on with afterwards; and the other way round.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allEvents } from '../service/support.ts';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { gate } from '../support/chats.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { drive, type PanelDriver } from '../support/panel.ts';
import { startServiceBeside } from '../support/service-beside.ts';

const TOKEN = 'the-token-of-the-service';

describe.skipIf(!chromiumPath)('a chat in the panel and in the service', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let model: ModelServer;
  let folder = '';
  let service: Awaited<ReturnType<typeof startServiceBeside>>;
  const ask = (body: object): Promise<Response> =>
    fetch(`${service.url}/api/chat/send`, { method: 'POST', body: JSON.stringify(body), headers: { Authorization: `Bearer ${TOKEN}` } });
  /** The panel has said the last word a moment before it has saved it. */
  async function askWhenFree(body: object): Promise<Response> {
    let answered = await ask(body);
    const again = async (): Promise<number> => {
      if (answered.status === 409) answered = await ask(body);
      return answered.status;
    };
    await expect.poll(again).toBe(200);
    return answered;
  }
  const starts = () =>
    startServiceBeside(app, { data: folder, token: TOKEN, model: { baseURL: model.baseURL, apiKey: '', model: 'of-the-service' } });

  beforeAll(async () => {
    app = await startApp();
    model = await startModelServer();
    folder = mkdtempSync(join(tmpdir(), 'marginalia-service-'));
    service = await starts();
    panel = drive(app.page);
    await panel.open();
  });
  afterAll(async () => {
    await service.close();
    await model.close();
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const chats = () => panel.region.getByRole('button', { name: 'Chats', exact: true });

  it('is shown live and read-only while the service writes it, then goes on in the panel', async () => {
    const { held, open } = gate();
    model.push({ text: 'The roofs are pale.' }, { text: 'They throw the light back.', hold: held });
    await allEvents(await ask({ session_id: 'roofs', message: 'What about the roofs?' }));
    await chats().click();
    await panel.region.getByText('What about the roofs?').first().click();
    await panel.answer.getByText('The roofs are pale.').waitFor();
    const second = await ask({ session_id: 'roofs', message: 'And then?' });
    await panel.region.locator('article[data-role="user"]', { hasText: 'And then?' }).waitFor();
    await panel.answer.getByText('Another window or program is writing this answer').waitFor();
    await panel.answer.getByText('They throw').waitFor();
    await expect.poll(() => panel.answer.getAttribute('data-status')).toBe('streaming');
    app.model.push({ text: 'In winter, too.' });
    await panel.message.fill('In winter, too?');
    await panel.region.getByRole('button', { name: 'Send' }).click();
    await panel.region.getByText('Next:').waitFor();
    expect(app.model.requests).toHaveLength(0);
    open();
    await allEvents(second);
    await panel.region.getByText('They throw the light back.').waitFor();
    await panel.answer.getByText('In winter, too.').waitFor();
    expect(app.model.requests[0]?.messages.map(({ content }) => content)).toEqual(
      expect.arrayContaining(['What about the roofs?', 'And then?', 'In winter, too?']),
    );
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const told = async () => (await fetch(`${service.url}/api/chat/sessions/roofs/messages`, { headers })).text();
    await expect.poll(told).toContain('In winter, too.');
  });

  it('shows in the panel what is waiting for approval in the service', async () => {
    const create = { name: 'create_doc', args: { notebook: 'Research', path: '/Roofs', markdown: 'Pale roofs.' } };
    model.push({ calls: [create] }, { text: 'I have made it.' });
    const sent = await askWhenFree({ session_id: 'roofs', message: 'Make a note' });
    await panel.answer.getByText('An approval is needed where the question was asked').waitFor();
    await panel.answer.getByText('waiting for approval').first().waitFor();
    await panel.answer.getByText('Pale roofs.').waitFor();
    await expect.poll(() => panel.answer.getByText('Another window or program is writing').count()).toBe(0);
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const [waiting] = (await (await fetch(`${service.url}/api/chat/approvals`, { headers })).json()) as { id: string }[];
    await fetch(`${service.url}/api/chat/approvals/${waiting?.id}`, { method: 'POST', headers, body: '{"decision":"reject"}' });
    await allEvents(sent);
    await panel.answer.getByText('I have made it.').waitFor();
    await panel.settled();
  });

  it('lists in the panel what the service did, and undoes its changes of notes there', async () => {
    const create = { name: 'create_doc', args: { notebook: 'Research', path: '/Pale roofs', markdown: 'They throw light back.' } };
    model.push({ calls: [create] }, { text: 'There it is.' });
    const sent = await askWhenFree({ session_id: 'roofs', message: 'Make it after all' });
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const waiting = async () => (await (await fetch(`${service.url}/api/chat/approvals`, { headers })).json()) as { id: string }[];
    await expect.poll(async () => (await waiting()).length).toBe(1);
    const [{ id } = { id: '' }] = await waiting();
    const body = '{"decision":"approve","beyond_right":true}';
    await fetch(`${service.url}/api/chat/approvals/${id}`, { method: 'POST', headers, body });
    await allEvents(sent);
    await panel.answer.getByText('There it is.').waitFor();
    const row = panel.region.locator('[data-call][data-status="success"]', { hasText: 'Pale roofs' });
    const openActivity = async (): Promise<void> => {
      await panel.region.getByRole('button', { name: 'More' }).first().click();
      await app.page.getByRole('menuitem', { name: 'Activity' }).click();
      await panel.region.getByRole('group', { name: 'Activity' }).waitFor();
    };
    const listed = async (): Promise<number> => {
      await openActivity();
      const found = await row.waitFor({ timeout: 1000 }).then(
        () => 1,
        () => 0,
      );
      if (found === 0) await panel.region.getByRole('button', { name: 'Back' }).first().click();
      return found;
    };
    await expect.poll(listed, { timeout: 20_000 }).toBe(1);
    await row.getByText('Through the service').waitFor();
    await row.getByRole('button', { name: 'Undo' }).click();
    await row.getByText('Undone').waitFor();
    // SiYuan's index comes a moment later.
    const stmt = "SELECT id FROM blocks WHERE type = 'd' AND content = 'Pale roofs'";
    await expect.poll(() => app.kernel<unknown[]>('/api/query/sql', { stmt })).toEqual([]);
    await panel.region.getByRole('button', { name: 'Back' }).first().click();
  });

  it('is refused by the service while the panel writes it', async () => {
    const { held, open } = gate();
    app.model.push({ text: 'Counting one two three.', hold: held });
    await panel.send('Count');
    await panel.answer.getByText('Counting').waitFor();
    const refused = await ask({ session_id: 'roofs', message: 'And here?' });
    expect([refused.status, await refused.json()]).toMatchObject([409, { error: { code: 'chat_elsewhere' } }]);
    open();
    await panel.settled();
    model.push({ text: 'Here, too.' });
    const answered = await askWhenFree({ session_id: 'roofs', message: 'And here?' });
    expect((await allEvents(answered)).at(-1)).toMatchObject({ event: 'done' });
    await panel.answer.getByText('Here, too.').waitFor();
  });

  it('is there as it was saved when the service ends in the middle of an answer', async () => {
    const { held } = gate();
    model.push({ text: 'A long story begins here.', hold: held });
    await ask({ session_id: 'roofs', message: 'Tell on' });
    await panel.answer.getByText('A long').waitFor();
    await service.close();
    await expect.poll(() => panel.answer.getAttribute('data-status')).not.toBe('streaming');
    await panel.answer.getByText('A long').waitFor();
    app.model.push({ text: 'It ends well.' });
    await panel.send('Go on');
    await panel.answer.getByText('It ends well.').waitFor();
    service = await starts();
  });
});
