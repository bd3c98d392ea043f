import type { PlanOperation } from '../../tools/contract/plans.ts';
import type { FakeController } from './fake-controller.ts';
import { operation, plan, request, waitFor } from './write-scenes.ts';

const document = { id: '20260412093000-toread0', title: 'Books to read', path: '/Books to read' };
const COLUMNS = ['Author', 'Year', 'Subject', 'Pages', 'Due'];
const BOOKS = [
  ['Middlemarch', 'George Eliot', '1871', 'novel', '880', '2026-12-24'],
  ['The Design of Everyday Things', 'Don Norman', '1988', 'design', '368', '2027-01-10'],
  ['Seeing Like a State', 'James C. Scott', '1998', 'politics', '445', '2027-02-01'],
  ['Make It Stick', 'Brown et al.', '2014', 'learning', '336', '2027-02-20'],
];
const change = (patch: Partial<PlanOperation>): PlanOperation => operation({ blockType: 'av', database: 'Books', document, ...patch });

const option = change({ id: 'option', action: 'add-option', after: 'design', cell: { row: '', column: 'Subject' } });

/** As the planner makes them: a row, then its cells; an option before the first cell that needs it. */
const added = BOOKS.flatMap(([title = '', ...values], row) => {
  const id = `row-${row}`;
  const cells = values.flatMap((after, column) => {
    const isNew = after === option.after;
    const cell = change({
      ...{ id: `${id}-${column}`, action: 'set-cell', after, cell: { row: title, column: COLUMNS[column] ?? '' } },
      ...{ requires: [id, ...(isNew ? [option.id] : [])], drawnAt: { row: id, column } },
    });
    return isNew ? [option, cell] : [cell];
  });
  return [change({ id, action: 'add-row', after: title, cell: { row: title, column: '' } }), ...cells];
});

const set = (id: string, row: string, column: number, before: string | null, after: string | null): PlanOperation =>
  change({ id, action: 'set-cell', before, after, cell: { row, column: COLUMNS[column] ?? 'Name' }, drawnAt: { row, column } });
const changed = [
  set('pages', 'Middlemarch', 3, '880', '904'),
  set('title', 'Make It Stick', -1, 'Make It Stick', 'Make it stick'),
  set('year', 'Make It Stick', 1, '2013', '2014'),
  set('due', 'Seeing Like a State', 4, '2027-02-01', null),
];
const columns = [
  change({ action: 'rename-column', before: 'Due', after: 'Read by', cell: { row: '', column: 'Read by' } }),
  change({ action: 'remove-column', before: 'Pages (number): 4 filled cells', cell: { row: '', column: 'Pages' } }),
  change({ action: 'remove-row', before: 'Middlemarch; Author: "George Eliot"; Year: 1871', cell: { row: 'Middlemarch', column: '' } }),
];

const write = (id: string, operations: readonly PlanOperation[]) =>
  request(id, 'db_write', plan(operations, { document, notebook: { id: 'nb-projects', name: 'Projects' } }), {
    scope: 'nb-projects add-row',
  });

/** Changes of a database. */
export const tableScenes: Readonly<Record<string, (controller: FakeController) => void>> = {
  table: waitFor(write('rows', added)),
  'table-cells': waitFor(write('cells', changed)),
  'table-columns': waitFor(write('columns', columns)),
};
