import { describe, expect, it } from 'vitest';
import { button, calls, hostCalls, usePanelBrowser } from '../../../ui/testing/panel-browser.ts';

const on = usePanelBrowser();

describe('an answer goes to the end of a note', () => {
  it('at once where one is open; the message about it links there and offers Undo', () =>
    on('finished', async (page) => {
      await button(page, 'Append to the open note').click();
      const said = page.getByRole('status').filter({ hasText: 'Added at the end of “Apollo”' });
      await said.waitFor();
      const [, nodeId, documentId] = (await calls(page, 'notes.append'))[0]!;
      expect([nodeId, documentId]).toEqual([
        await page.locator('.mg-history__item').last().getAttribute('data-node'),
        '20260412093000-apollo0',
      ]);
      await said.getByRole('button', { name: 'Open' }).click();
      expect((await hostCalls(page)).at(-1)).toEqual(['openBlock', '20260101000000-addedbl']);
      await said.getByRole('button', { name: 'Undo' }).click();
      expect(await calls(page, 'notes.undoAppend')).toEqual([['notes.undoAppend', nodeId, 'append-1']]);
      await said.waitFor({ state: 'detached' });
    }));

  it('asks for the note where none is open, and finds it by its title', () =>
    on('finished', async (page) => {
      await page.evaluate(() => {
        window.page.host.hasEditor = false;
      });
      await button(page, 'Append to the open note').click();
      const choice = page.getByRole('group', { name: 'Append to a note' });
      await choice.getByText('Recently changed').waitFor();
      await expect.poll(() => choice.getByRole('listitem').count()).toBe(3);
      await choice.getByRole('searchbox', { name: 'Find a note by its title' }).fill('heat');
      await choice.getByText('Notes with these words').waitFor();
      await expect.poll(() => choice.getByRole('listitem').count()).toBe(1);
      await page.keyboard.press('Enter');
      await page.getByText('Added at the end of “Urban heat”').waitFor();
      expect((await calls(page, 'notes.append'))[0]?.[2]).toBe('20260412093000-heat000');
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-role'))).toBe('assistant');
    }));

  it('becomes a new note from the message’s menu, which can be opened and undone', () =>
    on('finished', async (page) => {
      await button(page, 'More actions for this message').last().click();
      await page.getByRole('menuitem', { name: 'Append to another note…' }).click();
      await button(page, 'Save as a new note…').click();
      const form = page.getByRole('group', { name: 'Save the answer as a note' });
      const path = form.getByRole('textbox', { name: 'Path' });
      await path.fill('/Refused');
      await path.press('Enter');
      // Nothing says that it was saved, and what was typed stays.
      await expect.poll(() => path.inputValue()).toBe('/Refused');
      await path.fill('Answers/Heat');
      await path.press('Enter');
      const said = page.getByRole('status').filter({ hasText: 'Saved as a note' });
      await said.getByRole('button', { name: 'Open' }).click();
      expect((await hostCalls(page)).at(-1)).toEqual(['openBlock', '20260101000000-newnote']);
      await said.getByRole('button', { name: 'Undo' }).click();
      expect((await calls(page, 'notes.append')).map((call) => call.slice(2))).toEqual([
        ['nb-projects', '/Refused'],
        ['nb-projects', '/Answers/Heat'],
      ]);
      expect(await calls(page, 'notes.undoAppend')).toHaveLength(1);
    }));

  it('with text from other notebooks only when that is wanted, in a new note and in one that is there', () =>
    on('finished', async (page) => {
      const asked = async () => (await hostCalls(page)).filter(([name]) => name === 'confirm').map(([, text]) => text);
      await page.evaluate(() => {
        window.page.host.answer = false;
        window.page.controller.foreignNote = '20260412093000-apollo0';
      });
      await button(page, 'Append to the open note').click();
      await expect.poll(asked).toEqual([expect.stringContaining('may contain text from other notebooks')]);
      await button(page, 'More actions for this message').last().click();
      await page.getByRole('menuitem', { name: 'Append to another note…' }).click();
      await button(page, 'Save as a new note…').click();
      const path = page.getByRole('textbox', { name: 'Path' });
      await path.fill('/Of others');
      await path.press('Enter');
      await expect.poll(async () => (await asked()).length).toBe(2);
      expect(
        await page
          .getByRole('status')
          .filter({ hasText: /Saved as a note|Added at the end/ })
          .count(),
      ).toBe(0);
      await page.evaluate(() => {
        window.page.host.answer = true;
      });
      await path.press('Enter');
      await page.getByText('Saved as a note', { exact: true }).waitFor();
      await button(page, 'Append to the open note').click();
      await page.getByText('Added at the end of “Apollo”').waitFor();
    }));

  it('goes to another note by the message’s menu; Escape leaves without writing', () =>
    on('finished', async (page) => {
      await button(page, 'More actions for this message').last().click();
      await page.getByRole('menuitem', { name: 'Append to another note…' }).click();
      await page.getByRole('group', { name: 'Append to a note' }).getByText('城市热岛的观测记录与整理', { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('group', { name: 'Append to a note' }).waitFor({ state: 'detached' });
      expect(await calls(page, 'notes.append')).toEqual([]);
    }));
});
