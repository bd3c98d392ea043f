import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { doubtOf } from '../../src/features/claim-check/claim-facts.ts';
import type { EvalOptions, EvalPart, EvalRow } from '../part.ts';
import { setFolder } from '../sets.ts';

interface Note {
  readonly title: string;
  readonly paragraphs: readonly string[];
}

interface Claim {
  readonly sentence: string;
  readonly source: string;
}

const VERSIONS: Readonly<Record<string, string>> = { claims: 'sample', HaluEval: 'b7253db3' };
const MOST = 60;
const SENTENCE = /(?:[^.!?。！？]|(?<=\d)\.(?=\d))+[.!?。！？]/gu;
const NAME = /(?<=[\p{Ll},;] )\p{Lu}\p{Ll}{3,}/u;
const NUMBER = /\b\d[\d,.]*\d\b|\b\d+\b/u;
const IN_WORDS =
  /(?<!\p{L}|\b(?:the|these|those|all|first|last|other|his|her|its|their) )(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|hundred)(?= )|(?<![第零一二三四五六七八九十百千])[三四五六七八九](?=[个個种種年次位名天座岁歲])/u;
/** Each unit with another of its kind. */
const PAIRS = [
  ...['million billion', 'kilometres metres', 'kilometers meters', 'km m', 'miles feet', 'years months', 'weeks days', 'hours minutes'],
  ...['公里 米', '万 亿', '小时 分钟', '天 周', '美元 欧元', '$ €'],
].map((pair) => pair.split(' '));
const OTHER_UNIT = new Map(PAIRS.flatMap(([one = '', other = '']) => [[one, other] as const, [other, one] as const]));
const UNIT = new RegExp(
  `(?<=\\d[ -]?)(?:${[...OTHER_UNIT.keys()].filter((unit) => !/[$€]/u.test(unit)).join('|')})(?![a-z])|[$€](?=\\d)`,
  'u',
);
const SIGNED = /(?<=[ (约約为為])(?=\d)/u;
const WORDS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const fits = (text: string): boolean => text.length > 30 && text.length < 400;

function notesOf(options: EvalOptions): ReadonlyMap<string, readonly Note[]> {
  const folder = options.full ? setFolder(options, 'recall', 'see eval/README.md') : join(import.meta.dirname, 'sample');
  const names = options.full ? ['finding-en', 'finding-zh'] : ['claims'];
  const files = names.map((name) => [name, join(folder, `${name}.jsonl`)] as const).filter(([, file]) => existsSync(file));
  return new Map(
    files.map(([name, file]) => [
      name,
      readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line): Note => JSON.parse(line)),
    ]),
  );
}

/** Each changed fact comes from another paragraph of the set, so that it is as likely as the right one. */
function changesOf(claims: readonly Claim[], pattern: RegExp): readonly Claim[] {
  const found = claims.flatMap(({ sentence }) => sentence.match(pattern)?.[0] ?? []);
  return claims.flatMap(({ sentence, source }, index) => {
    const [own] = sentence.match(pattern) ?? [];
    const other = found.find((each, at) => at > index % found.length && !source.includes(each));
    return own === undefined || other === undefined ? [] : [{ sentence: sentence.replace(own, other), source }];
  });
}

/** The same in other words and forms: what a model does with a passage that it repeats truly. */
function reworded({ sentence, source }: Claim): Claim {
  const numbers = sentence.replaceAll(/\b(\d{1,3}),(\d{3})\b/gu, '$1$2').replaceAll(/\bpercent\b/gu, '%');
  return { sentence: numbers.replace(/^([^,]{8,}), ([^,]+)\.$/u, '$2, $1.').replaceAll(/\b(?:however|also|then)\b,? /gu, ''), source };
}

/** Numbers in words, and in shorter forms. */
function inWords({ sentence, source }: Claim): readonly Claim[] {
  const changed = sentence
    .replaceAll(/(?<=\p{Ll} )(\d{1,2})(?= \p{Ll})/gu, (digits) => WORDS[Number(digits) - 2] ?? digits)
    .replaceAll(/(?<=\p{Ll} )(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?= \p{Ll})/gu, (word) =>
      String(WORDS.indexOf(word) + 2),
    )
    .replaceAll(/\b(\d+),([1-9])00,000\b/gu, '$1.$2 million')
    .replaceAll(/\b(\d+),000,000\b/gu, '$1 million')
    .replaceAll(/(?<=\d) ?percent\b/gu, '%')
    .replaceAll(/(?<!\d|\p{Script=Han})([2-9])(?= ?[个年次天种位名座岁])/gu, (digit) => '零一二三四五六七八九'[Number(digit)] ?? digit)
    .replaceAll(/(?<!\d)(\d+)0000(?!\d)/gu, '$1万');
  return changed === sentence ? [] : [{ sentence: changed, source }];
}

