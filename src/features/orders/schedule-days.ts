import type { DayChoice, Days } from './order.ts';

const NUMERALS = '一二三四五六七八九';
const DAY = '(sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:day)?s?';
const DAY_KEYS = ['su', 'mo', 'tu', 'we', 'th', 'fr', 'sa'];
const DAY_RANGE = new RegExp(`\\b(?:from )?${DAY} ?(?:to|through|thru|-|–) ?${DAY}\\b`, 'gu');
const DAY_NAMES = new RegExp(`\\b${DAY}\\b`, 'gu');
const ZH_DAYS = '日一二三四五六';
const ZH_WEEK = '(?:周|星期|礼拜)';
const ZH_DAY_RANGE = new RegExp(`每?个?${ZH_WEEK}([一二三四五六日天])(?:到|至|-|~)${ZH_WEEK}?([一二三四五六日天])`, 'gu');
const ZH_DAY_LIST = new RegExp(`每?个?${ZH_WEEK}([一二三四五六日天](?:[、,，和及与]?${ZH_WEEK}?[一二三四五六日天])*)`, 'gu');
const ORDINALS = ['first', 'second', 'third', 'fourth'];
const NTH_DAY = new RegExp(
  `\\b(?:(second|third|fourth|2nd|3rd|4th)[ -](?:to[ -])?)?(first|second|third|fourth|last|1st|2nd|3rd|4th) ${DAY}\\b`,
  'gu',
);
const ZH_NTH_DAY = new RegExp(`(?:(倒数)?第([一二三四1-4])|(最后一))个?${ZH_WEEK}([一二三四五六日天])`, 'gu');
const DATE_FROM_END = /\b(second|third|fourth|\d(?:nd|rd|th))[ -](?:to[ -])?last(?: day)?\b|倒数第([一二三四1-4])[天日]/gu;
const WORKDAY_OF_MONTH = /\b(first|1st|last) (?:weekday|workday|working day|business day)\b|(?:第[一1]|首|(最后一))个?工作日/gu;
const MONTH_KEYS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTHS =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
/** 29 February is not of every year. */
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const DATES_OF_YEAR: readonly RegExp[] = [
  new RegExp(`\\b(?<month>${MONTHS}) (?<day>\\d{1,2})(?:st|nd|rd|th)?\\b(?![:.]\\d| ?[ap]m\\b| ?o'clock)`, 'gu'),
  new RegExp(`\\b(?:the )?(?<day>\\d{1,2})(?:st|nd|rd|th)? (?:of )?(?<month>${MONTHS})\\b`, 'gu'),
  /\b(?<one>\d{1,2})\/(?<other>\d{1,2})\b/gu,
  /(?<month>\d{1,2})月(?<day>\d{1,2})[日号]?/gu,
];
const MONTH_OF_YEAR = new RegExp(`\\b(?:of |in |on )?(${MONTHS})\\b|(\\d{1,2})月`, 'gu');
/** What is a day of each year. */
export const DATE_AHEAD = `(?:${MONTHS}|\\d{1,2}/\\d{1,2}|\\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:${MONTHS}))\\b`;
export const DAY_AHEAD = `${DAY}\\b`;
const EVERY =
  /\b(?:every|each) (?:(\d{1,2}) (day|week|month|quarter|year)s?|(week|month|quarter|year))\b|每(?:(\d{1,2})(天|日)|(?:(\d{1,2})?个?)(周(?![一二三四五六日天末])|月|季度|年))/gu;
const EXCEPT = /\b(?:every day|daily),? (?:except|but|excluding)(?: (?:not|for|on))*\b/gu;
const STARTING =
  /\b(?:from|starting(?: on| from)?|beginning(?: on)?) (\d{4}-\d{2}-\d{2})(?: on(?:wards)?)?\b|从(\d{4}-\d{2}-\d{2})(?:起|开始)?/gu;

/** 1 to 99. */
export function numberOf(chinese: string): string {
  const [tens = '', ones = ''] = chinese.includes('十') ? chinese.split('十') : ['0', chinese];
  const digit = (sign: string): number => (sign === '' ? 0 : NUMERALS.indexOf(sign.replace('两', '二')) + 1);
  const ten = tens === '' ? 1 : digit(tens);
  return String(ten * 10 + digit(ones));
}

/** Words that are replaced by a mark once they are understood: D for days, T for times. */
export class Words {
  rest: string;

  constructor(text: string) {
    this.rest = text;
  }

  take(form: RegExp, mark = ' '): readonly RegExpExecArray[] {
    const found = [...this.rest.matchAll(form)];
    if (found.length > 0) this.rest = this.rest.replaceAll(form, ` ${mark} `);
    return found;
  }

  has(form: RegExp, mark = ' '): boolean {
    return this.take(form, mark).length > 0;
  }
}

const dayOf = (name: string): number => DAY_KEYS.indexOf(name.slice(0, 2));
const zhDayOf = (sign: string): number => ZH_DAYS.indexOf(sign.replace('天', '日'));
const inOrder = (numbers: readonly number[]): readonly number[] => [...new Set(numbers)].sort((left, right) => left - right);
const nthOf = (word: string): number => ORDINALS.indexOf(word) + 1 || NUMERALS.indexOf(word) + 1 || Number(word[0]);

