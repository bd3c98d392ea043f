import { expect, it } from 'vitest';
import chinese from '../../i18n/zh_CN.json';
import { ToolError } from '../tools/contract/errors.ts';
import { createTranslate } from '../ui/ports/i18n.ts';
import { inWords, SaidError } from './in-words.ts';

const t = createTranslate(chinese);

it('says a failure in the language of the reader, with what people can do, and once', async () => {
  const closed = new ToolError('closed_notebook', 'the notebook Work is closed', 'ask the user to open it, then try again');
  await expect(inWords(Promise.reject(closed), t)).rejects.toThrow(/^笔记本没有打开。请先在思源里打开它，然后重试。$/u);
  await expect(inWords(Promise.reject(new TypeError('x is undefined')), t)).rejects.toThrow(/^出了问题：x is undefined\./u);
  await expect(inWords(Promise.reject(new SaidError('提示词已不在。')), t)).rejects.toThrow(/^提示词已不在。$/u);
  await expect(inWords(Promise.resolve(3), t)).resolves.toBe(3);
});
