import type { FoundList, FoundNote } from '../../contract/found-notes.ts';
import type { RelatedNote } from '../../contract/note-queries.ts';
import type { NotePlace } from '../../contract/note-readings.ts';

export interface FoundBlock extends Omit<FoundNote, 'id' | 'passages'> {
  /** The document's own if its title was found. */
  readonly id: string;
  readonly documentId: string;
  readonly text: string;
  readonly alsoIn?: readonly NotePlace[];
}

/** Notes in the order of their first blocks. A match in a note's title is not a passage of it. */
export function groupByNote(found: readonly FoundBlock[]): readonly FoundNote[] {
  const notes = new Map<string, FoundNote>();
  for (const { id, documentId, text, alsoIn, ...place } of found) {
    const note = notes.get(documentId) ?? { ...place, id: documentId, passages: [] };
    const passages = id === documentId ? [] : [{ id, text: text.replaceAll(/\s+/gu, ' ').trim(), ...(alsoIn ? { alsoIn } : {}) }];
    notes.set(documentId, { ...note, passages: [...note.passages, ...passages] });
  }
  return [...notes.values()];
}

export function relatedList(related: readonly RelatedNote[]): FoundList & { readonly words: readonly string[] } {
  const notes = groupByNote(
    related.map(({ document: { id: documentId, title, path }, notebook, passage, words: shared }) => {
      return { ...passage, documentId, title, path, notebook: notebook.name, shared };
    }),
  );
  return { notes, words: [...new Set(related.flatMap(({ words }) => words))] };
}

function headLine({ path, id, notebook, shared, isSavedChat }: FoundNote, place: number): string {
  const both = shared?.length === 0 ? '; similar in meaning' : '';
  const words = shared?.length ? `; both have: ${shared.join(', ')}` : '';
  return `${place}. ${path} [${id}] in ${notebook}${words}${both}${isSavedChat ? ' (a saved chat: cite the notes that it cites)' : ''}`;
}

const NAMED = 2;

const copiesIn = (alsoIn: readonly NotePlace[] | undefined): string =>
  alsoIn
    ? ` (the same text: ${alsoIn
        .slice(0, NAMED)
        .map(({ path, id }) => `${path} [${id}]`)
        .join(', ')}${alsoIn.length > NAMED ? ' and others' : ''})`
    : '';

/** `n. path [document id] in notebook`, then `   [id] text` lines. */
export function noteLines(notes: readonly FoundNote[]): readonly string[] {
  return notes.flatMap((note, index) => [
    headLine(note, index + 1),
    ...note.passages.map(({ id, text, alsoIn }) => `   [${id}] ${text}${copiesIn(alsoIn)}`.trimEnd()),
  ]);
}

export function foundIds(notes: readonly FoundNote[]): readonly string[] {
  return [...new Set(notes.flatMap(({ id, passages }) => [id, ...passages.map((passage) => passage.id)]))];
}
