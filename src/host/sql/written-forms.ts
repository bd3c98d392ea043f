import { evenForm, isBare } from '../../tools/equal-text/equal-text.ts';
import { RADICALS } from '../../tools/equal-text/radicals.ts';
import { quoted } from './sql-text.ts';

// The index has each text as it is written, so a query brings the forms in which its words may be written.

/** Letters, digits and signs that are written for plain ones: with accents, in full width, raised, as one sign for several. */
const SOURCES: readonly (readonly [first: number, last: number])[] = [
  [0xa0, 0x24f],
  [0x370, 0x52f],
  [0x5d0, 0x5ea],
  [0x620, 0x64a],
  [0x66e, 0x6d5],
  [0x1e00, 0x1fff],
  [0x2070, 0x209f],
  [0x2100, 0x218f],
  [0x2460, 0x24ff],
  [0x2e80, 0x2fdf],
  [0x3200, 0x33ff],
  [0xf900, 0xfaff],
  [0xfb00, 0xfb4f],
  [0xfe70, 0xfefc],
  [0xff10, 0xff5a],
];
/** Marks that a plain word has not, and signs that nobody sees. */
const MARKS =
  '\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u0309\u030a\u030b\u030c\u031b\u0323\u0325\u0326\u0327\u0328\u032d\u0331' +
  '\u05b0\u05b1\u05b2\u05b3\u05b4\u05b5\u05b6\u05b7\u05b8\u05b9\u05bb\u05bc\u05c1\u05c2\u0640\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652\u0670' +
  '\u00ad\u200b\u200c\u200d\u2060\ufeff';
const ALPHABETS = '\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Script=Hebrew}\\p{Script=Arabic}\\p{N}';
const ALPHABETIC = new RegExp(`^[${ALPHABETS}]+$`, 'u');
/** Words of a text in even form: those of letters that may have accents, and those of other scripts. */
const WORDS = new RegExp(`[${ALPHABETS}]+|(?:(?![${ALPHABETS}])[\\p{L}\\p{M}])+`, 'gu');
const LETTERS = /^[\p{L}\p{N}]+$/u;
const HYPHENATED = /^[a-z]{5,}$/;
const DIGITS = /^\d{4,}$/;
const GROUPERS = [',', '.', ' ', '\u00a0', '\u202f', "'", '’'];
/** Forms that a text is searched in, and patterns with one sign for several. */
const MOST_FORMS = 20;
const MOST_PATTERNS = 6;

interface Sources {
  /** By a letter in its plain form, the signs written for it. */
  readonly letters: ReadonlyMap<string, readonly number[]>;
  /** By several letters, the signs that are written for them. */
  readonly groups: ReadonlyMap<string, readonly number[]>;
}

let sources: Sources | undefined;

function readSources(): Sources {
  const [letters, groups] = [new Map<string, number[]>(), new Map<string, number[]>()];
  for (const [first, last] of SOURCES)
    for (let code = first; code <= last; code += 1) {
      const sign = String.fromCodePoint(code);
      const plain = evenForm(sign, 'bare');
      if (plain === sign || !LETTERS.test(plain)) continue;
      const known = plain.length === 1 ? letters : groups;
      known.set(plain, [...(known.get(plain) ?? []), code]);
    }
  return { letters, groups };
}

const sourcesOf = (): Sources => {
  sources ??= readSources();
  return sources;
};

/** A class of GLOB: neighbours as a range, since SQLite reads it whole at each place of a text. */
function classOf(codes: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const code of [...new Set(codes)].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last && code === last[1] + 1) last[1] = code;
    else ranges.push([code, code]);
  }
  const print = ([first, last]: readonly [number, number]): string =>
    first === last ? String.fromCodePoint(first) : `${String.fromCodePoint(first)}-${String.fromCodePoint(last)}`;
  return `[${ranges.map(print).join('')}]`;
}

const codesOf = (text: string): readonly number[] => [...text].map((sign) => sign.codePointAt(0) ?? 0);
const letterClass = (letter: string): string =>
  classOf([...codesOf(letter), ...codesOf(letter.toUpperCase()), ...(sourcesOf().letters.get(letter) ?? [])]);

/** A word as patterns of GLOB: letter by letter, and with one sign for several letters. */
function patternsOf(word: string): readonly string[] {
  const { groups } = sourcesOf();
  const letters = [...word];
  const places = letters.flatMap((_letter, at) =>
    [4, 3, 2].flatMap((length) => {
      const codes = groups.get(letters.slice(at, at + length).join(''));
      return codes && at + length <= letters.length ? [{ at, length, codes }] : [];
    }),
  );
  const print = (replaced: readonly (typeof places)[number][]): string => {
    let [pattern, at] = ['', 0];
    while (at < letters.length) {
      const group = replaced.find((each) => each.at === at);
      pattern += group ? classOf(group.codes) : letterClass(letters[at] ?? '');
      at += group?.length ?? 1;
    }
    return pattern;
  };
  const single = places.map((place) => print([place]));
  const all = print(places);
  // A short word is inside of many: as one sign alone.
  if (letters.length < 3) return places.filter(({ length }) => length === letters.length).map((place) => print([place]));
  return [...new Set([print([]), ...single, all])].slice(0, MOST_PATTERNS);
}

