import { describe, expect, it } from 'vitest';
import { neutralSchema } from './neutral-schema.ts';

describe('what is left out of a schema of a stranger', () => {
  it.each([
    [
      'names by pattern, which are no others',
      { properties: { a: { type: 'string' } }, patternProperties: { '^x': {} }, additionalProperties: false },
      { properties: { a: { type: 'string' } } },
    ],
    ['what is forbidden in part only', { type: 'string', not: { pattern: '^x', type: 'string' } }, { type: 'string' }],
    // biome-ignore lint/suspicious/noThenProperty: the word of JSON schema.
    ['a condition that is not known in full', { if: { pattern: '^x' }, then: { maxLength: 2 }, else: { minLength: 9 } }, {}],
    [
      'that only one fits, where they are not known in full',
      { oneOf: [{ pattern: '^x' }, { minLength: 2 }] },
      { anyOf: [{}, { minLength: 2 }] },
    ],
    [
      'the same beside others',
      { oneOf: [{ properties: { a: { pattern: '^x' } } }, {}], anyOf: [{ minLength: 2 }] },
      { anyOf: [{ minLength: 2 }] },
    ],
    ['how many fit what is not known in full', { contains: { pattern: 'x' }, maxContains: 1 }, { contains: {} }],
  ])('makes it never stricter: %s', (_what, schema, sent) => {
    expect(neutralSchema(schema)).toEqual(sent);
  });

  it('is nothing of conditions that are known in full', () => {
    const schema = {
      not: { required: ['a'], title: 'x' },
      if: { properties: { b: { const: 1 } } },
      // biome-ignore lint/suspicious/noThenProperty: the word of JSON schema.
      then: { required: ['c'] },
      oneOf: [{ type: 'string' }, { enum: [1, 2] }],
      contains: { type: 'string' },
      maxContains: 2,
    };
    expect(neutralSchema(schema)).toEqual({ ...schema, not: { required: ['a'] } });
  });
});
