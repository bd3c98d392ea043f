import type { DayChoice, Schedule, TimeOfDay } from './order.ts';

/** Forms that are understood, for those who wrote another. */
export const WHEN_FORMS: readonly string[] = [
  'every day at 7',
  'every weekday at 7:30',
  'each Sunday at 19:00',
  'Monday and Thursday at 8 am',
  'on the 1st of each month at 9',
  'every 2 hours',
  '0 7 * * 1-5',
  'when a note gets the tag #summarize',
  '每个工作日早上 7 点',
  '每周日晚上 8 点',
  '每月 1 日 9 点',
  '笔记加上标签 #总结 时',
];

const DEFAULT_TIME: TimeOfDay = { hour: 7, minute: 0 };
const EVEN_HOURS: readonly number[] = [1, 2, 3, 4, 6, 8, 12];
const EVEN_MINUTES: readonly number[] = [5, 10, 15, 20, 30];

const TAG_FORMS = [
  /^when(?:ever)? (?:a|any) note (?:gets|has|is given) (?:the |a )?tag:? *#?(.+?)#?$/iu,
  /^(?:当|每当)?(?:有|某个|一个|一篇)?(?:笔记|文档|筆記|文件)(?:被)?(?:加上|打上|添加|获得|得到|有了|獲得)(?:了)?(?:标签|標籤) *#?(.+?)#? *(?:时|時|的时候|的時候)?$/u,
];
const CRON = /^(?:cron:? *)?((?:[\d*/,\-?#LW]|\b[A-Za-z]{3}\b)+(?: +(?:[\d*/,\-?#LW]|\b[A-Za-z]{3}\b)+){4,5})$/u;
const DAY_NAMES = /\b(sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:day)?s?\b/gu;
const DAY_KEYS = ['su', 'mo', 'tu', 'we', 'th', 'fr', 'sa'];
const ZH_DAYS = '日一二三四五六';
const ZH_DAY_LIST = /(?:每?个?(?:周|星期|礼拜|週|禮拜))([一二三四五六日天](?:[、,，和及与]?(?:周|星期|週)?[一二三四五六日天])*)/gu;
const ZH_TIME = /(凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里)?(\d{1,2})(?:[点點时時](?:(\d{1,2})分?|(半))?|[:：](\d{2}))/gu;
const EN_TIME = /\b(\d{1,2})(?:[:.](\d{2}))? *(am|pm|a\.m\.|p\.m\.|h|o'?clock)?(?![\d:.])/gu;
const FILLER = /\b(?:every|each|on|at|the|of|and|in|a|day|days|morning|evening|afternoon|night|o'clock)\b|[,，、。.;和的在每于]/gu;

/** The text of a line without its Markdown. */
const plain = (text: string): string =>
  text
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll('`', '')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/(?<=\p{Script=Han}) (?=\d)|(?<=\d) (?=\p{Script=Han})/gu, '')
    .trim();

/** Words that are taken out of the text once they are understood. */
class Words {
  rest: string;

  constructor(text: string) {
    this.rest = text;
  }

  take(form: RegExp): readonly RegExpExecArray[] {
    const found = [...this.rest.matchAll(form)];
    if (found.length > 0) this.rest = this.rest.replaceAll(form, ' ');
    return found;
  }

  has(form: RegExp): boolean {
    return this.take(form).length > 0;
  }
}

function everyFew(text: string): Schedule | null {
  if (/^(?:every hour|hourly|每(?:个)?小时|每小時)$/u.test(text)) return { kind: 'every', unit: 'hours', count: 1 };
  const [, count, english, chinese] =
    /^(?:every|each|每隔?) ?(\d{1,2}) ?(?:(hours?|minutes?|min)|(个?小时|個?小時|分钟|分鐘))$/u.exec(text) ?? [];
  if (count === undefined) return null;
  const unit = /^h|小/u.test(`${english ?? ''}${chinese?.replace(/^[个個]/u, '') ?? ''}`) ? 'hours' : 'minutes';
  const isEven = (unit === 'hours' ? EVEN_HOURS : EVEN_MINUTES).includes(Number(count));
  return isEven ? { kind: 'every', unit, count: Number(count) } : null;
}

/** Days of the week, 0 is Sunday. */
function weekDays(words: Words): readonly number[] {
  const english = words.take(DAY_NAMES).map(([, name = '']) => DAY_KEYS.indexOf(name.slice(0, 2)));
  const chinese = words
    .take(ZH_DAY_LIST)
    .flatMap(([, list = '']) => [...list.replaceAll('天', '日')].map((sign) => ZH_DAYS.indexOf(sign)).filter((day) => day >= 0));
  return [...new Set([...english, ...chinese])].sort((left, right) => left - right);
}

/** Null if the text names none, or several kinds. */
function daysOf(words: Words): DayChoice | null {
  const monthly = words.has(/\b(?:month|months|monthly)\b|每个?月|每個月/gu);
  const [last] = words.take(/\blast day\b|最后一天|最後一天/gu);
  const [dated] = monthly || !last ? words.take(/\b(\d{1,2})(?:st|nd|rd|th)\b|(\d{1,2}) ?[日号號]/gu) : [];
  if (last) return monthly ? { kind: 'month', day: 'last' } : null;
  if (dated) {
    const day = Number(dated[1] ?? dated[2]);
    return day >= 1 && day <= 31 ? { kind: 'month', day } : null;
  }
  if (monthly) return { kind: 'month', day: 1 };
  if (words.has(/\b(?:weekdays?|workdays?|working days?)\b|每?个?工作日|平日/gu)) return { kind: 'week', days: [1, 2, 3, 4, 5] };
  if (words.has(/\b(?:weekends?)\b|每?个?周末|週末/gu)) return { kind: 'week', days: [0, 6] };
  const days = weekDays(words);
  if (days.length > 0) return { kind: 'week', days };
  const isDaily = words.has(/\b(?:every|each) (?:day|morning|evening|afternoon|night)\b|\bdaily\b|每天|每日|天天/gu);
  return isDaily ? { kind: 'day' } : null;
}

function timeOf(hour: number, minute: number, isLate: boolean): TimeOfDay | null {
  const meant = isLate && hour < 12 ? hour + 12 : hour;
  return meant <= 23 && minute <= 59 ? { hour: meant, minute } : null;
}

/** Null if one of them is not a time. */
function timesOf(words: Words, isLate: boolean): readonly TimeOfDay[] | null {
  const named = [
    ...words.take(/\b(?:at )?noon\b|正午/gu).map(() => ({ hour: 12, minute: 0 })),
    ...words.take(/\b(?:at )?midnight\b|午夜/gu).map(() => ({ hour: 0, minute: 0 })),
  ];
  const chinese = words.take(ZH_TIME).map(([, part = '', hour, minutes, half, colon]) => {
    const minute = half === undefined ? Number(minutes ?? colon ?? 0) : 30;
    return timeOf(Number(hour), minute, /[下晚傍夜]/u.test(part) || (part === '中午' && Number(hour) < 11));
  });
  const english = words.take(EN_TIME).map(([, hour, minute = '0', half = '']) => {
    if (/^a/u.test(half)) return timeOf(Number(hour) % 12, Number(minute), false);
    return timeOf(Number(hour), Number(minute), /^p/u.test(half) || isLate);
  });
  const times = [...named, ...chinese, ...english];
  const inOrder = times
    .filter((time) => time !== null)
    .sort((left, right) => left.hour * 60 + left.minute - right.hour * 60 - right.minute);
  return inOrder.length === times.length ? inOrder : null;
}

/** Reads when an order runs, in cron or in words; null if it is not understood, or only in part. */
export function readWhen(line: string): Schedule | null {
  const text = plain(line);
  for (const form of TAG_FORMS) {
    const tag = form.exec(text)?.[1]?.trim();
    if (tag) return { kind: 'tag', tag };
  }
  const cron = CRON.exec(text)?.[1];
  if (cron !== undefined) return { kind: 'cron', cron: cron.trim() };
  const lower = text.toLowerCase();
  const few = everyFew(lower);
  if (few) return few;
  const words = new Words(lower);
  const isLate = /\b(?:evening|afternoon|night)s?\b/u.test(lower);
  const days = daysOf(words);
  const times = timesOf(words, isLate);
  words.take(FILLER);
  if (!days || !times || times.length > 8 || words.rest.trim() !== '') return null;
  return { kind: 'times', days, times: times.length === 0 ? [DEFAULT_TIME] : times };
}
