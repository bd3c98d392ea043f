import { describe, expect, it, vi } from 'vitest';
import type { Tool } from '../contract/types.ts';
import { FIRST, runChecked } from '../testing/run-chain.ts';
import { answer, callOptions, scripted, testClock, testExecutor, testTool, toolCall } from '../testing/support.ts';
import { HeadlessApprovalAdapter } from './approvals.ts';
import { VariableSystem } from './variables.ts';

const boom = (): never => {
  throw new Error('boom');
};
const WRITTEN = { blockIds: ['b1'], documentId: 'd1', undoable: true };
const itself: Record<string, unknown> = { name: 'itself' };
itself.again = itself;
const withGetter = Object.defineProperty({ a: 1 }, 'b', { enumerable: true, get: boom });
const gone = Proxy.revocable([], {});
gone.revoke();

const HOOKS: [string, Partial<Tool>, unknown?][] = [
  ['formatForLLM throws', { formatForLLM: boom }],
  ['formatForLLM gives no text', { formatForLLM: () => 5 as never }],
  ['truncateForLLM throws', { truncateForLLM: boom }],
  ['truncateForLLM gives no text', { truncateForLLM: () => undefined as never }],
  ['compressArgs throws', { compressArgs: boom }],
  ['compressArgs gives no text', { compressArgs: () => ({}) as never }],
  ['compressResult throws', { compressResult: boom }],
  ['compressResult gives no text', { compressResult: () => null as never }],
  ['data that holds itself', {}, itself],
  ['a BigInt', {}, { size: 1n }],
  ['a list of BigInts', {}, [1n, 2n]],
  ['a getter that throws', {}, withGetter],
  ['a list with a getter that throws', {}, [withGetter]],
  ['toJSON that throws', {}, { toJSON: boom }],
  ['toJSON that gives nothing', {}, { toJSON: () => undefined }],
  ['a function', {}, () => 1],
  ['a symbol', {}, Symbol('s')],
  ['a proxy that is gone', {}, gone.proxy],
  ['everything at once', { formatForLLM: boom, truncateForLLM: boom, compressArgs: boom, compressResult: boom }, itself],
];

/** Throws of listeners surface as uncaught errors; caught here. */
function collectUncaught(): unknown[] {
  const thrown: unknown[] = [];
  vi.stubGlobal('queueMicrotask', (task: () => void) => {
    try {
      task();
    } catch (error) {
      thrown.push(error);
    }
  });
  return thrown;
}

