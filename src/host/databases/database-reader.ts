import * as v from 'valibot';
import type { DatabaseColumn, DatabaseQuery, DatabaseReading, DatabaseRef, DatabaseRow } from '../../tools/contract/databases.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { NoteQueries } from '../../tools/contract/note-queries.ts';
import { areAlike, containsAlike } from '../../tools/equal-text/equal-text.ts';
import { listText } from '../../tools/util/line-parts.ts';
import { sideBySide } from '../../tools/util/turns.ts';
import { type IndexedBlock, titleIn } from '../access/readable-blocks.ts';
import type { BlockViewer } from '../reading/block-view.ts';
import { cellText } from './cell-text.ts';
import {
  type CellValue,
  type DatabaseKey,
  type DrawnView,
  drawnSchema,
  filteredColumns,
  givesRows,
  keyOf,
  keySchema,
  titleValues,
  valueSchema,
  viewLabel,
  viewLabels,
} from './database-format.ts';
import { type DatabaseBlock, type DatabaseDeps, locateDatabase, readableDatabases, storedDatabase } from './database-places.ts';
import {
  boundBlock,
  linkedRows,
  ownTitles,
  type PlainRow,
  placesOfRows,
  type RowPlaces,
  readableRows,
  titleOfRow,
  titleText,
} from './readable-rows.ts';

export interface DatabaseReaderDeps extends DatabaseDeps {
  readonly viewer: BlockViewer;
}

/** Worked out by SiYuan from other rows, or by a template: a guarded one may be among them. */
const DERIVED = new Set(['relation', 'rollup', 'template']);
/** A rollup over these reaches further than the rows that it is over. */
const REACHING = new Set([...DERIVED, 'updated']);

const columnOf = ({ id, name, type, options }: DatabaseKey): DatabaseColumn => ({
  ...{ id, name, type, options: (options ?? []).map((option) => option.name) },
});

const keysOf = ({ view }: DrawnView): readonly DatabaseKey[] => view.columns ?? view.fields ?? [];

function rowsOf({ view }: DrawnView): readonly PlainRow[] {
  const parts = view.groups?.length ? view.groups : [view];
  const items = parts.flatMap((part) => part.rows ?? part.cards ?? []);
  // A row with several options is in several groups.
  const known = new Map(items.map(({ id, cells, values }) => [id, cells ?? values ?? []] as const));
  return [...known].map(([id, cells]) => ({
    id,
    values: new Map(cells.flatMap(({ value }) => (value ? [[value.keyID, value] as const] : []))),
  }));
}

/** The columns that decide about the shown rows and their order. */
function decidingColumns({ view: { filters, sorts, group } }: DrawnView): readonly string[] {
  const columns = [...filteredColumns(filters ?? []), ...(sorts ?? []).map(({ column }) => column), group?.field ?? ''];
  return columns.filter((id) => id !== '');
}

const asKeys = (data: unknown): readonly DatabaseKey[] => v.parse(v.nullish(v.array(keySchema), []), data) ?? [];
const asDrawn = (data: unknown): DrawnView => v.parse(drawnSchema, data);

/** SiYuan gives the time of the block that a row is, hidden changes in it included. */
function updatedText(value: CellValue, bound: IndexedBlock | undefined): string {
  return bound ? bound.updated.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)\d*$/u, '$1-$2-$3 $4:$5') : cellText(value);
}

/** A rollup's text: values of the other rows, or SiYuan's count of them. */
const rollupText = ({ rollup }: CellValue): string =>
  listText(
    (rollup?.contents ?? []).flatMap((each) => {
      const parsed = v.safeParse(valueSchema, each);
      return parsed.success && cellText(parsed.output) !== '' ? [cellText(parsed.output)] : [];
    }),
  );

interface ShownParts {
  readonly keys: readonly DatabaseKey[];
  readonly hides: boolean;
  readonly known: readonly DatabaseBlock[];
  readonly places: RowPlaces;
}

export class DatabaseReader implements Pick<NoteQueries, 'databases' | 'database'> {
  private readonly deps: DatabaseReaderDeps;

  constructor(deps: DatabaseReaderDeps) {
    this.deps = deps;
  }

  async databases(query: { readonly find?: string | undefined }, signal: AbortSignal): Promise<readonly DatabaseRef[]> {
    const blocks = await readableDatabases(this.deps, signal);
    const books = new Map((await this.deps.access.notebooks(signal)).map(({ id, name }) => [id, name] as const));
    const all = await sideBySide(blocks, async (block) => {
      const drawn = await this.drawn(block, signal);
      return drawn ? [this.refOf(block, drawn, books)] : [];
    });
    return all.flat().filter(({ name, document }) => holdsWords(`${name} ${document.path}`, query.find));
  }

