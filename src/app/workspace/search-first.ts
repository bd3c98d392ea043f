import { readContexts } from '../../chat/controller/traced-contexts.ts';
import type { FindFirst } from '../../chat/session/search-first.ts';
import type { FoundNote } from '../../tools/contract/found-notes.ts';
import type { NotesPort } from '../../tools/contract/ports.ts';
import type { NoteRights } from '../../tools/contract/provenance.ts';
import { type FoundBlock, foundIds, groupByNote, noteLines } from '../../tools/groups/common/found-notes.ts';
import { estimateTokens } from '../../tools/util/estimate-tokens.ts';

/** The maximum size of the passages, in estimated tokens: a small model has little room. */
const MAX_TOKENS = 1500;
const MAX_NOTES = 8;
/** The maximum number of note titles in the summary. */
const TITLES = 2;

const HEAD = 'Passages of the notes that match the question, best first. Cite the blocks that you use by their ids; read a note for more.';

/** The best matches that fit, in the order of the search. */
function within(matches: readonly FoundBlock[]): readonly FoundNote[] {
  let room = MAX_TOKENS - estimateTokens(HEAD);
  const notes = new Set<string>();
  const fitting = matches.filter((match) => {
    const [head = '', ...passage] = noteLines(groupByNote([match]));
    const cost = estimateTokens([...(notes.has(match.documentId) ? [] : [head]), ...passage].join('\n'));
    if (cost > room) return false;
    room -= cost;
    notes.add(match.documentId);
    return true;
  });
  return groupByNote(fitting);
}

function titleOf(notes: readonly FoundNote[]): string {
  const more = notes.length - TITLES;
  const first = notes.slice(0, TITLES).map(({ title }) => title);
  const between = /\p{Script=Han}/u.test(first.join('')) ? '、' : ', ';
  return `${first.join(between)}${more > 0 ? ` +${more}` : ''}`;
}

/** Searches the notes for the best passages, with the same ranking and rights as the tool `search_notes`. */
export function createFindFirst({ notes, rights }: { readonly notes: Pick<NotesPort, 'search'>; readonly rights: NoteRights }): FindFirst {
  return async (question, signal) => {
    const read = async () => {
      const { matches, missing } = await notes.search({ query: question, mode: 'relevance', page: 1, pageSize: MAX_NOTES }, signal);
      const found = within(
        matches
          .filter(({ isSavedChat }) => !isSavedChat)
          .map(({ id, documentId, documentTitle: title, path, notebookName: notebook = '', snippet: text }) => {
            return { id, documentId, title, path, notebook, text };
          }),
      );
      const words = [...new Set(matches.flatMap((match) => match.words ?? []))];
      const context = {
        kind: 'found',
        id: 'found',
        title: titleOf(found),
        text: [HEAD, ...noteLines(found)].join('\n'),
        found: { notes: found, words, missing },
        reads: foundIds(found),
      };
      return { contexts: found.length === 0 ? [] : [context] };
    };
    return (await readContexts(rights, read, signal)).contexts[0];
  };
}
