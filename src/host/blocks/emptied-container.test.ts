import { expect, it } from 'vitest';
import { parseBlock } from './block-dom.ts';
import { emptyParagraph, isEmptyParagraph } from './emptied-container.ts';

const ID = '20260101000000-abcdefg';
const withText = (inner: string): boolean => {
  const dom = emptyParagraph(ID, '20260101000000').replace('spellcheck="false"></div>', `spellcheck="false">${inner}</div>`);
  const block = parseBlock(dom);
  if (!block || (inner !== '' && !dom.includes(inner))) throw new Error('not a paragraph with that text');
  return isEmptyParagraph(block);
};

it.each(['', '\u200b', '<br>', '<wbr>', ' \n'])('a paragraph with %j in it is empty', (inner) => {
  expect(withText(inner)).toBe(true);
});

it.each([
  'a',
  '<img src="a.png">',
  '<span data-type="inline-math" data-content="x"></span>',
  '<span data-type="block-ref" data-id=""></span>',
  '<span data-type="inline-memo" data-inline-memo-content="say"></span>',
])('a paragraph with %j in it is not', (inner) => {
  expect(withText(inner)).toBe(false);
});
