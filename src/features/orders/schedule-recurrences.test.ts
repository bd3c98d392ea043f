// What comes less often than each day, week or month: the next days that each phrase means, written out by hand.
import { describe, expect, it } from 'vitest';
import { nextRuns } from './next-run.ts';
import { readWhen } from './schedule-words.ts';

/** A Monday, in the first of two weeks. */
const FROM = Date.parse('2026-11-02T00:30:00Z');

const runsOf = (phrase: string, timezone = 'UTC'): readonly string[] | null => {
  const schedule = readWhen(phrase);
  return schedule && nextRuns(schedule, FROM, 4, timezone).map((time) => new Date(time).toISOString().slice(0, 16));
};

/** At 7:00 where the phrase says no time. */
const daysOf = (phrase: string): string | undefined =>
  runsOf(phrase)
    ?.map((run) => run.replace('T07:00', ''))
    .join(' ');

const JANUARY = '2027-01-01 2028-01-01 2029-01-01 2030-01-01';
const QUARTERS = '2027-01-01 2027-04-01 2027-07-01 2027-10-01';
const HALVES = '2027-01-01 2027-07-01 2028-01-01 2028-07-01';
const SECOND_MONDAYS = '2026-11-02 2026-11-16 2026-11-30 2026-12-14';
const THIRD_DAYS = '2026-11-03 2026-11-06 2026-11-09 2026-11-12';
const SECOND_DAYS = '2026-11-03 2026-11-05 2026-11-07 2026-11-09';
const LAST_WORKDAYS = '2026-11-30 2026-12-31 2027-01-29 2027-02-26';
const SECOND_MONTHS = '2027-01-01 2027-03-01 2027-05-01 2027-07-01';
const FIRSTS = '2026-12-01 2027-01-01 2027-02-01 2027-03-01';
const MONDAYS = '2026-11-02 2026-11-09 2026-11-16 2026-11-23';

describe('days that are counted', () => {
  it.each([
    ['every 3 days', THIRD_DAYS],
    ['each three days', THIRD_DAYS],
    ['每3天', THIRD_DAYS],
    ['三天一次', THIRD_DAYS],
    ['every other day', SECOND_DAYS],
    ['every 2nd day', SECOND_DAYS],
    ['每隔一天', SECOND_DAYS],
    ['隔天', SECOND_DAYS],
    ['每两天', SECOND_DAYS],
    ['every 3 days from 2026-11-04', '2026-11-04 2026-11-07 2026-11-10 2026-11-13'],
    ['every day at 7 starting 2026-12-24', '2026-12-24 2026-12-25 2026-12-26 2026-12-27'],
  ])('%s', (phrase, days) => {
    expect(daysOf(phrase)).toBe(days);
  });

  it('are days of the local calendar, over the change of the clock', () => {
    const schedule = readWhen('every 2 days at 2:30 from 2027-03-26');
    const runs = schedule && nextRuns(schedule, FROM, 3, 'Europe/Berlin').map((time) => new Date(time).toISOString());
    expect(runs).toEqual(['2027-03-26T01:30:00.000Z', '2027-03-28T01:00:00.000Z', '2027-03-30T00:30:00.000Z']);
  });

  it('are the same from whichever day the next ones are asked for', () => {
    const schedule = readWhen('every 5 days at 9 and 17');
    const all = schedule ? nextRuns(schedule, FROM, 200, 'America/New_York') : [];
    for (const [index, run] of all.slice(0, -1).entries())
      expect(schedule && nextRuns(schedule, run, 1, 'America/New_York')).toEqual([all[index + 1]]);
  });
});

describe('weeks that are counted', () => {
  it.each([
    ['weekly', MONDAYS],
    ['once a week', MONDAYS],
    ['每周', MONDAYS],
    ['每个星期', MONDAYS],
    ['每周一次', MONDAYS],
    ['every 2 weeks', SECOND_MONDAYS],
    ['biweekly', SECOND_MONDAYS],
    ['fortnightly on Mondays', SECOND_MONDAYS],
    ['every other Monday', SECOND_MONDAYS],
    ['every other week on Monday', SECOND_MONDAYS],
    ['隔周周一', SECOND_MONDAYS],
    ['每两周的周一', SECOND_MONDAYS],
    ['每两个星期一次', SECOND_MONDAYS],
    ['every 2 weeks on Monday from 2026-11-09', '2026-11-09 2026-11-23 2026-12-07 2026-12-21'],
    ['从2026-11-09起每两周的周一', '2026-11-09 2026-11-23 2026-12-07 2026-12-21'],
    ['every 2 weeks on Tuesday and Thursday', '2026-11-03 2026-11-05 2026-11-17 2026-11-19'],
    ['every two weekends', '2026-11-07 2026-11-08 2026-11-21 2026-11-22'],
    ['every 2 weeks on Sunday and Monday from 2026-12-06', '2026-12-06 2026-12-14 2026-12-20 2026-12-28'],
    ['every 3 weeks on Friday at 16:30', '2026-11-13T16:30 2026-12-04T16:30 2026-12-25T16:30 2027-01-15T16:30'],
  ])('%s', (phrase, days) => {
    expect(daysOf(phrase)).toBe(days);
  });
});

