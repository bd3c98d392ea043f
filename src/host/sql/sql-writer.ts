import { fixedLength, functionKind, isPattern } from './sql-functions.ts';
import { checkCorrelated, checkJoins, equalities, type ScopedColumn, type ScopedSource, SqlScope } from './sql-scope.ts';
import type { SqlCall, SqlExpression, SqlOrder, SqlQuery, SqlSelect, SqlSource } from './sql-syntax.ts';
import { type Selectivity, type SourceOptions, tableColumns, tableSource } from './sql-tables.ts';
import { badSql } from './sql-tokens.ts';

const MAX_GROWTH = 64;
const GATHERED = 16;

interface WrittenQuery {
  readonly sql: string;
  readonly columns: readonly ScopedColumn[];
  readonly single: boolean;
}

interface WrittenExpression {
  readonly sql: string;
  readonly growth: number;
}

type Ctes = ReadonlyMap<string, readonly ScopedColumn[]>;

/** The context of an expression; `results`: it may use the names of result columns. */
interface ExpressionContext {
  readonly scope: SqlScope;
  readonly ctes: Ctes;
  readonly results: boolean;
}

const quoteName = (name: string): string => `\`${name.replaceAll('`', '``')}\``;
const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

function grown(growth: number): number {
  if (growth > MAX_GROWTH) throw badSql('a value would hold too many texts at once', 'join fewer texts with || or group_concat');
  return growth;
}

/** Prints the expressions of a statement: every name was resolved, and every function is allowed. */
abstract class SqlExpressionWriter {
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

const MAX_TABLES = 12;
const MAX_COLUMNS = 64;
const MAX_SELECTS = 16;

interface ResultColumn {
  readonly expression: SqlExpression | undefined;
  readonly column: ScopedColumn;
  readonly sql: string;
}

/** Prints a parsed statement with each table as a subquery of allowed columns: SQLite reads only what was checked. */
class SqlWriter extends SqlExpressionWriter {
  private readonly options: SourceOptions;
  private tables = 0;
  private selects = 0;

  constructor(options: SourceOptions) {
    super();
    this.options = options;
  }

  override query(query: SqlQuery, outer: SqlScope | undefined, around: Ctes): WrittenQuery {
    const ctes = new Map(around);
    const named = query.ctes.map((cte) => this.cte(cte, ctes));
    const [first, ...rest] = query.selects;
    const alone = rest.length === 0;
    const head = this.select(first, outer, ctes, alone ? query.orderBy : []);
    const others = rest.map((select) => this.select(select, outer, ctes, []));
    if (others.some(({ columns }) => columns.length !== head.columns.length)) throw badSql('the SELECTs have different numbers of columns');
    const body = others.reduce((sql, other, index) => `${sql} ${query.operators[index]} ${other.sql}`, head.sql);
    const order = alone ? head.order : this.compoundOrder(query.orderBy, head.columns);
    const limit = query.limit === undefined ? undefined : wholeNumber(query.limit);
    const tail = [
      order,
      limit === undefined ? '' : `LIMIT ${limit}`,
      query.offset === undefined ? '' : `OFFSET ${wholeNumber(query.offset)}`,
    ];
    const sql = [named.length === 0 ? '' : `WITH ${named.join(', ')}`, body, ...tail].filter((part) => part !== '').join(' ');
    return {
      sql,
      columns: alone ? head.columns : joinedColumns(head, others),
      single: limit === 0 || limit === 1 || (alone && head.single),
    };
  }

  private cte({ name, columns: names, query }: SqlQuery['ctes'][number], ctes: Map<string, readonly ScopedColumn[]>): string {
    if (tableColumns(name.toLowerCase()) !== undefined) throw badSql(`${name} is the name of a table`, 'give the WITH another name');
    const { sql, columns } = this.query(query, undefined, ctes);
    if (names.length > 0 && names.length !== columns.length) throw badSql(`${name}(…) names ${names.length} of ${columns.length} columns`);
    const renamed = columns.map((column, index) => ({ ...column, name: names[index] ?? column.name }));
    ctes.set(name.toLowerCase(), renamed);
    return `${quoteName(name)}(${renamed.map((column) => quoteName(column.name)).join(', ')}) AS (${sql})`;
  }

