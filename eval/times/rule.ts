// How often, as a set says it, and whether times keep to it. Written apart from what the product knows of recurrences.

const DAY_MS = 86_400_000;

export interface Rule {
  readonly unit: 'hour' | 'day' | 'week' | 'month' | 'year';
  readonly interval: number;
  /** Days of the week, 0 is Sunday; `nth` of the month, or of the year where that is the unit; negative from the end. */
  readonly weekdays?: readonly { readonly day: number; readonly nth?: number }[];
  /** Days of the month, negative from its end. */
  readonly dates?: readonly number[];
  readonly month?: number;
  /** Minutes of a day. */
  readonly times?: readonly number[];
  /** Hours that a run may be in. */
  readonly part?: readonly number[];
}

const PARTS: Readonly<Record<string, readonly number[]>> = {
  MO: [5, 6, 7, 8, 9, 10, 11],
  AF: [12, 13, 14, 15, 16, 17],
  EV: [17, 18, 19, 20, 21, 22],
  NI: [18, 19, 20, 21, 22, 23, 0, 1, 2, 3],
};
const UNITS = { D: 'day', W: 'week', M: 'month', Y: 'year' } as const;
const WORKDAYS = [1, 2, 3, 4, 5].map((day) => ({ day }));
const WEEKEND = [0, 6].map((day) => ({ day }));

/** What a timex of Recognizers-Text says of a recurrence; null where it says none that is known here. */
export function ruleOfTimex(timex: string): Rule | null {
  const [, hour, minute, part] = /T(?:(\d\d)(?::(\d\d))?|(MO|AF|EV|NI))/u.exec(timex) ?? [];
  const time = hour === undefined ? {} : { times: [Number(hour) * 60 + Number(minute ?? 0)] };
  const when = part === undefined ? time : { part: PARTS[part] ?? [] };
  const [, count, unit = ''] = /P([\d.]+)(WD|WE|[DWMY])$/u.exec(timex) ?? [];
  const interval = Number(count ?? 1);
  if (timex.startsWith('XXXX-WXX-')) {
    const day = timex.slice(9, 11) === 'WE' ? WEEKEND : [{ day: Number(timex[9]) % 7 }];
    return { unit: 'week', interval, weekdays: day, ...when };
  }
  const [, month, date] = /^XXXX-(XX|\d\d)-(\d\d)/u.exec(timex) ?? [];
  if (month === 'XX') return { unit: 'month', interval, dates: [Number(date)], ...when };
  if (month !== undefined) return { unit: 'year', interval, month: Number(month), dates: [Number(date)], ...when };
  if (unit === 'WD' || unit === 'WE') return { unit: 'week', interval, weekdays: unit === 'WD' ? WORKDAYS : WEEKEND, ...when };
  if (interval === 0.5 && unit === 'Y') return { unit: 'month', interval: 6, ...when };
  if (unit === 'D' || unit === 'W' || unit === 'M' || unit === 'Y') return { unit: UNITS[unit], interval, ...when };
  return timex.startsWith('T') ? { unit: 'day', interval: 1, ...when } : null;
}

const FREQUENCIES: Readonly<Record<string, Rule['unit']>> = {
  HOURLY: 'hour',
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
};
const RRULE_DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** What an RRULE says; null where it ends, which an order cannot. */
export function ruleOfRrule(text: string): Rule | null {
  const fields = new Map(
    text
      .replace(/^[\s\S]*RRULE:/u, '')
      .split(';')
      .map((field) => [field.split('=')[0] ?? '', field.split('=')[1] ?? '']),
  );
  const unit = FREQUENCIES[fields.get('FREQ') ?? ''];
  if (!unit || fields.has('COUNT') || fields.has('UNTIL')) return null;
  const listed = (name: string): readonly string[] => fields.get(name)?.split(',') ?? [];
  const weekdays = listed('BYDAY').map((each) => {
    const nth = Number(each.slice(0, -2));
    return { day: RRULE_DAYS.indexOf(each.slice(-2)), ...(nth === 0 ? {} : { nth }) };
  });
  return {
    unit,
    interval: Number(fields.get('INTERVAL') ?? 1),
    ...(weekdays.length > 0 ? { weekdays } : {}),
    ...(fields.has('BYMONTHDAY') ? { dates: listed('BYMONTHDAY').map(Number) } : {}),
    ...(fields.has('BYHOUR') ? { times: listed('BYHOUR').map((hour) => Number(hour) * 60) } : {}),
  };
}

