// A question that is asked of each row of a database: set up in a form, answered by a run of the service, approved cell by cell.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { databaseIn } from '../support/databases.ts';
import { NotesDriver } from '../support/notes.ts';
import { drive, type PanelDriver } from '../support/panel.ts';
import { lastToolText } from '../support/scripts.ts';
import { startServiceBeside } from '../support/service-beside.ts';

describe.skipIf(!chromiumPath)('a question of each row', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let folder = '';
  let service: Awaited<ReturnType<typeof startServiceBeside>>;
  let ahead = 0;
  const page = () => panel.region.getByRole('group', { name: 'Standing orders', exact: true });
  const button = (name: string | RegExp) => page().getByRole('button', { name, exact: true });
  const row = () => page().getByRole('article', { name: 'Main claim of each row of Papers' });

  afterEach(async () => {
    await service.close();
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(): Promise<void> {
    await panel.region.getByRole('button', { name: 'More', exact: true }).click();
    await app.page.getByRole('menuitem', { name: 'Standing orders' }).click();
  }

  async function look(): Promise<void> {
    ahead += 6 * 60_000;
    await service.orders.look();
    await service.orders.orders.settled();
  }

  it('is set up for a database that is the first one, made since the panel is open', async () => {
    app = await startApp();
    folder = mkdtempSync(join(tmpdir(), 'marginalia-rows-'));
    service = await startServiceBeside(app, { data: folder, token: 'the-token', orders: { everyMs: 0 } });
    panel = drive(app.page);
    const notes = new NotesDriver(app);
    await notes.setRights({ [await app.notebook('Research')]: 'delete' });
    const note = await notes.create('Research', 'Reading', 'What we read.');
    await panel.open();
    app.model.push({ text: 'Hello.' });
    await panel.send('Hello');
    await panel.settled();
    expect(JSON.stringify(app.model.requests.at(-1))).not.toContain('db_write');
    await open();
    await button('Create orders note').click();
    await button('Ask each row of a database').click();
    await page().getByText('There is no database that may be read.', { exact: false }).waitFor();
    const { block } = await databaseIn(app, note);
    await button('Cancel').click();
    await notes.open(note, 'beside');
    await app.page.locator(`[data-node-id="${block}"]`).first().hover();
    await app.page.locator('.protyle-gutters button:visible').last().click();
    await app.page.locator('.b3-menu__item:visible', { hasText: 'Plugin' }).first().hover();
    await app.page.locator('.b3-menu__submenu').getByText('Ask a question of each row', { exact: true }).click();
    await expect.poll(() => page().locator('form select').first().inputValue()).toBe(block);
    await page().getByLabel('Column for the answers').fill('Main claim');
    await page().getByLabel('Question').fill('What is its main claim?');
    await button('Save').click();
    await page().getByRole('article', { name: 'Main claim of each row of' }).waitFor();
    await panel.region.getByRole('button', { name: 'Back', exact: true }).click();
    app.model.push({ text: 'It has one column.' });
    await panel.send('What is in the database?');
    await panel.settled();
    expect(JSON.stringify(app.model.requests.at(-1))).toContain('db_write');
  });

  it('is answered for the rows that are there, of which one cell is approved, and then for a new row alone', async () => {
    app = await startApp({ settings: { groups: { databases: true } } });
    folder = mkdtempSync(join(tmpdir(), 'marginalia-rows-'));
    service = await startServiceBeside(app, { data: folder, token: 'the-token', orders: { everyMs: 0, now: () => Date.now() + ahead } });
    panel = drive(app.page);
    const notes = new NotesDriver(app);
    await notes.setRights({ [await app.notebook('Research')]: 'delete' });
    const note = await notes.create('Research', 'Reading', 'What we read.');
    await panel.open();
    app.model.push(
      { calls: [{ name: 'db_create', args: { id: note.id, name: 'Papers', columns: [{ name: 'Year', type: 'number' }] } }] },
      { calls: [{ name: 'db_write', args: { id: note.id, op: 'add_rows', rows: [{ title: 'Whales sing' }, { title: 'Bees dance' }] } }] },
      { text: 'Made.' },
    );
    await panel.send('Use db_create: a database of papers, please');
    await panel.approve();
    await panel.approve();
    await panel.settled();

    await open();
    await button('Create orders note').click();
    await button('Ask each row of a database').click();
    await page().getByText('Choose a text column for the answers', { exact: false }).waitFor();
    await page().getByLabel('Column for the answers').fill('Year');
    await page().getByText('The column “Year” holds no text', { exact: false }).waitFor();
    await page().getByLabel('Column for the answers').fill('Main claim');
    await page().getByText('Write the question that is asked of each row.').waitFor();
    await expect.poll(() => button('Save').isDisabled()).toBe(true);
    await page().getByLabel('Question').fill('What is its main claim?');
    await button('Save').click();
    await row().getByText('When a row of Papers is new or changed, except in Main claim', { exact: false }).waitFor();

    await look();
    await row().getByText('2 rows were there before.', { exact: false }).waitFor();
    await row().getByRole('button', { name: 'Run for these too' }).click();
    const rows = (text: string) => [...text.matchAll(/row (\d{14}-[0-9a-z]{7})/gu)].map(([, id]) => id);
    app.model.push(
      { calls: [{ name: 'db_read', args: { id: note.id } }] },
      (request) => {
        const set = rows(lastToolText(request)).map((id, at) => ({ row: id, values: { 'Main claim': `Claim ${at + 1}.` } }));
        return { calls: [{ name: 'db_write', args: { id: note.id, op: 'set_cells', rows: set } }] };
      },
      { text: 'Proposed.' },
    );
    await look();
    const asked = JSON.stringify(app.model.requests.at(-3)?.messages);
    expect(asked).toContain('Whales sing');
    expect(asked).toContain('What is its main claim?');
    const approval = page().getByRole('group', { name: 'Approval' });
    await approval.getByText('Claim 2.').first().waitFor();
    await approval.getByRole('checkbox').last().uncheck();
    await approval.getByRole('button', { name: 'Approve 1 of 2' }).click();
    await page().getByText('Nothing is pending.').waitFor();
    const undo = panel.region.getByRole('button', { name: 'Undo', exact: true });
    const offered = await undo.count();
    await undo.last().click();
    await expect.poll(() => undo.count()).toBe(offered - 1);

    // The answer is no change of the row.
    const requests = app.model.requests.length;
    await look();
    expect(app.model.requests).toHaveLength(requests);

    await panel.region.getByRole('button', { name: 'Back', exact: true }).click();
    app.model.push(
      { calls: [{ name: 'db_write', args: { id: note.id, op: 'add_rows', rows: [{ title: 'Ants march' }] } }] },
      { text: 'Added.' },
    );
    await panel.send('Add the paper on ants');
    await panel.approve();
    await panel.settled();
    await open();
    await look();
    let ants: string | undefined;
    let read = '';
    const answer = (claim: string) => {
      app.model.push(
        { calls: [{ name: 'db_read', args: { id: note.id } }] },
        (request) => {
          read = lastToolText(request);
          ants = /row (\d{14}-[0-9a-z]{7})[^\n]*Ants march/u.exec(read)?.[1];
          return {
            calls: [{ name: 'db_write', args: { id: note.id, op: 'set_cells', rows: [{ row: ants, values: { 'Main claim': claim } }] } }],
          };
        },
        { text: 'Proposed.' },
      );
    };
    answer('Ants walk.');
    await look();
    const last = JSON.stringify(app.model.requests.at(-3)?.messages.at(-1));
    expect(read).not.toContain('Claim 1.');
    expect(last).toContain('Ants march');
    expect(last).not.toContain('Whales sing');
    await approval.getByText('Ants walk.').first().waitFor();
    // The row changes once more: its answer waits once.
    await panel.region.getByRole('button', { name: 'Back', exact: true }).click();
    app.model.push(
      { calls: [{ name: 'db_write', args: { id: note.id, op: 'set_cells', rows: [{ row: ants, values: { Year: 1999 } }] } }] },
      { text: 'Set.' },
    );
    await panel.send('Set its year');
    await panel.approve();
    await panel.settled();
    await open();
    await look();
    answer('Ants march in lines.');
    await look();
    await page().getByText('Ants march in lines.').first().waitFor();
    await expect.poll(() => page().getByText('Ants walk.').count()).toBe(0);
    await expect.poll(() => page().getByRole('group', { name: 'Approval' }).count()).toBe(1);
    // Its chat says what it was about as a person reads it.
    await page().getByRole('button', { name: 'Open the chat' }).first().click();
    const question = panel.region.getByRole('article', { name: 'You' }).first();
    await question.getByText('row “Ants march”: changed', { exact: false }).waitFor();
    await expect.poll(() => question.getByRole('link', { name: 'Papers' }).count()).toBeGreaterThan(0);
    await expect.poll(() => question.innerText()).not.toMatch(/untrusted|\(\(|\d{14}-/u);
  });
});
