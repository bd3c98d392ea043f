import { describe, expect, it } from 'vitest';
import { EVENT_FORMS } from './event-words.ts';
import { readWhen } from './schedule-words.ts';

/** In short: what it waits for. */
function said(phrase: string): string {
  const schedule = readWhen(phrase);
  if (schedule?.kind !== 'event') return schedule?.kind ?? 'refused';
  const place = `${schedule.target.id ?? ''}${schedule.target.name}`;
  if (schedule.of === 'notes') return `${schedule.count} ${schedule.on.join('+')} ${place}`;
  if (schedule.of === 'rows') return `rows ${schedule.on.join('+')} ${place}${schedule.except && ` -${schedule.except}`}`;
  return `${schedule.before} before ${schedule.column} of ${place} ${schedule.time.hour}:${schedule.time.minute}`;
}

describe('what an order waits for', () => {
  it.each([
    ['when a note is added to Inbox', '1 made+moved Inbox'],
    ['When a note is added to *Inbox*.', '1 made+moved Inbox'],
    ['whenever a new note is added to the notebook “My Inbox”', '1 made+moved My Inbox'],
    ['when a note is made in Inbox', '1 made Inbox'],
    ['when a page is created below Work/Projects', '1 made Work/Projects'],
    ['when a note is moved to Inbox', '1 moved Inbox'],
    ['when a note is moved into ((20261102000000-aaaaaaa "Old inbox"))', '1 moved 20261102000000-aaaaaaaOld inbox'],
    ['when a note is made, changed or moved below X', '1 made+moved+changed X'],
    ['when a note is made in or moved to Inbox', '1 made+moved Inbox'],
    ['when a note in Inbox is changed', '1 changed Inbox'],
    ['when any document under Work/Projects is edited or added', '1 made+moved+changed Work/Projects'],
    ['when a note in Inbox changes', '1 changed Inbox'],
    ['when there is a new note in Inbox', '1 made+moved Inbox'],
    ['when a new note appears in Inbox', '1 made+moved Inbox'],
    ['when Inbox has 5 new notes', '5 made+moved Inbox'],
    ['when 5 new notes are in Inbox', '5 made+moved Inbox'],
    ['when there are three new notes in Inbox', '3 made+moved Inbox'],
    ['when a row of Papers is new or changed', 'rows made+changed Papers'],
    ['when a row in Papers is new or changed, except in *Main claim*', 'rows made+changed Papers -Main claim'],
    ['when a row of Papers is changed', 'rows changed Papers'],
    ['when a row of Papers changes', 'rows changed Papers'],
    ['when a new row appears in Papers', 'rows made Papers'],
    ['after every 5 new notes in Inbox', '5 made+moved Inbox'],
    ['two days before the date Due in Tasks', '2 before Due of Tasks 7:0'],
    ['日记下的笔记改动时', '1 changed 日记'],
    ['论文新增一行时', 'rows made 论文'],
    ['当任务的截止日期到了时', '0 before 截止 of 任务 7:0'],
    ['if a note is added to Inbox', '1 made+moved Inbox'],
    ['every time a note is added to Inbox', '1 made+moved Inbox'],
    ['when I add a note to Inbox', '1 made+moved Inbox'],
    ['when a new row is added to Papers', 'rows made Papers'],
    ['when a row is added or changed in Papers', 'rows made+changed Papers'],
    ['3 days before Due in Tasks', '3 before Due of Tasks 7:0'],
    ['每次收件箱有新笔记时', '1 made+moved 收件箱'],
    ['当有新笔记放入收件箱', '1 made+moved 收件箱'],
    ['有人在收件箱里新建笔记时', '1 made 收件箱'],
    ['当收件箱里的笔记发生变化时', '1 changed 收件箱'],
    ['论文有新行时', 'rows made 论文'],
    ['当论文新增行时', 'rows made 论文'],
    ['on the date in *Due* of Tasks', '0 before Due of Tasks 7:0'],
    ['on the date in Due of Tasks at 9:30', '0 before Due of Tasks 9:30'],
    ['on the day in Due of Tasks at 8 pm', '0 before Due of Tasks 20:0'],
    ['2 days before the date in Due of Tasks at 9', '2 before Due of Tasks 9:0'],
    ['a week before the date in Due of Tasks', '7 before Due of Tasks 7:0'],
    ['the day before the date in Due of Tasks', '1 before Due of Tasks 7:0'],
    ['当收件箱有新笔记时', '1 made+moved 收件箱'],
    ['當收件匣有新筆記時', '1 made+moved 收件匣'],
    ['收件箱中出现新笔记时', '1 made+moved 收件箱'],
    ['当有笔记添加到“收件箱”时', '1 made+moved 收件箱'],
    ['当收件箱中新建笔记时', '1 made 收件箱'],
    ['当收件箱中有笔记新建或改动时', '1 made+changed 收件箱'],
    ['在我的任务的“截止”日期当天', '0 before 截止 of 我的任务 7:0'],
    ['当笔记移动到收件箱时', '1 moved 收件箱'],
    ['当工作/项目下的笔记被修改时', '1 changed 工作/项目'],
    ['当 Inbox 中的笔记有改动时', '1 changed Inbox'],
    ['当收件箱有 5 篇新笔记时', '5 made+moved 收件箱'],
    ['当收件箱里有三条新笔记时', '3 made+moved 收件箱'],
    ['当论文有新增或更改的行时', 'rows made+changed 论文'],
    ['当论文有新增的行时，“主张”列除外', 'rows made 论文 -主张'],
    ['在任务的截止日期当天', '0 before 截止 of 任务 7:0'],
    ['在任务的“截止”日期当天早上9点', '0 before 截止 of 任务 9:0'],
    ['在任务的截止日期前两天 8:30', '2 before 截止 of 任务 8:30'],
  ])('is understood: %s', (phrase, meant) => {
    expect(said(phrase)).toBe(meant);
  });

  it.each([
    ['when a note is changed to Inbox'],
    ['when a note is moved in Inbox'],
    ['when a note is added'],
    ['when a note is deleted in Inbox'],
    ['when 500 new notes are in Inbox'],
    ['when it rains in Inbox'],
    ['on the date in Due of Tasks at 25'],
    ['200 days before the date in Due of Tasks'],
    ['on the date'],
    ['when a row of Papers is moved'],
    ['当有新笔记时'],
    ['当收件箱的笔记被删除时'],
    ['在任务的截止日期后两天'],
  ])('is refused: %s', (phrase) => {
    expect(said(phrase)).toBe('refused');
  });

  it('is understood in every form that is offered', () => {
    expect(EVENT_FORMS.filter((form) => readWhen(form)?.kind !== 'event')).toEqual([]);
  });

  it('takes no line of a time or a tag', () => {
    expect(['every day at 7', 'on the 1st of each month at 9', '每年1月1日9点', 'when a note gets the tag #new'].map(said)).toEqual([
      'times',
      'times',
      'times',
      'tag',
    ]);
  });
});
