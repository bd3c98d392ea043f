import { describe, expect, it } from 'vitest';
import { button, hostCalls, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();

describe('answers', () => {
  it('keep the first column of a wide table in sight, and wrap code where that is wanted', () =>
    on(
      'finished',
      async (page) => {
        const cells = Array.from({ length: 9 }, (_, index) => `Column ${index}`).join(' | ');
        await page.evaluate((head) => {
          const table = `| ${head} |\n|${' --- |'.repeat(9)}\n| ${head} |\n| ${head} |`;
          const text = `${table}\n\n\`\`\`js\nconst line = "${'long '.repeat(60)}";\n\`\`\``;
          window.page.controller.setLast({ segments: [{ kind: 'text', text }] });
        }, cells);
        const table = page.locator('.mg-md').getByRole('group', { name: 'table' });
        await table.getByText('Column 8').first().waitFor();
        await expect.poll(() => table.evaluate((frame) => frame.scrollWidth > frame.clientWidth)).toBe(true);
        await table.evaluate((frame) => frame.scrollTo({ left: 400 }));
        const [frame, first] = [await table.boundingBox(), await table.locator('td').first().boundingBox()];
        expect(Math.abs(first!.x - frame!.x)).toBeLessThanOrEqual(1);
        // A stripe would end where the first column begins, whose ground hides what is scrolled behind it.
        const grounds = await table
          .locator('td:not(:first-child)')
          .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).backgroundColor));
        expect([...new Set(grounds)]).toEqual(['rgba(0, 0, 0, 0)']);
        const listing = page.locator('.mg-code pre');
        const hangsOut = () => listing.evaluate((pre) => pre.scrollWidth > pre.clientWidth);
        expect(await hangsOut()).toBe(true);
        await button(page, 'Wrap lines').click();
        await expect.poll(hangsOut).toBe(false);
      },
      { width: 320 },
    ));

  it('are copied as Markdown and as rich text', () =>
    on('finished', async (page) => {
      await button(page, 'Copy').last().click();
      await button(page, 'More actions for this message').last().click();
      await page.getByRole('menuitem', { name: 'Copy as rich text' }).click();
      const [markdown, rich] = (await hostCalls(page)).filter(([name]) => name === 'writeClipboard');
      expect(markdown![1]).toContain('| Street trees | −12 °C | low |');
      expect(markdown![2]).toBeUndefined();
      expect(rich![1]).toBe(markdown![1]);
      expect(rich![2]).toContain('<td align="right">−12 °C</td>');
      expect(rich![2]).not.toMatch(/<script|onerror|tiles\.example\/heat\.png" alt/);
    }));
});

describe('an answer whose first text leaves a fence open', () => {
  it('is copied as it is read: what follows is no code', () =>
    on('finished', async (page) => {
      await page.evaluate(() => {
        const text = (words: string) => ({ kind: 'text' as const, text: words });
        const call = { callId: 'c1', tool: 'list_notebooks', args: {}, status: 'success' as const, started: 1, durationMs: 1 };
        const open = `I read:\n\n${'`'.repeat(3)}js\nlet a = 1;`;
        window.page.controller.setLast({ segments: [text(open), { kind: 'call', call }, text('# Result')] });
      });
      await button(page, 'More actions for this message').last().click();
      await page.getByRole('menuitem', { name: 'Copy as rich text' }).click();
      const rich = (await hostCalls(page)).filter(([name]) => name === 'writeClipboard').at(-1);
      expect(rich![2]).toMatch(/<h1[^>]*>Result/);
    }));
});

describe('a long question', () => {
  it('folds, and unfolds for the reader', () =>
    on('finished', async (page) => {
      await page.evaluate(() => {
        const { controller } = window.page;
        const [question, ...rest] = controller.view().messages;
        controller.set({
          messages: [{ ...question!, segments: [{ kind: 'text', text: `${'Many words. '.repeat(150)}At last` }] }, ...rest],
        });
      });
      const text = page.locator('.mg-question__text');
      const height = async () => (await text.boundingBox())!.height;
      await button(page, 'Show the whole question').waitFor();
      const low = await height();
      await button(page, 'Show the whole question').click();
      expect(await height()).toBeGreaterThan(low * 2);
      await button(page, 'Show less').click();
      expect(await height()).toBe(low);
    }));
});
