// How it looks where room or language is different: a dock of 320 px, Chinese, a phone.
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { awayOnPhone, chooseSlash, openOnPhone, runCommand } from '../support/hosts.ts';
import { overlaps } from '../support/overlaps.ts';
import { drive, setDock } from '../support/panel.ts';
import { summaryIntoToday } from '../support/scripts.ts';

const WIDE = [
  '| Scheduler | State per card | Fitted to my reviews | After a lapse |',
  '| --- | --- | --- | --- |',
  '| SM-2 (1987) | interval, ease | no | starts again at 1 day |',
  '',
  '```python',
  'def next_interval(stability: float, retention: float = 0.90, maximum: int = 36500) -> float: ...',
  '```',
  '',
  'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen https://example.com/an/address/without/any/place/to/break/it/index.html',
].join('\n');

/** What sticks out of the panel to a side, apart from what scrolls by itself. */
const sticksOut = (page: Page): Promise<string[]> =>
  page.locator('.mg-panel').evaluate((panel) => {
    const frame = panel.getBoundingClientRect();
    return [...panel.querySelectorAll('*')]
      .filter((element) => {
        const box = element.getBoundingClientRect();
        return box.width > 0 && (box.right > frame.right + 1 || box.left < frame.left - 1);
      })
      .filter((element) => !element.closest('pre, .mg-table, .mg-rendered__table, .mg-hidden, .mg-symbols'))
      .map((element) => element.outerHTML.slice(0, 120));
  });

