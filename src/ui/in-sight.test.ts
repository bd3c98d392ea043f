import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { button, card, message, usePanelBrowser } from './testing/panel-browser.ts';

const on = usePanelBrowser();
const heard = (page: Page) => page.locator('.mg-panel > .mg-hidden[role="status"]').innerText();
/** What a press in its middle would reach. */
const reachable = (page: Page, name: string): Promise<boolean> =>
  button(page, name)
    .first()
    .evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });

describe('screen readers', () => {
  it('hear how the turn ended, in words for that end, and what it did not write', () =>
    on('streaming', async (page) => {
      const end = async (patch: object): Promise<string> => {
        await page.evaluate(() => window.page.controller.set({ running: true }));
        await expect.poll(() => heard(page)).toBe('');
        await page.evaluate((given) => {
          const { controller } = window.page;
          controller.setLast(given as never);
          controller.set({ running: false });
        }, patch);
        await expect.poll(() => heard(page)).not.toBe('');
        return heard(page);
      };
      expect(await end({ status: 'done' })).toBe('The answer is complete.');
      expect(await end({ status: 'stopped' })).toBe('The answer was stopped.');
      const error = { code: 'model_rate_limited', message: 'm', next: 'n' };
      expect(await end({ status: 'error', error })).toBe('The answer failed. Too many requests: the provider asks you to wait.');
      const call = {
        callId: 'c',
        tool: 'edit_block',
        args: {},
        status: 'error',
        started: 0,
        error: { code: 'stale', message: 'the block was changed', next: 'read' },
      };
      const segments = [{ kind: 'call', call }];
      expect(await end({ status: 'done', segments })).toBe('The answer is complete. 1 change was not written. The block was changed.');
    }));

  it('hear that it was undone', () =>
    on('finished', async (page) => {
      await button(page, 'Undo').click();
      await expect.poll(() => heard(page)).toBe('The change was undone.');
    }));
});

describe('Approve and Reject', () => {
  for (const scene of ['approval', 'delete-note', 'batch', 'rewrite'])
    it(`stay in sight in a low and narrow panel: ${scene}`, () =>
      on(
        scene,
        async (page) => {
          await card(page).waitFor();
          for (const name of ['Approve', 'Reject…']) await expect.poll(() => reachable(page, name), { message: name }).toBe(true);
          await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(300);
        },
        { width: 300, height: 450 },
      ));

  it('have nothing over them at double size, and the rest of the card is reached by scrolling', () =>
    on(
      'approval',
      async (page) => {
        await card(page).locator('[data-diff]').waitFor();
        for (const name of ['More below: show all', 'Approve', 'Reject…'])
          await expect.poll(() => reachable(page, name), { message: name }).toBe(true);
        const [list, box] = [await page.locator('.mg-list').boundingBox(), await card(page).boundingBox()];
        expect(box!.y).toBeGreaterThanOrEqual(list!.y);
        const upper = (name: string): Promise<boolean> =>
          button(page, name).evaluate((element) => {
            const { left, top, width } = element.getBoundingClientRect();
            return element.contains(document.elementFromPoint(left + width / 2, top + 2));
          });
        for (const name of ['Approve', 'Reject…']) expect(await upper(name), name).toBe(true);
        await card(page).evaluate((element) => element.scrollTo({ top: element.scrollHeight, behavior: 'instant' }));
        expect(await reachable(page, 'Allow for this chat')).toBe(true);
      },
      { width: 380, height: 375 },
    ));

  it('are not covered on a phone by the way to the rest of a change, which is whole', () =>
    on(
      'looks',
      async (page) => {
        const more = card(page).getByRole('button', { name: 'More below: show all' });
        await more.waitFor();
        const [inner, outer] = [await more.boundingBox(), await card(page).locator('[data-diff]').boundingBox()];
        expect(inner!.y + inner!.height).toBeLessThanOrEqual(outer!.y + outer!.height);
      },
      { width: 390, height: 640, context: { hasTouch: true } },
    ));

  it('have the radio buttons of a right beside their words on a phone', () =>
    on(
      'approvals',
      async (page) => {
        const middles = await card(page)
          .locator('.mg-grant label')
          .evaluateAll((labels) =>
            labels.map((label) =>
              [...label.children].map((child) => {
                const { top, height } = child.getBoundingClientRect();
                return top + height / 2;
              }),
            ),
          );
        expect(middles.length).toBeGreaterThan(1);
        for (const [radio = 0, words = 99] of middles) expect(Math.abs(radio - words)).toBeLessThan(3);
      },
      { width: 390, height: 640, context: { hasTouch: true } },
    ));

  it('stay above a phone’s keyboard, and go back when it closes', () =>
    on(
      'approval',
      async (page) => {
        const bottom = async (): Promise<number> => {
          const box = await page.locator('.mg-status').boundingBox();
          return box!.y + box!.height;
        };
        expect(await bottom()).toBeGreaterThan(680);
        const keyboard = (height: number) =>
          page.evaluate((shown) => {
            const view = window.visualViewport!;
            Object.defineProperty(view, 'height', { configurable: true, get: () => shown });
            view.dispatchEvent(new Event('resize'));
          }, height);
        await keyboard(420);
        await expect.poll(bottom).toBeLessThanOrEqual(420);
        for (const name of ['Approve', 'Reject…']) expect(await reachable(page, name), name).toBe(true);
        await keyboard(700);
        await expect.poll(bottom).toBeGreaterThan(680);
      },
      { width: 390, height: 700, context: { hasTouch: true } },
    ));
});

