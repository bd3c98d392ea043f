import { describe, expect, it } from 'vitest';
import { ToolError } from './contract/errors.ts';
import { InlineApprovalAdapter } from './executor/approvals.ts';
import * as face from './index.ts';
import { FIRST, runChecked } from './testing/run-chain.ts';
import { ASK_ALWAYS, answer, callOptions, scripted, testExecutor, testTool, toolCall } from './testing/support.ts';
import { SYSTEM_CONTEXT_OPEN, TOOL_LOG_MARKER } from './util/markers.ts';
import { truncateContent } from './util/truncate.ts';

// Statements about the chain and the executor that no other test makes by itself; tests/conformance has the whole tables.

describe('the chain', () => {
  it('runs ten rounds where maxRounds is not given', async () => {
    const again = Array.from({ length: 10 }, (_, round) => answer('', [toolCall(`c${round + 2}`, 't')]));
    const model = scripted([...again, answer('Closing.')]);
    const { result } = await runChecked(testExecutor([testTool('t')]).executor, FIRST, { complete: model.complete });
    expect([result.stats.totalRounds, result.stats.totalCalls, result.finalContent]).toEqual([10, 10, 'Closing.']);
  });

  it('has the system prompt, the whole context, the tools and the options in every request, the closing one too', async () => {
    const contextMessages = [
      { role: 'user', content: 'earlier' },
      { role: 'assistant', content: 'said' },
      { role: 'user', content: 'question' },
    ] as const;
    const model = scripted([answer('', [toolCall('c2', 't')]), answer('', [toolCall('c3', 't')]), answer('Closing.')]);
    const { executor } = testExecutor([testTool('t')]);
    const options = { contextMessages, systemPrompt: 'SYSTEM', chatOption: { temperature: 0, tool_choice: 'required' }, maxRounds: 2 };
    await runChecked(executor, FIRST, { complete: model.complete, ...options });
    expect(model.requests).toHaveLength(3);
    for (const [index, { messages, tools, chatOption }] of model.requests.entries()) {
      expect(messages.slice(0, 4)).toEqual([{ role: 'system', content: 'SYSTEM' }, ...contextMessages]);
      expect(tools).toEqual(executor.getEnabledToolDefinitions());
      expect(chatOption).toEqual({ temperature: 0, tool_choice: index < 2 ? 'required' : 'none' });
    }
    const bare = scripted([answer('Done.')]);
    await runChecked(executor, FIRST, { complete: bare.complete, contextMessages, systemPrompt: '' });
    expect(bare.requests[0]?.messages[0]).toEqual(contextMessages[0]);
  });

  it('gives the model finalText, word for word, of success and of error', async () => {
    const failing = testTool('e', { execute: () => Promise.reject(new ToolError('stale', 'it changed', 'read again')) });
    const first = answer('', [toolCall('c1', 't'), toolCall('c2', 'e')]);
    const model = scripted([answer('Done.')]);
    const { result } = await runChecked(testExecutor([testTool('t'), failing]).executor, first, { complete: model.complete });
    const told = model.requests[0]?.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    expect(told).toEqual(result.toolCallHistory.map((entry) => entry.result.finalText));
    expect(told).toEqual([
      '<untrusted-data tool="t">\nt ok\n</untrusted-data>\n[kept as $VAR_REF{{t_c1_result}}]',
      'stale: it changed → read again',
    ]);
  });

  it('lets a later turn read by ReadVar, and by reference, what an earlier one kept', async () => {
    const properties = { text: { type: 'string' } };
    const echo = testTool('echo', { properties, execute: async (args) => ({ status: 'success', data: `<${String(args.text)}>` }) });
    const { executor } = testExecutor([testTool('t'), echo]);
    const earlier = await runChecked(executor, FIRST);
    expect(earlier.result.toolChainContent).toContain('$VAR_REF{{t_c1_result}}');
    const calls = [toolCall('c2', 'ReadVar', { name: 't_c1_result' }), toolCall('c3', 'echo', { text: '$VAR_REF{{t_c1_result}}' })];
    const later = await runChecked(executor, answer('', calls));
    expect(later.result.toolCallHistory.map(({ preview }) => preview)).toEqual(['t ok', '<t ok>']);
  });

  it('has several approvals pending at once, each answered by itself', async () => {
    const approvalAdapter = new InlineApprovalAdapter();
    const { executor } = testExecutor([testTool('t', { permission: ASK_ALWAYS })], { approvalAdapter });
    const running = runChecked(executor, answer('', [toolCall('c1', 't'), toolCall('c2', 't'), toolCall('c3', 't')]));
    await expect.poll(() => approvalAdapter.list().length).toBe(3);
    for (const { approvalId, callId } of approvalAdapter.list()) approvalAdapter.decide(approvalId, { approved: callId !== 'c2' });
    const { result } = await running;
    expect(result.toolCallHistory.map((entry) => entry.result.status)).toEqual(['success', 'execution_rejected', 'success']);
    // Its result was not rejected: there is none.
    expect(result.toolCallHistory[1]?.resultRejected).toBeUndefined();
  });
});

