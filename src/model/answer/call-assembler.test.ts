import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCount } from '../../../tests/support/property-runs.ts';
import type { ToolCall } from '../../tools/contract/messages.ts';
import { CallAssembler } from './call-assembler.ts';

interface Taken {
  readonly pieces: readonly unknown[];
  readonly isWhole?: boolean;
}

function assemble(chunks: readonly Taken[], isCut = false): readonly ToolCall[] {
  let made = 0;
  const calls = new CallAssembler({ onDelta: () => undefined, newCallId: () => `fresh${++made}abcd`, usedCallIds: new Set() });
  for (const { pieces, isWhole = false } of chunks) calls.take(pieces, isWhole);
  return calls.toolCalls(isCut, undefined);
}
const streamed = (...pieces: readonly unknown[]): readonly Taken[] => pieces.map((piece) => ({ pieces: [piece] }));
const shown = (calls: readonly ToolCall[]) => calls.map(({ function: { name, arguments: args } }) => [name, args]);

const fn = (name?: string, args?: unknown) => ({
  function: { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) },
});
const ID = 'call_tea-0001';
const WHOLE = '{"query":"green tea"}';
const [A, B, C] = ['{"que', 'ry":"green', ' tea"}'];

describe('one call', () => {
  it.each<[string, readonly Taken[]]>([
    ['in pieces', streamed({ index: 0, id: ID, ...fn('search', A) }, { index: 0, ...fn(undefined, B) }, { index: 0, ...fn(undefined, C) })],
    [
      'in pieces that hold all so far',
      streamed(
        { index: 0, id: ID, ...fn('search', A) },
        { index: 0, id: ID, ...fn('search', A + B) },
        { index: 0, ...fn(undefined, WHOLE) },
      ),
    ],
    [
      'in pieces that hold all so far, without id and index',
      streamed(fn('search', ''), fn('search', A), fn('search', A + B), fn('search', WHOLE), fn('search', WHOLE)),
    ],
    [
      'as objects that grow',
      streamed({ index: 0, id: ID, ...fn('search', {}) }, { index: 0, id: ID, ...fn('search', { query: 'green tea' }) }),
    ],
    [
      'with an empty object first',
      streamed({ index: 0, id: ID, ...fn('search', '{}') }, { index: 0, ...fn(undefined, A) }, { index: 0, ...fn(undefined, B + C) }),
    ],
    ['with an empty object first, by its name', streamed(fn('search', '{}'), fn('search', WHOLE))],
    [
      'under a new index each',
      streamed({ index: 0, id: ID, ...fn('search', '') }, { index: 1, ...fn(undefined, A) }, { index: 2, ...fn('', B + C) }),
    ],
    [
      'under a new id each',
      streamed(
        { index: 0, id: ID, ...fn('search', A) },
        { index: 0, id: 'other-0001', ...fn('search', B) },
        { index: 0, id: 'other-0002', ...fn(undefined, C) },
      ),
    ],
    [
      'under a new index and id each',
      streamed(
        { index: 0, id: ID, ...fn('search', A) },
        { index: 1, id: 'other-0001', ...fn('search', B) },
        { index: 2, id: 'other-0002', ...fn(undefined, C) },
      ),
    ],
    [
      'under its id and new indexes',
      streamed(
        { index: 0, id: ID, ...fn('search', A) },
        { index: 1, id: ID, ...fn('search', B) },
        { index: 2, id: ID, ...fn(undefined, C) },
      ),
    ],
    [
      'with its name in pieces',
      streamed({ index: 0, id: ID, ...fn('sea', '') }, { index: 0, ...fn('rch', '') }, { index: 0, ...fn(undefined, WHOLE) }),
    ],
    [
      'with more and more of its name',
      streamed({ index: 0, id: ID, ...fn('sea', '') }, { index: 0, id: ID, ...fn('search', '') }, { index: 0, ...fn('', WHOLE) }),
    ],
    [
      'with the name of a namespace',
      streamed({ index: 0, id: ID, ...fn('functions.search', A) }, { index: 0, id: ID, ...fn('search', B + C) }),
    ],
    [
      'and all again in its last piece',
      streamed(
        { index: 0, id: ID, ...fn('search', A) },
        { index: 0, ...fn(undefined, B + C) },
        { index: 0, id: ID, ...fn('search', WHOLE) },
      ),
    ],
    [
      'and all again under another id',
      streamed({ index: 0, id: ID, ...fn('search', WHOLE) }, { index: 1, id: 'other-0001', ...fn('search', '{ "query": "green tea" }') }),
    ],
    ['and all again, without a name', streamed({ index: 0, id: ID, ...fn('search', WHOLE) }, fn(undefined, WHOLE), fn(undefined, WHOLE))],
    [
      'and again in a closing message',
      [
        ...streamed({ index: 0, id: ID, ...fn('search', A) }, { index: 0, ...fn(undefined, B + C) }),
        { pieces: [{ ...fn('search', WHOLE) }], isWhole: true },
      ],
    ],
    ['beside a call of nothing', streamed({ index: 0, id: ID, ...fn('search', WHOLE) }, { index: 1, id: 'other-0001', ...fn('', '') })],
    ['as text of an index', streamed({ index: '0', id: ID, ...fn('search', A) }, { index: '0', ...fn(undefined, B + C) })],
    ['without a function around it', streamed({ index: 0, id: ID, name: 'search', arguments: A }, { index: 0, arguments: B + C })],
  ])('%s', (_how, chunks) => {
    expect(shown(assemble(chunks)).map(([name, args]) => [name, JSON.parse(args ?? '')])).toEqual([['search', { query: 'green tea' }]]);
  });

  it.each([
    'functions.search',
    'default_api:search',
    'functions.search:0',
    'search<|channel|>commentary',
    ' search ',
    'tools/search',
    'a.b.search',
  ])('has the name without what is around it: %s', (name) => {
    expect(shown(assemble(streamed({ index: 0, id: ID, ...fn(name, WHOLE) })))).toEqual([['search', WHOLE]]);
  });

  it('stays cut where it broke off', () => {
    expect(shown(assemble(streamed({ index: 0, id: ID, ...fn('search', A) }, { index: 0, ...fn(undefined, A + B) }), true))).toEqual([
      ['search', A + B],
    ]);
    for (const begin of ['', '{}']) {
      const [call] = assemble(streamed({ index: 0, id: ID, ...fn('search', begin) }), true);
      expect(call?.invalid).toMatch(/broke off/);
    }
    expect(assemble(streamed({ index: 0, id: ID, ...fn('list', '') }))[0]?.invalid).toBeUndefined();
  });

  it('keeps what its server put beside it', () => {
    const fields = { provider_specific_fields: { thought_signature: 'AbC=' } };
    expect(assemble(streamed({ index: 0, id: ID, ...fn('search', WHOLE), ...fields }))[0]?.extra_fields).toEqual({ call: fields });
  });
});

