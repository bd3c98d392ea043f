import { describe, expect, it, vi } from 'vitest';
import type { AskUser, UserQuestion } from '../../contract/ports.ts';
import { VariableSystem } from '../../executor/variables.ts';
import { createBasicGroup, HeadlessApprovalAdapter, toolExecutorFactory } from '../../index.ts';
import { callOptions } from '../../testing/support.ts';
import { formatNumber } from './calculate.ts';
import { TODO_VARIABLE } from './todo.ts';

/** Thursday, 15 January 2026, 23:30:05 UTC. */
const NOW = Date.UTC(2026, 0, 15, 23, 30, 5);

function make({ now = NOW, timeZone = 'Europe/Prague', askUser }: { now?: number; timeZone?: string; askUser?: AskUser } = {}) {
  const clock = { now: () => now, today: () => '2026-01-15' };
  const variables = new VariableSystem({ clock });
  const executor = toolExecutorFactory({
    approvalAdapter: new HeadlessApprovalAdapter(),
    clock,
    varSystem: variables,
    groups: [createBasicGroup({ clock, timeZone, variables, ...(askUser === undefined ? {} : { askUser }) })],
    groupDefaults: { basic: true, vars: true },
  });
  const call = async (name: string, args: object = {}) => (await executor.execute(name, { ...args }, callOptions())).finalText ?? '';
  return { executor, variables, call };
}

describe('datetime', () => {
  it("tells now in the user's zone or another", async () => {
    const { call } = make();
    expect(await call('datetime')).toBe('2026-01-16T00:30:05+01:00 Friday, week 2026-W03, Europe/Prague');
    expect(await call('datetime', { timeZone: 'UTC' })).toBe('2026-01-15T23:30:05+00:00 Thursday, week 2026-W03, UTC');
    expect(await call('datetime', { timeZone: 'Asia/Kolkata' })).toContain('2026-01-16T05:00:05+05:30');
    expect(await make({ now: Date.UTC(2026, 6, 1), timeZone: 'America/New_York' }).call('datetime')).toContain('2026-06-30T20:00:00-04:00');
  });

  it('tells weekday, week and distance of a day', async () => {
    const { call } = make();
    const today = '(today is 2026-01-16 in Europe/Prague)';
    expect(await call('datetime', { date: '2026-01-16' })).toBe(`2026-01-16 Friday, week 2026-W03, today ${today}`);
    expect(await call('datetime', { date: '2024-02-28', addDays: 1 })).toBe(`2024-02-29 Thursday, week 2024-W09, 687 days ago ${today}`);
    expect(await call('datetime', { addDays: 30 })).toBe(`2026-02-15 Sunday, week 2026-W07, in 30 days ${today}`);
  });

  it.each([
    ['2021-01-03', '2020-W53'],
    ['2021-01-04', '2021-W01'],
    ['2024-12-30', '2025-W01'],
    ['2026-12-31', '2026-W53'],
  ])('%s is in week %s', async (date, expected) => {
    expect(await make().call('datetime', { date })).toContain(`week ${expected},`);
  });

  it.each([
    [{ timeZone: 'Mars/Base' }, /^bad_time_zone: "Mars\/Base" is not a time zone → use an IANA name/u],
    [{ date: '2026-02-30' }, /^bad_date: 2026-02-30 is not a valid date → use YYYY-MM-DD/u],
    [{ date: 'tomorrow' }, /^bad_arguments: argument "date" is wrong/u],
  ])('refuses %j with a next step', async (args, message) => {
    expect(await make().call('datetime', args)).toMatch(message);
  });
});

describe('calculate', () => {
  it('gives the number alone, not framed as data of strangers', async () => {
    expect(await make().call('calculate', { expression: 'round(1250 * 1.21 / 12, 2)' })).toBe('126.04');
    expect(await make().call('calculate', { expression: '0.1 + 0.2' })).toBe('0.3');
  });

  it('gives errors with place and next step', async () => {
    expect(await make().call('calculate', { expression: '2 + ' })).toMatch(
      /^bad_expression: .* at character \d+ → .*call calculate again$/u,
    );
    expect(await make().call('calculate', { expression: '' })).toMatch(/^bad_arguments/u);
    expect(await make().call('calculate', { expression: '1+'.repeat(1001) })).toMatch(/^bad_arguments/u);
  });

  it.each([
    [-0, '0'],
    [9007199254740991, '9007199254740991'],
    [2 ** 64, '18446744073709600000 (15 digits are exact)'],
    [1 / 3, '0.333333333333333'],
    [1e-7, '1e-7'],
  ])('writes %d as %s', (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });
});

