// What is loaded when (docs/decisions.md): the first opening of the dock is small, and what comes later may be slow or fail.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { filesIn, packageSizes } from '../../scripts/package.ts';
import { LIMITS, packageProblems } from '../../scripts/package-rules.ts';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { gate } from '../support/chats.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

const dist = join(import.meta.dirname, '../../dist');
/** Bytes, gzip: an empty chat, and one with answers, which are drawn beside the composer. */
const LIMITS_OF_OPENING = { empty: 250_000, answers: 300_000 };

/** Notes when the composer stood in the page, on the clock of the page's requests. */
function watchComposer(): void {
  new MutationObserver((_, observer) => {
    if (!document.querySelector('section[aria-label="Marginalia"] textarea')) return;
    observer.disconnect();
    document.documentElement.dataset.composer = String(performance.now());
  }).observe(document, { childList: true, subtree: true });
}

describe.skipIf(!chromiumPath)('what is loaded when', () => {
  let app: TestApp;
  let panel: PanelDriver;
  const button = (name: string) => panel.region.getByRole('button', { name, exact: true });
  const page = (name: string) => panel.region.getByRole('group', { name, exact: true });
  const notLoaded = 'A part of Marginalia could not be loaded.';

  /** The page again, with one file of the plugin in these hands. */
  async function openWith(part: string, handler: (route: Route) => Promise<void>): Promise<void> {
    await app.page.route(`**/plugins/siyuan-marginalia/${part}-*.js`, handler);
    await app.reload();
  }

  beforeAll(async () => {
    app = await startApp({ init: watchComposer });
    panel = drive(app.page);
    await panel.open();
  });
  afterEach(async () => {
    await app.page.unrouteAll();
  });
  afterAll(() => app?.close());

  /** The scripts that a reload asked for until the composer can be used. */
  async function openedWith(): Promise<readonly string[]> {
    await app.reload();
    await panel.open();
    // What comes later has come, so that the list is whole.
    const asked = (): Promise<string[]> =>
      app.page.evaluate(() => {
        const ready = Number(document.documentElement.dataset.composer);
        const all = performance.getEntriesByType('resource').filter(({ name }) => /\/plugins\/siyuan-marginalia\/.*\.js$/.test(name));
        if (!all.some(({ name }) => name.includes('/notes-and-model-'))) return [];
        return all.filter(({ startTime }) => startTime <= ready).map(({ name }) => name.split('/').at(-1) ?? '');
      });
    await expect.poll(asked).not.toEqual([]);
    return ['index.js', ...(await asked())];
  }

  it('asks for at most 250 KB of script, gzip, until the composer can be used, and for 300 in a chat with answers', async () => {
    const empty = await openedWith();
    app.model.push({ text: 'Stored.' });
    await panel.send('A question');
    await panel.settled();
    for (const [chat, names] of Object.entries({ empty, answers: await openedWith() })) {
      const total = names.reduce((sum, name) => sum + gzipSync(readFileSync(join(dist, name))).length, 0);
      console.log(`the first opening (${chat}) asks for ${names.length} scripts, ${(total / 1000).toFixed(1)} KB gzip`);
      expect(total).toBeLessThanOrEqual(LIMITS_OF_OPENING[chat === 'empty' ? 'empty' : 'answers']);
      expect(names.some((name) => name.startsWith('panel-'))).toBe(true);
      expect(names.length).toBeLessThan(readdirSync(dist).filter((name) => name.endsWith('.js')).length);
    }
  });

  it('says where the answers are that they could not be loaded, and Retry brings them', async () => {
    let failing = true;
    await openWith('messages', (route) => (failing ? route.fulfill({ status: 500 }) : route.continue()));
    await panel.open();
    await panel.region.getByRole('alert').getByText(notLoaded).waitFor();
    failing = false;
    await panel.region.getByRole('alert').getByRole('button', { name: 'Retry' }).click();
    await panel.answer.getByText('Stored.').waitFor();
  });

  it('is a package that the marketplace takes, and no heavier than it was', () => {
    const files = filesIn(dist);
    expect(packageProblems(files)).toEqual([]);
    const sizes = packageSizes(files);
    expect(sizes.all).toBeLessThanOrEqual(LIMITS.all);
    expect(sizes.start).toBeLessThanOrEqual(LIMITS.start);
  });

  it('answers a question that was sent before the model’s file was there, once it is', async () => {
    const { held, open } = gate();
    await openWith('notes-and-model', async (route) => {
      await held;
      await route.continue();
    });
    await panel.open();
    app.model.push({ text: 'It waited.' });
    await panel.send('Sent at once');
    await panel.region.getByText('Sent at once').waitFor();
    await button('Stop').waitFor();
    open();
    await panel.answer.getByText('It waited.').waitFor();
    await panel.settled();
  });

  it('stops a turn that waits for it', async () => {
    const { held, open } = gate();
    await openWith('notes-and-model', async (route) => {
      await held;
      await route.continue();
    });
    await panel.open();
    await panel.send('Never mind');
    await button('Stop').click();
    await panel.settled('stopped');
    open();
    app.model.push({ text: 'Here again.' });
    await panel.send('And now?');
    await panel.answer.getByText('Here again.').waitFor();
    await panel.settled();
  });

  it('says on the message that it could not be loaded, and Retry asks again', async () => {
    let failing = true;
    await openWith('notes-and-model', (route) => (failing ? route.fulfill({ status: 500 }) : route.continue()));
    await panel.open();
    await panel.send('Is anybody there?');
    await panel.answer.getByText(notLoaded).waitFor();
    await panel.settled('error');
    failing = false;
    app.model.push({ text: 'Yes.' });
    await panel.answer.getByRole('button', { name: 'Retry' }).click();
    await panel.answer.getByText('Yes.', { exact: true }).waitFor();
  });

  it('keeps a whole answer where what reads its end cannot be loaded', async () => {
    await openWith('answer-end', (route) => route.fulfill({ status: 500 }));
    await panel.open();
    app.model.push({ text: 'All of it came.' }, { text: 'It was cut', finish: 'length' });
    for (const text of ['All of it came.', 'It was cut']) {
      await panel.send('Tell me everything');
      await panel.answer.getByText(text, { exact: true }).waitFor();
      await panel.settled();
    }
  });

  it('asks for approval once its file has come, and neither the write nor its record is lost', async () => {
    let failing = true;
    await openWith('changes', (route) => (failing ? route.fulfill({ status: 500 }) : route.continue()));
    await panel.open();
    app.model.push(
      { calls: [{ name: 'daily_note', args: { op: 'append', notebook: 'Life', markdown: 'Written after all.' } }] },
      { text: 'It is there.' },
    );
    await panel.send('Write it down');
    await panel.region.getByRole('alert').getByText(notLoaded).waitFor();
    failing = false;
    await panel.region.getByRole('alert').getByRole('button', { name: 'Retry' }).click();
    await panel.approve();
    await panel.answer.getByText('It is there.').waitFor();
    await panel.settled();
    const folder = join(app.workspace, 'data/storage/petal/siyuan-marginalia/activity');
    const records = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    await expect.poll(() => records().join('')).toContain('Written after all.');
  });

  it('ends a call whose check cannot be loaded, and the turn goes on without it', async () => {
    await openWith('validate-arguments', (route) => route.fulfill({ status: 500 }));
    await panel.open();
    app.model.push({ calls: [{ name: 'list_notebooks', args: {} }] }, { text: 'Without it, then.' });
    await panel.send('Which notebooks are there?');
    await panel.answer.getByText('Without it, then.').waitFor();
    await panel.settled();
    await expect.poll(() => panel.tool('list_notebooks').last().getAttribute('data-status')).toBe('error');
  });

  it('opens a page whose file is slow as an empty one, which can be left, and fills it', async () => {
    const { held, open } = gate();
    await openWith('pages', async (route) => {
      await held;
      await route.continue();
    });
    await panel.open();
    await panel.message.fill('half a thought');
    await button('Settings').click();
    await page('Settings').waitFor();
    await app.page.keyboard.press('Escape');
    await page('Settings').waitFor({ state: 'detached' });
    await expect.poll(() => panel.message.inputValue()).toBe('half a thought');
    await button('Settings').click();
    open();
    await page('Settings').getByRole('combobox', { name: 'Life' }).waitFor();
    // Where its title was, the keyboard is: Escape still leaves it.
    await app.page.keyboard.press('Escape');
    await page('Settings').waitFor({ state: 'detached' });
  });

  it('says in the page that it could not be loaded, and Retry brings it', async () => {
    let failing = true;
    await openWith('pages', (route) => (failing ? route.fulfill({ status: 500 }) : route.continue()));
    await panel.open();
    await panel.message.fill('half a thought');
    await button('Chats').click();
    await page('Chats').getByRole('alert').getByText(notLoaded).waitFor();
    await page('Chats').getByRole('button', { name: 'Retry' }).click();
    await page('Chats').getByRole('alert').getByText(notLoaded).waitFor();
    failing = false;
    await page('Chats').getByRole('button', { name: 'Retry' }).click();
    await page('Chats').getByRole('searchbox').waitFor();
    await button('Back').click();
    await expect.poll(() => panel.message.inputValue()).toBe('half a thought');
  });

  it('says in the dock that the panel could not be loaded, and Retry brings it', async () => {
    let failing = true;
    await openWith('panel', (route) => (failing ? route.fulfill({ status: 500 }) : route.continue()));
    const dock = app.page.locator('.dock__item[data-type="siyuan-marginaliapanel"]');
    await dock.waitFor();
    if (!(await dock.getAttribute('class'))?.includes('dock__item--active')) await dock.click();
    await app.page.getByText('Marginalia could not be loaded.').waitFor();
    failing = false;
    await app.page.getByRole('button', { name: 'Retry' }).click();
    await panel.message.waitFor();
  });

  it('ends cleanly when the plugin is removed while a turn waits for a file', async () => {
    const { held, open } = gate();
    await openWith('notes-and-model', async (route) => {
      await held;
      await route.continue();
    });
    await panel.open();
    await panel.send('Wait for me');
    await button('Stop').waitFor();
    await app.kernel('/api/bazaar/uninstallBazaarPlugin', { packageName: 'siyuan-marginalia', frontend: 'desktop' });
    await panel.region.waitFor({ state: 'detached' });
    open();
    const ofDevice = () => app.page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('siyuan-marginalia')));
    await expect.poll(ofDevice).toEqual([]);
  });
});
