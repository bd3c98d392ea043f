import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();

/** Streams a text in pieces and counts what changes in the document outside of its last blocks. */
const redrawn = (page: Page, start: string, pieces: readonly string[], settled: string): Promise<number> =>
  page.evaluate(
    async ([first, rest, selector]) => {
      const { controller } = window.page;
      const wait = (): Promise<void> =>
        new Promise((resolve) => setTimeout(() => requestAnimationFrame(() => setTimeout(resolve, 40)), 20));
      controller.setLast({ segments: [{ kind: 'text', text: first }] });
      // Drawn first: what is finished is two blocks behind the end.
      const drawn = (): number => document.querySelectorAll(selector).length;
      for (let before = 0; before < 3 || before !== drawn(); await wait()) before = drawn();
      const finished = [...document.querySelectorAll(selector)].slice(0, -2);
      let changes = 0;
      const observer = new MutationObserver((records) => {
        changes += records.length;
      });
      for (const element of finished) observer.observe(element, { subtree: true, childList: true, characterData: true, attributes: true });
      for (const piece of rest) {
        controller.stream(piece);
        await wait();
      }
      controller.setLast({ status: 'done' });
      controller.set({ running: false });
      await wait();
      observer.disconnect();
      return finished.length > 0 && finished.every((element) => element.isConnected) ? changes : Number.NaN;
    },
    [start, pieces, settled] as const,
  );

const lines = (count: number, line: (index: number) => string): string => Array.from({ length: count }, (_, index) => line(index)).join('');

describe('what is finished', () => {
  const pieces = (line: (index: number) => string): string[] => Array.from({ length: 12 }, (_, index) => line(index + 500));

  it('of an answer is not drawn again, to its end', () =>
    on('streaming', async (page) => {
      const paragraph = (index: number): string => `Paragraph ${index} of the answer, with **bold** and \`code\`.\n\n`;
      expect(await redrawn(page, lines(30, paragraph), pieces(paragraph), '.mg-md p')).toBe(0);
    }));

  it('of a long list is not drawn again', () =>
    on('streaming', async (page) => {
      const item = (index: number): string => `- item ${index} of a list that goes on for long\n`;
      expect(await redrawn(page, lines(150, item), pieces(item), '.mg-md li:nth-child(-n+60)')).toBe(0);
    }));

  it('of a long table is not drawn again', () =>
    on('streaming', async (page) => {
      const row = (index: number): string => `| row ${index} | with some text in it |\n`;
      expect(await redrawn(page, `| a | b |\n| - | - |\n${lines(150, row)}`, pieces(row), '.mg-md tbody tr:nth-child(-n+50)')).toBe(0);
    }));

  it('of a long listing is not drawn again', () =>
    on('streaming', async (page) => {
      const line = (index: number): string => `const value${index} = ${index};\n`;
      expect(await redrawn(page, `\`\`\`js\n${lines(400, line)}`, pieces(line), '.mg-code__part')).toBe(0);
    }));
});

describe('a long answer of short paragraphs', () => {
  const COUNT = 6000;
  /** Replaces the last answer; how many paragraphs each task drew, once all are there. */
  const drawnByTask = (page: Page, status: 'done' | 'streaming'): Promise<readonly number[]> =>
    page.evaluate(
      async ([text, answered, count]) => {
        const { controller } = window.page;
        const steps: number[] = [];
        const paragraphs = (): number => document.querySelectorAll('.mg-md p').length;
        const all = new Promise<void>((resolve) => {
          let before = paragraphs();
          new MutationObserver(() => {
            const now = paragraphs();
            if (now !== before) steps.push(now - before);
            before = now;
            if (now >= count) resolve();
          }).observe(document.body, { subtree: true, childList: true });
        });
        controller.setLast({ segments: [{ kind: 'text', text }], status: answered });
        if (answered === 'done') controller.set({ running: false });
        await all;
        return steps;
      },
      [lines(COUNT, (index) => `Paragraph ${index} has few words, about a roof and a tree.\n\n`), status, COUNT] as const,
    );

  it.each(['streaming', 'done'] as const)('is drawn in many tasks of few paragraphs each (%s)', (status) =>
    on('streaming', async (page) => {
      const steps = await drawnByTask(page, status);
      expect(Math.max(...steps)).toBeLessThan(2000);
    }),
  );
});
