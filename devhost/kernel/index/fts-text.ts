/**
 * SiYuan's tokenizer makes every character a token of its own (user guide, "Query syntax": "each Chinese character or English
 * letter will be split into a token"), so that a query finds any run of characters, two Chinese ones or the middle of a word.
 * SQLite's own tokenizer does the same for text that is spelled out: letters and digits as they are, all else as `u<hex>`.
 */
function spell(text: string): string {
  const tokens: string[] = [];
  for (const character of text.toLowerCase()) {
    const code = character.codePointAt(0) ?? 0;
    const plain = (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
    tokens.push(plain ? character : `u${code.toString(16)}`);
  }
  return tokens.join(' ');
}

/** What a column puts into the index: registered as the SQL function `fts_tokens`. */
export function ftsTokens(text: unknown): string {
  return typeof text === 'string' ? spell(text) : '';
}

/** One word or phrase as an FTS5 string. */
function ftsPhrase(text: string): string {
  return `"${spell(text)}"`;
}

interface Piece {
  readonly kind: 'phrase' | 'word' | 'mark' | 'columns';
  readonly text: string;
}

const PIECE = /"((?:[^"]|"")*)"|(\{[^}]*\})|([A-Za-z0-9_\u0080-\u{10ffff}]+)|(\s+)|(.)/gsu;

function pieces(expression: string): Piece[] {
  const found: Piece[] = [];
  for (const [, phrase, columns, word, space, mark] of expression.matchAll(PIECE)) {
    if (phrase !== undefined) found.push({ kind: 'phrase', text: phrase.replaceAll('""', '"') });
    else if (columns !== undefined) found.push({ kind: 'columns', text: columns });
    else if (word !== undefined) found.push({ kind: 'word', text: word });
    else if (space === undefined && mark !== undefined) found.push({ kind: 'mark', text: mark });
  }
  return found;
}

const OPERATORS: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT']);

/** Is this word syntax of FTS5 rather than text: an operator, `NEAR(`, its distance, a column's name? */
function isSyntax(all: readonly Piece[], index: number): boolean {
  const piece = all[index];
  const next = all[index + 1]?.text;
  if (piece === undefined || piece.kind !== 'word') return false;
  if (OPERATORS.has(piece.text)) return true;
  if (piece.text === 'NEAR' && next === '(') return true;
  if (next === ':' && all[index + 1]?.kind === 'mark') return true;
  return /^\d+$/.test(piece.text) && all[index - 1]?.text === ',' && next === ')';
}

/** Spells out the strings of an FTS5 query (`quick NOT "brown fox"`), leaving its syntax as it is. */
function spellExpression(expression: string): string {
  const all = pieces(expression);
  return all
    .map((piece, i) => (piece.kind === 'phrase' || (piece.kind === 'word' && !isSyntax(all, i)) ? ftsPhrase(piece.text) : piece.text))
    .join(' ');
}

/** The texts that a match of this query shows marked: every string that does not follow NOT. */
export function markedTerms(expression: string): string[] {
  const all = pieces(expression);
  const terms: string[] = [];
  for (const [i, piece] of all.entries()) {
    const isText = piece.kind === 'phrase' || (piece.kind === 'word' && !isSyntax(all, i));
    if (isText && piece.text !== '' && all[i - 1]?.text !== 'NOT') terms.push(piece.text);
  }
  return terms;
}

/** Spells out the string after each MATCH of a statement that a client wrote, so that `MATCH '笔记'` finds what SiYuan finds. */
export function spellMatches(statement: string): string {
  return statement.replace(/\bMATCH\s+'((?:[^']|'')*)'/gi, (_, text: string) => {
    const expression = spellExpression(text.replaceAll("''", "'"));
    return `MATCH '${expression.replaceAll("'", "''")}'`;
  });
}
