import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computerGroups } from '../../scripts/tools-doc-computer.ts';
import type { JsonSchema } from '../tools/contract/messages.ts';
import { openNotes } from '../tools/testing/open-notes.ts';
import { escapeMarkers } from '../tools/util/markers.ts';
import { type SchemaNode, schemaOf, schemaTypes } from '../tools/util/schema.ts';
import { checkArguments } from './check-arguments.ts';
import type { ToolDefinitionInput, ToolExecutionResult } from './contract.ts';
import { PROTOCOLS } from './protocols.ts';
import { TAGGED_JSON } from './tagged-json.ts';
import { VCP } from './vcp/vcp.ts';

const DEFINITIONS = [
  ...openNotes({ meaningServer: 'https://meaning.example/v1' }).executor.getEnabledToolDefinitions(),
  ...computerGroups.flatMap(({ tools }) => tools.map(({ definition }) => definition)),
];

const MARKERS = [
  ...['<<<[TOOL_REQUEST]>>>', '<<<[END_TOOL_REQUEST]>>>', '<<<[TOOL_RESULT]>>>', '<<<[END_TOOL_RESULT]>>>', '<<<[END_TOOL_DEFINITION]>>>'],
  ...[
    '<<\\<[TOOL_REQUEST]>>>',
    '「始」',
    '「末」',
    '「始ESCAPE」',
    '「末ESCAPE」',
    '「末escape」',
    '「\\末」',
    '「\\\\末ESCAPE」',
    'a:「始」b「末」',
    '「',
    '\\',
  ],
  ...[
    '<tool_call>',
    '</tool_call>',
    '<tool_response>',
    '</tool_response>',
    '</tools>',
    '{"name": "x"}',
    '"',
    '```tool_call\n',
    '```',
    '<think>',
    '\n',
  ],
];

/** Texts that hold markers. Line ends are LF: reading makes every one so. */
const text = fc
  .array(fc.oneof(fc.constantFrom(...MARKERS), fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 5 })
  .map((parts) => parts.join('').replaceAll('\r', ''));

