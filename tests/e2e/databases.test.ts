// A database is changed by its own table, old and new: what is left out stays, and Undo brings back the rest. On the built plugin.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { NotesDriver, type TestNote } from '../support/notes.ts';
import { drive, type PanelDriver } from '../support/panel.ts';
import { lastToolText } from '../support/scripts.ts';

describe.skipIf(!chromiumPath)('changes of a database in review', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let note: TestNote;

  beforeAll(async () => {
    app = await startApp({ settings: { groups: { databases: true } } });
    panel = drive(app.page);
    const notes = new NotesDriver(app);
    await notes.setRights({ [await app.notebook('Research')]: 'delete' });
    note = await notes.create('Research', 'Board', 'Tasks of the week.');
    await notes.open(note);
    await panel.open();
  });
  afterAll(() => app?.close());

  const columns = [
    { name: 'State', type: 'select', options: ['open', 'done'] },
    { name: 'Due', type: 'date' },
    { name: 'Price', type: 'number' },
  ];
  const read = () => ({ name: 'db_read', args: { id: note.id } });
  const undos = () => panel.region.getByRole('button', { name: 'Undo', exact: true });

  it('is made, filled and read, and is in the open note at once, with its rows', async () => {
    const rows = [
      { title: 'Write report', values: { State: 'open', Due: '2026-01-31', Price: 2 } },
      { title: '<b>Ring</b> the bank', values: { State: 'open' } },
    ];
    app.model.push(
      { calls: [{ name: 'db_create', args: { id: note.id, name: 'Tasks', columns } }] },
      { calls: [{ name: 'db_write', args: { id: note.id, op: 'add_rows', rows } }] },
      { calls: [read()] },
      { text: 'It is there.' },
    );
    await panel.send('Make a table of my tasks');
    await panel.approve();
    await panel.approval
      .getByRole('row', { name: /Write report/ })
      .first()
      .waitFor();
    await panel.approve();
    await panel.settled();
    expect(lastToolText(app.model.requests.at(-1)!)).toMatch(
      /Name=Write report; State=open; Due=2026-01-31; Price=2\nrow \S+: Name=<b>Ring<\/b> the bank; State=open/u,
    );
    const drawn = app.page.locator('.protyle-wysiwyg .av');
    await expect.poll(() => drawn.locator('.av__title').allTextContents()).toEqual(['Tasks']);
    await expect
      .poll(() => drawn.locator('.av__row:not(.av__row--header) .av__cell[data-dtype="block"] .av__celltext').allTextContents())
      .toEqual(['Write report', '<b>Ring</b> the bank']);
  });

  it('takes a part of its cells, and Undo brings back what they were', async () => {
    const rowOf = (text: string) => /row (\S+): Name=Write report/u.exec(text)?.[1] ?? '';
    app.model.push(
      { calls: [read()] },
      (request) => ({
        calls: [
          {
            name: 'db_write',
            args: {
              id: note.id,
              op: 'set_cells',
              rows: [{ row: rowOf(lastToolText(request)), values: { State: 'done', Due: null, Price: 5 } }],
            },
          },
        ],
      }),
      { calls: [read()] },
      { text: 'Done with that.' },
    );
    await panel.send('The report is done');
    await panel.approval.getByRole('button', { name: 'Choose cells' }).click();
    await panel.approval.getByRole('checkbox', { name: 'Write report Due' }).uncheck();
    const row = panel.approval.getByRole('row', { name: 'Write report' });
    const cells = async () => (await row.getByRole('cell').allTextContents()).map((text) => text.replace(/\s+/g, ' ').trim());
    await expect.poll(cells).toEqual(['open → done', '2026-01-31 Left out', '2 → 5']);
    await panel.approve();
    await panel.settled();
    expect(lastToolText(app.model.requests.at(-1)!)).toContain('Name=Write report; State=done; Due=2026-01-31; Price=5');
    // The one of this answer, below that of the first.
    await expect.poll(() => undos().count()).toBe(2);
    await undos().last().click();
    await panel.region.getByText('Undone', { exact: true }).first().waitFor();
    app.model.push({ calls: [read()] }, { text: 'As before.' });
    await panel.send('And now?');
    await panel.settled();
    expect(lastToolText(app.model.requests.at(-1)!)).toContain('Name=Write report; State=open; Due=2026-01-31; Price=2');
  });
});
