import { describe, expect, it } from 'vitest';
import { button, calls, card, message, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();

describe('handles for people and tests', () => {
  it('are there in English, each name once', () =>
    on('approval', async (page) => {
      await expect.poll(() => page.getByRole('region', { name: 'Marginalia' }).count()).toBe(1);
      await expect.poll(() => message(page).count()).toBe(1);
      for (const name of ['Stop', 'New chat', 'Chats', 'Settings', 'Tools', 'Approve', 'Reject…', 'Allow for this chat']) {
        await expect.poll(async () => [name, await page.getByRole('button', { name }).count()]).toEqual([name, 1]);
      }
      await expect
        .poll(() => page.getByRole('article').evaluateAll((articles) => articles.map((article) => article.getAttribute('data-role'))))
        .toEqual(['user', 'assistant']);
      await expect
        .poll(() =>
          page
            .locator('[data-tool]')
            .evaluateAll((tools) => tools.map((tool) => [tool.getAttribute('data-tool'), tool.getAttribute('data-status')])),
        )
        .toEqual([
          ['search_notes', 'success'],
          ['read_doc', 'success'],
          ['edit_block', 'waiting'],
        ]);
      await expect.poll(() => card(page).locator('[data-diff]').count()).toBe(1);
    }));

  it('are there in a finished answer', () =>
    on('finished', async (page) => {
      await expect
        .poll(() => page.getByRole('link', { name: 'Street trees' }).getAttribute('data-block-id'))
        .toBe('20260412093011-abc1234');
      await expect.poll(() => page.locator('[data-block-id]').count()).toBe(1);
      await expect.poll(() => button(page, 'Undo').count()).toBe(1);
      await expect.poll(() => page.getByRole('button', { name: 'Send' }).count()).toBe(1);
    }));

  it('change their visible text and their name together', () =>
    on(
      'zh-approval',
      async (page) => {
        await expect.poll(() => page.getByRole('region', { name: '旁批' }).count()).toBe(1);
        await expect.poll(() => page.getByRole('textbox', { name: '消息' }).count()).toBe(1);
        for (const name of ['停止', '新对话', '对话列表', '设置', '工具', '批准', '拒绝…', '本次对话都允许'])
          await expect.poll(async () => [name, await button(page, name).count()]).toEqual([name, 1]);
        await expect.poll(() => page.getByRole('group', { name: '批准' }).count()).toBe(1);
      },
      { language: 'zh_CN' },
    ));
});

describe('the panel', () => {
  it('shows a failure of what was asked, with the next step', () =>
    on('empty', async (page) => {
      await page.evaluate(() => {
        window.page.controller.failure = new Error('the disk is full');
      });
      await message(page).fill('x');
      await message(page).press('Enter');
      await page.getByRole('alert').getByText('The disk is full.').waitFor();
    }));

  it.each([
    ['kernel_unreachable', 'SiYuan is not responding.', 'the next thing that works'],
    ['no_microphone', 'The microphone cannot be used.', 'another chat'],
  ] as const)('takes the notice of %s away once it is over', (code, said, by) =>
    on('finished', async (page) => {
      const ask = async (): Promise<void> => {
        await message(page).fill('x');
        await message(page).press('Enter');
      };
      await page.evaluate((failed) => {
        window.page.controller.failure = { code: failed, message: 'it failed', next: 'try again' };
      }, code);
      await ask();
      const notice = page.locator('.mg-notice');
      await notice.getByText(said).waitFor();
      if (by === 'another chat') await page.evaluate(() => window.page.controller.set({ sessionId: 'another' }));
      else await ask();
      await notice.waitFor({ state: 'detached' });
    }),
  );

  it('opens the list of models over the composer from an error that another model helps with', () =>
    on('error', async (page) => {
      const failed = { code: 'model_not_found', message: 'm', next: 'n' } as const;
      await page.evaluate((error) => window.page.controller.setLast({ error }), failed);
      await page.locator('.mg-state').getByRole('button', { name: 'Choose a model' }).click();
      const search = page.getByRole('dialog', { name: 'Model' }).getByRole('combobox', { name: 'Search models' });
      await search.waitFor();
      await expect.poll(() => search.evaluate((field) => field === document.activeElement)).toBe(true);
      await search.press('Escape');
      await search.waitFor({ state: 'detached' });
    }));

  it('keeps its buttons when the dock is narrow, and stays inside', () =>
    on(
      'finished',
      async (page) => {
        await button(page, 'More').click();
        await page.getByRole('menu').waitFor();
        await button(page, 'Settings').click();
        await page.getByRole('group', { name: 'Settings' }).waitFor();
        await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(230);
      },
      { width: 230 },
    ));

  it('stays where it is, whatever is brought into view on a page', () =>
    on('empty', async (page) => {
      await button(page, 'Settings').click();
      const last = page.getByRole('button', { name: 'Attributes in notes' });
      await last.evaluate((element) => element.scrollIntoView({ block: 'start' }));
      const scrolled = (by: number) =>
        page.locator('.mg-panel').evaluate((panel, top) => {
          panel.scrollBy({ top, behavior: 'instant' });
          return panel.scrollTop;
        }, by);
      expect([await scrolled(0), await scrolled(100)]).toEqual([0, 0]);
    }));

  it('renames the chat by its title', () =>
    on('finished', async (page) => {
      await page.getByRole('heading', { name: 'Urban heat and the kickoff' }).click();
      await page.getByRole('textbox', { name: 'Title' }).fill('Heat');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Heat', exact: true }).waitFor();
      expect(await calls(page)).toEqual([['library.rename', 'session-1', 'Heat']]);
    }));

  it('says that a chat was changed elsewhere', () =>
    on('finished', async (page) => {
      await page.evaluate(() => {
        const { messages } = window.page.controller.view();
        window.page.controller.set({ messages: [...messages, { ...messages[0]!, nodeId: 'from-the-phone' }] });
      });
      await page.getByRole('status').getByText('This chat was changed on another device or in another window.').waitFor();
    }));

  it('says what stands in for a model', () =>
    on(
      'demo',
      async (page) => {
        const words = page.getByText('Offline demo: no language model');
        await expect.poll(() => words.isVisible()).toBe(true);
        // In full, and still on one line.
        await expect.poll(() => words.evaluate((text) => text.scrollWidth <= text.clientWidth)).toBe(true);
        await expect.poll(() => page.locator('.mg-status').evaluate((line) => line.clientHeight)).toBeLessThan(30);
      },
      { width: 320 },
    ));

  it('gives a finger room: every button, field and switch is 32 px high and wide', () =>
    on(
      'finished',
      async (page) => {
        await page.evaluate(() => {
          document.head.insertAdjacentHTML('beforeend', '<meta name="viewport" content="width=device-width">');
        });
        const small = () =>
          page.locator('.mg-panel').evaluate((panel) =>
            [...panel.querySelectorAll('button, select, summary, textarea, input')]
              .map((each) => (each.matches('label input[type="checkbox"]') ? each.closest('label')! : each))
              .filter((each) => !each.matches('.mg-hidden'))
              .map((each) => ({ box: each.getBoundingClientRect(), html: each.outerHTML.slice(0, 80) }))
              .filter(({ box }) => box.width > 0 && (box.width < 32 || box.height < 32))
              .map(({ html }) => html),
          );
        await page.locator('.mg-work__line').click();
        expect(await small()).toEqual([]);
        for (const name of ['Chats', 'Tools', 'Settings']) {
          await button(page, name).click();
          await page.getByRole('group', { name, exact: true }).waitFor();
          expect(await small(), name).toEqual([]);
        }
      },
      { context: { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } } },
    ));

  it('has a key from the composer to the buttons at the top, and back', () =>
    on('finished', async (page) => {
      const focused = (): Promise<string | null | undefined> => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
      await message(page).press('F6');
      await page.keyboard.press('Tab');
      await expect.poll(focused).toBe('New chat');
      await page.keyboard.press('F6');
      await expect.poll(focused).toBe('Message');
    }));

  it('leaves nothing behind when it is taken away', () =>
    on('streaming', async (page) => {
      await page.evaluate(() => {
        window.page.panel.destroy();
        window.page.controller.stream('more');
      });
      expect(await page.locator('.dock').innerHTML()).toBe('');
    }));

  it('moves nothing for people who asked for less motion', () =>
    on(
      'running',
      async (page) =>
        await expect
          .poll(() =>
            page
              .locator('.mg-spin')
              .first()
              .evaluate((spin) => getComputedStyle(spin).animationName),
          )
          .toBe('none'),
      { context: { reducedMotion: 'reduce' } },
    ));
});