describe('in a narrow dock', () => {
  /** Of each part of a line what is seen of it: all, none or a piece. */
  const seen = (page: Page, line: string): Promise<string[]> =>
    page.locator(line).evaluateAll((lines) =>
      lines
        .filter((element) => element.clientHeight > 0)
        .flatMap((element) => {
          const box = element.getBoundingClientRect();
          return [...element.children].map((part) => {
            const { left, right, top } = part.getBoundingClientRect();
            if (top >= box.bottom - 1) return '';
            return left >= box.left - 1 && right <= box.right + 1 ? (part.textContent ?? '') : `cut: ${part.textContent}`;
          });
        }),
    );
  const narrow = (page: Page, width: number) => page.setViewportSize({ width, height: 720 });

  it('what the model may do is said in whole words, as many as have room', () =>
    on('demo', async (page) => {
      await page.evaluate(() => {
        const { controller } = window.page;
        controller.set({ notebooks: [...controller.view().notebooks, { id: 'nb-cv', name: 'CV', open: true, right: 'none' }] });
      });
      const said = (): Promise<string[]> => seen(page, '.mg-status__rights');
      await narrow(page, 420);
      await expect.poll(said).toEqual(['1 no access', ' · 2 read', ' · 1 edit']);
      await narrow(page, 300);
      await expect.poll(said).toEqual(['1 no access', '', '']);
      // One right has room in full: it says what is read.
      const before = await page.evaluate(() => window.page.controller.view().notebooks);
      await narrow(page, 380);
      await page.evaluate(() => {
        const { controller } = window.page;
        controller.set({ notebooks: controller.view().notebooks.map((notebook) => ({ ...notebook, open: true, right: 'read' })) });
      });
      const full = page.locator('.mg-status__rights--full span');
      await expect.poll(() => full.allInnerTexts()).toEqual([expect.stringMatching(/^\d notebooks: read$/)]);
      const line = await page.locator('.mg-status').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      expect(line).toBeLessThanOrEqual(0);
      await narrow(page, 320);
      await expect.poll(() => full.isVisible()).toBe(false);
      await page.evaluate((notebooks) => window.page.controller.set({ notebooks }), before);
      await page.getByTitle('2 notebooks: read · 1: read and edit · 1: no access').click();
      await page.getByRole('dialog', { name: 'What the model may read and write' }).waitFor();
      await narrow(page, 520);
      await expect.poll(said).toEqual(['2 notebooks: read', ' · 1: read and edit', ' · 1: no access']);
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(520);
    }));

  it('the names of tool groups are whole', () =>
    on(
      'empty',
      async (page) => {
        await button(page, 'Tools').click();
        const names = page.getByRole('group', { name: 'Tools', exact: true }).locator('section b');
        await names.filter({ hasText: 'Commands and scripts' }).waitFor();
        expect(
          await names.evaluateAll((all) => all.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)),
        ).toEqual([]);
      },
      { width: 300 },
    ));

  it('how a tool is used is read whole, edge under edge, at any width', () =>
    on('empty', async (page) => {
      for (const width of [300, 380, 640]) {
        await narrow(page, width);
        await page.reload();
        await button(page, 'Tools').click();
        await page.getByRole('button', { name: /^Notes/ }).click();
        const fields = await page.locator('.mg-policies select:visible').evaluateAll((all) =>
          all.map((field) => {
            const { font, paddingLeft, paddingRight } = getComputedStyle(field);
            const pen = document.createElement('canvas').getContext('2d')!;
            pen.font = font;
            const words = [...(field as HTMLSelectElement).options].map(({ text }) => pen.measureText(text).width);
            const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
            // SiYuan's fields have an arrow of their own inside.
            return { spare: room - 16 - Math.max(...words), left: Math.round(field.getBoundingClientRect().left) };
          }),
        );
        expect(fields.length, `${width}`).toBeGreaterThan(3);
        expect(Math.min(...fields.map(({ spare }) => spare)), `${width}`).toBeGreaterThanOrEqual(0);
        expect(new Set(fields.map(({ left }) => left)).size, `${width}`).toBe(width === 300 ? 1 : 2);
      }
    }));

  it('Open and Undo stand side by side, at any width', () =>
    on('finished', async (page) => {
      await page.evaluate(() => {
        const { controller } = window.page;
        const { segments = [] } = controller.view().messages.at(-1) ?? {};
        const wrote = { documentId: '20260301090000-apollo1', title: 'Apollo' };
        controller.setLast({
          segments: segments.map((segment) => (segment.kind === 'call' ? { ...segment, call: { ...segment.call, wrote } } : segment)),
        } as never);
      });
      for (const width of [440, 420, 360, 300]) {
        await narrow(page, width);
        await expect.poll(() => page.locator('.mg-undo').count()).toBe(2);
        const gap = await page.locator('.mg-undo').evaluateAll((buttons) => {
          const [open, undo] = buttons.map((button) => button.getBoundingClientRect());
          return undo!.left - open!.right;
        });
        expect([width, gap < 10 && gap > 0]).toEqual([width, true]);
      }
    }));

  it('the figures of an answer stand below its buttons or are left out, and are never cut', () =>
    on('finished', async (page) => {
      const said = (): Promise<string[]> => seen(page, '.mg-foot__facts');
      await expect.poll(said).toEqual(['3.5k tokens', ' · $0.0019', ' · 4.2 s']);
      await page.evaluate(() => window.page.controller.setLast({ position: { version: 1, versions: 2, branch: 1, branches: 1 } as never }));
      for (const width of [420, 360, 300]) {
        await narrow(page, width);
        await expect.poll(said, { message: String(width) }).toEqual(['3.5k tokens', ' · $0.0019', ' · 4.2 s']);
      }
      await page.evaluate(() => window.page.controller.setLast({ undo: undefined, position: undefined } as never));
      await narrow(page, 240);
      await expect.poll(said).toEqual(['3.5k tokens', '', '']);
    }));
});

