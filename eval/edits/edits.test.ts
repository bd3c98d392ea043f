import { expect, it } from 'vitest';
import { part } from './edits.ts';

it('makes the edits of people exactly, keeps the ids of the rest, shows no more words than they changed, and undoes each', async () => {
  const rows = await part.run({ full: false });
  expect(rows.filter(({ holds }) => !holds)).toEqual([]);
  expect(rows.filter(({ peer }) => peer)).toHaveLength(4);
}, 600_000);
