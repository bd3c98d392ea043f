import type { SqlExpression } from './sql-syntax.ts';
import { columnsHint, type Selectivity } from './sql-tables.ts';
import { badSql } from './sql-tokens.ts';

export interface ScopedColumn {
  readonly name: string;
  readonly selectivity: Selectivity;
  readonly indexed: boolean;
  /** The maximum number of note texts that one value may contain. */
  readonly growth: number;
}

export interface ScopedSource {
  readonly alias: string;
  readonly columns: readonly ScopedColumn[];
  readonly single: boolean;
}

interface ResolvedColumn {
  readonly scope: SqlScope;
  readonly source: ScopedSource;
  readonly column: ScopedColumn;
}

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The names that a SELECT can use: its own sources, and those of the enclosing SELECT. */
export class SqlScope {
  readonly sources: readonly ScopedSource[];
  /** Growth by the names of result columns. */
  readonly results = new Map<string, number>();
  private readonly outer: SqlScope | undefined;
  private readonly joined: ReadonlySet<string>;
  private reachesOut = false;

  /** `joined`: names in USING, which denote one column. */
  constructor(sources: readonly ScopedSource[], joined: readonly string[], outer: SqlScope | undefined) {
    this.sources = sources;
    this.joined = new Set(joined.map((name) => name.toLowerCase()));
    this.outer = outer;
    const aliases = sources.map(({ alias }) => alias.toLowerCase());
    const twice = aliases.find((alias, index) => aliases.indexOf(alias) !== index);
    if (twice !== undefined) throw badSql(`there are two tables named ${twice}`, 'give each a name of its own with AS');
  }

  /** Tells if it uses a column of the enclosing SELECT. */
  get correlated(): boolean {
    return this.reachesOut;
  }

  source(alias: string): ScopedSource {
    const found = this.sources.find((source) => same(source.alias, alias));
    if (found === undefined) throw badSql(`there is no table ${alias} in this FROM`, columnsHint());
    return found;
  }

  /** Throws `bad_sql` if no column, or more than one, has that name. */
  column(table: string | undefined, name: string): ResolvedColumn {
    const found = this.find(table, name);
    if (found !== undefined) return found;
    const written = table === undefined ? name : `${table}.${name}`;
    throw badSql(`there is no column ${written}`, columnsHint());
  }

  find(table: string | undefined, name: string): ResolvedColumn | undefined {
    const places = this.sources
      .filter((source) => table === undefined || same(source.alias, table))
      .flatMap((source) => source.columns.filter((column) => same(column.name, name)).map((column) => ({ scope: this, source, column })));
    const [first, second] = places;
    if (second !== undefined && second.source !== first?.source && !this.joined.has(name.toLowerCase()))
      throw badSql(`${name} may be a column of several tables`, `write ${first?.source.alias}.${name} or ${second.source.alias}.${name}`);
    if (first !== undefined) return first;
    const outside = this.outer?.find(table, name);
    if (outside !== undefined) this.reachesOut = true;
    return outside;
  }
}

/** The parts of a condition that must all hold. */
function conjuncts(condition: SqlExpression | undefined): readonly SqlExpression[] {
  if (condition === undefined) return [];
  if (condition.kind === 'binary' && condition.operator === 'AND') return [...conjuncts(condition.left), ...conjuncts(condition.right)];
  return [condition];
}

interface Equality {
  readonly left: ResolvedColumn;
  readonly right: ResolvedColumn | undefined;
}

const EQUAL = ['=', '==', 'IS'];

/** `column = column` and, with no `right`, `column = 'text'`. */
export function equalities(condition: SqlExpression | undefined, scope: SqlScope): readonly Equality[] {
  return conjuncts(condition).flatMap((part): readonly Equality[] => {
    if (part.kind !== 'binary' || !EQUAL.includes(part.operator)) return [];
    const [left, right] = part.left.kind === 'column' ? [part.left, part.right] : [part.right, part.left];
    if (left.kind !== 'column') return [];
    const found = scope.find(left.table, left.name);
    if (found === undefined) return [];
    if (right.kind === 'text') return [{ left: found, right: undefined }];
    const other = right.kind === 'column' ? scope.find(right.table, right.name) : undefined;
    return other === undefined ? [] : [{ left: found, right: other }];
  });
}

interface Step {
  readonly from: ResolvedColumn;
  readonly to: ResolvedColumn;
}

/** Tells if each existing row matches only few rows of the added source. */
function isSelective({ from, to }: Step): boolean {
  if (to.column.selectivity === 'unique') return true;
  return to.column.selectivity === 'narrow' && from.column.selectivity !== 'wide';
}

const JOIN_ADVICE = 'join each table by ON with an id of it, such as a.block_id = b.id or a.root_id = d.id';

/** Counts sources reached from one without multiplying rows: by equal unique columns, and once by a narrow one. */
function reachedFrom(base: ScopedSource | undefined, alone: ReadonlySet<ScopedSource>, steps: readonly Step[]): ReadonlySet<ScopedSource> {
  const reached = new Set(base === undefined ? alone : [...alone, base]);
  let narrowLeft = 1;
  for (;;) {
    const open = steps.filter(({ to, from }) => !reached.has(to.source) && reached.has(from.source));
    const next = open.find(({ to }) => to.column.selectivity === 'unique') ?? open.find((step) => narrowLeft > 0 && isSelective(step));
    if (next === undefined) return reached;
    if (next.to.column.selectivity !== 'unique') narrowLeft -= 1;
    reached.add(next.to.source);
  }
}

/** Every source must be bound to the others by ids: otherwise its rows are multiplied by theirs. Throws `bad_sql`. */
export function checkJoins(scope: SqlScope, conditions: readonly Equality[]): void {
  const alone = new Set(scope.sources.filter(({ single }) => single));
  const steps: Step[] = [];
  for (const { left, right } of conditions) {
    if (right === undefined && left.column.selectivity === 'unique') alone.add(left.source);
    if (right?.scope === scope && left.scope === scope) steps.push({ from: left, to: right }, { from: right, to: left });
  }
  const bases = [undefined, ...scope.sources.filter((source) => !alone.has(source))];
  if (bases.some((base) => reachedFrom(base, alone, steps).size === scope.sources.length)) return;
  throw badSql('tables are joined without a condition on their ids, or so that their rows multiply', JOIN_ADVICE);
}

/** For an id of the enclosing query every row is found once in total; for a value that several rows share, it is not. */
const finds = (outside: ResolvedColumn, own: ResolvedColumn): boolean =>
  outside.column.selectivity === 'unique' || isSelective({ from: outside, to: own });

/** A subquery that runs for each row of the enclosing query must find its rows by an index. Throws `bad_sql`. */
export function checkCorrelated(scope: SqlScope, conditions: readonly Equality[]): void {
  if (!scope.correlated || scope.sources.length === 0) return;
  const found = conditions.some(({ left, right }) => {
    if (right === undefined) return false;
    const [own, outside] = left.scope === scope ? [left, right] : [right, left];
    return own.scope === scope && outside.scope !== scope && own.column.indexed && finds(outside, own);
  });
  if (found && scope.sources.length === 1) return;
  throw badSql(
    'a subquery would run again for each row',
    'write it as JOIN … GROUP BY, or as IN (SELECT …) that uses no column of the outer query',
  );
}