const otherUnit = ({ sentence, source }: Claim): readonly Claim[] => {
  const changed = sentence.replace(UNIT, (unit) => OTHER_UNIT.get(unit) ?? unit);
  return changed === sentence ? [] : [{ sentence: changed, source }];
};
const otherSign = ({ sentence, source }: Claim): readonly Claim[] => {
  const changed = sentence.replace(SIGNED, '-');
  return changed === sentence ? [] : [{ sentence: changed, source }];
};

const negated = ({ sentence, source }: Claim): readonly Claim[] => {
  if (/\b(?:not|no|never|none|without|n't)\b|[不没無无非未]/u.test(sentence)) return [];
  const denied = sentence.replace(/\b(is|was|are|were|has|can|will)\b/u, '$1 not').replace(/(?<=\p{Script=Han})是/u, '不是');
  return denied === sentence ? [] : [{ sentence: denied, source }];
};

interface Counted {
  readonly cases: readonly Claim[];
  readonly marked: number;
  readonly failed: readonly string[];
}

function count(claims: readonly Claim[], wanted: boolean): Counted {
  const wrong = claims.filter(({ sentence, source }) => (doubtOf(sentence, source) !== undefined) !== wanted);
  const marked = wanted ? claims.length - wrong.length : wrong.length;
  return { cases: claims, marked, failed: wrong.slice(0, 8).map(({ sentence }) => sentence.trim()) };
}

function row(
  set: string,
  measured: string,
  { cases, marked, failed }: Counted,
  least: number | undefined,
  most: number | undefined,
): EvalRow {
  const share = marked / Math.max(1, cases.length);
  const wanted = least === undefined ? `at most ${(most ?? 0) * 100} % marked` : `at least ${least * 100} % marked`;
  const holds = cases.length > 0 && (least === undefined ? share <= (most ?? 0) : share >= least);
  const ours = `${(share * 100).toFixed(1)} % marked`;
  return { set, version: VERSIONS[set] ?? 'XQuAD 1.0', measured, cases: cases.length, ours, wanted, holds, failed: holds ? [] : failed };
}

interface Answered {
  readonly knowledge: string;
  readonly question: string;
  readonly right_answer: string;
  readonly hallucinated_answer: string;
}

/** Answers of people and of a model that was told to invent: many of those only take another name of the same text. */
function answeredRows(options: EvalOptions): readonly EvalRow[] {
  if (!options.full) return [];
  const file = join(setFolder(options, 'halueval', 'see eval/README.md'), 'qa.jsonl');
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line): Answered => JSON.parse(line));
  const of = (name: 'right_answer' | 'hallucinated_answer') =>
    lines.map((each) => ({ sentence: each[name], source: `${each.knowledge} ${each.question}` }));
  const { wanted: _none, ...invented } = row('HaluEval', 'invented answers', count(of('hallucinated_answer'), true), 0, undefined);
  return [row('HaluEval', 'right answers', count(of('right_answer'), false), undefined, 0.05), invented];
}

export const part: EvalPart = {
  name: 'claims',
  title: 'Claims: a cited sentence with a changed fact is marked, a true one is not',
  async run(options) {
    const ofNotes = [...notesOf(options)].flatMap(([name, notes]) => {
      const claims = notes
        .flatMap(({ paragraphs }) =>
          paragraphs.flatMap((source) =>
            (source.match(SENTENCE) ?? []).filter(fits).map((sentence) => ({ sentence: sentence.trim(), source })),
          ),
        )
        .slice(0, options.full ? undefined : MOST);
      const names = changesOf(claims, NAME);
      return [
        row(name, 'true, in other words and forms', count(claims.map(reworded), false), undefined, 0.05),
        row(name, 'true, numbers in words or digits', count(claims.flatMap(inWords), false), undefined, 0.05),
        row(name, 'a number changed', count(changesOf(claims, NUMBER), true), 0.9, undefined),
        ...(names.length === 0 || name === 'finding-zh' ? [] : [row(name, 'a name changed', count(names, true), 0.9, undefined)]),
        row(name, 'a number in words changed', count(changesOf(claims, IN_WORDS), true), 0.9, undefined),
        row(name, 'a unit changed', count(claims.flatMap(otherUnit), true), 0.9, undefined),
        row(name, 'a sign changed', count(claims.flatMap(otherSign), true), 0.9, undefined),
        row(name, 'denied', count(claims.flatMap(negated), true), 0.9, undefined),
      ];
    });
    return [...ofNotes, ...answeredRows(options)];
  },
};
