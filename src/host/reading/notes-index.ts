import type { NoteQueries, RecentDocument, TagCount } from '../../tools/contract/note-queries.ts';
import type { Clock } from '../../tools/contract/ports.ts';
import type { Access } from '../access/access.ts';
import { GUARDED_BLOCKS, IS_TAG } from '../access/readable-blocks.ts';
import { timestamp } from '../blocks/block-dom.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { batchesOf, quotedList } from '../sql/sql-text.ts';

export interface NotesIndexDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly clock: Clock;
}

const DAY_MS = 86_400_000;
const MAX_RECENT = 100_000;
const MAX_TAG_ROWS = 200_000;

/** SiYuan's local time, YYYYMMDDHHmmss, as people read it. */
const readableTime = (time: string): string =>
  `${time.slice(0, 4)}-${time.slice(4, 6)}-${time.slice(6, 8)} ${time.slice(8, 10)}:${time.slice(10, 12)}`;

const byCountThenLabel = (one: TagCount, other: TagCount): number =>
  other.count - one.count || (one.label < other.label ? -1 : one.label > other.label ? 1 : 0);

/** What the index alone answers: lists over all notebooks that are open to the assistant. */
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
    const rows = await routes.sql(
      // While it indexes anew the kernel may hold a document twice.
      "SELECT DISTINCT id, content, updated FROM blocks WHERE type = 'd' " +
        `AND updated >= '${from}' ORDER BY updated DESC, id LIMIT ${MAX_RECENT}`,
      signal,
    );
    const names = new Map((await access.notebooks(signal)).map((book) => [book.id, book.name] as const));
    const documents: RecentDocument[] = [];
    for (const batch of batchesOf(rows)) {
      const places = await access.look(
        batch.map((row) => String(row.id)),
        signal,
        'flushed',
      );
      for (const row of batch) {
        const place = places.get(String(row.id));
        if (!place?.readable) continue;
        const notebook = { id: place.notebook, name: names.get(place.notebook) ?? '' };
        documents.push({ id: place.id, title: String(row.content), path: place.wordPath, notebook, updated: readableTime(place.updated) });
        if (documents.length >= Math.max(1, query.limit)) return { documents };
      }
    }
    return { documents };
  }

  async tags(query: { filter?: string; limit: number }, signal: AbortSignal) {
    const rows = await this.tagRows(signal);
    const closed = new Set<string>();
    for (const box of new Set(rows.map((row) => row.box))) {
      const paths = [...new Set(rows.filter((row) => row.box === box).map((row) => row.path))];
      for (const path of await this.deps.access.guardedDocuments(box, paths, signal)) closed.add(`${box}${path}`);
    }
    const counts = new Map<string, number>();
    const filter = query.filter?.trim().replace(/^#|#$/g, '').toLowerCase() ?? '';
    for (const { label, box, path, count } of rows) {
      if (closed.has(`${box}${path}`) || !label.toLowerCase().includes(filter)) continue;
      counts.set(label, (counts.get(label) ?? 0) + count);
    }
    const tags = [...counts].map(([label, count]) => ({ label, count })).sort(byCountThenLabel);
    return { tags: tags.slice(0, Math.max(1, query.limit)), total: tags.length };
  }

  /** Uses of each tag by document, guarded blocks left out. */
  private async tagRows(signal: AbortSignal) {
    const { routes, access } = this.deps;
    const open = (await access.notebooks(signal)).filter((book) => book.open && book.right !== 'none').map((book) => book.id);
    if (open.length === 0) return [];
    await routes.flushIndex(signal);
    const rows = await routes.sql(
      `WITH RECURSIVE ${GUARDED_BLOCKS} SELECT content, box, path, count(*) AS n FROM spans ` +
        `WHERE ${IS_TAG} AND content <> '' AND box IN (${quotedList(open)}) AND block_id NOT IN (SELECT id FROM guarded) ` +
        `GROUP BY content, box, path LIMIT ${MAX_TAG_ROWS}`,
      signal,
    );
    return rows.map((row) => ({ label: String(row.content), box: String(row.box), path: String(row.path), count: Number(row.n) }));
  }
}
