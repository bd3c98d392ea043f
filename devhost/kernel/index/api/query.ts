import { ApiError } from '../../api-error.ts';
import { RawAnswer, type RouteTable, textField } from '../../router.ts';
import { IMPLICIT_LIMIT, type Row } from '../block-index.ts';
import { hasLimit, isMultiple, isQuery, isUnparsed } from '../statement.ts';

/** As 3.8 answers: with the number of rows that a statement without LIMIT may have, and whether there were more. */
function withLimit(rows: Row[] | null, statement: string): RawAnswer {
  const truncated = rows !== null && rows.length > IMPLICIT_LIMIT && !hasLimit(statement);
  const data = truncated ? rows.slice(0, IMPLICIT_LIMIT) : rows;
  const answer = { code: 0, msg: '', data, limit: IMPLICIT_LIMIT, truncated };
  return new RawAnswer(200, 'application/json; charset=utf-8', JSON.stringify(answer));
}

/** Messages as recorded (sql); `multiple` mode, which SiYuan keeps for itself, runs one statement here too. */
export const queryRoutes: RouteTable = {
  '/api/query/sql': (body, { kernel }) => {
    const statement = textField(body, 'stmt');
    if (statement === undefined || statement === '') throw new ApiError(-1, 'Field [stmt] is required');
    const mode = textField(body, 'mode') ?? '';
    if (!['', 'readonly', 'multiple'].includes(mode)) throw new ApiError(-1, 'unknown [mode]');
    if (mode !== 'multiple' && isMultiple(statement)) throw new ApiError(-1, 'SQL statement is not single');
    if (mode === 'readonly' && statement.trim() === '') throw new ApiError(-1, 'SQL statement is empty');
    if (mode === 'readonly' && !isQuery(statement)) throw new ApiError(-1, 'SQL statement is not a read-only query');
    // A workspace that was opened read-only stays so in every mode.
    const readonly = mode === 'readonly' || kernel.readOnly;
    const rows = kernel.index.query(statement, { readonly, limit: IMPLICIT_LIMIT + (kernel.isNewer ? 1 : 0) });
    const data = rows.length === 0 && isUnparsed(statement) ? null : rows;
    return kernel.isNewer ? withLimit(data, statement) : data;
  },
};
