import type { DocumentListing } from '../../contract/note-readings.ts';

/** `- title [id] (+n)`, indented by depth; at the end how to go on. */
export function formatListing(listing: DocumentListing): string {
  const top = Math.min(...listing.documents.map((document) => document.depth));
  const lines = listing.documents.map(({ title, id, depth, moreChildren }) => {
    const more = moreChildren > 0 ? ` (+${moreChildren})` : '';
    return `${'  '.repeat(depth - top)}- ${title} [${id}]${more}`;
  });
  const head = `${listing.notebook.name} [${listing.notebook.id}]: ${listing.total} documents`;
  const closed = listing.unopened === 0 ? [] : [`not opened: ${listing.unopened}; next: list_docs with parent=<id of a (+n)>`];
  return [head, ...lines, ...closed, ...nextPage(listing.nextPage)].join('\n');
}

export function nextPage(page: number | null): readonly string[] {
  return page === null ? [] : [`next: page=${page}`];
}

/** A block somewhere, with a line of its text. */
export interface FoundBlock {
  readonly id: string;
  readonly documentId: string;
  readonly path: string;
  readonly notebook: string;
  readonly text: string;
  /** Words that it has in common with what was asked about. */
  readonly shared?: readonly string[];
  /** SearchMatch.isSavedChat. */
  readonly isSavedChat?: true;
}

const headLine = (place: number, { path, documentId, notebook, shared, isSavedChat }: FoundBlock): string =>
  `${place}. ${path} [${documentId}] in ${notebook}${shared ? `; both have: ${shared.join(', ')}` : ''}${isSavedChat ? ' (a saved chat: cite the notes that it cites)' : ''}`;

/** Grouped by document, in the order of the first of each: `n. path [document id] in notebook`, then `   [id] text` lines. */
export function groupByDocument(found: readonly FoundBlock[]): readonly string[] {
  const documents = [...new Set(found.map(({ documentId }) => documentId))];
  return documents.flatMap((documentId, index) => {
    const blocks = found.filter((block) => block.documentId === documentId);
    const [first] = blocks;
    const head = first === undefined ? [] : [headLine(index + 1, first)];
    // A document that was found by its own title stands in the head already.
    const inside = blocks.filter(({ id }) => id !== documentId);
    return [...head, ...inside.map(({ id, text }) => `   [${id}] ${text.replaceAll(/\s+/gu, ' ').trim()}`.trimEnd())];
  });
}

/** Every id that a grouped list shows. */
export function foundIds(found: readonly FoundBlock[]): readonly string[] {
  return [...new Set(found.flatMap(({ id, documentId }) => [documentId, id]))];
}
