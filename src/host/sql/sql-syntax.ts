/** The syntax tree of a statement. Names are as written, without quotes; SQLite ignores their case. */
export type SqlExpression =
  | { readonly kind: 'text'; readonly value: string }
  /** A number, NULL, TRUE, FALSE or a CURRENT_… word. */
  | { readonly kind: 'constant'; readonly sql: string }
  | { readonly kind: 'column'; readonly table: string | undefined; readonly name: string; readonly quoted: boolean }
  | { readonly kind: 'prefix'; readonly operator: string; readonly operand: SqlExpression }
  | { readonly kind: 'suffix'; readonly operator: string; readonly operand: SqlExpression }
  | {
      readonly kind: 'binary';
      readonly operator: string;
      readonly left: SqlExpression;
      readonly right: SqlExpression;
      readonly escapedBy?: SqlExpression;
    }
  | {
      readonly kind: 'between';
      readonly operator: string;
      readonly operand: SqlExpression;
      readonly low: SqlExpression;
      readonly high: SqlExpression;
    }
  | {
      readonly kind: 'in';
      readonly operator: string;
      readonly operand: SqlExpression;
      readonly among: readonly SqlExpression[] | SqlQuery;
    }
  | { readonly kind: 'query'; readonly exists: boolean; readonly query: SqlQuery }
  | {
      readonly kind: 'case';
      readonly operand: SqlExpression | undefined;
      readonly branches: readonly { readonly when: SqlExpression; readonly value: SqlExpression }[];
      readonly otherwise: SqlExpression | undefined;
    }
  | { readonly kind: 'cast'; readonly operand: SqlExpression; readonly type: string }
  | SqlCall;

export interface SqlCall {
  readonly kind: 'call';
  readonly name: string;
  readonly distinct: boolean;
  readonly star: boolean;
  readonly args: readonly SqlExpression[];
  readonly filter: SqlExpression | undefined;
  readonly over: SqlWindow | undefined;
}

export interface SqlWindow {
  readonly partitionBy: readonly SqlExpression[];
  readonly orderBy: readonly SqlOrder[];
}

export interface SqlOrder {
  readonly expression: SqlExpression;
  /** `ASC`, `DESC NULLS LAST`, …; '' if not given. */
  readonly direction: string;
}

export interface SqlResultColumn {
  readonly expression: SqlExpression | undefined;
  readonly starOf: string | undefined;
  readonly alias: string | undefined;
  /** The source text of the expression, which SQLite uses as the column's name. */
  readonly source: string;
}

export interface SqlSource {
  readonly from: string | SqlQuery;
  readonly alias: string | undefined;
  readonly join: 'inner' | 'left';
  readonly on: SqlExpression | undefined;
  readonly using: readonly string[];
}

export interface SqlSelect {
  readonly distinct: boolean;
  readonly columns: readonly SqlResultColumn[];
  readonly sources: readonly SqlSource[];
  readonly where: SqlExpression | undefined;
  readonly groupBy: readonly SqlExpression[];
  readonly having: SqlExpression | undefined;
}

export interface SqlQuery {
  readonly ctes: readonly { readonly name: string; readonly columns: readonly string[]; readonly query: SqlQuery }[];
  readonly selects: readonly [SqlSelect, ...SqlSelect[]];
  /** UNION, UNION ALL, INTERSECT, EXCEPT between the selects. */
  readonly operators: readonly string[];
  readonly orderBy: readonly SqlOrder[];
  readonly limit: SqlExpression | undefined;
  readonly offset: SqlExpression | undefined;
}