  private select(
    select: SqlSelect,
    outer: SqlScope | undefined,
    ctes: Ctes,
    orderBy: readonly SqlOrder[],
  ): WrittenQuery & { readonly order: string } {
    this.selects += 1;
    if (this.selects > MAX_SELECTS) throw badSql(`there are more than ${MAX_SELECTS} SELECTs`, 'ask in several statements');
    const sources = select.sources.map((source) => this.source(source, ctes));
    const scope = new SqlScope(
      sources.map(({ bound }) => bound),
      select.sources.flatMap(({ using }) => using),
      outer,
    );
    const write = (expression: SqlExpression, results: boolean): WrittenExpression => this.expression(expression, { scope, ctes, results });
    const from = select.sources.map((source, index) => {
      const join = source.join === 'left' ? 'LEFT JOIN ' : 'JOIN ';
      const columns = source.using.map((name) => quoteName(scope.column(undefined, name).column.name));
      const using = columns.length > 0 ? ` USING (${columns.join(', ')})` : '';
      const condition = source.on === undefined ? using : ` ON ${write(source.on, false).sql}`;
      return `${index === 0 ? '' : join}${sources[index]?.sql}${condition}`;
    });
    const columns = this.resultColumns(select, scope, ctes);
    for (const { column } of columns) scope.results.set(column.name.toLowerCase(), column.growth);
    const where = select.where === undefined ? '' : `WHERE ${write(select.where, true).sql}`;
    const groups = select.groupBy.map((expression) => write(expression, true).sql);
    const having = select.having === undefined ? '' : `HAVING ${write(select.having, true).sql}`;
    const order = this.order(orderBy, scope, ctes);
    checkReach(select, scope);
    const parts = [
      `SELECT${select.distinct ? ' DISTINCT' : ''} ${columns.map(({ sql, column }) => `${sql} AS ${quoteName(column.name)}`).join(', ')}`,
      from.length === 0 ? '' : `FROM ${from.join(' ')}`,
      where,
      groups.length === 0 ? '' : `GROUP BY ${groups.join(', ')}`,
      having,
    ];
    const gathered = columns.some(({ expression }) => hasAggregate(expression));
    const given = columns.map(({ column, sql }) => ({
      ...column,
      indexed: false,
      selectivity: outputSelectivity(select, column, sql, groups, gathered),
    }));
    const single = (gathered && groups.length === 0) || sources.every(({ bound }) => bound.single);
    return { sql: parts.filter((part) => part !== '').join(' '), columns: given, single, order };
  }

  private source(source: SqlSource, ctes: Ctes): { readonly sql: string; readonly bound: ScopedSource } {
    const { from } = source;
    if (typeof from !== 'string') {
      const { sql, columns, single } = this.query(from, undefined, ctes);
      const alias = source.alias ?? `subquery ${this.selects}`;
      return { sql: `(${sql}) AS ${quoteName(alias)}`, bound: { alias, columns, single } };
    }
    this.tables += 1;
    if (this.tables > MAX_TABLES) throw badSql(`more than ${MAX_TABLES} tables are named`, 'ask in several statements');
    const name = from.toLowerCase();
    const alias = source.alias ?? from;
    const cte = ctes.get(name);
    if (cte !== undefined) return { sql: `${quoteName(from)} AS ${quoteName(alias)}`, bound: { alias, columns: cte, single: false } };
    const sql = tableSource(name, this.options);
    const columns = (tableColumns(name) ?? []).map((column) => ({ ...column, growth: 1 }));
    return { sql: `(${sql}) AS ${quoteName(alias)}`, bound: { alias, columns, single: false } };
  }

  private resultColumns(select: SqlSelect, scope: SqlScope, ctes: Ctes): readonly ResultColumn[] {
    const columns = select.columns.flatMap(({ expression, starOf, alias, source }): ResultColumn[] => {
      if (expression === undefined) {
        const sources = starOf === undefined ? scope.sources : [scope.source(starOf)];
        return sources.flatMap((each) =>
          each.columns.map((column) => ({ expression, column, sql: `${quoteName(each.alias)}.${quoteName(column.name)}` })),
        );
      }
      const { sql, growth } = this.expression(expression, { scope, ctes, results: false });
      const found = expression.kind === 'column' ? scope.find(expression.table, expression.name) : undefined;
      const own = found?.scope === scope ? found.column : undefined;
      const column: ScopedColumn = {
        name: alias ?? found?.column.name ?? source,
        selectivity: own?.selectivity ?? 'wide',
        indexed: own?.indexed ?? false,
        growth,
      };
      return [{ expression, column, sql }];
    });
    if (columns.length === 0) throw badSql('* is used without a table', 'name a table in FROM');
    if (columns.length > MAX_COLUMNS) throw badSql(`there are more than ${MAX_COLUMNS} columns`, 'ask for fewer columns');
    return columns;
  }

  protected override order(orderBy: readonly SqlOrder[], scope: SqlScope, ctes: Ctes): string {
    if (orderBy.length === 0) return '';
    const terms = orderBy.map(({ expression, direction }) => {
      const isResult = expression.kind === 'column' && expression.table === undefined && scope.results.has(expression.name.toLowerCase());
      const sql = isResult ? quoteName(expression.name) : this.expression(expression, { scope, ctes, results: true }).sql;
      return `${sql} ${direction}`.trim();
    });
    return `ORDER BY ${terms.join(', ')}`;
  }

