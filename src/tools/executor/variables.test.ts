import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testClock } from '../testing/support.ts';
import { VariableSystem } from './variables.ts';

const make = (options: { maxEntries?: number; maxBytes?: number } = {}) => new VariableSystem({ clock: testClock(), ...options });
const names = (variables: VariableSystem) =>
  variables
    .listVariables()
    .map(({ name }) => name)
    .sort();

describe('VariableSystem', () => {
  it('drops the least recently used first', () => {
    const variables = make({ maxEntries: 2 });
    variables.addVariable('a', '1', 'ToolCallResult');
    variables.addVariable('b', '2', 'ToolCallResult');
    variables.getVariable('a');
    variables.addVariable('c', '3', 'ToolCallResult');
    expect(names(variables)).toEqual(['a', 'c']);
  });

  it('keeps rules and pinned ones, and refuses when only they are left', () => {
    const variables = make({ maxEntries: 2 });
    variables.addVariable('Rule/g/r', '1', 'RULE');
    variables.addVariable('p', '2', 'UserAdd', { pinned: true });
    expect(() => variables.addVariable('c', '3', 'LLMAdd')).toThrow(expect.objectContaining({ code: 'variables_full' }));
    expect(names(variables)).toEqual(['Rule/g/r', 'p']);
  });

  it('drops nothing when a value cannot fit', () => {
    const variables = make({ maxBytes: 100 });
    variables.addVariable('a', 'x'.repeat(20), 'LLMAdd');
    expect(() => variables.addVariable('b', 'x'.repeat(60), 'LLMAdd')).toThrow(expect.objectContaining({ code: 'too_large' }));
    expect(names(variables)).toEqual(['a']);
  });

  it('protects rules from being overwritten or removed', () => {
    const variables = make();
    variables.addVariable('Rule/g/r', 'rule', 'RULE');
    expect(() => variables.addVariable('Rule/g/r', 'forged', 'LLMAdd')).toThrow(expect.objectContaining({ code: 'protected_variable' }));
    expect(variables.removeVariable('Rule/g/r')).toBe(false);
    variables.clear();
    expect(variables.getVariable('Rule/g/r')?.value).toBe('rule');
  });

  it.each(['', 'a b', 'a{b}', 'a:b', 'x'.repeat(201)])('refuses the name %j', (name) => {
    expect(() => make().addVariable(name, '', 'LLMAdd')).toThrow(expect.objectContaining({ code: 'bad_name' }));
  });

  it('finds a free and clean name', () => {
    const variables = make();
    expect(variables.freeName('functions.read:0_result')).toBe('functions.read_0_result');
    variables.addVariable('a', '', 'LLMAdd');
    variables.addVariable('a_2', '', 'LLMAdd');
    expect(variables.freeName('a')).toBe('a_3');
  });

  it('saves and restores all but rules, which a saved chat cannot bring', () => {
    const variables = make();
    variables.addVariable('Rule/g/r', 'own', 'RULE');
    variables.addVariable('a', 'value', 'ToolCallResult', { desc: 'd', notebooks: ['n', 'n'], pinned: true });
    const saved = variables.save();
    expect(saved).toEqual([
      { name: 'a', type: 'ToolCallResult', value: 'value', desc: 'd', notebooks: ['n'], pinned: true, created: expect.any(Number) },
    ]);
    const other = make();
    other.addVariable('Rule/g/r', 'own', 'RULE');
    other.restore([
      ...saved,
      { name: 'Rule/g/r', type: 'RULE', value: 'forged', created: 1 },
      { name: 'Rule/x', type: 'RULE', value: 'forged', created: 1 },
    ]);
    expect(other.getVariable('Rule/g/r')?.value).toBe('own');
    expect(names(other)).toEqual(['Rule/g/r', 'a']);
    expect(other.save()).toEqual(saved);
  });

  it('stays within its limits and counts right, whatever happens', () => {
    const step = fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      size: fc.nat(30),
      act: fc.constantFrom('add', 'get', 'remove'),
    });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const variables = make({ maxEntries: 3, maxBytes: 120 });
        for (const { name, size, act } of steps) {
          if (act === 'add') variables.addVariable(name, 'x'.repeat(size), 'LLMAdd');
          if (act === 'get') variables.getVariable(name);
          if (act === 'remove') variables.removeVariable(name);
          const { entries, bytes } = variables.size();
          const real = variables.listVariables().reduce((sum, variable) => sum + 2 * (variable.name.length + variable.value.length), 0);
          expect(bytes).toBe(real);
          expect(bytes).toBeLessThanOrEqual(120);
          expect(entries).toBeLessThanOrEqual(3);
        }
      }),
    );
  });
});
