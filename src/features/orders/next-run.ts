import { Cron } from 'croner';
import type { DayChoice, Days, Schedule } from './order.ts';

/** Milliseconds between two runs of an order, at least: a model takes longer. */
const LEAST_GAP_MS = 5 * 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The longest month has one more day than the last that this can be asked for. */
const LONGEST = 31;

function dayFields(days: DayChoice, months: string): string {
  if (days.kind === 'day') return `* ${months} *`;
  if (days.kind === 'week') return `* ${months} ${days.days.join(',')}`;
  if (days.kind === 'workday') return `${days.nth === 'last' ? 'LW' : '1W'} ${months} *`;
  // Cron cannot count other days from the end: `isOn` leaves those of these out that are not meant.
  if (days.kind === 'nth') return `* ${months} ${days.weekday}${Number(days.nth) < 0 ? '' : `#${days.nth === 'last' ? 'L' : days.nth}`}`;
  if (days.days === 'last') return `L ${months} *`;
  const [first = 0] = days.days;
  return `${first < 0 ? `${LONGEST - 2 + first}-${LONGEST + 1 + first}` : days.days.join(',')} ${months} *`;
}

/** As cron says it; empty for a tag or an event. */
function cronsOf(schedule: Schedule): readonly string[] {
  if (schedule.kind === 'cron') return [schedule.cron];
  if (schedule.kind === 'every') return [schedule.unit === 'hours' ? `0 */${schedule.count} * * *` : `*/${schedule.count} * * * *`];
  if (schedule.kind === 'tag' || schedule.kind === 'event') return [];
  const fields = dayFields(schedule.days, schedule.months?.join(',') ?? '*');
  return schedule.times.map(({ hour, minute }) => `${minute} ${hour} ${fields}`);
}

/** Whether a day counts that is meant from the end of its month. */
function isOn({ days }: Days, date: string): boolean {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const left = new Date(Date.UTC(year, month, 0)).getUTCDate() - day;
  if (days.kind === 'month' && days.days !== 'last' && (days.days[0] ?? 0) < 0) return left + 1 === -(days.days[0] ?? 0);
  return days.kind !== 'nth' || !(Number(days.nth) < 0) || Math.floor(left / 7) + 1 === -Number(days.nth);
}

/** Days from one that cron names to the next that may be meant; 0 if it is meant itself. */
function daysToWait(schedule: Days, date: string): number {
  const { every, from } = schedule;
  const day = Date.parse(date) / DAY_MS;
  const start = from === undefined ? 0 : Date.parse(from) / DAY_MS;
  if (from !== undefined && day < start) return start - day;
  if (!every) return isOn(schedule, date) ? 0 : 1;
  // The first day of 1970 was a Thursday.
  const number = (each: number): number => (every.unit === 'days' ? each : Math.floor((each + 3) / 7));
  const over = (number(day) - number(start)) % every.count;
  if (over === 0) return 0;
  return every.unit === 'days' ? every.count - over : (every.count - over) * 7 - ((day + 3) % 7);
}

/** Runs of one cron line on the days that are meant. */
function runsOf(cron: Cron, schedule: Days, from: number, count: number, timezone: string): readonly Date[] {
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone });
  const runs: Date[] = [];
  let run = cron.nextRun(new Date(from));
  while (run && runs.length < count) {
    const wait = daysToWait(schedule, local.format(run));
    if (wait === 0) runs.push(run);
    // Half a day before it, since days differ in length where the clock is changed.
    run = cron.nextRun(wait > 1 ? new Date(run.getTime() + wait * DAY_MS - 12 * HOUR_MS) : run);
  }
  return runs;
}

const isCounted = (schedule: Schedule): schedule is Extract<Schedule, { kind: 'times' }> => {
  if (schedule.kind !== 'times') return false;
  const { days } = schedule;
  const isBack =
    (days.kind === 'nth' && Number(days.nth) < 0) || (days.kind === 'month' && days.days !== 'last' && Number(days.days[0]) < 0);
  return isBack || schedule.every !== undefined || schedule.from !== undefined;
};

/**
 * The next times after `from`, in milliseconds; none for a tag, or for a date that never comes. A local time that the clock skips runs
 * once, at the moment it skips to; one that comes twice runs the first time. Throws what the cron is refused for.
 */
export function nextRuns(schedule: Schedule, from: number, count: number, timezone: string): readonly number[] {
  const all = cronsOf(schedule).flatMap((line) => {
    const cron = new Cron(line, { timezone, paused: true });
    return isCounted(schedule) ? runsOf(cron, schedule, from, count, timezone) : cron.nextRuns(count, new Date(from));
  });
  return [...new Set(all.map((date) => date.getTime()))].sort((left, right) => left - right).slice(0, count);
}

/** Null if its times can be used. */
export function problemOfTimes(schedule: Schedule, from: number, timezone: string): 'bad_when' | 'too_often' | null {
  if (schedule.kind === 'tag' || schedule.kind === 'event') return null;
  try {
    const runs = nextRuns(schedule, from, 20, timezone);
    if (runs.length === 0) return 'bad_when';
    const isOften = runs.some((time, index) => index > 0 && time - (runs[index - 1] ?? 0) < LEAST_GAP_MS);
    return isOften ? 'too_often' : null;
  } catch {
    return 'bad_when';
  }
}
