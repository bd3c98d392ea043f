import { readContexts } from '../chat/controller/traced-contexts.ts';
import type { FindFirst } from '../chat/session/search-first.ts';
import type { SearchMatch } from '../tools/contract/note-readings.ts';
import type { NotesPort } from '../tools/contract/ports.ts';
import type { NoteRights } from '../tools/contract/provenance.ts';
import { estimateTokens } from '../tools/util/estimate-tokens.ts';

/** What the passages may cost, in estimated tokens: a small model has little room. */
const MAX_TOKENS = 1500;
const MAX_NOTES = 8;
/** Titles of notes that name what was found. */
const TITLES = 2;

const HEAD = 'Passages of the notes that match the question, best first. Cite the blocks that you use by their ids; read a note for more.';

const headOf = ({ documentTitle, documentId, path, notebookName = '' }: SearchMatch): string =>
  `## ${documentTitle} [${documentId}] (${notebookName}${path})`;
const lineOf = ({ id, snippet }: SearchMatch): string => `[${id}] ${snippet.replaceAll(/\s+/gu, ' ').trim()}`;

/** The best matches that fit, in the order of the search. */
function within(matches: readonly SearchMatch[]): readonly SearchMatch[] {
  let room = MAX_TOKENS - estimateTokens(HEAD);
  const notes = new Set<string>();
  return matches.filter((match) => {
    const cost = estimateTokens(lineOf(match)) + (notes.has(match.documentId) ? 0 : estimateTokens(headOf(match)));
    if (cost > room) return false;
    room -= cost;
    notes.add(match.documentId);
    return true;
  });
}

function textOf(matches: readonly SearchMatch[]): string {
  const parts = [...new Set(matches.map(({ documentId }) => documentId))].map((id) => {
    const passages = matches.filter(({ documentId }) => documentId === id);
    return [...passages.slice(0, 1).map(headOf), ...passages.map(lineOf)].join('\n');
  });
  return [HEAD, ...parts].join('\n\n');
}

function titleOf(matches: readonly SearchMatch[]): string {
  const titles = [...new Map(matches.map(({ documentId, documentTitle }) => [documentId, documentTitle])).values()];
  const more = titles.length - TITLES;
  return `${titles.slice(0, TITLES).join(', ')}${more > 0 ? ` +${more}` : ''}`;
}

/** Searches the notes for the best passages, by the same ranking and under the same rights as the tool `search_notes`. */
export function createFindFirst({ notes, rights }: { readonly notes: Pick<NotesPort, 'search'>; readonly rights: NoteRights }): FindFirst {
  return async (question, signal) => {
    const read = async () => {
      const { matches } = await notes.search({ query: question, mode: 'relevance', page: 1, pageSize: MAX_NOTES }, signal);
      const found = within(matches.filter(({ isSavedChat }) => !isSavedChat));
      const reads = [...new Set(found.flatMap(({ id, documentId }) => [documentId, id]))];
      const passages = found.map(({ id, documentId, documentTitle, snippet }) => ({
        blockId: id,
        documentId,
        documentTitle,
        text: snippet,
      }));
      const context = { kind: 'found', id: 'found', title: titleOf(found), text: textOf(found), passages, reads } as const;
      return { contexts: found.length === 0 ? [] : [context] };
    };
    return (await readContexts(rights, read, signal)).contexts[0];
  };
}