describe.skipIf(!chromiumPath)('the look', () => {
  let app: TestApp | undefined;
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });
  afterAll(() => app?.close());

  it('nothing sticks out of a dock of 320 px, and the bar keeps its buttons', async () => {
    app = await startApp();
    const { page } = app;
    const panel = drive(page);
    await panel.open();
    await setDock(page, 320);
    for (const name of ['New chat', 'Chats', 'Tools', 'Settings', 'More'])
      await panel.region.getByRole('button', { name, exact: true }).waitFor();
    await expect.poll(() => sticksOut(page)).toEqual([]);
    app.model.push(...summaryIntoToday('spaced repetition', WIDE).slice(0, 3), { text: WIDE });
    await panel.send('What do I know? Write it into today');
    await panel.approval.waitFor();
    await expect.poll(() => sticksOut(page)).toEqual([]);
    await panel.approval.getByText('The model may only read').waitFor();
    await panel.approve();
    await panel.settled();
    await panel.region.locator('[aria-controls]').first().click();
    await panel.tool('read_doc').getByText('Spaced repetition').waitFor();
    await expect.poll(() => sticksOut(page)).toEqual([]);
    // What a call wrote is on its card, as the approval showed it.
    await panel.tool('daily_note').getByRole('button').first().click();
    await panel.tool('daily_note').getByRole('group', { name: 'Changes' }).getByText('Add table').waitFor();
    await expect.poll(() => sticksOut(page)).toEqual([]);
    // Words of a table stay whole, in the answer and in the change: it scrolls instead.
    const lines = () =>
      panel.answer.locator('th, td').evaluateAll((cells) =>
        cells
          .filter((cell) => !/\s/.test(cell.textContent?.trim() ?? ''))
          .map((cell) => {
            const range = document.createRange();
            range.selectNodeContents(cell);
            return new Set([...range.getClientRects()].map((each) => Math.round(each.bottom))).size;
          }),
      );
    await expect.poll(async () => [...new Set(await lines())]).toEqual([1]);
    for (const name of ['Chats', 'Tools', 'Settings']) {
      await panel.region.getByRole('button', { name, exact: true }).click();
      await panel.region.getByRole('group', { name }).waitFor();
      await expect.poll(() => sticksOut(page), { message: name }).toEqual([]);
    }
    await app.page.keyboard.press('Escape');
    await panel.message.press('ControlOrMeta+f');
    await panel.region.getByRole('textbox', { name: 'Find in this chat' }).fill('interval');
    await panel.region
      .getByRole('search')
      .getByText(/^\d+ of \d+$/)
      .waitFor();
    await expect.poll(() => sticksOut(page), { message: 'find' }).toEqual([]);
    await app.page.keyboard.press('Escape');
    await panel.answer.getByRole('button', { name: 'More actions for this message' }).click();
    await panel.region.getByRole('menuitem', { name: 'Append to another note…' }).click();
    const notes = panel.region.getByRole('group', { name: 'Append to a note' });
    await notes.getByRole('searchbox').fill('spaced');
    await notes.getByRole('listitem').filter({ hasText: 'Spaced repetition' }).first().waitFor();
    await expect.poll(() => sticksOut(page), { message: 'append' }).toEqual([]);
  });

  it('what is opened hangs at its button, under no tooltip and no word of the panel', async () => {
    app = await startApp();
    const { page } = app;
    const panel = drive(page);
    await panel.open();
    await setDock(page, 320);
    app.model.push({ text: 'It works best with growing gaps.' });
    await panel.send('How does spacing work?');
    await panel.settled();
    const free = (message: string) => expect.poll(() => overlaps(page), { message }).toEqual([]);
    const button = (name: string | RegExp) => panel.region.getByRole('button', { name, exact: true });
    const tooltip = page.locator('#tooltip:visible');
    /** With the pointer, which waits until the host shows the name of what it is on, and moves on it afterwards. */
    const press = async (opener: Locator, named = true): Promise<void> => {
      await opener.hover();
      if (named) await tooltip.waitFor();
      await opener.click();
      const box = (await opener.boundingBox())!;
      await page.mouse.move(box.x + 3, box.y + 3);
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    };
    const more = [button('More').first(), panel.answer.getByRole('button', { name: 'More actions for this message' })];
    for (const opener of more) {
      await press(opener);
      await panel.region.getByRole('menu').waitFor();
      await free('a menu');
      await page.keyboard.press('Escape');
      await panel.region.getByRole('menu').waitFor({ state: 'detached' });
      await page.mouse.move(0, 0);
    }
    await press(button('Copy').last());
    await panel.region.getByText('Copied', { exact: true }).waitFor();
    await free('a word of the panel');
    for (const opener of [panel.region.locator('.mg-status__may'), panel.region.locator('.mg-status__model')]) {
      await press(opener, false);
      await panel.region.getByRole('dialog').waitFor();
      await free('over the composer');
      await page.keyboard.press('Escape');
      await panel.region.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await panel.message.pressSequentially('@');
    await panel.region.getByRole('option').first().waitFor();
    await free('the list of notes');
    await panel.message.fill('');
    for (const name of ['Chats', 'Tools', 'Settings']) {
      await press(button(name));
      await panel.region.getByRole('group', { name }).waitFor();
      await expect.poll(() => tooltip.isVisible(), { message: name }).toBe(false);
      await free(name);
      await page.mouse.move(0, 0);
    }
    await button('Chats').click();
    await press(panel.region.getByRole('button', { name: /^More actions for How does/ }));
    await panel.region.getByRole('menuitem', { name: 'Delete' }).waitFor();
    await free('the menu of a chat');
    await panel.region.getByRole('menuitem', { name: 'Delete' }).click();
    await panel.region.getByRole('button', { name: 'Undo', exact: true }).waitFor();
    await free('a word over a page');
  });

  it('suggests questions about topics of the notes, never about a day', async () => {
    app = await startApp();
    const panel = drive(app.page);
    await panel.open();
    const suggestions = panel.region.locator('.mg-empty li');
    await expect
      .poll(() => suggestions.allInnerTexts())
      .toEqual([/^What do my notes say about/, /^Summarize/, /^Write a summary of/].map((each) => expect.stringMatching(each)));
    const texts = await suggestions.allInnerTexts();
    for (const text of texts) expect(text).not.toMatch(/\d{4}|daily|日记》|周报|纪要|notes\b.*\bnotes/i);
  });

  it('speaks Chinese in every handle', async () => {
    app = await startApp({ language: 'zh-CN' });
    const dock = app.page.locator('.dock__item[data-type="siyuan-marginaliapanel"]');
    await dock.waitFor();
    await expect.poll(() => dock.getAttribute('aria-label')).toContain('旁批');
    await dock.click();
    const region = app.page.getByRole('region', { name: '旁批' });
    const message = region.getByRole('textbox', { name: '消息' });
    await message.waitFor();
    app.model.push(...summaryIntoToday('间隔重复', '## 间隔重复\n\n- 间隔越来越长。').slice(0, 3), { text: '写好了。' });
    await message.fill('总结间隔重复，写进今天的日记');
    await region.getByRole('button', { name: '发送' }).click();
    const approval = region.getByRole('group', { name: '批准' });
    await approval.getByText('模型只能读取').waitFor();
    const latin = () =>
      region.evaluate((panel) =>
        [...panel.querySelectorAll('[aria-label], [placeholder]')]
          .flatMap((element) => [element.getAttribute('aria-label'), element.getAttribute('placeholder')])
          .filter((name) => name !== null && !/\p{Script=Han}/u.test(name)),
      );
    await expect.poll(latin).toEqual([]);
    await approval.getByRole('radio', { name: /^以后都允许/ }).check();
    await approval.getByRole('button', { name: '批准', exact: true }).click();
    await region.getByText('写好了。').waitFor();
    await region.getByRole('button', { name: '撤销' }).waitFor();
    for (const name of ['对话列表', '工具', '设置']) {
      await region.getByRole('button', { name, exact: true }).click();
      const page = region.getByRole('group', { name });
      await page.waitFor();
      // The address of the model, its name and its provider's are the user's.
      const ours = async () => (await latin()).filter((text) => !/^https:|gpt|^127\.0\.0\.1:\d+$/.test(text ?? ''));
      await expect.poll(ours, { message: name }).toEqual([]);
    }
    await app.page.keyboard.press('Escape');
    await message.press('ControlOrMeta+f');
    await region.getByRole('search', { name: '在本对话里查找' }).waitFor();
    await expect.poll(latin).toEqual([]);
  });

  it('speaks Traditional Chinese, of which there is nothing but a file of texts', async () => {
    app = await startApp({ language: 'zh-TW' });
    await app.page.locator('.dock__item[data-type="siyuan-marginaliapanel"]').click();
    const region = app.page.getByRole('region', { name: '旁批' });
    await region.getByRole('textbox', { name: '訊息' }).waitFor();
    for (const name of ['新對話', '對話列表', '工具', '設定']) await region.getByRole('button', { name, exact: true }).first().waitFor();
    await region.getByRole('button', { name: '設定', exact: true }).click();
    const page = region.getByRole('group', { name: '設定' });
    await page.getByRole('heading', { name: '筆記本權限' }).waitFor();
    await page.getByRole('searchbox', { name: '搜尋設定' }).fill('權限');
    await page.getByRole('heading', { name: '筆記本權限' }).waitFor();
  });

  it('on a phone it is opened from the menu, and a citation leads to the note', async () => {
    app = await startApp({ viewport: { width: 390, height: 844 } });
    const { page } = app;
    const panel = drive(page);
    await page.goto(app.address({ mobile: true }));
    await openOnPhone(page);
    await panel.message.waitFor();
    app.model.push(...summaryIntoToday('spaced repetition', '- It works best with growing gaps.'));
    await panel.send('What do I know about spaced repetition?');
    await panel.approval.waitFor();
    await expect.poll(() => sticksOut(page)).toEqual([]);
    await panel.approve();
    await panel.settled();
    await panel.answer.locator('[data-block-id]').first().click();
    await page.locator('.protyle-wysiwyg:visible [data-node-id]').first().waitFor();
    await awayOnPhone(panel.region);
  });

  it('on a phone a slash command says that its block is in the chat, since only a finger opens a dock there', async () => {
    app = await startApp({ viewport: { width: 390, height: 844 } });
    const { page } = app;
    const panel = drive(page);
    await page.goto(app.address({ note: '20261103200000-lisbon0', mobile: true }));
    await page.locator('.protyle-wysiwyg:visible [data-type="NodeParagraph"]').first().click();
    await page.keyboard.press('End');
    await chooseSlash(page, 'ask', 'Ask about this block');
    await page.getByText('It has been added to the chat').waitFor();
    await openOnPhone(page);
    await panel.region.getByRole('button', { name: /^Remove/ }).waitFor();
  });

  it('on a phone the command for the panel says where it is opened, and not that something is in it', async () => {
    app = await startApp({ viewport: { width: 390, height: 844 } });
    const { page } = app;
    await page.goto(app.address({ mobile: true }));
    await runCommand(page, 'Open the panel');
    await page.getByText('Open Marginalia from the menu.', { exact: true }).waitFor();
  });
});