/** The class of all signs that are written for a plain letter, digit or sign, or are not seen. */
const UNEVEN = `[${[...SOURCES.filter(([first]) => first !== 0x5d0 && first !== 0x620), [0x300, 0x36f], [0x200b, 0x200d]]
  .map(([first = 0, last = 0]) => `${String.fromCodePoint(first)}-${String.fromCodePoint(last)}`)
  .join('')}]`;

/** Signs that NFKC changes, of any script, and those that are drawn as quotes, blanks and dashes or not at all. */
const CHANGED = `[${UNEVEN.slice(1, -1)}\u0591-\u05c7\u0610-\u06ed\u1100-\u11ff\u2000-\u206f\u2212\u2e80-\u2fdf\u3000\u3099-\u309c\u3131-\u318e\uf900-\ufaff\ufb1d-\ufdff\ufe00-\ufeff\uff01-\uff5e\uff61-\uffdc]`;

/** An SQL condition: `text` has signs for which a reader may type others. */
export const mayBeWritten = (text: string): string => glob(text, CHANGED);

const without = (text: string, signs: string): string => [...signs].reduce((inner, sign) => `replace(${inner}, ${quoted(sign)}, '')`, text);
const glob = (text: string, pattern: string): string => `${text} GLOB ${quoted(`*${pattern}*`)}`;

/** Tells if a word is typed without accents, in letters that may have some: SQL finds its other forms by `looselyHolds`. */
export const isPlainWord = (word: string): boolean => ALPHABETIC.test(word) && isBare(word);

const ASCII = /^[a-z0-9]+$/;
// A text with other signs than ASCII has more bytes than signs, which costs a tenth of looking for them.
const isUneven = (text: string): string => `length(CAST(${text} AS BLOB)) > length(${text}) AND ${glob(text, UNEVEN)}`;
const withoutMarks = (text: string): string => `CASE WHEN ${glob(text, `[${MARKS}]`)} THEN ${without(text, MARKS)} ELSE ${text} END`;

/** An SQL condition: `text` contains a plain word with accents, in other signs for its letters, or with a hyphen in it. */
function looselyHolds(text: string, word: string): string {
  const patterns = patternsOf(word);
  const any = patterns.map((pattern) => glob(`(${withoutMarks(text)})`, pattern)).join(' OR ');
  const loose = ASCII.test(word) ? `${isUneven(text)} AND (${any})` : any;
  const hyphened = HYPHENATED.test(word) ? [`(instr(${text}, '-') > 0 AND replace(${text}, '-', '') LIKE '%${word}%')`] : [];
  return [...(patterns.length > 0 ? [`(${loose})`] : []), ...hyphened].join(' OR ') || '0';
}

/** Expressions of SQL over a text, for many plain words at once; NULL where the text has no such signs. */
export interface LooseTexts {
  readonly bare: string;
  readonly joined: string;
}

/** What `holdsLoosely` compares: as columns of an inner query they are made once a text, not once a word. */
export const looseTexts = (text: string, words: readonly string[]): LooseTexts => ({
  bare: words.every((word) => ASCII.test(word)) ? `CASE WHEN ${isUneven(text)} THEN ${withoutMarks(text)} END` : withoutMarks(text),
  joined: `CASE WHEN instr(${text}, '-') > 0 THEN replace(${text}, '-', '') END`,
});

/** The same condition as `looselyHolds`; NULL for false. */
export function holdsLoosely({ bare, joined }: LooseTexts, word: string): string {
  const hyphened = HYPHENATED.test(word) ? [`${joined} LIKE '%${word}%'`] : [];
  return [...patternsOf(word).map((pattern) => glob(bare, pattern)), ...hyphened].join(' OR ') || '0';
}

const like = (text: string, word: string): string => `${text} LIKE ${quoted(`%${word}%`)}`;
const holdsForm = (text: string, form: string): string => `instr(lower(${text}), lower(${quoted(form)})) > 0`;

/** An SQL condition that holds for each text which contains a part, in whatever signs; it may hold for more. */
export function mayContain(text: string, part: string): string {
  const words = evenForm(part, 'bare').match(WORDS);
  if (!words) return anyForm(text, part);
  const held = words.map((word) => {
    if (ALPHABETIC.test(word)) return `(${like(text, word)} OR ${looselyHolds(text, word)})`;
    return `(${anyForm(text, word)} OR ${glob(text, [...word].map(letterClass).join(''))})`;
  });
  return `(${held.join(' AND ')})`;
}

export const anyForm = (text: string, part: string): string =>
  `(${writtenForms(part)
    .map((form) => holdsForm(text, form))
    .join(' OR ')})`;

const grouped = (digits: string, sign: string): string => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, sign);

