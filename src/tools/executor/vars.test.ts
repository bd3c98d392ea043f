import { describe, expect, it } from 'vitest';
import { callOptions, testExecutor } from '../testing/support.ts';

function make() {
  const { executor } = testExecutor([], { group: { declareSkillRules: { r: { desc: 'a rule', prompt: 'RULE $VAR_REF{{x}}' } } } });
  executor.toggleGroupEnabled('vars', true);
  const call = async (name: string, args: object) => (await executor.execute(name, { ...args }, callOptions())).finalText ?? '';
  return { executor, call };
}

describe('vars group', () => {
  it('reads in parts that say how to go on', async () => {
    const { executor, call } = make();
    executor.varSystem.addVariable('v', '0123456789', 'ToolCallResult');
    expect(await call('ReadVar', { name: 'v', start: 2, length: 3 })).toContain(
      '\n234\nnext: ReadVar name=v start=5 length=3 (of 10 characters)\n',
    );
    expect(await call('ReadVar', { name: 'v', start: 5 })).toContain('\n56789\n</untrusted-data>');
    expect(await call('ReadVar', { name: '$VAR_REF{{v}}' })).toContain('0123456789');
    expect(await call('ReadVar', { name: 'v', start: 10 })).toMatch(/^past_end: .* → use a smaller start/u);
    expect(await call('ReadVar', { name: 'vv' })).toBe('unknown_variable: there is no variable "vv" → use one of: v');
  });

  it('gives rules as they are: they are no data of strangers', async () => {
    expect(await make().call('ReadVar', { name: 'Rule/test/r' })).toBe('RULE $VAR_REF{{x}}');
  });

  it('lists by type and words, page by page', async () => {
    const { executor, call } = make();
    for (let index = 0; index < 30; index++)
      executor.varSystem.addVariable(`v${index}`, 'x', 'LLMAdd', { desc: index < 3 ? 'early' : 'late' });
    expect(await call('ListVars', {})).toContain('31 variables\n- v29 (LLMAdd, 1 characters) – late');
    expect(await call('ListVars', {})).toContain('next: ListVars page=2');
    expect(await call('ListVars', { page: 2 })).toContain('- v0 ');
    expect(await call('ListVars', { filter: { search: 'EARLY' } })).toContain('\n3 variables');
    expect(await call('ListVars', { filter: { type: 'RULE' } })).toContain('Rule/test/r');
    expect(await call('ListVars', { filter: { type: 'Nothing' } })).toMatch(/^bad_arguments: argument "filter.type" is wrong/u);
  });

  it('writes its own variables only, with the notebooks of what went in', async () => {
    const { executor, call } = make();
    executor.varSystem.addVariable('res', 'note text', 'ToolCallResult', { notebooks: ['n1'] });
    executor.varSystem.addVariable('mine', 'user', 'UserAdd');
    expect(await call('WriteVar', { name: 'sum', value: '<$VAR_REF{{res}}>', desc: 'd' })).toContain(
      'kept as \\$VAR_REF{{sum}} (11 characters)',
    );
    expect(executor.varSystem.getVariable('sum')).toMatchObject({ value: '<note text>', type: 'LLMAdd', desc: 'd', notebooks: ['n1'] });
    await call('WriteVar', { name: 'sum', value: 'new' });
    expect(executor.varSystem.getVariable('sum')?.value).toBe('new');
    for (const name of ['res', 'mine', 'Rule/test/r', 'Rule/new'])
      expect(await call('WriteVar', { name, value: 'x' })).toMatch(/^protected_variable/u);
  });

  it('removes what may go', async () => {
    const { executor, call } = make();
    executor.varSystem.addVariable('a', '', 'LLMAdd');
    executor.varSystem.addVariable('b', '', 'LLMAdd', { pinned: true });
    executor.varSystem.addVariable('c', '', 'UserAdd');
    const answer = await call('RemoveVars', { names: ['a', 'b', 'c', 'd', 'Rule/test/r'] });
    expect(answer).toContain('removed: a\nnot removed: b (protected), c (protected), d (not there), Rule/test/r (protected)');
    expect(executor.varSystem.hasVariable('a')).toBe(false);
  });
});
