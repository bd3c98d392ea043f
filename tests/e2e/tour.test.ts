// The tour of one minute, on the built plugin: five steps over sample notes, which touch no note and ask no model.
import { afterEach, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

describe.skipIf(!chromiumPath)('the tour', () => {
  let app: TestApp;
  let panel: PanelDriver;
  afterEach(() => app?.close());

  async function start(): Promise<void> {
    app = await startApp({});
    panel = drive(app.page);
    await panel.open();
  }

  const press = (name: string): Promise<void> => panel.region.getByRole('button', { name, exact: true }).click();
  const note = () => panel.region.getByRole('article', { name: 'Lisbon' });

  it('shows rights, sources, a diff, Undo and the phone, without a note or a model', async () => {
    await start();
    const documents = () => app.kernel('/api/query/sql', { stmt: 'SELECT count(*) AS n FROM blocks' });
    const before = await documents();
    await press('See it in one minute');

    await panel.region.getByText('I am nervous about the long train to Lisbon.').waitFor();
    await panel.region.getByRole('combobox', { name: 'Diary' }).selectOption('No access');
    await expect.poll(() => panel.region.getByText('I am nervous').count()).toBe(0);
    await panel.region.getByText('We take the train to Lisbon on 12 April.').waitFor();

    await press('Next');
    await press('Source 1');
    // A second press does not take the mark away.
    await press('Source 1');
    await note().locator('.mg-tour__cited').getByText('We take the train').waitFor();

    await press('Next');
    await panel.region.getByRole('checkbox').last().uncheck();
    await press('Approve 1 of 2');

    await note().getByText('We fly back on 18 April').waitFor();
    expect(await note().textContent()).not.toContain('Casa Azul');
    await press('Undo');
    await note().getByText('We fly back on 20 April').waitFor();
    await press('Redo');
    await note().getByText('We fly back on 18 April').waitFor();

    await press('Next');
    await panel.region.getByRole('group', { name: 'A phone with the chat' }).getByRole('button', { name: 'Undo' }).waitFor();
    await press('Choose what it may see');
    const rights = panel.region.locator('section[data-part="rights"]');
    const top = async () =>
      Math.abs(((await rights.boundingBox())?.y ?? 1e4) - ((await panel.region.locator('.mg-page__body').boundingBox())?.y ?? 0)) < 100;
    await expect.poll(top).toBe(true);
    await expect.poll(() => rights.evaluate((section) => section.contains(document.activeElement))).toBe(true);
    await press('Back');
    await panel.region.getByRole('heading', { name: 'One-minute tour' }).waitFor();
    expect(app.model.requests).toEqual([]);
    expect(await documents()).toEqual(before);
  });

  it('is offered once, can be refused, and stays in the menu', async () => {
    await start();
    await press('Do not offer the tour again');
    await expect.poll(() => panel.region.getByRole('button', { name: 'See it in one minute' }).count()).toBe(0);
    await press('More');
    await app.page.getByRole('menuitem', { name: 'One-minute tour' }).click();
    await press('Skip');
    await panel.region.getByRole('textbox').waitFor();
    await app.page.reload();
    await panel.region.getByRole('textbox').waitFor();
    expect(await panel.region.getByRole('button', { name: 'See it in one minute' }).count()).toBe(0);
  });
});
