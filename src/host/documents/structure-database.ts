import { ToolError } from '../../tools/contract/errors.ts';
import type { UndoReason } from '../../tools/contract/undo-reasons.ts';
import { NEVER } from '../../tools/util/abort.ts';
import { parseBlock } from '../blocks/block-dom.ts';
import { cellPrint, cellText } from '../databases/cell-text.ts';
import { emptyField } from '../databases/cell-values.ts';
import { type CellValue, columnIdsOf, type Database, keyOf, titleValues, valueIn } from '../databases/database-format.ts';
import {
  addColumn,
  type DatabaseOperation,
  insertRow,
  moveColumn,
  previousIn,
  removeColumn,
  removeOption,
  removeRow,
  renameColumn,
  restoreValues,
  setCell,
  setOptions,
  showColumn,
  viewOfBlock,
} from '../databases/database-operations.ts';
import { storedDatabase } from '../databases/database-places.ts';
import type { ChangeOf, RawValue, StoredChange } from '../databases/stored-change.ts';
import type { DatabaseStep } from '../journal/structure-journal.ts';
import { allowOnBlock, GONE, type JoinedSteps, type Observation, observed, type StepDeps, type StepKind } from './structure-kind.ts';

const NOTHING: Observation = { at: 'before', now: '' };

/** The value that a change writes or finds, as if it were stored. */
const asValue = (type: string, fields: RawValue | null): CellValue | undefined =>
  fields === null ? undefined : ({ ...fields, type } as CellValue);

/** Prints of the writable cells of a row, by column; empty cells are missing. */
function printsOf(database: Database, itemId: string): Readonly<Record<string, string>> {
  const all = database.keyValues.flatMap(({ key }): [string, string][] => {
    const print = emptyField(key.type) ? cellPrint(valueIn(database, key.id, itemId)) : '';
    return print === '' ? [] : [[key.id, print]];
  });
  return Object.fromEntries(all.sort(([one], [other]) => (one < other ? -1 : 1)));
}

const printsOfValues = (values: readonly RawValue[], by: 'keyID' | 'blockID'): Readonly<Record<string, string>> => {
  const all = values.flatMap((value): [string, string][] => {
    const print = emptyField(String(value.type)) ? cellPrint(value as CellValue) : '';
    return print === '' ? [] : [[String(value[by]), print]];
  });
  return Object.fromEntries(all.sort(([one], [other]) => (one < other ? -1 : 1)));
};

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const titleOf = (database: Database, itemId: string): CellValue | undefined =>
  titleValues(database).find(({ blockID }) => blockID === itemId);
const wordsOf = (prints: Readonly<Record<string, string>>, title: string): string => [title, ...Object.values(prints)].join('; ');

function observeCell(database: Database, { keyId, itemId, before, after }: ChangeOf<'cell'>): Observation {
  const type = keyOf(database, keyId)?.type;
  // A row or column of the same write is not made yet, or was undone already.
  if (type === undefined || !titleOf(database, itemId)) return before === null ? NOTHING : GONE;
  const now = valueIn(database, keyId, itemId);
  const [old, fresh] = [cellPrint(asValue(type, before)), cellPrint(asValue(type, after))];
  return { at: observed(cellPrint(now) === old, cellPrint(now) === fresh), now: cellText(now) };
}

function observeRow(database: Database, change: ChangeOf<'add-row' | 'remove-row'>): Observation {
  const { itemId, title, boundTo } = change;
  const found = titleOf(database, itemId);
  if (!found) return { at: change.do === 'add-row' ? 'before' : 'after', now: '' };
  const prints = printsOf(database, itemId);
  const wanted = change.do === 'add-row' ? change.filled : printsOfValues(change.values, 'keyID');
  const isSame = same(prints, wanted) && (boundTo === null ? cellText(found) === title : found.block?.id === boundTo);
  if (!isSame) return { at: 'other', now: wordsOf(prints, cellText(found)) };
  return { at: change.do === 'add-row' ? 'after' : 'before', now: cellText(found) };
}

