import { SqlExpressionParser } from './sql-expression-parser.ts';
import type { SqlExpression, SqlOrder, SqlQuery, SqlResultColumn, SqlSelect, SqlSource } from './sql-syntax.ts';
import { badSql, sqlTokens } from './sql-tokens.ts';

/** Parses one SQLite SELECT, as far as questions about notes need it; anything else is refused. Recursive descent. */
class SqlParser extends SqlExpressionParser {
  statement(): SqlQuery {
    if (!this.sees('SELECT') && !this.sees('WITH')) throw badSql('only SELECT can be run', 'write with the tools for blocks instead');
    const query = this.query();
    if (this.peek().kind !== 'end') throw this.unexpected('the end of the statement');
    return query;
  }

  query(): SqlQuery {
    return this.nested(() => {
      const ctes = this.take('WITH') ? this.ctes() : [];
      const first = this.select();
      const rest: SqlSelect[] = [];
      const operators: string[] = [];
      for (let operator = this.compound(); operator !== undefined; operator = this.compound()) {
        operators.push(operator);
        rest.push(this.select());
      }
      const orderBy = this.take('ORDER') ? this.orderBy() : [];
      const limit = this.take('LIMIT') ? this.expression() : undefined;
      if (limit !== undefined && this.takeSymbol(','))
        return { ctes, selects: [first, ...rest], operators, orderBy, limit: this.expression(), offset: limit };
      const offset = limit !== undefined && this.take('OFFSET') ? this.expression() : undefined;
      return { ctes, selects: [first, ...rest], operators, orderBy, limit, offset };
    });
  }

  private ctes(): SqlQuery['ctes'] {
    if (this.take('RECURSIVE'))
      throw badSql('WITH RECURSIVE cannot be run', 'use list_docs, read_block range=children or several statements');
    return this.list(() => {
      const name = this.name('a name after WITH');
      const columns = this.takeSymbol('(') ? this.closed(this.list(() => this.name('a column name'))) : [];
      this.expect('AS');
      if (this.take('NOT')) this.expect('MATERIALIZED');
      else this.take('MATERIALIZED');
      this.expectSymbol('(');
      return { name, columns, query: this.closed(this.query()) };
    });
  }

  private compound(): string | undefined {
    if (this.take('UNION')) return this.take('ALL') ? 'UNION ALL' : 'UNION';
    if (this.take('INTERSECT')) return 'INTERSECT';
    return this.take('EXCEPT') ? 'EXCEPT' : undefined;
  }

  private select(): SqlSelect {
    this.expect('SELECT');
    const distinct = this.take('DISTINCT');
    if (!distinct) this.take('ALL');
    const columns = this.list(() => this.resultColumn());
    const sources = this.take('FROM') ? this.sources() : [];
    const where = this.take('WHERE') ? this.expression() : undefined;
    const groupBy = this.take('GROUP') ? this.grouping() : [];
    const having = this.take('HAVING') ? this.expression() : undefined;
    return { distinct, columns, sources, where, groupBy, having };
  }

  private grouping(): readonly SqlExpression[] {
    this.expect('BY');
    return this.list(() => this.expression());
  }

  override orderBy(): readonly SqlOrder[] {
    this.expect('BY');
    return this.list(() => {
      const expression = this.expression();
      const direction = ['ASC', 'DESC'].find((word) => this.take(word)) ?? '';
      if (!this.take('NULLS')) return { expression, direction };
      return { expression, direction: `${direction} NULLS ${this.take('FIRST') ? 'FIRST' : this.expect('LAST')}` };
    });
  }

  private resultColumn(): SqlResultColumn {
    const start = this.peek().start;
    if (this.takeSymbol('*')) return { expression: undefined, starOf: undefined, alias: undefined, source: '*' };
    if (this.peek(1).text === '.' && this.peek(2).text === '*' && this.peek(2).kind === 'symbol') {
      const starOf = this.name('a table name');
      this.expectSymbol('.');
      this.expectSymbol('*');
      return { expression: undefined, starOf, alias: undefined, source: '*' };
    }
    const expression = this.expression();
    const source = this.sourceFrom(start);
    return { expression, starOf: undefined, alias: this.alias(), source };
  }

  /** After AS a string is allowed too, as in SQLite: it is only a label. */
  private alias(): string | undefined {
    if (this.take('AS')) return this.peek().kind === 'text' ? this.next().text : this.name('a name after AS');
    return this.seesName() ? this.name('a name') : undefined;
  }

  private sources(): readonly SqlSource[] {
    const sources = [this.source('inner')];
    for (let join = this.join(); join !== undefined; join = this.join()) sources.push(this.source(join));
    return sources;
  }

  private join(): SqlSource['join'] | undefined {
    if (this.takeSymbol(',')) return 'inner';
    const left = this.take('LEFT');
    if (left) this.take('OUTER');
    else if (!this.take('INNER')) this.take('CROSS');
    if (this.take('JOIN')) return left ? 'left' : 'inner';
    if (this.sees('NATURAL') || this.sees('RIGHT') || this.sees('FULL'))
      throw badSql(`${this.peek().text.toUpperCase()} JOIN cannot be run`, 'use JOIN or LEFT JOIN with ON');
    return undefined;
  }

  private source(join: SqlSource['join']): SqlSource {
    const from = this.takeSymbol('(') ? this.derivedTable() : this.tableName();
    const alias = this.alias();
    const on = this.take('ON') ? this.expression() : undefined;
    const using = on === undefined && this.take('USING') ? this.usingColumns() : [];
    return { from, alias, join, on, using };
  }

  private derivedTable(): SqlQuery {
    if (!this.sees('SELECT') && !this.sees('WITH')) throw badSql('brackets around joined tables cannot be read', 'leave the brackets out');
    return this.closed(this.query());
  }

  private tableName(): string {
    if (this.peek().kind === 'text')
      throw badSql(`'${this.peek().text}' is text where a table name is expected`, 'name the table without quotes');
    const name = this.name('a table name');
    if (this.takeSymbol('.')) throw badSql(`"${name}." cannot be used`, 'name the table alone');
    if (this.takeSymbol('(')) throw badSql(`${name}(…) is not a table`, 'name one of the tables');
    return name;
  }

  private usingColumns(): readonly string[] {
    this.expectSymbol('(');
    return this.closed(this.list(() => this.name('a column name')));
  }
}

export function parseSql(statement: string): SqlQuery {
  return new SqlParser(statement, sqlTokens(statement)).statement();
}
