import { expect, it } from 'vitest';
import { part } from './claims.ts';

it('marks changed facts of the sample, and no true sentence', async () => {
  const rows = await part.run({ full: false });
  expect(rows.map(({ measured }) => measured)).toEqual([
    ...['true, in other words and forms', 'true, numbers in words or digits', 'a number changed', 'a name changed'],
    ...['a number in words changed', 'a unit changed', 'a sign changed', 'denied'],
  ]);
  expect(rows.filter(({ holds }) => !holds)).toEqual([]);
  expect(rows.every(({ cases }) => cases >= 5)).toBe(true);
});