describe('what stands over something else', () => {
  it('leaves the end of a question free: the buttons that come with the pointer have their room', () =>
    on(
      'empty',
      async (page) => {
        // One that just fills the line.
        for (const words of ['What do my notes say about spaced repetition?', 'What do my notes say of spaced repetition and of tea?']) {
          await page.evaluate(async (text) => {
            await window.page.controller.newChat();
            await window.page.controller.send(text);
            window.page.controller.stop();
          }, words);
          const question = page.getByRole('article', { name: 'You' });
          await question.hover();
          const free = await question.evaluate((article) => {
            const [text, actions] = [article.querySelector('.mg-question__text')!, article.querySelector('.mg-question__actions')!];
            const range = document.createRange();
            range.selectNodeContents(text);
            const { left, bottom } = actions.getBoundingClientRect();
            return [...range.getClientRects()].every((line) => line.right <= left || line.top >= bottom - 4);
          });
          expect([words, free]).toEqual([words, true]);
        }
      },
      { width: 360 },
    ));

  it('is a title of any length in one line of what is said, so that what happened to it is read', () =>
    on('chats', async (page) => {
      await page.evaluate(() => {
        const { library } = window.page.controller;
        library.summaries = library.summaries.map((summary) => ({ ...summary, title: `${'A'.repeat(200)}…` }));
      });
      await button(page, 'Chats').click();
      await page.locator('.mg-page li .mg-more button').first().click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      const said = page.getByRole('status').filter({ hasText: 'was deleted. What it wrote into notes stays.' });
      await said.waitFor();
      await expect.poll(async () => (await said.boundingBox())!.height).toBeLessThan(80);
    }));

  it('is not selected by a second click that falls beside other buttons', () =>
    on('finished', async (page) => {
      await page.locator('.mg-foot__facts').dblclick();
      expect(await page.evaluate(() => String(getSelection()))).toBe('');
    }));
});

