import type { ToolError } from '../../tools/contract/errors.ts';
import type { SqlCall, SqlExpression, SqlOrder, SqlQuery, SqlWindow } from './sql-syntax.ts';
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

abstract class SqlCursor {
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

/** From weakest to strongest, as in SQLite. NOT is between AND and the comparisons, which have a level of their own. */
const COMPARISONS = ['=', '==', '<>', '!='];
const LEVELS: readonly (readonly string[])[] = [['<', '<=', '>', '>='], ['&', '|', '<<', '>>'], ['+', '-'], ['*', '/', '%'], ['||']];
const CONSTANTS = ['NULL', 'TRUE', 'FALSE', 'CURRENT_DATE', 'CURRENT_TIME', 'CURRENT_TIMESTAMP'];
const CAST_TYPES = ['TEXT', 'INTEGER', 'INT', 'REAL', 'NUMERIC'];
const COLLATIONS = ['NOCASE', 'BINARY', 'RTRIM'];

export abstract class SqlExpressionParser extends SqlCursor {
  abstract query(): SqlQuery;
  abstract orderBy(): readonly SqlOrder[];

  expression(): SqlExpression {
    return this.nested(() => this.or());
  }

  private or(): SqlExpression {
    let left = this.and();
    while (this.take('OR')) left = { kind: 'binary', operator: 'OR', left, right: this.and() };
    return left;
  }

  private and(): SqlExpression {
    let left = this.not();
    while (this.take('AND')) left = { kind: 'binary', operator: 'AND', left, right: this.not() };
    return left;
  }

  private not(): SqlExpression {
    if (this.sees('NOT') && !this.sees('EXISTS', 1)) {
      this.next();
      return { kind: 'prefix', operator: 'NOT', operand: this.nested(() => this.not()) };
    }
    return this.comparison();
  }

  private comparison(): SqlExpression {
    let left = this.level(0);
    for (let compared = this.compared(left); compared !== undefined; compared = this.compared(left)) left = compared;
    return left;
  }

  private compared(left: SqlExpression): SqlExpression | undefined {
    const sign = COMPARISONS.find((each) => this.takeSymbol(each));
    if (sign !== undefined) return { kind: 'binary', operator: sign, left, right: this.level(0) };
    if (this.take('ISNULL')) return { kind: 'suffix', operator: 'ISNULL', operand: left };
    if (this.take('NOTNULL')) return { kind: 'suffix', operator: 'NOTNULL', operand: left };
    if (this.take('IS')) return { kind: 'binary', operator: this.take('NOT') ? 'IS NOT' : 'IS', left, right: this.level(0) };
    const not = this.sees('NOT') && ['IN', 'LIKE', 'GLOB', 'BETWEEN', 'NULL', 'REGEXP', 'MATCH'].some((word) => this.sees(word, 1));
    if (not) this.next();
    const operator = (word: string): string => (not ? `NOT ${word}` : word);
    if (not && this.take('NULL')) return { kind: 'suffix', operator: 'NOTNULL', operand: left };
    if (this.take('LIKE')) return this.like(left, operator('LIKE'));
    if (this.take('GLOB')) return { kind: 'binary', operator: operator('GLOB'), left, right: this.level(0) };
    if (this.take('IN')) return { kind: 'in', operator: operator('IN'), operand: left, among: this.among() };
    if (this.take('BETWEEN')) {
      const low = this.level(0);
      this.expect('AND');
      return { kind: 'between', operator: operator('BETWEEN'), operand: left, low, high: this.level(0) };
    }
    if (this.sees('REGEXP') || this.sees('MATCH'))
      throw badSql(`${this.peek().text.toUpperCase()} cannot be used`, 'use LIKE or GLOB, or search_notes with mode=regex');
    return undefined;
  }

  private like(left: SqlExpression, operator: string): SqlExpression {
    const right = this.level(0);
    return this.take('ESCAPE')
      ? { kind: 'binary', operator, left, right, escapedBy: this.level(0) }
      : { kind: 'binary', operator, left, right };
  }

  private among(): readonly SqlExpression[] | SqlQuery {
    if (!this.takeSymbol('(')) throw badSql('IN has no brackets', 'write IN (…) with values or a SELECT');
    if (this.sees('SELECT') || this.sees('WITH')) return this.closed(this.query());
    return this.takeSymbol(')') ? [] : this.closed(this.list(() => this.expression()));
  }

