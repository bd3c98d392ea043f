import { ToolError } from '../../tools/contract/errors.ts';
import type { SearchQuery } from '../../tools/contract/note-readings.ts';
import { findTerm, type TextPlace } from '../reading/snippet.ts';
import { linearPattern } from './linear-pattern.ts';
import { matchSyntax } from './search-syntax.ts';

export const keywordsOf = ({ query }: Pick<SearchQuery, 'query'>): readonly string[] => query.trim().split(/\s+/);

/** Finds a query in a text as SiYuan's search would; undefined where it does not stand there. Searching by meaning finds nothing. */
export type MatchText = (text: string) => TextPlace | undefined;

/** Made once for many texts. A pattern or syntax that we do not read, though SiYuan may, finds nothing. */
export function createMatcher(query: Pick<SearchQuery, 'query' | 'mode'>): MatchText {
  switch (query.mode) {
    case 'keyword': {
      const terms = keywordsOf(query);
      return (text) => (terms.every((term) => findTerm(text, [term])) ? findTerm(text, terms) : undefined);
    }
    case 'syntax':
      return matchSyntax(query.query);
    case 'regex':
      return patternMatcher(query.query);
    case 'semantic':
      return () => undefined;
  }
}

function patternMatcher(pattern: string): MatchText {
  try {
    const find = linearPattern(pattern);
    return (text) => find(text) ?? undefined;
  } catch (error) {
    if (error instanceof ToolError) return () => undefined;
    throw error;
  }
}