function observeColumn(database: Database, change: ChangeOf<'add-column' | 'remove-column'>): Observation {
  const id = String(change.key.id);
  const key = keyOf(database, id);
  if (!key) return { at: change.do === 'add-column' ? 'before' : 'after', now: '' };
  const values = database.keyValues.find((each) => each.key.id === id)?.values ?? [];
  const wanted = change.do === 'add-column' ? {} : printsOfValues(change.values, 'blockID');
  const names = (list: unknown): unknown => (Array.isArray(list) ? list.map((option: RawValue) => option.name) : []);
  const isSame = key.name === change.key.name && key.type === change.key.type && same(names(key.options), names(change.key.options));
  if (!isSame || !same(printsOfValues(values, 'blockID'), wanted)) return { at: 'other', now: key.name };
  return { at: change.do === 'add-column' ? 'after' : 'before', now: key.name };
}

function observeOption(database: Database, { keyId, name }: ChangeOf<'add-option'>): Observation {
  const found = database.keyValues.find(({ key }) => key.id === keyId);
  if (!found) return GONE;
  if (!found.key.options?.some((option) => option.name === name)) return NOTHING;
  const isUsed = (found.values ?? []).some(({ mSelect }) => mSelect?.some(({ content }) => content === name));
  return { at: isUsed ? 'other' : 'after', now: name };
}

/** Undefined where the stored database alone does not decide it. */
function observeStored(database: Database, change: StoredChange): Observation | undefined {
  switch (change.do) {
    case 'cell':
      return observeCell(database, change);
    case 'add-row':
    case 'remove-row':
      return observeRow(database, change);
    case 'add-column':
    case 'remove-column':
      return observeColumn(database, change);
    case 'add-option':
      return observeOption(database, change);
    case 'rename-column': {
      const key = keyOf(database, change.keyId);
      return key ? { at: observed(key.name === change.before, key.name === change.after), now: key.name } : GONE;
    }
    default:
      return undefined;
  }
}

class DatabaseKind implements StepKind<DatabaseStep> {
  private readonly deps: StepDeps;

  constructor(deps: StepDeps) {
    this.deps = deps;
  }

  async allow(step: DatabaseStep, signal: AbortSignal, grant: Parameters<StepKind<DatabaseStep>['allow']>[2]): Promise<void> {
    const { access } = this.deps;
    const { change, documentId, alsoAt = [] } = step;
    if (change.do === 'create') return void (await access.locate(documentId, 'write', signal, grant));
    await allowOnBlock(this.deps)(step, signal, grant);
    for (const id of [...alsoAt, ...boundBy(change)]) await access.locate(id, 'write', signal, grant);
  }

  async observe(step: DatabaseStep, signal: AbortSignal): Promise<Observation> {
    const { change } = step;
    if (change.do === 'create') return this.observeNew(step, change, signal);
    const database = await storedDatabase(this.deps.routes, step.databaseId, signal);
    if (!database) return GONE;
    const seen = observeStored(database, change);
    if (seen || change.do !== 'move-column') return seen ?? GONE;
    const now = previousIn(await this.columns(step, database), change.keyId);
    if (now === undefined) return GONE;
    return { at: observed(now === change.before, now === change.after), now: keyOf(database, now)?.name ?? '' };
  }

  private async observeNew(step: DatabaseStep, change: ChangeOf<'create'>, signal: AbortSignal): Promise<Observation> {
    const block = parseBlock((await this.deps.routes.doms([step.blockId], signal))[step.blockId] ?? '');
    if (!block) return NOTHING;
    const database = await storedDatabase(this.deps.routes, step.databaseId, signal);
    const now = database?.name ?? '';
    if (!database) return { at: 'partly', now };
    const names = [change.titleColumn, ...change.keys.map(({ name }) => String(name))];
    const isSame = titleValues(database).length === 0 && same(database.keyValues.map(({ key }) => key.name).sort(), [...names].sort());
    return { at: isSame && now === change.name ? 'after' : 'other', now };
  }

