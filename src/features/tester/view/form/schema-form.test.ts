import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../../../tools/contract/messages.ts';
import { validateArguments } from '../../../../tools/executor/validate-arguments.ts';
import { schemaOf } from '../../../../tools/util/schema.ts';
import { checkDraft, draftFromText, draftOf, fieldKind, fieldText, fieldValue, withField, withItem } from './schema-form.ts';

const SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    depth: { type: 'integer', minimum: 1 },
    share: { type: 'number' },
    deep: { type: 'boolean' },
    op: { enum: ['read', 'append'] },
    edits: { type: 'array', items: { type: 'object', properties: { old: { type: 'string' } }, required: ['old'] } },
    free: { type: 'object' },
    either: { type: ['string', 'integer'] },
  },
  required: ['id'],
  additionalProperties: false,
};

describe('a form made of a schema', () => {
  it('has a field for each type', () => {
    const kinds = Object.keys(schemaOf(SCHEMA, 'properties') ?? {}).map((name) => [name, fieldKind(schemaOf(SCHEMA, 'properties', name))]);
    expect(Object.fromEntries(kinds)).toEqual({
      ...{ id: 'text', depth: 'number', share: 'number', deep: 'boolean', op: 'choice' },
      ...{ edits: 'list', free: 'json', either: 'text' },
    });
  });

  it('reads what is typed as the executor does, and leaves mistakes for the check to report', () => {
    const typed = (name: string, text: string): unknown => fieldValue(text, schemaOf(SCHEMA, 'properties', name));
    expect([typed('depth', '3'), typed('depth', 'x'), typed('id', '3'), typed('deep', 'true'), typed('id', '')]).toEqual([
      ...[3, 'x', '3', true, undefined],
    ]);
    expect(typed('free', '{"a": [1]}')).toEqual({ a: [1] });
    const checked = checkDraft(draftOf({ depth: 'x', other: 1 }), SCHEMA)?.checked.map(({ key, status }) => [key, status]);
    expect(Object.fromEntries(checked ?? [])).toEqual({ depth: 'typeError', other: 'unknown', id: 'missing' });
  });

  it('stays in step with its JSON, and text that is not JSON changes nothing', () => {
    let draft = draftOf(withField({ id: 'a' }, 'depth', 2));
    expect(JSON.parse(draft.text)).toEqual({ id: 'a', depth: 2 });
    draft = draftFromText('{"edits": [{"old": "x"}], id: \'b\',}', draft);
    expect(draft).toMatchObject({ args: { id: 'b', edits: [{ old: 'x' }] } });
    const broken = draftFromText('{"id": "c', draft);
    expect([broken.args, broken.problem?.code]).toEqual([draft.args, 'arguments_cut']);
    expect(withField(draft.args, 'id', undefined)).toEqual({ edits: [{ old: 'x' }] });
    expect(withItem(['a', 'b'], 1, undefined)).toEqual(['a', '']);
  });

  it('property: the fields show any value that fits the schema, and give it back unchanged', () => {
    const args = fc.record(
      {
        id: fc.string({ minLength: 1 }),
        depth: fc.integer({ min: 1 }),
        share: fc.integer({ min: -5000, max: 5000 }).map((value) => value / 8 + 0),
        deep: fc.boolean(),
        either: fc.string({ minLength: 1 }),
        free: fc.dictionary(fc.constantFrom('a', 'b'), fc.oneof(fc.integer(), fc.string(), fc.boolean())),
      },
      { requiredKeys: ['id'] },
    );
    fc.assert(
      fc.property(args, (given) => {
        validateArguments('any', given, SCHEMA);
        const read = Object.entries(given).map(([name, value]) => [
          name,
          fieldValue(fieldText(value), schemaOf(SCHEMA, 'properties', name)),
        ]);
        expect(Object.fromEntries(read)).toEqual(given);
        expect(draftFromText(draftOf(given).text, draftOf({})).args).toEqual(given);
      }),
    );
  });
});
