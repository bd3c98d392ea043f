import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CompletionRequest, JsonSchema, ToolDefinition } from '../tools/contract/messages.ts';
import { coerceArguments } from '../tools/executor/arguments.ts';
import { PROTOCOLS } from './protocols.ts';
import { streamed } from './testing/cuts.ts';
import { TextAnswer } from './text-complete.ts';
import { textRequest } from './text-request.ts';
import { VCP } from './vcp/vcp.ts';

const PROPERTIES: Readonly<Record<string, JsonSchema>> = {
  text: { type: 'string' },
  count: { type: 'integer' },
  ratio: { type: 'number' },
  flag: { type: 'boolean' },
  list: { type: 'array', items: { type: ['integer', 'null'] } },
  object: { type: 'object' },
  textOrNull: { type: ['string', 'null'] },
  countOrNull: { type: ['integer', 'null'] },
  textOrNumber: { type: ['string', 'number'] },
  textOrList: { type: ['array', 'string'], items: { type: 'string' } },
  choice: { enum: ['auto', 'null', '1', 2, null] },
  any: { description: 'anything' },
  either: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
};

const toolOf = (parameters: JsonSchema): ToolDefinition => ({ type: 'function', function: { name: 'put', description: '', parameters } });
const TOOL = toolOf({ type: 'object', properties: PROPERTIES, additionalProperties: false });

/** What the model reads of its call in the next request, read again as if it had written it. */
function roundTrip(protocol: (typeof PROTOCOLS)[number], args: object, tool = TOOL): readonly unknown[] {
  const call = { id: 'c1', type: 'function' as const, function: { name: 'put', arguments: JSON.stringify(args) } };
  const request: CompletionRequest = { messages: [{ role: 'assistant', content: '', tool_calls: [call] }], tools: [tool] };
  const written = textRequest(request, protocol, []).messages.find(({ role }) => role === 'assistant')?.content ?? '';
  let deltas = '';
  const answer = new TextAnswer({
    ...{ protocol, tools: [tool], newCallId: () => 'c2' },
    onDelta: (delta) => {
      if (delta.type === 'toolCallArgs') deltas += delta.argumentsDelta;
    },
  });
  answer.take(written);
  answer.end();
  const { tool_calls } = answer.resultOf({ tool_calls: [], finishReason: 'stop' });
  expect(tool_calls.map(({ invalid }) => invalid)).toEqual([undefined]);
  return [JSON.parse(tool_calls[0]?.function.arguments ?? ''), ...(protocol === VCP ? [JSON.parse(deltas)] : [])];
}

const TEXTS = fc.oneof(
  fc.constantFrom('null', '5', '-1.5', '1.0', '007', 'true', '"5"', '"', '[]', '{"a":1}', ' 5 ', '', '20240131120000123456', '1e3', 'nul'),
  fc.string().map((text) => text.replaceAll('\r', '')),
);
const TEXT_LISTS = fc.array(TEXTS, { maxLength: 2 });
const NUMBERS = fc.constantFrom(0, 5, -1.5, 1e21, 20240131120000);
const COUNTS = fc.constantFrom(0, 5, -7);
const OBJECTS = fc.dictionary(TEXTS, fc.oneof(TEXTS, NUMBERS, fc.constant(null)), { maxKeys: 2, noNullPrototype: true });
const NULL = fc.constant(null);
/** What a call may hold; null says "not given" to any tool. */
const VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  text: fc.oneof(TEXTS, NULL),
  count: fc.oneof(COUNTS, NULL),
  ratio: NUMBERS,
  flag: fc.oneof(fc.boolean(), NULL),
  list: fc.array(fc.oneof(COUNTS, NULL), { maxLength: 3 }),
  object: OBJECTS,
  textOrNull: fc.oneof(TEXTS, NULL),
  countOrNull: fc.oneof(COUNTS, NULL),
  textOrNumber: fc.oneof(TEXTS, NUMBERS),
  textOrList: fc.oneof(TEXTS, TEXT_LISTS),
  choice: fc.constantFrom('auto', 'null', '1', 2, null),
  any: fc.oneof(TEXTS, NUMBERS, NULL, TEXT_LISTS, OBJECTS, fc.boolean()),
  either: fc.oneof(TEXTS, COUNTS, NULL),
};

describe.each(PROTOCOLS)('the arguments of an earlier call in $id', (protocol) => {
  it.each(Object.keys(PROPERTIES))('are read as they were: %s', (key) => {
    fc.assert(
      fc.property(VALUES[key] ?? TEXTS, (value) => {
        const native = coerceArguments({ [key]: value }, TOOL.function.parameters);
        for (const read of roundTrip(protocol, { [key]: value }))
          expect(coerceArguments(read as object as never, TOOL.function.parameters)).toEqual(native);
      }),
      { numRuns: 150 },
    );
  });

  it('are read as they were where the schema has no such name', () => {
    for (const others of [undefined, true, { type: ['string', 'integer'] }]) {
      const schema = { type: 'object', properties: {}, ...(others === undefined ? {} : { additionalProperties: others }) };
      const args = { a: 5, b: '5', c: 'x' };
      for (const read of roundTrip(protocol, args, toolOf(schema))) expect(read).toEqual(args);
    }
  });
});

it('what a model writes for “nothing” is nothing where a text cannot be meant', () => {
  const block = '<<<[TOOL_REQUEST]>>>\ntool_name:「始」put「末」\ncount:「始」null「末」\ntext:「始」null「末」\n<<<[END_TOOL_REQUEST]>>>';
  const answer = new TextAnswer({ protocol: VCP, tools: [TOOL], newCallId: () => 'c', onDelta: () => undefined });
  answer.take(block);
  answer.end();
  expect(answer.resultOf({ tool_calls: [], finishReason: 'stop' }).tool_calls[0]?.function.arguments).toBe('{"text":"null"}');
  expect(streamed(VCP, [block]).at(-1)).toMatchObject({ request: { isText: true } });
});
