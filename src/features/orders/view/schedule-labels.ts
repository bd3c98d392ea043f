import { localeOf } from '../../../ui/labels/format.ts';
import type { MessageKey, Translate } from '../../../ui/ports/i18n.ts';
import type { OrderProblem, Schedule, TimeOfDay } from '../order.ts';

const SUNDAY = 4;

const clock = ({ hour, minute }: TimeOfDay): string => `${hour}:${String(minute).padStart(2, '0')}`;

function dayName(day: number, t: Translate): string {
  return new Date(1970, 0, SUNDAY + day).toLocaleDateString(localeOf(t), { weekday: 'long' });
}

const NTH = ['orders.nthLast', 'orders.nthFirst', 'orders.nthSecond', 'orders.nthThird', 'orders.nthFourth'] as const;

function monthLabel(days: readonly number[] | 'last', times: string, t: Translate): string {
  if (days === 'last') return t('orders.monthEnd', { times });
  return t('orders.monthly', { n: days.length, day: days.join(t('work.comma')), times });
}

/** How a schedule was understood, as a sentence without its end. */
export function scheduleLabel(schedule: Schedule, t: Translate): string {
  if (schedule.kind === 'tag') return t('orders.onTag', { tag: `#${schedule.tag}` });
  if (schedule.kind === 'cron') return t('orders.byCron', { cron: schedule.cron });
  if (schedule.kind === 'every') return t(schedule.unit === 'hours' ? 'orders.everyHours' : 'orders.everyMinutes', { n: schedule.count });
  const times = schedule.times.map(clock).join(t('work.comma'));
  const { days } = schedule;
  if (days.kind === 'day') return t('orders.daily', { times });
  if (days.kind === 'month') return monthLabel(days.days, times, t);
  if (days.kind === 'nth') return t(NTH[days.nth === 'last' ? 0 : days.nth] ?? NTH[0], { day: dayName(days.weekday, t), times });
  if (days.days.join() === '1,2,3,4,5') return t('orders.weekdays', { times });
  return t('orders.weekly', { days: days.days.map((day) => dayName(day, t)).join(t('work.comma')), times });
}

const PROBLEMS = {
  no_when: 'orders.problem.no_when',
  bad_when: 'orders.problem.bad_when',
  too_often: 'orders.problem.too_often',
  no_text: 'orders.problem.no_text',
  bad_budget: 'orders.problem.bad_budget',
  bad_notebook: 'orders.problem.bad_notebook',
  bad_model: 'orders.problem.bad_model',
  bad_line: 'orders.problem.bad_line',
  foreign_text: 'orders.problem.foreign_text',
} as const satisfies Record<OrderProblem['code'], MessageKey>;

export const problemLabel = ({ code, line }: OrderProblem, t: Translate): string => t(PROBLEMS[code], { line });
