import type { EventSchedule, NoteEvent, Schedule, Target, TimeOfDay } from './order.ts';

/** What counts for an order that says nothing of it. Dates of a day come all at once. */
export const usualPace = (when: Schedule | null) => ({ quiet: when?.kind === 'event' && when.of === 'dates' ? 0 : 5, limit: 10 });

/** Forms that are understood, beside those of times. */
export const EVENT_FORMS: readonly string[] = [
  'when a note is added to Inbox',
  'when a note is made, changed or moved below Work/Projects',
  'when 5 new notes are in Inbox',
  'when a row of Papers is new or changed',
  'on the date in Due of Tasks at 9',
  '2 days before the date in Due of Tasks',
  '当 Inbox 有新笔记时',
  '当 Inbox 中的笔记有改动时',
  '当 Inbox 有 5 篇新笔记时',
  '当 Papers 有新增或改动的行时',
  '在 Tasks 的 Due 日期当天 9 点',
  '在 Tasks 的 Due 日期前 2 天',
];

/** From one on. */
export const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const ZH_NUMBERS = '一二三四五六七八九十';
const MAX_COUNT = 100;
const MAX_DAYS = 90;

const WHEN = '(?:when|whenever|as soon as|if|(?:each|every) time) ';
const NOTE = '(?:note|page|document)';
const VERB = '(?:made|created|written|added|new|moved|changed|edited|modified|updated)\\b(?: (?:in|to|into))?';
const VERBS = `(?<verbs>${VERB}(?:(?:,? or |, ?)${VERB})*)`;
const IN = '(?:in|below|under|inside)';
const IS = '(?:is |gets |was |has been )';
const PLACE = '(?:the (?:notebook|note) )?(?<place>\\S.*?)';
const COUNT = `(?<count>\\d{1,3}|${NUMBERS.join('|')})`;
const ROW = '(?:row|entry)';
const DAYS = '(?:(?<days>\\d{1,2}|a|one|two|three|four|five|six|seven) (?<unit>day|week)s? before |(?<eve>the day before )|on )';

const ZH_WHEN = '(?:每次|每?[当當])?(?:有人)?在?';
const ZH_IN = '(?:(?:中|里|裡|下|之下|下面|里面|裡面)的?)?';
const ZH_NOTE = '(?:笔记|筆記|文档|文檔|文件)';
const ZH_AT = '(?:时|時|的时候|的時候)?[.。]?';
const ZH_CHANGED = '(?:修改|更改|改动|改動|编辑|編輯|更新|变动|變動|变更|變更|变化|變化)';
const ZH_VERB = `(?:新建|创建|建立|移入|${ZH_CHANGED})`;
const ZH_DATE = '(?<place>.+) ?的 ?(?<column>[^的]+?|[“「].+[”」])';
const ZH_BEFORE = '[之以]?前 ?(?<days>\\d{1,2}|[一二两兩三四五六七八九十]) ?天';
const ZH_COUNT = '(?<count>\\d{1,3}|[一二两兩三四五六七八九十]) ?[篇条條个個则則]';

type Groups = Readonly<Record<string, string | undefined>>;
type Read = (groups: Groups) => EventSchedule | null;

const KINDS: readonly (readonly [RegExp, readonly NoteEvent[]])[] = [
  [/made|created|written|新建|创建|建立/u, ['made']],
  [/added|new|新(?!建)|添加/u, ['made', 'moved']],
  [/moved|移/u, ['moved']],
  [new RegExp(`change|edited|modified|updated|${ZH_CHANGED}`, 'u'), ['changed']],
];
const kindsOf = (verbs: string): readonly NoteEvent[] => [
  ...new Set(KINDS.flatMap(([form, on]) => (form.test(verbs.toLowerCase()) ? on : []))),
];

