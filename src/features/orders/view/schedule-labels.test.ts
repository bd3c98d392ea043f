import { expect, it } from 'vitest';
import english from '../../../../i18n/en_US.json';
import traditional from '../../../../i18n/zh_CHT.json';
import chinese from '../../../../i18n/zh_CN.json';
import { createTranslate } from '../../../ui/ports/i18n.ts';
import { readWhen } from '../schedule-words.ts';
import { scheduleLabel } from './schedule-labels.ts';

it.each([
  ['every weekday at 7', 'Monday to Friday at 7:00', '周一至周五 7:00'],
  ['every 3 days', 'Every 3 days at 7:00', '每 3 天 7:00'],
  ['every 2 weeks on Friday', 'Friday at 7:00, every 2 weeks', '每星期五 7:00，每 2 周一次'],
  ['every 2 weeks from 2026-12-07', 'Monday at 7:00, every 2 weeks, from Dec 7, 2026', '每星期一 7:00，每 2 周一次，从2026年12月7日起'],
  ['every 6 months', 'On day 1 of each month at 7:00, only in January, July', '每月 1 日 7:00，仅一月、七月'],
  ['every January 1 at 9', 'Every year on January 1 at 9:00', '每年1月1日9:00'],
  ['last workday of the month', 'On the last workday of each month at 7:00', '每月最后一个工作日 7:00'],
  ['first workday of the month', 'On the first workday of each month at 7:00', '每月第一个工作日 7:00'],
  ['monthly on the 4th last', 'On day 4 of each month, counted from its end, at 7:00', '每月倒数第 4 天 7:00'],
  ['monthly on the 2nd last Friday', 'On Friday number 2 of each month, counted from its end, at 7:00', '每月倒数第 2 个星期五 7:00'],
])('says how it was understood: %s', (phrase, inEnglish, inChinese) => {
  const schedule = readWhen(phrase);
  const labels = [english, chinese].map((texts) => schedule && scheduleLabel(schedule, createTranslate(texts)));
  expect(labels).toEqual([inEnglish, inChinese]);
});

it.each([
  'when a note is added to Inbox',
  'when a note is made in Inbox',
  'when a note is moved to Work/Projects',
  'when a note in Inbox is changed',
  'when a note is made or changed in Inbox',
  'when 5 new notes are in Inbox',
  'when a row of Papers is new or changed',
  'when a row of Papers is new',
  'when a row of Papers is changed except in Claim',
  'when a row of ((20261102000000-aaaaaaa "Papers")) is new or changed except in Main claim',
  'on the date in Due of Tasks',
  '3 days before the date in Due of Tasks at 9:30',
])('says what it waits for in words that are understood, in each language: %s', (phrase) => {
  const schedule = readWhen(phrase);
  if (schedule?.kind !== 'event') throw new Error('not an event');
  const { id, name } = schedule.target;
  const written = { ...schedule, target: { name: id === undefined ? name : `((${id} "${name}"))` } };
  for (const texts of [english, chinese, traditional])
    expect(readWhen(scheduleLabel(written, createTranslate({ ...english, ...texts })))).toEqual(schedule);
});
