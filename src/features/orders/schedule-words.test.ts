import { describe, expect, it } from 'vitest';
import { nextRuns } from './next-run.ts';
import { readWhen, WHEN_FORMS } from './schedule-words.ts';

const at = (hour: number, minute = 0) => ({ hour, minute });
const daily = (...times: readonly object[]) => ({ kind: 'times', days: { kind: 'day' }, times });
const weekly = (days: readonly number[], ...times: readonly object[]) => ({ kind: 'times', days: { kind: 'week', days }, times });
const monthly = (day: number | 'last', ...times: readonly object[]) => ({
  kind: 'times',
  days: { kind: 'month', days: day === 'last' ? day : [day] },
  times,
});

describe('when an order runs', () => {
  it.each([
    ['every day at 7', daily(at(7))],
    ['Every day at 7:30', daily(at(7, 30))],
    ['daily at 19 h', daily(at(19))],
    ['each evening at 7', daily(at(19))],
    ['every day at 7 and 19:15', daily(at(7), at(19, 15))],
    ['every day at 12 am', daily(at(0))],
    ['every day at noon', daily(at(12))],
    ['Every weekday at 7', weekly([1, 2, 3, 4, 5], at(7))],
    ['each Sunday', weekly([0], at(7))],
    ['Monday and Thursday at 8 pm', weekly([1, 4], at(20))],
    ['on the weekend at 9', weekly([0, 6], at(9))],
    ['on the 1st of each month at 9', monthly(1, at(9))],
    ['every month on the 15th', monthly(15, at(7))],
    ['on the last day of each month at 18:00', monthly('last', at(18))],
    ['every hour', { kind: 'every', unit: 'hours', count: 1 }],
    ['every 30 minutes', { kind: 'every', unit: 'minutes', count: 30 }],
    ['0 7 \\* \\* 1-5', { kind: 'cron', cron: '0 7 * * 1-5' }],
    ['`0 7 * * mon-fri`', { kind: 'cron', cron: '0 7 * * mon-fri' }],
    ['when a note gets the tag #summarize#', { kind: 'tag', tag: 'summarize' }],
    ['每天早上7点', daily(at(7))],
    ['每天下午3点半', daily(at(15, 30))],
    ['每个工作日早上7点', weekly([1, 2, 3, 4, 5], at(7))],
    ['每周日晚上8点', weekly([0], at(20))],
    ['每周一、三、五 9:15', weekly([1, 3, 5], at(9, 15))],
    ['每月1日9点', monthly(1, at(9))],
    ['每2小时', { kind: 'every', unit: 'hours', count: 2 }],
    ['笔记加上标签 #总结 时', { kind: 'tag', tag: '总结' }],
  ])('%s', (line, schedule) => {
    expect(readWhen(line)).toEqual(schedule);
  });

  it.each(['', 'soon', 'every day at 25', 'at 7', 'every second Monday', 'every 7 hours', 'every day before 7', '每天大概7点'])(
    'does not guess: %s',
    (line) => {
      expect(readWhen(line)).toBeNull();
    },
  );

  it('understands each form that it names', () => {
    expect(WHEN_FORMS.filter((form) => readWhen(form) === null)).toEqual([]);
  });
});

describe('a clock that is changed in spring and autumn', () => {
  const local = (from: string, days: number) => {
    const schedule = readWhen('every day at 2:30');
    if (!schedule) throw new Error('not understood');
    return nextRuns(schedule, Date.parse(from), days, 'Europe/Berlin').map((time) => new Date(time).toISOString());
  };

  it('runs once at a time that does not exist', () => {
    expect(local('2026-03-28T12:00:00Z', 2)).toEqual(['2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z']);
  });

  it('runs once at a time that comes twice', () => {
    expect(local('2026-10-24T12:00:00Z', 2)).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z']);
  });
});

describe('two words for one time, and marks', () => {
  it('is no cron line, however often its letters could be read in two ways', () => {
    expect(readWhen(`${'LLL,'.repeat(60)}x`)).toBeNull();
  });

  it.each<readonly [string, unknown]>([
    ...['every day at 12 midnight', '12:00 midnight daily', 'every day at midnight (12 am)', '每天午夜12点', '每天午夜十二点'].map(
      (line) => [line, daily(at(0))] as const,
    ),
    ...['every day at 12 noon', '12:00 noon daily', 'every day at twelve noon', '每天正午12点'].map(
      (line) => [line, daily(at(12))] as const,
    ),
    ...['every day at 7.', 'every day at 7:00.', 'every day at 7 am.', '每天早上7点。'].map((line) => [line, daily(at(7))] as const),
    ['every day at noon and midnight', daily(at(0), at(12))],
    ...['daily at 12am midnight', 'every day at 9 am and 9:00'].map((line, index) => [line, daily(at(index * 9))] as const),
    ...[
      ['when a note gets the tag "summarize"', 'summarize'],
      ['when a note gets the tag “to do”', undefined],
      ['when a note gets the tag “summarize”.', 'summarize'],
      ["when a note gets the tag 'summarize'", 'summarize'],
      ['when a note gets the tag "#to do#"', 'to do'],
      ['when a note gets the tag v1.2', 'v1.2'],
      ['when a note gets the tag «summarize»', 'summarize'],
      ['when a note gets the tag « summarize ».', 'summarize'],
      ['when a note gets the tag „summarize“', 'summarize'],
      ['when a note gets the tag ‹summarize›!', 'summarize'],
      ['当笔记加上标签【总结】时', '总结'],
      ['当笔记加上标签〈总结〉时。', '总结'],
      ['当笔记加上标签「总结」时', '总结'],
      ['当笔记加上标签“总结”的时候', '总结'],
      ['笔记加上标签 #总结 时', '总结'],
      ['笔记加上标签总结时', '总结'],
      ['當筆記加上標籤『總結』時。', '總結'],
      ['当笔记加上“总结”标签时', '总结'],
    ].map(([line = '', tag]) => [line, tag === undefined ? null : { kind: 'tag', tag }] as const),
  ])('are understood as they are meant: %s', (line, wanted) => {
    expect(readWhen(line)).toEqual(wanted);
  });
});
