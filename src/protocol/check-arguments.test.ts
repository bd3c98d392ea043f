import { describe, expect, it } from 'vitest';
import { checkArguments } from './check-arguments.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    limit: { type: 'integer', minimum: 1, maximum: 50 },
    deep: { type: 'boolean' },
    edits: {
      type: 'array',
      items: { type: 'object', properties: { old: { type: 'string' } }, required: ['old'], additionalProperties: false },
    },
  },
  required: ['id', 'edits'],
  additionalProperties: false,
};

const told = (args: Record<string, unknown>): readonly string[] =>
  checkArguments(args, SCHEMA).checked.map(({ key, status, wanted, came }) => `${key} ${status}: ${wanted} ← ${came}`);

describe('the arguments of a request', () => {
  it('are read as the executor reads them', () => {
    const { coerced, isValid } = checkArguments(
      { id: '1', limit: ' 5e1', deep: 'True', edits: "[{'old':'<<\\\\<[TOOL_REQUEST]>>>'},]" },
      SCHEMA,
    );
    expect(coerced).toEqual({ id: '1', limit: 50, deep: true, edits: [{ old: '<<<[TOOL_REQUEST]>>>' }] });
    expect(isValid).toBe(true);
  });

  it('are each ok, missing, of the wrong type or unknown, with what is expected', () => {
    expect(told({ limit: '0.5', deep: 'maybe', edits: '[{"new":"x"}]', extra: 'x'.repeat(80) })).toEqual([
      'limit typeError: integer from 1 to 50 ← "0.5"',
      'deep typeError: boolean ← "maybe"',
      'edits typeError: 0.old: string ← "[{\\"new\\":\\"x\\"}]"',
      `extra unknown:  ← "${'x'.repeat(58)}…`,
      'id missing: string ← ',
    ]);
    expect(told({ id: null, edits: [] })).toEqual(['edits ok: array of object ← []', 'id missing: string ← ']);
  });

  it('may refer to variables, whose values are not known yet', () => {
    const { checked, isValid } = checkArguments({ id: '1', limit: '$VAR_REF{{n}}', edits: '$VAR_REF{{e}}' }, SCHEMA);
    expect(checked.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
    expect(isValid).toBe(true);
  });
});
