import { describe, expect, it } from 'vitest';
import { HeadlessApprovalAdapter } from './approvals.ts';
import { ToolExecutor } from './executor.ts';
import { toolExecutorFactory } from './index.ts';
import { testClock, testExecutor, testTool } from './testing/support.ts';

describe('ToolExecutor registry', () => {
  it('has groups off and tools on at first', () => {
    const executor = new ToolExecutor({ approvalAdapter: new HeadlessApprovalAdapter(), clock: testClock() });
    executor.registerToolGroup({ name: 'g', tools: [testTool('t')] });
    expect([executor.isGroupEnabled('g'), executor.isToolEnabled('t'), executor.isCallable('t')]).toEqual([false, true, false]);
    expect(executor.hasEnabledTools()).toBe(false);
    expect(executor.getEnabledToolDefinitions()).toEqual([]);
    expect(executor.toolRules()).toBe('');
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

  it('refuses a name that is taken', () => {
    const { executor } = testExecutor([testTool('t')]);
    expect(() => executor.registerToolGroup({ name: 'other', tools: [testTool('t')] })).toThrow('"t" is registered already');
    expect(() => executor.registerToolGroup({ name: 'test', tools: [] })).toThrow('"test" is registered already');
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
