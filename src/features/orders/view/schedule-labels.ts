import type { DatabaseRef } from '../../../tools/contract/databases.ts';
import { localeOf, moment } from '../../../ui/labels/format.ts';
import type { MessageKey, Translate } from '../../../ui/ports/i18n.ts';
import type { DayChoice, Days, EventSchedule, OrderProblem, Schedule, TimeOfDay } from '../order.ts';

const SUNDAY = 4;
const ROWS: Readonly<Record<string, MessageKey>> = { made: 'orders.onRowsNew', changed: 'orders.onRowsChanged' };
const HAPPENS = { made: 'orders.made', moved: 'orders.moved', changed: 'orders.edited' } as const;

const clock = ({ hour, minute }: TimeOfDay): string => `${hour}:${String(minute).padStart(2, '0')}`;

function dayName(day: number, t: Translate): string {
  return new Date(1970, 0, SUNDAY + day).toLocaleDateString(localeOf(t), { weekday: 'long' });
}

const monthName = (month: number, t: Translate): string => new Date(1970, month - 1, 1).toLocaleDateString(localeOf(t), { month: 'long' });

const NTH = ['orders.nthLast', 'orders.nthFirst', 'orders.nthSecond', 'orders.nthThird', 'orders.nthFourth'] as const;

function monthLabel(days: readonly number[] | 'last', times: string, t: Translate): string {
  if (days === 'last') return t('orders.monthEnd', { times });
  const [first = 0] = days;
  if (first < 0) return t('orders.monthBack', { n: -first, times });
  return t('orders.monthly', { n: days.length, day: days.join(t('work.comma')), times });
}

function nthLabel(nth: number | 'last', day: string, times: string, t: Translate): string {
  if (nth !== 'last' && nth < 0) return t('orders.nthBack', { n: -nth, day, times });
  return t(NTH[nth === 'last' ? 0 : nth] ?? NTH[0], { day, times });
}

function daysLabel(days: DayChoice, times: string, t: Translate): string {
  if (days.kind === 'day') return t('orders.daily', { times });
  if (days.kind === 'month') return monthLabel(days.days, times, t);
  if (days.kind === 'workday') return t(days.nth === 'last' ? 'orders.workdayLast' : 'orders.workdayFirst', { times });
  if (days.kind === 'nth') return nthLabel(days.nth, dayName(days.weekday, t), times, t);
  if (days.days.join() === '1,2,3,4,5') return t('orders.weekdays', { times });
  return t('orders.weekly', { days: days.days.map((day) => dayName(day, t)).join(t('work.comma')), times });
}

/** Some days of some months, or only every so many. */
function ruleLabel({ days, months, every }: Days, times: string, t: Translate): string {
  const [month = 1, more] = months ?? [];
  if (months && more === undefined && days.kind === 'month' && days.days !== 'last' && (days.days[0] ?? 0) > 0) {
    const date = new Date(1970, month - 1, days.days[0]).toLocaleDateString(localeOf(t), { month: 'long', day: 'numeric' });
    return t('orders.yearly', { date, times });
  }
  if (every?.unit === 'days') return t('orders.everyDays', { n: every.count, times });
  const rule = daysLabel(days, times, t);
  if (every) return t('orders.everyWeeks', { rule, n: every.count });
  return months ? t('orders.inMonths', { rule, months: months.map((each) => monthName(each, t)).join(t('work.comma')) }) : rule;
}

/** A database by a reference: several may have its name. */
export const referenceTo = ({ id, name, document }: Pick<DatabaseRef, 'id' | 'name' | 'document'>): string =>
  `((${id} "${(name === '' ? document.title : name).replaceAll(/["()]/gu, ' ').trim()}"))`;

/** An order can say it in these words. */
function eventLabel(event: EventSchedule, t: Translate): string {
  const { name: place } = event.target;
  if (event.of === 'dates') {
    const when = { column: event.column, place, time: clock(event.time), n: event.before };
    return t(event.before === 0 ? 'orders.onDate' : 'orders.beforeDate', when);
  }
  const { on } = event;
  if (event.of === 'rows') {
    const rule = t(ROWS[on.join()] ?? 'orders.onRows', { place });
    return event.except === '' ? rule : t('orders.exceptColumn', { rule, column: event.except });
  }
  if (event.count > 1) return t('orders.onCount', { n: event.count, place });
  if (on.join() === 'made,moved') return t('orders.onAdded', { place });
  if (on.join() === 'moved') return t('orders.onMoved', { place });
  return t('orders.onNotes', { what: on.map((each) => t(HAPPENS[each])).join(t('orders.or')), place });
}

/** How a schedule was understood, as a sentence without its end. */
export function scheduleLabel(schedule: Schedule, t: Translate): string {
  if (schedule.kind === 'tag') return t('orders.onTag', { tag: `#${schedule.tag}` });
  if (schedule.kind === 'event') return eventLabel(schedule, t);
  if (schedule.kind === 'cron') return t('orders.byCron', { cron: schedule.cron });
  if (schedule.kind === 'every') return t(schedule.unit === 'hours' ? 'orders.everyHours' : 'orders.everyMinutes', { n: schedule.count });
  const rule = ruleLabel(schedule, schedule.times.map(clock).join(t('work.comma')), t);
  if (schedule.from === undefined) return rule;
  const date = new Date(`${schedule.from}T12:00:00`).toLocaleDateString(localeOf(t), { dateStyle: 'medium' });
  return t('orders.startingOn', { rule, date });
}

/** The next times, in a line. */
export const nextLabel = (times: readonly number[], t: Translate): string =>
  t('orders.next', { times: times.map((time) => moment(time, t)).join('; ') });

export const problemLabel = ({ code, line }: OrderProblem, t: Translate): string => t(`orders.problem.${code}`, { line });
