import { describe, expect, it } from 'vitest';
import { testEngine } from '../testing/lute.ts';
import { parseBlocks, plainText } from './block-dom.ts';
import { hashOfContent } from './block-hash.ts';
import { partsOf } from './markdown-lines.ts';

const engine = testEngine();
const words = (dom: string): string => parseBlocks(dom).map(plainText).join('\n');
const types = (dom: string): string[] => [
  ...new Set([...dom.matchAll(/data-type="([^"]*)"/g)].map(([, type = '']) => type).filter((type) => !/^Node|^backslash$/.test(type))),
];

/** Text that people mean as it stands. */
const LITERAL = [
  'It costs $5 and $10 per month.',
  'echo $HOME and $PATH; export PATH=$HOME/bin:$PATH',
  `$\{HOME}:$\{PATH} $(pwd):$(ls)`,
  'US$5 and HK$10, $5-10, or $20-30 costs $5.5 ($10)',
  '价格$5，$10元，$5/月，10$',
  '$$ and $$ money',
  '$ x $',
  'x^2 + y^2 = z^2',
  'A claim[^1] and another[^2].',
  '[^1]: Source one, p. 5.',
  '5~10 or 6~12, H~2~O, ~x~, m^2^',
  'if a==b==c then ==d==e',
  'issues #12 and #13 and C# and F#',
  'https://a.b/~x~y/^z^?a==b==c#d#e',
];

describe('signs that people mean', () => {
  const places: readonly (readonly [string, (text: string) => string])[] = [
    ['a paragraph', (text) => text],
    ['an item', (text) => `- one\n- ${text}`],
    ['a task', (text) => `- [ ] ${text}`],
    ['a quote', (text) => `> ${text}`],
    ['a callout', (text) => `> [!tip] T\n> ${text}`],
    ['a cell', (text) => `| a | b |\n|---|---|\n| ${text} | z |`],
  ];
  it.each(LITERAL)('are text wherever they stand, and stay text when somebody types there: %s', (text) => {
    for (const [place, put] of places) {
      const dom = engine.toDom(put(text));
      expect([place, words(dom)]).toEqual([place, expect.stringContaining(text)]);
      expect([place, types(dom)]).toEqual([place, []]);
      if (place === 'a callout') continue;
      expect([place, hashOfContent(engine.typed(dom))]).toEqual([place, hashOfContent(dom)]);
    }
  });

  it.each(LITERAL)('are text in headings, links and marks: %s', (text) => {
    expect(words(engine.toDom(`# ${text}`))).toBe(text);
    const marked = engine.toDom(`**${text}**`);
    expect([words(marked), types(marked)]).toEqual([text, ['strong']]);
    const isLink = !/[[\]]/.test(text);
    if (isLink) expect(words(engine.toDom(`[${text}](https://x.y/a^b~c)`))).toBe(text);
  });

  it.each(LITERAL)('are read without the backslashes that they are stored with: %s', (text) => {
    expect(engine.toMarkdown(engine.toDom(text))).toBe(text);
  });

  it('stay what they are in code, addresses and attributes', () => {
    const dom = engine.toDom('`$5 and $6 ^a^` [x](https://x.y/a^b^c~d~e?a==b==c)\n\n```\n$5 $6 ^a^ ==b== #c#\n```\n\n$5 and $6');
    expect(dom).toContain('$5 and $6 ^a^</span>');
    expect(dom).toContain('data-href="https://x.y/a^b^c~d~e?a==b==c"');
    expect(dom).toContain('$5 $6 ^a^ ==b== #c#\n');
    expect(words(dom)).toContain('$5 and $6');
  });

  it('stay escaped where they were escaped, and are read so where they would mean something', () => {
    const dom = engine.toDom('\\$x\\$ and \\#tag\\# and \\[x\\](y)');
    expect(types(dom)).toEqual([]);
    expect(engine.toMarkdown(dom)).toBe('\\$x\\$ and \\#tag\\# and \\[x\\](y)');
  });
});

describe('formulas, marks and tags that are meant', () => {
  it.each([
    ['$x^2$ and $5$, the $n$th; ($c$) 变量$x$的值', ['inline-math']],
    ['Euler: \\(e^{i\\pi}+1=0\\) and \\( y \\)', ['inline-math']],
    ['so $$x^2$$ it', ['inline-math']],
    ['$$x$$ y', ['inline-math']],
    ['==important words== and 这是==重点==内容', ['mark']],
    ['~~del~~', ['s']],
    ['~~http://x.y/z~~ and ~~see http://x.y~~.', ['s']],
    ['==http://x.y/z== it', ['mark']],
    ['<sup>2</sup> <sub>x</sub>', ['sup', 'sub']],
    ['#tag# and #a b#', ['tag']],
  ])('are such: %s', (markdown, kinds) => {
    const dom = engine.toDom(markdown);
    expect(types(dom)).toEqual(kinds);
    expect(words(dom)).not.toMatch(/[$=~#]{1,2}\w/);
    expect(hashOfContent(engine.toDom(engine.toMarkdown(dom)))).toBe(hashOfContent(dom));
  });

  it.each(['\\[\nx^2\n\\]', '\\[ x^2 \\]', '$$\nx^2\n$$', '$$x^2$$'])('stand in blocks of their own: %s', (formula) => {
    const around = [formula, `where\n${formula}\nand`, `- ${formula.replaceAll('\n', '\n  ')}`, `> ${formula.replaceAll('\n', '\n> ')}`];
    for (const markdown of around) expect(engine.toDom(markdown)).toContain('data-type="NodeMathBlock"');
    for (const markdown of around) expect(engine.toDom(markdown)).toContain('data-content="x^2"');
  });

  it('are none between brackets that somebody escaped', () => {
    for (const text of ['\\[1\\]', '\\[read-only\\] \\[link\\](u)', '\\(see above\\)', '\\[ read more about it \\]'])
      expect([text, engine.toDom(text)]).toEqual([text, expect.not.stringContaining('math')]);
  });
});

describe('a row of a table', () => {
  const rows = (markdown: string): string[] =>
    [...engine.toDom(`| a | b |\n|---|---|\n${markdown}`).matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) =>
      cell.replace(/<span data-type="inline-math"[^>]*data-content="([^"]*)"[^>]*><\/span>/g, '$$$1$$').replace(/<[^>]*>|\u200b/g, ''),
    );

  it.each([
    ['| `x|y` | keep me |', ['x|y', 'keep me']],
    ['| $P(A|B)$ | and me |', ['$P(A|B)$', 'and me']],
    ['| \\(p|q\\) | ``a|`b`` |', ['$p|q$', 'a|`b']],
    ['| 1 | 2 | 3 | 4 |', ['1', '2 | 3 | 4']],
    ['| 1 | 2 | |', ['1', '2']],
    ['| `a | b` |', ['`a', 'b`']],
    ['| $5 | $10 |', ['$5', '$10']],
    ['| $P(A\\|B)$ | `e\\|f` |', ['$P(A|B)$', 'e|f']],
    ['| one |', ['one', '']],
    ['| x&#124;y | c\\|d |', ['x|y', 'c|d']],
  ])('keeps all its words: %s', (row, cells) => {
    expect(rows(row)).toEqual(cells);
  });

  it('is read as it is written, with bars in marks, too', () => {
    const dom = engine.toDom('| a |\n|---|\n| **c\\|d** [p\\|q](https://x.y) `e\\|f` g\\|h |');
    const read = engine.toMarkdown(dom);
    expect(read).toContain('c\\|d');
    expect(read).toContain('p\\|q');
    expect(words(engine.toDom(read)).replace(/\s+/g, ' ')).toBe(words(dom).replace(/\s+/g, ' '));
  });
});

it('prints a table with merged cells without what people put on the block', () => {
  const dom = engine.toDom('| a | b |\n|---|---|\n| {: colspan="2"}c | d |');
  expect(dom).toContain('colspan="2"');
  const marked = dom.replace('data-type="NodeTable"', 'data-type="NodeTable" bookmark="mine" custom-x="y"');
  expect(engine.toExport(marked)).toContain('colspan="2"');
  for (const printed of [engine.toExport(marked), engine.toMarkdown(marked)]) expect(printed).not.toMatch(/mine|custom/);
});

describe('tasks with marks of their own', () => {
  it.each([...'-/>!?<"&|*~'])('are read as they are: [%s]', (mark) => {
    const markdown = `- [${mark}] one\n- [ ] open\n- [X] done\n  - [${mark}] # in\n\n    [X] text`;
    const dom = engine.toDom(markdown);
    const read = engine.toMarkdown(dom);
    expect(read.match(/\[[^ X]\]/g)).toEqual([`[${mark}]`, `[${mark}]`]);
    expect(read.match(/\[X\]/g)).toHaveLength(2);
    expect(hashOfContent(engine.toDom(read))).toBe(hashOfContent(dom));
  });
});

describe('the title of a callout', () => {
  const titleOf = (dom: string): string => /callout-title"[^>]*>(.*?)<\/span>/.exec(dom)?.[1] ?? '';
  const iconOf = (dom: string): string => /callout-icon"[^>]*>(.*?)<\/span>/.exec(dom)?.[1] ?? '';

  it.each(['question', 'x y', 'warning: hot', 'question ❓', 'bug in C#', '1 of 2', '100', 'key: value', '+1 for it', 'memo'])(
    'keeps a first word that is the name of an emoji: %s',
    (title) => {
      for (const around of ['', '- ', '> ']) {
        const dom = engine.toDom(`${around}> [!question] ${title}\n${around.replace('-', ' ')}> text`);
        expect([titleOf(dom), iconOf(dom)]).toEqual([title, '']);
        expect(engine.toMarkdown(dom)).toContain(`[!question] ${title}\n`);
      }
      expect(hashOfContent(engine.stored(engine.toDom(`> [!question] ${title}\n> text`)))).toBe(
        hashOfContent(engine.toDom(`> [!question] ${title}\n> text`)),
      );
    },
  );

  it('has the icon that is meant', () => {
    for (const [text, icon, title] of [
      ['❓ question', '❓', 'question'],
      [':bug: in', '🐛', 'in'],
      ['', '✏️', 'Note'],
    ] as const) {
      const dom = engine.toDom(`> [!NOTE] ${text}\n> text`);
      expect([iconOf(dom), titleOf(dom)]).toEqual([icon, title]);
    }
  });

  it('is nothing that a quote has in its middle', () => {
    const text = 'one $5\n[!a] x $6';
    expect(words(engine.toDom(`> ${text.replace('\n', '\n> ')}`))).toBe(text);
  });
});

it.each(['$$a', '\\[a', '\\[a\nb', '> $$a', '> \\[a', '> ```\n> b\nc'])('reads 20,000 lines that only begin, %j, each once', (line) => {
  const count = 20_000;
  const { trimEnd } = String.prototype;
  let read = 0;
  // Each line that is looked at for an end is trimmed; the square of them would take a minute, so it ends soon.
  String.prototype.trimEnd = function (this: string): string {
    read += 1;
    if (read > 10 * count) throw new Error(`${count} lines were read more than 10 times each`);
    return trimEnd.call(this);
  };
  try {
    expect(partsOf(`${`${line}\n`.repeat(count)}\\]`, () => true).length).toBeGreaterThan(0);
  } finally {
    String.prototype.trimEnd = trimEnd;
  }
  expect(read).toBeGreaterThan(0);
});