/** Other spellings of a word that is in even form: ue for ü and the reverse, digits in groups and not. */
export function spellingsOf(word: string): readonly string[] {
  if (DIGITS.test(word)) return GROUPERS.map((sign) => evenForm(grouped(word, sign)));
  if (/^\d{1,3}(?:[,.' ]\d{3})+$/.test(word)) return [word.replaceAll(/\D/g, '')];
  const written = word.replaceAll(/[äöü]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue' })[letter] ?? letter);
  const read = word.replaceAll(/[aou]e/g, (pair) => ({ ae: 'ä', oe: 'ö', ue: 'ü' })[pair] ?? pair);
  return [written, read].filter((each) => each !== word);
}

let halfWidths: ReadonlyMap<string, string> | undefined;
let sameSigns: ReadonlyMap<string, readonly string[]> | undefined;

function halfWidth(text: string): string {
  halfWidths ??= new Map(
    Array.from({ length: 0xffa0 - 0xff61 }, (_each, at) => {
      const sign = String.fromCodePoint(0xff61 + at);
      return [sign.normalize('NFKC'), sign] as const;
    }),
  );
  return [...text.normalize('NFD')].map((sign) => halfWidths?.get(sign) ?? sign).join('');
}

/** Signs that Unicode holds for other ones: ancient Greek accents, Ohm and Ångström, compatible ideographs, radicals. */
const SAME_SIGNS: readonly (readonly [first: number, last: number])[] = [
  [0x1f71, 0x1f7d],
  [0x1fd3, 0x1fd3],
  [0x1fe3, 0x1fe3],
  [0x2126, 0x2126],
  [0x212b, 0x212b],
  [0x2f00, 0x2fd5],
  [0xf900, 0xfaff],
];
/** Such signs in a text: the number of forms doubles with each. Of more, one has all other signs. */
const MOST_MIXED = 16;

/** By a letter, the other signs for it. */
function readSameSigns(): ReadonlyMap<string, readonly string[]> {
  const known = new Map<string, string[]>();
  const add = (sign: string, letter: string): void => {
    if (sign !== letter) known.set(letter, [...(known.get(letter) ?? []), sign]);
  };
  for (const [first, last] of SAME_SIGNS)
    for (let code = first; code <= last; code += 1) {
      const sign = String.fromCodePoint(code);
      const letter = sign.normalize('NFKC');
      for (const each of new Set([letter, letter.toLowerCase()])) add(sign, each);
    }
  for (const [sign, ideograph] of Object.entries(RADICALS)) add(sign, ideograph);
  return known;
}

function inSameSigns(text: string): readonly string[] {
  sameSigns ??= readSameSigns();
  let forms = [''];
  for (const letter of text) {
    const signs = [letter, ...(sameSigns.get(letter) ?? [])];
    forms = forms.flatMap((form) => signs.map((sign) => form + sign));
    if (forms.length > MOST_MIXED) return [[...text].map((each) => sameSigns?.get(each)?.[0] ?? each).join('')];
  }
  return forms.slice(1);
}

/** With the signs of Vietnamese letters as one sign and their tones beside them, as some keyboards write. */
const withTonesApart = (text: string): string =>
  text
    .normalize('NFD')
    .replace(
      /(\p{L})(\u0323?)([\u0302\u0306])/gu,
      (_all, letter: string, dot: string, mark: string) => (letter + mark).normalize('NFC') + dot,
    )
    .replace(/[ou]\u031b/gi, (letter) => letter.normalize('NFC'));

const fullWidth = (text: string): string => text.replaceAll(/[!-~]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0));
const curled = (text: string): readonly string[] => {
  const even = text.replaceAll("'", '’').replace(/"([^"]*)"/g, '“$1”');
  return [even.replaceAll('"', '“'), even.replaceAll('"', '”')];
};

/** With one sign for several letters, the first one that there is, and with its last digit raised. */
function withSigns(text: string): readonly string[] {
  const lower = text.toLowerCase();
  const signed = [...sourcesOf().groups].flatMap(([letters, codes]) => {
    const at = lower.length === text.length ? lower.indexOf(letters) : -1;
    return at < 0 ? [] : codes.map((code) => ({ at, length: letters.length, sign: String.fromCodePoint(code) }));
  });
  const longest = signed.sort((one, other) => other.length - one.length).slice(0, MOST_PATTERNS);
  const raised = text.replace(/(?<=[a-z])[0-9]$/i, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] ?? digit);
  return [...longest.map(({ at, length, sign }) => text.slice(0, at) + sign + text.slice(at + length)), raised];
}

/** The forms in which a text may stand in notes, as it is first. */
export function writtenForms(text: string): readonly string[] {
  const even = evenForm(text, 'same', true);
  const forms = [text, text.normalize('NFC'), text.normalize('NFD'), even, even.normalize('NFD'), withTonesApart(even), ...curled(even)];
  if (/[\p{Script=Katakana}ー]/u.test(even)) forms.push(halfWidth(even));
  forms.push(...inSameSigns(even));
  if (/[\w]/.test(even)) forms.push(fullWidth(even), ...withSigns(even));
  return [...new Set(forms)].slice(0, MOST_FORMS);
}
