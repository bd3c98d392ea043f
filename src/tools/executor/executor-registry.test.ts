import { describe, expect, it } from 'vitest';
import { DEFAULT_TOOL_CALL_BEHAVIOR, type ToolCallBehavior } from '../contract/tool-call-config.ts';
import { toolExecutorFactory } from '../index.ts';
import { openNotes } from '../testing/open-notes.ts';
import { ASK_ALWAYS, callOptions, testClock, testExecutor, testTool } from '../testing/support.ts';
import { HeadlessApprovalAdapter } from './approvals.ts';
import { ToolExecutor } from './executor.ts';

describe('ToolExecutor registry', () => {
  it('has groups off and tools on at first', () => {
    const executor = new ToolExecutor({ approvalAdapter: new HeadlessApprovalAdapter(), clock: testClock() });
    executor.registerToolGroup({ name: 'g', tools: [testTool('t')] });
    expect([executor.isGroupEnabled('g'), executor.isToolEnabled('t'), executor.isCallable('t')]).toEqual([false, true, false]);
    expect(executor.hasEnabledTools()).toBe(false);
    expect(executor.getEnabledToolDefinitions()).toEqual([]);
    expect(executor.toolRules()).toBe('');
  });

  it('says of each tool what its gate would ask in this chat, operation by operation', async () => {
    const free = { permission: { executionPolicy: 'auto', resultApprovalPolicy: 'never' }, effect: 'read' } as const;
    const mixed = testTool('mixed', {
      properties: { op: { enum: ['read', 'write'] } },
      effect: 'write',
      permission: ASK_ALWAYS,
      traits: ({ op }) => (op === 'read' ? free : { permission: ASK_ALWAYS, effect: 'write' }),
    });
    const worker = testTool('worker', {
      effect: 'write',
      permission: ASK_ALWAYS,
      traits: ({ tools }) => (tools === undefined ? free : { permission: ASK_ALWAYS, effect: 'write' }),
    });
    const sender = testTool('sender', { effect: 'outgoing', permission: { ...ASK_ALWAYS, executionPolicy: 'ask-once' } });
    let localOnly = false;
    let requireConfirmation = false;
    const { executor, asked } = testExecutor([testTool('reader'), mixed, worker, sender], {
      localOnly: () => localOnly,
      behavior: () => ({ ...DEFAULT_TOOL_CALL_BEHAVIOR, requireConfirmation }),
    });
    const shown = () => {
      const { tools = [] } = executor.groups().find(({ name }) => name === 'test') ?? {};
      return Object.fromEntries(tools.map((tool) => [tool.name, [...tool.asked].sort()]));
    };
    const both = ['always', 'never'];
    expect(shown()).toEqual({ reader: ['never'], mixed: both, worker: both, sender: ['once'] });
    // As the gate decides: a worker without tools of its own runs unasked.
    await executor.execute('worker', {}, callOptions());
    expect(asked).toEqual([]);
    executor.noteNotesRead();
    expect(shown().sender).toEqual(['always']);
    localOnly = true;
    expect(shown()).toEqual({ reader: ['never'], mixed: both, worker: both, sender: [] });
    requireConfirmation = true;
    expect(shown().reader).toEqual(['always']);
  });

  it('offers no tool that lacks what it cannot do without, and lets its own error say what that is', async () => {
    let isSetUp = false;
    const { executor } = testExecutor([testTool('needy', { isSetUp: () => isSetUp })]);
    const offered = () => executor.getEnabledToolDefinitions().some(({ function: { name } }) => name === 'needy');
    const state = () => executor.groups().flatMap(({ tools }) => tools.filter(({ name }) => name === 'needy'))[0];
    expect([offered(), state()?.isSetUp, state()?.callable]).toEqual([false, false, false]);
    expect((await executor.execute('needy', {}, callOptions())).status).toBe('success');
    isSetUp = true;
    expect([offered(), state()?.isSetUp, state()?.callable]).toEqual([true, true, true]);
  });

  it('injects nothing for a group that has nothing set up: a small window keeps its room', () => {
    const { executor } = testExecutor([testTool('needy', { isSetUp: () => false })]);
    expect(executor.getEnabledToolDefinitions()).toEqual([]);
    expect(executor.hasEnabledTools()).toBe(false);
  });

  it('injects ReadVar and ListVars whenever a group is on', () => {
    const { executor } = testExecutor([testTool('t')]);
    expect(executor.getEnabledToolDefinitions().map(({ function: { name } }) => name)).toEqual(['t', 'ListVars', 'ReadVar']);
    const vars = executor.groups().find(({ name }) => name === 'vars');
    expect(vars?.tools.filter(({ callable }) => callable).map(({ name }) => name)).toEqual(['ReadVar', 'ListVars']);
    executor.toggleGroupEnabled('vars', true);
    expect(executor.getEnabledToolDefinitions()).toHaveLength(5);
  });

  it('gives the same definitions in whatever order groups came on', () => {
    const build = (order: string[]) => {
      const groups = ['b', 'a'].map((name) => ({ name, tools: [testTool(`${name}2`), testTool(`${name}1`)] }));
      const executor = new ToolExecutor({ approvalAdapter: new HeadlessApprovalAdapter(), clock: testClock() });
      for (const group of order.map((name) => groups.find((entry) => entry.name === name)!)) executor.registerToolGroup(group);
      for (const name of order) executor.toggleGroupEnabled(name, true);
      return JSON.stringify([executor.getEnabledToolDefinitions(), executor.toolRules()]);
    };
    expect(build(['a', 'b'])).toBe(build(['b', 'a']));
  });

  it.each([
    'functions.read_it',
    'default_api:read_it',
    'default_api.read_it',
    'functions_read_it',
    'Read_It',
    'readIt',
    'read-it',
    'read_it:0',
    'read_it<|channel|>commentary',
  ])('runs a tool that is called %s', async (name) => {
    const { executor } = testExecutor([testTool('read_it')]);
    expect(executor.meantTool(name)).toBe('read_it');
    expect((await executor.execute(name, {})).status).toBe('success');
  });

  it('runs none of two that a name could mean, and no other', async () => {
    const { executor } = testExecutor([testTool('read_it'), testTool('readIt')]);
    expect((await executor.execute('READ-IT', {})).status).toBe('not_found');
    expect((await executor.execute('read_its', {})).status).toBe('not_found');
    expect((await executor.execute('', {})).status).toBe('not_found');
  });

  it('refuses a name that is taken', () => {
    const { executor } = testExecutor([testTool('t')]);
    expect(() => executor.registerToolGroup({ name: 'other', tools: [testTool('t')] })).toThrow('"t" is already registered');
    expect(() => executor.registerToolGroup({ name: 'test', tools: [] })).toThrow('"test" is already registered');
  });

  it.each([
    ['a name that is taken', { tools: [testTool('fresh'), testTool('t')] }],
    ['a name twice', { tools: [testTool('fresh'), testTool('fresh')] }],
    ['a name that no server takes', { tools: [testTool('fresh'), testTool('read the note')] }],
    [
      'a rule that cannot be kept',
      { tools: [testTool('fresh')], declareSkillRules: { a: { desc: '', prompt: 'a' }, b: { desc: '', prompt: 'x'.repeat(20_000_000) } } },
    ],
    [
      'two rules of one name',
      { tools: [testTool('fresh')], declareSkillRules: { 'a b': { desc: '', prompt: 'a' }, a_b: { desc: '', prompt: 'b' } } },
    ],
  ])('keeps nothing of a group that fails with %s', (_why, group) => {
    const { executor } = testExecutor([testTool('t')]);
    const state = () => JSON.stringify([executor.groups(), executor.varSystem.listVariables(), executor.getTool('fresh')]);
    const before = state();
    expect(() => executor.registerToolGroup({ name: 'g', ...group })).toThrow();
    expect(state()).toBe(before);
    executor.registerToolGroup({ name: 'g', tools: [testTool('fresh')] });
    expect(executor.getTool('fresh')).toBeDefined();
  });

  it('has rules of a group of a server, under a name that a reference can hold', async () => {
    const { executor } = testExecutor([testTool('t')]);
    const rule = { desc: 'how to ask', prompt: 'Ask kindly.' };
    executor.registerToolGroup({ name: 'mcp:My Server', tools: [], declareSkillRules: { ask: rule } });
    executor.toggleGroupEnabled('mcp:My Server', true);
    const [, name = ''] = /`(Rule\/[^`]+)`/u.exec(executor.toolRules()) ?? [];
    expect(name).toBe('Rule/mcp/My_Server/ask');
    expect((await executor.execute('ReadVar', { name }, callOptions())).finalText).toBe('Ask kindly.');
    expect((await executor.execute('ReadVar', { name: `$VAR_REF{{${name}}}` }, callOptions())).finalText).toBe('Ask kindly.');
  });

  it('says as its names say whether any tool is on', () => {
    const { executor } = testExecutor([testTool('t')]);
    executor.setToolEnabled('ReadVar', false);
    const names = () => executor.getEnabledToolDefinitions().map(({ function: { name } }) => name);
    expect([names(), executor.isToolEnabled('ReadVar'), executor.isCallable('ReadVar')]).toEqual([['t', 'ListVars'], false, false]);
    executor.setToolEnabled('ListVars', false);
    executor.setToolEnabled('t', false);
    expect([names(), executor.hasEnabledTools()]).toEqual([[], false]);
    executor.toggleGroupEnabled('test', false);
    executor.toggleGroupEnabled('vars', true);
    expect([names(), executor.hasEnabledTools()]).toEqual([['RemoveVars', 'WriteVar'], true]);
  });

  it.each<[string, (executor: ToolExecutor) => void, Partial<ToolCallBehavior>]>([
    ['that is off', (executor) => executor.setToolEnabled('t', false), {}],
    ['whose group is off', (executor) => executor.toggleGroupEnabled('test', false), {}],
    ['that asks', (executor) => executor.setPermission('*', { executionPolicy: 'ask-once' }), {}],
    ['whose results are asked about', (executor) => executor.setPermission('t', { resultApprovalPolicy: 'always' }), {}],
    ['where every call is confirmed', () => undefined, { requireConfirmation: true }],
    ['where calls are started by hand', () => undefined, { mode: 'manual' }],
    ['where models have no tools', () => undefined, { enabled: false }],
  ])('tells that a tool reads unasked, but none %s', (_which, change, behavior) => {
    expect(testExecutor([testTool('t')]).executor.readsUnasked('t')).toBe(true);
    const { executor } = testExecutor([testTool('t')], { behavior: () => ({ ...DEFAULT_TOOL_CALL_BEHAVIOR, ...behavior }) });
    change(executor);
    expect([executor.readsUnasked('t'), executor.readsUnasked('other')]).toEqual([false, false]);
  });

  it('loses only the words of a group whose rule prompt throws', () => {
    const rulePrompt = (): string => {
      throw new Error('boom');
    };
    const { executor } = testExecutor([testTool('t')], { group: { rulePrompt } });
    expect(executor.toolRules()).toMatch(/^# Tools/u);
  });

  it('has a rule on kramdown that ReadVar loads', async () => {
    const { executor } = openNotes();
    executor.toggleGroupEnabled('blocks', true);
    expect(executor.toolRules()).toContain('`Rule/blocks/kramdown`');
    const { finalText } = await executor.execute('ReadVar', { name: 'Rule/blocks/kramdown', length: 8000 }, callOptions());
    expect(finalText).toContain('## References');
    expect(finalText).not.toContain('next: ReadVar name');
  });

  it('applies the defaults of the settings', () => {
    const executor = toolExecutorFactory({
      approvalAdapter: new HeadlessApprovalAdapter(),
      clock: testClock(),
      groups: [{ name: 'g', tools: [testTool('a'), testTool('b')] }],
      groupDefaults: { g: true, gone: true },
      toolDefaults: { b: false },
    });
    expect([executor.isCallable('a'), executor.isCallable('b'), executor.isGroupEnabled('gone')]).toEqual([true, false, false]);
    expect(
      executor
        .groups()
        .find(({ name }) => name === 'g')
        ?.tools.map(({ enabled }) => enabled),
    ).toEqual([true, false]);
  });

  it('tells the return type in the description', () => {
    const { executor } = testExecutor([testTool('t', { declaredReturnType: { type: 'string[]', note: 'names' } })]);
    expect(executor.getEnabledToolDefinitions()[0]?.function.description).toBe('t. Returns string[] (names).');
  });
});

describe('toolRules', () => {
  it('has the group prompts by enabled names, embedded rules, and an index of the rest', () => {
    const { executor } = testExecutor([testTool('a'), testTool('b')], {
      group: {
        rulePrompt: (names) => `on: ${names.join(',')}`,
        declareSkillRules: {
          always: { desc: 'd', prompt: 'ALWAYS TEXT', alwaysLoad: true },
          later: { desc: 'what|it is', prompt: 'LATER TEXT', when: 'on need' },
        },
      },
    });
    executor.setToolEnabled('b', false);
    const rules = executor.toolRules();
    expect(rules).toContain('## test\non: a\n');
    expect(rules).toContain('### always\nALWAYS TEXT');
    expect(rules).toContain('| `Rule/test/later` | what\\|it is | on need |');
    expect(rules).not.toContain('LATER TEXT');
    expect(executor.varSystem.getVariable('Rule/test/later')).toMatchObject({ value: 'LATER TEXT', type: 'RULE' });
  });
});
