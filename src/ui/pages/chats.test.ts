import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { button, calls, hostCalls, message, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();

const rows = (page: Page) => page.getByRole('group', { name: 'Chats', exact: true }).getByRole('listitem');
const search = (page: Page, words: string) => page.getByRole('searchbox', { name: 'Search chats' }).fill(words);
/** Opens the menu of the first row and chooses. */
const choose = async (page: Page, entry: string): Promise<void> => {
  await rows(page)
    .first()
    .getByRole('button', { name: /^More actions for/ })
    .click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
};

describe('the page of chats', () => {
  it('lists a chat whose first answer is still being written', () =>
    on('running', async (page) => {
      await page.evaluate(() => window.page.controller.set({ title: 'Street trees' }));
      await button(page, 'Chats').click();
      await page
        .getByRole('region', { name: 'Today' })
        .getByRole('button', { name: /^Street trees/ })
        .waitFor();
      expect(await page.getByText('No chats yet.').count()).toBe(0);
    }));

  it('lists it as the first of its day, below what is pinned: every heading stands there once', () =>
    on('running', async (page) => {
      await page.evaluate(() => {
        const chat = (id: string, pinned: boolean) => ({ id, title: id, updated: Date.now(), pinned, messages: 2 });
        window.page.controller.library.summaries = [chat('Recipes', true), chat('Thesis', false)];
        window.page.controller.set({ title: 'Street trees' });
      });
      await button(page, 'Chats').click();
      await rows(page).nth(2).waitFor();
      const group = page.getByRole('group', { name: 'Chats', exact: true });
      await expect.poll(() => group.locator('h4').allInnerTexts()).toEqual(['Pinned', 'Today']);
      await expect.poll(() => group.locator('.mg-title').allInnerTexts()).toEqual(['Recipes', 'Street trees', 'Thesis']);
    }));

  it('finds by title, renames, deletes, undoes, opens', () =>
    on('chats', async (page) => {
      await button(page, 'Chats').click();
      await search(page, 'second chap');
      await expect.poll(() => rows(page).count()).toBe(1);
      await choose(page, 'Rename');
      await page.getByRole('textbox', { name: 'Title' }).fill('Thesis');
      await page.keyboard.press('Enter');
      await search(page, 'thesis');
      await page.getByRole('button', { name: /^Thesis/ }).waitFor();
      await choose(page, 'Delete');
      await page.getByText('No chats match.').waitFor();
      await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('button', { name: /^Thesis/ }).waitFor();
      await search(page, '');
      await page
        .getByRole('listitem')
        .getByRole('button', { name: /^Urban heat/ })
        .click();
      expect((await calls(page)).map((entry) => entry.slice(0, 2))).toEqual([
        ['library.rename', 'session-2'],
        ['library.remove', 'session-2'],
        ['library.restore', 'session-2'],
        ['openChat', 'session-1'],
      ]);
      expect(await hostCalls(page)).toEqual([]);
      await expect.poll(() => message(page).evaluate((field) => field === document.activeElement)).toBe(true);
    }));

  it('says of a deleted chat that its text stays in notes only where it wrote some', () =>
    on('chats', async (page) => {
      await page.evaluate(() => {
        window.page.controller.library.unwritten = ['session-1'];
      });
      await button(page, 'Chats').click();
      const remove = async (title: string): Promise<void> => {
        await rows(page).filter({ hasText: title }).getByRole('button', { name: /^More/ }).click();
        await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
      };
      await remove('Urban heat');
      await page.getByText('“Urban heat” was deleted.', { exact: true }).waitFor();
      await remove('Thesis outline');
      await page.getByRole('status').filter({ hasText: 'was deleted. What it wrote into notes stays.' }).waitFor();
    }));

  it('deletes a chat at once, whatever is still to be read of its notes: the page may be closed then', () =>
    on('chats', async (page) => {
      await page.evaluate(() => {
        window.page.controller.library.wrote = () => new Promise(() => undefined);
      });
      await button(page, 'Chats').click();
      await rows(page).filter({ hasText: 'Urban heat' }).getByRole('button', { name: /^More/ }).click();
      await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
      await expect.poll(async () => (await calls(page)).map(([name]) => name)).toContain('library.remove');
    }));

  it('finds in the messages, shows the place, and opens the chat there', () =>
    on('library', async (page) => {
      await button(page, 'Chats').click();
      await search(page, 'over night');
      await rows(page).first().locator('mark').getByText('over night').waitFor();
      await expect.poll(() => rows(page).count()).toBe(1);
      await page.getByRole('button', { name: /^Bread/ }).click();
      expect(await calls(page)).toEqual([
        ['openChat', 'session-3'],
        ['messages.reveal', 'said-session-3'],
      ]);
    }));

  it('says that a long chat is being read', () =>
    on('chats', async (page) => {
      await button(page, 'Chats').click();
      await page.evaluate(() => {
        const { controller } = window.page;
        const read = controller.openChat.bind(controller);
        controller.openChat = (id) => new Promise((resolve) => window.addEventListener('read', () => resolve(read(id)), { once: true }));
      });
      const row = rows(page).getByRole('button', { name: /^Thesis outline/ });
      await row.click();
      await expect.poll(() => row.getAttribute('aria-busy')).toBe('true');
      await page.evaluate(() => window.dispatchEvent(new Event('read')));
      await page.getByRole('group', { name: 'Chats', exact: true }).waitFor({ state: 'detached' });
    }));

  it('draws some of three thousand rows, and more when asked', () =>
    on('library', async (page) => {
      await button(page, 'Chats').click();
      await expect.poll(() => rows(page).count()).toBe(60);
      await button(page, 'Show more (2880)').click();
      await expect.poll(() => rows(page).count()).toBe(180);
      const started = Date.now();
      await search(page, 'thesis second');
      await expect.poll(() => rows(page).count()).toBe(60);
      expect(Date.now() - started).toBeLessThan(2000);
    }));

  it('keeps tags, pins and an archive', () =>
    on('library', async (page) => {
      await button(page, 'Chats').click();
      const filters = page.getByRole('group', { name: 'Filter' });
      await filters.getByRole('button', { name: 'garden' }).click();
      await choose(page, 'Tags');
      const tags = page.getByRole('textbox', { name: 'Tags, separated by commas' });
      // Whose tags they are stays in sight.
      await rows(page).filter({ has: tags }).locator('.mg-title').filter({ hasText: /./ }).waitFor();
      await tags.fill('garden，soil, ');
      await page.keyboard.press('Enter');
      await rows(page).first().getByText('soil', { exact: true }).waitFor();
      await choose(page, 'Pin');
      await rows(page).first().getByText('Pinned').waitFor({ state: 'attached' });
      await choose(page, 'Archive');
      await filters.getByRole('button', { name: 'garden' }).click();
      await filters.getByRole('button', { name: 'Archived (61)' }).click();
      await choose(page, 'Unarchive');
      await filters.getByRole('button', { name: 'Archived (60)' }).waitFor();
      expect((await calls(page)).map(([name, , value]) => [name, value])).toEqual([
        ['library.setTags', ['garden', 'soil']],
        ['library.setPinned', true],
        ['library.setArchived', true],
        ['library.setArchived', false],
      ]);
    }));

  it('lists them by day, pinned ones first, with suggestions listed separately', () =>
    on('library', async (page) => {
      await page.evaluate(() => {
        const { library } = window.page.controller;
        const [first, second, third] = library.summaries;
        const noon = new Date().setHours(12, 0, 0, 0);
        const day = 24 * 60 * 60 * 1000;
        const old = new Date(2024, 1, 3, 9, 30).getTime();
        if (first && second && third) {
          library.summaries = [
            { ...first, title: 'Kept', pinned: true, updated: old },
            { ...second, title: 'Now', updated: noon },
            { ...third, title: 'Then', updated: noon - day },
            { ...third, id: 'older', title: 'Long ago', updated: old },
            { ...third, id: 'inline', title: 'Rewrite: Apollo', updated: noon, suggestion: true },
          ];
        }
      });
      await button(page, 'Chats').click();
      const group = (name: string) => page.getByRole('region', { name, exact: true }).getByRole('listitem');
      await group('Pinned').getByText('Kept').waitFor();
      await group('Today').getByText('Now').waitFor();
      await group('Yesterday').getByText('Then').waitFor();
      await group('Saturday, February 3, 2024').getByText(/09:30/).waitFor();
      await expect.poll(() => rows(page).count()).toBe(4);
      await button(page, 'Suggestions (1)').click();
      await group('Today').getByText('Rewrite: Apollo').waitFor();
      await expect.poll(() => rows(page).count()).toBe(1);
      await search(page, 'apollo');
      await page.getByRole('button', { name: /^Rewrite: Apollo/ }).waitFor();
    }));

  it('selects several, and exports, archives or deletes them together', () =>
    on('library', async (page) => {
      await button(page, 'Chats').click();
      await button(page, 'More actions for all chats').click();
      await page.getByRole('menuitem', { name: 'Select chats' }).click();
      const bar = page.getByRole('toolbar', { name: 'Selected chats' });
      await expect.poll(() => bar.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
      await rows(page).nth(1).getByRole('checkbox').check();
      await rows(page).nth(2).getByText('Bread').click();
      await bar.getByText('2 selected').waitFor();
      const download = page.waitForEvent('download');
      await bar.getByRole('button', { name: 'Export' }).click();
      expect((await download).suggestedFilename()).toBe('Marginalia chats.json');
      await bar.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('status').getByText('2 chats deleted.').waitFor();
      await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
      await rows(page).nth(2).getByRole('checkbox').check();
      await bar.getByRole('button', { name: 'Archive' }).click();
      await bar.getByRole('button', { name: 'Cancel' }).click();
      expect(await page.getByRole('checkbox').count()).toBe(0);
      expect((await calls(page)).map(([name]) => name)).toEqual([
        'library.exportJson',
        ...['library.remove', 'library.remove', 'library.restore', 'library.restore'],
        'library.setArchived',
      ]);
    }));

  it('deletes for good, after confirmation', () =>
    on('library', async (page) => {
      await page.evaluate(() => {
        const { library } = window.page.controller;
        library.deleted = ['One', 'Two', 'Three'].map((title) => ({
          ...{ id: title, title, updated: 0, pinned: false, messages: 1, deleted: Date.now() },
        }));
      });
      await button(page, 'Chats').click();
      await button(page, 'Deleted (3)').click();
      await button(page, 'More actions for One').click();
      await page.getByRole('menuitem', { name: 'Delete for good' }).click();
      await page.getByText('1 chat deleted for good').waitFor();
      await button(page, 'Delete all for good').click();
      await button(page, 'Deleted (2)').waitFor({ state: 'detached' });
      expect(await calls(page)).toEqual([
        ['library.discard', 'One'],
        ['library.discard', 'Two'],
        ['library.discard', 'Three'],
      ]);
      expect((await hostCalls(page)).filter(([name]) => name === 'confirm')).toHaveLength(2);
    }));

  it('says of no chat that it was deleted or brought back that was not', () =>
    on('library', async (page) => {
      const set = (stuck: readonly string[]) =>
        page.evaluate((ids) => {
          window.page.controller.library.stuck = ids;
        }, stuck);
      const said = page.getByRole('status');
      await page.evaluate(() => {
        const { library } = window.page.controller;
        library.summaries = library.summaries.slice(0, 3).map((chat, index) => ({ ...chat, title: `Chat ${index}` }));
        library.deleted = [];
      });
      await button(page, 'Chats').click();
      const ids = await page.evaluate(() => window.page.controller.library.summaries.map(({ id }) => id));
      const [first = '', , last = ''] = ids;
      await set([first]);
      await choose(page, 'Delete');
      await button(page, 'More actions for all chats').click();
      await page.getByRole('menuitem', { name: 'Select chats' }).click();
      const bar = page.getByRole('toolbar', { name: 'Selected chats' });
      await bar.getByRole('button', { name: 'Select all' }).click();
      expect(await said.getByText(/deleted/).count()).toBe(0);
      await bar.getByRole('button', { name: 'Delete' }).click();
      await said.getByText('2 chats deleted.').waitFor();
      await set([last]);
      await said.getByRole('button', { name: 'Undo' }).click();
      await button(page, 'Deleted (1)').click();
      expect((await calls(page)).slice(-2)).toEqual(ids.slice(1).map((id) => ['library.restore', id]));
      await bar.getByRole('button', { name: 'Cancel' }).click();
      await button(page, 'Delete all for good').click();
      await expect.poll(async () => (await calls(page)).at(-1)).toEqual(['library.discard', last]);
      await rows(page).first().waitFor();
      expect(await said.getByText(/for good/).count()).toBe(0);
    }));

  it('brings deleted chats back', () =>
    on('library', async (page) => {
      await button(page, 'Chats').click();
      await button(page, 'Deleted (1)').click();
      await button(page, 'Restore An old idea').click();
      // The last of them: its filter is gone, and all chats are listed again.
      await button(page, 'Deleted (1)').waitFor({ state: 'detached' });
      await page.locator('.mg-page li').first().waitFor();
      expect(await page.getByText('Deleted chats are kept for thirty days.').count()).toBe(0);
      expect(await calls(page)).toEqual([['library.restore', 'session-x']]);
    }));

  it('exports as a file, and imports one', () =>
    on('chats', async (page) => {
      await button(page, 'Chats').click();
      for (const [entry, name] of [
        ['Export as Markdown', 'Urban heat.md'],
        ['Export as JSON', 'Urban heat.json'],
      ] as const) {
        const download = page.waitForEvent('download');
        await choose(page, entry);
        expect((await download).suggestedFilename()).toBe(name);
        await page.getByText(`Saved as ${name}`).waitFor();
      }
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'chats.json', mimeType: 'application/json', buffer: Buffer.from('{"chats":[]}') });
      await page.getByText('1 chat imported').waitFor();
      await page.getByRole('button', { name: /^From a file/ }).waitFor();
      expect((await calls(page)).at(-1)).toEqual(['library.importJson', '{"chats":[]}']);
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'chats.json', mimeType: 'application/json', buffer: Buffer.from('{"chats":[]}') });
      await page.getByText('Everything in this file is already here.').waitFor();
    }));

  it('says how far the export of all chats is, and can call it off', () =>
    on('library', async (page) => {
      await page.evaluate(() => {
        window.page.controller.library.exportStops = 1200;
      });
      const all = page.getByRole('group', { name: 'Export all as JSON' });
      const start = async (): Promise<void> => {
        await button(page, 'More actions for all chats').click();
        await page.getByRole('menuitem', { name: 'Export all as JSON' }).click();
      };
      await button(page, 'Chats').click();
      await start();
      await all.getByText('1200 of 3000 chats read').waitFor();
      await expect.poll(() => all.getByRole('progressbar').getAttribute('value')).toBe('1200');
      await all.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('Export canceled').waitFor();
      expect(await all.count()).toBe(0);
      await page.evaluate(() => {
        window.page.controller.library.exportStops = -1;
      });
      const download = page.waitForEvent('download');
      await start();
      expect((await download).suggestedFilename()).toBe('Marginalia chats.json');
      await all.waitFor({ state: 'detached' });
    }));

  it('gives exports to the clipboard on phones', () =>
    on('chats', async (page) => {
      await page.evaluate(() => {
        window.page.host.mobile = true;
      });
      await button(page, 'Chats').click();
      await choose(page, 'Export as Markdown');
      await page.getByText('Copied to the clipboard: paste it into a file.').waitFor();
      expect(await hostCalls(page)).toEqual([['writeClipboard', '# Urban heat\n']]);
    }));

  it('lists chats whose files cannot be read, which are opened to learn why, and deleted', () =>
    on('chats', async (page) => {
      await page.evaluate(() => {
        const { library } = window.page.controller;
        library.unreadable = [
          { id: 'torn', title: 'Torn' },
          { id: 'empty', title: '' },
        ];
        library.summaries = [];
      });
      await button(page, 'Chats').click();
      const unreadable = page.getByRole('region', { name: 'Cannot be read' });
      await unreadable.getByRole('button', { name: 'More actions for Untitled' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await expect.poll(() => unreadable.getByRole('listitem').count()).toBe(1);
      expect(await page.getByText('No chats yet.').count()).toBe(0);
      await unreadable.getByRole('button', { name: /^Torn/ }).click();
      await expect
        .poll(() => calls(page))
        .toEqual([
          ['library.remove', 'empty'],
          ['openChat', 'torn'],
        ]);
    }));

  it('does not call a list empty that could not be read', () =>
    on('chats', async (page) => {
      await page.evaluate(() => {
        window.page.controller.library.broken = true;
      });
      await button(page, 'Chats').click();
      await page.getByRole('alert').getByText('SiYuan is not responding.').waitFor();
      expect(await page.getByText('No chats yet.').count()).toBe(0);
      // The bar above says it too, but not a second time.
      const notice = { code: 'kernel_unreachable', message: 'the kernel does not answer', next: 'try again' } as const;
      await page.evaluate((which) => window.page.controller.set({ notice: which }), notice);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
      await expect.poll(() => page.getByRole('alert').count()).toBe(1);
      await page.keyboard.press('Escape');
      await page.getByRole('alert').getByText('SiYuan is not responding.').waitFor();
      await button(page, 'Close').click();
      await button(page, 'Chats').click();
      await page.evaluate(() => {
        window.page.controller.library.broken = false;
      });
      await button(page, 'Retry').click();
      await page
        .getByRole('listitem')
        .getByRole('button', { name: /^Urban heat/ })
        .first()
        .waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    }));
});