describe('after a write has settled', () => {
  it.each(HOOKS)('%s: it is a success, and what was written is known', async (_name, parts, data: unknown = 'done') => {
    const tool = testTool('t', {
      effect: 'write',
      properties: { x: {} },
      ...parts,
      execute: async () => ({ status: 'success', data, written: WRITTEN }),
    });
    const { result, events } = await runChecked(testExecutor([tool]).executor, answer('', [toolCall('c1', 't', { x: 1 })]));
    const [entry] = result.toolCallHistory;
    expect(entry?.result).toMatchObject({ status: 'success', written: WRITTEN, finalText: expect.stringMatching(/./u) });
    expect(result.status).toBe('completed');
    expect(events.filter(({ type }) => type === 'write')).toHaveLength(1);
  });

  it('listeners, a variable system and an approval that throw change nothing', async () => {
    const thrown = collectUncaught();
    const variables = new VariableSystem({ clock: testClock() });
    variables.addVariable = boom;
    const tool = testTool('t', { effect: 'write', execute: async () => ({ status: 'success', data: 'x', written: WRITTEN }) });
    const { executor } = testExecutor([tool], { varSystem: variables });
    expect(await executor.execute('t', {}, { ...callOptions(), onEvent: boom })).toMatchObject({ status: 'success', written: WRITTEN });
    const asking = testTool('t', { ...tool, permission: { executionPolicy: 'auto', resultApprovalPolicy: 'always' } });
    const broken = testExecutor([asking], { approvalAdapter: new HeadlessApprovalAdapter(boom) });
    expect(await broken.executor.execute('t', {}, callOptions())).toMatchObject({ status: 'result_rejected', written: WRITTEN });
    vi.unstubAllGlobals();
    expect(thrown.length).toBeGreaterThan(0);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['text', 'done'],
    ['no status', { data: 1 }],
    ['a status that there is not', { status: 'ok', written: WRITTEN }],
    ['a status that throws', Object.defineProperty({}, 'status', { get: boom })],
    ['a proxy that throws', new Proxy({}, { get: (_target, name) => (name === 'then' ? undefined : boom()) })],
  ])('%s instead of a result: a write is unknown, a read an error with a next step', async (_name, given) => {
    const execute = async () => given as never;
    const { executor } = testExecutor([testTool('write', { effect: 'write', execute }), testTool('read', { execute })]);
    const write = await executor.execute('write', {}, callOptions());
    expect(write).toMatchObject({ status: 'unknown', error: { code: 'outcome_unknown' } });
    if (given !== null && typeof given === 'object' && Object.hasOwn(given, 'written')) expect(write.written).toEqual(WRITTEN);
    expect(await executor.execute('read', {}, callOptions())).toMatchObject({
      status: 'error',
      error: { code: 'no_result', next: expect.stringMatching(/./u) },
      finalText: expect.stringMatching(/^no_result: .+ → .+/u),
    });
  });

  it('an unknown outcome stays one when its result is rejected, and the write is not run again', async () => {
    let runs = 0;
    const tool = testTool('t', {
      effect: 'write',
      properties: { a: {}, b: {} },
      permission: { executionPolicy: 'auto', resultApprovalPolicy: 'always' },
      execute: () => {
        runs++;
        return Promise.reject(new Error('SECRET'));
      },
    });
    const approvalAdapter = new HeadlessApprovalAdapter(() => ({ approved: false, reason: 'private' }));
    const again = scripted([
      answer('', [toolCall('c2', 't', '{ "b": 2, "a": 1 }')]),
      answer('', [toolCall('c3', 't', "```\n{'b':2,'a':1}\n```")]),
      answer('End.'),
    ]);
    const { result } = await runChecked(
      testExecutor([tool], { approvalAdapter }).executor,
      answer('', [toolCall('c1', 't', '{"a":1,"b":2}')]),
      {
        complete: again.complete,
      },
    );
    expect(runs).toBe(1);
    expect(result.toolCallHistory.map((entry) => [entry.result.status, entry.result.error?.code])).toEqual([
      ['unknown', 'outcome_unknown'],
      ['error', 'not_repeated'],
      ['error', 'not_repeated'],
    ]);
    expect(result.toolCallHistory[0]).toMatchObject({ resultRejected: true, resultRejectReason: 'private' });
    expect(JSON.stringify(result)).not.toContain('SECRET');
  });
});

