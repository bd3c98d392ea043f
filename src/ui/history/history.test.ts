import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { button, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();
const COUNT = 5000;

const frames = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));
const list = (page: Page) => page.locator('.mg-list');
const fromEnd = (page: Page): Promise<number> =>
  list(page).evaluate((element) => Math.round(element.scrollHeight - element.scrollTop - element.clientHeight));
const question = (page: Page, n: number) => page.getByText(`Question ${n}`, { exact: true });
const topOf = async (page: Page, n: number): Promise<number> => (await question(page, n).boundingBox())!.y;
const scrollTo = async (page: Page, top: number): Promise<void> => {
  await list(page).evaluate((element, to) => element.scrollTo({ top: to, behavior: 'instant' }), top);
  await frames(page);
};
/** Numbers of the questions that are in sight. */
const inSight = (page: Page): Promise<number[]> =>
  page.evaluate(() => {
    const frame = document.querySelector('.mg-list')!.getBoundingClientRect();
    return [...document.querySelectorAll('[data-role=user]')]
      .filter((article) => article.getBoundingClientRect().bottom > frame.top && article.getBoundingClientRect().top < frame.bottom)
      .map((article) => Number(/\d+/.exec(article.textContent ?? '')?.[0]));
  });

describe('a chat of 5,000 messages', () => {
  it('opens at its end, with only a few of them in the document', () =>
    on('giant', async (page) => {
      await question(page, COUNT / 2).waitFor();
      await frames(page);
      expect(await fromEnd(page)).toBeLessThanOrEqual(1);
      await expect.poll(() => page.getByRole('article').count()).toBeLessThan(40);
      await expect.poll(() => page.getByRole('article').last().getAttribute('aria-posinset')).toBe(String(COUNT));
      await expect.poll(() => page.getByRole('feed').locator('article[aria-setsize="5000"]').count()).toBeGreaterThan(1);
    }));

  it('stays at its end, without room below it, when the panel gets wider and its messages lower', () =>
    on('giant', async (page) => {
      await page.evaluate(() => {
        const { controller } = window.page;
        controller.set({ messages: controller.view().messages.slice(-40) });
      });
      await expect.poll(() => page.getByRole('article').last().getAttribute('aria-setsize')).toBe('40');
      await frames(page);
      for (const width of [470, 560]) {
        await page.setViewportSize({ width, height: 720 });
        await expect.poll(() => list(page).evaluate((element) => element.clientWidth)).toBe(width);
        await frames(page);
        await frames(page);
        const room = await page.locator('.mg-list__room').evaluate((element) => element.getBoundingClientRect().height);
        expect([width, room, await fromEnd(page)]).toEqual([width, 0, 0]);
      }
    }));

  it('shows messages wherever it is scrolled to, in their order, and is never empty', () =>
    on('giant', async (page) => {
      const height = await list(page).evaluate((element) => element.scrollHeight);
      for (const part of [0.5, 0.1, 0.9, 0, 0.35]) {
        await scrollTo(page, height * part);
        const places = await page.getByRole('article').evaluateAll((all) => all.map((each) => Number(each.getAttribute('aria-posinset'))));
        expect(places).toEqual([...places].sort((one, other) => one - other));
        const filled = await page.evaluate(() => {
          const { left, top, bottom } = document.querySelector('.mg-list')!.getBoundingClientRect();
          return [top + 30, (top + bottom) / 2, bottom - 30].map(
            (y) => document.elementFromPoint(left + 40, y)?.closest('[data-node]') !== null,
          );
        });
        expect([part, filled]).toEqual([part, [true, true, true]]);
      }
      await scrollTo(page, 0);
      expect((await inSight(page))[0]).toBe(1);
    }));

  it('moves by as much as it is scrolled while older messages are measured', () =>
    on('giant', async (page) => {
      await scrollTo(page, (await list(page).evaluate((element) => element.scrollHeight)) / 2);
      let measured = 0;
      for (let step = 0; step < 25; step += 1) {
        // An answer may fill the whole of it.
        const [first] = await inSight(page);
        const before = first === undefined ? 0 : await topOf(page, first);
        await list(page).evaluate((element) => element.scrollBy({ top: -90, behavior: 'instant' }));
        await frames(page);
        if (first === undefined) continue;
        measured += 1;
        expect(Math.abs((await topOf(page, first)) - before - 90)).toBeLessThan(2);
      }
      expect(measured).toBeGreaterThan(10);
    }));

  it('stays in place when older messages come in above, and when one above grows', () =>
    on('giant', async (page) => {
      await scrollTo(page, 200_000);
      const [n] = await inSight(page);
      const before = await topOf(page, n!);
      await page.evaluate(() => {
        const { controller } = window.page;
        const older = controller
          .view()
          .messages.slice(0, 30)
          .map((message) => ({ ...message, nodeId: `older-${message.nodeId}` }));
        controller.set({ messages: [...older, ...controller.view().messages] });
      });
      await frames(page);
      expect(Math.abs((await topOf(page, n!)) - before)).toBeLessThan(2);
      await page.evaluate(() => {
        const grown = document.createElement('div');
        grown.style.height = '300px';
        document.querySelector('[data-node]')!.append(grown);
      });
      await frames(page);
      expect(Math.abs((await topOf(page, n!)) - before)).toBeLessThan(2);
    }));

  it('goes with an answer only for a reader at the end', () =>
    on('giant', async (page) => {
      const grow = async (): Promise<void> => {
        const height = () => list(page).evaluate((element) => element.scrollHeight);
        const before = await height();
        await page.evaluate(() => window.page.controller.stream(`\n\n${'More of the answer. '.repeat(60)}`));
        await expect.poll(height).toBeGreaterThan(before);
        await frames(page);
      };
      await page.evaluate(() => window.page.controller.setLast({ status: 'streaming' }));
      await grow();
      expect(await fromEnd(page)).toBeLessThanOrEqual(1);
      await list(page).hover();
      await page.mouse.wheel(0, -500);
      await button(page, 'Jump to the end').waitFor();
      const top = await list(page).evaluate((element) => element.scrollTop);
      await grow();
      await expect.poll(() => list(page).evaluate((element) => element.scrollTop)).toBe(top);
      await button(page, 'Jump to the end').click();
      await grow();
      expect(await fromEnd(page)).toBeLessThanOrEqual(1);
      await scrollTo(page, 1000);
      await page.evaluate(() => window.page.controller.send('One more'));
      await page.getByText('One more', { exact: true }).waitFor();
      await frames(page);
      expect(await fromEnd(page)).toBeLessThanOrEqual(1);
    }));

  it('is walked by keyboard, message by message, and keeps the focus in the document', () =>
    on('giant', async (page) => {
      await frames(page);
      const focused = (): Promise<string | null> => page.evaluate(() => document.activeElement?.getAttribute('aria-posinset') ?? null);
      await page.getByRole('button', { name: 'Copy', exact: true }).last().focus();
      for (let step = 1; step <= 12; step += 1) {
        await page.keyboard.press('Alt+ArrowUp');
        await expect.poll(focused).toBe(String(COUNT - step));
        expect(await page.evaluate(() => document.activeElement!.getBoundingClientRect().bottom)).toBeGreaterThan(0);
      }
      await page.keyboard.press('Alt+ArrowDown');
      await expect.poll(focused).toBe(String(COUNT - 11));
      await scrollTo(page, 0);
      expect(await focused()).toBe(String(COUNT - 11));
      expect((await inSight(page))[0]).toBe(1);
    }));

  it('keeps the message in sight that keys reach faster than the browser draws', () =>
    on('giant', async (page) => {
      await frames(page);
      await page.getByRole('button', { name: 'Copy', exact: true }).last().focus();
      const reached = await page.evaluate(async (steps) => {
        for (let step = 0; step < steps; step += 1) {
          const from = document.activeElement;
          from?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', altKey: true, bubbles: true, cancelable: true }));
          for (let turn = 0; turn < 1000 && document.activeElement === from; turn += 1) await Promise.resolve();
        }
        return document.activeElement?.getAttribute('aria-posinset');
      }, 40);
      expect(reached).toBe(String(COUNT - 40));
      await frames(page);
      const top = await page.evaluate(() => document.activeElement?.getBoundingClientRect().top ?? Number.NaN);
      const list = await page.evaluate(() => document.querySelector('.mg-list')?.getBoundingClientRect().top ?? Number.NaN);
      expect(Math.abs(top - list)).toBeLessThan(12);
    }));

  it('remembers which cards were open', () =>
    on('giant', async (page) => {
      await frames(page);
      await page
        .getByRole('button', { name: /^Read 1 note/ })
        .last()
        .click();
      expect(await page.locator('[data-tool]:visible').count()).toBeGreaterThan(0);
      await scrollTo(page, 0);
      await button(page, 'Jump to the end').click();
      await frames(page);
      expect(await page.locator('[data-tool]:visible').count()).toBeGreaterThan(0);
    }));
});

