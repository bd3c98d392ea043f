import type { PlanOperation } from '../../tools/contract/plans.ts';

interface TableColumn {
  readonly key: string;
  readonly name: string;
}

export interface ChangedRow {
  readonly title: string;
  /** Present if the row is new. */
  readonly added?: PlanOperation;
  /** New titles of a row that exists. */
  readonly titles: readonly PlanOperation[];
  readonly cells: ReadonlyMap<string, readonly PlanOperation[]>;
  /** All that is done to the row. */
  readonly operations: readonly PlanOperation[];
}

export interface ChangeTable {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly ChangedRow[];
  /** Changes that are no cell of a row: of columns, of whole rows. */
  readonly others: readonly PlanOperation[];
}

const columnKey = ({ drawnAt, cell }: PlanOperation): string => (drawnAt ? String(drawnAt.column) : (cell?.column ?? ''));
const isTitle = ({ drawnAt }: PlanOperation): boolean => drawnAt?.column === -1;

/** Operations by their rows. Of a record only titles are known: a row ends where the title changes, or a column comes again. */
function rowsOf(operations: readonly PlanOperation[]): readonly PlanOperation[][] {
  const rows = new Map<string, PlanOperation[]>();
  let last = '';
  for (const operation of operations) {
    const { id, action, cell, requires, drawnAt } = operation;
    const made = action === 'add-row' ? id : requires.find((each) => rows.has(each));
    const open = rows.get(last);
    const goesOn = open?.every(
      (each) => each.cell?.row === cell?.row && (each.action === 'add-row' || columnKey(each) !== columnKey(operation)),
    );
    last = made ?? drawnAt?.row ?? (goesOn ? last : id);
    rows.set(last, [...(rows.get(last) ?? []), operation]);
  }
  return [...rows.values()];
}

/** Changes of a database as its table: rows in their order, columns in that of the database, as far as they are known. */
export function changeTable(all: readonly PlanOperation[]): ChangeTable {
  const needed = new Set(all.flatMap(({ requires }) => requires));
  const inRows = all.filter(({ action }) => action === 'set-cell' || action === 'add-row');
  const cells = inRows.filter((operation) => operation.action === 'set-cell' && !isTitle(operation));
  const columns = [...new Map(cells.map((each) => [columnKey(each), each] as const))]
    .sort(([, one], [, other]) => (one.drawnAt?.column ?? 0) - (other.drawnAt?.column ?? 0))
    .map(([key, { cell }]) => ({ key, name: cell?.column ?? '' }));
  const rows = rowsOf(inRows).map((operations): ChangedRow => {
    const added = operations.find(({ action }) => action === 'add-row');
    const own = operations.filter((each) => each !== added && !isTitle(each));
    return {
      title: operations[0]?.cell?.row ?? '',
      ...(added ? { added } : {}),
      titles: operations.filter(isTitle),
      cells: new Map(columns.map(({ key }) => [key, own.filter((each) => columnKey(each) === key)])),
      operations,
    };
  });
  // An option is drawn in the cells that need it.
  const others = all.filter((each) => !inRows.includes(each) && !(each.action === 'add-option' && needed.has(each.id)));
  return { columns, rows, others };
}