describe('several calls', () => {
  it.each<[string, readonly Taken[]]>([
    [
      'under new indexes and ids',
      streamed({ index: 0, id: ID, ...fn('a', '{"x":1}') }, { index: 1, id: 'other-0001', ...fn('a', '{"x":2}') }),
    ],
    ['under one index', streamed({ index: 0, ...fn('a', '{"x":1}') }, { index: 0, ...fn('a', '{"x":2}') })],
    ['under one id', streamed({ id: ID, ...fn('a', '{"x":1}') }, { id: ID, ...fn('a', '{"x":2}') })],
    [
      'whose pieces come under the next index',
      streamed(
        { index: 0, id: ID, ...fn('a', '') },
        { index: 1, ...fn(undefined, '{"x":1}') },
        { index: 2, id: 'other-0001', ...fn('a', '') },
        { index: 3, ...fn(undefined, '{"x":2}') },
      ),
    ],
    [
      'and both again in a closing message',
      [
        ...streamed({ index: 0, id: ID, ...fn('a', '{"x":1}') }, { index: 1, id: 'other-0001', ...fn('a', '{"x":2}') }),
        {
          pieces: [
            { id: ID, ...fn('a', '{"x":1}') },
            { id: 'other-0001', ...fn('a', '{"x":2}') },
          ],
          isWhole: true,
        },
      ],
    ],
  ])('stay several %s', (_how, chunks) => {
    const calls = assemble(chunks);
    expect(shown(calls)).toEqual([
      ['a', '{"x":1}'],
      ['a', '{"x":2}'],
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });
});

describe('however one call is cut and repeated', () => {
  const value = fc.oneof(fc.string(), fc.integer(), fc.constantFrom('}', '{"a":1}', '\\"', '笔记 😀'));
  const cases = fc.record({
    args: fc.dictionary(fc.constantFrom('query', 'limit', 'text'), value, { minKeys: 1 }),
    cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
    repeats: fc.boolean(),
    opens: fc.constantFrom('', '{}'),
    named: fc.boolean(),
    places: fc.constantFrom<'same' | 'none' | 'new' | 'id'>('same', 'none', 'new', 'id'),
    closing: fc.constantFrom<'no' | 'piece' | 'message'>('no', 'piece', 'message'),
  });

  it('one call comes of it', () => {
    const check = fc.property(cases, ({ args, cuts, repeats, opens, named, places, closing }) => {
      const whole = JSON.stringify(args);
      const ends = [...cuts.map((cut) => 1 + Math.floor(cut * (whole.length - 1))).sort((one, other) => one - other), whole.length];
      const fragments = ends.map((end, at) => whole.slice(repeats ? 0 : (ends[at - 1] ?? 0), end));
      // A name with every piece, and nothing that says which call it is of, is one call where the pieces hold all so far, or go on.
      const name = named && (places === 'same' || places === 'id') ? 'search' : undefined;
      const where = (at: number) => ({
        ...(places === 'same' && { index: 0, id: ID }),
        ...(places === 'new' && { index: at }),
        ...(places === 'id' && { id: ID }),
      });
      const pieces = fragments.map((fragment, at) => ({ ...where(at + 1), ...fn(name, fragment) }));
      const chunks = streamed({ index: places === 'none' ? undefined : 0, id: ID, ...fn('search', opens) }, ...pieces);
      const last: readonly Taken[] =
        closing === 'no'
          ? []
          : [
              {
                pieces: [{ id: ID, ...(closing === 'piece' ? { index: 0 } : {}), ...fn('search', whole) }],
                isWhole: closing === 'message',
              },
            ];
      const calls = assemble([...chunks, ...last]);
      expect(shown(calls).map(([called, sent]) => [called, JSON.parse(sent ?? '')])).toEqual([['search', args]]);
    });
    fc.assert(check, { numRuns: runCount(300, 20_000) });
  });

  it('and a cut one is never completed', () => {
    const check = fc.property(cases, fc.double({ min: 0, max: 1, noNaN: true }), ({ args, repeats }, cut) => {
      const whole = JSON.stringify(args);
      const end = Math.max(1, Math.floor(cut * (whole.length - 1)));
      const half = Math.floor(end / 2);
      const pieces = [whole.slice(0, half), whole.slice(repeats ? 0 : half, end)].map((fragment) => ({
        index: 0,
        id: ID,
        ...fn('search', fragment),
      }));
      const [call] = assemble(streamed(...pieces), true);
      expect(call?.invalid ?? call?.function.arguments).not.toBe(whole);
      expect(() => JSON.parse(call?.invalid ?? call?.function.arguments ?? '')).toThrow();
    });
    fc.assert(check, { numRuns: runCount(200, 10_000) });
  });
});
