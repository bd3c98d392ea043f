import type { SqlCall, SqlExpression } from './sql-syntax.ts';
import { badSql } from './sql-tokens.ts';

const SCALARS: Readonly<Record<string, readonly [number, number]>> = {
  abs: [1, 1],
  char: [1, 8],
  coalesce: [2, 20],
  date: [0, 8],
  datetime: [0, 8],
  ifnull: [2, 2],
  iif: [3, 3],
  instr: [2, 2],
  julianday: [0, 8],
  length: [1, 1],
  lower: [1, 1],
  ltrim: [1, 2],
  max: [2, 20],
  min: [2, 20],
  nullif: [2, 2],
  random: [0, 0],
  replace: [3, 3],
  round: [1, 2],
  rtrim: [1, 2],
  sign: [1, 1],
  strftime: [1, 8],
  substr: [2, 3],
  substring: [2, 3],
  time: [0, 8],
  trim: [1, 2],
  typeof: [1, 1],
  unicode: [1, 1],
  unixepoch: [0, 8],
  upper: [1, 1],
};
const AGGREGATES: Readonly<Record<string, readonly [number, number]>> = {
  avg: [1, 1],
  count: [0, 1],
  group_concat: [1, 2],
  max: [1, 1],
  min: [1, 1],
  sum: [1, 1],
  total: [1, 1],
};
const WINDOWS: Readonly<Record<string, readonly [number, number]>> = {
  cume_dist: [0, 0],
  dense_rank: [0, 0],
  first_value: [1, 1],
  lag: [1, 3],
  last_value: [1, 1],
  lead: [1, 3],
  ntile: [1, 1],
  percent_rank: [0, 0],
  rank: [0, 0],
  row_number: [0, 0],
};

export type SqlFunctionKind = 'scalar' | 'aggregate' | 'window';

const within = (range: readonly [number, number] | undefined, count: number): boolean =>
  range !== undefined && count >= range[0] && count <= range[1];
const entry = (table: Readonly<Record<string, readonly [number, number]>>, name: string) =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** The kind of a call. Throws `bad_sql` for unknown functions, and for calls that would run long or grow large. */
export function functionKind(call: SqlCall): SqlFunctionKind {
  const { name, args, star, over, distinct, filter } = call;
  if (star && name !== 'count') throw badSql(`${name}(*) cannot be used`, `name a column in ${name}(…)`);
  const scalar = entry(SCALARS, name);
  const aggregate = entry(AGGREGATES, name);
  const window = entry(WINDOWS, name);
  if (scalar === undefined && aggregate === undefined && window === undefined)
    throw badSql(`${name}(…) cannot be used`, `use these functions: ${knownFunctions()}`);
  const single = within(window, args.length) ? 'window' : 'scalar';
  const kind = within(aggregate, args.length) ? 'aggregate' : single;
  if (kind === 'scalar' && !within(scalar, args.length)) throw badSql(`${name}(…) has ${args.length} arguments`);
  if (kind === 'window' && over === undefined) throw badSql(`${name}(…) needs OVER`, `write ${name}(…) OVER (ORDER BY …)`);
  if (kind === 'scalar' && (over !== undefined || distinct || filter !== undefined))
    throw badSql(`${name}(…) takes neither DISTINCT, FILTER nor OVER`);
  // It would join all texts again for each row.
  if (name === 'group_concat' && over !== undefined) throw badSql('group_concat(…) OVER cannot be used', 'use GROUP BY');
  if (distinct && over !== undefined) throw badSql('DISTINCT cannot be used with OVER');
  checkTexts(call);
  return kind;
}

const knownFunctions = (): string => [...new Set([SCALARS, AGGREGATES, WINDOWS].flatMap((table) => Object.keys(table)))].sort().join(', ');

/** Arguments that must be the same for every row. */
const FIXED_ARGUMENTS: ReadonlyMap<string, readonly number[]> = new Map([
  ['instr', [1]],
  ['replace', [1, 2]],
  ['trim', [1]],
  ['ltrim', [1]],
  ['rtrim', [1]],
  ['group_concat', [1]],
]);

/** Search texts must be in the statement: the cost of searching one note in another is the product of their lengths. */
function checkTexts({ name, args }: SqlCall): void {
  for (const index of FIXED_ARGUMENTS.get(name) ?? []) {
    const argument = args[index];
    if (argument !== undefined && !isFixed(argument))
      throw badSql(`${name}(…) has a column where text is expected`, `write that text in quotes`);
  }
}

const OF_FIXED = ['char', 'date', 'datetime', 'strftime', 'time'];

function isFixed(expression: SqlExpression): boolean {
  if (expression.kind === 'text' || expression.kind === 'constant') return true;
  return expression.kind === 'call' && OF_FIXED.includes(expression.name) && expression.args.every(isFixed);
}

const MAX_WILDCARDS = 12;

/** Allowed patterns of LIKE and GLOB: texts of the statement, with ids between them. */
export function isPattern(expression: SqlExpression): boolean {
  if (expression.kind === 'text') return (expression.value.match(/[%*]/g) ?? []).length <= MAX_WILDCARDS;
  if (expression.kind === 'column') return /(?:^|_)id$|^box$/i.test(expression.name);
  if (expression.kind === 'binary') return expression.operator === '||' && isPattern(expression.left) && isPattern(expression.right);
  return isFixed(expression);
}

/** The length of a literal text in characters; for `char(…)`, the number of arguments. */
export function fixedLength(expression: SqlExpression | undefined): number {
  if (expression?.kind === 'text') return expression.value.length;
  return expression?.kind === 'call' ? expression.args.length : 1;
}
