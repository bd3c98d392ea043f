import { NUMBERS, readEvent } from './event-words.ts';
import type { Days, Schedule, TimeOfDay } from './order.ts';
import { DATE_AHEAD, DAY_AHEAD, daysOf, numberOf, Words } from './schedule-days.ts';

/** Forms that are understood, for those who wrote another. */
export const WHEN_FORMS: readonly string[] = [
  'every day at 7',
  'every weekday at 7:30',
  'each Sunday at 19:00',
  'Monday and Thursday at 8 am',
  'on the 1st of each month at 9',
  'the first Monday of each month at 10',
  'every 2 weeks on Friday at 16:00',
  'the last workday of each month at 9',
  'every January 1 at 9',
  'every 2 hours',
  'every 2 hours between 9 and 17',
  '0 7 * * 1-5',
  'when a note gets the tag #summarize',
  '每个工作日早上 7 点',
  '每周日晚上 8 点',
  '每月 1 日 9 点',
  '每两周的周五 16:00',
  '每年 1 月 1 日 9 点',
  '笔记加上标签 #总结 时',
];

const DEFAULT_TIME: TimeOfDay = { hour: 7, minute: 0 };
const MAX_TIMES = 24;
const EVEN_HOURS: readonly number[] = [1, 2, 3, 4, 6, 8, 12];
const EVEN_MINUTES: readonly number[] = [5, 10, 15, 20, 30];

/** `#a tag#`, a word, or either in quotes. */
const TAG =
  '["“”„\'‘’‚`«»‹›「『《〈【]?\\s?(?:#([^#]+)#|#?([^\\s#"“”„‘’‚`«»‹›「」『』《》〈〉【】]+?))\\s?["“”\'‘’`«»‹›」』》〉】]?[.。!！]?';
