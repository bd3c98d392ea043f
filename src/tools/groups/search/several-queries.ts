import { ToolError } from '../../contract/errors.ts';
import type { SearchMatch, SearchPage, SearchQuery } from '../../contract/note-readings.ts';
import type { NotesPort } from '../../contract/ports.ts';

/** Besides the question itself: each costs a search. */
const MOST_QUERIES = 4;
/** Of reciprocal ranks: a note near the top of two lists comes before the first of one. */
const RANK_ROOM = 3;

interface Ranked {
  readonly matches: readonly SearchMatch[];
  readonly score: number;
}

/** The passages of each note, in order. */
function byNote(matches: readonly SearchMatch[]): ReadonlyMap<string, readonly SearchMatch[]> {
  const notes = new Map<string, SearchMatch[]>();
  for (const match of matches) notes.set(match.documentId, [...(notes.get(match.documentId) ?? []), match]);
  return notes;
}

/** Notes of all lists by reciprocal ranks, so that each query has its best notes on the page. */
function fuse(pages: readonly SearchPage[]): readonly SearchMatch[] {
  const notes = new Map<string, Ranked>();
  for (const { matches } of pages)
    for (const [rank, [id, passages]] of [...byNote(matches)].entries()) {
      const { matches: known, score } = notes.get(id) ?? { matches: [], score: 0 };
      const more = passages.filter((passage) => known.every((each) => each.id !== passage.id));
      notes.set(id, { matches: [...known, ...more], score: score + 1 / (RANK_ROOM + rank) });
    }
  return [...notes.values()].sort((one, other) => other.score - one.score).flatMap(({ matches }) => matches);
}

/** One question, or several at once: then the notes of all, a page of the best. Further pages are those of the question alone. Rejects with ToolError. */
export async function searchAll(
  notes: Pick<NotesPort, 'search'>,
  query: SearchQuery,
  also: readonly string[],
  signal: AbortSignal,
): Promise<SearchPage> {
  const texts = [...new Set([query.query, ...also.map((text) => text.trim()).filter((text) => text !== '')])];
  if (texts.length > 1 + MOST_QUERIES)
    throw new ToolError('bad_arguments', `"also" has ${texts.length - 1} queries`, `search for at most ${MOST_QUERIES} at once`);
  if (texts.length === 1 || query.page > 1) return notes.search(query, signal);
  const pages: SearchPage[] = [];
  for (const text of texts) pages.push(await notes.search({ ...query, query: text }, signal));
  const found = fuse(pages);
  const kept = new Set([...new Set(found.map(({ documentId }) => documentId))].slice(0, query.pageSize + also.length));
  const [{ nextPage = null, missing, byMeaning } = {}] = pages;
  return {
    matches: found.filter(({ documentId }) => kept.has(documentId)),
    total: nextPage === null ? kept.size : null,
    ...{ nextPage, missing, byMeaning },
    ...(pages.every(({ fromIndex }) => fromIndex === true) ? { fromIndex: true } : {}),
  };
}
