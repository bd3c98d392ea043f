import type { SearchPage, SearchQuery } from '../../tools/contract/note-readings.ts';
import { evenForm } from '../../tools/equal-text/equal-text.ts';
import { compareTexts } from '../../tools/util/plain-value.ts';
import { type MaskedBlock, visibleNotebooks } from '../access/masked-blocks.ts';
import { type IndexedBlock, titleIn } from '../access/readable-blocks.ts';
import { SNIPPET_CHARS, snippetAt } from '../reading/snippet.ts';
import { noteScores, type ReadNote } from './note-score.ts';
import {
  averageLength,
  densestPlace,
  type PassageText,
  type ReadPassage,
  rarity,
  readPassage,
  scoreOf,
  weightsOf,
} from './passage-score.ts';
import { type QueryWord, queryWords } from './query-words.ts';
import { byRank, type Rank } from './rank-order.ts';
import { NAMES, titleFields } from './ranked-matches.ts';
import { type Candidate, type Candidates, findCandidates } from './relevance-candidates.ts';
import { chatsLast, savedChatsLast } from './saved-chats.ts';
import { fuseRanks, type NearMatches } from './search-by-meaning.ts';
import type { MatchFilter } from './search-filters.ts';
import { type MaskedText, matchAt, readMasked, readTwofold, type SearchMatchesDeps } from './search-matches.ts';
import { visibleText } from './search-matching.ts';
import { grouped, type RankedText as Ranked, withoutCopies } from './text-copies.ts';

/** Numbers of the words in few blocks that the text uses often, in order. `often`: uses of a word; `most`: of results. */
export function characteristicNumbers(
  words: readonly QueryWord[],
  { holding, all }: { readonly holding: readonly number[]; readonly all: number },
  often: ReadonlyMap<string, number>,
  most: number,
): readonly number[] {
  const rarest = new Map<string, number>();
  for (const [number, { typed, isHint }] of words.entries()) {
    const having = holding[number] ?? 0;
    // All pairs of a split word must occur somewhere.
    const value = having === 0 ? 0 : rarity(having, all);
    const known = rarest.get(typed) ?? value;
    if (!isHint) rarest.set(typed, value === 0 || known === 0 ? 0 : Math.max(known, value));
  }
  const chosen = [...rarest]
    .map(([typed, value]) => ({ typed, value: value * (1 + Math.log(Math.max(1, often.get(typed) ?? 1))) }))
    .filter(({ value }) => value > 0)
    .sort((one, other) => other.value - one.value || compareTexts(one.typed, other.typed))
    .slice(0, most);
  const isChosen = new Set(chosen.map(({ typed }) => typed));
  return words.flatMap(({ typed, isHint }, number) => (!isHint && isChosen.has(typed) ? number : []));
}

export interface RelevanceScope {
  readonly query: SearchQuery;
  readonly notebooks: readonly string[];
  readonly places: readonly string[];
  readonly masked: ReadonlyMap<string, MaskedBlock>;
  readonly filter: MatchFilter;
}

/** Readable blocks that are similar in meaning; undefined where nothing compares it. */
export type FindByMeaning = (signal: AbortSignal) => Promise<NearMatches | undefined>;

/** The weight of a word in the heading above, relative to the body. */
const HEADING = 0.5;
/** Further passages of a note are shown if they are among this many best passages overall. */
const BEST = 5;
/** The share of its score that the second best passage adds to its note. */
const SECOND = 0.1;
/** Words of a note that are counted, and that are searched: each costs a search of the index. */
const MOST_COUNTED = 32;
const MOST_CHARACTERISTIC = 12;

interface Passage {
  readonly place: IndexedBlock;
  readonly text: PassageText;
  /** Undefined if the statement that finds passages does not say. */
  readonly isSavedChat: boolean | undefined;
}

interface RankedNote extends Rank {
  /** Its title is the question: whoever types a name wants the note of that name. */
  readonly isNamed: boolean;
  readonly passages: readonly Ranked[];
}

interface FoundPassages {
  readonly passages: readonly Passage[];
  readonly found: Candidates;
}

/** A query without words is searched as it is. */
function questionWords({ query, occurrences }: SearchQuery): readonly QueryWord[] {
  const text = evenForm(visibleText(query));
  const words = occurrences ? queryWords(text, undefined, MOST_COUNTED).filter(({ isHint }) => !isHint) : queryWords(text);
  return words.length > 0 ? words : [{ text, stem: text, typed: text }];
}