const TAG_FORMS = [
  new RegExp(`^when(?:ever)? (?:a|any) note (?:gets|has|is given) (?:the |a )?tag:? *${TAG}$`, 'iu'),
  new RegExp(`^when(?:ever)? (?:(?:a|any) note (?:is|gets) tagged|i tag (?:a|any) note)(?: with| as)? *${TAG}$`, 'iu'),
  new RegExp(
    `^(?:[当當]|每[当當])?(?:有|某个|一个|一篇|给)?(?:笔记|文档|筆記|文件)(?:被)?(?:加上|打上|打|添加|获得|得到|有了|獲得)(?:了)?(?:标签|標籤) *${TAG} *(?:时|時|的时候|的時候)?[.。]?$`,
    'u',
  ),
  new RegExp(
    `^(?:[当當]|每[当當])?(?:有|某个|一个|一篇|给)?(?:笔记|文档|筆記|文件)(?:被)?(?:加上|打上|添加|获得|得到|有了|獲得)(?:了)? *${TAG} *(?:标签|標籤) *(?:时|時|的时候|的時候)?[.。]?$`,
    'u',
  ),
];
const CRON = /^(?:cron:? *)?((?:[\d*/,\-?#LW]|\b(?![LW]{3})[A-Za-z]{3}\b)+(?: +(?:[\d*/,\-?#LW]|\b(?![LW]{3})[A-Za-z]{3}\b)+){4,5})$/u;

const TRADITIONAL: Readonly<Record<string, string>> = {
  個: '个',
  週: '周',
  點: '点',
  時: '时',
  號: '号',
  鐘: '钟',
  禮: '礼',
  兩: '两',
  後: '后',
  裡: '里',
};
/** Other words for what is understood. */
const SAME: readonly (readonly [RegExp, string])[] = [
  [/[’‘]/gu, "'"],
  [/(?<=[a-z])(?: ?& ?|\/)(?=[a-z])/gu, ' and '],
  [/\b([ap])\.m\b\.?/gu, '$1m'],
  [/\beveryday\b/gu, 'every day'],
  [/\bfirst(?: day)?(?= of (?:the|each|every) (?:month|quarter|year))/gu, '1st'],
  [/每月第一天/gu, '每月1日'],
  [/(?<=每个?季度?的?)第一天/gu, ' 1日'],
  [/每?逢(?=周|星期|礼拜)/gu, '每'],
  [/\bhalf (?:an )?hour\b|半个?小时/gu, '30 minutes'],
  // Two words for one time.
  [
    /\b(?:12(?:[:.]00)?|twelve) ?(?:o'clock )?(?:at )?midnight\b|\bmidnight \(?12(?:[:.]00)?(?: ?am)?\b\)?|午夜(?:12|十二|0|零)(?:点整?|:00)/gu,
    'midnight',
  ],
  [/\b(?:12(?:[:.]00)?|twelve) ?(?:o'clock )?(?:at )?noon\b|\bnoon \(?12(?:[:.]00)?(?: ?pm)?\b\)?|正午(?:12|十二)(?:点整?|:00)/gu, 'noon'],
  [/(?<=[\d点时分半mhk])[.。]$/gu, ''],
  [/\bnightly\b/gu, 'every night'],
  [/\bhourly (?=between|from)/gu, 'every hour '],
  [/\bbi-?weekly\b|\bfortnightly\b|\b(?:every|each) fortnight\b/gu, 'every 2 weeks'],
  [/\bbi-?monthly\b/gu, 'every 2 months'],
  [/\bsemi-?annual(?:ly)?\b|\bhalf-?yearly\b|\bevery half(?: a)? year\b|每半年/gu, 'every 6 months'],
  [/\bweekly\b/gu, 'every week'],
  [/\bmonthly\b/gu, 'every month'],
  [/\bquarterly\b|每个?季度?/gu, 'every quarter'],
  [/\b(?:yearly|annual(?:ly)?)\b/gu, 'every year'],
  [/\bone a day\b/gu, 'every day'],
  [/\b(?:once (?:a|every|each)|per) (day|week|month|quarter|year)\b/gu, 'every $1'],
  [/\bonce every\b/gu, 'every'],
  [/\b(?:every|each) (?:other|2nd|second) (day|week|month)\b/gu, 'every 2 $1s'],
  [/\b(?:every|each) (?:3rd|third) (day|week|month)\b/gu, 'every 3 $1s'],
  [/\b(?:every|each) (?:other weekend|(?:two|2) weekends)\b/gu, 'every 2 weeks on weekends'],
  [new RegExp(`\\b(?:every|each) other (?=${DAY_AHEAD})`, 'gu'), 'every 2 weeks on '],
  [new RegExp(`\\b(?:every|each) (?=${DATE_AHEAD})`, 'gu'), 'every year on '],
  [/\ball weekends\b/gu, 'weekends'],
  [/^(?:on )?(?=(?:mornings|evenings|afternoons|nights)\b)/gu, 'every day '],
  [/每?([\d一二两三四五六七八九十]+个?)(天|日|周|星期|礼拜|月|年)[一1]次/gu, '每$1$2'],
  [/每(天|日|周|星期|礼拜|个?月|年)[一1]次/gu, '每$1'],
  [/每?隔(?:[一1]个?)?(天|日|周|星期|礼拜|月)/gu, '每2$1'],
  [/(?<=每[\d一二两三四五六七八九十]{0,3}个?)(?:星期|礼拜)(?![一二三四五六日天末])/gu, '周'],
  [/每晚(?!上)/gu, '每天晚上'],
  [/每早(?!上|晨)/gu, '每天早上'],
  [/点(?:一刻|1刻)/gu, '点15分'],
  [/点(?:三刻|3刻)/gu, '点45分'],
];
const ZH_TIME =
  /(凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜|深夜)?(\d{1,2})(?:[点时](?:(\d{1,2})分?|(半))?|[:：](\d{2})(?! *[ap]\.?m))/gu;
/** A number alone is a time only after these. */
const EN_TIME =
  /(?:\b(\d{1,2})(?:[:.](\d{2}))? *(am|pm|a\.m\.|p\.m\.|h\b|o'?clock)|\b(\d{1,2})[:.](\d{2})|(?<=(?:^|\bat|\band|,|D) *)(\d{1,2}))(?![\d:.])/gu;
const HOURS_BETWEEN =
  /(?:\b(?:every|each)|每隔?) ?(?:(\d{1,2}) )?hours? (?:between|from) (\S+(?: ?[ap]m)?) (?:and|to|until|till|-) (\S+(?: ?[ap]m)?)/u;
const ZH_HOURS_BETWEEN = /(\d{1,2})(?:点|:00)?(?:到|至|-)(\d{1,2})(?:点|:00)?(?:之间)?,?每隔?(\d{1,2})?个?小时/u;
const FILLER = /\b(?:every|each|on|at|the|of|and|in|a|day|days|morning|mornings|o'clock)\b|每天|[,，、。.;和的在每于DT]/gu;

/** The text of a line without its Markdown. */
const plain = (text: string): string =>
  text
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll('`', '')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/(?<=\p{Script=Han}) (?=\d)|(?<=\d) (?=\p{Script=Han})/gu, '')
    .trim();

/** In small letters, digits and simplified signs, with fewer words for the same. */
function normalized(text: string): string {
  let said = text.toLowerCase().replaceAll(/[個週點時號鐘禮兩後裡]/gu, (sign) => TRADITIONAL[sign] ?? sign);
  for (const [form, same] of SAME) said = said.replaceAll(form, same);
  const unit = /每[\d一二两三四五六七八九十]*(?:个?月|年)/u.test(said) ? '点|个?小时|分钟|月|[日号]' : '点|个?小时|分钟';
  return said
    .replaceAll(/(?<=每)[一二两三四五六七八九十]{1,3}(?=个?(?:天|日|周|月|年))/gu, numberOf)
    .replaceAll(new RegExp(`(?<![周期拜])[一二两三四五六七八九十]{1,3}(?=${unit})`, 'gu'), numberOf)
    .replaceAll(/\b(at|every|each) ([a-z]+)\b/gu, (whole, before: string, word: string) => {
      return NUMBERS.includes(word) ? `${before} ${NUMBERS.indexOf(word) + 1}` : whole;
    });
}

function everyFew(text: string): Schedule | null {
  if (/^(?:every hour|hourly|每个?小时)$/u.test(text)) return { kind: 'every', unit: 'hours', count: 1 };
  const [, count, english, chinese] = /^(?:every|each|每隔?) ?(\d{1,2}) ?(?:(hours?|minutes?|min)|(个?小时|分钟))$/u.exec(text) ?? [];
  if (count === undefined) return null;
  const unit = /^h|小/u.test(`${english ?? ''}${chinese?.replace('个', '') ?? ''}`) ? 'hours' : 'minutes';
  const isEven = (unit === 'hours' ? EVEN_HOURS : EVEN_MINUTES).includes(Number(count));
  return isEven ? { kind: 'every', unit, count: Number(count) } : null;
}

interface PartOfDay {
  /** Hours that are meant as they are said, from and to. */
  readonly same: readonly (readonly [number, number])[];
  /** Those of the second half of the day. */
  readonly late?: readonly [number, number];
  /** Whether 12 is midnight. */
  readonly midnight?: true;
}
const PARTS: readonly (readonly [RegExp, PartOfDay])[] = [
  [/凌晨/u, { same: [[0, 6]], midnight: true }],
  [/早|上午|morning/u, { same: [[0, 11]] }],
  [/中午/u, { same: [[11, 12]], late: [1, 2] }],
  [/下午/u, { same: [[12, 20]], late: [1, 8] }],
  [/afternoon/u, { same: [[12, 18]], late: [1, 7] }],
  [/傍晚|evening/u, { same: [[16, 23]], late: [4, 11] }],
  [/晚上/u, { same: [[18, 23]], late: [5, 11], midnight: true }],
  // Every night at 2.
  [
    /night|夜/u,
    {
      same: [
        [0, 4],
        [18, 23],
      ],
      late: [6, 11],
      midnight: true,
    },
  ],
];

/** A time as it is meant in a part of the day, '' for none; null where they do not fit. */
function timeOf(hour: number, minute: number, part: string): TimeOfDay | null {
  if (hour > 23 || minute > 59) return null;
  const of = PARTS.find(([form]) => form.test(part))?.[1];
  if (!of) return { hour, minute };
  if (hour === 12 && of.midnight) return { hour: 0, minute };
  const isIn = ([from, to]: readonly [number, number]): boolean => hour >= from && hour <= to;
  if (of.late && isIn(of.late)) return { hour: hour + 12, minute };
  return of.same.some(isIn) ? { hour, minute } : null;
}

/** The part of the day that English times are in; null if there are several. */
function englishPart(words: Words): string | null {
  const parts = new Set(words.take(/\b(?:in the )?(morning|evening|afternoon|night)s?\b/gu).map(([, part = '']) => part));
  return parts.size > 1 ? null : ([...parts][0] ?? '');
}

function chineseTimes(words: Words): readonly (TimeOfDay | null)[] {
  let part = '';
  return words.take(ZH_TIME, 'T').map(([, said, hour, minutes, half, colon]) => {
    // What is said of one holds for the next: 晚上7点和9点.
    if (said !== undefined) part = said;
    else if (Number(hour) > 12) part = '';
    return timeOf(Number(hour), half === undefined ? Number(minutes ?? colon ?? 0) : 30, part);
  });
}

function englishTimes(words: Words, part: string): readonly (TimeOfDay | null)[] {
  return words.take(EN_TIME, 'T').map(([, hour, minute, half = '', clock, minutes, alone]) => {
    const said = Number(hour ?? clock ?? alone);
    const rest = Number(minute ?? minutes ?? 0);
    if (!/^[ap]/u.test(half)) return timeOf(said, rest, part);
    const isLate = half.startsWith('p');
    const isWrong = said < 1 || said > 12 || (isLate ? part === 'morning' : part === 'evening' || part === 'afternoon');
    return isWrong ? null : timeOf((said % 12) + (isLate ? 12 : 0), rest, '');
  });
}

/** Null if one of them is not a time, or it is not said when in an evening. */
function timesOf(words: Words): readonly TimeOfDay[] | null {
  const part = englishPart(words);
  if (part === null) return null;
  const named = [
    ...words.take(/\bnoon\b|正午/gu, 'T').map(() => ({ hour: 12, minute: 0 })),
    ...words.take(/\bmidnight\b|午夜/gu, 'T').map(() => ({ hour: 0, minute: 0 })),
  ];
  const times = [
    ...named,
    ...chineseTimes(words),
    ...englishTimes(words, part),
    ...words.take(/中午/gu, 'T').map(() => ({ hour: 12, minute: 0 })),
  ];
  if (times.length === 0) words.take(/早上|早晨/gu);
  if (times.length === 0 && part !== '' && part !== 'morning') return null;
  const inOrder = times
    .filter((time) => time !== null)
    .sort((left, right) => left.hour * 60 + left.minute - right.hour * 60 - right.minute);
  const isAgain = ({ hour, minute }: TimeOfDay, at: number): boolean =>
    inOrder[at - 1]?.hour === hour && inOrder[at - 1]?.minute === minute;
  return inOrder.length === times.length ? inOrder.filter((time, at) => !isAgain(time, at)) : null;
}

/** Whole hours from one to another, as times; null if the text says no such thing, or not clearly. */
function hoursBetween(words: Words): readonly TimeOfDay[] | null {
  const english = HOURS_BETWEEN.exec(words.rest);
  const chinese = ZH_HOURS_BETWEEN.exec(words.rest);
  const [whole, step, first = '', last = ''] = english ?? (chinese ? [chinese[0], chinese[3], chinese[1], chinese[2]] : []);
  if (whole === undefined) return null;
  const read = (text: string): number | undefined => {
    const [time, more] = englishTimes(new Words(text.trim()), '');
    return time && !more && time.minute === 0 ? time.hour : undefined;
  };
  const [from, to, by] = [read(first), read(last), Number(step ?? 1)];
  if (from === undefined || to === undefined || to <= from || by === 0) return null;
  words.rest = words.rest.replace(whole, ' T ');
  return Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, index) => ({ hour: from + index * by, minute: 0 }));
}

/** Whether it is clear which times are of which days: not Mondays at 9 and Fridays at 16, nor midnight of a Saturday. */
function isClear(words: Words, { days }: Days, times: readonly TimeOfDay[], text: string): boolean {
  const mixed = /T[^T]*D[^D]*T|D[^D]*T[^T]*D/u.test(words.rest);
  const isNight = /night|晚上|夜/u.test(text) && times.some(({ hour }) => hour < 5);
  return !mixed && (days.kind === 'day' || !isNight);
}

/** A time of day of a line of times; the usual one for none. */
function timeOfDay(text: string): TimeOfDay | null {
  const said = text.trim();
  const words = /\p{Script=Han}/u.test(said) ? `每天${said}` : `every day at ${said}`;
  const schedule = readTimes(said === '' ? 'every day' : words);
  const [time, more] = schedule?.kind === 'times' && schedule.days.kind === 'day' ? schedule.times : [];
  return time && !more ? time : null;
}

/** Reads when an order runs, in cron or in words, or what it waits for; null if it is not understood, or only in part. */
export function readWhen(line: string): Schedule | null {
  const text = plain(line);
  return readTimes(text) ?? readEvent(text, timeOfDay);
}

function readTimes(text: string): Schedule | null {
  for (const form of TAG_FORMS) {
    const [, closed, word] = form.exec(text) ?? [];
    const tag = (closed ?? word)?.trim();
    if (tag) return { kind: 'tag', tag };
  }
  const cron = CRON.exec(text)?.[1];
  if (cron !== undefined) return { kind: 'cron', cron: cron.trim() };
  const said = normalized(text);
  const few = everyFew(said.trim());
  if (few) return few;
  const words = new Words(said);
  const isTwice = words.has(/\btwice a day\b/gu, 'D');
  const between = hoursBetween(words);
  const days = daysOf(words) ?? (isTwice || (between && !words.rest.includes('D')) ? { days: { kind: 'day' as const } } : null);
  const times = between ?? timesOf(words);
  if (!days || !times || times.length > MAX_TIMES || (isTwice && times.length !== 2) || !isClear(words, days, times, said)) return null;
  words.take(FILLER);
  if (words.rest.trim() !== '') return null;
  return { kind: 'times', ...days, times: times.length === 0 ? [DEFAULT_TIME] : times };
}
