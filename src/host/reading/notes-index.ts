import type { NoteQueries, RecentDocument, TagCount } from '../../tools/contract/note-queries.ts';
import type { Clock } from '../../tools/contract/ports.ts';
import { containsAlike } from '../../tools/equal-text/equal-text.ts';
import { compareTexts } from '../../tools/util/plain-value.ts';
import type { Access } from '../access/access.ts';
import { isVisible } from '../access/notebook-list.ts';
import { GUARDED_BLOCKS, guardedDocuments, HOLDING_GUARDS, IS_TAG, readableTime, titleIn } from '../access/readable-blocks.ts';
import { documentsAbove, NOT_INDEXED, rowsBesideUnindexed } from '../access/unindexed-documents.ts';
import { timestamp } from '../blocks/block-dom.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { quoted, quotedList } from '../sql/sql-text.ts';

export interface NotesIndexDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly clock: Clock;
}

const DAY_MS = 86_400_000;
const MAX_RECENT = 100_000;
const MAX_TAG_ROWS = 200_000;

/** SiYuan's local time, YYYYMMDDHHmmss, in a readable form. */
const shownTime = (time: string): string =>
  `${time.slice(0, 4)}-${time.slice(4, 6)}-${time.slice(6, 8)} ${time.slice(8, 10)}:${time.slice(10, 12)}`;

const byCountThenLabel = (one: TagCount, other: TagCount): number => other.count - one.count || compareTexts(one.label, other.label);

/** Lists over all readable notebooks that need only the index. */
export class NotesIndex implements Pick<NoteQueries, 'recentDocuments' | 'tags'> {
  private readonly deps: NotesIndexDeps;

  constructor(deps: NotesIndexDeps) {
    this.deps = deps;
  }

  async recentDocuments(query: { days: number; limit: number }, signal: AbortSignal) {
    const { routes, access, clock } = this.deps;
    await routes.flushIndex(signal);
    const now = clock.now();
    const from = timestamp({ ...clock, now: () => now - Math.max(0, query.days) * DAY_MS });
    const names = new Map((await access.notebooks(signal)).map((book) => [book.id, book.name] as const));
    const limit = Math.max(1, query.limit);
    const documents: RecentDocument[] = [];
    let after = 'true';
    for (let asked = 0; documents.length < limit && asked < MAX_RECENT; asked += limit) {
      const rows = await routes.sql(
        // During a re-index the kernel may have a document twice.
        `WITH RECURSIVE ${HOLDING_GUARDS}, documents(id, updated) AS ` +
          `(SELECT id, ${readableTime('blocks')} FROM blocks WHERE type = 'd' AND id <> box) ` +
          `SELECT DISTINCT id, updated FROM documents WHERE updated >= '${from}' AND ${after} ORDER BY updated DESC, id LIMIT ${limit}`,
        signal,
      );
      const places = await access.look(
        rows.map((row) => String(row.id)),
        signal,
        'flushed',
      );
      for (const row of rows) {
        const place = places.get(String(row.id));
        if (!place?.readable) continue;
        const notebook = { id: place.notebook, name: names.get(place.notebook) ?? '' };
        documents.push({
          id: place.id,
          title: titleIn(place.wordPath),
          path: place.wordPath,
          notebook,
          updated: shownTime(String(row.updated)),
        });
      }
      const last = rows.at(-1);
      if (rows.length < limit || !last) break;
      const [updated, id] = [quoted(String(last.updated)), quoted(String(last.id))];
      after = `(updated < ${updated} OR (updated = ${updated} AND id > ${id}))`;
    }
    return { documents: documents.slice(0, limit) };
  }

  async tags(query: { filter?: string; limit: number }, signal: AbortSignal) {
    const filter = query.filter?.trim().replace(/^#|#$/g, '') ?? '';
    const tags = (await this.tagRows(signal)).filter(({ label }) => containsAlike(label, filter)).sort(byCountThenLabel);
    return { tags: tags.slice(0, Math.max(1, query.limit)), total: tags.length };
  }

  private async tagRows(signal: AbortSignal): Promise<TagCount[]> {
    const { routes, access } = this.deps;
    await routes.flushIndex(signal);
    const open = (await access.notebooks(signal)).filter(isVisible).map((book) => book.id);
    if (open.length === 0) return [];
    // A tag of a document's own loses its notebook in the index once a block is edited (docs/kernel.md).
    const documents = `SELECT id FROM blocks WHERE type = 'd' AND box IN (${quotedList(open)})`;
    const isOpen = `(box IN (${quotedList(open)}) OR (box = '' AND root_id IN (${documents})))`;
    const tags = `spans WHERE ${IS_TAG} AND content <> '' AND ${isOpen}`;
    const statement = (unindexed: readonly string[]): string =>
      `WITH RECURSIVE ${GUARDED_BLOCKS}, ${guardedDocuments(unindexed)}, ${documentsAbove(`SELECT DISTINCT path FROM ${tags}`)} ` +
      `SELECT content, count(*) AS n FROM ${tags} AND block_id NOT IN (SELECT id FROM guarded) ` +
      'AND NOT EXISTS (SELECT 1 FROM guarded_documents WHERE instr(spans.path, guarded_documents.id) > 0) ' +
      `AND NOT ${access.scope.outside('spans')} GROUP BY content ` +
      `UNION ALL SELECT id, 0 FROM above WHERE ${NOT_INDEXED} LIMIT ${MAX_TAG_ROWS}`;
    const aboveIn = ({ content, n }: Readonly<Record<string, unknown>>) => (n === 0 ? String(content) : undefined);
    const rows = await rowsBesideUnindexed(routes, statement, aboveIn, signal);
    return rows.map((row) => ({ label: String(row.content), count: Number(row.n) }));
  }
}
