import { expect, it } from 'vitest';
import { settingLines } from './written-orders.ts';

it.each([
  ['Lamps', 'Lamps'],
  ["Anna's (old)\nlamps", 'Anna s old lamps'],
  ['', '20260101000000-project'],
])('refers to a project by the title of its note: %j', (projectTitle, words) => {
  const order = { when: 'every day at 7', budget: '', project: '20260101000000-project', projectTitle };
  expect(settingLines(order)).toEqual(['When: every day at 7', `Project: ((20260101000000-project '${words}'))`]);
});