describe('ask_user', () => {
  it("gives the user's words, however long the user takes", async () => {
    vi.useFakeTimers();
    const asked: UserQuestion[] = [];
    const askUser: AskUser = {
      ask: (question) => {
        asked.push(question);
        return new Promise((resolve) => setTimeout(() => resolve('the blue one'), 3_600_000));
      },
    };
    const { executor } = make({ askUser });
    const done = executor.execute('ask_user', { question: 'Which?', options: ['red', 'blue'] }, { ...callOptions(), timeoutMs: 1000 });
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(await done).toMatchObject({ status: 'success', data: 'the blue one' });
    expect(asked).toEqual([{ callId: 'c1', question: 'Which?', options: ['red', 'blue'] }]);
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it('is called off by an abort, which the port hears', async () => {
    const controller = new AbortController();
    const signals: AbortSignal[] = [];
    const askUser: AskUser = {
      ask: (_question, signal) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
    };
    const done = make({ askUser }).executor.execute('ask_user', { question: 'Which?' }, callOptions('c1', controller.signal));
    await expect.poll(() => signals.length).toBe(1);
    controller.abort();
    expect((await done).status).toBe('aborted');
    expect(signals[0]?.aborted).toBe(true);
  });

  it('tells the model to go on when the question is closed', async () => {
    const answers = [null, '  '];
    const { call } = make({ askUser: { ask: async () => answers.shift() ?? null } });
    for (let count = 0; count < 2; count++)
      expect(await call('ask_user', { question: 'Which?' })).toMatch(/^no_answer: .* → go on without it/u);
  });

  it('tells the model to ask in its answer where nobody is', async () => {
    expect(await make().call('ask_user', { question: 'Which?' })).toBe(
      'nobody_there: nobody can be asked while you work → put the question into your answer and end the turn there',
    );
  });
});

describe('todo', () => {
  it('adds, marks, lists and clears, in a variable of the session', async () => {
    const { call, variables } = make();
    expect(await call('todo', { op: 'list' })).toContain('the list is empty');
    await call('todo', { op: 'add', items: ['read the\nplan', 'write a summary'] });
    expect(await call('todo', { op: 'add', items: ['ask Anna'] })).toContain(
      '3 of 3 steps open\n1. [ ] read the plan\n2. [ ] write a summary',
    );
    expect(await call('todo', { op: 'done', numbers: [1, 3] })).toContain(
      '1 of 3 steps open\n1. [x] read the plan\n2. [ ] write a summary\n3. [x]',
    );
    expect(variables.save().filter(({ name }) => name === TODO_VARIABLE)).toMatchObject([
      { name: TODO_VARIABLE, type: 'LLMAdd', pinned: true, value: expect.stringMatching(/^- \[x\] read/u) },
    ]);
    const other = make();
    other.variables.restore(variables.save());
    expect(await other.call('todo', { op: 'list' })).toContain('2. [ ] write a summary');
    expect(await call('todo', { op: 'clear' })).toContain('the list is empty');
    expect(variables.hasVariable(TODO_VARIABLE)).toBe(false);
  });

  it.each([
    [{ op: 'add' }, /^bad_arguments: items is missing → /u],
    [{ op: 'add', items: ['  '] }, /^bad_arguments: items is missing → /u],
    [{ op: 'done' }, /^bad_arguments: numbers is missing → /u],
    [{ op: 'done', numbers: [1] }, /^not_found: there is no step 1 of 0 → call todo op=list/u],
    [{ op: 'drop' }, /^bad_arguments: argument "op" is wrong/u],
  ])('refuses %j with a next step', async (args, message) => {
    expect(await make().call('todo', args)).toMatch(message);
  });

  it('has an end', async () => {
    const { call } = make();
    await call('todo', { op: 'add', items: Array.from({ length: 100 }, (_, index) => `step ${index}`) });
    expect(await call('todo', { op: 'add', items: ['one more'] })).toMatch(/^too_many: .* → call todo op=clear/u);
  });

  it('gives nothing of a note away that WriteVar put into its variable', async () => {
    const { call, variables } = make();
    variables.addVariable('note', 'SECRET', 'ToolCallResult', { notebooks: ['n1'] });
    await call('WriteVar', { name: TODO_VARIABLE, value: '$VAR_REF{{note}}' });
    expect(await call('todo', { op: 'list' })).toMatch(/^name_taken: .* → call RemoveVars/u);
    await call('todo', { op: 'clear' });
    expect(variables.getVariable(TODO_VARIABLE)?.value).toBe('SECRET');
    await call('RemoveVars', { names: [TODO_VARIABLE] });
    await call('todo', { op: 'add', items: ['$VAR_REF{{note}}'] });
    expect(variables.getVariable(TODO_VARIABLE)?.value).toBe('- [ ] $VAR_REF{{note}}');
  });
});

describe('basic group', () => {
  it('runs without asking and hints at the tools that are on', () => {
    const { executor } = make();
    expect(executor.toolRules()).toContain('Use calculate for every calculation');
    executor.setToolEnabled('calculate', false);
    expect(executor.toolRules()).not.toContain('calculate');
    expect(executor.effectOf('todo', '{"op":"list"}')).toBe('read');
    expect(executor.effectOf('todo', '{"op":"add"}')).toBe('write');
    const states = executor.groups().find(({ name }) => name === 'basic')?.tools;
    expect(states?.map(({ name, permission }) => [name, permission.executionPolicy])).toEqual([
      ['datetime', 'auto'],
      ['calculate', 'auto'],
      ['ask_user', 'auto'],
      ['todo', 'auto'],
    ]);
  });
});
