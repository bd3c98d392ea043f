import { expect, it } from 'vitest';
import { summaryOf } from './mcp.ts';
import { part } from './protocols.ts';

it('writes, reads and undoes the sample with named exceptions only', async () => {
  const rows = await part.run({ full: false });
  expect(rows.filter(({ holds, reason }) => !holds && reason === undefined)).toEqual([]);
  expect(rows.filter(({ measured, holds }) => measured === 'Undo' && holds)).toHaveLength(3);
});

it('counts the required scenarios of what the suite prints', () => {
  const printed =
    '=== SUMMARY ===\n✓ ping: 2 passed, 0 failed\n✗ a/b: 1 passed, 1 failed\n✗ more: 0 passed, 1 failed\n\nTotal: 3 passed, 2 failed\n\nNot scored for 2025-11-25: 1\n  ✗ more (extension)\n';
  expect(summaryOf(printed)).toEqual({ passed: ['ping'], failed: ['a/b'] });
});
