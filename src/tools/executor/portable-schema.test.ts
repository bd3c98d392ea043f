import { describe, expect, it } from 'vitest';
import { portableSchema } from './portable-schema.ts';

const part = (schema: object): unknown => (portableSchema({ type: 'object', properties: { a: schema } }).properties as { a: unknown }).a;

describe('a schema as it is sent', () => {
  it.each([
    [{ type: 'string', minLength: 1, maxLength: 2000 }, { type: 'string' }],
    [
      { type: 'string', pattern: '^\\d{4}$', description: 'year' },
      { type: 'string', description: 'year' },
    ],
    [
      { type: 'integer', minimum: 1, maximum: 200, description: 'blocks' },
      { type: 'integer', description: 'blocks; 1 to 200' },
    ],
    [{ type: 'integer', minimum: 1 }, { type: 'integer' }],
    [
      { type: 'number', minimum: 50 },
      { type: 'number', description: 'at least 50' },
    ],
    [{ enum: ['x', 'y'] }, { type: 'string', enum: ['x', 'y'] }],
    [{ enum: ['x', ''] }, { type: 'string', description: 'one of "x", ""' }],
    [{ enum: [1, 2] }, { type: 'number', description: 'one of 1, 2' }],
    [{ const: 'x' }, { type: 'string', enum: ['x'] }],
    [{ type: ['string', 'null'], format: 'uri', default: 'x' }, { type: 'string' }],
    [
      { type: 'array', minItems: 1, maxItems: 8, uniqueItems: true, items: { type: 'string', minLength: 1 } },
      { type: 'array', items: { type: 'string' }, description: 'at most 8 entries' },
    ],
    [{ type: 'array' }, { type: 'array', items: { type: 'string' } }],
    [{ type: 'object', additionalProperties: { type: 'string' } }, { type: 'object' }],
    [
      { type: 'object', properties: { b: { type: 'string', maxLength: 3 } }, required: ['b', 'c'], additionalProperties: false },
      { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] },
    ],
    [{ oneOf: [{ type: 'string', format: 'date' }, { type: 'null' }] }, { type: 'string' }],
    [{ anyOf: [{ type: 'string', maxLength: 9 }, { type: 'integer' }] }, { anyOf: [{ type: 'string' }, { type: 'integer' }] }],
    [{ description: 'anything' }, { description: 'anything' }],
    [{ $ref: '#/properties/a' }, {}],
  ])('%j is sent as %j', (schema, sent) => {
    expect(part(schema)).toEqual(sent);
  });

  it('has what its references lead to, and arguments even where there are none', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/x' } },
      $defs: { x: { type: 'integer', maximum: 9 } },
      required: ['a'],
    };
    expect(portableSchema(schema)).toEqual({
      type: 'object',
      properties: { a: { type: 'integer', description: 'at most 9' } },
      required: ['a'],
    });
    expect(portableSchema({})).toEqual({ type: 'object', properties: {}, required: [] });
    expect(portableSchema(schema)).toBe(portableSchema(schema));
  });

  it('ends where schemas stand in each other without end', () => {
    const tree = { type: 'object', properties: { a: { $ref: '#' } } };
    expect(JSON.stringify(portableSchema(tree)).length).toBeLessThan(1000);
  });
});
