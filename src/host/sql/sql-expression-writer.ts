import { fixedLength, functionKind, isPattern } from './sql-functions.ts';
import type { ScopedColumn, SqlScope } from './sql-scope.ts';
import type { SqlCall, SqlExpression, SqlOrder, SqlQuery } from './sql-syntax.ts';
import { badSql } from './sql-tokens.ts';

/** The maximum number of note texts in one value. */
const MAX_GROWTH = 64;
const GATHERED = 16;

export interface WrittenQuery {
  readonly sql: string;
  readonly columns: readonly ScopedColumn[];
  readonly single: boolean;
}

export interface WrittenExpression {
  readonly sql: string;
  readonly growth: number;
}

export type Ctes = ReadonlyMap<string, readonly ScopedColumn[]>;

/** The context of an expression; `results`: it may use the names of result columns. */
export interface ExpressionContext {
  readonly scope: SqlScope;
  readonly ctes: Ctes;
  readonly results: boolean;
}

export const quoteName = (name: string): string => `\`${name.replaceAll('`', '``')}\``;
const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

function grown(growth: number): number {
  if (growth > MAX_GROWTH) throw badSql('a value would hold too many texts at once', 'join fewer texts with || or group_concat');
  return growth;
}

/** Prints the expressions of a statement: every name was resolved, and every function is allowed. */
export abstract class SqlExpressionWriter {
  protected abstract query(query: SqlQuery, outer: SqlScope | undefined, around: Ctes): WrittenQuery;
  protected abstract order(orderBy: readonly SqlOrder[], scope: SqlScope, ctes: Ctes): string;

  protected expression(expression: SqlExpression, place: ExpressionContext): WrittenExpression {
    const write = (each: SqlExpression): WrittenExpression => this.expression(each, place);
    switch (expression.kind) {
      case 'text':
        return { sql: quoteText(expression.value), growth: 1 };
      case 'constant':
        return { sql: expression.sql, growth: 1 };
      case 'column':
        return this.column(expression, place);
      case 'prefix': {
        const operand = write(expression.operand);
        return { sql: `(${expression.operator} ${operand.sql})`, growth: 1 };
      }
      case 'suffix': {
        const operand = write(expression.operand);
        return { sql: `(${operand.sql} ${expression.operator})`, growth: operand.growth };
      }
      case 'binary':
        return this.binary(expression, place);
      case 'between':
        return {
          sql: `(${write(expression.operand).sql} ${expression.operator} ${write(expression.low).sql} AND ${write(expression.high).sql})`,
          growth: 1,
        };
      case 'in':
        return this.among(expression, place);
      case 'query': {
        const { sql, columns } = this.query(expression.query, place.scope, place.ctes);
        if (!expression.exists) requireOne(columns);
        return { sql: `${expression.exists ? 'EXISTS ' : ''}(${sql})`, growth: expression.exists ? 1 : (columns[0]?.growth ?? 1) };
      }
      case 'case':
        return this.caseOf(expression, place);
      case 'cast': {
        const operand = write(expression.operand);
        return { sql: `CAST(${operand.sql} AS ${expression.type})`, growth: operand.growth };
      }
      case 'call':
        return this.call(expression, place);
    }
  }

  private column({ table, name }: Extract<SqlExpression, { kind: 'column' }>, { scope, results }: ExpressionContext): WrittenExpression {
    const result = results && table === undefined ? scope.results.get(name.toLowerCase()) : undefined;
    if (result !== undefined && scope.find(table, name)?.scope !== scope) return { sql: quoteName(name), growth: result };
    const { source, column } = scope.column(table, name);
    return { sql: `${quoteName(source.alias)}.${quoteName(column.name)}`, growth: column.growth };
  }

  private binary(
    { operator, left, right, escapedBy }: Extract<SqlExpression, { kind: 'binary' }>,
    place: ExpressionContext,
  ): WrittenExpression {
    const [one, other] = [this.expression(left, place), this.expression(right, place)];
    if (/LIKE|GLOB/.test(operator) && !isPattern(right))
      throw badSql(`${operator} searches for something that is not plain text`, "write the text into the statement, as in LIKE '%word%'");
    const escaped = escapedBy === undefined ? '' : ` ESCAPE ${this.expression(escapedBy, place).sql}`;
    const growth = operator === '||' ? grown(one.growth + other.growth) : 1;
    return { sql: `(${one.sql} ${operator} ${other.sql}${escaped})`, growth };
  }

  private among({ operator, operand, among }: Extract<SqlExpression, { kind: 'in' }>, place: ExpressionContext): WrittenExpression {
    const left = this.expression(operand, place).sql;
    if ('selects' in among) {
      const { sql, columns } = this.query(among, place.scope, place.ctes);
      requireOne(columns);
      return { sql: `(${left} ${operator} (${sql}))`, growth: 1 };
    }
    return { sql: `(${left} ${operator} (${among.map((each) => this.expression(each, place).sql).join(', ')}))`, growth: 1 };
  }

  private caseOf({ operand, branches, otherwise }: Extract<SqlExpression, { kind: 'case' }>, place: ExpressionContext): WrittenExpression {
    const of = operand === undefined ? '' : ` ${this.expression(operand, place).sql}`;
    const written = branches.map(({ when, value }) => ({ when: this.expression(when, place), value: this.expression(value, place) }));
    const last = otherwise === undefined ? undefined : this.expression(otherwise, place);
    const cases = written.map(({ when, value }) => `WHEN ${when.sql} THEN ${value.sql}`).join(' ');
    const growth = Math.max(...written.map(({ value }) => value.growth), last?.growth ?? 1);
    return { sql: `CASE${of} ${cases}${last === undefined ? '' : ` ELSE ${last.sql}`} END`, growth };
  }

  private call(call: SqlCall, place: ExpressionContext): WrittenExpression {
    functionKind(call);
    const args = call.args.map((argument) => this.expression(argument, place));
    const inside = call.star ? '*' : `${call.distinct ? 'DISTINCT ' : ''}${args.map(({ sql }) => sql).join(', ')}`;
    const filter = call.filter === undefined ? '' : ` FILTER (WHERE ${this.expression(call.filter, place).sql})`;
    return { sql: `${call.name}(${inside})${filter}${this.window(call, place)}`, growth: growthOfCall(call, args) };
  }

  private window({ over }: SqlCall, place: ExpressionContext): string {
    if (over === undefined) return '';
    const partition = over.partitionBy.map((each) => this.expression(each, place).sql);
    const parts = [partition.length === 0 ? '' : `PARTITION BY ${partition.join(', ')}`, this.order(over.orderBy, place.scope, place.ctes)];
    return ` OVER (${parts.filter((part) => part !== '').join(' ')})`;
  }
}

function growthOfCall({ name, args }: SqlCall, written: readonly WrittenExpression[]): number {
  const most = Math.max(1, ...written.map(({ growth }) => growth));
  if (name === 'group_concat') return grown(most * GATHERED);
  if (name !== 'replace') return most;
  const sought = fixedLength(args[1]);
  return grown((written[0]?.growth ?? 1) * (sought === 0 ? 1 : Math.ceil(fixedLength(args[2]) / sought) || 1));
}

function requireOne(columns: readonly ScopedColumn[]): void {
  if (columns.length !== 1) throw badSql(`a subquery in an expression has ${columns.length} columns`, 'select one column in it');
}
