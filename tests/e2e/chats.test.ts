// Chats as things that are kept: the list, a chat as a note, and what a stop or a reload in the middle leaves behind.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, notebookFiles, startApp, type TestApp } from '../support/app.ts';
import { gate, holdWrites } from '../support/chats.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

describe.skipIf(!chromiumPath)('chats', () => {
  let app: TestApp;
  let panel: PanelDriver;
  const editor = () => app.page.locator('.protyle-wysiwyg:visible');
  const page = (name: string) => panel.region.getByRole('group', { name });
  const button = (name: string) => panel.region.getByRole('button', { name, exact: true });
  const more = async (entry: string): Promise<void> => {
    await button('More').click();
    await panel.region.getByRole('menuitem', { name: entry }).click();
  };
  const choose = async (row: Locator, entry: string): Promise<void> => {
    await row.getByRole('button', { name: /^More actions for/ }).click();
    await panel.region.getByRole('menuitem', { name: entry, exact: true }).click();
  };
  const ask = async (question: string, answer: string): Promise<void> => {
    await panel.newChat();
    app.model.push({ text: answer });
    await panel.send(question);
    await panel.answer.getByText(answer.split('\n')[0] ?? '').waitFor();
    await panel.settled();
  };

  beforeAll(async () => {
    app = await startApp();
    panel = drive(app.page);
    await panel.open();
    await ask('About soil', 'Soil is alive.');
    await ask('About heat', 'Heat stays at night.');
  });
  afterAll(() => app?.close());

  it('are listed, found, renamed and opened', async () => {
    await button('Chats').click();
    await page('Chats').getByText('About soil').waitFor();
    await page('Chats').getByRole('searchbox').fill('soil');
    await expect.poll(() => page('Chats').getByRole('listitem').count()).toBe(1);
    await choose(page('Chats').getByRole('listitem'), 'Rename');
    await app.page.keyboard.type('Worms');
    await app.page.keyboard.press('Enter');
    await page('Chats').getByRole('searchbox').fill('');
    await page('Chats').getByText('Worms').click();
    await page('Chats').waitFor({ state: 'detached' });
    await panel.answer.getByText('Soil is alive.').waitFor();
    await expect.poll(() => panel.region.getByRole('heading', { level: 2 }).innerText()).toBe('Worms');
  });

  it('that are left while they answer go on, are listed as running, and are shown again as they are', async () => {
    const answer = gate();
    await panel.newChat();
    app.model.push({ text: 'It went on to the end.', hold: answer.held });
    await panel.send('A long question');
    await button('Stop').waitFor();
    await panel.newChat();
    await button('Stop').waitFor({ state: 'detached' });
    app.model.push({ text: 'Quick one.' });
    await panel.send('A quick question');
    await panel.answer.getByText('Quick one.').waitFor();
    await panel.settled();
    await button('Chats').click();
    const row = page('Chats').getByRole('listitem').filter({ hasText: 'A long question' });
    await row.getByText('Answering…').waitFor();
    answer.open();
    await row.getByText('Answering…').waitFor({ state: 'detached' });
    await row
      .getByRole('button', { name: /A long question/ })
      .first()
      .click();
    await panel.answer.getByText('It went on to the end.').waitFor();
    await panel.settled();
  });

  it('that a search found show its words, marked and in sight, and the search is still there on the way back', async () => {
    await button('Chats').click();
    const field = page('Chats').getByRole('searchbox');
    await field.fill('at night');
    await page('Chats').locator('mark', { hasText: 'at night' }).click();
    await page('Chats').waitFor({ state: 'detached' });
    const found = panel.region.getByRole('search', { name: 'Find in this chat' });
    await found.getByText('1 of 1').waitFor();
    await expect.poll(() => found.getByRole('textbox').inputValue()).toBe('at night');
    const marked = () => app.page.evaluate(() => [...(CSS.highlights.get('marginalia-find-current') ?? [])].map(String));
    await expect.poll(marked).toEqual(['at night']);
    await found.getByRole('button', { name: 'Close' }).click();
    // In the chat that is open already, too.
    await button('Chats').click();
    await page('Chats').locator('mark', { hasText: 'at night' }).click();
    await found.getByText('1 of 1').waitFor();
    await expect.poll(marked).toEqual(['at night']);
    await found.getByRole('button', { name: 'Close' }).click();
    await button('Chats').click();
    // Whoever comes to the chats searches: the words of before are selected, to be typed over.
    await expect.poll(() => field.evaluate((input: HTMLInputElement) => input === document.activeElement && input.selectionEnd)).toBe(8);
    await expect.poll(() => field.inputValue()).toBe('at night');
    await expect.poll(() => page('Chats').getByRole('listitem').count()).toBe(1);
    await field.fill('');
    await app.page.keyboard.press('Escape');
  });

  it('are searched in a worker that ends with the plugin, and in the page when the worker fails', async () => {
    const enable = (enabled: boolean) => app.kernel('/api/petal/setPetalEnabled', { packageName: 'siyuan-marginalia', enabled });
    // No patience with a silent worker ends here: the failure itself has to be heard.
    await app.page.evaluate(() => {
      const real = window.setTimeout;
      const patient = (work: () => void, ms = 0) => (ms < 4_000 ? real(work, ms) : 0);
      Object.assign(window, { setTimeout: patient });
    });
    const find = async (words: string, said: string): Promise<void> => {
      await button('Chats').click();
      await page('Chats').getByRole('searchbox').fill(words);
      await page('Chats').getByRole('listitem').filter({ hasText: said }).waitFor();
    };
    await find('night stays', 'Heat stays at night.');
    await expect.poll(() => app.page.workers()).toHaveLength(1);
    await enable(false);
    await expect.poll(() => app.page.workers()).toEqual([]);

    const asked = await app.page.evaluateHandle(() => {
      const asked = { count: 0 };
      const Real = window.Worker;
      window.Worker = class extends Real {
        constructor() {
          super(URL.createObjectURL(new Blob(['throw new Error("no worker here")'])));
          asked.count += 1;
        }
      };
      return asked;
    });
    await enable(true);
    await panel.open();
    await find('alive soil', 'Soil is alive.');
    expect(await asked.jsonValue()).toEqual({ count: 1 });
    await expect.poll(() => app.page.workers()).toEqual([]);
    await app.reload();
    await panel.open();
  });

  it('are deleted, brought back by Undo, and the keyboard stays in the list', async () => {
    await button('Chats').click();
    const row = page('Chats').getByRole('listitem').filter({ hasText: 'Worms' });
    await choose(row, 'Delete');
    await row.waitFor({ state: 'detached' });
    await expect.poll(() => page('Chats').evaluate((list) => list.contains(document.activeElement))).toBe(true);
    await panel.region.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await row.waitFor();
    await choose(row, 'Delete');
    await row.waitFor({ state: 'detached' });
    await button('Deleted (1)').click();
    await button('Restore Worms').click();
    // The last one is back: so are all chats.
    await row.waitFor();
    await ask('Passing by', 'Goodbye.');
    await button('Chats').click();
    const passing = page('Chats').getByRole('listitem').filter({ hasText: 'Passing by' });
    await choose(passing, 'Delete');
    await passing.waitFor({ state: 'detached' });
    await button('Deleted (1)').click();
    await button('Delete all for good').click();
    await app.page.locator('.b3-dialog--open').getByRole('button', { name: 'Delete for good' }).click();
    await button('Deleted (1)').waitFor({ state: 'detached' });
    await app.page.keyboard.press('Escape');
    await panel.message.waitFor();
  });

  it('become a note that reads as text, and the note brings the chat back', async () => {
    await button('Settings').click();
    await page('Settings').getByRole('combobox', { name: 'Life' }).selectOption('write');
    await button('Back').click();
    await ask('How do I keep **cool**?', 'Close the shutters by day:\n\n- first the south\n- then the west');
    await more('Save as a note');
    await page('Save as a note').getByRole('textbox', { name: 'Path' }).fill('/Staying cool');
    await page('Save as a note').getByRole('button', { name: 'Save' }).click();
    await panel.region.getByText('Saved as a note', { exact: true }).waitFor();
    await more('Update the note');
    await page('Update the note').getByRole('button', { name: 'Open the note' }).click();
    await editor().getByText('then the west').waitFor();
    const lines = async () => (await editor().innerText()).split('\n').map((line) => line.replaceAll('\u200b', '').trim());
    await expect
      .poll(async () => (await lines()).filter(Boolean))
      .toEqual([
        expect.stringMatching(/^You · /),
        expect.stringContaining('cool'),
        expect.stringMatching(/^Answer · /),
        'Close the shutters by day:',
        'first the south',
        'then the west',
      ]);
    await panel.newChat();
    await app.page.locator('.protyle-breadcrumb [data-type="doc"]:visible').click();
    await app.page.locator('.b3-menu__item:visible', { hasText: 'Plugin' }).first().hover();
    await app.page.getByText('Open the chat of this note').click();
    await panel.answer.getByText('Close the shutters by day').waitFor();
  });

  it('keep what had come when an answer is stopped, and put what waited back into the composer', async () => {
    const { held, open } = gate();
    await panel.newChat();
    app.model.push({ text: 'One two three four', hold: held });
    await panel.send('Count');
    await panel.answer.getByText('One two').waitFor();
    await panel.send('And then?');
    await panel.region.getByText('Next:').waitFor();
    await button('Edit the next message').click();
    await expect.poll(() => panel.message.inputValue()).toBe('And then?');
    await panel.send('And then?');
    await panel.region.getByText('Next:').waitFor();
    await button('Stop').click();
    await expect.poll(() => panel.message.inputValue()).toBe('And then?');
    open();
    // The draft belongs to this chat.
    await panel.newChat();
    await expect.poll(() => panel.message.inputValue()).toBe('');
    await button('Chats').click();
    await page('Chats').getByText('Count', { exact: true }).click();
    await expect.poll(() => panel.message.inputValue()).toBe('And then?');
    await panel.message.fill('');
    const stopped = panel.region.locator('article[data-status="stopped"]');
    await expect.poll(() => stopped.innerText()).toMatch(/One two[\s\S]*You stopped this answer/);
  });

  it('say that an answer was cut off by a reload, keep what it had done, and answer again', async () => {
    const { held, open } = gate();
    await panel.newChat();
    app.model.push(
      { text: 'I look first.', calls: [{ name: 'search_notes', args: { query: 'soil' } }] },
      { text: 'One two three four', hold: held },
    );
    await panel.send('A long question');
    await panel.answer.getByText('One two').waitFor();
    await app.reload();
    open();
    await panel.open();
    const cut = panel.region.locator('article[data-status="interrupted"]');
    await cut.getByText('This answer was cut off when the app closed.').waitFor();
    await expect.poll(() => cut.innerText()).toContain('I look first.');
    await expect.poll(() => cut.locator('[data-tool="search_notes"]').getAttribute('data-status')).toBe('success');
    app.model.push({ text: 'Now in one go.' });
    await cut.getByRole('button', { name: 'Retry' }).click();
    await panel.answer.getByText('Now in one go.').waitFor();
    await panel.settled();
  });

  it('say that nothing was written, with the change, after a reload while it waited for approval', async () => {
    await panel.newChat();
    const before = notebookFiles(app.workspace);
    app.model.push({ calls: [{ name: 'daily_note', args: { op: 'append', notebook: 'Life', markdown: 'Nobody approved this.' } }] });
    await panel.send('Note this down');
    await panel.approval.getByText('Nobody approved this.').waitFor();
    await app.reload();
    await panel.open();
    const cut = panel.region.locator('article[data-status="interrupted"]');
    await cut.getByText('Nothing was written: the change that was pending is shown above.').waitFor();
    await cut.locator('[data-tool="daily_note"] ins').getByText('Nobody approved this.').waitFor();
    expect(notebookFiles(app.workspace)).toEqual(before);
    app.model.push(
      { calls: [{ name: 'daily_note', args: { op: 'append', notebook: 'Life', markdown: 'Now it is.' } }] },
      { text: 'Noted.' },
    );
    await cut.getByRole('button', { name: 'Retry' }).click();
    await panel.approve();
    await panel.settled();
    await panel.answer.getByRole('link', { name: /^\d{4}-\d\d-\d\d$/ }).click();
    await editor().getByText('Now it is.').waitFor();
  });

  it('believes nothing that a page says of its connections when it has been left', async () => {
    const { held, open } = gate();
    await panel.newChat();
    app.model.push({ cutAfter: 'Five six', hold: held });
    await panel.send('Another long question');
    await panel.answer.getByText('Five six').waitFor();
    // A browser breaks connections off while the last scripts of a slow page still run, but sends nothing any more.
    const writes = await holdWrites(app.page, /siyuan-marginalia/);
    await app.page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pagehide')));
    open();
    await panel.region.getByText('The connection to the model was lost.', { exact: true }).waitFor();
    await app.reload();
    await writes.release();
    await panel.open();
    await panel.region.locator('article[data-status="interrupted"]').getByText('This answer was cut off when the app closed.').waitFor();
  });

  it('does not call the list empty when SiYuan cannot be reached', async () => {
    // The page's script comes from SiYuan, too.
    await button('Chats').click();
    await page('Chats').getByRole('listitem').first().waitFor();
    await button('Back').click();
    await app.cut();
    await button('Chats').click();
    await page('Chats').getByRole('alert').getByText('SiYuan is not responding.').waitFor();
    expect(await page('Chats').getByText('No chats yet.').count()).toBe(0);
    await app.mend();
  });
});
