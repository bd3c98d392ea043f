import { evenForm } from '../../tools/equal-text/equal-text.ts';
import { type IndexedBlock, titleIn } from '../access/readable-blocks.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { averageLength, type Field, readPassage, scoreOf, weightsOf } from './passage-score.ts';
import type { QueryWord } from './query-words.ts';
import { byRank } from './rank-order.ts';
import { excerptOf, indexRows, type RankedMatch } from './search-matches.ts';
import type { ReadQuery } from './search-matching.ts';

/** Weights of a word in the title of its note or the names of those above it, and in names and tags, relative to the body. */
const TITLE = 1;
export const NAMES = 1.5;

/** The title of the note, which for a title is the body, and the names of the notes above it. */
export const titleFields = ({ type, wordPath }: Pick<IndexedBlock, 'type' | 'wordPath'>): readonly Field[] => [
  ...(type === 'd' ? [] : [{ text: titleIn(wordPath), weight: TITLE }]),
  { text: wordPath.slice(0, wordPath.lastIndexOf('/')), weight: TITLE },
];

const wordOf = (term: string): QueryWord => {
  const text = evenForm(term);
  return { text, stem: text, typed: text };
};

async function textsOf(
  routes: KernelRoutes,
  found: readonly RankedMatch[],
  signal: AbortSignal,
): Promise<(match: RankedMatch) => { readonly body: string; readonly names: string }> {
  const ids = found.filter(({ text }) => text === undefined).map(({ place }) => place.id);
  const rows = new Map((await indexRows(routes, ids, signal)).map((row) => [String(row.id), row]));
  return ({ place, text }) => {
    if (text !== undefined) return { body: text, names: '' };
    const row = rows.get(place.id);
    const names = ['name', 'alias', 'memo', 'tag'].map((column) => String(row?.[column] ?? '')).join(' ');
    return { body: place.type === 'd' ? titleIn(place.wordPath) : String(row?.content ?? '').replaceAll('\u200b', ''), names };
  };
}

/** Matches of a search by words or by pattern, best first by their readable text, each with its excerpt. */
export async function rankMatches(
  routes: KernelRoutes,
  found: readonly RankedMatch[],
  read: ReadQuery,
  signal: AbortSignal,
): Promise<readonly RankedMatch[]> {
  const textOf = await textsOf(routes, found, signal);
  const asked = read.terms.map(wordOf);
  const all = found.map((match) => {
    const { body, names } = textOf(match);
    const { start, end } = read.place(body) ?? { start: 0, end: 0 };
    // For a pattern, the words are its matches.
    const words = asked.length > 0 ? asked : [wordOf(body.slice(start, end))].filter(({ text }) => text !== '');
    const passage = readPassage({ body, fields: [...titleFields(match.place), { text: names, weight: NAMES }] }, words);
    return { place: match.place, excerpt: match.excerpt ?? excerptOf(match.place, body, { start, end }, read), passage };
  });
  const passages = all.map(({ passage }) => passage);
  const weights = asked.length > 0 ? weightsOf(asked, passages, [], passages.length) : [1];
  const average = averageLength(passages);
  return all
    .map(({ place, excerpt, passage }) => {
      const rank = { score: scoreOf(passage, weights, average), updated: place.updated, path: place.wordPath, id: place.id };
      return { match: { place, excerpt }, rank };
    })
    .sort((one, other) => byRank(one.rank, other.rank))
    .map(({ match }) => match);
}
