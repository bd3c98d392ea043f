import { describe, expect, it } from 'vitest';
import { testEngine } from '../testing/lute.ts';
import { parseBlock, serializeBlock } from './block-dom.ts';
import { dropAddedBlanks, mayHaveAddedBlanks, unifyMarks } from './inline-marks.ts';

const engine = testEngine();
const line = (inner: string): string =>
  `<div data-node-id="20200101000000-aaaaaaa" data-type="NodeParagraph" class="p"><div contenteditable="true" spellcheck="false">${inner}</div><div class="protyle-attr" contenteditable="false">\u200b</div></div>`;
const unified = (inner: string): string => {
  const block = parseBlock(line(inner))!;
  unifyMarks(block);
  return serializeBlock(block).replace(/.*?spellcheck="false">|<\/div>.*/g, '');
};

describe('the Markdown of marks', () => {
  it.each([
    '**Note:** the old',
    '**提示：**先读说明。',
    'a**(x)**b *(y).* ~~gone.~~c',
    '你好**“引用”**后',
    '**See [x](https://a.example), `code` and *this!*** y',
    '**a $x$.** b',
    '**$5**x',
    '*a **b** c.* d',
    '==**all.** of it== x',
    '**a** **b**',
  ])('is the text as it is: %s', (markdown) => {
    const printed = engine.toMarkdown(engine.toDom(markdown));
    const again = engine.toMarkdown(engine.toDom(printed));
    expect(printed).toBe(markdown);
    expect(again).toBe(printed);
  });

  it('has no private signs, whatever the text holds', () => {
    expect(engine.toMarkdown(engine.toDom('\ue100 **x.** \ue101'))).toBe('\ue100 **x.** \ue101');
  });
});

describe('marks that look the same', () => {
  it.each([
    ['a <span data-type="strong">b </span>c', 'a <span data-type="strong">b</span> c'],
    ['<span data-type="strong em">x</span>', '<span data-type="em strong">x</span>'],
    ['<span data-type="strong">a</span><span data-type="strong">b</span>', '<span data-type="strong">ab</span>'],
    ['a  b', 'a b'],
    ['a <span data-type="backslash">*</span> b', 'a * b'],
    [
      '<span data-type="strong">a</span> <span data-type="strong code">b</span>',
      '<span data-type="strong">a </span><span data-type="code strong">b</span>',
    ],
  ])('%s', (one, other) => {
    expect(unified(one)).toBe(unified(other));
  });

  it.each([
    ['<span data-type="strong">x</span>', '<span data-type="em">x</span>'],
    ['<span data-type="strong" style="color: red;">x</span>', '<span data-type="strong">x</span>'],
    ['<span data-type="s">a</span> <span data-type="s">b</span>', '<span data-type="s">a b</span>'],
    ['<span data-type="code">a  b</span>', '<span data-type="code">a b</span>'],
  ])('but not %s and %s', (one, other) => {
    expect(unified(one)).not.toBe(unified(other));
  });
});

it('takes out the blanks that Lute adds, and no other', () => {
  const read = (markdown: string): string => {
    const block = parseBlock(engine.toDom(markdown))!;
    dropAddedBlanks(block);
    return engine.toMarkdown(serializeBlock(block));
  };
  expect(read('**Note:**  the **old** way')).toBe('**Note:** the **old** way');
  expect(read('a  **(x)**  b ~~c~~ d')).toBe('a **(x)** b ~~c~~ d');
  expect(mayHaveAddedBlanks('**Note:**  the')).toBe(true);
  expect(mayHaveAddedBlanks('a  **(x)**b')).toBe(true);
  expect(mayHaveAddedBlanks('the **old** way, and *more* of it')).toBe(false);
});
