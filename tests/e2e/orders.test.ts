// Standing orders in the panel: the note, a new order, a run of the service on the same workspace, the inbox.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive, type PanelDriver } from '../support/panel.ts';
import { startServiceBeside } from '../support/service-beside.ts';

describe.skipIf(!chromiumPath)('standing orders in the panel', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let folder = '';
  let service: Awaited<ReturnType<typeof startServiceBeside>>;
  const page = () => panel.region.getByRole('group', { name: 'Standing orders', exact: true });
  const button = (name: string | RegExp) => page().getByRole('button', { name, exact: true });
  const found = async (query: string): Promise<readonly { readonly content: string; readonly id: string }[]> =>
    (await app.kernel<{ blocks: { content: string; id: string }[] }>('/api/search/fullTextSearchBlock', { query, method: 0 })).blocks;

  beforeAll(async () => {
    app = await startApp();
    folder = mkdtempSync(join(tmpdir(), 'marginalia-orders-'));
    service = await startServiceBeside(app, { data: folder, token: 'the-token', orders: { everyMs: 0 } });
    panel = drive(app.page);
    await panel.open();
  });
  afterAll(async () => {
    await service.close();
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('begin with a note, made by one press, and an order written in a form', async () => {
    await panel.region.getByRole('button', { name: 'More', exact: true }).click();
    await app.page.getByRole('menuitem', { name: 'Standing orders' }).click();
    await button('Create orders note').click();
    await page().getByText('The note has no order yet.', { exact: false }).waitFor();
    await button('New order').click();
    await page().getByLabel('Name', { exact: true }).fill('Zanzibar watch');
    await page().getByLabel('When', { exact: true }).fill('now and then');
    await page().getByText('“now and then” is not understood.', { exact: false }).waitFor();
    await page().getByLabel('When', { exact: true }).fill('every weekday at 7:30');
    await page().getByText('Monday to Friday at 7:30').waitFor();
    await page().getByLabel('What it should do').fill('Note something about Zanzibar.');
    await button('Save').click();
    await page().getByRole('article', { name: 'Zanzibar watch' }).getByText('Monday to Friday at 7:30', { exact: false }).waitFor();
    expect((await found('Zanzibar watch')).length).toBeGreaterThan(0);
    // The person wrote it, though a tool carried it out.
    const stmt = "SELECT id FROM blocks WHERE id IN (SELECT block_id FROM attributes WHERE name = 'custom-marginalia-source') LIMIT 10";
    await expect.poll(() => app.kernel('/api/query/sql', { stmt })).toEqual([]);
  });

  it('propose, and the person approves a part', async () => {
    app.model.push(
      { calls: [{ name: 'daily_note', args: { op: 'append', notebook: 'Life', markdown: 'Proposed one.\n\nProposed two.' } }] },
      { text: 'Proposed.' },
    );
    await button('Run now').click();
    await service.orders.look();
    await service.orders.orders.settled();
    expect(await found('Proposed one')).toEqual([]);
    await panel.region.getByRole('button', { name: 'Back', exact: true }).click();
    await panel.region.getByRole('button', { name: 'More', exact: true }).click();
    await app.page.getByRole('menuitem', { name: 'Standing orders' }).click();
    const approval = page().getByRole('group', { name: 'Approval' });
    await approval.getByText('Proposed two.').first().waitFor();
    await approval.getByRole('checkbox').last().uncheck();
    await approval.getByRole('button', { name: 'Approve 2 of 3' }).click();
    await page().getByText('Nothing is pending.').waitFor();
    await expect.poll(async () => (await found('Proposed one')).filter(({ content }) => content.includes('one')).length).toBe(1);
    expect((await found('Proposed two')).filter(({ content }) => content.includes('two'))).toEqual([]);
    await page().getByText('1 proposal, 1 approved.').waitFor();
    await panel.region.getByRole('button', { name: 'Undo', exact: true }).click();
    await page().getByText('1 proposal, 0 approved, 1 undone.').waitFor();
    await page()
      .getByText(/^They run in the service on .+ \(\w[\w/+-]*\)\.$/u)
      .waitFor();
  });

  it('are changed in the same form, and removed by one press that can be undone', async () => {
    const row = (name: string) => page().getByRole('article', { name });
    const heading = async (text: string) => (await found(text)).find(({ content }) => content.includes(text))?.id;
    const before = await heading('Zanzibar watch');
    await row('Zanzibar watch').getByRole('button', { name: 'Change' }).click();
    const field = (name: string) => row('Zanzibar watch').getByLabel(name, { exact: true });
    await expect.poll(() => field('When').inputValue()).toBe('every weekday at 7:30');
    await expect.poll(() => field('What it should do').inputValue()).toBe('Note something about Zanzibar.');
    await field('When').fill('every day at 8');
    await field('Name').fill('Pemba watch');
    await field('What it should do').fill('Note something about Pemba.\n\nIn a second line.');
    await row('Zanzibar watch').getByRole('button', { name: 'Save' }).click();
    await row('Pemba watch').getByText('Every day at 8:00 · next', { exact: false }).waitFor();
    expect(await heading('Pemba watch')).toBe(before);
    expect((await found('second line')).length).toBeGreaterThan(0);

    await row('Pemba watch').getByRole('button', { name: 'Remove' }).click();
    await app.page.locator('.b3-dialog--open').getByRole('button', { name: 'Remove', exact: true }).click();
    await expect.poll(() => row('Pemba watch').count()).toBe(0);
    await panel.region.getByText('“Pemba watch” is removed.').first().waitFor();
    await panel.region.getByRole('button', { name: 'Undo', exact: true }).click();
    await row('Pemba watch').getByText('Every day at 8:00 · next', { exact: false }).waitFor();
    expect(await heading('Pemba watch')).toBe(before);
  });
});
