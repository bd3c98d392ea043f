import {
  type ColumnChange,
  type DatabaseChange,
  NEW_COLUMN_TYPES,
  type NewColumn,
  type NewDatabase,
} from '../../tools/contract/databases.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { ChangePlan } from '../../tools/contract/plans.ts';
import { areAlike } from '../../tools/equal-text/equal-text.ts';
import { preview } from '../../tools/util/graphemes.ts';
import { listText, quoted } from '../../tools/util/line-parts.ts';
import { freshId } from '../blocks/block-dom.ts';
import { assertPlainName } from '../content/plain-name.ts';
import { cellText } from '../databases/cell-text.ts';
import { columnIdsOf, type DatabaseKey, valueIn } from '../databases/database-format.ts';
import { previousIn, viewOfBlock } from '../databases/database-operations.ts';
import { type DatabaseBlock, locateDatabase, readableDatabases } from '../databases/database-places.ts';
import { boundBlock, titleOfRow } from '../databases/readable-rows.ts';
import type { RawValue, StoredChange } from '../databases/stored-change.ts';
import { boundBy } from '../documents/structure-database.ts';
import { openPlace } from '../reading/readable-place.ts';
import {
  CellPlanner,
  columnNamed,
  MOST_CHANGES,
  MOST_OPERATIONS,
  type OpenDatabase,
  openDatabase,
  plannedChange,
  rowNamed,
  rowText,
} from './database-rows.ts';
import type { PlanMaker, PlannedStep, StructurePlannerDeps } from './structure-plan.ts';

const hasRows = (relation: unknown): boolean => (relation as { readonly blockIDs?: readonly unknown[] } | null)?.blockIDs?.length !== 0;

/** Databases whose cells SiYuan changes along: a column is linked with them both ways. */
function linkedBothWays({ stored }: OpenDatabase, change: StoredChange): readonly string[] {
  const filled = change.do === 'remove-row' ? change.values.filter(({ relation }) => relation && hasRows(relation)) : [];
  const keys = change.do === 'cell' ? [change.keyId] : filled.map(({ keyID }) => keyID);
  return stored.keyValues.flatMap(({ key }) => (keys.includes(key.id) && key.relation?.isTwoWay ? key.relation.avID : []));
}

/** One block in each other notebook that shows the database. */
function elsewhere(known: readonly DatabaseBlock[], databaseId: string, own: string): readonly string[] {
  const shown = known.filter((block) => block.databaseId === databaseId && block.place.notebook !== own);
  return [...new Map(shown.map(({ blockId, place }) => [place.notebook, blockId])).values()];
}

/** Notes on each step the blocks of other notebooks that it changes. Rejects with `no_right`, or `bad_target` for an unreadable one. */
async function withElsewhere(
  deps: StructurePlannerDeps,
  { open, known }: { readonly open: OpenDatabase; readonly known: readonly DatabaseBlock[] },
  planned: readonly PlannedStep[],
  signal: AbortSignal,
): Promise<readonly PlannedStep[]> {
  const own = open.located.place.notebook.id;
  const mirrors = elsewhere(known, open.located.databaseId, own);
  const asked = new Set<string>();
  const marked = planned.map((each): PlannedStep => {
    if (each.step.kind !== 'database') return each;
    const { change } = each.step;
    const linked = linkedBothWays(open, change);
    if (linked.some((id) => known.every(({ databaseId }) => databaseId !== id)))
      throw new ToolError('bad_target', 'a column is linked both ways with a database that may not be read', 'tell the user');
    const alsoAt = [...mirrors, ...linked.flatMap((id) => elsewhere(known, id, own))];
    for (const id of [...alsoAt, ...boundBy(change)]) asked.add(id);
    return alsoAt.length === 0 ? each : { ...each, step: { ...each.step, alsoAt } };
  });
  for (const id of asked) {
    const place = await deps.access.locate(id, 'read', signal);
    // Of its own notebook the approval asks.
    if (place.notebook.id !== own) await deps.access.locate(id, 'write', signal);
  }
  return marked;
}

type DatabasePlannerDeps = StructurePlannerDeps & { readonly maker: PlanMaker };

const MAX_NAME = 200;
const TITLE_COLUMN = 'Name';

