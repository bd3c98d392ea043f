import type { SearchQuery } from '../../tools/contract/note-readings.ts';
import { maskedTables, type VisibleNotebooks } from '../access/masked-blocks.ts';
import {
  GUARDED_BLOCKS,
  guardedDocuments,
  HOLDING_GUARDS,
  type IndexedBlock,
  IS_TAG,
  isTwofold,
  readableTime,
} from '../access/readable-blocks.ts';
import { documentsAbove, NOT_INDEXED, rowsBesideUnindexed } from '../access/unindexed-documents.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { quoted, quotedList } from '../sql/sql-text.ts';
import { holdsLoosely, isPlainWord, looseTexts, spellingsOf, writtenForms } from '../sql/written-forms.ts';
import { printFullText } from './full-text-expression.ts';
import type { QueryWord } from './query-words.ts';
import { SAVED_CHAT } from './saved-chats.ts';
import { maskedKindsOf, plainTag, SEARCHED_TYPES, taggedWith } from './search-filters.ts';

export interface Candidate {
  readonly place: IndexedBlock;
  readonly content: string;
  readonly names: string;
  /** The top-level heading above it in its document. */
  readonly heading: { readonly id: string; readonly content: string } | undefined;
  readonly indexed: ReadonlySet<number>;
  readonly isSavedChat: boolean;
}

/** The blocks of a note that may be found: how many contain each word, and the length of all. */
export interface NoteWords {
  readonly counts: readonly number[];
  readonly length: number;
}

/** Notes that have any of the words: how many there are, and how many have each word. */
export interface NoteHolding {
  readonly holding: readonly number[];
  readonly all: number;
}

export interface Candidates {
  /** Those with the most words, rare words first, in no order. */
  readonly rows: readonly Candidate[];
  readonly holding: readonly number[];
  /** Readable blocks that contain any of the words. */
  readonly all: number;
  /** Those of the rows, by id. */
  readonly notes: ReadonlyMap<string, NoteWords>;
  readonly inNotes: NoteHolding;
}

export interface CandidateScope {
  readonly query: SearchQuery;
  readonly notebooks: readonly string[];
  readonly visible: VisibleNotebooks;
  readonly places: readonly string[];
  /** Ids of the masked blocks of the searched notebooks. */
  readonly masked: readonly string[];
}

const MOST = 300;
/** Blocks that are compared to find copies, and copies of one text that are ranked: a text in many notes would take all places. */
const MOST_COMPARED = 3000;
const COPIES = 4;
/** The minimum length of a copy in characters: "Summary", a date or a name occurs in many notes by chance. */
export const COPIED = 20;
const CONTENT = 20_000;
/** Rarity is counted in this many powers of two; SiYuan's SQLite has no logarithm. */
const HALVINGS = 18;
/** The maximum number of masked blocks that a statement names: for more, it finds them itself, which costs as much as everything else. */
const MOST_NAMED = 500;
/** Not a block id: marks documents that are missing in the index. */
const ABOVE_ROW = 'above';
const COLUMNS = ['name', 'alias', 'memo', 'tag', 'content'];
/** The index stores single characters: Latin words are found faster by one scan of all texts (docs/kernel.md#index-and-search). */
const LETTERS = /^[\x20-\x7e]+$/;
const isScanned = (stem: string): boolean => LETTERS.test(stem) || isPlainWord(stem);
/** A word this short occurs inside many words: it counts only at the beginning of one. */
const SHORT = /^[a-z0-9]{1,2}$/;
const SHORT_ALONE = /^[a-z0-9]{1,3}$/;

const LOOSE = { bare: 'bare', joined: 'joined' };

function holds(stem: string, isAlone: boolean): string {
  const pattern = quoted(`%${stem.replaceAll(/[\\%_]/g, '\\$&')}%`);
  const escaping = /[\\%_]/.test(stem) ? " ESCAPE '\\'" : '';
  const begins = (isAlone ? SHORT_ALONE : SHORT).test(stem) ? ` AND lower(' ' || text) GLOB '*[^a-z0-9]${stem}*'` : '';
  const spelled = spellingsOf(stem).map((spelling) => `text LIKE ${quoted(`%${spelling}%`)}`);
  const loose = isPlainWord(stem) ? [holdsLoosely(LOOSE, stem)] : [];
  return [`text LIKE ${pattern}${escaping}${begins}`, ...spelled, ...loose].join(' OR ');
}

