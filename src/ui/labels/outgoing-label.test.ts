import { expect, it } from 'vitest';
import english from '../../../i18n/en_US.json';
import chinese from '../../../i18n/zh_CN.json';
import { createTranslate } from '../ports/i18n.ts';
import { outgoingQuestion } from './outgoing-label.ts';

it('the question about a search of the web names the words and where they go, folded or not', () => {
  const request = {
    tool: 'web_search',
    args: { query: 'launch' },
    outgoing: { destination: 'https://searx.example/search?q=launch', body: '' },
  };
  expect(outgoingQuestion(request, createTranslate(english))).toBe('Search for “launch” with searx.example?');
  expect(outgoingQuestion(request, createTranslate(chinese))).toBe('要用 searx.example 搜索“launch”吗？');
});
