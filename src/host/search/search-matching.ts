import { ToolError } from '../../tools/contract/errors.ts';
import type { SearchQuery } from '../../tools/contract/note-readings.ts';
import { findTerm, type TextRange } from '../reading/snippet.ts';
import {
  COLUMNS,
  type FullTextExpression,
  matchesFullText,
  mayMatch,
  printFullText,
  termsOf,
  withForms,
  withoutAttributes,
} from './full-text-expression.ts';
import { goPattern } from './go-pattern.ts';

/** A text as SiYuan's search reads a query: unprintable characters go, white space becomes a blank, outer blanks are dropped. */
export const visibleText = (text: string): string =>
  text
    .replaceAll(/\s/g, ' ')
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} \u200d]/gu, '')
    .trim();

/** Each term costs a separate index lookup. */
const MAX_TERMS = 50;
const MAX_DEPTH = 20;
/** FTS5's default for NEAR. */
const NEAR_DISTANCE = 10;

interface Token {
  readonly kind: 'phrase' | 'operator' | 'columns' | 'near' | '(' | ')' | '^' | '*';
  readonly text: string;
  readonly at: number;
}

const QUOTE_IT = 'put words and signs that are not operators in quotation marks: "a:b"';

function refusal(query: string, at: number, what: string, next = QUOTE_IT): ToolError {
  const rest = query.slice(at, at + 20);
  const place = rest === '' ? 'at its end' : `at character ${Array.from(query.slice(0, at)).length + 1} (${JSON.stringify(rest)})`;
  return new ToolError('bad_query', `the query cannot be read ${place}: ${what}`, next);
}

const TOKEN = /\s+|"((?:[^"]|"")*)"|NEAR\s*\(((?:"[^"]*"|[^"()])*)\)|\{([^{}]*)\}\s*:|([^\s"()*^:{}]+)(\s*:)?|[()*^]|./gsu;
/** Operators of other search engines. */
const FOREIGN = /^(?:[|&+~!-]+$|[+!-])/u;

function columnsOf(query: string, names: readonly string[], at: number): Token {
  const unknown = names.find((name) => !COLUMNS.includes(name));
  if (unknown !== undefined || names.length === 0)
    throw refusal(query, at, `there is no column "${unknown ?? ''}"`, `${QUOTE_IT}; columns are ${COLUMNS.join(', ')}`);
  return { kind: 'columns', text: names.join(' '), at };
}

function textToken(query: string, raw: string, at: number): Token {
  const text = visibleText(raw);
  if (text === '') throw refusal(query, at, 'there is nothing to search for', 'give words to search for');
  return { kind: 'phrase', text, at };
}

function wordToken(query: string, word: string, at: number): Token {
  if (['AND', 'OR', 'NOT'].includes(word)) return { kind: 'operator', text: word, at };
  if (FOREIGN.test(word)) throw refusal(query, at, 'this is not an operator here', 'write AND, OR, NOT, or put it in quotation marks');
  return textToken(query, word, at);
}

function tokensOf(query: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const { 0: piece, 1: quotedText, 2: near, 3: names, 4: word, 5: colon, index: at } of query.matchAll(TOKEN)) {
    if (piece.trim() === '') continue;
    if (quotedText !== undefined) tokens.push(textToken(query, quotedText.replaceAll('""', '"'), at));
    else if (names !== undefined) tokens.push(columnsOf(query, names.split(/\s+/).filter(Boolean), at));
    else if (near !== undefined) tokens.push({ kind: 'near', text: near, at });
    else if (word !== undefined) tokens.push(colon === undefined ? wordToken(query, word, at) : columnsOf(query, [word], at));
    else if (piece === '(' || piece === ')' || piece === '*' || piece === '^') tokens.push({ kind: piece, text: piece, at });
    else if (piece === '"') throw refusal(query, at, 'the quotation mark is not closed', 'close it, or write "" for one inside a phrase');
    else throw refusal(query, at, 'this sign is not a word');
  }
  return tokens;
}

/** FTS5's precedence: adjacent terms bind closest, then NOT, AND, OR. `AND NOT` is NOT. */
class Parser {
  private readonly query: string;
  private readonly tokens: readonly Token[];
  private at = 0;
  private terms = 0;
  private depth = 0;

  constructor(query: string) {
    this.query = query;
    this.tokens = tokensOf(query);
  }

  parse(): FullTextExpression {
    const node = this.either();
    if (this.at < this.tokens.length) throw this.refused('a closing parenthesis has no opening one');
    return node;
  }

  private get next(): Token | undefined {
    return this.tokens[this.at];
  }

  private refused(what: string, next?: string): ToolError {
    return refusal(this.query, this.next?.at ?? this.query.length, what, next);
  }

  private take(kind: Token['kind'], text?: string): Token | undefined {
    const token = this.next;
    if (token?.kind !== kind || (text !== undefined && token.text !== text)) return undefined;
    this.at += 1;
    return token;
  }