/** The words with these numbers in each block, in one pass: only the text is read if a block has no names. */
function scanned({ query, notebooks }: CandidateScope, words: readonly QueryWord[], numbers: readonly number[]): string {
  const stems = numbers.map((number) => words[number]?.stem ?? '');
  // As the condition of a CASE: as a value, SQLite would evaluate every part of it.
  const mask = numbers.map((number, index) => `CASE WHEN ${holds(stems[index] ?? '', words.length === 1)} THEN ${2 ** number} ELSE 0 END`);
  const { bare, joined } = looseTexts('text', stems.filter(isPlainWord));
  const isNameless = COLUMNS.filter((column) => column !== 'content').map((column) => `${column} = ''`);
  // Without a limit SQLite would compute what an inner query selects as often as it is named.
  return (
    `SELECT r, mask FROM (SELECT r, ${mask.join(' + ')} AS mask FROM (SELECT r, text, ${bare} AS bare, ${joined} AS joined FROM ` +
    `(SELECT rowid AS r, CASE WHEN ${isNameless.join(' AND ')} THEN content ELSE ${COLUMNS.join(" || ' ' || ")} END AS text FROM blocks ` +
    `WHERE box IN (${quotedList(notebooks)}) AND type IN (${quotedList(typesOf(query))}) LIMIT -1) LIMIT -1) LIMIT -1) WHERE mask > 0`
  );
}

function indexed(stem: string, number: number): string {
  const parts = [...new Set([...writtenForms(stem), ...spellingsOf(stem)])].map(
    (text) => ({ kind: 'phrase', text, first: false }) as const,
  );
  const match = printFullText({ kind: 'columns', columns: COLUMNS, inside: { kind: 'or', parts } });
  return `SELECT rowid, ${2 ** number} FROM blocks_fts WHERE blocks_fts MATCH ${quoted(match)}`;
}

/** Rows with the words that each contains, as a sum of powers of two; a block may have several rows. */
function hitsOf(scope: CandidateScope, words: readonly QueryWord[]): string {
  const numbers = words.map((_word, number) => number);
  const ofLetters = numbers.filter((number) => isScanned(words[number]?.stem ?? ''));
  const others = numbers.filter((number) => !ofLetters.includes(number));
  const selects = others.map((number) => indexed(words[number]?.stem ?? '', number));
  return [...(ofLetters.length > 0 ? [scanned(scope, words, ofLetters)] : []), ...selects].join(' UNION ALL ');
}

const typesOf = ({ types }: SearchQuery): readonly string[] => (types?.length ? types : SEARCHED_TYPES);

const areNamed = (masked: readonly string[]): boolean => masked.length <= MOST_NAMED;

export const isIn = (places: readonly string[]): string =>
  places.map((place) => `substr(blocks.box || blocks.path, 1, ${place.length}) = ${quoted(place)}`).join(' OR ');

/** The condition on blocks. Tags of guarded blocks must not be revealed. */
function conditionOf({ query, notebooks, visible, places, masked }: CandidateScope, unindexed: readonly string[]): string {
  const { tags = [], updatedFrom, updatedTo, withoutDocument } = query;
  const digits = (day: string): string => day.replaceAll('-', '');
  const tagged = tags.map(plainTag).filter((tag) => tag !== '');
  const carries = (tag: string): string =>
    `blocks.root_id IN (SELECT root_id FROM spans WHERE ${IS_TAG} AND (${taggedWith([tag])}) AND block_id NOT IN (SELECT id FROM guarded))`;
  const isHidden = 'EXISTS (SELECT 1 FROM guarded_documents WHERE instr(blocks.path, guarded_documents.id) > 0)';
  return [
    `blocks.box IN (${quotedList(notebooks)}) AND blocks.id <> blocks.box AND NOT ${visible.outside('blocks')}`,
    `blocks.type IN (${quotedList(typesOf(query))})`,
    ...(places.some((place) => place.includes('/')) ? [`(${isIn(places)})`] : []),
    ...(withoutDocument === undefined ? [] : [`blocks.root_id <> ${quoted(withoutDocument)}`]),
    ...tagged.map(carries),
    ...(updatedFrom === undefined ? [] : [`${readableTime('blocks')} >= ${quoted(digits(updatedFrom))}`]),
    ...(updatedTo === undefined ? [] : [`${readableTime('blocks')} < ${quoted(`${digits(updatedTo)}~`)}`]),
    ...(masked.length > 0 ? [`blocks.id NOT IN (${areNamed(masked) ? quotedList(masked) : 'SELECT id FROM showing'})`] : []),
    ...(masked.length > 0 || unindexed.length > 0 ? [`NOT ${isHidden}`] : []),
  ].join(' AND ');
}

