// What stays on the machine when the plugin is removed: chats and settings, until somebody says that they shall go as well.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, notebookFiles, startApp, type TestApp } from '../support/app.ts';
import { gate } from '../support/chats.ts';
import { drive } from '../support/panel.ts';
import { reinstall } from '../support/real-host.ts';

describe.skipIf(!chromiumPath)('removing the plugin', () => {
  let app: TestApp;
  const folder = (path: string) => existsSync(join(app.workspace, path));
  const left = () => ['data/storage/petal/siyuan-marginalia', 'temp/siyuan-marginalia'].filter(folder);

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app?.close());

  const ofDevice = () => app.page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('siyuan-marginalia')));
  const remove = () => app.kernel('/api/bazaar/uninstallBazaarPlugin', { packageName: 'siyuan-marginalia', frontend: 'desktop' });
  const question = () => app.page.locator('.b3-dialog__container').filter({ hasText: 'Keep the chats of Marginalia?' });

  it('keeps chats and settings, and removes what search keeps and the keys of this device, also in the middle of an answer', async () => {
    const panel = drive(app.page);
    await panel.open();
    app.model.push({ text: 'A kept answer.' });
    await panel.send('Remember this');
    await panel.settled();
    await panel.region.getByRole('button', { name: 'Chats', exact: true }).click();
    await panel.region.getByRole('searchbox').fill('kept answer');
    await panel.region.getByText('A kept answer.').waitFor();
    await expect.poll(left).toHaveLength(2);
    await panel.region.getByRole('button', { name: 'Back', exact: true }).click();
    const { held, open } = gate();
    app.model.push({ text: 'It is cut off.', hold: held });
    await panel.send('Go on');
    await panel.answer.getByText('It is').waitFor();
    const notes = notebookFiles(app.workspace);
    await remove();
    await question().waitFor();
    open();
    // Enter may have confirmed the removal: it is no answer here.
    await app.page.keyboard.press('Enter');
    await question().getByRole('button', { name: 'Keep them', exact: true }).click();
    await expect.poll(() => question().count()).toBe(0);
    expect(left()).toEqual(['data/storage/petal/siyuan-marginalia']);
    await expect.poll(ofDevice).toEqual([]);
    expect(notebookFiles(app.workspace)).toEqual(notes);
  });

  it('shows the chats again when it is installed anew, and removes all once that is chosen', async () => {
    reinstall();
    await app.kernel('/api/petal/setPetalEnabled', { packageName: 'siyuan-marginalia', enabled: true });
    await app.reload();
    const panel = drive(app.page);
    await panel.open();
    await panel.region.getByRole('button', { name: 'Chats', exact: true }).click();
    await panel.region.getByText('Remember this').first().waitFor();
    await remove();
    await question().getByRole('button', { name: 'Delete them', exact: true }).click();
    await expect.poll(left).toEqual([]);
    await app.page.reload();
    await app.page.locator('#layouts, #editor').first().waitFor();
    expect(left()).toEqual([]);
  });
});
