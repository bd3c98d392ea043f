// A page that is killed in the middle of a round of tools: nothing that was done is forgotten, and nothing is done twice.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { ChatFiles, gate, holdWrites } from '../support/chats.ts';
import { whenReady } from '../support/hosts.ts';
import type { Script } from '../support/model-server.ts';
import { NotesDriver, type TestNote } from '../support/notes.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

describe.skipIf(!chromiumPath)('a page that is killed in a round of tools', () => {
  let app: TestApp;
  let files: ChatFiles;
  let notes: NotesDriver;
  let page: Page;
  let panel: PanelDriver;
  let note: TestNote;
  let before = '';
  let count = 0;
  const cut = () => panel.region.locator('article[data-status="interrupted"]');
  const call = () => panel.tool('insert_blocks').last();
  const undoButton = () => panel.region.getByRole('button', { name: 'Undo', exact: true }).first();
  const lines = () => notes.texts(note);
  const journal = () => files.text('journal');
  const append = (text: string): Script => ({
    text,
    calls: [{ name: 'insert_blocks', args: { anchor: note.id, position: 'append', markdown: 'Added line.' } }],
  });
  /** What the last request told the model. */
  const told = () => JSON.stringify(app.model.requests.at(-1)?.messages);

  async function open(): Promise<void> {
    page = await app.openWindow();
    panel = drive(page);
    await panel.open();
  }
  /** The renderer dies: nothing in the page is told, nothing can be saved. */
  async function kill(): Promise<void> {
    const died = page.waitForEvent('crash');
    const cdp = await page.context().newCDPSession(page);
    // Never answered: who would answer is gone.
    void cdp.send('Page.crash').catch(() => undefined);
    await died;
    await page.close();
    await open();
    await cut().getByText('This answer was cut off when the app closed.').waitFor();
    expect(await panel.approval.count()).toBe(0);
  }
  /** Asks first where it is not known whether everything was written. */
  async function undo(asks = false): Promise<void> {
    await undoButton().click();
    if (asks) await page.locator('.b3-dialog--open').getByRole('button', { name: 'Undo' }).click();
    await panel.region.getByText('Undone', { exact: true }).waitFor();
    expect(await notes.dom(note)).toBe(before);
  }

  beforeAll(async () => {
    app = await startApp();
    files = new ChatFiles(app);
    notes = new NotesDriver(app);
    await whenReady(app.page);
    await app.page.close();
    await notes.setRights({ [await app.notebook('Research')]: 'write' });
  });
  beforeEach(async () => {
    app.model.clear();
    note = await notes.create('Research', `Crash ${++count}`, 'First line.');
    before = await notes.dom(note);
    await open();
    await panel.newChat();
  });
  afterEach(() => page.close());
  afterAll(() => app?.close());

  it('while the change waits for consent: it was not made, the call says that it was cut off, and it is asked for once more', async () => {
    app.model.push(append('I will add it.'));
    await panel.send(`Add a line ${count}`);
    await panel.approval.waitFor();
    await expect.poll(journal).toContain('insert_blocks');
    await kill();
    await expect.poll(() => cut().innerText()).toContain('I will add it.');
    await expect.poll(() => call().getAttribute('data-status')).toBe('interrupted');
    expect(await undoButton().count()).toBe(0);
    expect(await notes.dom(note)).toBe(before);
    app.model.push(append('Once more.'), { text: 'There it is.' });
    await panel.send('Go on');
    await panel.approve();
    await panel.answer.getByText('There it is.').waitFor();
    await panel.settled();
    expect(await lines()).toEqual(['First line.', 'Added line.']);
    await undo();
  });

  const moments = {
    'before the write journal says so: the model is told to look': {
      hold: () => holdWrites(page, /\/writes\//, 1),
      asks: true,
      status: 'interrupted',
      says: /insert_blocks.*interrupted.*Check whether it was done/,
    },
    // The page's own notes have it. The first write after the approval says that it was given.
    'before the kernel has the round: the model is told that it was done': {
      hold: () => holdWrites(page, /\/journal\//, 1),
      asks: false,
      status: 'success',
      says: /insert_blocks.*Success/,
    },
  };
  for (const [moment, { hold, asks, status, says }] of Object.entries(moments)) {
    it(`after the change was made, and can be undone, ${moment}`, async () => {
      const { held: never, open: release } = gate();
      app.model.push(append('I will add it.'), { text: 'It stands.', hold: never });
      await panel.send(`Add a line ${count}`);
      await panel.approval.waitFor();
      await expect.poll(journal).toContain('insert_blocks');
      const held = await hold();
      await panel.approve();
      await held.reached;
      await expect.poll(lines).toEqual(['First line.', 'Added line.']);
      // The kernel has the change before the page has heard of it.
      if (status === 'success') await expect.poll(() => panel.tool('insert_blocks').getAttribute('data-status')).toBe('success');
      await kill();
      release();
      app.model.clear();
      await expect.poll(() => call().getAttribute('data-status')).toBe(status);
      app.model.push({ text: 'It is there already.' });
      await panel.send('Go on');
      await panel.answer.getByText('It is there already.').waitFor();
      await panel.settled();
      expect(told()).toMatch(says);
      expect(await lines()).toEqual(['First line.', 'Added line.']);
      await undo(asks);
      await held.release();
    });
  }

  it('while the words after the change stream: call, words and Undo are there, and Retry goes on instead of beginning anew', async () => {
    const { held, open: release } = gate();
    app.model.push(append('I will add it.'), { text: 'It stands at the end.', hold: held });
    await panel.send(`Add a line ${count}`);
    await panel.approve();
    await panel.answer.getByText('It stands').waitFor();
    await expect.poll(journal).toContain('It stands');
    await kill();
    release();
    await expect.poll(() => call().getAttribute('data-status')).toBe('success');
    await expect.poll(() => cut().innerText()).toMatch(/I will add it\.[\s\S]*It stands/);
    app.model.push({ text: 'So: it stands at the end.' });
    await cut().getByRole('button', { name: 'Retry' }).click();
    await panel.answer.getByText('So: it stands').waitFor();
    await panel.settled();
    expect(told()).toMatch(/insert_blocks.*Success.*do not make them again/);
    expect(await lines()).toEqual(['First line.', 'Added line.']);
    await undo();
  });
});
