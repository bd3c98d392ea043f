import { describe, expect, it } from 'vitest';
import { DEFAULT_TOOL_CALL_BEHAVIOR } from '../tools/contract/tool-call-config.ts';
import type { ApprovalRequest } from '../tools/contract/types.ts';
import { HeadlessApprovalAdapter, toolExecutorFactory } from '../tools/index.ts';
import { callOptions, testClock, testTool } from '../tools/testing/support.ts';
import { createSettingsPort, type SettingsAdapterDeps } from './settings-adapter.ts';
import { callMemory } from './workspace/call-memory.ts';

/** Settings that are kept in memory, and the executor of the open chat. */
function open() {
  let settings = {
    tools: {},
    permissions: {},
    groups: {},
    privacy: { enabled: false, fields: ['kept'] },
    toolCalls: { ...DEFAULT_TOOL_CALL_BEHAVIOR, later: 1 },
    models: {},
    memory: { notebook: '', document: '' },
    skills: { note: 'd0', on: { d2: false } },
  } as unknown as ReturnType<SettingsAdapterDeps['store']['get']>;
  const asked: ApprovalRequest[] = [];
  const approvalAdapter = new HeadlessApprovalAdapter((request) => {
    asked.push(request);
    return { approved: false, reason: 'mine' };
  });
  const make = () =>
    toolExecutorFactory({
      approvalAdapter,
      clock: testClock(),
      groups: [
        { name: 'g', tools: [testTool('t')], declareSkillRules: { rule: { desc: 'what it says', prompt: 'x' } } },
        { name: 'databases', tools: [testTool('db')] },
      ],
      groupDefaults: { g: true },
      permissions: settings.permissions,
    });
  const executor = make();
  const store = {
    get: () => settings,
    update: async (change: (now: typeof settings) => Partial<typeof settings>) => {
      settings = { ...settings, ...change(settings) };
    },
  } as unknown as SettingsAdapterDeps['store'];
  const joined: (() => void)[] = [];
  const port = createSettingsPort({
    store: { ...store, subscribe: () => () => undefined },
    policy: { subscribe: () => () => undefined } as unknown as SettingsAdapterDeps['policy'],
    models: {} as SettingsAdapterDeps['models'],
    executor: () => executor,
    contents: () => [],
    onNewTools: (listener) => {
      joined.push(listener);
      return () => void joined.splice(0);
    },
    notebooks: async () => [],
    calls: callMemory(),
  });
  return { port, executor, make, asked, joined, settings: () => settings };
}

describe('the approval of a result', () => {
  it('is switched on for a tool by the settings: now, and in every later chat', async () => {
    const { port, executor, make, asked, settings } = open();
    expect(port.tools()[0]?.tools[0]?.results ?? port.tools()[1]?.tools[0]?.results).toBe('never');
    await port.setTool('t', { results: 'always' });
    expect(settings().permissions).toEqual({ t: { executionPolicy: 'auto', resultApprovalPolicy: 'always' } });
    for (const each of [executor, make()]) {
      expect(await each.execute('t', {}, callOptions())).toMatchObject({ status: 'result_rejected', rejectReason: 'mine' });
    }
    expect(asked.map(({ kind, resultText }) => [kind, resultText?.includes('t ok')])).toEqual([
      ['result', true],
      ['result', true],
    ]);
  });

  it('and the question before a call do not override each other', async () => {
    const { port, executor, settings } = open();
    await port.setTool('t', { results: 'on-error' });
    await port.setTool('t', { policy: 'ask-once' });
    const both = { executionPolicy: 'ask-once', resultApprovalPolicy: 'on-error' };
    expect(settings().permissions).toEqual({ t: both });
    expect(executor.groups().find(({ name }) => name === 'g')?.tools[0]?.permission).toEqual(both);
  });
});

describe('the words that are not to be repeated', () => {
  it('stay when the rule is switched, and the switch when they are changed', async () => {
    const { port, settings } = open();
    await port.update({ privacy: { enabled: true } });
    expect(settings().privacy).toEqual({ enabled: true, fields: ['kept'] });
    await port.update({ privacy: { fields: ['Mallory'] }, toolHistory: 'full', contextTokens: 9000 });
    expect(settings()).toMatchObject({ privacy: { enabled: true, fields: ['Mallory'] }, toolHistory: 'full', contextTokens: 9000 });
    await port.update(({ privacy }) => ({ privacy: { fields: [...privacy.fields, 'Trudy'] } }));
    expect(settings().privacy).toEqual({ enabled: true, fields: ['Mallory', 'Trudy'] });
  });
});

describe('skills', () => {
  it('are those of the tools that are on; a switch leaves the others as they are', async () => {
    const { port, settings } = open();
    expect(port.skills()).toEqual([{ id: 'g/rule', name: 'g/rule', description: 'what it says', from: 'product', isOn: true }]);
    await port.update({ skills: { on: { 'file:tone': true } } });
    expect(settings().skills).toEqual({ note: 'd0', on: { d2: false, 'file:tone': true } });
    await port.setGroup('g', false);
    expect(port.skills()).toEqual([]);
  });
});

describe('a group for what only some workspaces hold', () => {
  it('follows the notes until the user chooses, for it or for all', async () => {
    const { port } = open();
    const follows = () => port.tools().map(({ group, follows }) => [group, follows]);
    expect(follows()).toContainEqual(['databases', 'databases']);
    expect(follows()).toContainEqual(['g', undefined]);
    await port.update({ toolCalls: { defaultToolEnabled: false } });
    expect(follows()).toContainEqual(['databases', undefined]);
    await port.update({ toolCalls: { defaultToolEnabled: undefined } });
    await port.setGroup('databases', true);
    expect(follows()).toContainEqual(['databases', undefined]);
  });
});

describe('how calls run', () => {
  it('changes field by field; untouched groups follow at once, and a value set back to its default leaves the file', async () => {
    const { port, executor, settings } = open();
    await port.update({ toolCalls: { mode: 'manual' } });
    expect(settings().toolCalls).toEqual({ ...DEFAULT_TOOL_CALL_BEHAVIOR, later: 1, mode: 'manual' });
    expect(port.get().toolCalls).toMatchObject({ mode: 'manual', defaultToolEnabled: undefined });
    await port.update({ toolCalls: { defaultToolEnabled: false } });
    expect([executor.isGroupEnabled('g'), settings().toolCalls.defaultToolEnabled]).toEqual([false, false]);
    await port.update({ toolCalls: { defaultToolEnabled: true } });
    expect(executor.isGroupEnabled('g')).toBe(true);
    await port.setGroup('g', false);
    await port.update({ toolCalls: { defaultToolEnabled: undefined } });
    expect([executor.isGroupEnabled('g'), settings().toolCalls]).toEqual([
      false,
      { ...DEFAULT_TOOL_CALL_BEHAVIOR, later: 1, mode: 'manual' },
    ]);
  });
});

describe('the list of tools', () => {
  it('is announced again when lazy groups are added, until nobody listens', () => {
    const { port, joined } = open();
    let told = 0;
    const stop = port.subscribe(() => {
      told += 1;
    });
    for (const join of joined) join();
    stop();
    expect([told, joined]).toEqual([1, []]);
  });
});
