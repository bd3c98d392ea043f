import { evenForm } from '../../tools/equal-text/equal-text.ts';

const SMALL = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', 'thirteen', 'fourteen'],
  ...['fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'],
];
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];
const HAN_DIGITS = '零一二三四五六七八九';
const HAN_UNITS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 };
const SCALES: Readonly<Record<string, number>> = {
  ...{ dozen: 12, hundred: 100, thousand: 1e3, million: 1e6, billion: 1e9, trillion: 1e12, bn: 1e9, mn: 1e6 },
  ...{ 千: 1e3, 万: 1e4, 萬: 1e4, 百万: 1e6, 百萬: 1e6, 亿: 1e8, 億: 1e8 },
};
/** How each is written, what it is counted in, and how many of that it is. */
const UNITS: readonly (readonly [names: string, base: string, factor: number])[] = [
  ['km|kilomet(?:er|re)s?|公里|千米', 'm', 1000],
  ['m|met(?:er|re)s?|米', 'm', 1],
  ['cm|centimet(?:er|re)s?|厘米|公分|釐米', 'm', 0.01],
  ['mm|millimet(?:er|re)s?|毫米', 'm', 0.001],
  ['miles?|英里', 'm', 1609.344],
  ['feet|foot|ft|英尺', 'm', 0.3048],
  ['inch(?:es)?|英寸', 'm', 0.0254],
  ['kg|kilogram(?:me)?s?|kilos?|公斤|千克', 'g', 1000],
  ['g|gram(?:me)?s?|克', 'g', 1],
  ['mg|milligrams?|毫克', 'g', 0.001],
  ['tons?|tonnes?|吨|噸', 'g', 1e6],
  ['l|lit(?:er|re)s?|升', 'l', 1],
  ['ml|millilit(?:er|re)s?|毫升', 'l', 0.001],
  ['seconds?|secs?|秒', 's', 1],
  ['minutes?|mins?|分钟|分鐘', 's', 60],
  ['hours?|hrs?|h|小时|小時', 's', 3600],
  ['days?|天', 's', 86_400],
  ['weeks?|周|週|星期', 's', 604_800],
  ['months?|个月|個月', 'month', 1],
  ['years?|年', 'month', 12],
  ['decades?', 'month', 120],
  ['centur(?:y|ies)|世纪|世紀', 'month', 1200],
  ['%|percent|per cent', '%', 1],
  ['°c|degrees celsius|摄氏度|攝氏度', '°c', 1],
  ['°f|degrees fahrenheit|华氏度|華氏度', '°f', 1],
  ['\\$|usd|dollars?|美元', '$', 1],
  ['€|eur|euros?|欧元|歐元', '€', 1],
  ['£|gbp|英镑|英鎊', '£', 1],
  ['¥|cny|rmb|yuan|yen|日元|元', '¥', 1],
  ...['b', 'hz', 'w'].flatMap((base) => ['k', 'm', 'g', 't'].map((prefix, at) => [`${prefix}${base}`, base, 1000 ** (at + 1)] as const)),
];
const oneOf = (words: readonly string[]): string => words.toSorted((one, other) => other.length - one.length).join('|');
const NAMED = UNITS.map(([names, base, factor]) => ({ is: new RegExp(`^(?:${names})$`, 'u'), base, factor }));

const WORD = `(?:${oneOf([...SMALL, ...TENS, 'hundred', 'thousand'])})`;
const HEADS = [
  String.raw`\d+(?:[.,']\d+)*`,
  `\\b${WORD}(?:(?:(?<=hundred|thousand) and |[ -])${WORD})*\\b`,
  String.raw`\bhalf\b|一半|(?<=\ban? )(?:dozen|hundred|thousand|million|billion)\b`,
  '[零一二两兩三四五六七八九十百千]+(?=[年月日号號点點时時分秒个個人次本天周週岁歲米元公克吨噸升倍层層座名位种種度万萬亿億世%])',
];
const SIGN = String.raw`(?<![\p{L}\p{N})\]%]|\p{N} )-|minus |零下|负|負`;
const NUMBER = new RegExp(`(?<sign>${SIGN})?(?<money>[$€£¥])? ?(?<head>${HEADS.join('|')})`, 'gu');
const SCALE = new RegExp(`^(?: and a half| ?(?:an? )?(?:${oneOf(Object.keys(SCALES))})(?![a-z]))+`, 'u');
const SHORT_SCALE = /^ ?[mb](?![a-z])/u;
const UNIT = new RegExp(`^[ -]?(?:an? )?(?:us )?(square |sq |平方)?(${oneOf(UNITS.flatMap(([names]) => names))})(2)?(?![a-z\\d])`, 'u');
const BELOW = /^(?: degrees?)? below zero/u;
/** Between two numbers whose unit is behind the second. */
const JOINED = /^ ?(?:-|to|and|or|至|到|~|和) ?$/u;
/** Before a word for a number: it counts what was named before, or halves. */
const KNOWN = /(?:^|[^a-z])(?:the|these|those|all|both|first|second|last|other|latter|his|her|its|their|our|my) ?$/u;

