import { ToolError } from '../../tools/contract/errors.ts';
import type { NoteQueries } from '../../tools/contract/note-queries.ts';
import type { SavedSearchMatches, SearchOrder, SearchQuery } from '../../tools/contract/note-readings.ts';
import type { Access } from '../access/access.ts';
import type { Criterion, KernelRoutes } from '../kernel/kernel-routes.ts';
import type { NotesSearch } from './notes-search.ts';
import { typesOfKernel } from './search-filters.ts';
import { matchAt } from './search-matches.ts';

interface SavedSearchesDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly search: NotesSearch;
  readonly sql: Pick<NoteQueries, 'sql'>;
}

/** By the kernel's number of the method; SQL is handled separately. Unknown methods are words, as in the kernel. */
const MODES: Readonly<Record<number, SearchQuery['mode']>> = { 1: 'syntax', 3: 'regex', 4: 'semantic' };
const ORDERS: Readonly<Record<number, SearchOrder>> = { 1: 'oldest', 2: 'newest', 3: 'changed-first', 4: 'changed-last' };
const SQL = 2;
const SNIPPET_CHARS = 240;

const orNone = <T>(value: T | null | undefined, none: T): T => value ?? none;

/** The query of a search by words; undefined if every type of block is off, so that it finds nothing. */
function queryOf({ k, method, sort, idPath, types }: Criterion, limit: number): SearchQuery | undefined {
  const kinds = typesOfKernel(types);
  if (kinds?.length === 0) return undefined;
  const order = ORDERS[sort];
  const places = orNone(idPath, []);
  return {
    query: k,
    mode: MODES[method] ?? 'keyword',
    places: places.length > 0 ? places : undefined,
    order: order || undefined,
    types: kinds,
    page: 1,
    pageSize: limit,
  };
}

/** Searches that the user saved in SiYuan. They are only read; their results pass the same rights as every search. */
export class SavedSearches implements Pick<NoteQueries, 'savedSearches' | 'findSaved'> {
  private readonly deps: SavedSearchesDeps;

  constructor(deps: SavedSearchesDeps) {
    this.deps = deps;
  }

  async savedSearches(signal: AbortSignal): Promise<readonly string[]> {
    return (await this.saved(signal)).map(({ name }) => name);
  }

  async findSaved({ name, limit }: { name: string; limit: number }, signal: AbortSignal): Promise<SavedSearchMatches> {
    const criterion = (await this.saved(signal)).find((each) => each.name === name);
    if (!criterion) throw new ToolError('not_found', `there is no saved search "${name}"`, 'choose one that SiYuan’s search lists');
    if (criterion.method === SQL) return this.bySql(criterion, limit, signal);
    const query = queryOf(criterion, limit);
    if (!query) return { matches: [], isMore: false };
    const page = await this.deps.search.search(query, signal);
    return { matches: page.matches, isMore: page.nextPage !== null };
  }

  private async saved(signal: AbortSignal): Promise<readonly Criterion[]> {
    return (await this.deps.routes.savedSearches(signal)).filter(({ name, k }) => name !== '' && k.trim() !== '');
  }

  /** Through the checks of `query_sql`: a statement that the user saved may show what the assistant may not read. */
  private async bySql({ name, k }: Criterion, limit: number, signal: AbortSignal): Promise<SavedSearchMatches> {
    const { columns, rows, cut } = await this.deps.sql.sql({ stmt: k, maxRows: limit }, signal);
    const [id, content] = [columns.indexOf('id'), columns.indexOf('content')];
    if (id < 0) throw new ToolError('bad_sql', `the saved search "${name}" finds no blocks`, 'select the column id in it');
    const texts = new Map(rows.map((row) => [String(row[id]), String(row[content] ?? '')]));
    const places = await this.deps.access.look([...texts.keys()], signal);
    const matches = [...texts].flatMap(([found, text]) => {
      const place = places.get(found);
      return place?.readable && found !== place.notebook ? [matchAt(place, { snippet: text.slice(0, SNIPPET_CHARS) })] : [];
    });
    const books = await this.deps.access.notebooks(signal);
    return { matches, isMore: cut, notebooks: books.flatMap(({ id: book, open }) => (open ? book : [])) };
  }
}
