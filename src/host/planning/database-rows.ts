import type { CellInput, CellInputs, NewRow } from '../../tools/contract/databases.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { PlanOperation } from '../../tools/contract/plans.ts';
import { areAlike, namedAlike } from '../../tools/equal-text/equal-text.ts';
import { preview } from '../../tools/util/graphemes.ts';
import { listText, quoted } from '../../tools/util/line-parts.ts';
import { freshId } from '../blocks/block-dom.ts';
import { assertPlainName } from '../content/plain-name.ts';
import { cellPrint, cellText, richText } from '../databases/cell-text.ts';
import { type CellField, cellField, emptyField } from '../databases/cell-values.ts';
import { type CellValue, columnIdsOf, type Database, type DatabaseKey, titleValues, valueIn } from '../databases/database-format.ts';
import { viewOfBlock } from '../databases/database-operations.ts';
import { type LocatedDatabase, readableDatabases, storedDatabase } from '../databases/database-places.ts';
import { boundBlock, ownTitles, type PlainRow, placesOfRows, readableRows, titleOfRow, titleText } from '../databases/readable-rows.ts';
import type { StoredChange } from '../databases/stored-change.ts';
import { shownMarkdown } from '../reading/block-view.ts';
import { requireReadable } from '../reading/readable-place.ts';
import type { PlannedStep, StructurePlannerDeps } from './structure-plan.ts';

/** A database that is about to change, with what of it may be read. */
export interface OpenDatabase {
  readonly located: LocatedDatabase;
  readonly stored: Database;
  readonly rows: readonly PlainRow[];
  readonly titles: ReadonlyMap<string, string>;
  readonly document: NonNullable<PlanOperation['document']>;
}

export const MOST_CHANGES = 200;
/** Changes of one plan: each can be left out by itself. */
export const MOST_OPERATIONS = 2000;

const rowsOf = (stored: Database): readonly PlainRow[] =>
  titleValues(stored).map(({ blockID }) => ({
    id: blockID,
    values: new Map(
      stored.keyValues.flatMap(({ key, values }) =>
        (values ?? []).filter((each) => each.blockID === blockID).map((each) => [key.id, each] as const),
      ),
    ),
  }));

export async function openDatabase(deps: StructurePlannerDeps, located: LocatedDatabase, signal: AbortSignal): Promise<OpenDatabase> {
  const stored = await storedDatabase(deps.routes, located.databaseId, signal);
  if (!stored) throw new ToolError('not_found', `the data of database ${located.blockId} is missing`, 'tell the user');
  const all = rowsOf(stored);
  const rows = readableRows(all, await placesOfRows(deps, all, signal));
  const bound = rows.flatMap((row) => boundBlock(titleOfRow(row)) ?? []);
  const own = await ownTitles({ ...deps, show: (doms, stop) => shownMarkdown(deps, doms, stop) }, bound, signal);
  const { documentId, documentTitle } = located.place;
  return {
    located,
    stored,
    rows,
    titles: new Map(rows.map((row) => [row.id, titleText(titleOfRow(row), own)] as const)),
    document: { id: documentId, title: documentTitle, path: await deps.routes.pathOf(documentId, signal) },
  };
}

/** By its id, or by a name that only one column has. */
export function columnNamed({ stored }: OpenDatabase, wanted: string): DatabaseKey {
  const keys = stored.keyValues.map(({ key }) => key);
  const byName = keys.filter(({ name }) => areAlike(name, wanted));
  const found = keys.find(({ id }) => id === wanted) ?? (byName.length === 1 ? byName[0] : undefined);
  if (found) return found;
  const names = keys.map(({ id, name }) => (byName.length > 1 ? `${quoted(name)} [${id}]` : quoted(name))).join(', ');
  throw new ToolError(
    'not_found',
    `${byName.length > 1 ? 'several columns are' : 'no column is'} named "${preview(wanted, 60)}"`,
    `give one of: ${names}`,
  );
}

/** By its own id, or by the block that it is. A row that is hidden is not found. */
export function rowNamed({ rows }: OpenDatabase, wanted: string): PlainRow {
  const found = rows.find((row) => row.id === wanted || boundBlock(titleOfRow(row)) === wanted);
  if (!found) throw new ToolError('not_found', `no row "${preview(wanted, 60)}"`, 'use a row id that db_read gave');
  return found;
}

export function plannedChange(
  { located, document, stored }: Pick<OpenDatabase, 'located' | 'document'> & Partial<Pick<OpenDatabase, 'stored'>>,
  shown: Pick<PlanOperation, 'action' | 'before' | 'after' | 'cell' | 'drawnAt'>,
  change: StoredChange,
  requires?: number,
): PlannedStep {
  const { blockId, databaseId } = located;
  return {
    shown: { ...shown, blockId, blockType: 'av', document, ...(stored?.name ? { database: stored.name } : {}) },
    step: { kind: 'database', blockId, documentId: document.id ?? '', databaseId, change, result: 'unknown' },
    ...(requires === undefined ? {} : { requires: [requires] }),
  };
}

