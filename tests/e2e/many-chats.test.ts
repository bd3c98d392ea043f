// A store of thousands of chats: nothing that starts with the dock grows with their number, and indexes are made again behind it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { watchAppearance } from '../support/appearance.ts';
import { openDock, watchComposer, writeChats } from '../support/opening.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

const CHATS = 3_000;
const DELETED = 1_000;

describe.skipIf(!chromiumPath)('thousands of chats', () => {
  let app: TestApp;
  let panel: PanelDriver;

  const page = () => panel.region.getByRole('group', { name: 'Chats', exact: true });

  beforeAll(async () => {
    app = await startApp({ init: watchComposer });
    panel = drive(app.page);
    app.model.push({ text: 'Yes.' });
    writeChats(app.workspace, CHATS, DELETED, (index) => (index === 17 ? 'Old pears' : `Talk ${index}`));
  });
  afterAll(() => app?.close());

  it('opens the dock before their lists are built, and builds them in the background', async () => {
    const { requests } = await openDock(app, panel);
    expect(requests.length).toBeLessThanOrEqual(20);
    await panel.send('Is anybody there?');
    await panel.answer.getByText('Yes.').waitFor();
    const saysSo = await watchAppearance(app.page, '[role="status"]', 'Still reading');
    await panel.region.getByRole('button', { name: 'Chats' }).click();
    await page().getByText('Talk 2999').waitFor({ timeout: 90_000 });
    await saysSo();
    await page()
      .getByText(/Still reading/)
      .waitFor({ state: 'detached', timeout: 120_000 });
    await page().getByRole('searchbox').fill('old pears');
    await page().getByText('Old pears').waitFor();
  });

  it('requests none of them after that', async () => {
    const { requests } = await openDock(app, panel);
    expect(requests.length).toBeLessThanOrEqual(20);
    await panel.region.getByRole('button', { name: 'Chats' }).click();
    await page().getByText('Talk 2999').waitFor();
    await page()
      .getByRole('button', { name: /Deleted/ })
      .click();
    await page().getByText('Gone 999').waitFor();
  });
});
