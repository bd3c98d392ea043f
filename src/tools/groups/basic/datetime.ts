import { ToolError } from '../../contract/errors.ts';
import type { Clock } from '../../contract/ports.ts';
import type { ToolInfo } from '../../contract/tool-info.ts';
import type { Tool, ToolArguments } from '../../contract/types.ts';
import { defineTool, numberArgument, READ_FREELY, textArgument } from '../../util/define.ts';

const DAY_MS = 86_400_000;

export const DATETIME = {
  name: 'datetime',
  kind: 'other',
  icon: 'iconMarginaliaWait',
  subject: ['date'],
  examples: [{ date: '2026-02-01' }],
} as const satisfies ToolInfo;

/** Now, or a calendar day, with what models get wrong: weekday, week, days between. `timeZone`: the user's, IANA. */
export function createDatetime(clock: Pick<Clock, 'now'>, timeZone: string): Tool {
  return defineTool({
    name: DATETIME.name,
    description: 'The date and time now, or weekday, week and distance of a day.',
    properties: {
      timeZone: { type: 'string', minLength: 1, description: `IANA name (default ${timeZone})` },
      date: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'YYYY-MM-DD (default today)' },
      addDays: { type: 'integer', minimum: -100_000, maximum: 100_000, description: 'days to add to it' },
    },
    required: [],
    ...READ_FREELY,
    publicResult: true,
    SKIP_CACHE_RESULT: true,
    execute: async (args) => ({ status: 'success', data: describe(args, clock.now(), timeZone), trusted: true }),
  });
}

function describe(args: ToolArguments, now: number, userZone: string): string {
  const zone = textArgument(args, 'timeZone') ?? userZone;
  const local = localTime(now, zone);
  const today = local.slice(0, 10);
  const date = textArgument(args, 'date');
  const addDays = numberArgument(args, 'addDays', 0);
  if (date === undefined && addDays === 0) return `${local} ${weekday(startOfDay(today))}, ${week(startOfDay(today))}, ${zone}`;
  const day = startOfDay(date ?? today) + addDays * DAY_MS;
  const distance = Math.round((day - startOfDay(today)) / DAY_MS);
  const away = distance > 0 ? `in ${distance} days` : `${-distance} days ago`;
  const words = distance === 0 ? 'today' : away;
  return `${isoDay(day)} ${weekday(day)}, ${week(day)}, ${words} (today is ${today} in ${zone})`;
}

function localTime(now: number, zone: string): string {
  const parts = new Map<string, string>(
    formatter(zone)
      .formatToParts(now)
      .map(({ type, value }) => [type, value]),
  );
  const get = (type: string): string => parts.get(type) ?? '';
  const offset = /[+-]\d{2}:\d{2}/u.exec(get('timeZoneName'))?.[0] ?? '+00:00';
  return `${get('year').padStart(4, '0')}-${get('month')}-${get('day')}T${get('hour')}:${get('minute')}:${get('second')}${offset}`;
}

function formatter(zone: string): Intl.DateTimeFormat {
  const two = '2-digit';
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      timeZoneName: 'longOffset',
      year: 'numeric',
      month: two,
      day: two,
      hour: two,
      minute: two,
      second: two,
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ToolError(
      'bad_time_zone',
      `"${zone.slice(0, 60)}" is not a time zone`,
      'use an IANA name such as Europe/Berlin or UTC, or leave it out',
    );
  }
}

/** Milliseconds of a calendar day, free of time zones. */
function startOfDay(day: string): number {
  const time = Date.parse(`${day}T00:00:00Z`);
  if (!Number.isNaN(time) && isoDay(time) === day) return time;
  throw new ToolError('bad_date', `${day} is not a valid date`, 'use YYYY-MM-DD');
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function weekday(day: number): string {
  return new Date(day).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' });
}

/** ISO 8601: the week of the year that contains the day's Thursday. */
function week(day: number): string {
  const thursday = day + (3 - ((new Date(day).getUTCDay() + 6) % 7)) * DAY_MS;
  const year = new Date(thursday).getUTCFullYear();
  const number = Math.floor((thursday - Date.UTC(year, 0, 1)) / (7 * DAY_MS)) + 1;
  return `week ${year}-W${String(number).padStart(2, '0')}`;
}