describe('months and years', () => {
  it.each([
    ['monthly', FIRSTS],
    ['每个月', FIRSTS],
    ['bi-monthly', SECOND_MONTHS],
    ['every other month on the 1st', SECOND_MONTHS],
    ['每2个月1号', SECOND_MONTHS],
    ['quarterly', QUARTERS],
    ['every 3 months', QUARTERS],
    ['每季度', QUARTERS],
    ['每3个月', QUARTERS],
    ['every 3 months from 2026-11-15', '2027-02-01 2027-05-01 2027-08-01 2027-11-01'],
    ['semi-annually', HALVES],
    ['每半年', HALVES],
    ['the 15th of each quarter', '2027-01-15 2027-04-15 2027-07-15 2027-10-15'],
    ['on the last day of each quarter', '2026-12-31 2027-03-31 2027-06-30 2027-09-30'],
    ['the last workday of the month', LAST_WORKDAYS],
    ['last weekday of the month', LAST_WORKDAYS],
    ['每月最后一个工作日', LAST_WORKDAYS],
    ['the first working day of each month', '2026-11-02 2026-12-01 2027-01-01 2027-02-01'],
    ['每月第一个工作日', '2026-11-02 2026-12-01 2027-01-01 2027-02-01'],
    ['每月倒数第二天', '2026-11-29 2026-12-30 2027-01-30 2027-02-27'],
    ['every month on the 4th last', '2026-11-27 2026-12-28 2027-01-28 2027-02-25'],
    ['every month on the 3rd last Tuesday', '2026-11-10 2026-12-15 2027-01-12 2027-02-09'],
    ['每月倒数第二个周五', '2026-11-20 2026-12-18 2027-01-22 2027-02-19'],
    ['yearly', JANUARY],
    ['once a year', JANUARY],
    ['每年', JANUARY],
    ['every January 1st', JANUARY],
    ['the 1st of January every year', JANUARY],
    ['每年1月1日', JANUARY],
    ['每年一月一日', JANUARY],
    ['each 4/15', '2027-04-15 2028-04-15 2029-04-15 2030-04-15'],
    ['every 15/4', '2027-04-15 2028-04-15 2029-04-15 2030-04-15'],
    ['every April', '2027-04-01 2028-04-01 2029-04-01 2030-04-01'],
    ['every year on the first Monday of September', '2027-09-06 2028-09-04 2029-09-03 2030-09-02'],
    ['Every year on the 1st Friday', '2027-01-01 2028-01-07 2029-01-05 2030-01-04'],
    ['每年最后一天', '2026-12-31 2027-12-31 2028-12-31 2029-12-31'],
    ['每年十二月二十五号早上八点', '2026-12-25T08:00 2027-12-25T08:00 2028-12-25T08:00 2029-12-25T08:00'],
  ])('%s', (phrase, days) => {
    expect(daysOf(phrase)).toBe(days);
  });
});

describe('what cannot be said so', () => {
  it.each([
    'the 12th',
    '12号',
    'every 2 weeks on the 15th',
    'every 3 days on Monday',
    'every 3 weekdays',
    'every 2 Mondays',
    'every other weekday',
    'every other year',
    'every 2 years',
    'every 5 months',
    'every 0 days',
    'every 2 quarters',
    'each 4/5',
    'every February 29',
    'every April 31',
    'every January 1, 2027',
    'every January 1 and July 1',
    'every year on the 15th',
    'every year on the 13th Friday',
    'every week for 20 times',
    'every month for 3 months',
    'every week and every month',
    'every 2nd day of the month',
    'every 3 days in March',
    'the last day of each week',
    'every second last Friday',
    'once a month on a Monday',
    'every day at 7 from 2026-02-30',
    'every 2 weeks until 2027-01-01',
    'each week and another thing',
    'twice a week',
    'any year',
    '每隔两天',
    '每三五天',
    '每2周一',
    '每年春节',
    '每月两次',
    '每月第一个和最后一个工作日',
  ])('is refused: %s', (phrase) => {
    expect(runsOf(phrase)).toBeNull();
  });
});

describe('days that are left out, and other words for what is counted', () => {
  const NO_SUNDAYS = '2026-11-02 2026-11-03 2026-11-04 2026-11-05';

  it.each([
    ['every day except Sunday', NO_SUNDAYS],
    ['daily, except Mon and Tue', '2026-11-04 2026-11-05 2026-11-06 2026-11-07'],
    ['every third day', THIRD_DAYS],
    ['每季度第一天', QUARTERS],
    ['逢周一', MONDAYS],
  ])('%s', (phrase, expected) => expect(daysOf(phrase)).toBe(expected));

  it.each([
    'every day except the 1st',
    'every day except',
    'every weekday except Friday',
    'every 2 weeks except Friday',
    'every day except Monday to Sunday',
    '除了周日',
    '除周一外每周五',
    '周日外出每天',
    '每逢15日',
    '每月初三',
    '每月底之前',
  ])('does not guess what “%s” means', (phrase) => expect(readWhen(phrase)).toBeNull());

  it('counts hours that are said as “hourly”', () =>
    expect(runsOf('hourly from 9am to 5pm')).toEqual(['2026-11-02T09:00', '2026-11-02T10:00', '2026-11-02T11:00', '2026-11-02T12:00']));
});