/** The even form of a text, in which each number is one word. */
const evenNumbers = (text: string): string =>
  evenForm(text.replaceAll(/(?<=\d)[\u00a0\u202f](?=\d{3}(?!\d))/gu, ''), 'bare').replaceAll(
    /百分之([\d.]+|[零一二两兩三四五六七八九十百]+)/gu,
    '$1%',
  );

/** Digits without signs between thousands, zeros before and behind. */
const plainNumber = (text: string): string => {
  const isThousands = /^\d{1,3}(?:[,'.]\d{3})+(?:[.,]\d+)?$/u.test(text);
  const joined = isThousands ? text.replaceAll(/[,'](?=\d{3})/gu, '') : text.replaceAll(/,(?=\d{3}\b)/gu, '');
  return joined
    .replace(',', '.')
    .replace(/^0+(?=\d)/u, '')
    .replace(/\.0+$/u, '');
};

const hanDigit = (sign: string): number => (/[两兩]/u.test(sign) ? 2 : HAN_DIGITS.indexOf(sign));

function hanNumber(text: string): number {
  if (!/[十百千]/u.test(text)) return Number([...text].map(hanDigit).join(''));
  let [sum, digit] = [0, 1];
  for (const sign of text) {
    const unit = HAN_UNITS[sign];
    if (unit !== undefined) sum += digit * unit;
    digit = unit === undefined ? hanDigit(sign) : 0;
  }
  return /[十百千]$/u.test(text) ? sum : sum + digit;
}

function wordNumber(text: string): number {
  if (text === 'half' || text === '一半') return 0.5;
  if (!/[a-z]/u.test(text)) return hanNumber(text);
  let [sum, part] = [0, 0];
  for (const word of text.split(/[ -]/u)) {
    const [scale, tens] = [SCALES[word], TENS.indexOf(word)];
    if (scale === undefined) part += tens >= 0 ? (tens + 2) * 10 : Math.max(0, SMALL.indexOf(word));
    else if (scale > 100) [sum, part] = [sum + Math.max(part, 1) * scale, 0];
    else part = Math.max(part, 1) * scale;
  }
  return sum + part;
}

interface Meaning {
  /** As it is written, in plain digits. */
  readonly plain: string;
  readonly value: number;
  readonly unit?: { readonly base: string; readonly factor: number } | undefined;
}

interface FoundNumber {
  readonly text: string;
  readonly withUnit: string;
  /** The word behind it. */
  readonly noun: string;
  /** More than one where a unit may belong to it, and for a half. */
  readonly means: readonly Meaning[];
  /** It says how many: neither “one” nor a word for what was named before. */
  readonly counts: boolean;
}

function unitOf(name: string | undefined, isSquare: boolean): Meaning['unit'] {
  const { base, factor } = NAMED.find(({ is }) => name !== undefined && is.test(name)) ?? {};
  if (base === undefined || factor === undefined) return undefined;
  return isSquare ? { base: `${base}2`, factor: factor ** 2 } : { base, factor };
}

function meaningOf(plain: string, scale: number, unit: Meaning['unit']): Meaning {
  const value = Number(plain) * scale;
  return { plain: scale === 1 ? plain : String(value), value, unit };
}

/** The numbers of a text: in digits, in words, in Chinese signs before a unit. */
function numbersIn(text: string): readonly FoundNumber[] {
  const lower = evenNumbers(text);
  const read = [...lower.matchAll(NUMBER)].map((match) => {
    const { sign, money, head = '' } = match.groups ?? {};
    const until = match.index + match[0].length;
    const [scaled = ''] = lower.slice(until).match(money ? SHORT_SCALE : SCALE) ?? lower.slice(until).match(SCALE) ?? [];
    const [spelled = '', square, name = money, squared] = lower.slice(until + scaled.length).match(UNIT) ?? [];
    const end = until + scaled.length + spelled.length;
    const isDigits = /^\d/u.test(head);
    const own = isDigits ? plainNumber(head) : String(SCALES[head] ?? wordNumber(head));
    const half = scaled.includes(' and a half') ? Number(own) + 0.5 : own;
    const factors = scaled.match(/[a-z]+|[千万萬百亿億]+/gu) ?? [];
    const scale = factors.reduce((all, word) => all * ({ m: 1e6, b: 1e9 }[word] ?? SCALES[word] ?? 1), 1);
    const isBelow = sign !== undefined || BELOW.test(lower.slice(end - spelled.length)) || BELOW.test(lower.slice(end));
    const unit = unitOf(name, (square ?? squared) !== undefined);
    const [, noun = ''] = (head !== 'one' && lower.slice(end).match(/^[ -]([a-z]{4,})/u)) || [];
    const counts = isDigits || !(/^(?:one|一|两|兩)$/u.test(head) || KNOWN.test(lower.slice(0, match.index)));
    const said = { text: lower.slice(match.index, until + scaled.length).trim(), withUnit: lower.slice(match.index, end).trim() };
    return { ...said, head, plain: String(half), scale, sign: isBelow ? -1 : 1, unit, noun, counts, start: match.index, until, end };
  });
  return read.map((each, at) => {
    const { plain, scale, sign, unit, head, until } = each;
    const next = read[at + 1];
    const isJoined = next !== undefined && each.end === until && JOINED.test(lower.slice(until, next.start));
    const half = head === 'half' || head === '一半' ? [{ plain: '50', value: 50, unit: unitOf('%', false) }] : [];
    const joined = isJoined ? [meaningOf(plain, next.scale * sign, next.unit)] : [];
    return { ...each, means: [meaningOf(plain, scale * sign, unit), ...joined, ...half] };
  });
}

const isNear = (one: number, other: number, share: number): boolean => Math.abs(one - other) <= share * Math.abs(other);

/** Tells if both say the same. A number without a unit says it of any. */
function isSame(one: Meaning, other: Meaning): boolean {
  if (!one.unit || !other.unit) return one.plain === other.plain || isNear(one.value, other.value, 1e-9);
  const [left, right] = [one.value * one.unit.factor, other.value * other.unit.factor];
  // What was converted is rounded, but for years.
  const isExact = one.unit.factor === other.unit.factor || one.unit.base === 'month';
  return one.unit.base === other.unit.base && isNear(left, right, isExact ? 1e-9 : 0.02);
}

/** What each month is called, and the parts of a date with points: a source may have them in another form. */
function otherForms(text: string): readonly Meaning[] {
  const lower = evenNumbers(text);
  const months = (lower.match(/[a-z]+/gu) ?? []).map(monthOf).filter((month) => month > 0);
  const dates = (lower.match(/\d+(?:[.,']\d+)+/gu) ?? []).filter((each) => Number.isNaN(Number(plainNumber(each))));
  const parts = dates.flatMap((each) => each.split(/[^\d]+/u)).map(plainNumber);
  return [...months.map(String), ...parts].map((plain) => ({ plain, value: Number(plain) }));
}

/** From 1 on; 0 for another word. */
const monthOf = (word: string): number => MONTHS.findIndex((name) => name === word || name.slice(0, 3) === word) + 1;
export const isMonth = (word: string): boolean => MONTHS.includes(word);

/** The numbers of a sentence, months among them, that the source does not have, or has of another unit, with another sign, or of something else than what it counts. */
export function wrongNumbers(sentence: string, source: string): readonly string[] {
  const found = numbersIn(source);
  const had = [...found.flatMap(({ means }) => means), ...otherForms(source)];
  const isIn = (means: readonly Meaning[], among: readonly Meaning[]): boolean =>
    means.some((one) => among.some((other) => isSame(one, other)));
  const numbers = numbersIn(sentence).filter(({ counts, means, noun }) => {
    const counted = found.filter((each) => noun !== '' && each.noun === noun).flatMap((each) => each.means);
    return (counts && !isIn(means, had)) || (counted.length > 0 && !isIn(means, counted));
  });
  const isThere = (one: Meaning): boolean => had.some((other) => isSame({ ...one, unit: undefined }, other));
  const months = (sentence.match(/\p{Lu}\p{L}+/gu) ?? []).filter((word) => isMonth(evenForm(word, 'bare')));
  const wrongMonths = months.filter((word) => !had.some(({ plain }) => plain === String(monthOf(evenForm(word, 'bare')))));
  return [...numbers.map(({ text, withUnit, means }) => (means.some(isThere) ? withUnit : text)), ...wrongMonths];
}