function passageOf({ place, content, names, heading, indexed, isSavedChat }: Candidate, masked: RelevanceScope['masked']): Passage {
  const fields = [
    ...titleFields(place),
    // A heading may show a hidden word.
    ...(heading && !masked.has(heading.id) ? [{ text: heading.content, weight: HEADING }] : []),
    { text: names, weight: NAMES },
  ];
  return { place, text: { body: content, fields, indexed }, isSavedChat };
}

const readAsPassage = ({ place, text }: MaskedText): Passage => ({
  place,
  text: { body: text, fields: titleFields(place) },
  isSavedChat: undefined,
});

/** Blocks that contain one of the words according to the index, and all masked blocks; both are read concurrently. */
async function passagesOf(
  deps: SearchMatchesDeps,
  scope: RelevanceScope,
  words: readonly QueryWord[],
  signal: AbortSignal,
): Promise<FoundPassages> {
  const { query, notebooks, places, masked, filter } = scope;
  const visible = await visibleNotebooks(deps.access, signal);
  const [found, besides] = await Promise.all([
    findCandidates(deps.routes, { query, notebooks, visible, places, masked: [...masked.keys()] }, words, signal),
    readMasked(deps, masked, query, filter, signal),
  ]);
  const indexed = found.rows.map(({ place }) => place);
  const ids = new Set((await filter.passing(indexed, signal)).map(({ id }) => id));
  const passing = found.rows.filter(({ place }) => ids.has(place.id));
  const open = passing.filter(({ place }) => !place.isTwofold).map((row) => passageOf(row, masked));
  const twofold = passing.flatMap(({ place }) => (place.isTwofold ? place : []));
  return { passages: [...open, ...[...besides, ...(await readTwofold(deps, twofold, signal))].map(readAsPassage)], found };
}

/** Only the most characteristic words of the note. */
function characteristic(
  { passages, found }: FoundPassages,
  words: readonly QueryWord[],
  occurrences: ReadonlyMap<string, number>,
): Parameters<typeof rank> {
  const numbers = characteristicNumbers(words, found, occurrences, MOST_CHARACTERISTIC);
  const places = new Map(numbers.map((number, index) => [number, index]));
  const renumbered = passages.map((passage) => {
    const indexed = new Set([...(passage.text.indexed ?? [])].flatMap((number) => places.get(number) ?? []));
    return { ...passage, text: { ...passage.text, indexed } };
  });
  const chosen = (of: readonly number[]): readonly number[] => numbers.map((number) => of[number] ?? 0);
  const notes = new Map([...found.notes].map(([id, { counts, length }]) => [id, { counts: chosen(counts), length }]));
  const inNotes = { ...found.inNotes, holding: chosen(found.inNotes.holding) };
  return [renumbered, numbers.flatMap((number) => words[number] ?? []), { ...found, holding: chosen(found.holding), notes, inNotes }];
}

const isFound = ({ words }: ReadPassage, asked: readonly QueryWord[]): boolean =>
  words.some(({ count }, number) => count > 0 && !asked[number]?.isHint);

/** Words of the question in a passage, the heaviest first; for a word split into pairs, its pairs, or the typed word if all match. */
function wordsHad({ words: inText }: ReadPassage, words: readonly QueryWord[], weights: readonly number[]): readonly string[] {
  const has = (number: number): boolean => inText[number]?.isWhole === true;
  const isAllThere = (typed: string): boolean => words.every((word, number) => word.typed !== typed || word.isHint || has(number));
  const had = words.flatMap((word, number) => (has(number) && !word.isHint ? { word, weight: weights[number] ?? 0 } : []));
  had.sort((one, other) => other.weight - one.weight);
  return [...new Set(had.map(({ word }) => (isAllThere(word.typed) ? word.typed : word.text)))];
}

type Read = Passage & { readonly read: ReadPassage };

/** The notes of passages. What the statement has not counted, since it was read from the block itself, is added. */
function notesIn(passages: readonly Read[], words: readonly QueryWord[], found: Candidates): ReadonlyMap<string, ReadNote> {
  const asked = words.filter(({ isHint }) => !isHint);
  const none = asked.map(() => 0);
  const notes = new Map<string, ReadNote>();
  for (const { place, text, read } of passages) {
    const { documentId: id, wordPath } = place;
    const known = notes.get(id) ?? {
      ...(found.notes.get(id) ?? { counts: none, length: 0 }),
      title: readPassage({ body: '', fields: titleFields({ type: '', wordPath }) }, asked),
    };
    const isCounted = text.indexed !== undefined || place.isTwofold === true;
    const counts = isCounted ? known.counts : known.counts.map((count, number) => count + Number((read.words[number]?.count ?? 0) > 0));
    notes.set(id, { ...known, counts, length: known.length + (isCounted ? 0 : text.body.length) });
  }
  return notes;
}