  async run(step: DatabaseStep): Promise<DatabaseStep> {
    const { change } = step;
    if (change.do === 'create') {
      await this.create(step, change);
      return step;
    }
    if (change.do === 'cell' || change.do === 'add-row') return (await this.runJoined([step]))[0] ?? step;
    const database = await this.current(step);
    switch (change.do) {
      case 'remove-row': {
        const previous = previousIn(viewOfBlock(database, await this.shownView(step))?.itemIds ?? [], change.itemId);
        await this.send([removeRow(step, change.itemId)]);
        return { ...step, change: { ...change, previous: previous ?? change.previous } };
      }
      case 'add-column':
        await this.send(addColumn(step, change.key, change.previous));
        return step;
      case 'remove-column': {
        const previous = previousIn(await this.columns(step, database), String(change.key.id));
        await this.send([removeColumn(step, String(change.key.id))]);
        return { ...step, change: { ...change, previous: previous ?? change.previous } };
      }
      case 'rename-column':
        await this.send([renameColumn(step, change.keyId, change.after, change.type)]);
        return step;
      case 'move-column': {
        const before = previousIn(await this.columns(step, database), change.keyId) ?? change.before;
        await this.send([moveColumn(step, change.keyId, change.after)]);
        return { ...step, change: { ...change, before } };
      }
      case 'add-option':
        await this.send([setOptions(step, change.keyId, [{ name: change.name, color: '1', desc: '' }])]);
        return step;
    }
  }

  readonly joined: JoinedSteps<DatabaseStep> = {
    most: MOST_OPERATIONS,
    joins: (one, next) => JOINED.has(one.change.do) && same(placeOf(one), placeOf(next)),
    allow: async (steps, signal, grant) => {
      const [first, ...others] = steps;
      if (first) await this.allow(first, signal, grant);
      for (const id of others.flatMap(({ change }) => boundBy(change))) await this.deps.access.locate(id, 'write', signal, grant);
    },
    observe: async (steps, signal) => {
      const database = await storedDatabase(this.deps.routes, steps[0]?.databaseId ?? '', signal);
      return steps.map(({ change }) => (database && observeStored(database, change)) ?? GONE);
    },
    run: (steps) => this.runJoined(steps),
    revert: async (steps) => {
      await this.revertJoined(steps);
      return steps.map(() => []);
    },
  };

  private async runJoined(steps: readonly DatabaseStep[]): Promise<readonly DatabaseStep[]> {
    const [first] = steps;
    if (!first) return [];
    const database = await this.current(first);
    let last = viewOfBlock(database, '')?.itemIds?.at(-1) ?? '';
    const operations = steps.flatMap((step): readonly DatabaseOperation[] => {
      const { change } = step;
      if (change.do === 'add-row') {
        const previous = last;
        last = change.itemId;
        return [insertRow(step, change, previous)];
      }
      if (change.do !== 'cell' || !keyOf(database, change.keyId) || !titleOf(database, change.itemId)) throw gone();
      return [setCell(step, change.keyId, change.itemId, change.after)];
    });
    await this.send(operations);
    if (first.change.do === 'cell') return steps;
    const made = await this.current(first);
    return steps.map((step) =>
      step.change.do === 'add-row' ? { ...step, change: { ...step.change, filled: printsOf(made, step.change.itemId) } } : step,
    );
  }

  private async revertJoined(steps: readonly DatabaseStep[]): Promise<void> {
    const [first] = steps;
    const database = first?.change.do === 'cell' ? await this.current(first) : undefined;
    const operations = steps.flatMap((step): readonly DatabaseOperation[] => {
      const { change } = step;
      if (change.do === 'add-row') return [removeRow(step, change.itemId)];
      if (change.do !== 'cell' || !database) return [];
      const empty = emptyField(keyOf(database, change.keyId)?.type ?? '');
      return [setCell(step, change.keyId, change.itemId, change.before ?? empty)];
    });
    await this.send(operations);
  }

  async revert(step: DatabaseStep, signal: AbortSignal): Promise<readonly UndoReason[]> {
    const { change, databaseId, blockId } = step;
    switch (change.do) {
      case 'cell':
      case 'add-row':
        await this.revertJoined([step]);
        return [];
      case 'remove-row':
        if (change.boundTo !== null && !(await this.deps.routes.exists(change.boundTo, signal))) return [{ code: 'lost' }];
        await this.send([insertRow(step, change, change.previous), ...restoreValues(step, change.values)]);
        return [];
      case 'add-column':
        await this.send([removeColumn(step, String(change.key.id))]);
        return [];
      case 'remove-column': {
        const { key, previous, look, values } = change;
        await this.send([...addColumn(step, key, previous), ...showColumn({ databaseId, blockId }, String(key.id), look)]);
        await this.send(restoreValues(step, values));
        return [];
      }
      case 'rename-column':
        await this.send([renameColumn(step, change.keyId, change.before, change.type)]);
        return [];
      case 'move-column':
        await this.send([moveColumn(step, change.keyId, change.before)]);
        return [];
      case 'add-option':
        await this.send([removeOption(step, change.keyId, change.name)]);
        return [];
      case 'create':
        await this.send([{ action: 'delete', id: blockId }]);
        return [];
    }
  }

