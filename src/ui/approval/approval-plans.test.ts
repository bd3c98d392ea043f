import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { button, calls, card, reject, settingCalls, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();
const decided = async (page: Page) => (await calls(page, 'decide')).map(([, id, decision]) => [id, decision]);
const rows = (page: Page) => card(page).locator('.mg-changed__row').allInnerTexts();
const flat = (texts: readonly string[]): string[] => texts.map((text) => text.replace(/\s+/g, ' ').trim());

describe('several approvals at once', () => {
  it('are one card with a heading for each; the rest is folded out where it is wanted', () =>
    on('batch', async (page) => {
      await expect.poll(() => card(page).count()).toBe(1);
      await card(page).getByText('4 changes pending').waitFor();
      await expect
        .poll(async () => flat(await card(page).locator('.mg-ask__words').allInnerTexts()))
        .toEqual([
          'Delete 2 blocks in Apollo',
          'Rename Apollo to “Artemis”',
          'Move Apollo to Projects › Archive › 2026',
          'Delete the note Minutes of the kickoff',
        ]);
      await expect.poll(() => card(page).locator('[data-diff]').count()).toBe(1);
      // The first is open; what was never opened is said where all are approved, however often one folds it again.
      await card(page).getByText('3 not looked at').waitFor();
      const folds = card(page).getByRole('button', { name: 'Changes', exact: true });
      await expect
        .poll(() => folds.evaluateAll((all) => all.map((fold) => fold.getAttribute('aria-expanded'))))
        .toEqual(['true', 'false', 'false', 'false']);
      await folds.nth(1).click();
      await expect.poll(async () => flat(await rows(page))).toEqual(['Work', '− Apollo', '+ Artemis']);
      await card(page).getByText('2 not looked at').waitFor();
      // The others are a line each, and lead on to what was not looked at.
      await button(page, '2 not looked at').click();
      await expect
        .poll(() => folds.evaluateAll((all) => all.map((fold) => fold.getAttribute('aria-expanded'))))
        .toEqual(['false', 'false', 'true', 'false']);
      // What would be lost is never folded away.
      await expect.poll(() => card(page).getByText('3 blocks elsewhere refer to what will be deleted.').isVisible()).toBe(true);
    }));

  it('are decided one by one, what was chosen on the others stays', () =>
    on('batch', async (page) => {
      await card(page).getByRole('checkbox', { name: 'Delete list' }).uncheck();
      const folds = card(page).getByRole('button', { name: 'Changes', exact: true });
      await folds.nth(1).click();
      await button(page, 'Approve').click();
      await folds.nth(1).click();
      await reject(page);
      expect(await decided(page)).toEqual([
        ['rename', { approved: true, acceptedOperations: [expect.any(String)] }],
        ['move', { approved: false }],
      ]);
      await folds.nth(0).click();
      await expect.poll(() => card(page).getByRole('checkbox', { name: 'Delete list' }).isChecked()).toBe(false);
    }));

  it('are approved together, with the highest right that was chosen, once a notebook', () =>
    on('batch', async (page) => {
      const always = card(page).getByRole('radio', { name: 'Always: set Projects to “Read, edit and delete”' });
      // One question for all of them.
      await expect.poll(() => card(page).getByText('The model may not delete anything in Projects.').count()).toBe(1);
      await expect.poll(() => card(page).getByRole('radio').count()).toBe(2);
      await always.check();
      await button(page, 'Approve all').click();
      await button(page, 'Approve unseen').click();
      await expect.poll(() => settingCalls(page)).toEqual([['setRight', 'nb-projects', 'delete']]);
      expect((await decided(page)).map(([id]) => id)).toEqual(['blocks', 'rename', 'move', 'delete']);
    }));

  it('stay as they are, although more come', () =>
    on('batch', async (page) => {
      const every = await page.evaluateHandle(() => window.page.controller.view().approvals);
      const show = (count: number) =>
        every.evaluate((approvals, n) => window.page.controller.set({ approvals: approvals.slice(0, n) }), count);
      await show(0);
      await show(2);
      await button(page, '1 not looked at').click();
      await expect.poll(() => card(page).getByText('not looked at').count()).toBe(0);
      await show(4);
      await card(page).getByText('2 not looked at').waitFor();
      const folds = card(page).getByRole('button', { name: 'Changes', exact: true });
      await expect
        .poll(() => folds.evaluateAll((all) => all.map((fold) => fold.getAttribute('aria-expanded'))))
        .toEqual(['false', 'true', 'false', 'false']);
    }));

  it('are rejected together', () =>
    on('batch', async (page) => {
      await button(page, 'Reject…').click();
      await button(page, 'Reject all').click();
      expect(await settingCalls(page)).toEqual([]);
      expect((await decided(page)).map(([id, decision]) => [id, decision])).toEqual(
        ['blocks', 'rename', 'move', 'delete'].map((id) => [id, { approved: false }]),
      );
    }));

  it('ask for no right that was given meanwhile', () =>
    on('delete-blocks', async (page) => {
      await card(page).getByText('The model may not delete anything in Projects.').waitFor();
      await page.evaluate(() =>
        window.page.controller.set({
          notebooks: window.page.controller.view().notebooks.map((notebook) => ({ ...notebook, right: 'delete' as const })),
        }),
      );
      await expect.poll(() => card(page).getByRole('radio').count()).toBe(0);
      await button(page, 'Approve').click();
      expect(await settingCalls(page)).toEqual([]);
    }));
});

describe('a change of several that is longer than its box', () => {
  const frame = (page: Page) => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));

  it('counts as looked at once its end was in sight', () =>
    on('long-batch', async (page) => {
      await card(page).getByText('2 not looked at').waitFor();
      const diff = card(page).locator('[data-diff]').first();
      await diff.evaluate((box) => box.scrollTo(0, box.scrollHeight / 3));
      await frame(page);
      await card(page).getByText('2 not looked at').waitFor();
      await diff.evaluate((box) => box.scrollTo(0, box.scrollHeight));
      await card(page)
        .locator('.mg-ask__end')
        .evaluate((mark) => mark.scrollIntoView({ block: 'center' }));
      await card(page).getByText('1 not looked at').waitFor();
    }));

  it('or was shown whole', () =>
    on('long-batch', async (page) => {
      await card(page).getByText('2 not looked at').waitFor();
      await card(page).getByRole('button', { name: 'More below: show all' }).click();
      await card(page)
        .locator('.mg-ask__end')
        .evaluate((mark) => mark.scrollIntoView({ block: 'center' }));
      await button(page, '1 not looked at').click();
      await expect.poll(() => card(page).getByText('not looked at').count()).toBe(0);
    }));

  it('or, where it came as an outline, once each of its changes was open', () =>
    on('outlined-batch', async (page) => {
      const head = card(page).locator('.mg-approval__head');
      const diff = card(page).locator('[data-diff]').first();
      const seeAll = async (): Promise<void> => {
        await diff.evaluate((box) => box.scrollTo(0, box.scrollHeight));
        for (const end of await card(page).locator('.mg-ask__end').all()) {
          await end.evaluate((mark) => mark.scrollIntoView({ block: 'center' }));
          await frame(page);
        }
      };
      await seeAll();
      await head.getByText('2 not looked at').waitFor();
      await diff.getByRole('button', { name: 'Show them in full' }).click();
      await seeAll();
      await head.getByText('1 not looked at').waitFor();
    }));
});

