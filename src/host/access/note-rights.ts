import type { NoteRights, NoteSource, Obstacles, ReadPlaces } from '../../tools/contract/provenance.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { batchesOf, quotedList } from '../sql/sql-text.ts';
import type { Access } from './access.ts';
import { isGuarded } from './access-attribute.ts';
import { textSources } from './drawn-texts.ts';
import { type IndexedBlock, IS_GUARD } from './readable-blocks.ts';

/** A block, document or notebook with the guarding attribute. */
interface Guard {
  readonly id: string;
  readonly document: string;
  readonly notebook: string;
}

/** What hides anything at this moment. */
interface Hiding {
  /** Notebooks that may not be read, or are closed. */
  readonly closed: ReadonlySet<string>;
  readonly known: ReadonlySet<string>;
  readonly guards: readonly Guard[];
}

type Places = ReadonlyMap<string, IndexedBlock>;

const MOST_GUARDS = 100_000;

/** The rights of this moment over text that was read before. The index is flushed first: what was guarded a moment ago counts. */
class KernelNoteRights implements NoteRights {
  private readonly routes: KernelRoutes;
  private readonly access: Access;

  constructor(routes: KernelRoutes, access: Access) {
    this.routes = routes;
    this.access = access;
  }

  async standing(signal: AbortSignal): Promise<Obstacles> {
    const { closed, guards } = await this.hiding(signal);
    return new Set([...closed, ...guards.map(({ id }) => id)]);
  }

  async trace({ notebooks, ids }: ReadPlaces, before: Obstacles, signal: AbortSignal): Promise<readonly NoteSource[]> {
    await this.routes.flushIndex(signal);
    const places = await this.access.look([...ids, ...(await this.referredFrom(ids, signal))], signal, 'flushed');
    const byDocument = new Map<string, { notebook: string; document: string; blocks: string[] }>();
    for (const { id, notebook, documentId } of places.values()) {
      const source = byDocument.get(documentId) ?? { notebook, document: documentId, blocks: [] };
      if (id !== documentId) source.blocks.push(id);
      byDocument.set(documentId, source);
    }
    const named: readonly NoteSource[] = [...byDocument.values()];
    const whole = notebooks.filter((notebook) => !named.some((source) => source.notebook === notebook)).map((notebook) => ({ notebook }));
    const sources = [...named, ...whole];
    if (before.size === 0) return sources;
    const found = await this.obstacles(sources, signal);
    return sources.map((source, index) => {
      const except = [...(found[index] ?? [])].filter((id) => before.has(id));
      return except.length === 0 ? source : { ...source, except };
    });
  }

  async obstacles(sources: readonly NoteSource[], signal: AbortSignal): Promise<readonly Obstacles[]> {
    await this.routes.flushIndex(signal);
    const hiding = await this.hiding(signal);
    const missing = sources.some(({ notebook }) => notebook !== undefined && !hiding.known.has(notebook));
    if (hiding.closed.size === 0 && hiding.guards.length === 0 && !missing) return sources.map(() => new Set<string>());
    const ids = sources.flatMap(({ document, blocks = [] }) => (document === undefined ? blocks : [document, ...blocks]));
    const places = await this.access.look(ids, signal, 'flushed');
    return sources.map((source) => new Set(obstaclesOf(source, hiding, places)));
  }

  private async hiding(signal: AbortSignal): Promise<Hiding> {
    const books = await this.access.notebooks(signal);
    const ids = books.map(({ id }) => id);
    const stmt = `SELECT block_id, root_id, box FROM attributes WHERE ${IS_GUARD} LIMIT ${MOST_GUARDS}`;
    const [rows, own] = await Promise.all([this.routes.sql(stmt, signal), this.routes.attributesOf(ids, signal)]);
    const guards = rows.map((row) => ({ id: String(row.block_id), document: String(row.root_id), notebook: String(row.box) }));
    const guarded = ids.filter((id) => isGuarded(own[id]));
    return {
      closed: new Set([...books.filter(({ open, right }) => !open || right === 'none').map(({ id }) => id), ...guarded]),
      known: new Set(ids),
      guards,
    };
  }

  /** A reference shows words of the block that it refers to, and of those that this one refers to. */
  private async referredFrom(ids: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
    const found = new Set<string>();
    for (const batch of batchesOf([...new Set(ids)])) {
      const list = quotedList(batch);
      const stmt = `SELECT DISTINCT def_block_id FROM refs WHERE block_id IN (${list}) OR root_id IN (${list}) LIMIT 10000`;
      for (const row of await this.routes.sql(stmt, signal)) found.add(String(row.def_block_id));
    }
    return textSources(this.routes, [...found], signal);
  }
}

function* obstaclesOf(
  { notebook, document, blocks = [] }: NoteSource,
  { closed, known, guards }: Hiding,
  places: Places,
): Generator<string> {
  if (notebook !== undefined && (closed.has(notebook) || !known.has(notebook))) yield notebook;
  const ids = document === undefined ? blocks : [document, ...blocks];
  const documents = new Set<string>();
  for (const id of ids) {
    const place = places.get(id);
    if (place === undefined) {
      // Not in the index: deleted, or in a notebook that was closed. A block whose document is there was deleted from it.
      if (document === undefined || id === document) yield id;
      continue;
    }
    documents.add(place.documentId);
    if (!place.readable) yield closed.has(place.notebook) ? place.notebook : guardOver(place, guards);
  }
  const isInside = (guard: Guard): boolean => (ids.length === 0 ? guard.notebook === notebook : documents.has(guard.document));
  for (const guard of guards) if (isInside(guard)) yield guard.id;
}

/** The guarded document at or above it. A guard inside of its document is among those that are found there anyway. */
function guardOver({ path, documentId, id }: IndexedBlock, guards: readonly Guard[]): string {
  const above = guards.find((guard) => path.includes(guard.id)) ?? guards.find((guard) => guard.document === documentId);
  return above?.id ?? id;
}

export function createNoteRights(routes: KernelRoutes, access: Access): NoteRights {
  return new KernelNoteRights(routes, access);
}
