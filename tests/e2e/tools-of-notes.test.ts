// The tools for databases are there when a note has one, with no switch touched; what the person chose stands. On the built plugin.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { databaseIn } from '../support/databases.ts';
import { toolsIn } from '../support/model-server.ts';
import { NotesDriver } from '../support/notes.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

describe.skipIf(!chromiumPath)('tools that only some workspaces need', () => {
  let app: TestApp;
  let panel: PanelDriver;

  beforeAll(async () => {
    app = await startApp();
    panel = drive(app.page);
    await panel.open();
  });
  afterAll(() => app?.close());

  const sent = (): readonly string[] => toolsIn(app.model.requests.at(-1));
  const group = () => panel.region.getByRole('region', { name: 'Databases' });
  const openTools = async (): Promise<void> => {
    await panel.region.getByRole('button', { name: 'Tools', exact: true }).click();
    await group().waitFor();
  };
  const reason = () => group().getByText('On because your notes contain databases.');
  const ask = async (question: string): Promise<void> => {
    app.model.push({ text: 'Well.' });
    await panel.send(question);
    await panel.settled();
  };
  const start = async (): Promise<void> => {
    await app.reload();
    await panel.open();
  };

  it('are not sent where no note has a database, and the page of tools says when they come', async () => {
    await openTools();
    await group()
      .getByRole('button', { name: /^Databases/ })
      .click();
    await group().getByText('Comes on by itself once there is a database in a note that the model may read.').waitFor();
    await panel.region.getByRole('button', { name: 'Back', exact: true }).click();
    await ask('Anything due?');
    expect(sent()).toContain('read_doc');
    expect(sent()).not.toContain('db_read');
  });

  it('are sent once a note has one, and the page of tools says why', async () => {
    const notes = new NotesDriver(app);
    await databaseIn(app, await notes.create('Research', 'Board', 'Tasks of the week.'));
    await start();
    await openTools();
    await reason().waitFor();
    await panel.region.getByRole('button', { name: 'Back', exact: true }).click();
    await ask('Anything due now?');
    expect(sent()).toEqual(expect.arrayContaining(['db_read', 'db_write', 'db_create']));
    expect(sent()).not.toContain('flashcards');
    // Remembered: the next start offers them without having looked.
    await start();
    await ask('And now?');
    expect(sent()).toContain('db_read');
  });

  it('stay off where the person switched them off', async () => {
    await openTools();
    await group().getByRole('checkbox', { name: 'Databases' }).uncheck();
    await start();
    await openTools();
    await expect.poll(() => group().getByRole('checkbox', { name: 'Databases' }).isChecked()).toBe(false);
    await expect.poll(() => reason().count()).toBe(0);
    await panel.region.getByRole('button', { name: 'Back', exact: true }).click();
    await ask('Still nothing?');
    expect(sent()).not.toContain('db_read');
  });
});
