import { describe, expect, it } from 'vitest';
import type { ProposedChange } from '../../tools/contract/plans.ts';
import { readProposed } from './saved-calls.ts';

const document = { id: 'd', title: 'Apollo', path: '/Apollo' };
const common = { blockId: 'b', blockType: 'p', before: null, after: null, requires: [] };

describe('what a saved call was about to change', () => {
  it('comes back with its structured values', () => {
    const proposed: ProposedChange = {
      document,
      operations: [
        { ...common, id: '1', action: 'set-attributes', attributes: [{ name: 'memo', before: null, after: 'ok\nz = 1' }] },
        { ...common, id: '2', action: 'rename-document', path: { before: ['A › B'], after: ['A', 'B'] } },
        {
          ...common,
          id: '3',
          action: 'move',
          position: { before: { path: ['Apollo'] }, after: { path: ['Apollo', 'Plan'], at: 'after', block: { type: 'p', words: 'x' } } },
        },
      ],
    };
    expect(readProposed(JSON.parse(JSON.stringify(proposed)))).toEqual(proposed);
  });

  it('comes back as words where an older version saved nothing else', () => {
    const old = {
      document,
      operations: [{ ...common, id: '1', action: 'move', before: 'x', after: 'x', from: 'A › B', to: 'C' }],
    };
    expect(readProposed(old)).toEqual(old);
    expect(
      readProposed({ document, operations: [{ ...common, id: '1', action: 'move', position: { after: { path: 'A' } } }] }),
    ).toBeUndefined();
  });
});
