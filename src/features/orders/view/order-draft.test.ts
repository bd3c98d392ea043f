import { expect, it } from 'vitest';
import { readOrders } from '../read-orders.ts';
import { draftOf } from './order-draft.ts';

const block = { id: 'o', subtype: 'h2', hash: '', markdown: 'Order' };

function paceOf(...lines: readonly string[]) {
  const items = lines.map((markdown) => ({ id: '', hash: '', depth: 0, markdown }));
  const blocks = [
    { ...block, type: 'h' },
    { ...block, type: 'l', items },
    { ...block, type: 'p' },
  ];
  const [order] = readOrders(blocks, 0, 'UTC');
  const { quiet, limit } = order ? draftOf(order) : {};
  return { read: [order?.quiet, order?.limit], form: [quiet, limit] };
}

it.each([
  [['When: when a note is added to Inbox'], [5, 10], ['', '']],
  [
    ['When: when a note is added to Inbox', 'Quiet: 5', 'Limit: 10'],
    [5, 10],
    ['', ''],
  ],
  [
    ['When: when a note is added to Inbox', 'Quiet: 20', 'Limit: 3'],
    [20, 3],
    ['20', '3'],
  ],
  [['When: on the date in Due of Tasks at 9'], [0, 10], ['', '']],
  [
    ['When: on the date in Due of Tasks at 9', 'Quiet: 5'],
    [5, 10],
    ['5', ''],
  ],
  [['When: every day at 7'], [5, 10], ['', '']],
])('a form has of a pace what is not usual: %j', (lines, read, form) => {
  expect(paceOf(...lines)).toEqual({ read, form });
});
