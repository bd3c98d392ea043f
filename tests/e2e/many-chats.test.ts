// A store of thousands of chats: nothing that starts with the dock grows with their number, and indexes are made anew behind it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeSession } from '../../src/chat/session/saved-format.ts';
import { session } from '../../src/chat/testing/samples.ts';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

const CHATS = 3_000;
const DELETED = 1_000;
const STORAGE = 'data/storage/petal/siyuan-marginalia';

/** Notes when the composer could be used, on the clock of the page's requests. */
function watchComposer(): void {
  performance.setResourceTimingBufferSize(20_000);
  new MutationObserver((_, observer) => {
    if (!document.querySelector('section[aria-label="Marginalia"] textarea:not(:disabled)')) return;
    observer.disconnect();
    document.documentElement.dataset.composer = String(performance.now());
  }).observe(document, { childList: true, subtree: true, attributes: true });
}

describe.skipIf(!chromiumPath)('thousands of chats', () => {
  let app: TestApp;
  let panel: PanelDriver;

  const folder = (name: string): string => join(app.workspace, STORAGE, name);
  const page = () => panel.region.getByRole('group', { name: 'Chats', exact: true });

  /** Requests to the kernel from the click that opens the dock until the composer can be used. */
  async function openDock(): Promise<readonly string[]> {
    await app.reload();
    const start = await app.page.evaluate(() => performance.now());
    await panel.open();
    const asked = (): Promise<string[] | null> =>
      app.page.evaluate((start) => {
        const ready = Number(document.documentElement.dataset.composer);
        const all = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/'));
        return ready
          ? all.filter(({ startTime }) => startTime >= start && startTime <= ready).map(({ name }) => new URL(name).pathname)
          : null;
      }, start);
    await expect.poll(asked).not.toBeNull();
    return (await asked()) ?? [];
  }

  beforeAll(async () => {
    app = await startApp({ init: watchComposer });
    panel = drive(app.page);
    app.model.push({ text: 'Yes.' });
    for (const name of ['sessions', 'trash']) mkdirSync(folder(name), { recursive: true });
    for (let index = 0; index < CHATS; index += 1) {
      const chat = session(`c${index}`, { title: index === 17 ? 'Old pears' : `Talk ${index}`, updated: 1_000_000 + index });
      writeFileSync(join(folder('sessions'), `c${index}.json`), writeSession(chat));
    }
    for (let index = 0; index < DELETED; index += 1) {
      const entry = { schema: 1, deleted: Date.now() - index, title: `Gone ${index}`, text: '{}' };
      writeFileSync(join(folder('trash'), `d${index}.json`), JSON.stringify(entry));
    }
  });
  afterAll(() => app?.close());

  it('opens the dock before their lists are built, and builds them in the background', async () => {
    await openDock();
    await panel.send('Is anybody there?');
    await panel.answer.getByText('Yes.').waitFor();
    await panel.region.getByRole('button', { name: 'Chats' }).click();
    await page().getByText('Talk 2999').waitFor();
    await page()
      .getByText(/Still reading \d+ older chats/)
      .waitFor();
    await page()
      .getByText(/Still reading/)
      .waitFor({ state: 'detached', timeout: 120_000 });
    await page().getByRole('searchbox').fill('old pears');
    await page().getByText('Old pears').waitFor();
  });

  it('requests none of them after that', async () => {
    const asked = await openDock();
    console.log(`opening with ${CHATS} chats and ${DELETED} deleted ones: ${asked.length} requests`);
    expect(asked.length).toBeLessThanOrEqual(20);
    await panel.region.getByRole('button', { name: 'Chats' }).click();
    await page().getByText('Talk 2999').waitFor();
    await page()
      .getByRole('button', { name: /Deleted/ })
      .click();
    await page().getByText('Gone 999').waitFor();
  });
});
