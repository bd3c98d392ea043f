import { describe, expect, it } from 'vitest';
import type { PlanOperation } from '../../tools/contract/plans.ts';
import { operationGroups } from './operation-groups.ts';
import { operationRows } from './operation-rows.ts';

function operation(patch: Partial<PlanOperation>): PlanOperation {
  return { id: 'o', action: 'update', blockId: 'b', blockType: 'd', before: null, after: null, requires: [], ...patch };
}

/** Rows as text, with their signs. */
function drawn(patch: Partial<PlanOperation>): string[] {
  const signs = { same: ' ', removed: '-', added: '+' };
  return operationRows(operation(patch)).map((row) => {
    if (row.kind === 'fold') return `… ${row.count}`;
    if (row.kind === 'pair') return `${row.name}: ${row.before} → ${row.after}`;
    return signs[row.kind] + row.parts.map((part) => part.text).join('');
  });
}

describe('rows of one operation', () => {
  it('draw places as a small tree', () => {
    expect(drawn({ action: 'rename-document', before: '/Work/Apollo', after: '/Work/Artemis' })).toEqual([
      ' Work',
      '-    Apollo',
      '+    Artemis',
    ]);
    expect(drawn({ action: 'delete-document', before: '/Work/2026/Apollo' })).toEqual([' Work › 2026', '-    Apollo']);
    expect(drawn({ action: 'create-document', after: '/Apollo' })).toEqual(['+Apollo']);
    expect(drawn({ action: 'create-notebook', after: 'Garden' })).toEqual(['+Garden']);
  });

  it('draw a move with the notebooks that it leads from and to', () => {
    expect(
      drawn({ action: 'move-document', before: '/Work/Apollo', after: '/Old/Apollo', from: 'Projects › Work', to: 'Archive › Old' }),
    ).toEqual([' Projects', '     Work', '-        Apollo', ' Archive', '     Old', '+        Apollo']);
    // Into a note that has the same name as the note itself: what stands last is never shared.
    expect(drawn({ action: 'move-document', before: '/A', after: '/A/A', from: 'N', to: 'N › A' })).toEqual([
      ' N',
      '-    A',
      '     A',
      '+        A',
    ]);
  });

  it('say nothing twice: the source of a copy stays, an opened notebook has no change to draw', () => {
    expect(drawn({ action: 'duplicate-document', before: '/Work/Apollo', after: '/Work/Apollo copy' })).toEqual([
      ' Work',
      '+    Apollo copy',
    ]);
    expect(drawn({ action: 'open-notebook', before: 'Garden (closed)', after: 'Garden (open)' })).toEqual([]);
  });

  it('show attributes by name, and fold those that stay', () => {
    expect(
      drawn({
        action: 'set-attributes',
        before: 'alias = Moon\nstatus = open\nmemo = two\nlines',
        after: 'alias = Moon\nstatus = done\nowner = a = b',
      }),
    ).toEqual(['status: open → done', 'memo: two\nlines → null', 'owner: null → a = b', '… 1']);
    expect(drawn({ action: 'set-attributes', before: 'memo = x', after: 'memo = ' })).toEqual(['memo: x → null']);
  });

  it('show the way of a moved block, then the head of its text', () => {
    const text = '- a\n- b\n- c\n- d';
    expect(drawn({ action: 'move', before: text, after: text, from: 'Apollo › Plan', to: 'Apollo › Done' })).toEqual([
      ': Apollo › Plan → Apollo › Done',
      ' a',
      ' b',
      '… 2',
    ]);
    expect(drawn({ action: 'delete', before: 'gone' })).toEqual(['-gone']);
    // A file may be a program.
    expect(drawn({ action: 'write-file', before: null, after: '# \u202eon' })).toEqual(['+# ⟨U+202E⟩on']);
  });
});

describe('groups of operations', () => {
  const apollo = { id: 'd1', title: 'Apollo', path: '/Apollo' };
  const plan = { id: 'd2', title: 'Plan', path: '/Plan' };

  it('stand under their notes where a plan touches several', () => {
    const operations = [
      operation({ id: '1', document: apollo }),
      operation({ id: '2', document: plan }),
      operation({ id: '3', document: apollo }),
    ];
    expect(
      operationGroups({ operations, document: apollo }).map((group) => [group.document?.title, group.operations.map(({ id }) => id)]),
    ).toEqual([
      ['Apollo', ['1', '3']],
      ['Plan', ['2']],
    ]);
  });

  it('have no head for one note, nor for notes as wholes', () => {
    expect(operationGroups({ operations: [operation({ document: apollo })], document: apollo }).map((group) => group.document)).toEqual([
      undefined,
    ]);
    const deleted = [apollo, plan].map((document) => operation({ action: 'delete-document', document }));
    expect(operationGroups({ operations: deleted, document: apollo })).toHaveLength(1);
  });
});
