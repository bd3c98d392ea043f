import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testClock } from '../testing/support.ts';
import { MAX_RESOLVED_CHARACTERS, resolveReferences } from './references.ts';
import { VariableSystem } from './variables.ts';

function system(values: Record<string, string>): VariableSystem {
  const variables = new VariableSystem({ clock: testClock() });
  for (const [name, value] of Object.entries(values)) variables.addVariable(name, value, 'ToolCallResult', { notebooks: [`nb-${name}`] });
  return variables;
}

const resolve = (value: unknown, values: Record<string, string>, schema = {}) => resolveReferences(value, system(values), schema).value;

describe('resolveReferences', () => {
  it.each([
    ['$VAR_REF{{a}}', 'hello'],
    ['<$VAR_REF{{a:1}}>', '<ello>'],
    ['$VAR_REF{{a:1:3}} $VAR_REF{{b}}', 'ell B'],
    ['$VAR_REF{{a:9}}', ''],
    ['\\$VAR_REF{{a}}', '$VAR_REF{{a}}'],
    ['\\\\$VAR_REF{{a}}', '\\$VAR_REF{{a}}'],
    ['$VAR_REF{{a', '$VAR_REF{{a'],
    ['no $VAR {{a}}', 'no $VAR {{a}}'],
  ])('%j → %j', (text, expected) => {
    expect(resolve(text, { a: 'hello', b: 'B' })).toBe(expected);
  });

  it('goes to any depth but not into keys', () => {
    const value = { list: [{ '$VAR_REF{{a}}': '$VAR_REF{{a}}' }], number: 1, nothing: null };
    expect(resolve(value, { a: 'x' })).toEqual({ list: [{ '$VAR_REF{{a}}': 'x' }], number: 1, nothing: null });
  });

  it('never resolves what a variable holds', () => {
    expect(resolve('$VAR_REF{{a}}', { a: '$VAR_REF{{b}}', b: 'secret' })).toBe('$VAR_REF{{b}}');
  });

  it('takes names of any script', () => {
    expect(resolve('$VAR_REF{{Rule/查找/é_1-2.b}}', { 'Rule/查找/é_1-2.b': 'x' })).toBe('x');
  });

  it('splits no character', () => {
    expect(resolve('$VAR_REF{{a:0:1}}', { a: '😀b' })).toBe('😀');
    expect(resolve('$VAR_REF{{a:2:1}}', { a: '😀b' })).toBe('b');
  });

  it('names near variables for an unknown one', () => {
    expect(() => resolve('$VAR_REF{{read_doc_c1_resul}}', { read_doc_c1_result: '', other: '' })).toThrow(
      expect.objectContaining({ code: 'unknown_variable', next: 'use one of: read_doc_c1_result' }),
    );
  });

  it.each(['$VAR_REF{{a b}}', '$VAR_REF{{}}', '$VAR_REF{{a:x}}'])('refuses %j and tells the literal form', (text) => {
    expect(() => resolve(text, { a: '' })).toThrow(
      expect.objectContaining({ code: 'bad_reference', next: expect.stringContaining('\\$VAR_REF') }),
    );
  });

  it('parses a whole reference to JSON only where the schema wants no text', () => {
    const schema = { type: 'object', properties: { list: { type: 'array' }, text: { type: 'string' }, free: {} } };
    const value = { list: '$VAR_REF{{a}}', text: '$VAR_REF{{a}}', free: '$VAR_REF{{a}}' };
    expect(resolve(value, { a: '[1]' }, schema)).toEqual({ list: [1], text: '[1]', free: '[1]' });
  });

  it('tells which variables were used', () => {
    const { used } = resolveReferences('$VAR_REF{{a}}$VAR_REF{{a}}', system({ a: '', b: '' }));
    expect(used.map(({ name, notebooks }) => [name, notebooks])).toEqual([['a', ['nb-a']]]);
  });

  it('stops a bomb before it is built', () => {
    const value = Array.from({ length: 10_000 }, () => '$VAR_REF{{a}}');
    expect(() => resolve(value, { a: 'x'.repeat(MAX_RESOLVED_CHARACTERS / 2) })).toThrow(expect.objectContaining({ code: 'too_large' }));
  });

  it('leaves text without references alone', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(!JSON.stringify(value).includes('$VAR_REF'));
        expect(resolve(value, {})).toEqual(value);
      }),
    );
  });
});
