// Search by meaning without a service, in the built plugin: a model is chosen, notes get vectors, and a question finds a note in another language.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tinyModel } from '../../src/features/meaning/testing/tiny-model.ts';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive, type PanelDriver } from '../support/panel.ts';
import { lastToolText } from '../support/scripts.ts';

/** All vectors, with the ids of their blocks, as text. */
function vectorFile(workspace: string): string {
  const folder = join(workspace, 'temp/siyuan-marginalia/meaning');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('');
}

const LIGHTHOUSE = '灯塔的灯每天晚上都亮着，船只从很远的地方就能看到它的光。';

describe.skipIf(!chromiumPath)('search by meaning on this device', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let note = '';
  const section = () => panel.region.getByRole('region', { name: 'Search by meaning' });
  const status = () => section().getByRole('status');
  const model = { name: 'model.whl', mimeType: 'application/zip', buffer: Buffer.from(tinyModel({ beacon: 1, 灯塔: 1 })) };

  beforeAll(async () => {
    app = await startApp();
    panel = drive(app.page);
    const notebook = await app.notebook('Life');
    note = await app.kernel<string>('/api/filetree/createDocWithMd', { notebook, path: '/海边', markdown: LIGHTHOUSE });
    await panel.open();
  });
  afterAll(() => app?.close());

  const openSettings = async (): Promise<void> => {
    await panel.region.getByRole('button', { name: 'Settings' }).first().click();
    await section().getByRole('button', { name: 'Search by meaning' }).click();
  };

  const leave = () => panel.region.getByRole('button', { name: 'Back' }).first().click();

  const search = async (query: string): Promise<string> => {
    app.model.push({ calls: [{ name: 'search_notes', args: { query } }] }, { text: 'Good.' });
    await panel.send(query);
    await panel.settled();
    return lastToolText(app.model.requests.at(-1)!);
  };

  it('finds nothing in another language by words', async () => {
    expect(await search('beacon')).not.toContain(note);
  });

  it('says what it costs before it is chosen, and refuses a file that is no model', async () => {
    await openSettings();
    await expect.poll(() => section().innerText()).toMatch(/Universal Sentence Encoder, 32 MB, licence Apache 2\.0/);
    await section()
      .locator('input[type=file]')
      .setInputFiles({ ...model, buffer: Buffer.from('no model') });
    await section().getByRole('alert').getByText('This file holds no model').waitFor();
    expect(await app.kernel('/api/file/readDir', { path: '/temp/siyuan-marginalia' })).not.toContainEqual(
      expect.objectContaining({ name: 'meaning' }),
    );
  });

  it('makes vectors of all notes, shows how many, and finds by them', async () => {
    await section().locator('input[type=file]').setInputFiles(model);
    await expect.poll(() => status().innerText()).toMatch(/^All \d+ blocks are ready\. This takes \d MB/);
    await leave();
    expect(await search('beacon')).toContain(note);
  });

  it('goes on from its files after a reload, and follows what is written', async () => {
    await app.reload();
    await panel.open();
    await expect.poll(() => search('beacon')).toContain(note);
    const notebook = await app.notebook('Life');
    const written = await app.kernel<string>('/api/filetree/createDocWithMd', { notebook, path: '/岛', markdown: `岛上也有${LIGHTHOUSE}` });
    await expect.poll(() => search('beacon')).toContain(written);
  });

  it('keeps no vector of what is guarded, on the disk either', async () => {
    const kept = () => vectorFile(app.workspace);
    const [{ id }] = (await app.kernel<{ id: string }[]>('/api/query/sql', {
      stmt: `SELECT id FROM blocks WHERE root_id = '${note}' AND type = 'p'`,
    })) as [{ id: string }];
    expect(kept()).toContain(id);
    await app.kernel('/api/attr/setBlockAttrs', { id: note, attrs: { 'custom-ai-access': 'none' } });
    await expect.poll(kept).not.toContain(id);
    expect(await search('beacon')).not.toContain(note);
  });

  it('is paused and removed, with all that was made', async () => {
    await openSettings();
    await section().getByRole('checkbox', { name: 'Compare meaning on this device' }).uncheck();
    await expect.poll(() => status().count()).toBe(0);
    await section().getByRole('button', { name: 'Remove the model' }).click();
    await app.page.getByRole('button', { name: 'Remove the model' }).last().click();
    await section().getByRole('button', { name: 'Choose a file…' }).waitFor();
    for (const folder of ['temp', 'data/storage/petal'])
      expect(existsSync(join(app.workspace, folder, 'siyuan-marginalia/meaning'))).toBe(false);
  });
});
