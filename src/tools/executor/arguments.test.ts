import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolError } from '../contract/errors.ts';
import { coerceArguments, parseArguments } from './arguments.ts';
import { validateArguments } from './validate-arguments.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    op: { enum: ['list', 'read'] },
    page: { type: 'integer', minimum: 1 },
    deep: { type: 'boolean' },
    edits: {
      type: 'array',
      items: { type: 'object', properties: { old: { type: 'string' } }, required: ['old'], additionalProperties: false },
    },
  },
  required: ['op'],
  additionalProperties: false,
};

function errorOf(act: () => void): string {
  try {
    act();
  } catch (error) {
    if (error instanceof ToolError) return error.toString();
    throw error;
  }
  return 'no error';
}

describe('parseArguments', () => {
  it.each([
    ['', {}],
    ['{}', {}],
    ['{"a":1,}', { a: 1 }],
    ['{"a":"x\ny"}', { a: 'x\ny' }],
    ['```json\n{"a":1}\n```', { a: 1 }],
    ['"{\\"a\\":1}"', { a: 1 }],
    ["{'a':'b'}", { a: 'b' }],
    ['{a:1}', { a: 1 }],
    ['{"a":1}}', { a: 1 }],
  ])('reads %j', (text, expected) => {
    expect(parseArguments(text)).toEqual(expected);
  });

  it.each(['{"markdown":"half a sen', '{"markdown":"half a {x}', '{"a":[1,2', '{"a":{"b":1}'])('refuses %j, which breaks off', (text) => {
    expect(errorOf(() => parseArguments(text))).toMatch(/^arguments_cut: .* → /u);
  });

  it.each(['hello', '[1]', '12', 'null', '{"a":1}{"b":2}', '"text"'])('refuses %j with a next step', (text) => {
    expect(errorOf(() => parseArguments(text))).toMatch(/^(bad_arguments|arguments_cut): .* → /u);
  });

  it('takes every JSON object as it is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        expect(parseArguments(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('never throws anything but ToolError', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{', '}', '"', ':', ',', 'a', '1', '\\', '[', ']', '\n', '`') }), (text) => {
        expect(errorOf(() => parseArguments(text))).toEqual(expect.any(String));
      }),
    );
  });
});

describe('coerceArguments', () => {
  it('turns what is beyond doubt into the wanted type', () => {
    const args = { op: 'list', page: '2', deep: 'True', edits: '[{"old":"x"}]' };
    expect(coerceArguments(args, SCHEMA)).toEqual({ op: 'list', page: 2, deep: true, edits: [{ old: 'x' }] });
  });

  it('leaves out null and leaves the rest to the validation', () => {
    expect(coerceArguments({ op: null, page: 'two', other: null }, SCHEMA)).toEqual({ page: 'two', other: null });
  });

  it('does not complete an array that breaks off', () => {
    expect(coerceArguments({ edits: '[{"old":"x"' }, SCHEMA)).toEqual({ edits: '[{"old":"x"' });
  });
});

describe('validateArguments', () => {
  it.each([
    [{}, 'argument "op" is missing, expected one of "list", "read"'],
    [{ op: 'write' }, 'argument "op" is wrong, expected one of "list", "read"'],
    [{ op: 'list', page: 0 }, 'argument "page" is wrong, expected integer from 1 to …'],
    [{ op: 'list', pages: 1 }, 'argument "pages" does not exist'],
    [{ op: 'list', 页码: 1 }, 'argument "页码" does not exist'],
    [{ op: 'list', '50% #a/b~c': 1 }, 'argument "50% #a/b~c" does not exist'],
    [{ op: 'list', edits: [{}] }, 'argument "edits.0.old" is missing, expected string'],
  ])('names what is wrong with %j', (args, expected) => {
    const error = errorOf(() => validateArguments('tool', args, SCHEMA));
    expect(error).toContain(expected);
    expect(error).toContain('→ call tool again with {op: one of "list", "read", page?: integer from 1 to …');
  });

  it('refuses half of a character in a name', () => {
    expect(errorOf(() => validateArguments('tool', { op: 'list', '\ud800': 1 }, SCHEMA))).toMatch(
      /^bad_arguments: .* half of a character/u,
    );
  });

  it('passes what fits', () => {
    expect(errorOf(() => validateArguments('tool', { op: 'read', page: 3, edits: [] }, SCHEMA))).toBe('no error');
  });
});