describe('the public face', () => {
  it('is enough to write a tool, register it, run a chain over it and read what came of it', async () => {
    const sum: face.Tool = {
      definition: {
        type: 'function',
        function: {
          name: 'sum',
          description: 'Adds.',
          parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
        },
      },
      permission: { executionPolicy: 'ask-always', resultApprovalPolicy: 'never' },
      effect: 'read',
      execute: async (args): Promise<face.ToolExecuteResult> => ({ status: 'success', data: Number(args.a) + Number(args.b) }),
    };
    const group: face.ToolGroup = { name: 'sums', tools: [sum], rulePrompt: 'Never add by yourself.' };
    const approvalAdapter = new face.InlineApprovalAdapter();
    approvalAdapter.subscribe(([request]) => request && approvalAdapter.decide(request.approvalId, { approved: true }));
    const clock = { now: () => 1, today: () => '2026-01-15' };
    const executor = face.toolExecutorFactory({ approvalAdapter, clock, groups: [group], groupDefaults: { sums: true } });
    const options: face.ToolChainOptions = {
      ...{ contextMessages: [{ role: 'user', content: '1 + 2?' }], sessionId: 's', turnId: 't', nodeId: 'n', clock },
      systemPrompt: executor.toolRules(),
      complete: async (): Promise<face.CompletionResult> => ({ content: 'It is 3.', tool_calls: [], finishReason: 'stop' }),
    };
    const result: face.ToolChainResult = await face.executeToolChain(
      executor,
      answer('', [toolCall('c1', 'sum', { a: 1, b: 2 })]),
      options,
    );
    expect(result).toMatchObject({ status: 'completed', finalContent: 'It is 3.' });
    expect(result.toolChainContent).toBe(face.MessageFlowFormatter.generateSystemHint(result.toolCallHistory));
    expect([executor instanceof face.ToolExecutor, executor.varSystem instanceof face.VariableSystem]).toEqual([true, true]);
    expect(executor.varSystem.getVariable('sum_c1_result')?.value).toBe('3');
    const long = 'x'.repeat(face.DEFAULT_LIMIT_CHAR + 1);
    expect([face.truncateContent(long).isTruncated, face.truncateContent(long, 0).isTruncated]).toEqual([true, false]);
  });
});