  private level(index: number): SqlExpression {
    const operators = LEVELS[index];
    if (operators === undefined) return this.unary();
    let left = this.level(index + 1);
    for (;;) {
      const operator = operators.find((each) => this.takeSymbol(each));
      if (operator === undefined) return left;
      left = { kind: 'binary', operator, left, right: this.level(index + 1) };
    }
  }

  private unary(): SqlExpression {
    const operator = ['-', '+', '~'].find((each) => this.takeSymbol(each));
    if (operator !== undefined) return { kind: 'prefix', operator, operand: this.nested(() => this.unary()) };
    const operand = this.primary();
    if (!this.take('COLLATE')) return operand;
    return { kind: 'suffix', operator: `COLLATE ${this.oneOf(COLLATIONS, 'a collation')}`, operand };
  }

  private primary(): SqlExpression {
    const token = this.peek();
    if (token.kind === 'text') return { kind: 'text', value: this.next().text };
    if (token.kind === 'number') return { kind: 'constant', sql: this.next().text };
    if (this.takeSymbol('(')) return this.bracketed();
    if (token.kind === 'name') {
      const word = token.text.toUpperCase();
      if (CONSTANTS.includes(word)) return { kind: 'constant', sql: this.next().text.toUpperCase() };
      if (this.take('CASE')) return this.caseOf();
      if (this.sees('CAST') && this.peek(1).text === '(') return this.cast();
      const not = this.sees('NOT') && this.sees('EXISTS', 1);
      if (not) this.next();
      if (this.take('EXISTS')) return this.exists(not);
      if (this.peek(1).kind === 'symbol' && this.peek(1).text === '(') return this.call();
    }
    return this.column();
  }

  private bracketed(): SqlExpression {
    if (this.sees('SELECT') || this.sees('WITH')) return { kind: 'query', exists: false, query: this.closed(this.query()) };
    return this.closed(this.expression());
  }

  private exists(not: boolean): SqlExpression {
    this.expectSymbol('(');
    const exists: SqlExpression = { kind: 'query', exists: true, query: this.closed(this.query()) };
    return not ? { kind: 'prefix', operator: 'NOT', operand: exists } : exists;
  }

  private caseOf(): SqlExpression {
    const operand = this.sees('WHEN') ? undefined : this.expression();
    const branches: { when: SqlExpression; value: SqlExpression }[] = [];
    while (this.take('WHEN')) {
      const when = this.expression();
      this.expect('THEN');
      branches.push({ when, value: this.expression() });
    }
    if (branches.length === 0) throw this.unexpected('WHEN');
    const otherwise = this.take('ELSE') ? this.expression() : undefined;
    this.expect('END');
    return { kind: 'case', operand, branches, otherwise };
  }

  private cast(): SqlExpression {
    this.next();
    this.expectSymbol('(');
    const operand = this.expression();
    this.expect('AS');
    return { kind: 'cast', operand, type: this.closed(this.oneOf(CAST_TYPES, 'a type')) };
  }

  private call(): SqlCall {
    const name = this.next().text.toLowerCase();
    this.expectSymbol('(');
    const distinct = this.take('DISTINCT');
    const star = this.takeSymbol('*');
    const none = star || this.peek().text === ')';
    const args = none ? [] : this.list(() => this.expression());
    if (this.sees('ORDER')) throw badSql(`ORDER BY inside ${name}(…) cannot be used`, 'order the rows in a subquery');
    this.expectSymbol(')');
    const filter = this.take('FILTER') ? this.filter() : undefined;
    return { kind: 'call', name, distinct, star, args, filter, over: this.take('OVER') ? this.window() : undefined };
  }

  private filter(): SqlExpression {
    this.expectSymbol('(');
    this.expect('WHERE');
    return this.closed(this.expression());
  }

  private window(): SqlWindow {
    if (!this.takeSymbol('(')) throw badSql('a named window cannot be used', 'write OVER (…) with what it orders by');
    let partitionBy: readonly SqlExpression[] = [];
    if (this.take('PARTITION')) {
      this.expect('BY');
      partitionBy = this.list(() => this.expression());
    }
    return this.closed({ partitionBy, orderBy: this.take('ORDER') ? this.orderBy() : [] });
  }

  private column(): SqlExpression {
    const quoted = this.peek().kind === 'quoted';
    const name = this.name('a value');
    if (!this.takeSymbol('.')) return { kind: 'column', table: undefined, name, quoted };
    return { kind: 'column', table: name, name: this.name('a column name'), quoted: false };
  }
}
