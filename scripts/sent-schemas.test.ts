import { expect, it } from 'vitest';
import { createCustomScriptGroups } from '../src/features/computer/script/custom-scripts.ts';
import { readManifest } from '../src/features/computer/script/script-manifest.ts';
import type { JsonSchema } from '../src/tools/contract/messages.ts';
import { HeadlessApprovalAdapter, toolExecutorFactory } from '../src/tools/index.ts';
import { openNotes } from '../src/tools/testing/open-notes.ts';
import { callOptions, testClock } from '../src/tools/testing/support.ts';
import { computerGroups } from './tools-doc-computer.ts';

const KEYWORDS = ['type', 'description', 'properties', 'required', 'items', 'enum', 'anyOf'];
const TYPES = ['string', 'integer', 'number', 'boolean', 'object', 'array'];

/** Everything that a person may write into a manifest. */
const MANIFEST = {
  tools: [
    { name: 'bare', description: 'no parameters' },
    {
      name: 'all',
      description: 'all keywords',
      parameters: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: { day: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', format: 'date' } },
        properties: {
          text: { type: 'string', minLength: 1, maxLength: 2000, default: 'x', examples: ['y'], title: 'T' },
          day: { $ref: '#/$defs/day' },
          list: {
            type: 'array',
            minItems: 1,
            maxItems: 100_000,
            uniqueItems: true,
            items: { type: ['string', 'null'], maxLength: 65_536 },
          },
          tuple: { type: 'array', prefixItems: [{ type: 'string' }] },
          number: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.01, maximum: 1e9 },
          choice: { oneOf: [{ const: 'a' }, { const: 1 }, { type: 'null' }] },
          map: {
            type: 'object',
            additionalProperties: { type: 'string' },
            patternProperties: { '^x': {} },
            propertyNames: { pattern: '^x' },
          },
          both: { allOf: [{ type: 'object' }], not: { type: 'string' }, dependentSchemas: {} },
        },
        required: ['text'],
        dependentRequired: { day: ['text'] },
      },
    },
  ],
};

function scriptGroups() {
  const manifest = readManifest(JSON.stringify(MANIFEST));
  if ('problem' in manifest) throw new Error(manifest.problem);
  const never = () => Promise.reject(new Error('not run'));
  return createCustomScriptGroups({ list: () => [{ name: 'odd', file: 'odd.js', tools: manifest.tools }], prepare: never, run: never });
}

function problemsOf(schema: JsonSchema, path: string): string[] {
  const unknown = Object.keys(schema).filter((keyword) => !KEYWORDS.includes(keyword));
  const parts: (readonly [string, JsonSchema])[] = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const below = [...parts, ...((schema.anyOf ?? []) as JsonSchema[]).map((each, at) => [`${at}`, each] as const)];
  if (schema.items !== undefined) below.push(['[]', schema.items as JsonSchema]);
  const wrong = [
    ...unknown.map((keyword) => `${path}: ${keyword}`),
    ...(schema.type === undefined || TYPES.includes(schema.type as string) ? [] : [`${path}: type ${JSON.stringify(schema.type)}`]),
    ...(schema.type === 'array' && schema.items === undefined ? [`${path}: no items`] : []),
    ...(((schema.enum ?? ['a']) as unknown[]).every((choice) => typeof choice === 'string' && choice !== '') ? [] : [`${path}: enum`]),
    ...(schema.enum !== undefined && schema.type !== 'string' ? [`${path}: enum without type`] : []),
  ];
  return [...wrong, ...below.flatMap(([name, each]) => problemsOf(each, `${path}.${name}`))];
}

it('every tool of every group is offered with what each server takes, and nothing else', () => {
  const approvalAdapter = new HeadlessApprovalAdapter();
  const computer = toolExecutorFactory({ clock: testClock(), approvalAdapter, groups: [...computerGroups, ...scriptGroups()] });
  for (const { name } of computer.groups()) computer.toggleGroupEnabled(name, true);
  const notes = openNotes({ meaningServer: 'https://meaning.example/v1' }).executor;
  const offered = [...notes.getEnabledToolDefinitions(), ...computer.getEnabledToolDefinitions()];
  const names = offered.map((tool) => tool.function.name);
  for (const name of [
    'ask_user',
    'calculate',
    'datetime',
    'search_notes',
    'exec',
    'write_file',
    'spawn',
    'web_fetch',
    'memory',
    'ReadVar',
    'script_odd_all',
    'script_odd_bare',
  ])
    expect(names).toContain(name);
  expect(offered.flatMap((tool) => problemsOf(tool.function.parameters, tool.function.name))).toEqual([]);
  for (const { parameters } of offered.map((tool) => tool.function))
    expect(parameters).toMatchObject({ type: 'object', properties: expect.any(Object) });
});

it.each([
  [
    'ask_user',
    { question: 'x'.repeat(2001), options: ['a', 'b'] },
    'argument "question" is wrong, expected string of at most 2000 characters',
  ],
  ['calculate', { expression: '1'.repeat(2001) }, 'argument "expression" is wrong, expected string of at most 2000 characters'],
  ['calculate', { expression: '' }, 'that is not empty'],
  ['datetime', { date: '1 May' }, 'argument "date" is wrong, expected string like ^\\d{4}-\\d{2}-\\d{2}$'],
  ['todo', { op: 'add', items: Array.from({ length: 101 }, () => 'x') }, 'expected array of string'],
  ['search_notes', { query: 'x', mode: 'magic' }, 'argument "mode" is wrong, expected one of "relevance"'],
  ['search_notes', { query: 'x', wrong: 1 }, 'argument "wrong" does not exist'],
  ['read_block', { id: '20260101000000-000000a', limit: 201 }, 'argument "limit" is wrong, expected integer from 1 to 200'],
] as const)('%s still refuses what its own schema does not allow: %j', async (name, args, expected) => {
  const { executor } = openNotes({ meaningServer: 'https://meaning.example/v1' });
  const result = await executor.execute(name, args, callOptions());
  expect(JSON.stringify(result)).toContain(JSON.stringify(expected).slice(1, -1));
  expect(result).toMatchObject({ status: 'error' });
});
