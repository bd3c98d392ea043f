import type { DayUsages } from './usage.ts';

export const USAGE_PERIODS = ['7', '30', 'month', 'all'] as const;
export type UsagePeriod = (typeof USAGE_PERIODS)[number];

export interface UsageSums {
  readonly tokens: number;
  readonly dollars: number;
  readonly unpriced: number;
}

/** `count` days up to `today`, the oldest first; all YYYY-MM-DD. */
export function daysUntil(today: string, count: number): readonly string[] {
  // In UTC: local days may have 23 hours.
  const last = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) => new Date(last - (count - 1 - index) * 86_400_000).toISOString().slice(0, 10));
}

/** A day after today comes from a device in another time zone: it belongs to every period. */
export function inPeriod(days: readonly DayUsages[], period: UsagePeriod, today: string): readonly DayUsages[] {
  if (period === 'all') return days;
  const first = period === 'month' ? today.slice(0, 7) : (daysUntil(today, Number(period))[0] ?? today);
  return days.filter(({ day }) => day >= first);
}

export function sumUsages(days: readonly DayUsages[]): UsageSums {
  const sum = (of: (used: DayUsages) => number): number => days.reduce((all, used) => all + of(used), 0);
  return { tokens: sum(({ tokens }) => tokens), dollars: sum(({ dollars }) => dollars), unpriced: sum(({ unpriced }) => unpriced) };
}

export interface UsageShare extends UsageSums {
  readonly key: string;
}

export function sharesOf(days: readonly DayUsages[], keyOf: (used: DayUsages) => string): readonly UsageShare[] {
  const groups = new Map<string, DayUsages[]>();
  for (const used of days) groups.set(keyOf(used), [...(groups.get(keyOf(used)) ?? []), used]);
  return [...groups].map(([key, own]) => ({ key, ...sumUsages(own) })).sort((one, other) => other.tokens - one.tokens);
}

export interface UsageChartDay extends UsageSums {
  readonly day: string;
  /** In the order of the chart's series, including zeros. */
  readonly parts: readonly UsageShare[];
}

export interface UsageChartData {
  /** Keys of the models shown separately, the largest first; OTHER_MODELS last, if there are more. */
  readonly series: readonly string[];
  readonly days: readonly UsageChartDay[];
  readonly highest: number;
}

export const NO_MODEL_KEY = '';
/** Not the name of any model. */
export const OTHER_MODELS = '\n';
const SERIES = 4;

export const modelKey = ({ model = NO_MODEL_KEY }: DayUsages): string => model;

export function chartOf(days: readonly DayUsages[], today: string, count: number): UsageChartData {
  const dates = daysUntil(today, count);
  const shown = days.filter(({ day }) => dates.includes(day));
  const models = sharesOf(shown, modelKey).map(({ key }) => key);
  const separate = models.slice(0, SERIES);
  const series = models.length > SERIES ? [...separate, OTHER_MODELS] : separate;
  const keyOf = (used: DayUsages): string => (separate.includes(modelKey(used)) ? modelKey(used) : OTHER_MODELS);
  const bars = dates.map((day): UsageChartDay => {
    const own = shown.filter((used) => used.day === day);
    const parts = series.map((key) => ({ key, ...sumUsages(own.filter((used) => keyOf(used) === key)) }));
    return { day, parts, ...sumUsages(own) };
  });
  return { series, days: bars, highest: Math.max(0, ...bars.map(({ tokens }) => tokens)) };
}
