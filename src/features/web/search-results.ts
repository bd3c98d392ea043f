import { decodeHTML } from 'entities/decode';
import { ToolError } from '../../tools/contract/errors.ts';
import { preview } from '../../tools/util/graphemes.ts';
import { fieldOf } from '../../tools/util/plain-value.ts';
import type { SearchProvider } from './search-request.ts';

export interface SearchAnswer {
  readonly status: number;
  readonly body: string;
}

export interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

const MAX_SNIPPET = 400;

/** A service's answer as a list. Throws ToolError `search_failed`, with the next step. */
export function readSearchAnswer(provider: SearchProvider, { status, body }: SearchAnswer, count: number): readonly SearchResult[] {
  if (status !== 200) throw refusal(provider, status);
  const list = resultList(provider, body);
  if (!Array.isArray(list))
    throw new ToolError('search_failed', 'the search service sent no list of results', 'ask the user to test it in the settings');
  const results = list.map((each: unknown) => ({
    title: plain(fieldOf(each, 'title'), 200),
    url: webAddress(fieldOf(each, 'url')),
    snippet: plain(fieldOf(each, provider === 'brave' ? 'description' : 'content'), MAX_SNIPPET),
  }));
  return results.filter(({ url }) => url !== '').slice(0, count);
}

function resultList(provider: SearchProvider, body: string): unknown {
  try {
    const answer: unknown = JSON.parse(body);
    // Brave leaves out the list if it found nothing.
    return provider === 'brave'
      ? (fieldOf(fieldOf(answer, 'web'), 'results') ?? (fieldOf(answer, 'type') === 'search' ? [] : undefined))
      : fieldOf(answer, 'results');
  } catch {
    return undefined;
  }
}

function refusal(provider: SearchProvider, status: number): ToolError {
  if (provider === 'searxng' && status === 403)
    return new ToolError(
      'search_failed',
      'the SearXNG instance does not allow JSON (403)',
      'ask the user to add "json" to search.formats in its settings.yml',
    );
  if (provider !== 'searxng' && (status === 401 || status === 403 || status === 422))
    return new ToolError('search_key', `the search service refused the key (${status})`, 'ask the user to check the key in the settings');
  if (status === 429 || status === 432 || status === 433)
    return new ToolError('search_failed', `too many searches for the search service (${status})`, 'go on without it, or try again later');
  return new ToolError('search_failed', `the search service returned HTTP ${status}`, 'try again later, or go on without it');
}

/** Text of a page without markup, on one line. */
function plain(value: unknown, limit: number): string {
  if (typeof value !== 'string') return '';
  const text = decodeHTML(value.slice(0, 4 * limit).replaceAll(/<\/?(?:strong|b|em|i|mark|span)\b[^<>]{0,100}>/giu, ''));
  return preview(text.replaceAll(/\s+/gu, ' ').trim(), limit);
}

function webAddress(value: unknown): string {
  if (typeof value !== 'string' || value.length > 2000 || !URL.canParse(value)) return '';
  const { protocol, href } = new URL(value);
  return protocol === 'http:' || protocol === 'https:' ? href : '';
}

/** `n. title`, then its address and its words. */
export function formatResults(results: readonly SearchResult[]): string {
  if (results.length === 0) return 'nothing was found';
  return results
    .map(({ title, url, snippet }, index) =>
      [`${index + 1}. ${title || '(no title)'}`, `   ${url}`, ...(snippet === '' ? [] : [`   ${snippet}`])].join('\n'),
    )
    .join('\n');
}
