import { isSeen } from '../../tools/contract/notebook-right.ts';
import type { NoteRights, NoteSource, Obstacles, ReadPlaces } from '../../tools/contract/provenance.ts';
import { isBlockId } from '../blocks/block-dom.ts';
import { askedOnce, type ListBeforeCall } from '../kernel/asked-once.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { batchesOf, quoted } from '../sql/sql-text.ts';
import type { Access } from './access.ts';
import type { DocumentScope } from './document-scope.ts';
import { mayHoldBlocks } from './drawn-texts.ts';
import { GUARD_ROW, type Guard, type IndexedBlock, IS_GUARD, listGuards } from './readable-blocks.ts';

interface Hiding {
  readonly scope: DocumentScope;
  readonly closed: ReadonlySet<string>;
  readonly known: ReadonlySet<string>;
  readonly guards: readonly Guard[];
}

type Places = ReadonlyMap<string, IndexedBlock>;

/** Ids in one statement; each gives a small answer. */
const TRACED_AT_ONCE = 1000;
const MOST_TRACED = 1_000_000;

/** A read block and all blocks whose words it shows, directly or indirectly. CROSS JOIN: SQLite would start with the larger table. */
const tracedFrom = (ids: readonly string[]): string =>
  `WITH RECURSIVE asked(id) AS (VALUES ${ids.map((id) => `(${quoted(id)})`).join(',')}), ` +
  'drawn(id) AS (SELECT def_block_id FROM asked CROSS JOIN refs ON refs.root_id = asked.id ' +
  'UNION SELECT refs.def_block_id FROM asked CROSS JOIN blocks ON blocks.id = asked.id ' +
  'CROSS JOIN refs ON refs.root_id = blocks.root_id AND refs.block_id = blocks.id ' +
  'UNION SELECT refs.def_block_id FROM drawn JOIN blocks ON blocks.id = drawn.id ' +
  'JOIN refs ON refs.root_id = blocks.root_id AND refs.block_id = blocks.id ' +
  'UNION SELECT held.id FROM drawn JOIN blocks AS holder ON holder.id = drawn.id ' +
  `AND ${mayHoldBlocks('holder.type')} JOIN blocks AS held ON held.parent_id = holder.id), ` +
  'traced AS (SELECT DISTINCT blocks.id, box, root_id FROM (SELECT id FROM asked UNION SELECT id FROM drawn) AS named ' +
  'CROSS JOIN blocks ON blocks.id = named.id WHERE blocks.id <> box) ' +
  "SELECT box, group_concat(part, ';') AS parts FROM (SELECT box, root_id || coalesce(',' || group_concat(CASE WHEN id <> root_id THEN id END), '') AS part " +
  'FROM traced GROUP BY box, root_id) GROUP BY box ' +
  `UNION ALL SELECT '${GUARD_ROW}', '' FROM attributes WHERE ${IS_GUARD} LIMIT ${MOST_TRACED}`;

/** Parses a row `<document>,<block>,<block>;<document>` into one list per document. */
const partsOf = (parts: unknown): readonly (readonly string[])[] =>
  String(parts)
    .split(';')
    .map((part) => part.split(','));

class KernelNoteRights {
  private readonly routes: KernelRoutes;
  private readonly access: Access;

  constructor(routes: KernelRoutes, access: Access) {
    this.routes = routes;
    this.access = access;
  }

  /** The guard of a guarded notebook is included once it is indexed. Until then more text is kept back. */
  async currentObstacles(signal: AbortSignal): Promise<Obstacles> {
    const [closed, guards] = await Promise.all([this.access.closedNotebooks(signal), listGuards(this.routes, signal)]);
    const parts = (await this.access.notebooks(signal)).flatMap(({ id }) => this.access.scope.obstacle(id) ?? []);
    return new Set([...closed, ...guards.map(({ id }) => id), ...parts]);
  }