  private either(): FullTextExpression {
    const parts = [this.all()];
    while (this.take('operator', 'OR')) parts.push(this.all());
    return combine('or', parts);
  }

  private all(): FullTextExpression {
    let node = this.without();
    while (this.take('operator', 'AND')) {
      if (this.take('operator', 'NOT')) node = { kind: 'not', left: node, right: this.adjacent() };
      else node = combine('and', [node, this.without()]);
    }
    return node;
  }

  private without(): FullTextExpression {
    let node = this.adjacent();
    while (this.take('operator', 'NOT')) node = { kind: 'not', left: node, right: this.adjacent() };
    return node;
  }

  private adjacent(): FullTextExpression {
    const parts = [this.part()];
    while (this.next && this.next.kind !== 'operator' && this.next.kind !== ')') parts.push(this.part());
    return combine('and', parts);
  }

  private part(): FullTextExpression {
    const columns = this.take('columns');
    if (columns) return { kind: 'columns', columns: columns.text.split(' '), inside: this.part() };
    const near = this.take('near');
    if (near) return this.near(near);
    if (this.next?.kind === '(') return this.group();
    const first = this.take('^') !== undefined;
    return { kind: 'phrase', text: this.text(), first };
  }

  private group(): FullTextExpression {
    if (this.depth >= MAX_DEPTH) throw this.refused('the parentheses are nested too deeply', 'give a simpler query');
    this.take('(');
    this.depth += 1;
    const inside = this.either();
    this.depth -= 1;
    if (!this.take(')')) throw this.refused('the parenthesis is not closed', 'close it');
    return inside;
  }

  /** A text and its prefix sign: a prefix match is always allowed here, since each character is a token of the index. */
  private text(): string {
    const token = this.take('phrase');
    if (!token) throw this.refused('a word is missing', 'write AND, OR and NOT between two terms');
    this.counted(1);
    this.take('*');
    return token.text;
  }

  private counted(terms: number): void {
    this.terms += terms;
    if (this.terms > MAX_TERMS) throw this.refused(`there are more than ${MAX_TERMS} terms`, 'search for fewer words at once');
  }

  private near({ text: inside, at }: Token): FullTextExpression {
    const [, terms = '', distance = String(NEAR_DISTANCE)] = /^(.*?)(?:,\s*(\d{1,4})\s*)?$/su.exec(inside) ?? [];
    const texts = [...terms.matchAll(/"((?:[^"]|"")*)"|[^\s"]+/gu)].map(
      ([word, quotedText]) => textToken(this.query, quotedText?.replaceAll('""', '"') ?? word, at).text,
    );
    if (texts.length === 0 || terms.replaceAll(/"(?:[^"]|"")*"/g, '').includes(','))
      throw refusal(this.query, at, 'NEAR needs words, then the maximum number of characters between them', 'NEAR("a" "b", 40)');
    this.counted(texts.length);
    return { kind: 'near', texts, distance: Number(distance) };
  }
}

/** Combines parts in one node, since FTS5 limits the depth of nesting. */
function combine(kind: 'and' | 'or', parts: readonly FullTextExpression[]): FullTextExpression {
  const flat = parts.flatMap((part) => (part.kind === kind ? part.parts : [part]));
  const [only] = flat;
  return flat.length === 1 && only ? only : { kind, parts: flat };
}

/** Parses FTS5's query syntax. Rejects invalid queries with `bad_query`, which names the position of the mistake. */
export function parseFullText(query: string): FullTextExpression {
  return new Parser(query).parse();
}

/** For SiYuan's search, which compiles a pattern for each row: one with many repetitions keeps it busy for minutes. */
const MAX_PATTERN_STEPS = 400;
const BLOCK_ID = /^\d{14}-[0-9a-z]{7}$/;
const WILDCARD = /[%_]/;

export const keywordsOf = ({ query }: Pick<SearchQuery, 'query'>): readonly string[] => visibleText(query).split(/ +/);

/** Finds a query in a text as SiYuan's search would; undefined if it does not match. Searching by meaning finds nothing. */
type MatchText = (text: string) => TextRange | undefined;

/** A parsed query, as it is sent and as it matches text. */
export interface ReadQuery {
  /** As query syntax, whatever the mode: it has several forms of one word. */
  readonly isExpression?: true;
  /** More is found than matches. */
  readonly isWide?: true;
  /** An SQL condition on rows that may match although SiYuan's search does not find them: with accents, or in other signs. */
  readonly alike?: string;
  /** SiYuan's route receives our printing, never the model's text. */
  readonly sent: string;
  readonly match: MatchText;
  readonly terms: readonly string[];
  readonly matched?: (text: string) => readonly string[];
  /** The first occurrence of any term, even if the text as a whole does not match: the excerpt is cut around it. */
  readonly place: MatchText;
}

/** One word in its forms; several as SQL patterns, in which `%` matches each sign that may be written otherwise. */
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
