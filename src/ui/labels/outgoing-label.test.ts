import { expect, it } from 'vitest';
import english from '../../../i18n/en_US.json';
import chinese from '../../../i18n/zh_CN.json';
import { createTranslate } from '../ports/i18n.ts';
import { outgoingQuestion } from './outgoing-label.ts';

it('the question about a search by meaning names the words and where they go, folded or not', () => {
  const request = {
    tool: 'search_notes',
    args: { query: 'launch', mode: 'semantic' },
    outgoing: { destination: 'https://meaning.example/v1', body: 'launch' },
  };
  expect(outgoingQuestion(request, createTranslate(english))).toBe('Send “launch” to meaning.example, to search by meaning?');
  expect(outgoingQuestion(request, createTranslate(chinese))).toBe('要把“launch”发送到 meaning.example 做语义搜索吗？');
});
