import { expect, it } from 'vitest';
import { isApart } from './cited-links.ts';

it('the words of a citation go where the sentence is whole without them: it ended, or has them already', () => {
  expect(isApart('The launch is on April 2.', 'launch on April 2')).toBe(true);
  expect(isApart('The launch is on April 2 ', 'launch is on April 2')).toBe(true);
  expect(isApart('一个月后还能答对 82 %。', '试点结果')).toBe(true);
  expect(isApart('间隔重复的效果很好', '间隔重复的效果')).toBe(true);
  expect(isApart('Parks are ', '0.94 °C cooler by day')).toBe(false);
  expect(isApart('', 'Street trees')).toBe(false);
  expect(isApart('效果很明显，见', '试点结果')).toBe(false);
});
