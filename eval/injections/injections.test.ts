import { expect, it } from 'vitest';
import { part } from './injections.ts';

it('lets nothing leave and nothing be written where a model obeys what it reads, and leaves harmless texts as they are', async () => {
  const rows = await part.run({ full: false });
  expect(rows.filter(({ holds }) => !holds)).toEqual([]);
  // The model does obey: what is allowed, it does.
  expect(rows.some(({ measured }) => /\([1-9]\d* turns wrote\)/.test(measured))).toBe(true);
  expect(rows.reduce((sum, { cases }) => sum + cases, 0)).toBeGreaterThan(40);
}, 600_000);