  wordsBefore({ change }: DatabaseStep): string | null {
    switch (change.do) {
      case 'cell':
        return textOfFields(change.before ?? {});
      case 'remove-row':
        return wordsOf(printsOfValues(change.values, 'keyID'), change.title);
      case 'remove-column':
        return String(change.key.name);
      case 'rename-column':
        return change.before;
      default:
        return '';
    }
  }

  /** The database block, its data, its name, and its columns in place of the one that SiYuan makes. */
  private async create({ databaseId, blockId }: DatabaseStep, { name, titleColumn, keys, previous }: ChangeOf<'create'>): Promise<void> {
    const at = { databaseId, blockId };
    await this.send([{ action: 'insert', id: blockId, previousID: previous, data: databaseDom(blockId, databaseId) }]);
    await this.deps.structure.makeDatabase(databaseId, blockId);
    const made = await this.current({ databaseId });
    const [title, ...others] = made.keyValues.map(({ key }) => key);
    if (!title || titleValues(made).length > 0) return;
    // Done before: this is a Redo, and SiYuan has kept the data.
    if (made.name === name && others.length === keys.length) return;
    const columns = keys.flatMap((key, index) => addColumn(at, key, String((keys[index - 1] ?? title).id)));
    await this.send([
      { action: 'setAttrViewName', id: databaseId, data: name },
      renameColumn(at, title.id, titleColumn, 'block'),
      ...others.map(({ id }) => removeColumn(at, id)),
      ...columns,
    ]);
  }

  private async current({ databaseId }: Pick<DatabaseStep, 'databaseId'>): Promise<Database> {
    const database = await storedDatabase(this.deps.routes, databaseId, NEVER);
    if (!database) throw gone();
    return database;
  }

  private async shownView({ blockId }: DatabaseStep): Promise<string> {
    return (await this.deps.routes.attributes(blockId, NEVER))['custom-sy-av-view'] ?? '';
  }

  private async columns(step: DatabaseStep, database: Database): Promise<readonly string[]> {
    const view = viewOfBlock(database, await this.shownView(step));
    return view ? columnIdsOf(view) : [];
  }

  private async send(operations: readonly DatabaseOperation[]): Promise<void> {
    for (let at = 0; at < operations.length; at += MOST_OPERATIONS)
      await this.deps.structure.changeDatabase(operations.slice(at, at + MOST_OPERATIONS));
  }
}

/** A block with a database as SiYuan renders it: an open editor draws the table into the first element, and fails without one. */
const databaseDom = (blockId: string, databaseId: string): string =>
  `<div contenteditable="false" data-av-id="${databaseId}" data-av-type="table" data-node-id="${blockId}" data-type="NodeAttributeView" class="av"><div spellcheck="false"></div><div class="protyle-attr" contenteditable="false">\u200b</div></div>`;

/** Many of one kind are carried out at once; rows need to be there before their cells. */
const JOINED: ReadonlySet<StoredChange['do']> = new Set(['add-row', 'cell']);
const placeOf = ({ databaseId, blockId, documentId, alsoAt = [], change }: DatabaseStep): readonly unknown[] => [
  ...[databaseId, blockId, documentId, alsoAt, change.do],
];

/** From 32 on SiYuan takes a shortcut that drops some (docs/kernel.md). */
const MOST_OPERATIONS = 30;

/** SiYuan notes the database on the block of a row. */
export const boundBy = (change: StoredChange): readonly string[] =>
  (change.do === 'add-row' || change.do === 'remove-row') && change.boundTo !== null ? [change.boundTo] : [];

const gone = (): ToolError =>
  new ToolError('stale', 'the row or column is no longer there', 'call db_read again and plan the change again');

function textOfFields(fields: RawValue): string {
  const [type = ''] = Object.keys(fields).filter((name) => name !== 'isDetached');
  return cellText({ ...fields, type } as CellValue);
}

/** A change of a database: of one cell, row, column or option, or the database itself. */
export const createDatabaseKind = (deps: StepDeps): StepKind<DatabaseStep> & { readonly joined: JoinedSteps<DatabaseStep> } =>
  new DatabaseKind(deps);