  private async drawn({ blockId, databaseId }: DatabaseBlock, signal: AbortSignal): Promise<DrawnView | undefined> {
    try {
      return await this.deps.routes.drawnDatabase({ id: databaseId, blockID: blockId }, asDrawn, signal);
    } catch (error) {
      // Its file is missing.
      if (error instanceof ToolError && error.code === 'kernel_refused') return undefined;
      throw error;
    }
  }

  private refOf({ blockId, place }: DatabaseBlock, drawn: DrawnView, books: ReadonlyMap<string, string>): DatabaseRef {
    return {
      id: blockId,
      name: drawn.name,
      document: { id: place.documentId, title: titleIn(place.wordPath), path: place.wordPath },
      notebook: { id: place.notebook, name: books.get(place.notebook) ?? '' },
      columns: keysOf(drawn).map(columnOf),
    };
  }

  async database(query: DatabaseQuery, signal: AbortSignal): Promise<readonly DatabaseReading[]> {
    const known = await readableDatabases(this.deps, signal);
    const holding = await this.databasesOfRow(query.id, known, signal);
    if (holding.length > 0) {
      const readings: DatabaseReading[] = [];
      for (const block of holding) readings.push(await this.read(block, { ...query, rowOf: query.id, known }, signal));
      return readings.filter(({ rows }) => rows.length > 0);
    }
    const { blockId, databaseId } = await locateDatabase(this.deps, query.id, signal, known);
    const place = (await this.deps.access.look([blockId], signal)).get(blockId);
    if (!place) throw new ToolError('kernel_refused', 'SiYuan is still indexing', 'wait a little, then try again');
    return [await this.read({ blockId, databaseId, place }, { ...query, known }, signal)];
  }

  /** Readable databases that have the block as a row; none for a note with a database in it. */
  private async databasesOfRow(id: string, known: readonly DatabaseBlock[], signal: AbortSignal): Promise<readonly DatabaseBlock[]> {
    const { routes, access } = this.deps;
    if (known.some(({ blockId, databaseId, place }) => [blockId, databaseId, place.documentId].includes(id))) return [];
    await access.locateDocument(id, signal);
    const bindings = ((await routes.attributes(id, signal))['custom-avs'] ?? '').split(',');
    return bindings.flatMap((each) => known.find(({ databaseId }) => databaseId === each) ?? []);
  }

  private async read(
    block: DatabaseBlock,
    query: DatabaseQuery & { readonly rowOf?: string; readonly known: readonly DatabaseBlock[] },
    signal: AbortSignal,
  ): Promise<DatabaseReading> {
    const { access, routes } = this.deps;
    const at = { id: block.databaseId, blockID: block.blockId };
    let drawn = await routes.drawnDatabase(at, asDrawn, signal);
    const viewID = query.view === undefined ? undefined : viewNamed(drawn, query.view);
    if (viewID !== undefined && viewID !== drawn.viewID) drawn = await routes.drawnDatabase({ ...at, viewID }, asDrawn, signal);
    if (!givesRows(drawn))
      throw new ToolError(
        'bad_target',
        `SiYuan gives no rows of ${viewLabel({ name: drawn.view.name, type: drawn.viewType })}`,
        `give view, one of: ${[...viewLabels(drawn.views).values()].join(', ')}`,
      );
    const hides = await access.hidesAnything(signal);
    const all = rowsOf(drawn);
    const places = await placesOfRows(this.deps, all, signal);
    const rows = readableRows(all, places);
    if (hides) await this.requireOwnOrder(drawn, block.databaseId, signal);
    const shown = await this.texts(rows, { keys: keysOf(drawn), hides, known: query.known, places }, signal);
    const matching = shown.filter(
      (row) =>
        (query.rowOf === undefined || row.blockId === query.rowOf) &&
        (query.row === undefined || [row.id, row.blockId].includes(query.row)) &&
        holdsWords(Object.values(row.cells).join('\n').replaceAll('\\"', '"'), query.query),
    );
    const start = (query.page - 1) * query.pageSize;
    const books = new Map((await access.notebooks(signal)).map(({ id, name }) => [id, name] as const));
    const labels = viewLabels(drawn.views);
    const isBlank = hides && keysOf(drawn).some(({ type }) => type === 'template');
    return {
      ...this.refOf(block, drawn, books),
      view: labels.get(drawn.viewID) ?? viewLabel({ name: drawn.view.name, type: drawn.viewType }),
      views: [...labels.values()],
      rows: matching.slice(start, start + query.pageSize),
      total: matching.length,
      nextPage: start + query.pageSize < matching.length ? query.page + 1 : null,
      notes: isBlank ? ['templates are not shown while something is hidden: they can quote any note'] : [],
    };
  }