  /** After UNION, ORDER BY can use only the result columns. */
  private compoundOrder(orderBy: readonly SqlOrder[], columns: readonly ScopedColumn[]): string {
    if (orderBy.length === 0) return '';
    const terms = orderBy.map(({ expression, direction }) => {
      const name = expression.kind === 'column' && expression.table === undefined ? expression.name.toLowerCase() : undefined;
      const found = columns.findIndex((column) => column.name.toLowerCase() === name);
      const place = expression.kind === 'constant' ? wholeNumber(expression) : found + 1;
      if (place < 1 || place > columns.length)
        throw badSql('ORDER BY after UNION names no result column', 'order by a column of the first SELECT');
      return `${place} ${direction}`.trim();
    });
    return `ORDER BY ${terms.join(', ')}`;
  }
}

function hasAggregate(expression: SqlExpression | undefined): boolean {
  if (expression === undefined) return false;
  switch (expression.kind) {
    case 'call':
      return (expression.over === undefined && functionKind(expression) === 'aggregate') || expression.args.some(hasAggregate);
    case 'binary':
      return hasAggregate(expression.left) || hasAggregate(expression.right);
    case 'prefix':
    case 'suffix':
    case 'cast':
      return hasAggregate(expression.operand);
    case 'case':
      return [expression.operand, expression.otherwise, ...expression.branches.flatMap(({ when, value }) => [when, value])].some(
        hasAggregate,
      );
    default:
      return false;
  }
}

function wholeNumber(expression: SqlExpression): number {
  if (expression.kind === 'constant' && /^\d+$/.test(expression.sql)) return Number(expression.sql);
  throw badSql('LIMIT, OFFSET or ORDER BY has no whole number', 'write a number, as in LIMIT 20');
}

/** The work of a SELECT must be in proportion to its tables: the kernel does not stop a statement when its caller is gone. */
function checkReach(select: SqlSelect, scope: SqlScope): void {
  const where = equalities(select.where, scope);
  const on = select.sources.flatMap((source) => equalities(source.on, scope));
  const using = select.sources.flatMap((source, index) => {
    const right = scope.sources[index];
    return source.using.flatMap((name) => {
      const left = scope.sources
        .slice(0, index)
        .find((each) => each.columns.some((column) => column.name.toLowerCase() === name.toLowerCase()));
      if (left === undefined || right === undefined) throw badSql(`USING (${name}) names no column of both tables`);
      return [{ left: scope.column(left.alias, name), right: scope.column(right.alias, name) }];
    });
  });
  const inner = select.sources.every(({ join }) => join === 'inner');
  checkJoins(scope, inner ? [...where, ...on, ...using] : [...on, ...using]);
  checkCorrelated(scope, where);
}

/** The selectivity of a result column for the enclosing query. */
function outputSelectivity(
  select: SqlSelect,
  column: ScopedColumn,
  sql: string,
  groups: readonly string[],
  gathered: boolean,
): Selectivity {
  const oneRowEach = groups.length === 1 && groups[0] === sql;
  if (oneRowEach || (select.distinct && select.columns.length === 1) || (gathered && groups.length === 0)) return 'unique';
  return column.selectivity === 'unique' && select.sources.length > 1 ? 'narrow' : column.selectivity;
}

function joinedColumns(head: WrittenQuery, others: readonly WrittenQuery[]): readonly ScopedColumn[] {
  return head.columns.map((column, index) => {
    const all = [column, ...others.flatMap((other) => other.columns[index] ?? [])];
    const wide = all.some(({ selectivity }) => selectivity === 'wide');
    return { ...column, indexed: false, selectivity: wide ? 'wide' : 'narrow', growth: Math.max(...all.map(({ growth }) => growth)) };
  });
}

/** Names as SQLite gives them to rows: the second column with a name is `name:1`. */
function rowNames(columns: readonly ScopedColumn[]): readonly string[] {
  const seen = new Map<string, number>();
  return columns.map(({ name }) => {
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return count === 0 ? name : `${name}:${count}`;
  });
}

/** The statement to send, and the names of its columns; in a row the columns are named c0, c1, … Throws `bad_sql`. */
export function writeSql(
  query: SqlQuery,
  limit: number,
  options: SourceOptions,
): { readonly sql: string; readonly columns: readonly string[] } {
  const { sql, columns } = new SqlWriter(options).query(query, undefined, new Map());
  const names = columns.map((_column, index) => `c${index}`).join(', ');
  // SiYuan parses and prints statements lossily, unless its parsers fail, as on NOT MATERIALIZED (kernel/sql/block_query.go, 3.7.3).
  return {
    sql: `WITH marginalia(${names}) AS NOT MATERIALIZED (${sql}) SELECT ${names} FROM marginalia LIMIT ${limit}`,
    columns: rowNames(columns),
  };
}