  /** For text that came from the index, the index need not be flushed (50 ms): references written since do not appear in it. */
  async trace({ notebooks, ids, fromIndex }: ReadPlaces, before: Obstacles, signal: AbortSignal): Promise<readonly NoteSource[]> {
    if (!fromIndex) await this.routes.flushIndex(signal);
    const byDocument = new Map<string, { notebook: string; document: string; blocks: Set<string> }>();
    let guards = false;
    for (const batch of batchesOf([...new Set(ids)].filter(isBlockId), TRACED_AT_ONCE)) {
      for (const row of await this.routes.sql(tracedFrom(batch), signal)) {
        if (row.box === GUARD_ROW) {
          guards = true;
          continue;
        }
        for (const [document = '', ...blocks] of partsOf(row.parts)) {
          const source = byDocument.get(document) ?? { notebook: String(row.box), document, blocks: new Set<string>() };
          for (const id of blocks) source.blocks.add(id);
          byDocument.set(document, source);
        }
      }
    }
    const named: readonly NoteSource[] = [...byDocument.values()].map((source) => ({ ...source, blocks: [...source.blocks] }));
    const whole = notebooks.filter((notebook) => !named.some((source) => source.notebook === notebook)).map((notebook) => ({ notebook }));
    const sources: readonly NoteSource[] = [...named, ...whole];
    // If nothing is guarded, only a notebook's right can have been an obstacle.
    const { isNarrow } = this.access.scope;
    if (!guards && !isNarrow && !sources.some(({ notebook }) => notebook !== undefined && before.has(notebook))) return sources;
    if (before.size === 0) return sources;
    const found = await this.obstacles(sources, signal);
    return sources.flatMap((source, index) => {
      const except = [...(found[index] ?? [])].filter((id) => before.has(id));
      // SiYuan removes the rows of a closed notebook from the index only later: its words cannot be in the text.
      if (source.document !== undefined && except.some((id) => id === source.notebook)) return [];
      return except.length === 0 ? [source] : [{ ...source, except }];
    });
  }

  /** Flushes the index first, so that recent guards take effect. */
  async obstacles(sources: readonly NoteSource[], signal: AbortSignal): Promise<readonly Obstacles[]> {
    await this.routes.flushIndex(signal);
    const hiding = await this.hiding(signal);
    const missing = sources.some(({ notebook }) => notebook !== undefined && !hiding.known.has(notebook));
    if (hiding.closed.size === 0 && hiding.guards.length === 0 && !missing && !hiding.scope.isNarrow)
      return sources.map(() => new Set<string>());
    const ids = sources.flatMap(({ document, blocks = [] }) => (document === undefined ? blocks : [document, ...blocks]));
    const places = await this.access.look(ids, signal, 'flushed');
    return sources.map((source) => new Set(obstaclesOf(source, hiding, places)));
  }

  /** A guarded notebook counts as `none`. */
  private async hiding(signal: AbortSignal): Promise<Hiding> {
    const [books, guards] = await Promise.all([this.access.notebooks(signal), listGuards(this.routes, signal)]);
    return {
      scope: this.access.scope,
      closed: new Set(books.filter(({ open, right }) => !open || !isSeen(right)).map(({ id }) => id)),
      known: new Set(books.map(({ id }) => id)),
      guards,
    };
  }
}

function* obstaclesOf(
  { notebook, document, blocks = [] }: NoteSource,
  { scope, closed, known, guards }: Hiding,
  places: Places,
): Generator<string> {
  if (notebook !== undefined && (closed.has(notebook) || !known.has(notebook))) yield notebook;
  const ids = document === undefined ? blocks : [document, ...blocks];
  const part = notebook === undefined ? undefined : scope.obstacle(notebook);
  if (part !== undefined && ids.length === 0) yield part;
  const documents = new Set<string>();
  for (const id of ids) {
    const place = places.get(id);
    if (place === undefined) {
      // Not in the index: deleted, or in a closed notebook. If its document is indexed, the block was deleted.
      if (document === undefined || id === document) yield id;
      continue;
    }
    documents.add(place.documentId);
    if (place.readable) continue;
    const rest = scope.holds(place.notebook, place.path) ? undefined : scope.obstacle(place.notebook);
    yield closed.has(place.notebook) ? place.notebook : (rest ?? guardOver(place, guards));
  }
  const isInside = (guard: Guard): boolean => (ids.length === 0 ? guard.notebook === notebook : documents.has(guard.document));
  for (const guard of guards) if (isInside(guard)) yield guard.id;
}

/** The guarded document at or above a block. Guards inside the block's own document are found separately. */
function guardOver({ path, documentId, id }: IndexedBlock, guards: readonly Guard[]): string {
  const above = guards.find((guard) => path.includes(guard.id)) ?? guards.find((guard) => guard.document === documentId);
  return above?.id ?? id;
}

/** Each call is answered from one state of the kernel. */
export function createNoteRights(routes: KernelRoutes, accessOver: (routes: KernelRoutes) => Access, before: ListBeforeCall): NoteRights {
  const over = (once: KernelRoutes): KernelNoteRights => new KernelNoteRights(once, accessOver(once));
  const now = (): KernelNoteRights => over(askedOnce(routes));
  return {
    currentObstacles: async (signal) => {
      const once = askedOnce(routes);
      const currentObstacles = await over(once).currentObstacles(signal);
      before.keep(signal, await once.notebooks(signal));
      return currentObstacles;
    },
    trace: (places, currentObstacles, signal) => {
      // The call is over: later reads with its signal are not part of it.
      before.take(signal);
      return now().trace(places, currentObstacles, signal);
    },
    obstacles: (sources, signal) => now().obstacles(sources, signal),
  };
}
