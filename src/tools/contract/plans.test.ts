import { describe, expect, it } from 'vitest';
import { testPlan } from '../testing/support.ts';
import { approvePlan, type ChangePlan, isApprovedPlan } from './plans.ts';

/** Three operations, each of which needs the one before. */
const chained = (): ChangePlan => {
  const plan = testPlan(['one', 'two', 'three']);
  const needs = [[], ['one'], ['two']];
  return { ...plan, operations: plan.operations.map((operation, index) => ({ ...operation, requires: needs[index] ?? [] })) };
};

describe('an approved plan', () => {
  it('has every operation that was accepted, none that needs one that was not, and none that it never had', () => {
    const accepted = (ids?: readonly string[]) => [...approvePlan(chained(), ids).accepted];
    expect(accepted()).toEqual(['one', 'two', 'three']);
    expect(accepted(['one', 'two'])).toEqual(['one', 'two']);
    expect(accepted(['one', 'three', 'four'])).toEqual(['one']);
    expect(accepted(['two', 'three'])).toEqual([]);
  });

  it('goes beyond the right of its notebook only where a person let it', () => {
    const beyond = { ...testPlan(), needsRight: 'delete' } as const;
    expect([approvePlan(beyond).grantedRight, approvePlan(beyond, ['one'], true).grantedRight]).toEqual([undefined, 'delete']);
    expect(approvePlan(testPlan(), undefined, true).grantedRight).toBeUndefined();
  });

  it('is known from a look-alike and a copy, and cannot be changed', () => {
    const approved = approvePlan(testPlan());
    expect([approved, { ...approved }, { plan: testPlan(), accepted: new Set(['one']) }].map(isApprovedPlan)).toEqual([true, false, false]);
    expect(Reflect.set(approved, 'plan', testPlan([]))).toBe(false);
  });
});