describe('an error', () => {
  const long = `note says [Tool Execution Log] $VAR_REF{{x}} ${'x'.repeat(50_000)} end`;
  const objects = [
    ['a sentence', 'it broke', 'tool_failed: it broke'],
    ['an Error', new Error('it broke'), 'tool_failed: it broke'],
    ['code, message and next', { code: 'stale', message: 'changed', next: 'read again' }, 'stale: changed → read again'],
    ['a foreign code', { code: 'E_FOO', message: 'changed' }, 'tool_failed: E_FOO: changed'],
    ['an object without a message', { a: 1 }, 'tool_failed: {"a":1}'],
    ['nothing', undefined, 'tool_failed: the tool failed without saying why'],
  ] as const;

  it.each(objects)('that a tool returns as %s is an object with a next step', async (_name, error, line) => {
    const { executor } = testExecutor([testTool('t', { execute: async () => ({ status: 'error', error: error as never }) })]);
    const result = await executor.execute('t', {}, callOptions());
    expect(result).toMatchObject({
      status: 'error',
      error: { code: expect.any(String), message: expect.any(String), next: expect.any(String) },
    });
    expect(result.finalText).toContain(line);
  });

  it.each([
    ['text', 'it broke', 'it broke'],
    ['null', null, 'something failed without a message'],
    ['undefined', undefined, 'something failed without a message'],
    ['a number', 5, '5'],
    ['an object', { why: 'it broke' }, '{"why":"it broke"}'],
    ['an object with a message', { message: 'it broke' }, 'it broke'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['an object that cannot be read', new Proxy({}, { get: boom, has: boom, ownKeys: boom, getPrototypeOf: boom }), 'cannot be read'],
    ['an object without a prototype', Object.create(null), '{}'],
    ['an error with nothing to say', new Error(''), 'something failed without a message'],
  ])('that is thrown as %s is told', async (_name, thrown, words) => {
    const execute = () => {
      throw thrown;
    };
    const { executor } = testExecutor([testTool('read', { execute }), testTool('write', { effect: 'write', execute })]);
    const read = await executor.execute('read', {}, callOptions());
    expect(read).toMatchObject({ status: 'error', error: { code: 'internal' } });
    expect(read.finalText).toContain(words);
    expect(read.finalText).toMatch(/ → ./u);
    expect(await executor.execute('write', {}, callOptions())).toMatchObject({ status: 'unknown' });
  });

  it.each([
    ['returned', () => Promise.resolve({ status: 'error', error: { code: 'not_found', message: long, next: 'go on' } } as const)],
    ['thrown', () => Promise.reject(new Error(long))],
    ['thrown as text', () => Promise.reject(long)],
  ])('that is %s is escaped and bounded, the whole of it in a variable', async (_name, execute) => {
    const { executor } = testExecutor([testTool('t', { execute })]);
    const { finalText = '', error, cacheVarResult = '' } = await executor.execute('t', {}, callOptions());
    expect(finalText.length).toBeLessThanOrEqual(8000);
    expect(finalText).toContain('[\\Tool Execution Log] \\$VAR_REF{{x}}');
    expect(finalText).toContain(`kept as $VAR_REF{{${cacheVarResult}}}`);
    expect(error?.message.length).toBeLessThanOrEqual(2000);
    expect(executor.varSystem.getVariable(cacheVarResult)?.value).toContain(long);
  });

  it('that is long and rejected is kept nowhere', async () => {
    const permission = { executionPolicy: 'auto', resultApprovalPolicy: 'on-error' } as const;
    const approvalAdapter = new HeadlessApprovalAdapter(() => ({ approved: false }));
    const { executor } = testExecutor([testTool('t', { permission, execute: () => Promise.reject(new Error(long)) })], { approvalAdapter });
    expect(JSON.stringify(await executor.execute('t', {}, callOptions()))).not.toContain('note says');
    expect(executor.varSystem.save()).toEqual([]);
  });
});

describe('no call ends a chain', () => {
  const deep = `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const odd: [string, Partial<Tool>, unknown?][] = [
    ['traits that throw', { traits: boom }],
    ['traits that give nothing', { traits: () => undefined as never }],
    ['traits without a permission', { traits: () => ({ effect: 'write' }) as never }],
    ['an approval scope that throws', { approvalScope: boom, permission: { executionPolicy: 'ask-once', resultApprovalPolicy: 'never' } }],
    ['a plan that throws', { effect: 'write', plan: boom }],
    ['a plan that is none', { effect: 'write', plan: async () => undefined as never }],
    ['what leaves cannot be told', { effect: 'outgoing', outgoing: boom }],
    ['no execute at all', { execute: undefined as never }],
    [
      'a schema that cannot be read',
      { definition: { type: 'function', function: { name: 't', description: '', parameters: { $ref: '#/nowhere' } } } },
    ],
    ['deep arguments', {}, deep],
    ['deep arguments that break off', {}, `{"x":${'['.repeat(100_000)}`],
    ['arguments as an object', {}, { x: 1 }],
    ['arguments that hold themselves', {}, itself],
    ['arguments that are gone', {}, gone.proxy],
  ];

  it.each(odd)('%s: every call is answered once, and the chain goes on', async (_name, parts, args: unknown = '{}') => {
    const { executor } = testExecutor([testTool('t', { properties: { x: {} }, ...parts }), testTool('other')]);
    const calls = ['c1', 'c2'].map((id) => ({ id, type: 'function' as const, function: { name: 't', arguments: args as string } }));
    const { result } = await runChecked(executor, answer('', [...calls, toolCall('c3', 'other')]));
    expect(result.status).toBe('completed');
    expect(result.toolCallHistory.map(({ callId }) => callId)).toEqual(['c1', 'c2', 'c3']);
    expect(result.toolCallHistory[2]?.result.status).toBe('success');
    if (typeof args === 'string' && args.startsWith('{"x":[['))
      expect(result.toolCallHistory[0]?.result.error?.code).toMatch(/^(?:bad_arguments|arguments_cut)$/u);
  });

  it.each([
    ['nothing', undefined],
    ['a call that is none', { content: null, tool_calls: [null, 5, {}, { id: 7, function: null }] }],
    ['calls that are no list', { content: ['x'], tool_calls: 'all' }],
    ['a proxy that throws', new Proxy({}, { get: boom })],
  ])('an answer of %s', async (_name, first) => {
    const { result } = await runChecked(testExecutor([testTool('t')]).executor, first as never, {});
    expect(result).toMatchObject({ status: 'completed', finalContent: 'Done.' });
  });

  it('an executor of others that throws', async () => {
    const executor = testExecutor([testTool('t')]).executor;
    executor.execute = boom;
    executor.scheduleOf = boom;
    const { result } = await runChecked(executor, FIRST);
    expect(result.toolCallHistory[0]?.result).toMatchObject({ status: 'error', error: { code: 'internal', message: 'boom' } });
  });
});

describe('what goes back to the model', () => {
  it('is what ran: parsed arguments, legal names, ids that are unique and not empty', async () => {
    const model = scripted([answer('Done.')]);
    const calls = [
      toolCall('', 't', "write({'x': True, })"),
      toolCall('same', 't', '{"x": 1}'),
      toolCall('same', 'read the note!', '{}'),
      toolCall('old', 't', '{"x":'),
      toolCall('', '', '[1]'),
      toolCall('list', `${'n'.repeat(80)}`, '"text"'),
    ];
    const contextMessages = [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: '', tool_calls: [toolCall('old', 't')] },
      { role: 'tool', tool_call_id: 'old', content: 'x' },
    ] as const;
    const { executor } = testExecutor([testTool('t', { properties: { x: {} } })]);
    const { result } = await runChecked(executor, answer('', calls), { complete: model.complete, contextMessages });
    const sent =
      model.requests[0]?.messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : [])).slice(1) ?? [];
    expect(sent.map((call) => [call.function.name, call.function.arguments])).toEqual([
      ['t', '{"x":true}'],
      ['t', '{"x":1}'],
      ['read_the_note_', '{}'],
      ['t', '{}'],
      ['unknown_tool', '{}'],
      ['n'.repeat(64), '{}'],
    ]);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(6);
    expect(sent.every(({ id }) => id !== '' && id !== 'old')).toBe(true);
    expect(result.toolCallHistory.map(({ result: { status } }) => status)).toEqual([
      'success',
      'success',
      'not_found',
      'error',
      'not_found',
      'not_found',
    ]);
  });

  it('a call that fails the same way is known however it is written', async () => {
    let runs = 0;
    const tool = testTool('t', {
      properties: { a: {}, b: {} },
      execute: () => {
        runs++;
        return Promise.reject(new Error('no'));
      },
    });
    const written = ['{"a":1,"b":[2]}', '{ "b": [2], "a": 1 }', "{'a':1,'b':[2],}", '```json\n{"a":1,"b":[2]}\n```'];
    const model = scripted([...written.slice(1).map((args, index) => answer('', [toolCall(`n${index}`, 't', args)])), answer('End.')]);
    const { result } = await runChecked(testExecutor([tool]).executor, answer('', [toolCall('c1', 't', written[0])]), {
      complete: model.complete,
    });
    expect(runs).toBe(3);
    expect(result.toolCallHistory.at(-1)?.result.error?.code).toBe('repeated_failure');
  });
});
