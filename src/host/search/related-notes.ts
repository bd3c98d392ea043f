import type { BlockNeighbourhood, NoteQueries, RelatedNote } from '../../tools/contract/note-queries.ts';
import { stemOf } from '../../tools/util/plain-words.ts';
import type { BlockNeighbours } from '../reading/block-neighbours.ts';
import type { NotesSearch } from './notes-search.ts';
import { contentWords } from './query-words.ts';

export interface RelatedNotesDeps {
  readonly neighbours: Pick<BlockNeighbours, 'blocks'>;
  readonly search: NotesSearch;
}

/** The maximum number of blocks read from a note or a section. */
const MOST_BLOCKS = 200;
const TITLE = 3;
const HEADING = 2;
const SHARED = 6;
/** Words for the search, which uses the rarest of them. */
const MOST_WORDS = 40;
/** Ids and addresses are not words. */
const NO_WORDS = /\d{14}-[0-9a-z]{7}|\b(?:https?|siyuan):\/\/[^\s)]+|assets\/[^\s)]+/gu;
const MOST_CHARACTERS = 40;
/** What is compared by meaning. */
const MOST_READ = 1000;

/** The most frequent words with their counts; among equal ones the longer (rarer) ones. `parts`: texts with the weight of their words. */
export function usualWords(parts: readonly { readonly text: string; readonly weight: number }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, { readonly word: string; count: number }>();
  for (const { text, weight } of parts) {
    for (const word of contentWords(text.replaceAll(NO_WORDS, ' '))) {
      if (/^[\p{N}_]+$/u.test(word) || word.length > MOST_CHARACTERS) continue;
      const known = counts.get(stemOf(word)) ?? { word, count: 0 };
      known.count += weight;
      counts.set(stemOf(word), known);
    }
  }
  const usual = [...counts.values()]
    .sort((one, other) => other.count - one.count || other.word.length - one.word.length)
    .slice(0, MOST_WORDS);
  return new Map(usual.map(({ word, count }) => [word, count]));
}

/** Notes related to another, by a search for its characteristic words: only readable text counts on both sides. */
export class RelatedNotes implements Pick<NoteQueries, 'related'> {
  private readonly deps: RelatedNotesDeps;

  constructor(deps: RelatedNotesDeps) {
    this.deps = deps;
  }

  async related({ id, limit }: { id: string; limit: number }, signal: AbortSignal) {
    const { document, notebook, blocks } = await this.read(id, signal);
    const words = usualWords([
      ...(id === document.id ? [{ text: document.title, weight: TITLE }] : []),
      ...blocks.map(({ type, markdown }) => ({ text: markdown, weight: type === 'h' ? HEADING : 1 })),
    ]);
    const text = [document.title, ...blocks.map(({ markdown }) => markdown)].join('\n').slice(0, MOST_READ);
    const notes = words.size === 0 ? [] : await this.sharing(words, text, document.id, limit, signal);
    return { document, notebook, notes };
  }

  /** A block; for a heading, its section too. */
  private async read(id: string, signal: AbortSignal): Promise<BlockNeighbourhood> {
    const read = await this.deps.neighbours.blocks({ id, range: 'self', limit: MOST_BLOCKS }, signal);
    if (id === read.document.id || read.blocks[0]?.type !== 'h') return read;
    const section = await this.deps.neighbours.blocks({ id, range: 'children', limit: MOST_BLOCKS }, signal);
    return { ...section, blocks: [...read.blocks, ...section.blocks] };
  }

  private async sharing(
    occurrences: ReadonlyMap<string, number>,
    text: string,
    withoutDocument: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly RelatedNote[]> {
    const words = [...occurrences.keys()].join(' ');
    const query = { query: words, mode: 'relevance', occurrences, text, withoutDocument, page: 1, pageSize: limit } as const;
    const { matches, byMeaning } = await this.deps.search.search(query, signal);
    const notes = new Map<string, RelatedNote>();
    for (const { documentId, documentTitle, path, notebook, notebookName, id, snippet, words: had = [] } of matches) {
      const known = notes.get(documentId);
      notes.set(documentId, {
        document: { id: documentId, title: documentTitle, path },
        notebook: { id: notebook, name: notebookName ?? notebook },
        passage: known?.passage ?? { id, text: snippet },
        words: [...new Set([...(known?.words ?? []), ...had])].slice(0, SHARED),
      });
    }
    return [...notes.values()].filter((note) => byMeaning || note.words.length > 0);
  }
}