/** SiYuan shows it in menus. */
function checkedName(name: string, what: string): string {
  const text = name.replaceAll(/\s+/gu, ' ').trim();
  if (text === '') throw new ToolError('empty_text', `the ${what} has no name`, `give the name of the ${what}`);
  if (text.length > MAX_NAME)
    throw new ToolError('too_large', `the name of the ${what} is longer than ${MAX_NAME} characters`, 'give a shorter one');
  assertPlainName(text, `name of the ${what}`);
  return text;
}

const KERNEL_TYPES: Readonly<Record<string, string>> = { 'multi-select': 'mSelect', asset: 'mAsset' };

async function newKey(deps: StructurePlannerDeps, { name, type, options = [], target }: NewColumn, signal: AbortSignal): Promise<RawValue> {
  if (!NEW_COLUMN_TYPES.some((each) => each === type))
    throw new ToolError(
      'bad_value',
      `"${preview(type, 40)}" is no type of a column that can be added`,
      `give one of: ${NEW_COLUMN_TYPES.join(', ')}`,
    );
  const isSelect = type === 'select' || type === 'multi-select';
  if (options.length > 0 && !isSelect) throw new ToolError('bad_value', `a column of type ${type} has no options`, 'leave options out');
  const names = [...new Set(options.map((option) => checkedName(option, 'option')))];
  if ((type === 'relation') !== (target !== undefined && target !== ''))
    throw new ToolError(
      'bad_value',
      'a relation leads to a database, other columns to none',
      'give target, the id of the other database, with type=relation only',
    );
  const other = target ? await locateDatabase(deps, target, signal) : undefined;
  return {
    ...{ id: freshId(deps.clock, deps.random), name: checkedName(name, 'column'), type: KERNEL_TYPES[type] ?? type },
    ...(names.length > 0 ? { options: names.map((option, index) => ({ name: option, color: String((index % 13) + 1), desc: '' })) } : {}),
    ...(other ? { relation: { avID: other.databaseId, isTwoWay: false, backKeyID: '' } } : {}),
  };
}

const keyText = ({ name, type, options }: RawValue): string => {
  const names = Array.isArray(options) ? options.map((option: RawValue) => String(option.name)) : [];
  return `${quoted(String(name))} (${type}${names.length > 0 ? `: ${listText(names)}` : ''})`;
};

/** Columns are addressed by names that differ in more than case. `own`: the column that gets the name. */
function requireFreeName({ stored }: OpenDatabase, name: string, planned: readonly PlannedStep[], own?: string): void {
  const made = planned.map(({ shown }) =>
    shown.action === 'add-column' || shown.action === 'rename-column' ? shown.cell?.column : undefined,
  );
  const taken = [...stored.keyValues.flatMap(({ key }) => (key.id === own ? [] : [key.name])), ...made].find(
    (each) => each !== undefined && areAlike(each, name),
  );
  if (taken !== undefined) throw new ToolError('path_exists', `there is already a column "${taken}"`, 'use it, or choose another name');
}

function removal(open: OpenDatabase, key: DatabaseKey, order: readonly string[], shownView: string): PlannedStep {
  const found = open.stored.keyValues.find((each) => each.key.id === key.id);
  const view = viewOfBlock(open.stored, shownView);
  const layout = view?.table?.columns ?? view?.gallery?.cardFields ?? view?.kanban?.fields ?? [];
  const look = (layout?.find(({ id }) => id === key.id) ?? {}) as RawValue;
  // Cells of hidden rows are neither shown nor counted.
  const filled = open.rows.filter(({ values }) => cellText(values.get(key.id)) !== '').length;
  const before = `${keyText(key)}: ${filled} filled cells`;
  const values = (found?.values ?? []) as readonly RawValue[];
  return plannedChange(
    open,
    { action: 'remove-column', before, after: null, cell: { row: '', column: key.name } },
    { do: 'remove-column', key, previous: previousIn(order, key.id) ?? '', look, values: [...values] },
  );
}

class ColumnPlanner {
  readonly planned: PlannedStep[] = [];
  private readonly deps: StructurePlannerDeps;
  private readonly open: OpenDatabase;
  private readonly shownView: string;
  private readonly order: readonly string[];
  /** The last column, when those that were added behind it are there. */
  private last: string;

  constructor(deps: StructurePlannerDeps, open: OpenDatabase, shownView: string) {
    this.deps = deps;
    this.open = open;
    this.shownView = shownView;
    const view = viewOfBlock(open.stored, shownView);
    this.order = view ? columnIdsOf(view) : [];
    this.last = this.order.at(-1) ?? '';
  }