/** The halvings of the number of blocks until only those with the word are left, plus one. */
const weightOf = (number: number): string =>
  `(1${Array.from({ length: HALVINGS }, (_one, power) => ` + (n${number} * ${2 ** (power + 1)} < total)`).join('')}) AS w${number}`;

/** Blocks with the most and rarest words first. */
const ORDER = "score DESC, type IN ('d', 'h') DESC, length, id";
/** The common text of copies; two notes with the same name are not copies. */
const TEXT = `iif(counted.type = 'd' OR counted.length < ${COPIED}, counted.id, blocks.content)`;

function statementOf(scope: CandidateScope, words: readonly QueryWord[], unindexed: readonly string[]): string {
  const { masked, visible, query } = scope;
  const each = (print: (number: number) => string, between: string): string => words.map((_word, number) => print(number)).join(between);
  const listed = (print: (number: number) => string): string => each((number) => `CAST(${print(number)} AS INTEGER)`, " || ',' || ");
  const isNamed = areNamed(masked);
  const condition = conditionOf(scope, unindexed);
  return (
    `WITH RECURSIVE ${isNamed ? `${GUARDED_BLOCKS}, ${guardedDocuments(unindexed)}` : maskedTables(visible, unindexed, maskedKindsOf(query))}, ${HOLDING_GUARDS}, ` +
    `hits(r, mask) AS (${hitsOf(scope, words)}), ` +
    'seen AS MATERIALIZED (SELECT hit.r, hit.mask, blocks.id, blocks.path, blocks.length, blocks.type ' +
    `FROM (SELECT r, sum(mask) AS mask FROM hits GROUP BY r) AS hit JOIN blocks ON blocks.rowid = hit.r WHERE ${condition}), ` +
    `notes AS MATERIALIZED (SELECT path, ${each((number) => `total((mask >> ${number}) & 1) AS n${number}`, ', ')} FROM seen GROUP BY path), ` +
    `counts AS (SELECT ${each((number) => `total(n${number}) AS n${number}`, ', ')}, ` +
    `${listed((number) => `total(n${number} > 0)`)} || ',' || count(*) AS in_notes, (SELECT count(*) FROM seen) AS total FROM notes), ` +
    `weights AS MATERIALIZED (SELECT total, in_notes, ${listed((number) => `n${number}`)} AS holding, ${each(weightOf, ', ')} FROM counts), ` +
    `top AS MATERIALIZED (SELECT seen.*, total, in_notes, holding, ${each((number) => `((mask >> ${number}) & 1) * w${number}`, ' + ')} AS score ` +
    `FROM weights CROSS JOIN seen ORDER BY ${ORDER} LIMIT ${MOST_COMPARED}), ` +
    'counted AS MATERIALIZED (SELECT top.*, count(*) OVER (PARTITION BY path) AS many FROM top), ' +
    `copies AS MATERIALIZED (SELECT counted.*, blocks.root_id, dense_rank() OVER (PARTITION BY ${TEXT} ORDER BY many, counted.path) AS copy ` +
    'FROM counted CROSS JOIN blocks ON blocks.rowid = counted.r), ' +
    `best AS MATERIALIZED (SELECT r, root_id, path, mask, total, in_notes, holding FROM copies WHERE copy <= ${COPIES} ORDER BY ${ORDER} LIMIT ${MOST}), ` +
    'sizes AS MATERIALIZED (SELECT blocks.path, total(blocks.length) AS size FROM blocks ' +
    `WHERE blocks.root_id IN (SELECT root_id FROM best) AND ${condition} GROUP BY blocks.path), ` +
    `${documentsAbove('SELECT path FROM notes')} ` +
    `SELECT blocks.id, substr(blocks.content, 1, ${CONTENT}) AS content, ` +
    "trim(blocks.name || ' ' || blocks.alias || ' ' || blocks.memo || ' ' || blocks.tag) AS names, heading.id AS heading, heading.content AS heading_content, " +
    `mask, holding, total, in_notes, ${listed((number) => `notes.n${number}`)} AS in_note, size, ` +
    `blocks.root_id, blocks.box, blocks.path, blocks.hpath, blocks.type, ${readableTime('blocks')} AS updated, ` +
    `EXISTS (SELECT 1 FROM attributes WHERE name = '${SAVED_CHAT}' AND block_id = blocks.root_id) AS is_chat, ${isTwofold('blocks')} AS twofold ` +
    'FROM best CROSS JOIN notes ON notes.path = best.path CROSS JOIN sizes ON sizes.path = best.path CROSS JOIN blocks ON blocks.rowid = best.r ' +
    "LEFT JOIN blocks AS heading ON heading.id = blocks.parent_id AND heading.type = 'h' " +
    `UNION ALL SELECT '${ABOVE_ROW}', id, '', '', '', 0, '', 0, '', '', 0, '', '', '', '', '', '', 0, 0 FROM above WHERE ${NOT_INDEXED} LIMIT 100000`
  );
}

