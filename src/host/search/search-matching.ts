import type { SearchQuery } from '../../tools/contract/note-readings.ts';
import { findTerm, type TextRange } from '../reading/snippet.ts';
import {
  type FullTextExpression,
  matchesFullText,
  mayMatch,
  printFullText,
  termsOf,
  withForms,
  withoutAttributes,
} from './full-text-expression.ts';
import { parseFullText } from './full-text-parser.ts';
import { goPattern } from './go-pattern.ts';
import { visibleText } from './visible-text.ts';

/** For SiYuan's search, which compiles a pattern for each row: one with many repetitions keeps it busy for minutes. */
const MAX_PATTERN_STEPS = 400;
const BLOCK_ID = /^\d{14}-[0-9a-z]{7}$/;
const WILDCARD = /[%_]/;

export const keywordsOf = ({ query }: Pick<SearchQuery, 'query'>): readonly string[] => visibleText(query).split(/ +/);

/** Finds a query in a text as SiYuan's search would; undefined if it does not match. Searching by meaning finds nothing. */
type MatchText = (text: string) => TextRange | undefined;

/** A parsed query: what is sent, and how it matches text. */
export interface ReadQuery {
  /** As query syntax, whatever the mode: it has several forms of one word. */
  readonly isExpression?: true;
  /** More is found than matches. */
  readonly isWide?: true;
  /** An SQL condition on rows that may match although SiYuan's search does not find them: with accents, or in other signs. */
  readonly alike?: string;
  /** What SiYuan's route receives: never the model's text, but what we print of it. */
  readonly sent: string;
  readonly match: MatchText;
  /** The searched terms; empty for a pattern. */
  readonly terms: readonly string[];
  /** The texts that a pattern matches in a text. */
  readonly matched?: (text: string) => readonly string[];
  /** The first occurrence of any term, even if the text as a whole does not match: the excerpt is cut around it. */
  readonly place: MatchText;
}

/**
 * Of one word its forms. Several are patterns of SQL to SiYuan: there `%` matches each sign that may be written otherwise, and in a
 * word of `%` and `_` for what they match.
 */
function sentKeywords(terms: readonly string[]): Pick<ReadQuery, 'sent' | 'isExpression' | 'isWide'> {
  const [first = ''] = terms;
  if (terms.length === 1) {
    if (BLOCK_ID.test(first)) return { sent: first };
    const written = withForms({ kind: 'phrase', text: first, first: false });
    return written.kind === 'phrase' ? { sent: first } : { sent: printFullText(written), isExpression: true };
  }
  const sent = asPatterns(terms).join(' ');
  return { sent, ...(WILDCARD.test(sent) ? { isWide: true } : {}) };
}

/** Letters that are written in one way only. */
const VARIED = /[^ !#-&(-,./0-9:-~\p{Script=Han}\p{Script=Hiragana}]+/gu;

/** Words as patterns; as they are where too little would be left of them. */
function asPatterns(terms: readonly string[]): readonly string[] {
  const patterns = terms.map((term) => term.normalize('NFC').replaceAll(VARIED, '%'));
  return patterns.some((pattern) => pattern.replaceAll('%', '').length > 1) ? patterns : terms;
}

/** Each word costs a pass over all texts: of more, what is written otherwise is not found. */
const MOST_ALIKE = 24;

const alikeTo = (expression: FullTextExpression): Pick<ReadQuery, 'alike'> =>
  termsOf(expression).flatMap((term) => term.split(/\s+/)).length > MOST_ALIKE ? {} : { alike: mayMatch(expression) };

/** All words must match. */
export function readKeywords(query: string): ReadQuery {
  const terms = keywordsOf({ query });
  const place: MatchText = (text) => findTerm(text, terms);
  return {
    ...sentKeywords(terms),
    ...alikeTo({ kind: 'and', parts: terms.map((text) => ({ kind: 'phrase', text, first: false })) }),
    terms,
    place,
    match: (text) => (terms.every((term) => findTerm(text, [term])) ? place(text) : undefined),
  };
}

/** A pattern that finds its letters with marks as one sign and as several; a class of letters cannot say that. */
function composedOrNot(pattern: string): string {
  const forms = [...new Set([pattern, pattern.normalize('NFC'), pattern.normalize('NFD')])];
  return forms.length === 1 || pattern.includes('[') ? pattern : forms.map((form) => `(?:${form})`).join('|');
}

/** Created once for many texts. Rejects with `bad_query` or `bad_pattern` if it cannot be parsed. */
export async function readQuery({ query, mode }: Pick<SearchQuery, 'query' | 'mode'>): Promise<ReadQuery> {
  // A block id finds that block, except as a pattern.
  if (mode === 'relevance' || mode === 'keyword' || (mode === 'syntax' && BLOCK_ID.test(query.trim()))) return readKeywords(query);
  if (mode === 'semantic') return { sent: visibleText(query), terms: [], match: () => undefined, place: () => undefined };
  if (mode === 'regex') {
    const { source, find, matched } = await goPattern(composedOrNot(query), MAX_PATTERN_STEPS);
    const match: MatchText = (text) => find(text) ?? undefined;
    return { sent: source, terms: [], match, place: match, matched };
  }
  const expression = withoutAttributes(parseFullText(query));
  const terms = termsOf(expression);
  const place: MatchText = (text) => findTerm(text, terms);
  return {
    sent: printFullText(withForms(expression)),
    ...alikeTo(expression),
    terms,
    place,
    match: (text) => (matchesFullText(expression, text) ? place(text) : undefined),
  };
}
