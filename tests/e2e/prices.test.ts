// What requests cost, on the built plugin: before, on the page of what will be sent, and after, on the answer.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

describe.skipIf(!chromiumPath)('prices', () => {
  let app: TestApp;
  let panel: PanelDriver;
  beforeAll(async () => {
    app = await startApp();
    panel = drive(app.page);
    await panel.open();
  });
  afterAll(() => app?.close());

  const back = (): Promise<void> => panel.region.getByRole('button', { name: 'Back' }).first().click();

  it('of a model that nobody knows are not shown: tokens only, never $0', async () => {
    app.model.push({ text: 'Yes.' });
    await panel.send('Hello?');
    await panel.settled();
    await panel.answer
      .getByText(/10\d tokens/)
      .first()
      .waitFor();
    expect(await panel.answer.innerText()).not.toContain('$');
  });

  it('that the user sets count at once, before a request and after it', async () => {
    await panel.openSettings('Prices');
    const section = panel.region.getByRole('region', { name: 'Prices' });
    await section.getByRole('button', { name: 'Add a price' }).click();
    await section.getByLabel('Model').fill('scripted');
    await section.getByLabel('Input', { exact: true }).fill('1000');
    await section.getByLabel('Output').fill('2000');
    await section.getByRole('button', { name: 'Save' }).click();
    await section.getByText('$1,000.00 in, $2,000.00 out').waitFor();
    await back();
    // 100 tokens read, 2 pieces written: as the model's server counts them.
    await panel.answer.getByText('$0.10').first().waitFor();
    await panel.message.fill('And?');
    await panel.region.getByRole('button', { name: 'More' }).first().click();
    // The whole chat so far.
    await app.page.locator('.mg-menu').getByText('about $0.10').waitFor();
    await app.page.getByRole('menuitem', { name: 'What will be sent' }).click();
    await panel.region.getByText(/^about \$\d.* for this request/).waitFor();
    await back();
  });
});
