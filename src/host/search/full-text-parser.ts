import { ToolError } from '../../tools/contract/errors.ts';
import { COLUMNS, type FullTextExpression } from './full-text-expression.ts';
import { visibleText } from './visible-text.ts';

/** Each term costs a separate index lookup. */
const MAX_TERMS = 50;
const MAX_DEPTH = 20;
/** FTS5's default for NEAR. */
const NEAR_DISTANCE = 10;

interface Token {
  readonly kind: 'phrase' | 'operator' | 'columns' | 'near' | '(' | ')' | '^' | '*';
  readonly text: string;
  /** UTF-16 units. */
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