export class CellPlanner {
  readonly planned: PlannedStep[] = [];
  private readonly deps: StructurePlannerDeps;
  private readonly open: OpenDatabase;
  private readonly newOptions: boolean;
  private readonly signal: AbortSignal;
  /** Ids of the columns in the order of the database. */
  private readonly columns: readonly string[];
  /** Places of operations that make an option, by column and name. */
  private readonly options = new Map<string, number>();
  private readonly linked = new Map<string, ReadonlyMap<string, string>>();

  constructor(deps: StructurePlannerDeps, open: OpenDatabase, newOptions: boolean, signal: AbortSignal) {
    this.deps = deps;
    this.open = open;
    this.newOptions = newOptions;
    this.signal = signal;
    const view = viewOfBlock(open.stored, '');
    const seen = view ? columnIdsOf(view) : [];
    // What the view hides comes last.
    this.columns = [...new Set([...seen, ...open.stored.keyValues.map(({ key }) => key.id)])];
  }

  /** A new row at the end. Its cells can be left out one by one, and go with it. */
  async addRow({ block, title, values = {} }: NewRow): Promise<void> {
    const isBound = block !== undefined && block !== '';
    if (isBound === (title !== undefined && title.trim() !== ''))
      throw new ToolError('bad_value', 'a row is a block or a text', 'give either block or title for each row');
    const itemId = freshId(this.deps.clock, this.deps.random);
    const text = isBound ? await this.boundTitle(block) : (title ?? '').trim();
    const place = this.planned.length;
    const change: StoredChange = { do: 'add-row', itemId, boundTo: isBound ? block : null, title: text, filled: {} };
    this.planned.push(plannedChange(this.open, { action: 'add-row', before: null, after: text, cell: { row: text, column: '' } }, change));
    for (const [name, input] of Object.entries(values))
      await this.setCell({ id: itemId, title: text, values: new Map() }, name, input, place);
  }

  async setCells(row: PlainRow, values: CellInputs): Promise<void> {
    const title = this.open.titles.get(row.id) ?? '';
    for (const [name, input] of Object.entries(values)) await this.setCell({ id: row.id, title, values: row.values }, name, input);
  }

  /** The text of a block that becomes a row. It must be readable, writable and no row yet. */
  private async boundTitle(block: string): Promise<string> {
    const { access, routes } = this.deps;
    const place = await access.locate(block, 'read', this.signal);
    await requireReadable(this.deps, place, this.signal);
    const bound = rowsOf(this.open.stored).some((row) => boundBlock(titleOfRow(row)) === block);
    const twice = this.planned.some(
      ({ step }) => step.kind === 'database' && step.change.do === 'add-row' && step.change.boundTo === block,
    );
    if (bound || twice) throw new ToolError('no_change', `${block} is a row already`, 'set its cells with op=set_cells');
    if (block === place.documentId) return place.documentTitle;
    const [markdown = ''] = await shownMarkdown(this.deps, [(await routes.doms([block], this.signal))[block] ?? ''], this.signal);
    return preview(markdown.replaceAll(/\s+/gu, ' ').trim(), 200);
  }

  private async setCell(
    row: { readonly id: string; readonly title: string; readonly values: ReadonlyMap<string, CellValue> },
    name: string,
    input: CellInput,
    rowPlace?: number,
  ): Promise<void> {
    const key = columnNamed(this.open, name);
    const stored = row.values.get(key.id);
    if (key.type === 'block') return this.setTitle(row, key, input, stored);
    if (stored && key.type === 'text' && richText(stored) !== '')
      throw new ToolError(
        'bad_value',
        `"${key.name}" of ${row.id} is formatted text`,
        'plain text would lose its formatting: ask the user to change it in SiYuan',
      );
    const field = await this.checked(key, cellField(key, input));
    const before = stored ? fieldsOf(stored, field) : null;
    const [old, fresh] = [await this.textOf(key, stored), await this.textOf(key, { ...field, type: key.type } as CellValue)];
    if (cellPrint(stored) === cellPrint({ ...field, type: key.type } as CellValue)) return;
    const optionPlaces = this.optionsOf(key, field);
    const planned = plannedChange(
      this.open,
      {
        ...{ action: 'set-cell', before: old || null, after: fresh || null, cell: { row: row.title, column: key.name } },
        drawnAt: { row: row.id, column: this.columns.indexOf(key.id) },
      },
      { do: 'cell', keyId: key.id, itemId: row.id, before, after: field },
    );
    const requires = [...(rowPlace === undefined ? [] : [rowPlace]), ...optionPlaces];
    this.planned.push({ ...planned, requires });
  }

