import type { DocumentListing } from '../../contract/note-readings.ts';
import type { ToolArguments } from '../../contract/types.ts';
import { nextCall } from '../../util/line-parts.ts';

/** `- title [id] (+n)`, indented by depth; at the end how to continue. */
export function formatListing(listing: DocumentListing, args: ToolArguments): string {
  const top = Math.min(...listing.documents.map((document) => document.depth));
  const lines = listing.documents.map(({ title, id, depth, moreChildren }) => {
    const more = moreChildren > 0 ? ` (+${moreChildren})` : '';
    return `${'  '.repeat(depth - top)}- ${title} [${id}]${more}`;
  });
  const head = `${listing.notebook.name} [${listing.notebook.id}]: ${listing.total} documents`;
  const closed = listing.unopened === 0 ? [] : [`not opened: ${listing.unopened}; next: list_docs with parent=<id of a (+n)>`];
  return [head, ...lines, ...closed, ...nextPage('list_docs', args, listing.nextPage)].join('\n');
}

/** The line that names the call for the next page; none for the last. */
export function nextPage(tool: string, args: ToolArguments, page: number | null): readonly string[] {
  return page === null ? [] : [nextCall(tool, args, { page })];
}
