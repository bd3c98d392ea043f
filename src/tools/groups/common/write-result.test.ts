import { describe, expect, it } from 'vitest';
import { approvePlan, type ChangePlan, type PlanOperation } from '../../contract/plans.ts';
import { readResult } from '../../executor/read-result.ts';
import { writeResult } from './write-result.ts';

const NOTE = '20260412093011-abc1234';
const BLOCK = '20260412093012-abc1234';

const operation = (id: string, more: Partial<PlanOperation>): PlanOperation => ({
  ...{ id, action: 'insert', blockId: '', blockType: 'p', before: null, after: 'text', requires: [] },
  ...more,
});

const plan = (operations: readonly PlanOperation[]): ChangePlan => ({
  ...{ id: 'plan', tool: 'change_blocks', notebook: { id: 'n', name: 'Work' }, operations, anchorId: null },
  ...{ document: { id: NOTE, title: 'Apollo', path: '/Apollo' }, undo: { kind: 'exact' }, notices: [] },
});

const resultOf = (operations: readonly PlanOperation[], accepted: readonly string[]) =>
  writeResult('changed', approvePlan(plan(operations), accepted), { blockIds: [], hashes: {}, documentId: NOTE, undo: 'exact' });

describe('What the user left out of a change', () => {
  const some = [
    operation('a', { after: 'First' }),
    operation('b', { action: 'update', blockId: BLOCK, before: 'old', after: 'See ((20260412093013-abc1234 "a **secret** plan"))' }),
    operation('c', { blockId: '20260412093014-abc1234', after: '## Next **time**', blockType: 'h' }),
  ];

  it('is told to the model by place, since the words may show what is hidden from it', () => {
    const { data } = resultOf(some, ['a']);
    expect(data).toContain(`; the user left out 2 of 3 changes: 2 (update ${BLOCK}), 3 (insert h)\n`);
    expect(data).not.toContain('secret');
  });

  it('is kept in words for the user', () => {
    const { written } = readResult(resultOf(some, ['a']), 'write');
    expect(written).toMatchObject({ leftOut: 2, planned: 3, leftOutWords: ['See a secret plan', 'Next time'] });
  });

  it('is kept in few words, however much it is', () => {
    const many = Array.from({ length: 90 }, (_, index) => operation(String(index), { after: 'long '.repeat(500) }));
    const { data, written } = resultOf(many, ['0']);
    expect(written?.leftOut).toBe(89);
    expect(written?.leftOutWords).toHaveLength(5);
    expect(Math.max(...(written?.leftOutWords ?? []).map(({ length }) => length))).toBeLessThanOrEqual(60);
    expect(String(data)).toMatch(/, 31 \(insert p\), …\n/);
  });

  it('is not spoken of where nothing was', () => {
    const { data, written } = resultOf(some, ['a', 'b', 'c']);
    expect(data).not.toContain('left out');
    expect(written).toEqual({ blockIds: [], documentId: NOTE, title: 'Apollo', undoable: true });
  });
});
