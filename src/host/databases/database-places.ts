import * as v from 'valibot';
import { ToolError } from '../../tools/contract/errors.ts';
import type { Access, BlockLocation } from '../access/access.ts';
import type { IndexedBlock } from '../access/readable-blocks.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { requireReadable } from '../reading/readable-place.ts';
import { type Database, databaseSchema } from './database-format.ts';

export interface DatabaseDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
}

export interface DatabaseBlock {
  readonly blockId: string;
  readonly databaseId: string;
  readonly place: IndexedBlock;
}

const PAGE = 2000;
const DATABASE_ID = /data-av-id="(\d{14}-[0-9a-z]{7})"/;

/** The database that a block shows, by its Markdown or DOM; '' for another block. */
const databaseIn = (text: string): string => DATABASE_ID.exec(text)?.[1] ?? '';

/** Blocks with databases that may be read. Flushes the index. */
export async function readableDatabases({ routes, access }: DatabaseDeps, signal: AbortSignal): Promise<readonly DatabaseBlock[]> {
  await routes.flushIndex(signal);
  const rows: Awaited<ReturnType<typeof routes.sql>>[number][] = [];
  for (let isWhole = false; !isWhole; ) {
    const after = String(rows.at(-1)?.id ?? '');
    const page = await routes.sql(
      `SELECT id, markdown FROM blocks WHERE type = 'av' AND id > '${after}' ORDER BY id LIMIT ${PAGE}`,
      signal,
    );
    rows.push(...page);
    isWhole = page.length < PAGE;
  }
  const places = await access.look(
    rows.map(({ id }) => String(id)),
    signal,
    'flushed',
  );
  return rows.flatMap(({ id, markdown }): DatabaseBlock[] => {
    const [place, databaseId] = [places.get(String(id)), databaseIn(String(markdown))];
    return place?.readable && databaseId !== '' ? [{ blockId: String(id), databaseId, place }] : [];
  });
}

export interface LocatedDatabase {
  readonly blockId: string;
  readonly databaseId: string;
  readonly place: BlockLocation;
}

const NONE = 'call db_read without id: it lists the databases';

/** By the block that shows it, its note, or its own id; `databases`: the readable ones. Rejects like `Access.locate`. */
export async function locateDatabase(
  deps: DatabaseDeps,
  id: string,
  signal: AbortSignal,
  databases?: readonly DatabaseBlock[],
): Promise<LocatedDatabase> {
  const { routes, access } = deps;
  const known = databases ?? (await readableDatabases(deps, signal));
  const own = known.filter(({ databaseId }) => databaseId === id)[0]?.blockId ?? id;
  const place = await access.locate(own, 'read', signal);
  if (own === place.documentId) {
    const within = known.filter(({ place: { documentId } }) => documentId === own);
    const [only] = within;
    if (only && within.length === 1) return { blockId: only.blockId, databaseId: only.databaseId, place: { ...place, id: only.blockId } };
    const found = within.length === 0 ? 'no database' : `${within.length} databases`;
    throw new ToolError(
      'bad_target',
      `${found} in ${id}`,
      within.length === 0 ? NONE : `give one of ${within.map(({ blockId }) => blockId).join(', ')}`,
    );
  }
  await requireReadable(deps, place, signal);
  const databaseId = databaseIn(await routes.dom(own, signal));
  if (databaseId === '') throw new ToolError('bad_target', `block ${id} shows no database`, NONE);
  return { blockId: own, databaseId, place };
}

const answerSchema = v.object({ av: v.nullish(databaseSchema) });

export async function storedDatabase(
  routes: Pick<KernelRoutes, 'database'>,
  id: string,
  signal: AbortSignal,
): Promise<Database | undefined> {
  return (await routes.database(id, (data) => v.parse(answerSchema, data), signal)).av ?? undefined;
}
