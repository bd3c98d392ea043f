import type { ToolError } from '../../tools/contract/errors.ts';
import { badSql, type SqlToken } from './sql-tokens.ts';

const MAX_DEPTH = 80;

/** Words that end an expression or a name: they are aliases or columns only in quotes. */
const RESERVED = new Set(
  (
    'ALL AND AS BETWEEN BY CASE COLLATE CROSS DISTINCT ELSE END ESCAPE EXCEPT EXISTS FROM FULL GLOB GROUP HAVING IN INNER INTERSECT IS ' +
    'ISNULL JOIN LEFT LIKE LIMIT MATCH NATURAL NOT NOTNULL NULL OFFSET ON OR ORDER OUTER OVER REGEXP RIGHT SELECT THEN UNION USING VALUES ' +
    'WHEN WHERE WINDOW WITH'
  ).split(' '),
);

/** Steps through the tokens of a statement. */
export abstract class SqlCursor {
  private readonly written: string;
  private readonly tokens: readonly SqlToken[];
  private at = 0;
  private depth = 0;

  constructor(statement: string, tokens: readonly SqlToken[]) {
    this.written = statement;
    this.tokens = tokens;
  }

  protected peek(ahead = 0): SqlToken {
    const token = this.tokens[Math.min(this.at + ahead, this.tokens.length - 1)];
    if (token === undefined) throw new Error('a statement without tokens');
    return token;
  }

  protected next(): SqlToken {
    const token = this.peek();
    if (token.kind !== 'end') this.at += 1;
    return token;
  }

  /** Whether the keyword is at this position. */
  protected sees(word: string, ahead = 0): boolean {
    const { kind, text } = this.peek(ahead);
    return kind === 'name' && text.toUpperCase() === word;
  }

  protected take(word: string): boolean {
    const found = this.sees(word);
    if (found) this.at += 1;
    return found;
  }

  protected expect(word: string): string {
    if (!this.take(word)) throw this.unexpected(word);
    return word;
  }

  protected takeSymbol(symbol: string): boolean {
    const { kind, text } = this.peek();
    const found = kind === 'symbol' && text === symbol;
    if (found) this.at += 1;
    return found;
  }

  protected expectSymbol(symbol: string): void {
    if (!this.takeSymbol(symbol)) throw this.unexpected(`"${symbol}"`);
  }

  /** Returns `inside`, which was already parsed, after consuming the closing bracket. */
  protected closed<T>(inside: T): T {
    this.expectSymbol(')');
    return inside;
  }

  protected list<T>(read: () => T): T[] {
    const items = [read()];
    while (this.takeSymbol(',')) items.push(read());
    return items;
  }

  protected oneOf(words: readonly string[], what: string): string {
    const found = words.find((word) => this.take(word));
    if (found === undefined) throw this.unexpected(`${what} (${words.join(', ')})`);
    return found;
  }

  protected seesName(): boolean {
    const { kind, text } = this.peek();
    return kind === 'quoted' || (kind === 'name' && !RESERVED.has(text.toUpperCase()));
  }

  protected name(what: string): string {
    if (!this.seesName()) throw this.unexpected(what);
    return this.next().text;
  }

  /** The source text since `start`. */
  protected sourceFrom(start: number): string {
    const last = this.tokens[this.at - 1];
    return this.written.slice(start, last?.end ?? start);
  }

  /** Refuses deeper nesting than a person would write. */
  protected nested<T>(read: () => T): T {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw badSql('the statement is nested too deeply', 'write it in several statements');
    const result = read();
    this.depth -= 1;
    return result;
  }

  protected unexpected(wanted: string): ToolError {
    const { kind, text } = this.peek();
    return badSql(kind === 'end' ? `the statement ends where ${wanted} is expected` : `there is "${text}" where ${wanted} is expected`);
  }
}