/** Passages by how well they and their notes answer, and the typed words that none contains. */
function rank(passages: readonly Passage[], words: readonly QueryWord[], found: Candidates): { ranked: Ranked[]; missing: string[] } {
  const read = passages
    .map((passage) => ({ ...passage, read: readPassage(passage.text, words) }))
    .filter((passage) => isFound(passage.read, words));
  const texts = read.map((passage) => passage.read);
  const weights = weightsOf(words, texts, found.holding, found.all);
  const average = averageLength(texts);
  const ofNotes = noteScores(notesIn(read, words, found), found.inNotes);
  const ranked = read.map(({ place, text, read: inText, isSavedChat }): Ranked => {
    const { start, end } = densestPlace(inText, weights, SNIPPET_CHARS - 2 * 20);
    const snippet = place.type === 'd' ? titleIn(place.wordPath) : snippetAt(text.body, start, end);
    const match = matchAt(place, { snippet, words: wordsHad(inText, words, weights) });
    const own = scoreOf(inText, weights, average);
    const score = own + (ofNotes.get(place.documentId) ?? 0);
    return { match, body: text.body, own, score, updated: place.updated, path: place.wordPath, id: place.id, isSavedChat };
  });
  const isMissing = (typed: string): boolean =>
    words.every((word, number) => word.typed !== typed || !texts.some((text) => (text.words[number]?.count ?? 0) > 0));
  const typed = [...new Set(words.filter(({ isHint }) => !isHint).map((word) => word.typed))];
  return { ranked: ranked.sort(byRank), missing: typed.filter(isMissing) };
}

/** The words, whatever their order and form. */
const namedBy = (words: readonly QueryWord[]): string =>
  words
    .flatMap(({ stem, isHint }) => (isHint ? [] : stem))
    .sort()
    .join(' ');

/** Notes, best first, each with its passages, best first; a title is listed only if there is no other passage. */
function notesOf(ranked: readonly Ranked[], asked: readonly QueryWord[]): RankedNote[] {
  const name = namedBy(asked);
  const byNote = grouped(ranked, ({ match }) => match.documentId);
  const last = ranked.filter(({ match }) => match.type !== 'd')[BEST - 1];
  const best = new Set(last ? ranked.slice(0, ranked.indexOf(last) + 1) : ranked);
  return [...byNote]
    .map(([id, all]): RankedNote => {
      const inside = all.filter(({ match }) => match.type !== 'd');
      const shown = inside.length === 0 ? all : inside;
      const passages = shown.filter((each, index) => index === 0 || best.has(each));
      const score = (all[0]?.score ?? 0) + SECOND * (all[1]?.score ?? 0);
      const path = all[0]?.path ?? '';
      const isNamed = namedBy(queryWords(titleIn(path))) === name;
      return { isNamed, score, updated: all[0]?.updated ?? '', path, id, passages };
    })
    .sort((one, other) => Number(other.isNamed) - Number(one.isNamed) || byRank(one, other));
}

/** Ranks notes by any words of a question and readable text only; a page is a number of notes. `byMeaning`: only if allowed. */
export async function searchByRelevance(
  deps: SearchMatchesDeps,
  scope: RelevanceScope,
  byMeaning: FindByMeaning | undefined,
  signal: AbortSignal,
): Promise<SearchPage> {
  const { query } = scope;
  const words = questionWords(query);
  const asking = byMeaning?.(signal);
  const all = await passagesOf(deps, scope, words, signal);
  const { ranked, missing } = query.occurrences
    ? rank(...characteristic(all, words, query.occurrences))
    : rank(all.passages, words, all.found);
  const asked = words.filter(({ isHint }) => !isHint).length;
  const near = await asking;
  const notes = notesOf(withoutCopies(near ? fuseRanks(ranked, near, asked) : ranked), words);
  const end = query.page * query.pageSize;
  const isMore = notes.length > end;
  const shown = notes.slice(end - query.pageSize, end).flatMap(({ passages }) => passages);
  const ordered = shown.map(({ match }) => match);
  const isKnown = shown.every(({ isSavedChat }) => isSavedChat !== undefined);
  const chats = new Set(shown.filter(({ isSavedChat }) => isSavedChat).map(({ match }) => match.documentId));
  const matches = isKnown ? chatsLast(ordered, chats) : await savedChatsLast(deps.routes, ordered, signal);
  return {
    matches,
    total: isMore ? null : notes.length,
    nextPage: isMore ? query.page + 1 : null,
    missing: missing.length > 0 ? missing : undefined,
    ...(near ? { byMeaning: near.matches.length > 0 || near.other !== undefined } : {}),
    // The others were read from the block itself, or found by meaning.
    ...(isKnown ? { fromIndex: true } : {}),
  };
}