  async plan(change: ColumnChange, signal: AbortSignal): Promise<void> {
    if (change.op === 'add') return this.add(change, signal);
    const key = columnNamed(this.open, change.column);
    const cell = { row: '', column: key.name };
    if (change.op === 'rename') {
      const name = checkedName(change.name, 'column');
      if (name === key.name) return;
      requireFreeName(this.open, name, this.planned, key.id);
      const stored: StoredChange = { do: 'rename-column', keyId: key.id, type: key.type, before: key.name, after: name };
      this.planned.push(
        plannedChange(this.open, { action: 'rename-column', before: key.name, after: name, cell: { row: '', column: name } }, stored),
      );
      return;
    }
    if (change.op === 'move') {
      const [before, after] = [previousIn(this.order, key.id) ?? '', this.previous(change.after)];
      if (after === key.id || after === before) return;
      const [old, fresh] = [before, after].map((id) => this.nameOf(id));
      const stored: StoredChange = { do: 'move-column', keyId: key.id, before, after };
      this.planned.push(plannedChange(this.open, { action: 'move-column', before: old ?? '', after: fresh ?? '', cell }, stored));
      return;
    }
    if (key.type === 'block') throw new ToolError('bad_target', `"${key.name}" is the title of the rows`, 'choose another column');
    if (key.relation?.isTwoWay)
      throw new ToolError(
        'bad_target',
        `"${key.name}" is linked both ways: Undo could not bring it back`,
        'ask the user to remove it in SiYuan',
      );
    this.planned.push(removal(this.open, key, this.order, this.shownView));
  }

  private async add(change: Extract<ColumnChange, { readonly op: 'add' }>, signal: AbortSignal): Promise<void> {
    const key = await newKey(this.deps, change, signal);
    const name = String(key.name);
    requireFreeName(this.open, name, this.planned);
    const previous = change.after === undefined ? this.last : this.previous(change.after);
    if (change.after === undefined) this.last = String(key.id);
    const shown = { action: 'add-column', before: null, after: keyText(key), cell: { row: '', column: name } } as const;
    this.planned.push(plannedChange(this.open, shown, { do: 'add-column', key, previous }));
  }

  private previous(after: string | undefined): string {
    return after === undefined || after === '' ? '' : columnNamed(this.open, after).id;
  }

  private nameOf(id: string): string {
    return this.open.stored.keyValues.find(({ key }) => key.id === id)?.key.name ?? '';
  }
}

/** Rows have the same places in every view, so that they come back where they were. */
function isAlikeInViews({ stored: { views } }: OpenDatabase, rowIds: readonly string[]): boolean {
  const [first, ...others] = views.map(({ itemIds }) => rowIds.map((id) => previousIn(itemIds ?? [], id)));
  return others.every((each) => JSON.stringify(each) === JSON.stringify(first));
}

/** Tells if rows return to their places in sorted views: SiYuan puts never filled cells last, and an emptied one counts as filled. */
function keepsOrder({ stored }: OpenDatabase, planned: readonly PlannedStep[]): boolean {
  const sorted = new Set(stored.views.flatMap(({ sorts }) => (sorts ?? []).map(({ column }) => column)));
  return planned.every(({ step }) => {
    if (step.kind !== 'database' || step.change.do !== 'cell' || !sorted.has(step.change.keyId)) return true;
    const value = valueIn(stored, step.change.keyId, step.change.itemId);
    return value !== undefined && (cellText(value) !== '' || value.createdAt !== value.updatedAt);
  });
}