const text = (value: unknown): string => String(value ?? '');
const numbers = (value: unknown): readonly number[] => text(value).split(',').map(Number);

/** True if the index may find a word that the text does not show: simplified characters, long texts; else from an old version. */
function isKnownToIndex({ stem }: QueryWord, row: Readonly<Record<string, unknown>>): boolean {
  const content = text(row.content);
  return /\p{Script=Han}/u.test(stem) || content.length >= CONTENT || content.toLowerCase().length !== content.length;
}

/** The statement has already excluded everything that keeps a block back. */
const placeOf = (row: Readonly<Record<string, unknown>>): IndexedBlock => ({
  id: text(row.id),
  notebook: text(row.box),
  documentId: text(row.root_id),
  path: text(row.path),
  wordPath: text(row.hpath),
  type: text(row.type),
  updated: text(row.updated),
  readable: true,
  isTwofold: Number(row.twofold) === 1,
});

/** Readable blocks with any of the words, counted and ordered by readable text alone. The caller has flushed the index. */
export async function findCandidates(
  routes: Pick<KernelRoutes, 'sql' | 'attributesOf'>,
  scope: CandidateScope,
  words: readonly QueryWord[],
  signal: AbortSignal,
): Promise<Candidates> {
  const asked = words.filter(({ isHint }) => !isHint);
  if (asked.length === 0 || scope.places.length === 0)
    return { rows: [], holding: [], all: 0, notes: new Map(), inNotes: { holding: [], all: 0 } };
  const aboveIn = (row: Readonly<Record<string, unknown>>) => (row.id === ABOVE_ROW ? text(row.content) : undefined);
  const rows = await rowsBesideUnindexed(routes, (unindexed) => statementOf(scope, asked, unindexed), aboveIn, signal);
  const found = new Map(
    rows.map((row): [string, Candidate] => {
      const mask = Number(row.mask);
      return [
        text(row.id),
        {
          place: placeOf(row),
          content: text(row.content),
          names: text(row.names),
          heading: row.heading ? { id: text(row.heading), content: text(row.heading_content) } : undefined,
          indexed: new Set(
            asked.flatMap((word, number) => (isKnownToIndex(word, row) && Math.floor(mask / 2 ** number) % 2 === 1 ? number : [])),
          ),
          isSavedChat: Number(row.is_chat) === 1,
        },
      ];
    }),
  );
  const [first] = rows;
  const inNotes = numbers(first?.in_notes);
  return {
    rows: [...found.values()],
    holding: numbers(first?.holding),
    all: Number(first?.total ?? 0),
    notes: new Map(rows.map((row) => [text(row.root_id), { counts: numbers(row.in_note), length: Number(row.size) }])),
    inNotes: { holding: inNotes.slice(0, -1), all: inNotes.at(-1) ?? 0 },
  };
}