describe('tools and executor', () => {
  it('formats by JSON where the tool has no formatForLLM, text as it is', async () => {
    const data: unknown[] = [{ a: [1, 'ž'] }, 'plain', [{ id: 1 }, { id: 2 }], undefined, null];
    const tool = testTool('t', { execute: async () => ({ status: 'success', data: data.shift() }) });
    const { executor } = testExecutor([tool]);
    const texts: unknown[] = [];
    for (let count = data.length; count > 0; count--) texts.push((await executor.execute('t', {}, callOptions())).formattedText);
    expect(texts).toEqual(['{"a":[1,"ž"]}', 'plain', '[\n{"id":1},\n{"id":2}\n]', 'done', 'null']);
  });

  it('hands args.begin and args.limit to truncateForLLM', async () => {
    const integer = { type: 'integer' };
    const tool = testTool('t', {
      properties: { begin: integer, limit: integer },
      truncateForLLM: (text, { begin, limit }) => text.slice(Number(begin), Number(begin) + Number(limit)),
      execute: async () => ({ status: 'success', data: '0123456789' }),
    });
    const result = await testExecutor([tool]).executor.execute('t', { begin: 2, limit: 3 }, callOptions());
    expect(result).toMatchObject({ isTruncated: true, formattedText: '0123456789', finalText: expect.stringContaining('\n234\n') });
  });

  it('keeps result and arguments whether or not the text was cut', async () => {
    const properties = { text: { type: 'string' } };
    const tool = testTool('t', {
      properties,
      DEFAULT_OUTPUT_LIMIT_CHAR: 10,
      execute: async (args) => ({ status: 'success', data: args.text }),
    });
    const { executor } = testExecutor([tool]);
    const short = await executor.execute('t', { text: 'short' }, callOptions('c1'));
    const long = await executor.execute('t', { text: 'a longer text' }, callOptions('c2'));
    expect([short.isTruncated, short.cacheVarResult, short.cacheVarArgs]).toEqual([false, 't_c1_result', 't_c1_args']);
    expect([long.isTruncated, long.cacheVarResult, long.cacheVarArgs]).toEqual([true, 't_c2_result', 't_c2_args']);
    expect(executor.varSystem.getVariable('t_c2_result')).toMatchObject({ type: 'ToolCallResult', value: 'a longer text' });
    expect(executor.varSystem.getVariable('t_c2_args')).toMatchObject({ type: 'ToolCallArgs', value: '{"text":"a longer text"}' });
    expect(long.finalText).not.toContain(truncateContent('a longer text', 0).text);
  });

  it('takes a rule prompt as text, and tells the base rules before it', () => {
    const { executor } = testExecutor([testTool('t')], { group: { rulePrompt: 'GROUP RULE' } });
    const rules = executor.toolRules();
    expect(rules.startsWith('# Tools\n')).toBe(true);
    for (const part of [`Never write a \`${TOOL_LOG_MARKER}\``, SYSTEM_CONTEXT_OPEN, '$VAR_REF{{name}}', '`ReadVar`', '`ListVars`']) {
      expect(rules).toContain(part);
    }
    expect(rules).toContain('## test\nGROUP RULE');
    executor.toggleGroupEnabled('test', false);
    expect(executor.toolRules()).toBe('');
  });

  it('turns a group over when nothing is said, and ignores a group that is not there', () => {
    const { executor } = testExecutor([testTool('t')]);
    executor.toggleGroupEnabled('test');
    expect(executor.isGroupEnabled('test')).toBe(false);
    executor.toggleGroupEnabled('test');
    executor.toggleGroupEnabled('nowhere');
    expect([executor.isGroupEnabled('test'), executor.isGroupEnabled('nowhere')]).toEqual([true, false]);
    expect([executor.isToolEnabled('t'), executor.isToolEnabled('nowhere')]).toEqual([true, false]);
  });

  it('keeps switches and variables of two executors apart', async () => {
    const [one, two] = [testExecutor([testTool('t')]).executor, testExecutor([testTool('t')]).executor];
    await one.execute('t', {}, callOptions());
    one.setToolEnabled('t', false);
    expect([two.isCallable('t'), two.varSystem.hasVariable('t_c1_result'), one.varSystem.hasVariable('t_c1_result')]).toEqual([
      true,
      false,
      true,
    ]);
  });
});
