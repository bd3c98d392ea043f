import { findTerm, type TextPlace } from '../reading/snippet.ts';

/** What a query in SQLite's full-text syntax asks of a text. */
type SyntaxNode =
  | { readonly kind: 'term'; readonly text: string }
  | { readonly kind: 'and' | 'or' | 'not'; readonly left: SyntaxNode; readonly right: SyntaxNode };

type Token = { readonly kind: 'word' | 'phrase'; readonly text: string } | { readonly kind: 'open' | 'close' };

/** Prefixes, columns, NEAR and the like are not read here. */
const NOT_READ = /[*^:+{}]/;

function tokensOf(query: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (const [piece, phrase] of query.matchAll(/"((?:[^"]|"")*)"|[()]|[^\s()"]+/g)) {
    if (phrase !== undefined) tokens.push({ kind: 'phrase', text: phrase.replaceAll('""', '"') });
    else if (piece === '(' || piece === ')') tokens.push({ kind: piece === '(' ? 'open' : 'close' });
    else if (NOT_READ.test(piece) || piece === 'NEAR') return undefined;
    else tokens.push({ kind: 'word', text: piece });
  }
  return tokens;
}

/** NOT binds closest, then AND (also where nothing stands between two terms), then OR. */
class SyntaxParser {
  private at = 0;
  private readonly tokens: readonly Token[];

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  parse(): SyntaxNode | undefined {
    const node = this.either();
    return this.at === this.tokens.length ? node : undefined;
  }

  private takes(word: string): boolean {
    const token = this.tokens[this.at];
    if (token?.kind !== 'word' || token.text !== word) return false;
    this.at += 1;
    return true;
  }

  private either(): SyntaxNode | undefined {
    let left = this.both();
    while (left && this.takes('OR')) left = join('or', left, this.both());
    return left;
  }

  private both(): SyntaxNode | undefined {
    let left = this.without();
    while (left && (this.takes('AND') || this.beginsTerm())) left = join('and', left, this.without());
    return left;
  }

  private without(): SyntaxNode | undefined {
    let left = this.term();
    while (left && this.takes('NOT')) left = join('not', left, this.term());
    return left;
  }

  private beginsTerm(): boolean {
    const token = this.tokens[this.at];
    if (token?.kind === 'word') return !['AND', 'OR', 'NOT'].includes(token.text);
    return token?.kind === 'phrase' || token?.kind === 'open';
  }

  private term(): SyntaxNode | undefined {
    if (!this.beginsTerm()) return undefined;
    const token = this.tokens[this.at];
    this.at += 1;
    if (token?.kind === 'word' || token?.kind === 'phrase') return { kind: 'term', text: token.text };
    const inside = this.either();
    const closed = this.tokens[this.at]?.kind === 'close';
    this.at += 1;
    return closed ? inside : undefined;
  }
}

const join = (kind: 'and' | 'or' | 'not', left: SyntaxNode, right: SyntaxNode | undefined): SyntaxNode | undefined =>
  right && { kind, left, right };

function find(node: SyntaxNode, text: string): TextPlace | undefined {
  if (node.kind === 'term') return findTerm(text, [node.text]);
  const left = find(node.left, text);
  const right = find(node.right, text);
  if (node.kind === 'or') return left ?? right;
  if (node.kind === 'not') return right ? undefined : left;
  return left && right ? left : undefined;
}

/** Finds what a full-text query asks for in a text; a query that is not read here finds nothing. */
export function matchSyntax(query: string): (text: string) => TextPlace | undefined {
  const tokens = tokensOf(query);
  const node = tokens && new SyntaxParser(tokens).parse();
  return (text) => node && find(node, text);
}