async function plannedSteps(
  deps: StructurePlannerDeps,
  open: OpenDatabase,
  change: DatabaseChange,
  signal: AbortSignal,
): Promise<{ readonly planned: readonly PlannedStep[]; readonly undo: ChangePlan['undo'] }> {
  const exact: ChangePlan['undo'] = { kind: 'exact' };
  const partial: ChangePlan['undo'] = { kind: 'partial', notes: ['database-views'] };
  if (change.op === 'add_rows' || change.op === 'set_cells') {
    const cells = new CellPlanner(deps, open, change.newOptions, signal);
    if (change.op === 'add_rows') {
      for (const row of change.rows) await cells.addRow(row);
      return { planned: cells.planned, undo: exact };
    }
    for (const { row, values } of change.rows) await cells.setCells(rowNamed(open, row), values);
    const isExact = keepsOrder(open, cells.planned);
    return { planned: cells.planned, undo: isExact ? exact : { kind: 'partial', notes: ['database-order'] } };
  }
  if (change.op === 'remove_rows') {
    const rows = [...new Set(change.rows)].map((row) => rowNamed(open, row));
    const order = viewOfBlock(open.stored, '')?.itemIds ?? [];
    const planned = rows.map((row) => {
      const title = titleOfRow(row);
      const before = rowText(open, row);
      return plannedChange(
        open,
        { action: 'remove-row', before, after: null, cell: { row: open.titles.get(row.id) ?? '', column: '' } },
        {
          ...{ do: 'remove-row', itemId: row.id, boundTo: boundBlock(title), title: cellText(title) },
          ...{ previous: previousIn(order, row.id) ?? '', values: [...row.values.values()] as RawValue[] },
        },
      );
    });
    const isExact = isAlikeInViews(
      open,
      rows.map(({ id }) => id),
    );
    return { planned, undo: isExact ? exact : partial };
  }
  const { blockId } = open.located;
  const shownView = (await deps.routes.attributes(blockId, signal))['custom-sy-av-view'] ?? '';
  const columns = new ColumnPlanner(deps, open, shownView);
  for (const each of change.columns) await columns.plan(each, signal);
  const removed = columns.planned.filter(({ shown }) => shown.action === 'remove-column');
  const isGrouped = open.stored.views.some(({ group }) => group);
  return { planned: columns.planned, undo: removed.length > 0 && (open.stored.views.length > 1 || isGrouped) ? partial : exact };
}

export async function planDatabaseChange(
  deps: DatabasePlannerDeps,
  { id, change }: { readonly id: string; readonly change: DatabaseChange },
  tool: string,
  signal: AbortSignal,
): Promise<ChangePlan> {
  const known = await readableDatabases(deps, signal);
  const located = await locateDatabase(deps, id, signal, known);
  const open = await openDatabase(deps, located, signal);
  const { planned, undo } = await plannedSteps(deps, open, change, signal);
  if (planned.length === 0) throw new ToolError('no_change', 'the database is so already', 'leave it as it is');
  const asked = change.op === 'columns' ? change.columns.length : change.rows.length;
  if (asked > MOST_CHANGES || planned.length > MOST_OPERATIONS)
    throw new ToolError(
      'too_large',
      `${planned.length} changes of ${asked} are too many for one review`,
      `give at most ${MOST_CHANGES} at once`,
    );
  const notebook = await deps.access.requireNotebook(located.place.notebook.id, 'read', signal);
  const everywhere = await withElsewhere(deps, { open, known }, planned, signal);
  return deps.maker.finish({ tool, notebook, document: open.document, planned: everywhere, undo });
}

export async function planDatabase(
  deps: DatabasePlannerDeps,
  { anchor, name, columns }: NewDatabase,
  tool: string,
  signal: AbortSignal,
): Promise<ChangePlan> {
  const { access, routes, clock, random } = deps;
  const place = await access.locate(anchor, 'read', signal);
  const { documentId } = place;
  const within = await openPlace(deps, place, signal);
  if (within && within.parentType !== 'd')
    throw new ToolError('bad_target', `block ${anchor} is inside another block`, 'give a note, or a block at the top level of one');
  const title = checkedName(name, 'database');
  const names = [TITLE_COLUMN, ...columns.map((column) => column.name)];
  if (names.some((each, index) => names.slice(0, index).some((other) => areAlike(each, other))))
    throw new ToolError('path_exists', 'two columns have one name', 'name each column differently');
  const keys: RawValue[] = [];
  for (const column of columns) keys.push(await newKey(deps, column, signal));
  const previous = within ? anchor : ((await routes.children(documentId, signal)).at(-1)?.id ?? documentId);
  const document = { id: documentId, title: place.documentTitle, path: await routes.pathOf(documentId, signal) };
  const located = { blockId: freshId(clock, random), databaseId: freshId(clock, random), place };
  const after = [title, ...keys.map(keyText)].join('\n');
  const change: StoredChange = { do: 'create', name: title, titleColumn: TITLE_COLUMN, keys, previous };
  const planned = [plannedChange({ located, document }, { action: 'create-database', before: null, after }, change)];
  const notebook = await access.requireNotebook(place.notebook.id, 'read', signal);
  return deps.maker.finish({ tool, notebook, document, planned, undo: { kind: 'exact' } });
}
