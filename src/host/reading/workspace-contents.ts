import { NOTE_CONTENTS, type NoteContents } from '../../tools/contract/note-queries.ts';
import type { Access } from '../access/access.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';

/** Blocks of one kind that are read together, and how often while all of them are hidden. */
const PAGE = 200;
const MOST_PAGES = 20;

/** The blocks with each; of cards every block that is one, not only those of the default deck. */
const BLOCKS: Readonly<Record<NoteContents, string>> = {
  databases: "SELECT id FROM blocks WHERE type = 'av'",
  flashcards: "SELECT block_id AS id FROM attributes WHERE name = 'custom-riff-decks'",
  assets: 'SELECT DISTINCT block_id AS id FROM assets',
};

const statement = (kinds: readonly NoteContents[], page: number): string =>
  kinds
    .map((kind) => `SELECT '${kind}' AS kind, id FROM (${BLOCKS[kind]} ORDER BY id LIMIT ${PAGE} OFFSET ${page * PAGE})`)
    .join(' UNION ALL ')
    .concat(` LIMIT ${PAGE * kinds.length}`);

/** Contents of readable notes, by one statement, and more only where all hits are hidden. */
export async function workspaceContents(
  { routes, access }: { readonly routes: KernelRoutes; readonly access: Pick<Access, 'look'> },
  signal: AbortSignal,
): Promise<readonly NoteContents[]> {
  await routes.flushIndex(signal);
  const found = new Set<NoteContents>();
  let open: readonly NoteContents[] = NOTE_CONTENTS;
  for (let page = 0; open.length > 0 && page < MOST_PAGES; page++) {
    const rows = await routes.sql(statement(open, page), signal);
    const places = await access.look(
      rows.map(({ id }) => String(id)),
      signal,
      'flushed',
    );
    const blocks = open.map((kind) => ({ kind, ids: rows.flatMap((row) => (row.kind === kind ? String(row.id) : [])) }));
    for (const { kind, ids } of blocks) if (ids.some((id) => places.get(id)?.readable)) found.add(kind);
    open = blocks.flatMap(({ kind, ids }) => (ids.length === PAGE && !found.has(kind) ? kind : []));
  }
  return NOTE_CONTENTS.filter((kind) => found.has(kind));
}
