import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Rule, ruleOfRrule, ruleOfTimex } from './rule.ts';

/** A phrase that says how often. */
export interface Recurrence {
  readonly phrase: string;
  /** Absent where the set has the phrase without its meaning; null where it ends. */
  readonly rule?: Rule | null;
}

/** A phrase that says one moment or span. */
export interface Moment {
  readonly phrase: string;
  /** When it was said, and what it can mean: from and to, UTC. */
  readonly from: number;
  readonly spans: readonly (readonly [from: number, to: number])[];
}

interface RecognizersResult {
  readonly Text: string;
  readonly Type?: string;
  readonly TypeName?: string;
  readonly Value?: { readonly Timex?: string } | null;
  readonly Resolution?: { readonly values?: readonly Readonly<Record<string, string>>[] } | null;
}
interface RecognizersCase {
  readonly Input: string;
  readonly Context?: { readonly ReferenceDateTime?: string };
  readonly Results: readonly RecognizersResult[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The set calls it a recurrence in “a booking for 2 nights” alone. */
const NO_RECURRENCE = 'nights';
/** Its timex leaves out what “other” says. */
const MEANT: Readonly<Record<string, string>> = { 'every other friday': 'XXXX-WXX-5P2W' };

/** The file as the set has it, or of the sample, where a name that tests have ends in .txt. */
const textOf = (path: string): string => readFileSync(existsSync(path) ? path : `${path}.txt`, 'utf8').replace(/^\uFEFF/u, '');
const casesOf = (path: string): readonly RecognizersCase[] => JSON.parse(textOf(path));
const isSet = ({ Type, TypeName }: RecognizersResult): boolean => /(?:^|\.)set$/u.test(TypeName ?? Type ?? '');

/** Every phrase that Recognizers-Text calls a set, in any of its files of a language. */
export function recognizersSets(folder: string, language: string): readonly Recurrence[] {
  const timexes = new Map<string, string>();
  for (const path of globSync(join(folder, 'Specs/DateTime', language, '*.json')).sort()) {
    for (const result of casesOf(path).flatMap(({ Results }) => Results.filter(isSet))) {
      const phrase = result.Text.toLowerCase();
      const timex = result.Value?.Timex ?? result.Resolution?.values?.[0]?.timex ?? '';
      if (phrase !== NO_RECURRENCE) timexes.set(phrase, timexes.get(phrase) || MEANT[phrase] || timex);
    }
  }
  return [...timexes].map(([phrase, timex]) => (timex === '' ? { phrase } : { phrase, rule: ruleOfTimex(timex) }));
}

const utc = (text: string): number => Date.parse(`${text.replace(' ', 'T')}${text.length > 10 ? 'Z' : 'T00:00:00Z'}`);

function spanOf({ timex = '', type, value, start, end }: Readonly<Record<string, string>>): readonly [number, number] | null {
  // A part of a day is the day: sets do not agree on when a morning is.
  if (start !== undefined && /T(?:MO|AF|EV|NI)$/u.test(timex)) return [utc(start.slice(0, 10)), utc(start.slice(0, 10)) + DAY_MS];
  if (start !== undefined && end !== undefined && type !== 'timerange') return [utc(start), utc(end)];
  if (value === undefined || !/^\d{4}-\d\d-\d\d/u.test(value)) return null;
  const grain = /T\d\d$/u.test(timex) ? HOUR_MS : 60_000;
  return [utc(value), utc(value) + (value.length > 10 ? grain : DAY_MS)];
}

/** Each input of the model's tests, with every phrase in it that is no recurrence, and the whole input last. */
export function recognizersMoments(folder: string, language: string): readonly (readonly Moment[])[] {
  return casesOf(join(folder, 'Specs/DateTime', language, 'DateTimeModel.json')).map(({ Input, Context, Results }) => {
    const from = utc(Context?.ReferenceDateTime ?? '2016-11-07T00:00:00');
    const spans = ({ Resolution }: RecognizersResult) =>
      (Resolution?.values ?? []).map(spanOf).filter((span) => span !== null && !span.some(Number.isNaN)) as [number, number][];
    const moments = Results.filter((result) => !isSet(result)).map((result) => ({ phrase: result.Text, from, spans: spans(result) }));
    const whole = Results.some(isSet) ? [] : [{ phrase: Input, from, spans: Results.flatMap(spans) }];
    return [...moments, ...whole];
  });
}

const GRAINS: Readonly<Record<string, number>> = { Second: 1000, Minute: 60_000, Hour: HOUR_MS, Day: DAY_MS, Week: 7 * DAY_MS };
/** Tuesday, 12 February 2013, 4:30. */
const DUCKLING_NOW = Date.UTC(2013, 1, 12, 4, 30);
const time = (numbers: string): number => {
  const [year = 0, month = 1, ...rest] = numbers.split(',').map(Number);
  return Date.UTC(year, month - 1, ...rest);
};

/** Each phrase of Duckling's corpora of a language and its countries. */
export function ducklingMoments(folder: string, language: string): readonly (readonly Moment[])[] {
  const texts = globSync(join(folder, 'Duckling/Time', language, '**/Corpus.hs*'))
    .sort()
    .map(textOf);
  return texts.flatMap((text) => {
    const lists = text.matchAll(/examples \(datetime\w* (\(.*?\))(?: (\w+))?(?: "[^"]*")?\)\s*\[([^\]]*)\]/gu);
    return [...lists].flatMap(([, moment = '', grain = '', list = '']) => {
      const [from = 0, to] = [...moment.matchAll(/\((\d[\d, ]*)\)/gu)].map(([, numbers = '']) => time(numbers));
      const spans = [[from, to ?? from + (GRAINS[grain] ?? 31 * DAY_MS)]] as const;
      return [...list.matchAll(/"((?:[^"\\]|\\.)*)"/gu)].map(([, phrase = '']) => [
        { phrase: phrase.replaceAll(/\\(.)/gu, '$1'), from: DUCKLING_NOW, spans },
      ]);
    });
  });
}

/** Of `new Date(2016, 10 - 1, 1, 12)`. */
const dateOf = (numbers: string): number => {
  const [year = 0, month = 0, ...rest] = numbers.split(',').map((each) => {
    const [number = 0, less = 0] = each.split('-').map(Number);
    return number - less;
  });
  return Date.UTC(year, month, ...rest);
};

/** What a test of chrono expects of the start, a day where it says no hour; nothing where it says nothing. */
function chronoSpan(test: string, phrase: string): readonly (readonly [number, number])[] {
  const meant = /toBeDate\(new Date\(([\d, -]+)\)/u.exec(test)?.[1];
  const said = (name: string): number => Number(new RegExp(`start\\.get\\("${name}"\\)\\)\\.toBe\\((\\d+)`, 'u').exec(test)?.[1]);
  // A day of the week alone: any such day. 7 January 2024 is a Sunday.
  const weekday = Date.UTC(2024, 0, 7 + said('weekday'));
  const date = Number.isNaN(said('day')) ? weekday : Date.UTC(said('year'), said('month') - 1, said('day'), said('hour') || 0);
  const start = meant === undefined ? date : dateOf(meant);
  if (Number.isNaN(start)) return [];
  const day = Math.floor(start / DAY_MS) * DAY_MS;
  // It fills in noon, and an hour for each part of a day.
  return [[0, 12 * HOUR_MS].includes(start - day) || !/\d/u.test(phrase) ? [day, day + DAY_MS] : [start, start + 60_000]];
}

/** Each phrase of chrono's tests, with the start that its test expects. */
export function chronoMoments(folder: string, language: string): readonly (readonly Moment[])[] {
  const texts = globSync(join(folder, 'test', language, '**/*.test.ts*'))
    .sort()
    .map(textOf);
  const tests = texts.flatMap((text) => text.split(/(?=test(?:SingleCase|UnexpectedResult)\()/u).slice(1));
  return tests.flatMap((test) => {
    // It reads whole dates alone.
    if (test.includes('chrono.strict')) return [];
    const [, , phrase] = /^\w+\(\s*[\w.]+,\s*(["'])(.*?)\1/u.exec(test) ?? [];
    return phrase === undefined ? [] : [[{ phrase, from: 0, spans: chronoSpan(test, phrase) }]];
  });
}

/** What rrule.js reads and writes in words. */
export const rruleTexts = (folder: string): readonly Recurrence[] =>
  [...textOf(join(folder, 'test/nlp.test.ts')).matchAll(/^ {2,4}\[?\s*'(Every [^']*)',\s*'([^']*)',?\s*\]?/gmu)].map(
    ([, phrase = '', rrule = '']) => ({ phrase, rule: ruleOfRrule(rrule.replaceAll('\\n', '\n')) }),
  );