describe('a plan', () => {
  it('of a deletion shows what goes, what is lost and what Undo gives back', () =>
    on('delete-note', async (page) => {
      expect(flat(await rows(page))).toEqual(['Apollo', '− Minutes of the kickoff']);
      for (const words of ['2 notes below will be deleted with it.', '1 database row will be lost.', 'Undo brings back part of it.'])
        await card(page).getByText(words).waitFor();
      await card(page).getByText('The model may not delete anything in Projects.').waitFor();
      await button(page, 'Approve').click();
      expect(await settingCalls(page)).toEqual([]);
      expect(await decided(page)).toMatchObject([[expect.any(String), { approved: true, beyondRight: true }]]);
    }));

  it('of deleted blocks shows their text', () =>
    on('delete-blocks', async (page) => {
      await expect
        .poll(() => card(page).locator('del').allTextContents())
        .toEqual(['Old questions', 'Who moderates?', 'Is the demo ready?']);
      await card(page).getByText('1 part that the model may not see is left alone.').waitFor();
    }));

  it('of moved blocks shows their way', () =>
    on('move-blocks', async (page) => {
      await expect
        .poll(async () => flat(await card(page).locator('.mg-ask__words').allInnerTexts()))
        .toEqual(['Move 2 blocks to Apollo, at the end of the section “Done”']);
      expect(flat(await rows(page)).slice(0, 2)).toEqual([
        'Apollo › Plan → Apollo, at the end of the section “Done”',
        'The kickoff is on Monday.',
      ]);
      await card(page).getByRole('button', { name: '… 2 unchanged' }).click();
      await card(page).getByText('Dora moderates').waitFor();
    }));

  it('of several notes groups what it does by note, each left out with one tick', () =>
    on('attributes', async (page) => {
      await card(page).getByText('Change 1 block and set attributes of 2 in 2 notes').waitFor();
      expect(flat(await rows(page)).slice(0, 3)).toEqual(['custom-status: open → done', '− memo: ask Anna', '+ custom-owner: Ben']);
      const all = card(page).getByRole('checkbox', { name: 'All changes in Minutes of the kickoff' });
      await card(page).getByRole('checkbox', { name: 'Change paragraph' }).uncheck();
      await expect
        .poll(() => all.evaluate((box) => box instanceof HTMLInputElement && [box.checked, box.indeterminate]))
        .toEqual([true, true]);
      await all.uncheck();
      await button(page, 'Approve 1 of 3').click();
      const [[, decision] = []] = await decided(page);
      expect(decision).toEqual({ approved: true, acceptedOperations: [expect.any(String)] });
    }));

  it('shows what is written as an attribute, whatever its value looks like', () =>
    on('forged', async (page) => {
      await expect
        .poll(async () => flat(await card(page).locator('[data-action="set-attributes"] .mg-changed__row').allInnerTexts()))
        .toEqual(['+ memo: A', '+ custom-z: ok↵ memo = B']);
      const renamed = card(page).locator('[data-action="move-document"]');
      // Three names, two separators: what stands inside of a name is framed with it.
      await expect
        .poll(() => renamed.locator('ins bdi, .mg-changed__row--same bdi').allInnerTexts())
        .toEqual(['Projects', 'Work › Archive', 'Apollo']);
      await expect.poll(() => renamed.locator('.mg-path__framed').allInnerTexts()).toEqual(['Work › Archive']);
    }));

  it('that sends something out shows where to and every character', () =>
    on('outgoing', async (page) => {
      await card(page).getByText('Send this to api.search.example with “Ask colleague”?').waitFor();
      const [address, body] = await card(page).locator('[data-outgoing] pre').allInnerTexts();
      expect(address).toBe('https://api.search.example/v1/search?lang=en&source=marginalia&token=none');
      expect(body).toContain('Apollo⟨U+200B⟩ on Monday');
      await card(page).getByText('What is sent (480 B)').waitFor();
      await reject(page);
      expect(await decided(page)).toEqual([['send', { approved: false }]]);
    }));

  it('that is allowed with others says until when', () =>
    on('web-search', async (page) => {
      await card(page)
        .getByText(/is allowed in this chat until a note is read in it/)
        .waitFor();
      await reject(page);
      expect(await decided(page)).toEqual([['search', { approved: false }]]);
    }));
});

