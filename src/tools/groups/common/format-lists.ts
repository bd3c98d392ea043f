import type { DocumentListing } from '../../contract/note-readings.ts';

/** `- title [id] (+n)`, indented by depth; at the end how to continue. */
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