/** Number of the hour, day, week (from Monday), month or year that a time is in. */
function period(time: number, unit: Rule['unit']): number {
  const date = new Date(time);
  if (unit === 'hour') return Math.floor(time / 3_600_000);
  if (unit === 'day') return Math.floor(time / DAY_MS);
  if (unit === 'week') return Math.floor((Math.floor(time / DAY_MS) + 3) / 7);
  return date.getUTCFullYear() * (unit === 'year' ? 1 : 12) + (unit === 'year' ? 0 : date.getUTCMonth());
}

/** Which one of its weekday a day is in its month or year, from the start and from the end. */
function positions(date: Date, unit: Rule['unit']): readonly number[] {
  const year = date.getUTCFullYear();
  const start = unit === 'year' ? Date.UTC(year, 0, 1) : Date.UTC(year, date.getUTCMonth(), 1);
  const end = unit === 'year' ? Date.UTC(year + 1, 0, 1) : Date.UTC(year, date.getUTCMonth() + 1, 1);
  const day = Math.floor(date.getTime() / DAY_MS);
  return [Math.floor((day - start / DAY_MS) / 7) + 1, -Math.floor((end / DAY_MS - 1 - day) / 7) - 1];
}

/** Whether the rule names the day; undefined where it names none. */
function isNamed(time: number, { unit, weekdays, dates, month }: Rule): boolean | undefined {
  if (!weekdays && !dates && month === undefined) return undefined;
  const date = new Date(time);
  const length = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  const isDay = weekdays?.some(({ day, nth }) => day === date.getUTCDay() && (nth === undefined || positions(date, unit).includes(nth)));
  const isDate = dates?.some((each) => each === date.getUTCDate() || each === date.getUTCDate() - length - 1);
  return isDay !== false && isDate !== false && (month === undefined || month === date.getUTCMonth() + 1);
}

/** How times (UTC, in order) break the rule; null if they keep it. */
export function breaks(times: readonly number[], rule: Rule): string | null {
  const { unit, interval, part } = rule;
  const iso = (time: number): string => new Date(time).toISOString().slice(0, 16);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  for (const [index, time] of times.entries()) {
    const step = index === 0 ? 0 : period(time, unit) - period(times[index - 1] ?? 0, unit);
    if (step !== 0 && step !== interval) return `${iso(time)} comes after ${step} instead of ${interval}`;
    if (part && !part.includes(new Date(time).getUTCHours())) return `${iso(time)} is in another part of the day`;
  }
  if (unit === 'hour') return null;
  const days = [...new Set(times.map((time) => period(time, 'day')))];
  const active = new Set(times.map((time) => period(time, unit)));
  const isPlain = isNamed(first, rule) === undefined;
  if (isPlain && days.length !== active.size) return `${days.length} days in ${active.size} times a ${unit}`;
  for (let day = period(first, 'day'); !isPlain && day <= period(last, 'day'); day++) {
    const isWanted = active.has(period(day * DAY_MS, unit)) && isNamed(day * DAY_MS, rule);
    if (days.includes(day) !== isWanted) return `${iso(day * DAY_MS)} is ${isWanted ? 'missing' : 'too much'}`;
  }
  const clocks = [...new Set(times.map((time) => (time % DAY_MS) / 60_000))].sort((one, other) => one - other);
  const wanted = rule.times ?? clocks.slice(0, 1);
  return clocks.join() === wanted.join() ? null : `at minutes ${clocks.join()} of a day`;
}
