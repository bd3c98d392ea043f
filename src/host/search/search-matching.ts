import type { SearchQuery } from '../../tools/contract/note-readings.ts';
import { findTerm, type TextRange } from '../reading/snippet.ts';
import { matchesFullText, printFullText, termsOf } from './full-text-expression.ts';
import { parseFullText } from './full-text-parser.ts';
import { goPattern } from './go-pattern.ts';
import { visibleText } from './visible-text.ts';

/** Of SiYuan's search, which compiles a pattern anew for each row: one of many repetitions keeps it busy for minutes. */
const MAX_PATTERN_STEPS = 400;
const BLOCK_ID = /^\d{14}-[0-9a-z]{7}$/;

export const keywordsOf = ({ query }: Pick<SearchQuery, 'query'>): readonly string[] => visibleText(query).split(/ +/);

/** Finds a query in a text as SiYuan's search would; undefined where it does not stand there. Searching by meaning finds nothing. */
type MatchText = (text: string) => TextRange | undefined;

/** A query that was read: what is sent, and what it says of a text. */
export interface ReadQuery {
  /** What SiYuan's route is given: no text that a model wrote, but what we print of it. */
  readonly sent: string;
  readonly match: MatchText;
  /** What is looked for; a pattern has none. */
  readonly terms: readonly string[];
  /** What a pattern matches in a text. */
  readonly matched?: (text: string) => readonly string[];
  /** The first of what is looked for, also where the text alone is no match: what is shown is cut around it. */
  readonly place: MatchText;
}

/** All of the words. */
export function readKeywords(query: string): ReadQuery {
  const terms = keywordsOf({ query });
  const place: MatchText = (text) => findTerm(text, terms);
  return {
    sent: terms.join(' '),
    terms,
    place,
    match: (text) => (terms.every((term) => findTerm(text, [term])) ? place(text) : undefined),
  };
}

/** Made once for many texts. Rejects with `bad_query` or `bad_pattern` what cannot be read. */
export async function readQuery({ query, mode }: Pick<SearchQuery, 'query' | 'mode'>): Promise<ReadQuery> {
  // A block's id finds that block, but as a pattern.
  if (mode === 'relevance' || mode === 'keyword' || (mode === 'syntax' && BLOCK_ID.test(query.trim()))) return readKeywords(query);
  if (mode === 'semantic') return { sent: visibleText(query), terms: [], match: () => undefined, place: () => undefined };
  if (mode === 'regex') {
    const { source, find, matched } = await goPattern(query, MAX_PATTERN_STEPS);
    const match: MatchText = (text) => find(text) ?? undefined;
    return { sent: source, terms: [], match, place: match, matched };
  }
  const expression = parseFullText(query);
  const terms = termsOf(expression);
  const place: MatchText = (text) => findTerm(text, terms);
  return { sent: printFullText(expression), terms, place, match: (text) => (matchesFullText(expression, text) ? place(text) : undefined) };
}