  private setTitle(
    row: { readonly id: string; readonly title: string },
    key: DatabaseKey,
    input: CellInput,
    stored: CellValue | undefined,
  ): void {
    if (!stored || boundBlock(stored) !== null)
      throw new ToolError('bad_value', `"${key.name}" of ${row.id} is the text of its block`, 'edit the block instead, or leave it out');
    const content = typeof input === 'string' ? input.trim() : '';
    if (content === '') throw new ToolError('bad_value', `"${key.name}" needs a text`, 'give the title of the row');
    if (content === row.title) return;
    const after = { isDetached: true, block: { content } };
    const change: StoredChange = {
      do: 'cell',
      keyId: key.id,
      itemId: row.id,
      before: { isDetached: true, block: { content: cellText(stored) } },
      after,
    };
    this.planned.push(
      plannedChange(
        this.open,
        {
          ...{ action: 'set-cell', before: row.title, after: content, cell: { row: row.title, column: key.name } },
          drawnAt: { row: row.id, column: -1 },
        },
        change,
      ),
    );
  }

  /** Options and rows of a relation are there; a missing option is asked for, not made. */
  private async checked(key: DatabaseKey, field: CellField): Promise<CellField> {
    for (const { content } of field.mSelect ?? []) {
      if (key.options?.some(({ name }) => name === content)) continue;
      assertPlainName(content, 'option');
      if (!this.newOptions) {
        const known = listText((key.options ?? []).map(({ name }) => name)) || 'none';
        const next = `its options: ${known}. Ask the user whether to add it, then call again with newOptions=true`;
        throw new ToolError('bad_value', `"${key.name}" has no option "${preview(content, 60)}"`, next);
      }
    }
    if (!field.relation) return field;
    const linked = await this.linkedTitles(key);
    const ids = (field.relation.blockIDs ?? []).map((wanted) => {
      if (linked.has(wanted)) return wanted;
      const named = namedAlike([...linked], ([, title]) => title, wanted);
      if (named.length === 1 && named[0]) return named[0][0];
      throw new ToolError(
        'bad_value',
        `"${preview(wanted, 60)}" is no row that "${key.name}" can lead to`,
        'give row ids of the other database, from db_read',
      );
    });
    return { relation: { blockIDs: ids } };
  }

  private async linkedTitles(key: DatabaseKey): Promise<ReadonlyMap<string, string>> {
    const id = key.relation?.avID ?? '';
    const known = id === this.open.located.databaseId ? this.open.titles : this.linked.get(id);
    if (known) return known;
    const [other] = (await readableDatabases(this.deps, this.signal)).filter(({ databaseId }) => databaseId === id);
    if (!other)
      throw new ToolError('bad_value', `the database that "${key.name}" leads to may not be read`, 'leave it out, or tell the user');
    const place = await this.deps.access.locate(other.blockId, 'read', this.signal);
    const { titles } = await openDatabase(this.deps, { blockId: other.blockId, databaseId: id, place }, this.signal);
    this.linked.set(id, titles);
    return titles;
  }

  private async textOf(key: DatabaseKey, value: CellValue | undefined): Promise<string> {
    if (key.type !== 'relation' || !value?.relation?.blockIDs?.length) return cellText(value);
    const titles = await this.linkedTitles(key);
    const shown = [...titles.values()];
    return value.relation.blockIDs
      .flatMap((id) => {
        const title = titles.get(id);
        if (title === undefined) return [];
        return shown.filter((each) => each === title).length > 1 ? `${quoted(title)} [${id}]` : quoted(title);
      })
      .join(', ');
  }

  /** Places of the operations that make options which are missing. */
  private optionsOf(key: DatabaseKey, { mSelect }: CellField): readonly number[] {
    const missing = (mSelect ?? []).map(({ content }) => content).filter((name) => !key.options?.some((option) => option.name === name));
    return missing.map((name) => {
      const id = `${key.id}/${name}`;
      const known = this.options.get(id);
      if (known !== undefined) return known;
      const shown = { action: 'add-option', before: null, after: name, cell: { row: '', column: key.name } } as const;
      this.planned.push(plannedChange(this.open, shown, { do: 'add-option', keyId: key.id, name }));
      this.options.set(id, this.planned.length - 1);
      return this.planned.length - 1;
    });
  }
}

/** The stored values of the fields that are about to be written; empty fields where there are none. */
function fieldsOf(stored: CellValue, field: CellField): Readonly<Record<string, unknown>> {
  const names = Object.keys(field);
  const kept = names.flatMap((name) => (stored[name] === undefined || stored[name] === null ? [] : [[name, stored[name]] as const]));
  return kept.length === names.length ? Object.fromEntries(kept) : { ...emptyField(stored.type), ...Object.fromEntries(kept) };
}

export function rowText({ stored, titles }: OpenDatabase, row: PlainRow): string {
  const cells = stored.keyValues.flatMap(({ key }) => {
    const value = valueIn(stored, key.id, row.id);
    const text = key.type === 'block' || key.type === 'relation' || !emptyField(key.type) ? '' : cellText(value);
    return text === '' ? [] : [`${quoted(key.name)}: ${value?.mSelect || value?.mAsset ? text : quoted(text)}`];
  });
  return [quoted(titles.get(row.id) ?? ''), ...cells].join('; ');
}