  /** Rejects where the shown rows, or their order, would reveal hidden ones. Rows that a filter leaves out count as well. */
  private async requireOwnOrder(drawn: DrawnView, databaseId: string, signal: AbortSignal): Promise<void> {
    const { access, routes } = this.deps;
    const deciding = decidingColumns(drawn);
    if (deciding.length === 0) return;
    const refuse = (what: string): never => {
      throw new ToolError('bad_target', `the view is filtered, sorted or grouped by ${what}`, 'choose another view');
    };
    const stored = await storedDatabase(routes, databaseId, signal);
    const types = deciding.map((id) => stored && keyOf(stored, id)?.type);
    if (!stored || types.some((type) => type === undefined || DERIVED.has(type)))
      return refuse('what SiYuan works out from other rows, some of which may be hidden');
    const bound = titleValues(stored).flatMap((title) => boundBlock(title) ?? []);
    if (types.includes('block') && (await access.drawnFromHidden(bound, signal)).size > 0)
      refuse('titles that contain words of hidden blocks');
    if (!types.includes('updated')) return;
    const places = await access.look(bound, signal);
    const documents = bound.flatMap((id) => places.get(id)?.documentId ?? []);
    if ((await access.documentsWithGuards(documents, signal)).size > 0) refuse('the time of changes, some of which are hidden');
  }

  private async texts(
    rows: readonly PlainRow[],
    { keys, hides, known, places }: ShownParts,
    signal: AbortSignal,
  ): Promise<readonly DatabaseRow[]> {
    const databases = new Set(known.map(({ databaseId }) => databaseId));
    const linked = await linkedRows(this.deps, { rows, keys, databases }, signal);
    const bound = rows.flatMap((row) => boundBlock(titleOfRow(row)) ?? []);
    const own = await ownTitles({ ...this.deps, show: this.show }, [...bound, ...linked.blockIds], signal);
    const plain = hides ? await this.plainRollups(keys, signal) : undefined;
    const isShown = (row: PlainRow, { id, rollup }: DatabaseKey): boolean =>
      plain === undefined || (plain.has(id) && linked.isWhole(row, rollup?.relationKeyID ?? ''));
    const textOf = (row: PlainRow, key: DatabaseKey): string => {
      const value = row.values.get(key.id);
      if (!value) return '';
      if (key.type === 'block') return titleText(value, own);
      if (key.type === 'relation') return linked.text(value, key, own);
      if (key.type === 'updated') return updatedText(value, places.get(boundBlock(titleOfRow(row)) ?? ''));
      if (key.type === 'template') return hides ? '' : cellText(value);
      if (key.type === 'rollup') return isShown(row, key) ? rollupText(value) : '';
      return cellText(value);
    };
    return rows.map((row): DatabaseRow => {
      const cells = keys.flatMap((key) => {
        const text = textOf(row, key);
        return text === '' ? [] : [[key.id, text] as const];
      });
      return { id: row.id, blockId: boundBlock(titleOfRow(row)), cells: Object.fromEntries(cells) };
    });
  }

  /** Rollups over what is stored: over a column that is itself derived they would reach further than the linked rows. */
  private async plainRollups(keys: readonly DatabaseKey[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    const plain = new Set<string>();
    for (const { id, rollup } of keys) {
      const target = rollup && keys.find((key) => key.id === rollup.relationKeyID)?.relation?.avID;
      if (!target) continue;
      const others = await this.deps.routes.databaseKeys(target, asKeys, signal);
      if (others.some((key) => key.id === rollup.keyID && !REACHING.has(key.type))) plain.add(id);
    }
    return plain;
  }

  private readonly show = async (doms: readonly string[], signal: AbortSignal): Promise<readonly string[]> => {
    const { viewer } = this.deps;
    return (await viewer.view(doms, signal)).map((view) => (view ? viewer.markdown(view.element) : ''));
  };
}

function viewNamed({ views }: DrawnView, wanted: string): string {
  const labels = viewLabels(views);
  const alike = (views ?? []).filter((view) =>
    [view.id, view.name, viewLabel(view), labels.get(view.id) ?? ''].some((each) => areAlike(each, wanted)),
  );
  const [found] = alike.filter(({ id }) => id === wanted || labels.get(id) === wanted).concat(alike.length === 1 ? alike : []);
  if (found) return found.id;
  const what = alike.length > 1 ? `several views are named "${wanted}"` : `no view "${wanted}"`;
  throw new ToolError('not_found', what, `give one of: ${[...labels.values()].join(', ')}`);
}

function holdsWords(text: string, query = ''): boolean {
  return query.split(/\s+/u).every((word) => containsAlike(text, word));
}
