import { describe, expect, it } from 'vitest';
import { contentOf, problemOf } from '../../tools/connections/server-form.ts';
import type { ServerForm } from '../../tools/contract/types.ts';
import { readServerForm } from './read-form.ts';

const FROM = { server: 'shop', destination: 'https://shop.example/mcp' };
const formOf = (properties: object, required: readonly string[] = []) =>
  readServerForm(FROM, { message: 'Who are you?', requestedSchema: { type: 'object', properties, required } });
const shown = (properties: object, required: readonly string[] = []): ServerForm => {
  const form = formOf(properties, required);
  if (typeof form === 'string') throw new Error(form);
  return form;
};

describe('a form of a server', () => {
  it('has fields by its schema, with what it proposes where that can be sent', () => {
    const form = shown(
      {
        name: { type: 'string', title: 'Name', description: 'Yours', minLength: 2, default: 'Anna' },
        mail: { type: 'string', format: 'email', default: 'nobody' },
        age: { type: 'integer', minimum: 18, default: 17.5 },
        news: { type: 'boolean', default: true },
        size: { type: 'string', enum: ['s', 'm'], enumNames: ['Small', 'Medium'], default: 'm' },
        colour: { type: 'string', oneOf: [{ const: '#f00', title: 'Red' }], default: '#0f0' },
        extras: { type: 'array', items: { enum: ['bag', 'cup'] }, default: ['cup'], maxItems: 1 },
        gifts: { type: 'array', items: { anyOf: [{ const: 'b', title: 'Book' }] } },
      },
      ['name'],
    );
    expect(form).toMatchObject({ ...FROM, message: 'Who are you?' });
    expect(form.fields.map(({ name, kind, initial, required }) => [name, kind, initial, required])).toEqual([
      ['name', 'text', 'Anna', true],
      ['mail', 'text', undefined, false],
      ['age', 'integer', undefined, false],
      ['news', 'boolean', true, false],
      ['size', 'one', 'm', false],
      ['colour', 'one', undefined, false],
      ['extras', 'many', ['cup'], false],
      ['gifts', 'many', undefined, false],
    ]);
    expect(form.fields.find(({ name }) => name === 'size')?.choices).toEqual([
      { value: 's', label: 'Small' },
      { value: 'm', label: 'Medium' },
    ]);
  });

  it.each([
    ['userPassword', {}],
    ['value', { title: 'API key' }],
    ['value', { description: 'Paste your access token' }],
    ['pin', {}],
    ['github_token', {}],
    ['x', { title: '请输入密码' }],
    ['x', { title: '驗證碼' }],
    ['cardNumber', {}],
  ])('is refused where it asks for a secret: %s %j', (name, schema) => {
    expect(formOf({ fine: { type: 'string' }, [name]: { type: 'string', ...schema } })).toMatch(/asked for a secret/);
  });

  it.each([
    ['tokens', { type: 'integer' }],
    ['pinned', { type: 'boolean', title: 'Keep the PIN pad' }],
    ['passenger', { type: 'string' }],
    ['keyword', { type: 'string', description: 'A key word of the note' }],
  ])('is shown where a word only looks like one: %s', (name, schema) => {
    expect(formOf({ [name]: schema })).toMatchObject({ fields: [{ name }] });
  });

  it('has its words on one line, cut, and without our markers', () => {
    const form = readServerForm(FROM, {
      message: `a\u202eb\n<untrusted-data tool="x">${'x'.repeat(5000)}`,
      requestedSchema: { type: 'object', properties: { one: { type: 'string', enum: ['a\nb'], title: 'T\n$VAR_REF{{x}}' } } },
    });
    if (typeof form === 'string') throw new Error(form);
    expect(form.message).not.toMatch(/\n|\u202e|<untrusted/);
    expect(form.message.length).toBeLessThan(1100);
    expect(form.fields[0]).toMatchObject({ title: 'T \\$VAR_REF{{x}}', choices: [{ value: 'a\nb', label: 'a b' }] });
  });

  it.each([
    [{ nested: { type: 'object', properties: {} } }],
    [{ list: { type: 'array', items: { type: 'string' } } }],
    [{ ['x'.repeat(2000)]: { type: 'string' } }],
    [Object.fromEntries(Array.from({ length: 41 }, (_none, at) => [`f${at}`, { type: 'boolean' }]))],
  ])('is refused where it cannot be shown', (properties) => {
    expect(formOf(properties)).toMatch(/cannot be shown/);
  });

  it.each([
    ['https://shop.example/pay?id=1', true],
    ['http://127.0.0.1:8080/x', true],
    ['http://shop.example/pay', false],
    ['javascript:alert(1)', false],
    ['https://user:word@shop.example/', false],
    ['no address', false],
  ])('leads to a page only where that is safe: %s', (url, safe) => {
    const form = readServerForm(FROM, { mode: 'url', message: 'Pay', elicitationId: '1', url });
    expect(typeof form !== 'string').toBe(safe);
    if (safe) expect(form).toMatchObject({ address: url, fields: [] });
  });
});

describe('what a person entered', () => {
  const form = shown(
    {
      text: { type: 'string', minLength: 2, maxLength: 3 },
      mail: { type: 'string', format: 'email' },
      site: { type: 'string', format: 'uri' },
      day: { type: 'string', format: 'date' },
      at: { type: 'string', format: 'date-time' },
      number: { type: 'number', minimum: 1, maximum: 2 },
      whole: { type: 'integer' },
      one: { type: 'string', enum: ['a'] },
      many: { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 2, maxItems: 2 },
      yes: { type: 'boolean' },
    },
    ['many'],
  );
  const field = (name: string) => form.fields.find((each) => each.name === name)!;

  it.each([
    ['text', 'a', 'least'],
    ['text', 'abcd', 'most'],
    ['text', '\u{1F600}\u{1F600}\u{1F600}', null],
    ['text', '', null],
    ['mail', 'nobody', 'format'],
    ['mail', 'a@b', null],
    ['site', 'no site', 'format'],
    ['site', 'https://a.example', null],
    ['day', '2026-02-30', 'format'],
    ['day', '2026-02-28', null],
    ['at', '2026-02-28', 'format'],
    ['at', '2026-02-28T10:00:00+02:00', null],
    ['at', '2026-02-30T10:00:00Z', 'format'],
    ['number', 0, 'least'],
    ['number', 3, 'most'],
    ['number', Number.NaN, 'number'],
    ['number', 1.5, null],
    ['whole', 1.5, 'integer'],
    ['one', 'b', 'choice'],
    ['many', ['a'], 'least'],
    ['many', ['a', 'b', 'c'], 'most'],
    ['many', ['a', 'z'], 'choice'],
    ['many', undefined, 'required'],
    ['yes', 'yes', 'choice'],
    ['yes', false, null],
  ] as const)('%s: %j is %s', (name, value, problem) => {
    expect(problemOf(field(name), Array.isArray(value) ? [...value] : (value as string))).toBe(problem);
  });

  it('is sent as the fields of the form alone, without those left empty', () => {
    expect(contentOf(form, { many: ['a', 'b'], text: '', yes: false, other: 'x', whole: 3 })).toEqual({
      many: ['a', 'b'],
      yes: false,
      whole: 3,
    });
    expect(contentOf(form, { many: ['a'] })).toBeNull();
    expect(contentOf(form, {})).toBeNull();
  });
});
