import { BLOCK_KINDS } from '../../tools/contract/block-kinds.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { SearchQuery } from '../../tools/contract/note-readings.ts';
import { evenForm } from '../../tools/equal-text/equal-text.ts';
import { LEAF_TYPES, type MaskedKinds } from '../access/masked-blocks.ts';
import { GUARDED_BLOCKS, type IndexedBlock, IS_TAG } from '../access/readable-blocks.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { checkDay } from '../reading/notes-reader.ts';
import { batchesOf, quoted, quotedList } from '../sql/sql-text.ts';
import { writtenForms } from '../sql/written-forms.ts';

/** SiYuan's names of block types in its search filter, by letter. A type that the filter omits is not found, so all are named. */
const KERNEL_TYPES: ReadonlyMap<string, string> = new Map(
  BLOCK_KINDS.flatMap(({ type, search }) => (search === undefined ? [] : [[type, search]])),
);
/** Types that are searched by default: no containers, whose text is that of the blocks in them. */
export const SEARCHED_TYPES: readonly string[] = LEAF_TYPES;
const MAX_TAG_ROWS = 20_000;
const MOST_PLACES = 100;

/** The type filter for the kernel; undefined for its default, which excludes containers. */
export function kernelTypes(types: readonly string[] | undefined): Readonly<Record<string, boolean>> | undefined {
  if (!types?.length) return undefined;
  const unknown = types.filter((type) => !KERNEL_TYPES.has(type));
  if (unknown.length > 0) {
    throw new ToolError('bad_type', `"${unknown.join(', ')}" is not a block type`, `use ${[...KERNEL_TYPES.keys()].join(', ')}`);
  }
  return Object.fromEntries([...KERNEL_TYPES].map(([letter, name]) => [name, types.includes(letter)]));
}

export const typesOfKernel = (types: Readonly<Record<string, boolean>> | null | undefined): readonly string[] | undefined =>
  types ? [...KERNEL_TYPES].flatMap(([letter, name]) => (types[name] ? letter : [])) : undefined;

export const maskedKindsOf = ({ types = [] }: Pick<SearchQuery, 'types'>): MaskedKinds =>
  types.every((type) => LEAF_TYPES.includes(type)) ? 'leaves' : 'all';

export const notebookOf = (place: string): string => place.split('/', 1)[0] ?? '';

/** Tells if a block is in one of these places, as in the kernel: in any of the notebooks, or below any of the documents. */
function inPlaces(places: readonly string[] | undefined): (block: Pick<IndexedBlock, 'notebook' | 'path'>) => boolean {
  if (!places?.length) return () => true;
  const split = places.map((place) => ({ notebook: notebookOf(place), path: place.slice(notebookOf(place).length) }));
  const paths = split.map(({ path }) => path).filter((path) => path !== '');
  return ({ notebook, path }) =>
    split.some((place) => place.notebook === notebook) && (paths.length === 0 || paths.some((above) => path.startsWith(above)));
}

export const plainTag = (tag: string): string => tag.trim().replace(/^#|#$/g, '');

/** The parts of a query that no search of the kernel checks; they are checked on each match. */
export interface MatchFilter {
  /** There is something to check, so the kernel's counts cannot be used. */
  readonly narrows: boolean;
  /** Those of the places that can contain passing matches: others need not be searched. */
  placesFor(places: readonly string[], signal: AbortSignal): Promise<readonly string[]>;
  passing(places: readonly IndexedBlock[], signal: AbortSignal): Promise<readonly IndexedBlock[]>;
}

const isTagOrBelow = (label: string, tag: string): boolean =>
  `${evenForm(label, 'same', true)}/`.startsWith(`${evenForm(tag, 'same', true)}/`);

export const taggedWith = (tags: readonly string[]): string =>
  tags
    .flatMap(writtenForms)
    .map((tag) => `content = ${quoted(tag)} OR substr(content, 1, ${[...tag].length + 1}) = ${quoted(`${tag}/`)}`)
    .join(' OR ');

async function taggedPlaces(routes: KernelRoutes, tags: readonly string[], signal: AbortSignal): Promise<readonly string[] | undefined> {
  // The place is the document's: a tag of its own loses its notebook in the index once a block is edited (docs/kernel.md).
  const roots = `SELECT root_id FROM spans WHERE ${IS_TAG} AND (${taggedWith(tags)})`;
  const stmt = `SELECT DISTINCT box, path FROM blocks WHERE id IN (${roots}) LIMIT ${MOST_PLACES + 1}`;
  const rows = await routes.sql(stmt, signal);
  return rows.length > MOST_PLACES ? undefined : rows.map((row) => `${row.box}${row.path}`);
}

/** By document, the tags of its blocks; only readable documents and blocks. */
async function tagsByDocument(
  routes: KernelRoutes,
  documents: readonly string[],
  tags: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, Set<string>>();
  for (const batch of batchesOf(documents)) {
    const rows = await routes.sql(
      `WITH RECURSIVE ${GUARDED_BLOCKS} SELECT DISTINCT root_id, content FROM spans WHERE root_id IN (${quotedList(batch)}) ` +
        `AND ${IS_TAG} AND (${taggedWith(tags)}) AND block_id NOT IN (SELECT id FROM guarded) LIMIT ${MAX_TAG_ROWS}`,
      signal,
    );
    for (const row of rows) {
      const labels = found.get(String(row.root_id)) ?? new Set<string>();
      found.set(String(row.root_id), labels.add(String(row.content)));
    }
  }
  return found;
}

export function createMatchFilter(query: SearchQuery, routes: KernelRoutes): MatchFilter {
  const from = query.updatedFrom === undefined ? '' : checkDay(query.updatedFrom);
  const to = query.updatedTo === undefined ? '99999999' : checkDay(query.updatedTo);
  const tags = [...new Set(query.tags?.map(plainTag) ?? [])].filter((tag) => tag !== '');
  const isThere = inPlaces(query.places);
  const inTime = ({ updated }: IndexedBlock): boolean => {
    const day = updated.slice(0, 8);
    return day >= from && day <= to;
  };
  return {
    narrows: tags.length > 0 || query.withoutDocument !== undefined || query.updatedFrom !== undefined || query.updatedTo !== undefined,
    placesFor: async (places, signal) => {
      if (from !== '' || to !== '99999999') {
        // A day is the first eight of fourteen digits.
        const stmt = `SELECT id FROM blocks WHERE updated >= ${quoted(from)} AND updated < ${quoted(`${to}~`)} LIMIT 1`;
        if ((await routes.sql(stmt, signal)).length === 0) return [];
      }
      const tagged = tags.length === 0 ? undefined : await taggedPlaces(routes, tags, signal);
      if (tagged === undefined) return places;
      const isIn = inPlaces(places);
      return tagged.filter((place) => isIn({ notebook: notebookOf(place), path: place.slice(notebookOf(place).length) }));
    },
    passing: async (places, signal) => {
      const recent = places.filter(
        (place) =>
          isThere(place) &&
          inTime(place) &&
          place.documentId !== query.withoutDocument &&
          (!query.types?.length || query.types.includes(place.type)),
      );
      if (tags.length === 0 || recent.length === 0) return recent;
      const documents = [...new Set(recent.map((place) => place.documentId))];
      const labels = await tagsByDocument(routes, documents, tags, signal);
      // A nested tag implies the tags above it: project/moon is in project.
      const carries = (documentId: string, tag: string): boolean =>
        [...(labels.get(documentId) ?? [])].some((label) => isTagOrBelow(label, tag));
      return recent.filter((place) => tags.every((tag) => carries(place.documentId, tag)));
    },
  };
}