/** A name without quotes, emphasis or the reference that it is. */
export function targetOf(text = ''): Target | null {
  const reference = /^\(\((\d{14}-[0-9a-z]{7})(?: ["'](.*)["'])?\)\)$/u.exec(text.trim());
  if (reference) return { name: reference[2] ?? reference[1] ?? '', id: reference[1] };
  const name = text.trim().replaceAll(/^[\s*_"“”'‘’「『《〈【[]+|[\s*_"“”'‘’」』》〉】\]]+$/gu, '');
  return /^[每当當在]*$/u.test(name) ? null : { name };
}

function numberOf(word = '1'): number {
  const chinese = ZH_NUMBERS.indexOf(word.replace(/[两兩]/u, '二'));
  return Number(word) || NUMBERS.indexOf(word.toLowerCase()) + 1 || chinese + 1 || 1;
}

function notes(on: readonly NoteEvent[], { place, count }: Groups): EventSchedule | null {
  const target = targetOf(place);
  const least = numberOf(count);
  return target && on.length > 0 && least <= MAX_COUNT ? { kind: 'event', of: 'notes', on, target, count: least } : null;
}

const added: Read = (groups) => notes(['made', 'moved'], groups);

/** Only what was moved is moved into something, and nothing is changed to somewhere. */
function withVerbs(groups: Groups): EventSchedule | null {
  const { verbs, verb, prep = '' } = groups;
  const on = kindsOf(verbs ?? verb ?? '');
  const odd: Readonly<Record<string, RegExp>> = { moved: /in(?:side)?$/iu, changed: /to/iu };
  return odd[on.join()]?.test(prep) ? null : notes(on, groups);
}

function rows(groups: Groups): EventSchedule | null {
  const target = targetOf(groups.place);
  const on = kindsOf(groups.verbs ?? groups.verb ?? '').filter((each) => each !== 'moved');
  if (!target || on.length === 0) return null;
  return { kind: 'event', of: 'rows', on, target, except: targetOf(groups.except)?.name ?? '' };
}

function daysBefore({ days, unit, eve }: Groups): number {
  if (eve !== undefined) return 1;
  return days === undefined ? 0 : numberOf(days.replace(/^a$/u, 'one')) * (unit === 'week' ? 7 : 1);
}

function dates(timeOf: (text: string) => TimeOfDay | null): Read {
  return (groups) => {
    const target = targetOf(groups.place);
    const column = targetOf(groups.column)?.name;
    const time = timeOf(groups.time ?? '');
    const before = daysBefore(groups);
    return target && column && time && before <= MAX_DAYS ? { kind: 'event', of: 'dates', target, column, before, time } : null;
  };
}

const en = (form: string): RegExp => new RegExp(`^${form}[.!]?$`, 'iu');
const zh = (form: string): RegExp => new RegExp(`^${form}$`, 'u');

const FORMS: readonly (readonly [RegExp, Read])[] = [
  [en(`${WHEN}(?:a|any) (?:new )?${NOTE} ${IS}${VERBS} (?<prep>into|to|${IN}) ${PLACE}`), withVerbs],
  [en(`${WHEN}(?:a|any) ${NOTE} ${IN} ${PLACE} (?:${IS}${VERBS}|(?<verb>changes))`), withVerbs],
  [en(`${WHEN}i (?:add|put) (?:a|any) ${NOTE} (?:into|to|${IN}) ${PLACE}`), added],
  [en(`${WHEN}(?:there is )?a new ${NOTE}(?: is| appears)? ${IN} ${PLACE}`), added],
  [en(`${WHEN}(?:there are )?${COUNT} new ${NOTE}s(?: are)? ${IN} ${PLACE}`), added],
  [en(`(?:after )?every ${COUNT} new ${NOTE}s ${IN} ${PLACE}`), added],
  [en(`${WHEN}${PLACE} (?:has|gets) (?:a|${COUNT}) new ${NOTE}s?`), added],
  [en(`${WHEN}(?:a|any) ${ROW} (?:of|in) ${PLACE} ${IS}${VERBS}(?:,? except (?:in )?(?<except>.+?))?`), rows],
  [en(`${WHEN}(?:a|any) ${ROW} (?:of|in) ${PLACE} (?<verb>changes)`), rows],
  [en(`${WHEN}(?:there is )?a (?<verb>new) ${ROW}(?: is| appears)? in ${PLACE}`), rows],
  [en(`${WHEN}(?:a|any) (?:new )?${ROW} ${IS}${VERBS} (?:to|in) ${PLACE}`), rows],
  [zh(`${ZH_WHEN} ?(?<place>.+?) ?${ZH_IN}(?:有|出现|出現|新增|添加)(?:了|一篇|一条|一个)?(?:新的?)?${ZH_NOTE}${ZH_AT}`), added],
  [zh(`${ZH_WHEN}有?(?:新的?)?${ZH_NOTE}被?(?:添加|加入|放入|放进|放到|新增)[到进至]? ?(?<place>.+?) ?${ZH_IN}${ZH_AT}`), added],
  [zh(`${ZH_WHEN} ?(?<place>.+?) ?${ZH_IN}有?${ZH_NOTE}(?<verbs>${ZH_VERB}(?:或${ZH_VERB})*)${ZH_AT}`), withVerbs],
  [zh(`${ZH_WHEN} ?(?<place>.+?) ?${ZH_IN}(?<verbs>新建|创建|建立)(?:了|一篇|一条|一个)?(?:新的?)?${ZH_NOTE}${ZH_AT}`), withVerbs],
  [zh(`${ZH_WHEN}有?${ZH_NOTE}被?(?<verbs>移动到|移動到|移入|移到|移至) ?(?<place>.+?) ?${ZH_IN}${ZH_AT}`), withVerbs],
  [zh(`${ZH_WHEN} ?(?<place>.+?) ?${ZH_IN}[有的]?${ZH_NOTE}[有被]?(?:发生|發生)?了?(?<verbs>${ZH_CHANGED})${ZH_AT}`), withVerbs],
  [zh(`${ZH_WHEN} ?(?<place>.+?) ?${ZH_IN}(?:有|出现|出現|新增)了? ?${ZH_COUNT} ?新?的?${ZH_NOTE}${ZH_AT}`), added],
  [
    zh(
      `${ZH_WHEN} ?(?<place>.+?) ?${ZH_IN}(?:有(?<verbs>新增|新|${ZH_CHANGED}|新增或${ZH_CHANGED})|(?<verb>新增)了?[一1]?)的?(?:行|列|条目|條目)${ZH_AT}(?:[,，、]?(?<except>.+?)[列欄]?除外)?`,
    ),
    rows,
  ],
];

const DATE_FORMS: readonly RegExp[] = [
  en(`${DAYS}the (?:date|day) in (?<column>.+?) of ${PLACE}(?: at (?<time>\\S+(?: ?[ap]m)?))?`),
  en(`(?!on )${DAYS}(?:the date (?!in ))?(?<column>(?!the (?:date|day) ).+?) (?:in|of) ${PLACE}(?: at (?<time>\\S+(?: ?[ap]m)?))?`),
  // A bare “X 的 Y 日期” says of which date something is, not when to run.
  zh(`[在到] ?${ZH_DATE} ?(?:日期|那天|之日)(?:[当當]天|${ZH_BEFORE})? ?(?<time>.+)?`),
  zh(`[当當]?${ZH_DATE} ?日期(?:到了|到来|到)${ZH_AT}`),
  zh(`${ZH_DATE} ?(?:日期(?:[当當]天|${ZH_BEFORE})|那天|之日) ?(?<time>.+)?`),
];

/** A line that says what an order waits for; null for any other. `timeOf`: a time of day, as lines of times have it; null for none. */
export function readEvent(text: string, timeOf: (text: string) => TimeOfDay | null): EventSchedule | null {
  for (const [form, read] of [...FORMS, ...DATE_FORMS.map((each) => [each, dates(timeOf)] as const)]) {
    const groups = form.exec(text)?.groups;
    const event = groups && read(groups);
    if (event) return event;
  }
  return null;
}
