// What stays on the machine when the plugin is removed for good: nothing of ours but what was saved as notes.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, notebookFiles, startApp, type TestApp } from '../support/app.ts';
import { gate } from '../support/chats.ts';
import { drive } from '../support/panel.ts';

describe.skipIf(!chromiumPath)('removing the plugin', () => {
  let app: TestApp;
  const folder = (path: string) => existsSync(join(app.workspace, path));
  const left = () => ['data/storage/petal/siyuan-marginalia', 'temp/siyuan-marginalia'].filter(folder);

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app?.close());

  it('removes settings, chats, what search keeps and the keys of this device, also in the middle of an answer', async () => {
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
    await app.kernel('/api/bazaar/uninstallBazaarPlugin', { packageName: 'siyuan-marginalia', frontend: 'desktop' });
    await expect.poll(left).toEqual([]);
    open();
    const ofDevice = () => app.page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('siyuan-marginalia')));
    await expect.poll(ofDevice).toEqual([]);
    expect(notebookFiles(app.workspace)).toEqual(notes);
    expect(app.pageErrors).toEqual([]);
    await app.page.reload();
    await app.page.locator('#layouts, #editor').first().waitFor();
    expect(left()).toEqual([]);
  });
});
