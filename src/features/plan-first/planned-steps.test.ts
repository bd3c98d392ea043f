import { describe, expect, it } from 'vitest';
import type { Node } from '../../chat/session/types.ts';
import type { ChangePlan } from '../../tools/contract/plans.ts';
import { PlannedSteps } from './planned-steps.ts';
import { names, stepsOf } from './steps.ts';

const STEPS = ['Lamp: add when it was lit', 'Apollo 11: move to the archive', '灯塔：补上日期'];

describe('a step', () => {
  it.each([
    ['Lamp', true],
    ['lamp', true],
    ['Lam', false],
    ['Apollo', true],
    ['Apollo 1', false],
    ['灯塔', true],
    ['', false],
    ['Harbour', false],
  ])('names %j: %s', (title, is) => expect(STEPS.some((step) => names(step, { id: null, title }))).toBe(is));

  it('names a note by its id, and stands on one line', () => {
    expect(names('20260412093012-abc1234: add a line', { id: '20260412093012-abc1234', title: 'x' })).toBe(true);
    expect(stepsOf({ steps: [' a\n b ', '  ', 7] })).toEqual(['a b']);
  });
});

describe('writes of a chat that plans first', () => {
  const plan = (...titles: readonly string[]): ChangePlan => ({
    ...{ id: 'p', tool: 'edit_block', notebook: { id: 'n', name: 'Life' }, anchorId: null, undo: { kind: 'exact' }, notices: [] },
    document: { id: null, title: titles[0] ?? '', path: '' },
    operations: titles.map((title, index) => ({
      ...{ id: `o${index}`, action: 'update', blockId: 'b', blockType: 'p', before: 'a', after: 'b', requires: [] },
      document: { id: null, title, path: '' },
    })),
  });
  const answer = (id: string, status: string): Node =>
    ({
      id,
      currentVersionId: 'v',
      versions: { v: { toolChainResult: { toolCallHistory: [{ toolName: 'propose_plan', args: { steps: STEPS }, result: { status } }] } } },
    }) as never;
  const gate = (steps: PlannedSteps, node: string, ...titles: readonly string[]) =>
    steps.gate({ tool: 'edit_block', plan: plan(...titles), nodeId: node });
  const outside = [{ code: 'outside-plan', count: 1, personOnly: true }];

  it('wait until a list is accepted', () => {
    const steps = new PlannedSteps(() => [answer('before', 'execution_rejected')]);
    expect(() => gate(steps, 'now', 'Lamp')).toThrow('a plan first');
    expect(() => steps.gate({ tool: 'exec', program: { code: 'rm' } as never, nodeId: 'now' })).toThrow('a plan first');
    expect(steps.gate({ tool: 'propose_plan', plan: plan('x'), nodeId: 'now' })).toEqual([]);
    expect(() => steps.plan({ steps: [' '] }, 'c')).toThrow('no step');
  });

  it('pass by the steps of the list, and what belongs to none is said in the same answer', () => {
    const steps = new PlannedSteps(() => []);
    expect(steps.accept({ steps: STEPS }, { nodeId: 'now' }).data).toContain('2. Apollo 11: move');
    expect(gate(steps, 'now', 'Lamp')).toEqual([]);
    expect(gate(steps, 'now', 'Lamp', 'Harbour')).toEqual(outside);
    expect(steps.gate({ tool: 'exec', program: { code: 'rm' } as never, nodeId: 'now' })).toEqual(outside);
    expect(() => gate(steps, 'later', 'Lamp')).toThrow('a plan first');
  });

  it('go by the last list of the messages after a reload, and in later answers by nothing else', () => {
    const steps = new PlannedSteps(() => [answer('then', 'success'), answer('later', 'execution_rejected')]);
    expect(gate(steps, 'now', 'Lamp')).toEqual([]);
    expect(() => gate(steps, 'now', 'Harbour')).toThrow('no step that the user accepted');
    expect(gate(steps, 'then', 'Harbour')).toEqual(outside);
  });
});