/** From one day to the other, over the end of the week if need be. */
const daysFrom = (first: number, last: number): readonly number[] =>
  Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, index) => (first + index) % 7);

/** Days of the week, 0 is Sunday. */
function weekDays(words: Words): readonly number[] {
  return inOrder([
    ...words.take(DAY_RANGE, 'D').flatMap(([, first = '', last = '']) => daysFrom(dayOf(first), dayOf(last))),
    ...words.take(ZH_DAY_RANGE, 'D').flatMap(([, first = '', last = '']) => daysFrom(zhDayOf(first), zhDayOf(last))),
    ...words.take(DAY_NAMES, 'D').map(([, name = '']) => dayOf(name)),
    ...words.take(ZH_DAY_LIST, 'D').flatMap(([, list = '']) => [...list].map(zhDayOf).filter((day) => day >= 0)),
  ]);
}

/** The first Monday of each month; null if there is none or several. */
function nthDay(words: Words): DayChoice | null {
  const english = words.take(NTH_DAY, 'D').map(([, back, nth = '', name = '']) => {
    const isLast = nth === 'last';
    if (back !== undefined) return { nth: isLast ? -nthOf(back) : 0, weekday: dayOf(name) };
    return { nth: isLast ? ('last' as const) : nthOf(nth), weekday: dayOf(name) };
  });
  const chinese = words.take(ZH_NTH_DAY, 'D').map(([, back, nth = '', last, sign = '']) => {
    const number = back === undefined ? nthOf(nth) : -nthOf(nth);
    return { nth: last === undefined && number !== -1 ? number : ('last' as const), weekday: zhDayOf(sign) };
  });
  const [day, more] = [...english, ...chinese];
  return day && !more && day.nth !== 0 ? { kind: 'nth', ...day } : null;
}

/** Days of the month; null if there are none, or one is no day. */
function datesOf(words: Words): DayChoice | null {
  const [back, more] = words.take(DATE_FROM_END, 'D').map(([, english, chinese = '']) => nthOf(english ?? chinese));
  if (back !== undefined) return more === undefined && back > 0 ? { kind: 'month', days: back === 1 ? 'last' : [-back] } : null;
  if (words.has(/\blast day\b|最后一天/gu, 'D')) return { kind: 'month', days: 'last' };
  const dates = words
    .take(/\b(\d{1,2})(?:st|nd|rd|th)\b(?! day)|(\d{1,2}) ?[日号]/gu, 'D')
    .map(([, english, chinese]) => Number(english ?? chinese));
  const days = inOrder(dates);
  return days.length > 0 && days.every((day) => day >= 1 && day <= 31) ? { kind: 'month', days } : null;
}

/** Days of each month; null if the text names none, or several kinds. */
function monthDays(words: Words): DayChoice | null {
  if ([NTH_DAY, ZH_NTH_DAY].some((form) => words.rest.search(form) >= 0)) return nthDay(words);
  const [workday, more] = words.take(WORKDAY_OF_MONTH, 'D');
  if (!workday) return datesOf(words);
  return more ? null : { kind: 'workday', nth: workday[1] === 'last' || workday[2] !== undefined ? 'last' : 'first' };
}

/** Every day but those that are named; null if they are not days of the week, undefined where the text excepts none. */
function otherDays(words: Words): DayChoice | null | undefined {
  if (!words.has(EXCEPT)) return undefined;
  const but = plainDays(words);
  if (but?.kind !== 'week' || but.days.length === 7) return null;
  return { kind: 'week', days: [0, 1, 2, 3, 4, 5, 6].filter((day) => !but.days.includes(day)) };
}

/** Null if the text names none, or several kinds. */
function plainDays(words: Words): DayChoice | null {
  const others = otherDays(words);
  if (others !== undefined) return others;
  // Every 2nd is not every month; the last day is of a week or a year, too; a date alone may be meant once.
  const isVague = /\bevery \d+(?:st|nd|rd|th)\b|\blast\b|最后一天|倒数|^(?:on )?(?:the )?\d+(?:st|nd|rd|th|[日号])$/u.test(
    words.rest.trim(),
  );
  const dates = datesOf(words);
  if (dates) return isVague ? null : dates;
  if (words.has(/\b(?:weekdays?|workdays?|working days?)\b|每?个?工作日|平日/gu, 'D')) return { kind: 'week', days: [1, 2, 3, 4, 5] };
  if (words.has(/\b(?:weekends?)\b|每?个?周末/gu, 'D')) return { kind: 'week', days: [0, 6] };
  const days = weekDays(words);
  if (days.length > 0) return { kind: 'week', days };
  const isDaily = words.has(/\b(?:every|each) (?=day\b|morning|evening|afternoon|night)(?:day\b)?|\bdaily\b|每天|每日|天天/gu, 'D');
  return isDaily ? { kind: 'day' } : null;
}

