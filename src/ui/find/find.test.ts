import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { button, message, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();

const bar = (page: Page) => page.getByRole('search', { name: 'Find in this chat' });
const field = (page: Page) => bar(page).getByRole('textbox', { name: 'Find in this chat' });
const count = (page: Page) => bar(page).getByRole('status');
const open = async (page: Page, words: string): Promise<void> => {
  await message(page).press('ControlOrMeta+f');
  await field(page).fill(words);
};
/** How often the words stand in the sources of all messages. */
const inSources = (page: Page, words: string): Promise<number> =>
  page.evaluate(
    (wanted) =>
      window.page.controller
        .view()
        .messages.flatMap((each) => each.segments.flatMap((segment) => (segment.kind === 'text' ? [segment.text] : [])))
        .reduce((sum, text) => sum + text.split(wanted).length - 1, 0),
    words,
  );
/** Texts of the marked words; of the one where the reader is, whether it is in sight. */
const marks = (page: Page) =>
  page.evaluate(() => {
    const frame = document.querySelector('.mg-list')!.getBoundingClientRect();
    const ranges = (name: string) => [...(CSS.highlights.get(name) ?? [])] as Range[];
    const [current] = ranges('marginalia-find-current');
    const box = current?.getBoundingClientRect();
    return {
      all: ranges('marginalia-find').map(String),
      current: current?.toString(),
      seen: box !== undefined && box.height > 0 && box.top >= frame.top && box.bottom <= frame.bottom,
    };
  });

describe('finding in a chat', () => {
  it('counts over all messages, goes to each and marks it, and gives the focus back', () =>
    on('giant', async (page) => {
      await message(page).focus();
      await open(page, 'asphalt');
      const all = await inSources(page, 'asphalt');
      expect(all).toBeGreaterThan(500);
      await count(page).getByText(`of ${all}`).waitFor();
      const places: number[] = [];
      for (let step = 0; step < 4; step += 1) {
        await page.keyboard.press(step === 3 ? 'Shift+Enter' : 'Enter');
        await expect.poll(async () => (await marks(page)).seen).toBe(true);
        expect((await marks(page)).current).toBe('asphalt');
        places.push(Number((await count(page).innerText()).split(' ')[0]));
      }
      const [first = 0] = places;
      const ahead = (n: number): number => ((first - 1 + n) % all) + 1;
      expect(places).toEqual([first, ahead(1), ahead(2), ahead(1)]);
      await page.keyboard.press('Escape');
      expect(await bar(page).count()).toBe(0);
      expect(await marks(page)).toEqual({ all: [], seen: false });
      await expect.poll(() => message(page).evaluate((element) => element === document.activeElement)).toBe(true);
    }));

  it('gives the focus back to the message that had it', () =>
    on('finished', async (page) => {
      const answer = page.locator('article').last();
      await answer.focus();
      await answer.press('ControlOrMeta+f');
      await field(page).press('Escape');
      await expect.poll(() => answer.evaluate((element) => element === document.activeElement)).toBe(true);
    }));

  it('reaches messages that were never in the document', () =>
    on('giant', async (page) => {
      await open(page, 'question 7');
      await count(page).getByText('of 111').waitFor();
      await button(page, 'Next match').click();
      await expect.poll(async () => (await marks(page)).seen).toBe(true);
      await field(page).fill('Question 777');
      await count(page).getByText('1 of 1').waitFor();
      await expect.poll(async () => (await marks(page)).current).toBe('Question 777');
      await expect.poll(async () => (await marks(page)).seen).toBe(true);
    }));

  it('reads what is shown: across bold words and citations, not across blocks, formulas, Chinese, no matter the case', () =>
    on('finished', async (page) => {
      await page.evaluate(() => {
        const [asked, last] = window.page.controller.view().messages;
        const text =
          'An **ur**ban ((20260412093011-abc1234 "Tree")) line.\n\nStart $E=mc^2$ end.\n\n| a | b |\n| - | - |\n| left | right |\n\n```js\nlet café = 1;\n```\n\n城市**热岛**效应';
        window.page.controller.set({ messages: [asked!, { ...last!, segments: [{ kind: 'text', text }] }] });
      });
      // The words of before are counted out first: their count must not be taken for that of the new ones.
      const found = async (words: string): Promise<unknown> => {
        await field(page).fill('');
        await expect.poll(async () => [await count(page).innerText(), (await marks(page)).all]).toEqual(['', []]);
        await field(page).fill(words);
        await count(page)
          .getByText(/match| of /)
          .waitFor();
        const counted = async (): Promise<number> => Number(/(\d+)( match|$)/.exec(await count(page).innerText())?.[1] ?? 0);
        await expect.poll(async () => (await marks(page)).all.length - (await counted())).toBe(0);
        return (await marks(page)).all;
      };
      await open(page, '');
      expect(await found('URBAN tree line')).toEqual(['urban Tree line']);
      expect(await found('left right')).toEqual([]);
      expect(await found('line. start')).toEqual([]);
      expect(await found('CAFÉ')).toEqual(['café']);
      expect(await found('市热岛效')).toEqual(['市热岛效']);
      expect(await found('e=mc^2')).toHaveLength(1);
      expect(await found('unverified')).toEqual([]);
    }));

  it('follows an answer that grows', () =>
    on('streaming', async (page) => {
      await open(page, 'zebra');
      await count(page).getByText('No matches').waitFor();
      await page.evaluate(() => window.page.controller.stream('\n\nA zebra and another zebra.\n\n'));
      await count(page).getByText('2 matches').waitFor();
      await expect.poll(async () => (await marks(page)).all).toEqual(['zebra', 'zebra']);
      await page.keyboard.press('Enter');
      await count(page).getByText('1 of 2').waitFor();
    }));

  it('is opened from the menu with the selected words, and takes the keys only inside of the panel', () =>
    on('finished', async (page) => {
      await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<button id="outside">note</button>'));
      await page.locator('#outside').focus();
      await page.evaluate(() => {
        const heard: string[] = [];
        Object.assign(window, { heard });
        window.addEventListener('keydown', (event) => heard.push(`${event.key} ${event.defaultPrevented}`));
      });
      const heard = (): Promise<string[]> => page.evaluate(() => Reflect.get(window, 'heard').splice(0));
      await page.keyboard.press('ControlOrMeta+f');
      expect(await heard()).toContain('f false');
      expect(await bar(page).count()).toBe(0);
      // Inside it is ours alone: the host's own search does not open too.
      await message(page).press('ControlOrMeta+f');
      await field(page).press('Escape');
      expect((await heard()).filter((key) => key.startsWith('f'))).toEqual([]);
      await page.getByText('dark roofs').evaluate((item) => getSelection()!.setBaseAndExtent(item.firstChild!, 0, item.firstChild!, 10));
      await button(page, 'More').click();
      await page.getByRole('menuitem', { name: 'Find in this chat' }).click();
      await expect.poll(() => field(page).inputValue()).toBe('dark roofs');
      await expect.poll(() => field(page).evaluate((element) => element === document.activeElement)).toBe(true);
      await button(page, 'Close the search').click();
      expect(await bar(page).count()).toBe(0);
    }));

  it('speaks Chinese', () =>
    on(
      'zh-approval',
      async (page) => {
        await page.getByRole('textbox', { name: '消息' }).press('ControlOrMeta+f');
        await page.getByRole('textbox', { name: '在本对话里查找' }).fill('没有的字');
        await page.getByText('没有找到').waitFor();
      },
      { language: 'zh_CN' },
    ));

  it('lets the message flash where a browser cannot mark words', () =>
    on('finished', async (page) => {
      await page.evaluate(() => Object.assign(window, { Highlight: undefined }));
      await open(page, 'roofs');
      await count(page).getByText('1 of').waitFor();
      await expect.poll(() => page.locator('.mg-found').count()).toBe(1);
    }));
});