describe('a change that is longer than its box', () => {
  it('says that more stands below, and shows all of it', () =>
    on('rewrite', async (page) => {
      const diff = card(page).locator('[data-diff]');
      await diff.getByRole('button', { name: 'More below: show all' }).click();
      await expect.poll(() => diff.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThanOrEqual(1);
      expect(await diff.getByRole('button', { name: 'More below: show all' }).count()).toBe(0);
      await expect.poll(() => diff.evaluate((box) => box === document.activeElement)).toBe(true);
    }));

  it('says so of half a line too, and says nothing where only space is cut off', () =>
    on('approval', async (page) => {
      const diff = card(page).locator('[data-diff]');
      const more = diff.getByRole('button', { name: 'More below: show all' });
      const lack = (pixels: number) =>
        diff.evaluate((box, less) => {
          if (!(box instanceof HTMLElement)) return;
          box.style.maxHeight = 'none';
          box.style.maxHeight = `${box.offsetHeight - less}px`;
        }, pixels);
      await lack(10);
      await more.waitFor();
      await lack(3);
      await more.waitFor({ state: 'detached' });
    }));
});

describe('the change of a whole document', () => {
  it('comes as an outline first: a line each, which opens to its text, or all at once', () =>
    on('rewrite', async (page) => {
      const diff = card(page).locator('[data-diff]');
      await diff.getByText('Outline of 16 changes').waitFor();
      await diff.getByText('16 not looked at').waitFor();
      expect(await rows(page)).toEqual([]);
      await expect
        .poll(async () => flat(await diff.locator('.mg-diff__label').allInnerTexts()).slice(0, 2))
        .toEqual(['Add heading Part 1', 'Change paragraph Paragraph 1, shorter now.']);
      // Nothing lies on the first.
      await diff.getByRole('button', { name: /^Changes: 1\. / }).click({ trial: true });
      await diff.getByRole('button', { name: /^Changes: 2\. / }).click();
      await expect.poll(async () => flat(await card(page).locator('.mg-changed__row').allInnerTexts()).at(-1)).toBe('+ And in two lines.');
      await diff.getByText('15 not looked at').waitFor();
      await diff.getByRole('button', { name: 'Show them in full' }).click();
      expect(await diff.getByText('not looked at').count()).toBe(0);
      await expect.poll(() => diff.locator('[data-operation]:has(.mg-rendered)').count()).toBe(16);
      await diff.getByRole('button', { name: 'Only the outline' }).click();
      expect(await rows(page)).toEqual([]);
      await diff.getByRole('checkbox').nth(1).uncheck();
      await button(page, 'Approve 15 of 16').click();
      const [[, decision]] = (await decided(page)) as [[string, { acceptedOperations: string[] }]];
      expect(decision.acceptedOperations).toHaveLength(15);
    }));
});

describe('a change as it will look', () => {
  it('marks words in rendered text: references as titles, headings, lists, a cell in its row, code; Markdown on request', () =>
    on('looks', async (page) => {
      const operation = (id: string) => card(page).locator(`[data-operation="${id}"]`);
      const signs = (id: string) =>
        operation(id)
          .locator('[data-change]:not([data-change="same"])')
          .evaluateAll((all) => all.map((row) => row.getAttribute('data-change')));
      expect(await card(page).innerText()).not.toMatch(/\*\*|\(\(|\{:|##|\| ---|\d{14}-/);
      await expect
        .poll(async () => [await operation('text').locator('del').allInnerTexts(), await operation('text').locator('ins').allInnerTexts()])
        .toEqual([['Monday'], ['Tuesday, see Urban heat']]);
      await expect.poll(() => operation('text').locator('ins strong').innerText()).toBe('Tuesday');
      await operation('text').getByRole('link', { name: 'Urban heat' }).click();
      await expect.poll(() => operation('table').locator('td.mg-rendered__cell').allInnerTexts()).toEqual(['212198 €']);
      await expect.poll(() => operation('table').locator('th').allInnerTexts()).toEqual(['Way', 'Price']);
      await operation('table').getByRole('button', { name: '… 2 unchanged' }).waitFor();
      expect(await signs('list')).toEqual(['changed', 'added']);
      await expect.poll(() => operation('list').locator('[data-change="changed"] :is(del, ins)').allInnerTexts()).toEqual(['☐', '☑']);
      await expect.poll(() => operation('code').locator('ins').allInnerTexts()).toEqual(['2']);
      // What the host drew of the block itself is shown, sanitised, not what its Markdown would look like.
      await expect.poll(() => operation('drawn').locator('.mg-math').count()).toBe(1);
      expect(await operation('drawn').locator('[onclick], iframe, [src]').count()).toBe(0);
      // What only the Markdown shows is shown as Markdown.
      await expect.poll(() => operation('unseen').locator('ins').allInnerTexts()).toEqual(['*']);
      // So is what would be written unseen.
      await operation('hidden').getByText('secret text').waitFor();
      await operation('address').getByText('evil').first().waitFor();
      await card(page).getByRole('button', { name: 'As Markdown' }).click();
      await operation('text').getByText('((20260412093000-heat000 "Urban heat"))').waitFor();
    }));
});