describe('what is selected in a message', () => {
  const select = (page: Page, from: string, to: string): Promise<void> =>
    page.evaluate(
      ([start, end]) => {
        const find = (text: string): Text => {
          const walker = document.createTreeWalker(document.querySelector('.mg-list')!, NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node; node = walker.nextNode())
            if (node instanceof Text && node.data.includes(text)) return node;
          throw new Error(`no ${text}`);
        };
        const [first, last] = [find(start!), find(end!)];
        document.getSelection()!.setBaseAndExtent(first, first.data.indexOf(start!), last, last.data.indexOf(end!) + end!.length);
      },
      [from, to],
    );
  const quote = (page: Page) => page.getByRole('button', { name: 'Quote', exact: true });
  /** Selects until `then` succeeds: a page that has just opened may draw a message once more, which takes the selection away. */
  const selectUntil = (page: Page, [from, to]: readonly [string, string], then: () => Promise<void>): Promise<void> =>
    expect
      .poll(async () => {
        await select(page, from, to);
        return then().then(
          () => true,
          () => false,
        );
      })
      .toBe(true);

  it('goes into the composer as a quotation, after what is typed', () =>
    on('finished', async (page) => {
      const composer = page.getByRole('textbox', { name: 'Message' });
      await composer.fill('About this:');
      await selectUntil(page, ['dark roofs', 'is missing'], () => quote(page).click({ timeout: 1500 }));
      await expect
        .poll(() => composer.inputValue())
        .toBe("About this:\n\n> - dark roofs and asphalt store the day's heat\n> - few trees: evapotranspiration is missing\n\n");
      await expect.poll(() => composer.evaluate((field) => field === document.activeElement)).toBe(true);
    }));

  it('keeps the rows of a table and leaves out what is no text', () =>
    on('finished', async (page) => {
      await selectUntil(page, ['Street trees', 'LIMIT 20;'], () => quote(page).click({ timeout: 1500 }));
      const quoted = await page.getByRole('textbox', { name: 'Message' }).inputValue();
      expect(quoted).toContain('> Cool roofs | −7 °C | middle\n');
      expect(quoted).toContain("> SELECT * FROM blocks WHERE content LIKE '%heat%' LIMIT 20;");
      expect(quoted).not.toContain('> sql');
    }));

  it('is copied with its formulas as their source, and else as the browser does', () =>
    on('finished', async (page) => {
      const copied = (): Promise<string> =>
        page.evaluate(() => {
          const clipboardData = new DataTransfer();
          const goesOn = document.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
          return goesOn ? 'as the browser does' : clipboardData.getData('text/plain');
        });
      const copiedOf = async (from: string, to: string): Promise<string> => {
        await select(page, from, to);
        return copied();
      };
      expect(await copiedOf('dark roofs', 'heat')).toBe('as the browser does');
      await page.evaluate(() => {
        const formula = document.createElement('span');
        Object.assign(formula, { className: 'mg-math', innerHTML: '<span>E</span><span>mc</span><span>two</span>' });
        formula.dataset.tex = 'E=mc^2';
        document.querySelector('.mg-list .mg-md li')!.prepend('A formula, ', formula, ' and its end. ');
      });
      expect(await copiedOf('A formula', 'its end')).toBe('A formula, $E=mc^2$ and its end');
      expect(await copiedOf('mc', 'two')).toBe('$E=mc^2$');
    }));

  it('outside of messages has no button, and none is left when nothing is selected', () =>
    on('finished', async (page) => {
      await selectUntil(page, ['dark roofs', 'heat'], () => quote(page).waitFor({ timeout: 1500 }));
      await page.evaluate(() => document.getSelection()!.removeAllRanges());
      await quote(page).waitFor({ state: 'detached' });
    }));
});

