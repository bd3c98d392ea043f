import * as v from 'valibot';
import { quoted } from '../../tools/util/line-parts.ts';
import { titleIn } from '../access/readable-blocks.ts';
import { cellText } from './cell-text.ts';
import { type CellValue, type DatabaseKey, valueSchema } from './database-format.ts';
import type { DatabaseDeps } from './database-places.ts';

export interface PlainRow {
  readonly id: string;
  readonly values: ReadonlyMap<string, CellValue>;
}

export const titleOfRow = ({ values }: PlainRow): CellValue | undefined => [...values.values()].find(({ type }) => type === 'block');

/** The block that a row is; null for a row of the database itself. */
export const boundBlock = (title: CellValue | undefined): string | null =>
  title && !title.isDetached && title.block?.id ? title.block.id : null;

/** The blocks that rows are, as the index knows them. */
export type RowPlaces = Awaited<ReturnType<DatabaseDeps['access']['look']>>;

export const placesOfRows = (
  { access }: Pick<DatabaseDeps, 'access'>,
  rows: readonly PlainRow[],
  signal: AbortSignal,
): Promise<RowPlaces> =>
  access.look(
    rows.flatMap((row) => boundBlock(titleOfRow(row)) ?? []),
    signal,
  );

/** Rows that are a block that may not be read, or is gone, are left out: neither counted nor searched. */
export function readableRows(rows: readonly PlainRow[], places: RowPlaces): readonly PlainRow[] {
  return rows.filter((row) => {
    const title = titleOfRow(row);
    const block = boundBlock(title);
    return block === null ? title?.isDetached === true : places.get(block)?.readable === true;
  });
}

export type ShowBlocks = (doms: readonly string[], signal: AbortSignal) => Promise<readonly string[]>;

/** The text of a block, by its id, where SiYuan's own text of it may hold words of hidden blocks. */
export async function ownTitles(
  { routes, access, show }: DatabaseDeps & { readonly show: ShowBlocks },
  blockIds: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const drawn = [...(await access.drawnFromHidden(blockIds, signal))];
  if (drawn.length === 0) return new Map();
  const [doms, places] = [await routes.doms(drawn, signal), await access.look(drawn, signal)];
  const texts = await show(
    drawn.map((id) => doms[id] ?? ''),
    signal,
  );
  return new Map(
    drawn.map((id, index): [string, string] => {
      const place = places.get(id);
      return [id, place?.type === 'd' ? titleIn(place.wordPath) : (texts[index] ?? '')];
    }),
  );
}

export function titleText(title: CellValue | undefined, own: ReadonlyMap<string, string>): string {
  return own.get(boundBlock(title) ?? '') ?? cellText(title);
}

const contentsOf = ({ relation }: CellValue): readonly CellValue[] =>
  (relation?.contents ?? []).flatMap((each) => {
    const parsed = v.safeParse(valueSchema, each);
    return parsed.success ? [parsed.output] : [];
  });

export interface LinkedRows {
  readonly blockIds: readonly string[];
  /** The texts of a relation's rows that may be read. */
  text(value: CellValue, key: DatabaseKey, own: ReadonlyMap<string, string>): string;
  /** Tells if every row that a row's relation leads to may be read. */
  isWhole(row: PlainRow, relationKeyId: string): boolean;
}

/** Rows of other databases that relations lead to; each is as readable as its block, or else as a note that shows its database. */
export async function linkedRows(
  { access }: Pick<DatabaseDeps, 'access'>,
  {
    rows,
    keys,
    databases,
  }: { readonly rows: readonly PlainRow[]; readonly keys: readonly DatabaseKey[]; readonly databases: ReadonlySet<string> },
  signal: AbortSignal,
): Promise<LinkedRows> {
  const relations = new Map(keys.flatMap((key) => (key.type === 'relation' ? [[key.id, key.relation?.avID ?? ''] as const] : [])));
  const all = rows.flatMap(({ values }) => [...values].flatMap(([keyId, value]) => (relations.has(keyId) ? contentsOf(value) : [])));
  const blockIds = all.flatMap((title) => boundBlock(title) ?? []);
  const places = await access.look(blockIds, signal);
  const isReadable = (title: CellValue, databaseId: string): boolean => {
    const block = boundBlock(title);
    return databases.has(databaseId) && (block === null || places.get(block)?.readable === true);
  };
  return {
    blockIds: blockIds.filter((id) => places.get(id)?.readable),
    text: (value, key, own) =>
      contentsOf(value)
        .filter((title) => isReadable(title, key.relation?.avID ?? ''))
        .map((title) => `${quoted(titleText(title, own))} [${title.blockID}]`)
        .join(', '),
    isWhole: ({ values }, keyId) => {
      const value = values.get(keyId);
      if (!value) return false;
      const shown = contentsOf(value);
      return (
        shown.length === (value.relation?.blockIDs ?? []).length && shown.every((title) => isReadable(title, relations.get(keyId) ?? ''))
      );
    },
  };
}