interface Every {
  readonly unit: 'day' | 'week' | 'month' | 'quarter' | 'year';
  readonly count: number;
}
const ZH_UNITS: Readonly<Record<string, Every['unit']>> = { 天: 'day', 日: 'day', 周: 'week', 月: 'month', 季度: 'quarter', 年: 'year' };

/** Every 2 weeks, each quarter; undefined where the text says no such thing, null where it says several. */
function everyOf(words: Words): Every | null | undefined {
  const [said, more] = words.take(EVERY);
  if (!said) return undefined;
  const [, count, counted, one, zhCount, zhDay, zhNumber, zhUnit] = said;
  const unit = ZH_UNITS[zhDay ?? zhUnit ?? ''] ?? ((counted ?? one) as Every['unit']);
  return more ? null : { unit, count: Number(count ?? zhCount ?? zhNumber ?? 1) };
}

/** 1 for January, of its name or number. */
const monthOf = (text: string): number => MONTH_KEYS.indexOf(text.slice(0, 3)) + 1 || Number(text);

/** A day of each year; null if it is no day, one that could be meant in two ways, or there are several; undefined if there is none. */
function dateOfYear(words: Words): Days | null | undefined {
  const [date, more] = DATES_OF_YEAR.flatMap((form) => words.take(form, 'D'));
  if (!date) return undefined;
  const { month: name = '', day: said, one, other } = date.groups ?? {};
  const inFigures = one === undefined ? [] : [Number(one), Number(other)];
  const [first = 0, last = 0] = inFigures;
  const couldBeEither = inFigures.length > 0 && first <= 12 && last <= 12 && first !== last;
  if (more || couldBeEither) return null;
  const named = inFigures.length > 0 ? Math.min(first, last) : monthOf(name);
  const [month, day] = [named, inFigures.length > 0 ? Math.max(first, last) : Number(said)];
  return day >= 1 && day <= (MONTH_DAYS[month - 1] ?? 0) ? { days: { kind: 'month', days: [day] }, months: [month] } : null;
}

/** Whether days are counted from the end of what they are in. */
const isFromEnd = (days: DayChoice): boolean =>
  days.kind === 'month' ? days.days === 'last' || (days.days[0] ?? 0) < 0 : 'nth' in days && (days.nth === 'last' || Number(days.nth) < 0);

function yearly(words: Words): Days | null {
  const date = dateOfYear(words);
  if (date !== undefined) return date;
  const months = words.take(MONTH_OF_YEAR).map(([, name, number = '']) => monthOf(name ?? number));
  const days = monthDays(words) ?? (words.rest.includes('D') ? null : FIRST);
  if (!days || months.some((month) => month < 1 || month > 12)) return null;
  if (months.length > 0) return { days, months: inOrder(months) };
  // The 15th of a year is no day that is said so.
  if (days.kind === 'month' && days.days !== 'last' && days.days.join() !== '1' && !isFromEnd(days)) return null;
  return { days, months: [isFromEnd(days) ? 12 : 1] };
}

const FIRST: DayChoice = { kind: 'month', days: [1] };

/** Every so many months, from January or the month of `from`; null for a number that does not fit into a year. */
function monthsOf(count: number, from: string | undefined): readonly number[] | null {
  if (count < 1 || 12 % count !== 0) return null;
  const start = (Number(from?.slice(5, 7) ?? 1) - 1) % count;
  return Array.from({ length: 12 / count }, (_, index) => start + index * count + 1);
}

function withEvery(words: Words, { unit, count }: Every, from: string | undefined): Days | null {
  if (unit === 'year') return count === 1 ? yearly(words) : null;
  if (unit === 'month' || unit === 'quarter') {
    const days = monthDays(words) ?? (words.rest.includes('D') ? null : FIRST);
    if (!days || (unit === 'quarter' && count !== 1)) return null;
    if (unit === 'quarter') return { days, months: isFromEnd(days) ? [3, 6, 9, 12] : [1, 4, 7, 10] };
    const months = monthsOf(count, from);
    return months && (count === 1 ? { days } : { days, months });
  }
  const said = plainDays(words);
  const fallback: DayChoice = unit === 'day' ? { kind: 'day' } : { kind: 'week', days: [1] };
  const days = said ?? (words.rest.includes('D') ? null : fallback);
  if (!days || count < 1 || days.kind !== fallback.kind || (said && unit === 'day')) return null;
  return count === 1 ? { days } : { days, every: { unit: `${unit}s`, count } };
}

const isReal = (day: string): boolean => new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) === day;

/** Null if the text names none, or several kinds. */
export function daysOf(words: Words): Days | null {
  const [start, other] = words.take(STARTING);
  const from = start?.[1] ?? start?.[2];
  const every = everyOf(words);
  if (every === null || other || (from !== undefined && !isReal(from))) return null;
  const isMonthly = words.has(/\b(?:of the|of a) month\b/gu);
  if (isMonthly && every && every.unit !== 'month') return null;
  const plain = (): Days | null => {
    const days = isMonthly ? monthDays(words) : plainDays(words);
    return days && { days };
  };
  const days = every ? withEvery(words, every, from) : plain();
  return days && (from === undefined ? days : { ...days, from });
}