describe('an empty chat', () => {
  const heading = async (page: Page): Promise<[number, number]> => [
    await list(page).evaluate((element) => Math.round(element.scrollTop)),
    Math.round((await page.getByRole('heading', { name: 'Ask your notebooks' }).boundingBox())!.y - (await list(page).boundingBox())!.y),
  ];
  const atTop = async (page: Page): Promise<boolean> => {
    const [scrolled, below] = await heading(page);
    return scrolled === 0 && below > 0;
  };

  it('begins at its top in a low panel, however the panel and the chat before it stood', () =>
    on(
      'empty',
      async (page) => {
        await expect.poll(() => atTop(page)).toBe(true);
        await frames(page);
        await page.setViewportSize({ width: 380, height: 240 });
        await frames(page);
        await expect.poll(() => atTop(page)).toBe(true);
        await page.evaluate(() => window.page.controller.send('One'));
        await page.getByText('One', { exact: true }).waitFor();
        await page.evaluate(() => window.page.controller.newChat());
        await expect.poll(() => atTop(page)).toBe(true);
      },
      { height: 270 },
    ));

  it('begins at its top after a chat that was read in its middle, and leaves no room below', () =>
    on('long', async (page) => {
      await scrollTo(page, 4000);
      await page.evaluate(() => window.page.controller.newChat());
      await page.getByRole('heading', { name: 'Ask your notebooks' }).waitFor();
      await frames(page);
      await frames(page);
      expect(await atTop(page)).toBe(true);
      expect(await page.locator('.mg-list__room').evaluate((room) => room.getBoundingClientRect().height)).toBe(0);
    }));

  it('stays where it is scrolled to until another one is begun', () =>
    on(
      'empty',
      async (page) => {
        await scrollTo(page, 40);
        await page.evaluate(() => window.page.controller.set({ contexts: [] }));
        await frames(page);
        expect((await heading(page))[0]).toBe(40);
        await page.evaluate(() => window.page.controller.newChat());
        await expect.poll(() => atTop(page)).toBe(true);
      },
      { height: 240 },
    ));
});
