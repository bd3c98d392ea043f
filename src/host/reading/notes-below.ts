import type { NoteBelow, NoteQueries } from '../../tools/contract/note-queries.ts';
import type { Access } from '../access/access.ts';
import { isVisible } from '../access/notebook-list.ts';
import { titleIn } from '../access/readable-blocks.ts';
import { isBlockId } from '../blocks/block-dom.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { quotedList } from '../sql/sql-text.ts';

const MAX_NOTES = 20_000;
const DATABASES = '/data/storage/av';
/**
 * SiYuan inserts a block that changed as a new row: the last one is found without reading the others. A move of a note may change its row
 * alone, so those of notes, which have no parent, are counted.
 */
const lastRow = (inPlaces: string): string =>
  "SELECT rowid AS at, id, hash, updated, (SELECT count(*) || ' ' || sum(substr(id, 3, 12)) FROM blocks " +
  `WHERE parent_id = '' AND ${inPlaces}) AS notes FROM blocks ORDER BY rowid DESC LIMIT 1`;

const inPlaces = (ids: readonly string[]): string =>
  `(${[`box IN (${quotedList(ids)})`, ...ids.map((id) => `path LIKE '%/${id}/%'`)].join(' OR ')})`;

/** What is below notebooks and notes, for those who wait for a change. */
export class NotesBelow implements Pick<NoteQueries, 'changeMark' | 'notesBelow'> {
  private readonly routes: Pick<KernelRoutes, 'sql' | 'readDir' | 'flushIndex'>;
  private readonly access: Access;

  constructor({ routes, access }: { readonly routes: KernelRoutes; readonly access: Access }) {
    this.routes = routes;
    this.access = access;
  }

  async changeMark({ below, databases }: { below: readonly string[]; databases: boolean }, signal: AbortSignal): Promise<string> {
    const [last] = await this.routes.sql(lastRow(inPlaces(below.filter(isBlockId))), signal);
    const files = databases ? ((await this.routes.readDir(DATABASES, signal).catch(() => [])) ?? []) : [];
    return JSON.stringify([last, files.map(({ name, updated }) => [name, updated])]);
  }

  async notesBelow(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, readonly NoteBelow[]>> {
    const { routes, access } = this;
    const wanted = ids.filter(isBlockId);
    if (wanted.length === 0) return new Map();
    await routes.flushIndex(signal);
    const books = new Set((await access.notebooks(signal)).filter(isVisible).map(({ id }) => id));
    const rows = await routes.sql(
      `SELECT DISTINCT id FROM blocks WHERE type = 'd' AND id <> box AND ${inPlaces(wanted)} ORDER BY id DESC LIMIT ${MAX_NOTES}`,
      signal,
    );
    const notes = await access.look([...wanted, ...rows.map((row) => String(row.id))], signal, 'flushed');
    const inside = (place: string): readonly NoteBelow[] =>
      [...notes.values()].flatMap(({ id, notebook, path, readable, updated, wordPath }) => {
        const isIn = readable && (notebook === place || path.includes(`/${place}/`));
        return isIn && id !== place ? [{ id, title: titleIn(wordPath), notebook, updated }] : [];
      });
    return new Map(wanted.flatMap((id) => (books.has(id) || notes.get(id)?.readable ? [[id, inside(id)] as const] : [])));
  }
}
