// What starts in the editor: the slash commands, the menus of a block and of a note, and the way back from a citation.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { EditorDriver } from '../support/editor.ts';
import { chooseSlash, treeItem } from '../support/hosts.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

describe.skipIf(!chromiumPath)('from the editor', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let note = '';
  const editor = () => app.page.locator('.protyle-wysiwyg:visible');
  const chip = (name: string) => panel.region.getByRole('list', { name: 'Attached notes and files' }).getByText(name);
  const asked = () => JSON.stringify(app.model.requests.at(-1)?.messages);
  const kramdown = async (): Promise<string> =>
    (await app.kernel<{ kramdown: string }>('/api/block/getBlockKramdown', { id: note })).kramdown;

  /** Puts the caret at the end of a paragraph and types a slash command. */
  const command = async (paragraph: string, name: string, entry: string): Promise<void> => {
    await editor().getByText(paragraph).click();
    await app.page.keyboard.press('End');
    await chooseSlash(app.page, name, entry);
  };
  /** The entry of our plugin in an open menu; SiYuan gathers those of all plugins under one. */
  const menuEntry = async (label: string): Promise<void> => {
    await app.page.locator('.b3-menu__item:visible', { hasText: 'Plugin' }).first().hover();
    await app.page.locator('.b3-menu__submenu .b3-menu__item:visible', { hasText: 'Marginalia' }).first().hover();
    await app.page.locator('.b3-menu__submenu .b3-menu__submenu').getByText(label, { exact: true }).click();
  };

  beforeAll(async () => {
    app = await startApp();
    panel = drive(app.page);
    note = await app.kernel<string>('/api/filetree/createDocWithMd', {
      notebook: await app.notebook('Research'),
      path: '/Paris trip',
      markdown: 'We arrive on Monday morning.\n\nThe museum is closed on Tuesdays.',
    });
    await app.page.goto(app.address({ note: note }));
    await editor().getByText('The museum').waitFor();
  });
  afterAll(() => app?.close());

  it('/ask opens the closed dock, attaches the block and leaves no trace in the note', async () => {
    await command('The museum', 'ask', 'Ask about this block');
    await chip('The museum is closed on Tuesdays.').waitFor();
    await expect.poll(() => panel.message.evaluate((field) => field === document.activeElement)).toBe(true);
    await expect.poll(kramdown).not.toContain('/ask');
    app.model.push({ text: 'It is the Louvre.' });
    await app.page.keyboard.type('Which museum?');
    await app.page.keyboard.press('Enter');
    await panel.settled();
    expect(asked()).toContain('closed on Tuesdays');
    await expect.poll(() => panel.region.locator('article[data-role="user"]').last().innerText()).toContain('The museum is closed');
  });

  describe('by menu', () => {
    beforeEach(() => panel.newChat());

    it('asks about a block', async () => {
      await editor().getByText('The museum').hover();
      await app.page.locator('.protyle-gutters button:visible').first().click();
      await menuEntry('Ask about this block');
      await chip('The museum is closed on Tuesdays.').waitFor();
      await panel.region.getByRole('button', { name: 'Remove The museum is closed on Tuesdays.' }).click();
      await chip('The museum').waitFor({ state: 'detached' });
    });

    it('asks about a note', async () => {
      await app.page.locator('.protyle-breadcrumb [data-type="doc"]:visible').click();
      await menuEntry('Ask about this note');
      await chip('Paris trip').waitFor();
    });
  });

  it('words that were chosen are asked about, beside their block too, and the same chat stands after a reload', async () => {
    const { page } = app;
    const words = new EditorDriver(app);
    await panel.open();
    await panel.newChat();
    // The chat before it is gone, and what was attached there and not sent is left out.
    await panel.region.locator('article').first().waitFor({ state: 'detached' });
    const chips = panel.region.getByRole('list', { name: 'Attached notes and files' });
    const leaveOut = chips.getByRole('button', { name: /^Remove / });
    while ((await leaveOut.count()) > 0) await leaveOut.first().click();
    await words.select('The museum', 'closed on Tuesdays');
    const button = page.locator('.protyle-toolbar:visible [data-type="marginalia"]');
    const { x, y, height } = (await button.boundingBox())!;
    await button.click();
    const ask = page.locator('.b3-menu__item:visible', { hasText: 'Ask about the selection' });
    await ask.waitFor();
    // The menu hangs at the button, not at the words.
    const menu = (await page.locator('.b3-menu:visible').boundingBox())!;
    expect({ below: menu.y >= y + height && menu.y <= y + height + 12, left: Math.abs(menu.x - x) <= 12 }).toEqual({
      below: true,
      left: true,
    });
    await ask.click();
    await chips.waitFor();
    await command('The museum', 'askai', 'Ask about this block');
    await expect.poll(() => chips.getByRole('listitem').count()).toBe(2);
    app.model.push({ text: 'Go on Wednesday.' });
    await panel.send('When is it open?');
    await panel.settled();
    await app.reload();
    await panel.open();
    await panel.region.getByText('Go on Wednesday.').waitFor();
    const question = panel.region.locator('article[data-role="user"]').last();
    await expect.poll(() => question.innerText()).toContain('When is it open?');
    expect(await panel.region.getByRole('button', { name: 'Open another chat' }).count()).toBe(0);
    app.model.push({ text: 'Until six.' });
    await panel.send('Until when?');
    await panel.settled();
    expect(asked()).toContain('When is it open?');
  });

  it('a cited note opens, as a cited block does, and one that is gone says so', async () => {
    const gone = '20200101000000-aaaaaaa';
    app.model.push(
      { calls: [{ name: 'read_doc', args: { id: '20260211100000-urbheat' } }] },
      { text: `See ((20260211100000-urbheat "the overview")) and ((${gone} "another")).` },
    );
    await panel.send('What did I write about heat?');
    await panel.settled();
    await expect.poll(() => panel.answer.getByText('unverified').count()).toBe(1);
    // Its words stand in the list of sources, too, until the title of its note is known.
    await panel.answer.getByRole('link', { name: '1 Urban heat' }).waitFor();
    await panel.answer.getByText('the overview').click();
    await editor().getByText('What is known').waitFor();
    expect(await panel.region.getByText('That block is gone').count()).toBe(0);
  });

  it('a notebook’s own menu says what the model may do in it', async () => {
    const { page } = app;
    await treeItem(page, 'Research').click({ button: 'right' });
    await page.locator('.b3-menu__item:visible', { hasText: 'Plugin' }).first().hover();
    await page.locator('.b3-menu__submenu .b3-menu__item:visible', { hasText: 'Marginalia: what the model may do' }).hover();
    await page.getByText('Read and edit', { exact: true }).click();
    await page.getByText('“Research”: Read and edit').waitFor();
    await panel.region.getByTitle(/1: read and edit/).waitFor();
  });
});
