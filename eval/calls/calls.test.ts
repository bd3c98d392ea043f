import { expect, it } from 'vitest';
import { part } from './calls.ts';

it('changes nothing of the sample silently', async () => {
  const rows = await part.run({ full: false });
  expect(rows.filter(({ holds, reason }) => !holds && reason === undefined)).toEqual([]);
  expect(rows.filter(({ cases }) => cases === 0)).toEqual([]);
});
