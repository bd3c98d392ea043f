import { Cron } from 'croner';
import type { DayChoice, Schedule } from './order.ts';

/** Milliseconds between two runs of an order, at least: a model takes longer. */
const LEAST_GAP_MS = 5 * 60_000;

function dayFields(days: DayChoice): string {
  if (days.kind === 'day') return '* * *';
  if (days.kind === 'week') return `* * ${days.days.join(',')}`;
  if (days.kind === 'nth') return `* * ${days.weekday}#${days.nth === 'last' ? 'L' : days.nth}`;
  return `${days.days === 'last' ? 'L' : days.days.join(',')} * *`;
}

/** As cron says it; empty for a tag. */
function cronsOf(schedule: Schedule): readonly string[] {
  if (schedule.kind === 'cron') return [schedule.cron];
  if (schedule.kind === 'every') return [schedule.unit === 'hours' ? `0 */${schedule.count} * * *` : `*/${schedule.count} * * * *`];
  if (schedule.kind === 'times') return schedule.times.map(({ hour, minute }) => `${minute} ${hour} ${dayFields(schedule.days)}`);
  return [];
}

/**
 * The next times after `from`, in milliseconds; none for a tag, or for a date that never comes. A local time that the clock skips runs
 * once, at the moment it skips to; one that comes twice runs the first time. Throws what the cron is refused for.
 */
export function nextRuns(schedule: Schedule, from: number, count: number, timezone: string): readonly number[] {
  const all = cronsOf(schedule).flatMap((cron) => new Cron(cron, { timezone, paused: true }).nextRuns(count, new Date(from)));
  return [...new Set(all.map((date) => date.getTime()))].sort((left, right) => left - right).slice(0, count);
}

/** Null if its times can be used. */
export function problemOfTimes(schedule: Schedule, from: number, timezone: string): 'bad_when' | 'too_often' | null {
  if (schedule.kind === 'tag') return null;
  try {
    const runs = nextRuns(schedule, from, 20, timezone);
    if (runs.length === 0) return 'bad_when';
    const isOften = runs.some((time, index) => index > 0 && time - (runs[index - 1] ?? 0) < LEAST_GAP_MS);
    return isOften ? 'too_often' : null;
  } catch {
    return 'bad_when';
  }
}
