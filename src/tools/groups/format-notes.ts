import { estimateTokenCount } from 'tokenx';
import type { ApprovedPlan } from '../plans.ts';
import type { BlockReading, DocumentListing, DocumentReading, SearchPage, WriteReport } from '../ports.ts';
import type { ToolExecuteResult } from '../types.ts';

/** `- title [id] (+n)`, indented by depth. */
export function formatListing(listing: DocumentListing): string {
  const top = Math.min(...listing.documents.map((document) => document.depth));
  const lines = listing.documents.map(({ title, id, depth, moreChildren }) => {
    const more = moreChildren > 0 ? ` (+${moreChildren})` : '';
    return `${'  '.repeat(depth - top)}- ${title} [${id}]${more}`;
  });
  const head = `${listing.notebook.name} [${listing.notebook.id}]: ${listing.total} documents`;
  return [head, ...lines, ...(listing.nextPage === null ? [] : [`next: page=${listing.nextPage}`])].join('\n');
}

export interface ReadingOptions {
  readonly tokens: number;
  readonly showIds: boolean;
}

/**
 * A document for the model: header, outline, then every block as `@@id@@type#hash ` and its Markdown. The token budget
 * cuts between blocks; one block is always given, so that reading goes on.
 */
export function formatReading(
  reading: DocumentReading,
  options: ReadingOptions,
): { readonly text: string; readonly blockIds: readonly string[] } {
  const header = `# ${reading.title} [${reading.id}] ${reading.path} in ${reading.notebook.name}`;
  const outline = reading.outline.map(
    ({ id, level, text }) => `${'  '.repeat(Math.max(0, level - 1))}- h${level} ${text}${options.showIds ? ` [${id}]` : ''}`,
  );
  const lines: string[] = [];
  const blockIds: string[] = [];
  let tokens = 0;
  for (const block of reading.blocks) {
    const line = formatBlock(block, options.showIds);
    tokens += estimateTokenCount(line);
    if (tokens > options.tokens && blockIds.length > 0) break;
    lines.push(line);
    blockIds.push(block.id);
  }
  const end = reading.start + blockIds.length;
  const next = end < reading.totalBlocks && blockIds.length > 0 ? [`next: start=${end} (of ${reading.totalBlocks} blocks)`] : [];
  const hidden = reading.hidden > 0 ? [`(${reading.hidden} blocks are kept private)`] : [];
  const empty = reading.blocks.length === 0 ? ['(no blocks here)'] : [];
  const parts = [header, ...(outline.length > 0 ? ['Outline:', ...outline] : []), '', ...lines, ...empty, ...hidden, ...next];
  const shown = options.showIds ? [...reading.outline.map(({ id }) => id), ...blockIds] : [];
  return { text: parts.join('\n'), blockIds: [...new Set([reading.id, ...shown])] };
}

function formatBlock(block: BlockReading, showIds: boolean): string {
  return showIds ? `@@${block.id}@@${block.type}#${block.hash} ${block.markdown}` : block.markdown;
}

/** Hits grouped by document, numbered through: `n. /path [block-id] snippet`. */
export function formatSearch(page: SearchPage, firstNumber: number): string {
  const groups = new Map<string, { readonly head: string; readonly lines: string[] }>();
  const numbers = orderByDocument(page);
  for (const [index, hit] of numbers.entries()) {
    const group = groups.get(hit.documentId) ?? { head: `${hit.documentTitle} [${hit.documentId}]`, lines: [] };
    group.lines.push(`${firstNumber + index}. ${hit.path} [${hit.id}] ${hit.snippet.replaceAll(/\s+/gu, ' ').trim()}`);
    groups.set(hit.documentId, group);
  }
  const body = [...groups.values()].flatMap(({ head, lines }) => [head, ...lines]);
  const hidden = page.hidden > 0 ? [`(${page.hidden} hits are kept private)`] : [];
  const none = page.hits.length === 0 ? ['try other or fewer words, or list_docs'] : [];
  return [`${page.total} hits`, ...body, ...none, ...hidden, ...(page.nextPage === null ? [] : [`next: page=${page.nextPage}`])].join('\n');
}

function orderByDocument(page: SearchPage): readonly SearchPage['hits'][number][] {
  const documents = [...new Set(page.hits.map((hit) => hit.documentId))];
  return documents.flatMap((id) => page.hits.filter((hit) => hit.documentId === id));
}

/** One line of what was done, the ids with their new hashes, and what Undo brings back. */
export function writeResult(did: string, approved: ApprovedPlan, report: WriteReport): ToolExecuteResult {
  const { plan, accepted } = approved;
  const leftOut = plan.operations.length - accepted.size;
  const blocks = report.blockIds.map((id) => (report.hashes[id] === undefined ? id : `${id}#${report.hashes[id]}`));
  const lines = [
    `${did} [${report.documentId}] in ${plan.notebook.name}${leftOut > 0 ? `; the user left out ${leftOut} of ${plan.operations.length} changes` : ''}`,
    `blocks: ${blocks.join(', ') || 'none'}`,
    ...plan.notices.map(({ code, count }) => `note: ${code} (${count})`),
    `undo: ${report.undo}`,
  ];
  return {
    status: 'success',
    data: lines.join('\n'),
    notebooks: [plan.notebook.id],
    blockIds: [...new Set([report.documentId, ...report.blockIds])],
    written: { blockIds: report.blockIds, documentId: report.documentId, undoable: report.undo !== 'none' },
  };
}
