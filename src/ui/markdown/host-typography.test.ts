import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();
const scriptOf = (path: string): string => createRequire(import.meta.url).resolve(`vditor/dist/js/${path}`);

describe('inside the typography of the host', () => {
  it('a listing has one ground, not one behind each line of its code', () =>
    on('streaming', async (page) => {
      await page.evaluate(() =>
        window.page.controller.setLast({ segments: [{ kind: 'text', text: '```js\nlet a\n```\n\n- in\n\n  ```\n  b\n  ```\n' }] }),
      );
      const listings = page.locator('.mg-md pre code');
      await expect.poll(() => listings.count()).toBe(2);
      const styles = await listings.evaluateAll((codes) =>
        codes.map((code) => {
          const { backgroundColor, padding, fontSize, fontVariantLigatures } = getComputedStyle(code);
          return [backgroundColor, padding, fontSize, fontVariantLigatures];
        }),
      );
      expect(styles).toEqual([
        ['rgba(0, 0, 0, 0)', '0px', '12px', 'none'],
        ['rgba(0, 0, 0, 0)', '0px', '12px', 'none'],
      ]);
    }));

  it('a formula of its own stands in the middle', () =>
    on('streaming', async (page) => {
      await page.addScriptTag({ path: scriptOf('katex/katex.min.js') });
      await page.addStyleTag({ path: scriptOf('katex/katex.min.css') });
      const [left, right] = await page.evaluate(() => {
        const block = document.createElement('div');
        block.className = 'mg-math-block';
        const katex = Reflect.get(window, 'katex') as { renderToString(tex: string, options: object): string };
        block.innerHTML = katex.renderToString('x+1', { displayMode: true, output: 'html' });
        document.querySelector('.mg-md')?.append(block);
        const [base] = block.getElementsByClassName('base');
        if (!base) throw new Error('no formula');
        const [outer, inner] = [block.getBoundingClientRect(), base.getBoundingClientRect()];
        // KaTeX gives each half of "x+1" a piece of its own: the first begins left of the middle, as much as the last ends right of it.
        const last = [...block.getElementsByClassName('base')].at(-1)?.getBoundingClientRect() ?? inner;
        return [inner.left - outer.left, outer.right - last.right];
      });
      expect(Math.abs((left ?? 0) - (right ?? 99))).toBeLessThan(2);
    }));
});