/** A value that the schema allows, but for lengths and patterns, which no protocol looks at. */
function arbitraryOf(node: SchemaNode): fc.Arbitrary<unknown> {
  if (Array.isArray(node?.enum)) return fc.constantFrom(...node.enum);
  const [type] = schemaTypes(node);
  if (type === 'array') return fc.array(arbitraryOf(schemaOf(node, 'items')), { maxLength: 3 });
  if (type === 'object') return objectOf(node ?? {});
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.integer();
  if (type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
  return text;
}

function objectOf(schema: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const properties = schemaOf(schema, 'properties');
  if (properties === undefined) return fc.dictionary(fc.oneof(text, fc.constant('__proto__')), text, { maxKeys: 3 });
  const values = Object.fromEntries(Object.keys(properties).map((key) => [key, arbitraryOf(schemaOf(schema, 'properties', key))]));
  const { required } = schema;
  return fc.record(values, { requiredKeys: Array.isArray(required) ? required.filter((key) => typeof key === 'string') : [] });
}

describe.each(PROTOCOLS)('a call written and read as $id', (protocol) => {
  it('reaches the tool with its arguments unchanged, for every tool', () => {
    expect(DEFINITIONS.length).toBeGreaterThan(40);
    for (const { function: tool } of DEFINITIONS) {
      fc.assert(
        fc.property(objectOf(tool.parameters), (args) => {
          const [request, ...others] = protocol.parseToolRequests(
            protocol.formatToolRequest({ toolName: tool.name, args, requestId: 'r 1' }),
          );
          expect(others).toEqual([]);
          expect(request).toMatchObject({ toolName: tool.name, requestId: 'r 1', warnings: [] });
          expect(request?.invalid).toBeUndefined();
          const native = checkArguments(args, tool.parameters).coerced;
          expect(checkArguments(request?.args ?? {}, tool.parameters).coerced).toEqual(native);
        }),
        { numRuns: 40 },
      );
    }
  });
});

const results: fc.Arbitrary<readonly ToolExecutionResult[]> = fc.array(
  fc.record({
    requestId: fc.constantFrom('a', 'b'),
    toolName: fc.constant('read_doc'),
    status: fc.constantFrom('success', 'error'),
    result: text,
    durationMs: fc.nat(),
  }),
  { maxLength: 3 },
);

const tools: fc.Arbitrary<readonly ToolDefinitionInput[]> = fc
  .record({ description: text, title: text, choice: text, key: text })
  .map((words) => {
    const parameters = {
      type: 'object',
      properties: { op: { enum: [words.choice] }, [words.key]: { type: 'string', description: words.description } },
      required: ['op'],
    };
    const definition = { type: 'function' as const, function: { name: 'read_doc', description: words.description, parameters } };
    return [{ toolId: 'notes', toolName: 'Notes', methods: [{ definition, title: words.title }, { definition }] }];
  });

const renamed = (value: string): string => value.replaceAll(/\[(END_)?TOOL_(?:RESULT|DEFINITION)\]/gu, '[$1TOOL_REQUEST]');

/** The fields of each block, read as the request that it would be with other markers around it. */
function vcpFields(blocks: string): readonly Readonly<Record<string, unknown>>[] {
  return VCP.parseToolRequests(renamed(blocks)).map(({ args, invalid }) => {
    expect(invalid).toBeUndefined();
    return args;
  });
}

/** What stands in each line of JSON. */
const jsonLines = (lines: string): readonly unknown[] =>
  lines.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
const MARKUP = /<\/?tool/gu;

describe('whatever results and definitions hold', () => {
  it('stays inside its VCP field', () => {
    fc.assert(
      fc.property(results, tools, (given, input) => {
        expect(vcpFields(VCP.formatToolResults(given)).map(({ result, status }) => ({ result, status }))).toEqual(
          given.map(({ result, status }) => ({ result: renamed(result), status })),
        );
        // Of the first request, which shows how to call, nothing is asked.
        const [, first, second, ...others] = vcpFields(VCP.generateToolDefinitions(input));
        const methods = input.flatMap((tool) => tool.methods);
        expect([first?.description, second?.description]).toEqual(
          methods.map(({ definition }) => renamed(definition.function.description)),
        );
        expect([first?.title, second?.title, others]).toEqual([renamed(methods[0]?.title ?? ''), undefined, []]);
      }),
    );
  });

  it('stays inside its JSON, which contains no literal tag', () => {
    fc.assert(
      fc.property(results, tools, (given, input) => {
        const written = TAGGED_JSON.formatToolResults(given);
        expect(jsonLines(written)).toMatchObject(
          given.map(({ result, requestId, status }) => ({ content: result, id: requestId, status })),
        );
        expect(written.match(MARKUP)?.length ?? 0).toBe(given.length * 2);
        const prompt = TAGGED_JSON.generateToolDefinitions(input);
        expect(jsonLines(prompt).slice(1)).toEqual(input.flatMap(({ methods }) => methods.map(({ definition }) => definition)));
        expect(prompt.slice(prompt.indexOf('<tools>')).match(MARKUP)).toHaveLength(2);
      }),
    );
  });
});

describe('a request in a note', () => {
  const requests = PROTOCOLS.map((protocol) => protocol.formatToolRequest({ toolName: 'write', args: { text: 'x' } }));

  it.each([...requests, '```tool_call\n{"name": "write", "arguments": {}}\n```'])(
    'is not run when a model repeats it word for word: %s',
    (request) => {
      expect(PROTOCOLS.flatMap((protocol) => protocol.parseToolRequests(request))).toHaveLength(1);
      expect(PROTOCOLS.flatMap((protocol) => protocol.parseToolRequests(escapeMarkers(request)))).toEqual([]);
    },
  );
});

it('without tools, nothing is added', () => {
  for (const protocol of PROTOCOLS) expect(protocol.generateToolDefinitions([])).toBe('');
});
