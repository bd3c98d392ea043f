import { compareTexts } from '../../tools/util/plain-value.ts';
import type { Access } from '../access/access.ts';
import { maskedTables, visibleNotebooks } from '../access/masked-blocks.ts';
import { documentsAbove, NOT_INDEXED, rowsBesideUnindexed } from '../access/unindexed-documents.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { quotedList } from '../sql/sql-text.ts';

/** Scripts that identify a language, or nearly; kana turns Chinese characters into Japanese. */
const SCRIPTS: readonly (readonly [name: string, letter: RegExp])[] = [
  ['Japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['Chinese', /\p{Script=Han}/gu],
  ['Korean', /\p{Script=Hangul}/gu],
  ['Ukrainian', /[іїєґІЇЄҐ]/gu],
  ['Russian', /\p{Script=Cyrillic}/gu],
  ['Greek', /\p{Script=Greek}/gu],
  ['Arabic', /\p{Script=Arabic}/gu],
  ['Hebrew', /\p{Script=Hebrew}/gu],
  ['Hindi', /\p{Script=Devanagari}/gu],
  ['Thai', /\p{Script=Thai}/gu],
];
/** Languages with Latin letters are identified by function words: every text has some, and other languages share few. */
const SMALL_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  English: new Set('the of and to is that was with are this'.split(' ')),
  German: new Set('der die und das ist nicht ein eine mit auf'.split(' ')),
  French: new Set('le les des est et une dans pour qui que'.split(' ')),
  Spanish: new Set('el los las una por con para del es y'.split(' ')),
  Portuguese: new Set('os uma não com para do da em são e'.split(' ')),
  Italian: new Set('il gli che una per della di sono è con'.split(' ')),
  Dutch: new Set('het een van en niet dat zijn met voor op'.split(' ')),
};
const LATIN = /\p{Script=Latin}+/gu;
/** The minimum share of a notebook's words, and of its Latin words; below that it may be a term or a quotation. */
const LEAST_SHARE = 0.1;
const LEAST_SMALL_SHARE = 0.08;
const LEAST_SMALL_WORDS = 3;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Latin words by the language that most of their function words belong to; none if there are too few. */
function latinIn(text: string): readonly [name: string, words: number] | undefined {
  const words = text.toLowerCase().match(LATIN) ?? [];
  let best: readonly [name: string, small: number] = ['', 0];
  for (const [name, small] of Object.entries(SMALL_WORDS)) {
    const found = words.filter((word) => small.has(word)).length;
    if (found > best[1]) best = [name, found];
  }
  const isEnough = best[1] >= LEAST_SMALL_WORDS && best[1] >= LEAST_SMALL_SHARE * words.length;
  return isEnough ? [best[0], words.length] : undefined;
}

/** Names of the languages of a text, the one with most words first; none if the text is too short. */
export function languagesIn(text: string): readonly string[] {
  const found = new Map(SCRIPTS.map(([name, letter]) => [name, count(text, letter)]));
  const of = (name: string): number => found.get(name) ?? 0;
  // A few letters that another language lacks identify the language of the rest.
  for (const [few, many, times] of [
    ['Japanese', 'Chinese', 10],
    ['Ukrainian', 'Russian', 30],
  ] as const) {
    const isFew = of(few) * times >= of(many) && of(few) > 0;
    found.set(few, isFew ? of(few) + of(many) : 0);
    if (isFew) found.set(many, 0);
  }
  const latin = latinIn(text);
  if (latin) found.set(...latin);
  const all = [...found.values()].reduce((sum, each) => sum + each, 0);
  return [...found]
    .filter(([, words]) => words >= LEAST_SMALL_WORDS && words >= LEAST_SHARE * all)
    .sort(([, one], [, other]) => other - one)
    .map(([name]) => name);
}

/** The number of blocks sampled per notebook, by the random end of their ids, and of characters read from each. */
const BLOCKS = 60;
const CHARACTERS = 300;
const MOST_NAMED = 4;
const ABOVE_ROW = 'above';

const sampleOf = (books: readonly string[], outside: string): string =>
  'SELECT blocks.box, blocks.path, substr(blocks.content, 1, ' +
  `${CHARACTERS}) AS content FROM (SELECT rowid AS r, row_number() OVER (PARTITION BY box ORDER BY substr(id, -7), id) AS place FROM blocks ` +
  `WHERE box IN (${quotedList(books)}) AND id <> box AND type IN ('d', 'h', 'p') AND id NOT IN (SELECT id FROM showing) AND NOT ${outside} ` +
  'AND NOT EXISTS (SELECT 1 FROM guarded_documents WHERE instr(blocks.path, guarded_documents.id) > 0)) AS placed ' +
  `CROSS JOIN blocks ON blocks.rowid = placed.r WHERE placed.place <= ${BLOCKS}`;

/** Languages of the notebooks, the most common first: a guess from a few readable blocks, independent of hidden text. */
export async function notebookLanguages(
  { routes, access }: { readonly routes: KernelRoutes; readonly access: Pick<Access, 'notebooks' | 'scope'> },
  signal: AbortSignal,
): Promise<readonly string[]> {
  // Recent guards take effect at once.
  await routes.flushIndex(signal);
  const visible = await visibleNotebooks(access, signal);
  const books = visible.ids;
  if (books.length === 0) return [];
  const statement = (unindexed: readonly string[]): string =>
    `WITH RECURSIVE ${maskedTables(visible, unindexed, 'leaves')}, ` +
    `sample AS MATERIALIZED (${sampleOf(books, visible.outside('blocks'))}), ` +
    `${documentsAbove('SELECT path FROM sample UNION SELECT path FROM targets')} ` +
    `SELECT box, content FROM sample UNION ALL SELECT '${ABOVE_ROW}', id FROM above WHERE ${NOT_INDEXED} LIMIT 100000`;
  const aboveIn = ({ box, content }: Readonly<Record<string, unknown>>) => (box === ABOVE_ROW ? String(content) : undefined);
  const rows = await rowsBesideUnindexed(routes, statement, aboveIn, signal);
  const counts = new Map<string, number>();
  for (const book of books) {
    const text = rows.flatMap(({ box, content }) => (box === book ? String(content) : [])).join('\n');
    for (const [place, name] of languagesIn(text).entries()) counts.set(name, (counts.get(name) ?? 0) + 1 / (place + 1));
  }
  const named = [...counts].sort(([name, one], [other, more]) => more - one || compareTexts(name, other));
  return named.slice(0, MOST_NAMED).map(([name]) => name);
}
