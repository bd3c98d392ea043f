import { describe, expect, it } from 'vitest';
import type { PlanOperation } from '../../tools/contract/plans.ts';
import { changeTable } from './change-table.ts';

const operation = (id: string, patch: Partial<PlanOperation>): PlanOperation => ({
  ...{ id, action: 'set-cell', blockId: 'b', blockType: 'av', before: null, after: 'x', requires: [] },
  ...patch,
});
const cell = (id: string, row: string, column: string, patch: Partial<PlanOperation> = {}) =>
  operation(id, { cell: { row, column }, ...patch });
const shown = (operations: readonly PlanOperation[]) => {
  const { columns, rows, others } = changeTable(operations);
  return {
    columns: columns.map(({ name }) => name),
    rows: rows.map(({ title, cells }) => [title, ...[...cells.values()].map((all) => all.map(({ id }) => id).join())]),
    others: others.map(({ id }) => id),
  };
};

describe('changes of a database as a table', () => {
  it('have the columns in the order of the database, and rows of one title apart', () => {
    const at = (row: string, column: number) => ({ drawnAt: { row, column } });
    expect(
      shown([
        cell('1', 'A', 'Last', at('r1', 5)),
        cell('2', 'A', 'First', at('r1', 0)),
        cell('3', 'A', 'Same', at('r2', 2)),
        cell('4', 'B', 'Same', at('r3', 3)),
      ]),
    ).toEqual({
      columns: ['First', 'Same', 'Same', 'Last'],
      rows: [
        ['A', '2', '', '', '1'],
        ['A', '', '3', '', ''],
        ['B', '', '', '4', ''],
      ],
      others: [],
    });
  });

  it('have new rows with their cells, and an option where it is needed', () => {
    const row = (id: string) => operation(id, { action: 'add-row', cell: { row: 'A', column: '' } });
    const option = operation('o', { action: 'add-option', cell: { row: '', column: 'Kind' } });
    const needed = [
      row('r'),
      option,
      cell('c', 'A', 'Kind', { requires: ['r', 'o'] }),
      row('s'),
      cell('d', 'A', 'Kind', { requires: ['s'] }),
    ];
    expect(shown(needed)).toEqual({
      columns: ['Kind'],
      rows: [
        ['A', 'c'],
        ['A', 'd'],
      ],
      others: [],
    });
    expect(shown([option]).others).toEqual(['o']);
  });

  it('of a record, where only titles are known, loses none of one column', () => {
    expect(shown([cell('1', 'A', 'X'), cell('2', 'A', 'Y'), cell('3', 'A', 'X'), cell('4', 'B', 'Y')]).rows).toEqual([
      ['A', '1', '2'],
      ['A', '3', ''],
      ['B', '', '4'],
    ]);
  });
});
