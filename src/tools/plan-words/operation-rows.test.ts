import { describe, expect, it } from 'vitest';
import type { PlanOperation } from '../contract/plans.ts';
import { operationGroups } from './operation-groups.ts';
import { operationRows } from './operation-rows.ts';

function operation(patch: Partial<PlanOperation>): PlanOperation {
  return { id: 'o', action: 'update', blockId: 'b', blockType: 'd', before: null, after: null, requires: [], ...patch };
}

const SIGNS = { same: ' ', removed: '-', added: '+' } as const;

/** Rows as text, with their signs; names of a path between bars. */
function drawn(patch: Partial<PlanOperation>): string[] {
  return operationRows(operation(patch)).map((row) => {
    if (row.kind === 'fold') return `… ${row.count}`;
    if (row.kind === 'pair') return `${row.name}: ${row.before} → ${row.after}`;
    if (row.kind === 'position') return `${row.before?.path.join('|')} → ${row.after?.path.join('|')} ${row.after?.at}`;
    if (row.kind === 'path') return `${SIGNS[row.change]}${'  '.repeat(row.depth)}${row.names.join('|')}`;
    return SIGNS[row.kind] + row.parts.map((part) => part.text).join('');
  });
}

const path = (before: string[] | null, after: string[] | null): Pick<PlanOperation, 'path'> => ({ path: { before, after } });

describe('rows of one operation', () => {
  it('draw places as a small tree', () => {
    expect(drawn({ action: 'rename-document', ...path(['Work', 'Apollo'], ['Work', 'Artemis']) })).toEqual([
      ' Work',
      '-  Apollo',
      '+  Artemis',
    ]);
    expect(drawn({ action: 'delete-document', ...path(['Work', '2026', 'Apollo'], null) })).toEqual([' Work|2026', '-  Apollo']);
    expect(drawn({ action: 'create-document', ...path(null, ['Apollo']) })).toEqual(['+Apollo']);
    expect(drawn({ action: 'create-notebook', ...path(null, ['Garden']) })).toEqual(['+Garden']);
  });

  it('draw a move with the notebooks that it leads from and to', () => {
    expect(drawn({ action: 'move-document', ...path(['Projects', 'Work', 'Apollo'], ['Archive', 'Old', 'Apollo']) })).toEqual([
      ' Projects',
      '   Work',
      '-    Apollo',
      ' Archive',
      '   Old',
      '+    Apollo',
    ]);
    // Into a note that has the same name as the note itself: what stands last is never shared.
    expect(drawn({ action: 'move-document', ...path(['N', 'A'], ['N', 'A', 'A']) })).toEqual([' N', '-  A', '   A', '+    A']);
  });

  it('take a title with separators for one name, whatever the words say', () => {
    expect(
      drawn({
        action: 'rename-document',
        before: '/Work › Apollo',
        after: '/Work › Artemis',
        ...path(['Work › Apollo'], ['Old/Work › Artemis']),
      }),
    ).toEqual(['-Work › Apollo', '+Old/Work › Artemis']);
  });

  it('say nothing twice: the source of a copy stays, an opened notebook has no change to draw', () => {
    expect(drawn({ action: 'duplicate-document', ...path(['Work', 'Apollo'], ['Work', 'Apollo copy']) })).toEqual([
      ' Work',
      '+  Apollo copy',
    ]);
    expect(drawn({ action: 'open-notebook', before: 'Garden (closed)', after: 'Garden (open)' })).toEqual([]);
  });

  it('show attributes as they will be set, never as their words read', () => {
    const attributes = [
      { name: 'memo', before: null, after: 'A' },
      { name: 'custom-z', before: 'x', after: 'ok\nmemo = B' },
      { name: 'alias', before: 'Moon', after: null },
    ];
    expect(drawn({ action: 'set-attributes', before: 'alias = Moon', after: 'memo = A\ncustom-z = ok\nmemo = B', attributes })).toEqual([
      'memo: null → A',
      'custom-z: x → ok\nmemo = B',
      'alias: Moon → null',
    ]);
  });

  it('show the words of a record that has nothing else, without reading them', () => {
    expect(drawn({ action: 'set-attributes', before: 'memo = x', after: 'memo = y\nz = 1' })).toEqual(['-memo = x', '+memo = y', '+z = 1']);
    expect(drawn({ action: 'rename-document', before: '/A › B', after: '/C' })).toEqual([': /A › B → /C']);
    expect(drawn({ action: 'move', before: 'x', after: 'x', from: 'A › B', to: 'C' })).toEqual([': A › B → C', ' x']);
  });

  it('show the way of a moved block, then the head of its text', () => {
    const text = '- a\n- b\n- c\n- d';
    const position = { before: { path: ['Apollo', 'Plan'] }, after: { path: ['Apollo', 'Done'], at: 'end' } } as const;
    expect(drawn({ action: 'move', before: text, after: text, position })).toEqual(['Apollo|Plan → Apollo|Done end', ' a', ' b', '… 2']);
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
