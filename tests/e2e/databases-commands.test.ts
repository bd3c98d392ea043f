// What people do with databases, by slash command and built-in prompt: a note is filed, notes become a table, what is overdue is told. On the built plugin.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { chooseSlash } from '../support/hosts.ts';
import { type ModelRequest, type Script, toolsIn } from '../support/model-server.ts';
import { NotesDriver, type TestNote } from '../support/notes.ts';
import { drive, type PanelDriver } from '../support/panel.ts';
import { lastToolText } from '../support/scripts.ts';

describe.skipIf(!chromiumPath)('what people do with databases', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let notes: NotesDriver;
  let board: TestNote;
  let visit: TestNote;

  beforeAll(async () => {
    app = await startApp();
    panel = drive(app.page);
    notes = new NotesDriver(app);
    await notes.setRights({ [await app.notebook('Research')]: 'delete' });
    board = await notes.create('Research', 'Trips', 'Where we go.');
    visit = await notes.create('Research', 'Trips/Lisbon', 'We fly to Lisbon on 3 May 2026 for 480 euros. It is booked.');
    await notes.create('Research', 'Trips/Oslo', 'Oslo by train, 2 June 2026.');
    await notes.open(board);
    await panel.open();
  });
  afterAll(() => app?.close());

  const asked = (): string => JSON.stringify(app.model.requests.at(-1)?.messages);
  const tools = toolsIn;
  const editor = () => app.page.locator('.protyle-wysiwyg:visible');

  /** Types a slash command at the end of a paragraph. */
  const command = async (paragraph: string, name: string, entry: string): Promise<void> => {
    await editor().getByText(paragraph).first().click();
    await app.page.keyboard.press('End');
    await chooseSlash(app.page, name, entry);
  };

  const idsBelow = (request: ModelRequest): readonly string[] =>
    [...lastToolText(request).matchAll(/(Lisbon|Oslo).*?(\d{14}-[0-9a-z]{7})/gu)].map(([, , id = '']) => id);

  const makesTable = (): Script[] => {
    let below: readonly string[] = [];
    return [
      { calls: [{ name: 'list_docs', args: { parent: board.id } }] },
      (request) => {
        below = idsBelow(request);
        const columns = [
          { name: 'Day', type: 'date' },
          { name: 'Price', type: 'number' },
          { name: 'State', type: 'select', options: ['booked', 'idea'] },
        ];
        return { calls: [{ name: 'db_create', args: { id: board.id, name: 'Trips', columns } }] };
      },
      () => {
        const [first = '', second = ''] = below;
        const rows = [
          { block: first, values: { Day: '2026-05-03', Price: 480 } },
          { block: second, values: { Day: '2026-06-02' } },
        ];
        return { calls: [{ name: 'db_write', args: { id: board.id, op: 'add_rows', rows } }] };
      },
      { text: 'The table has two rows.' },
    ];
  };

  it('/table: the notes below become a table with typed columns, though no database was there, and the tools were off', async () => {
    app.model.push(...makesTable());
    await command('Where we go.', 'notestable', 'Make a table of the notes below this one');
    const approval = panel.approval;
    await approval.getByText('Day', { exact: false }).first().waitFor();
    expect(asked()).toContain('Make a database in “Trips” with one row for each of these notes: the notes below it.');
    expect(tools(app.model.requests[0])).toContain('db_create');
    await panel.approve();
    await approval
      .getByRole('row', { name: /Lisbon/ })
      .first()
      .waitFor();
    await panel.approve();
    await panel.settled();
    app.model.push({ calls: [{ name: 'db_read', args: { id: board.id } }] }, { text: 'Read.' });
    await panel.send('What is in it?');
    await panel.settled();
    expect(lastToolText(app.model.requests.at(-1)!)).toMatch(/Name \(block\) \| .*Day \(date\)/u);
    expect(lastToolText(app.model.requests.at(-1)!)).toMatch(
      new RegExp(`block \\[${visit.id}\\]: Name=Lisbon; Day=2026-05-03; Price=480`, 'u'),
    );
  });

  it('/file: the skill is read, one row is proposed that is the open note, a cell is left out, and Undo takes the row away', async () => {
    const rome = await notes.create('Research', 'Rome', 'Rome on 9 September 2026, 220 euros, only an idea.');
    await notes.open(rome);
    await panel.newChat();
    app.model.push(
      { calls: [{ name: 'ReadVar', args: { name: 'Rule/databases/databases' } }] },
      (request) => {
        expect(lastToolText(request)).toContain('## To file a note');
        return { calls: [{ name: 'db_read', args: {} }] };
      },
      (request) => {
        const [, database = ''] = /Trips \[(\d{14}-[0-9a-z]{7})\]/u.exec(lastToolText(request)) ?? [];
        const values = { Day: '2026-09-09', Price: 220, State: 'idea' };
        return { calls: [{ name: 'db_write', args: { id: database, op: 'add_rows', rows: [{ block: rome.id, values }] } }] };
      },
      { text: 'It is filed.' },
    );
    await command('Rome on 9 September', 'filing', 'File this note in a database');
    await panel.approval.getByRole('row', { name: /Rome/ }).first().waitFor();
    // The list of databases says by which columns to choose.
    expect(lastToolText(app.model.requests.at(-1)!)).toMatch(
      /Trips \[\S+\] in \/Trips \[\S+\], Research: Name \(block\) \|.*State \(select\)/u,
    );
    expect(asked()).toContain('File “Rome” in the database where it belongs.');
    await panel.approval.getByText('“Trips”', { exact: false }).first().waitFor();
    await panel.approval.getByRole('button', { name: 'Choose cells' }).click();
    await panel.approval.getByRole('checkbox', { name: 'Rome Price' }).uncheck();
    await panel.approve();
    await panel.settled();
    const read = { calls: [{ name: 'db_read', args: { id: rome.id } }] };
    app.model.push(read, { text: 'There it is.' });
    await panel.send('Is it there?');
    await panel.settled();
    expect(lastToolText(app.model.requests.at(-1)!)).toMatch(/Name=Rome;.*Day=2026-09-09/u);
    expect(lastToolText(app.model.requests.at(-1)!)).not.toContain('220');
    await panel.region.getByRole('button', { name: 'Undo', exact: true }).first().click();
    await panel.region.getByText('Undone', { exact: true }).first().waitFor();
    app.model.push({ calls: [{ name: 'db_read', args: { id: board.id } }] }, { text: 'Two rows.' });
    await panel.send('And now?');
    await panel.settled();
    expect(lastToolText(app.model.requests.at(-1)!)).toContain('Lisbon');
    expect(lastToolText(app.model.requests.at(-1)!)).not.toContain('Rome');
  });

  it('the prompt of the panel: what is overdue is answered with a citation of its row', async () => {
    await notes.open(board);
    await panel.newChat();
    await panel.message.fill('/overdue');
    await panel.region.getByRole('option', { name: /What is overdue/ }).click();
    await expect
      .poll(() => panel.message.inputValue())
      .toMatch(/^What is overdue in the database of “Trips”\? Today is \d{4}-\d\d-\d\d\./u);
    app.model.push(
      { calls: [{ name: 'db_read', args: { id: board.id } }] },
      { text: `Lisbon has been due since 2026-05-03 ((${visit.id} "Lisbon")).` },
    );
    await app.page.keyboard.press('End');
    await panel.region.getByRole('button', { name: 'Send' }).click();
    await panel.answer.getByText('Lisbon has been due', { exact: false }).waitFor();
    await panel.answer.locator(`[data-block-id="${visit.id}"]`).filter({ hasText: 'Lisbon' }).waitFor();
  });
});