describe('the panel', () => {
  it('draws one ring around a field that has the focus, not one inside of another', () =>
    on('chats', async (page) => {
      await button(page, 'Chats').click();
      const field = page.getByRole('searchbox', { name: 'Search chats' });
      await field.focus();
      const { outlineOffset, outlineStyle } = await field.evaluate((element) => {
        const { outlineOffset: offset, outlineStyle: style } = getComputedStyle(element);
        return { outlineOffset: offset, outlineStyle: style };
      });
      // The host's own ring is the first pixel inside.
      expect([outlineStyle, outlineOffset]).toEqual(['solid', '-1px']);
    }));

  it('shows its switches where colours are forced', () =>
    on('empty', async (page) => {
      await page.addStyleTag({ content: '.b3-switch { appearance: none; width: 26px; }' });
      await button(page, 'Tools').click();
      const look = () =>
        page
          .locator('.b3-switch')
          .first()
          .evaluate((box) => getComputedStyle(box).appearance);
      expect(await look()).toBe('none');
      await page.emulateMedia({ forcedColors: 'active' });
      expect(await look()).toBe('auto');
      await page.emulateMedia({ forcedColors: null });
    }));

  it('goes from the composer to the messages with the arrows, and shows no way to an end that is in sight', () =>
    on('answered', async (page) => {
      await message(page).focus();
      await page.keyboard.press('Alt+ArrowUp');
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('ARTICLE');
      await page.keyboard.press('Alt+ArrowUp');
      expect(await button(page, 'Jump to the end').count()).toBe(0);
    }));

  it('shows no way to the end of an empty chat, however low it is', () =>
    on(
      'empty',
      async (page) => {
        await page.locator('.mg-list').evaluate((list) => {
          list.scrollTop = 0;
          list.dispatchEvent(new Event('scroll'));
        });
        await page.evaluate(() => new Promise(requestAnimationFrame));
        expect(await button(page, 'Jump to the end').count()).toBe(0);
      },
      { height: 260 },
    ));

  it('lists no group that can neither work nor be set up from there', () =>
    on('empty', async (page) => {
      await page.evaluate(() => {
        const { settings } = window.page;
        const [group] = settings.tools();
        const lacking = (name: string) => ({ group: name, enabled: true, tools: [{ ...group!.tools[0]!, name, isSetUp: false }] });
        settings.tools = () => [lacking('propose_plan'), lacking('memory')];
        void settings.update({});
      });
      await button(page, 'Tools').click();
      await button(page, 'Set up Memory').waitFor();
      await expect.poll(() => page.getByText('needs setup').count()).toBe(1);
    }));

  it('counts the tools that the model has, and says which it has though their group is off', () =>
    on('empty', async (page) => {
      await page.evaluate(() => {
        const { settings } = window.page;
        const tool = (name: string, callable: boolean) => ({
          name,
          enabled: true,
          callable,
          policy: 'auto' as const,
          results: 'never' as const,
          acts: false,
          isSetUp: true,
          asked: ['never' as const],
        });
        settings.tools = () => [
          {
            group: 'vars',
            enabled: false,
            tools: [tool('ReadVar', true), tool('ListVars', true), tool('WriteVar', false), tool('RemoveVars', false)],
          },
        ];
        void settings.update({});
      });
      await button(page, 'Tools').click();
      await page.getByRole('button', { name: 'Variables off' }).waitFor();
      await page.getByText('Always on while any other tool is on: Read variable, List variables').waitFor();
    }));
});
