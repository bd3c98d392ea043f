import * as v from 'valibot';
import { plainWords } from '../../../tools/util/plain-words.ts';
import type { Session, SessionSummary } from '../../session/types.ts';
import { visibleText } from '../../session/visible-text.ts';

/** One chat for the search: every message that was not deleted, in all branches, as it is shown. */
export interface SearchEntry {
  /** The state of the file (see IndexEntry). */
  readonly modified: number;
  readonly nodes: readonly string[];
  readonly texts: readonly string[];
}

export const searchEntryFormat: v.GenericSchema<unknown, SearchEntry> = v.pipe(
  v.object({ modified: v.number(), nodes: v.array(v.string()), texts: v.array(v.string()) }),
  v.check(({ nodes, texts }) => nodes.length === texts.length, 'a text for each message'),
);

export function makeSearchEntry(session: Session, modified: number): SearchEntry {
  const said = Object.values(session.nodes).flatMap((node) => {
    const payload = node.versions[node.currentVersionId];
    const text = payload && !node.deleted ? visibleText(payload).trim() : '';
    return text === '' ? [] : [{ id: node.id, text }];
  });
  return { modified, nodes: said.map(({ id }) => id), texts: said.map(({ text }) => text) };
}

export type ChatTitle = Pick<SessionSummary, 'id' | 'title' | 'tags' | 'updated'>;

interface SnippetMatch {
  /** The message with most of the words; absent when only title or tags have them. */
  readonly nodeId?: string;
  readonly snippet?: { readonly before: string; readonly match: string; readonly after: string };
}

export interface FoundChat extends SnippetMatch {
  readonly id: string;
}

export interface SearchMatch extends SnippetMatch {
  readonly summary: SessionSummary;
}

interface Word {
  readonly source: string;
  readonly test: RegExp;
}

const MAX_WORDS = 8;
const SNIPPET = 60;
const SCORE = { titlePhrase: 8, titleWord: 4, phrase: 3, together: 2 };

/** The words of a query; a script without spaces has one. Case is ignored. */
function queryTerms(query: string): readonly Word[] {
  const parts = query
    .trim()
    .split(/\s+/u)
    .filter((part) => part !== '');
  return [...new Set(parts)].slice(0, MAX_WORDS).map(matcher);
}

// Without the u flag: V8 searches plain text case-insensitively some fifty times faster that way.
const matcher = (source: string): Word => ({ source, test: new RegExp(source.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'i') });

const titleText = ({ title, tags = [] }: Pick<SessionSummary, 'title' | 'tags'>): string => [title, ...tags].join('\n');

/** Chats whose title or tags contain all words of the query: shown while typing. An empty query finds all. */
export function filterByTitle(summaries: readonly SessionSummary[], query: string): readonly SessionSummary[] {
  const words = queryTerms(query);
  return words.length === 0 ? summaries : summaries.filter((summary) => words.every(({ test }) => test.test(titleText(summary))));
}

interface Ranked {
  readonly about: ChatTitle;
  readonly entry: SearchEntry | undefined;
  readonly score: number;
}

/** The rank of a chat, 0 if it lacks a word. The words may be in different messages. */
function score(title: string, texts: readonly string[], words: readonly Word[], phrase: Word): number {
  const missing = words.filter(({ test }) => !test.test(title));
  const inTitle = words.length - missing.length;
  if (missing.some(({ test }) => !texts.some((text) => test.test(text)))) return 0;
  const base = 1 + SCORE.titleWord * inTitle + (phrase.test.test(title) ? SCORE.titlePhrase : 0);
  if (words.length === 1 || texts.length === 0) return base;
  if (texts.some((text) => phrase.test.test(text))) return base + SCORE.phrase + SCORE.together;
  return base + (texts.some((text) => words.every(({ test }) => test.test(text))) ? SCORE.together : 0);
}

/** A cut may fall inside a character. */
const whole = (text: string): string => text.replaceAll(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');

/** UTF-16 units that are dropped at most so that the text before a match begins with a whole word; scripts without spaces have none. */
const LONGEST_WORD = 24;

function fromWord(text: string): string {
  if (text.length <= SNIPPET) return text;
  const end = whole(text.slice(-SNIPPET));
  const begins = /\s/.test(text.charAt(text.length - SNIPPET - 1));
  const gap = begins ? -1 : end.search(/\s/);
  return `…${gap < 0 || gap > LONGEST_WORD ? end : end.slice(gap + 1)}`;
}

/** Put around a match while Markdown becomes plain text: never part of a text. */
const [OPEN, CLOSE] = ['\uFDD0', '\uFDD1'];
/** UTF-16 units of Markdown that are read on each side: references take far more than their words. */
const AROUND = 600;

/** The match with its surroundings, as a reader sees them; as written if it is in an invisible part, such as an address. */
function snippetOf(text: string, start: number, end: number): NonNullable<SnippetMatch['snippet']> {
  const found = text.slice(start, end);
  const marked = `${text.slice(Math.max(0, start - AROUND), start)}${OPEN}${found}${CLOSE}${text.slice(end, end + AROUND)}`;
  const words = plainWords(marked);
  const [open, close] = [words.indexOf(OPEN), words.indexOf(CLOSE)];
  const isSeen = open >= 0 && close > open + 1;
  const [before, match, after] = isSeen
    ? [words.slice(0, open), words.slice(open + 1, close), words.slice(close + 1)]
    : [text.slice(0, start), found, text.slice(end)];
  return { before: fromWord(before), match, after: whole(after.slice(0, SNIPPET)) };
}

function placeIn({ about: { id }, entry }: Ranked, words: readonly Word[], phrase: Word): FoundChat {
  const texts = entry?.texts ?? [];
  const count = (text: string): number => (phrase.test.test(text) ? words.length : 0) + words.filter(({ test }) => test.test(text)).length;
  let best = -1;
  let most = 0;
  for (const [index, text] of texts.entries()) {
    const found = count(text);
    if (found > most) [best, most] = [index, found];
  }
  const text = texts[best];
  const nodeId = entry?.nodes[best];
  const place =
    text === undefined ? null : (phrase.test.exec(text) ?? words.map(({ test }) => test.exec(text)).find((found) => found !== null));
  if (text === undefined || nodeId === undefined || !place) return { id };
  return { id, nodeId, snippet: snippetOf(text, place.index, place.index + place[0].length) };
}

/** Chats with all words, the best and then the newest first. A plain scan: faster than loading an index, and it finds parts of words. */
export function searchChats(
  titles: Iterable<ChatTitle>,
  entryOf: (id: string) => SearchEntry | undefined,
  query: string,
  limit: number,
): readonly FoundChat[] {
  const words = queryTerms(query);
  if (words.length === 0) return [];
  const phrase = matcher(query.trim().replaceAll(/\s+/gu, ' '));
  const ranked: Ranked[] = [];
  for (const about of titles) {
    const entry = entryOf(about.id);
    const found = score(titleText(about), entry?.texts ?? [], words, phrase);
    if (found > 0) ranked.push({ about, entry, score: found });
  }
  ranked.sort((left, right) => right.score - left.score || right.about.updated - left.about.updated);
  return ranked.slice(0, limit).map((one) => placeIn(one, words, phrase));
}
