import { expect, it } from 'vitest';
import { breaks, ruleOfRrule, ruleOfTimex } from './rule.ts';
import { part } from './times.ts';

it('misreads nothing of the sample', async () => {
  const rows = await part.run({ full: false });
  expect(rows.filter(({ holds, reason }) => !holds && reason === undefined)).toEqual([]);
  expect(rows.filter(({ cases }) => cases === 0)).toEqual([]);
});

it('notices runs that break a rule', () => {
  const [friday, day] = [Date.parse('2026-11-06T07:00:00Z'), 86_400_000];
  const weekly = [friday, friday + 7 * day, friday + 14 * day];
  const rule = ruleOfTimex('XXXX-WXX-5');
  expect(rule && breaks(weekly, rule)).toBeNull();
  expect(rule && breaks([friday, friday + 14 * day], rule)).toMatch(/after 2 instead of 1/u);
  expect(rule && breaks([friday, friday + day], rule)).toMatch(/is too much/u);
  expect(rule && breaks(weekly, { ...rule, times: [480] })).toMatch(/at minutes 420/u);
  const other = ruleOfRrule('RRULE:INTERVAL=2;FREQ=WEEKLY');
  expect(other && breaks(weekly, other)).toMatch(/after 1 instead of 2/u);
});
