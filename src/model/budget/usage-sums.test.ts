import { describe, expect, it } from 'vitest';
import type { DayUsages } from './usage.ts';
import { chartOf, daysUntil, inPeriod, modelKey, OTHER_MODELS, sharesOf, USAGE_PERIODS } from './usage-sums.ts';

const used = (day: string, tokens: number, model = 'm'): DayUsages => ({ day, tokens, dollars: 0, unpriced: tokens, model });

describe('usage', () => {
  it('has every day of the calendar once, over months, years, leap days and changes of the clock', () => {
    expect(daysUntil('2026-03-02', 4)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']);
    expect(daysUntil('2024-03-01', 2)).toEqual(['2024-02-29', '2024-03-01']);
    expect(daysUntil('2026-01-01', 2)).toEqual(['2025-12-31', '2026-01-01']);
    expect(new Set(daysUntil('2026-11-23', 400)).size).toBe(400);
  });

  it('of a period begins with its first day; what is dated later than today, elsewhere, counts', () => {
    const days = ['2025-01-01', '2026-10-31', '2026-11-01', '2026-11-17', '2026-11-23', '2026-11-24'].map((day, n) => used(day, 10 ** n));
    const sums = USAGE_PERIODS.map((period) => inPeriod(days, period, '2026-11-23').reduce((all, { tokens }) => all + tokens, 0));
    expect(sums).toEqual([111_000, 111_110, 111_100, 111_111]);
  });

  it('is shared out by key, the largest first', () => {
    const shares = sharesOf([used('2026-11-23', 1, 'a'), used('2026-11-22', 5, 'b'), used('2026-11-22', 1, 'a')], modelKey);
    expect(shares.map(({ key, tokens }) => [key, tokens])).toEqual([
      ['b', 5],
      ['a', 2],
    ]);
  });

  it('is drawn by day up to today, four models apart and the others together', () => {
    const models = ['a', 'b', 'c', 'd', 'e', 'f'].map((model, place) => used('2026-11-23', 100 - place, model));
    const { series, days, highest } = chartOf([...models, used('2026-10-24', 1000), used('2026-11-22', 7, 'f')], '2026-11-23', 30);
    expect(series).toEqual(['f', 'a', 'b', 'c', OTHER_MODELS]);
    expect(days).toHaveLength(30);
    expect(days.at(-1)).toMatchObject({ day: '2026-11-23', tokens: 585 });
    expect(days.at(-1)?.parts.map(({ tokens }) => tokens)).toEqual([95, 100, 99, 98, 193]);
    expect(days.at(-2)?.parts.map(({ tokens }) => tokens)).toEqual([7, 0, 0, 0, 0]);
    expect(days[0]).toMatchObject({ day: '2026-10-25', tokens: 0 });
    expect(highest).toBe(585);
    expect(chartOf([], '2026-11-23', 30)).toMatchObject({ series: [], highest: 0 });
  });
});
