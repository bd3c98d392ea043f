import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hostCalls, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();
const [PARKS, ROOFS, TREES] = ['20260205200501-park094', '20260209200502-expect3', '20260209200503-trees00'];

/** Words in the sentence, a title, words that the sentence has already, and none. */
const TEXT = [
  `Parks are ((${PARKS} "0.94 °C cooler by day")); few studies measured the night.`,
  '',
  `Cool roofs give close to nothing at night ((${ROOFS} "nothing at night")). Trees help. ((${TREES} "a row of trees")) So they say ((${PARKS} "Bowler 2010")).`,
].join('\n');

const show = (page: Page): Promise<void> =>
  page.evaluate(
    ({ text, citations, parks }) => {
      const { host, controller } = window.page;
      host.noteTitles = async (ids) => new Map(ids.map((id) => [id, id === parks ? 'Bowler 2010' : 'Santamouris 2014']));
      controller.setLast({ segments: [{ kind: 'text', text }], citations });
    },
    { text: TEXT, citations: [PARKS, ROOFS, TREES], parks: PARKS },
  );
const links = (page: Page) => page.locator('a.mg-cite');
const drawn = (page: Page) =>
  links(page).evaluateAll((all) =>
    all.map((link) => [
      link.querySelector('.mg-cite__words') ? '' : link.textContent,
      getComputedStyle(link, '::after').content.replaceAll('"', ''),
      link.getAttribute('aria-label'),
    ]),
  );

describe('citations', () => {
  it('are small numbers behind what belongs to the sentence, with the title of their note for those who do not see', () =>
    on('finished', async (page) => {
      await show(page);
      await expect
        .poll(() => drawn(page))
        .toEqual([
          ['0.94 °C cooler by day', '1', '0.94 °C cooler by day (Bowler 2010)'],
          ['', '2', 'Santamouris 2014'],
          ['', '3', 'Santamouris 2014'],
          ['', '1', 'Bowler 2010'],
        ]);
    }));

  it('get their numbers as soon as the answer has ended, and not before', () =>
    on('running', async (page) => {
      const text = `Parks are cooler by day ((${PARKS} "a park")).`;
      await page.evaluate((said) => {
        window.page.controller.set({ approvals: [] });
        window.page.controller.setLast({ status: 'streaming', segments: [{ kind: 'text', text: said }], citations: [] });
      }, text);
      await page.locator('.mg-cite-pending').waitFor();
      await page.evaluate((parks) => {
        window.page.controller.setLast({ status: 'done', citations: [parks] });
        window.page.controller.set({ running: false });
      }, PARKS);
      await expect.poll(async () => (await drawn(page)).map(([, number]) => number)).toEqual(['1']);
    }));

  it('are listed at the end, each note once', () =>
    on('finished', async (page) => {
      await show(page);
      const list = page.getByRole('list', { name: 'Sources' });
      const items = async () => (await list.getByRole('listitem').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
      await expect.poll(items).toEqual(['1 Bowler 2010', '2 3 Santamouris 2014']);
      await list.getByRole('link', { name: '2', exact: true }).click();
      expect(await hostCalls(page)).toEqual([['openBlock', ROOFS]]);
    }));

  it('are numbered in the order in which they are seen, without a gap, and all of them are listed', () =>
    on('finished', async (page) => {
      const gone = '20260209200504-gone000';
      const text = `See assets/20260209200505-picture.png. Parks ((${PARKS} "a park")), roofs ((${gone} "a roof")), parks ((${PARKS} "a park again")), trees ((${TREES} "a tree")).`;
      await page.evaluate(
        ({ text, citations, gone }) => {
          const { host, controller } = window.page;
          host.noteTitles = async (ids) => new Map(ids.filter((id) => id !== gone).map((id) => [id, 'Santamouris 2014']));
          controller.setLast({ segments: [{ kind: 'text', text }], citations });
        },
        // As older answers and sub-agents have them: repeated, in another order, with an id of a path.
        { text, citations: ['20260209200505-picture', PARKS, TREES, PARKS, gone], gone },
      );
      await expect.poll(async () => (await drawn(page)).map(([, number]) => number)).toEqual(['1', '2', '1', '3']);
      const items = async () =>
        (await page.getByRole('list', { name: 'Sources' }).getByRole('listitem').allInnerTexts()).map((each) =>
          each.replace(/\s+/g, ' ').trim(),
        );
      await expect.poll(items).toEqual(['1 3 Santamouris 2014', '2 a roof']);
    }));

  it('lead to the sentence that is cited', () =>
    on('finished', async (page) => {
      await show(page);
      await page.evaluate(() => {
        const { host } = window.page;
        host.nearestBlock = async (id, words) => `${id} ${'Roofs: close to nothing.'.match(words)?.join('+')}`;
      });
      await links(page).nth(1).click();
      await expect.poll(() => hostCalls(page)).toEqual([['openBlock', `${ROOFS} Roofs: close to nothing`]]);
    }));
});
