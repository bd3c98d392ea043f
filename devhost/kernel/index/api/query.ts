import { ApiError } from '../../api-error.ts';
import { type RouteTable, textField } from '../../router.ts';
import { isMultiple, isQuery, isUnparsed } from '../statement.ts';

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
    const rows = kernel.index.query(statement, { readonly: mode === 'readonly' || kernel.readOnly });
    return rows.length === 0 && isUnparsed(statement) ? null : rows;
  },
};
