import type { BlockReading, DocumentAddress, DocumentReading } from '../../contract/note-readings.ts';
import type { NotesPort } from '../../contract/ports.ts';
import type { ToolArguments, ToolExecuteResult } from '../../contract/types.ts';
import { numberArgument, textArgument } from '../../util/define.ts';
import { estimateTokens } from '../../util/estimate-tokens.ts';
import { nextCall } from '../../util/line-parts.ts';
import { truncateContent } from '../../util/truncate.ts';

/** The tool's own budget cuts between blocks; this one only limits a single giant block. */
export function truncateReading(formatted: string, args: ToolArguments): string {
  return truncateContent(formatted, Math.max(8000, 8 * numberArgument(args, 'tokens', 2000))).text;
}

export async function readDocument(
  notes: NotesPort,
  address: DocumentAddress,
  args: ToolArguments,
  signal: AbortSignal,
): Promise<ToolExecuteResult> {
  const range = { start: numberArgument(args, 'start', 0), blocks: numberArgument(args, 'blocks', 50) };
  const reading = await notes.document(address, range, signal);
  const options = { tokens: numberArgument(args, 'tokens', 2000), showIds: args.showIds !== false };
  const { text, blockIds } = formatReading(reading, options, args);
  return { status: 'success', data: text, notebooks: [reading.notebook.id], blockIds };
}

export interface ReadingOptions {
  readonly tokens: number;
  readonly showIds: boolean;
}

export interface FormattedBlocks {
  readonly lines: readonly string[];
  readonly count: number;
  readonly blockIds: readonly string[];
  readonly tokens: number;
}

/** As many blocks as the budget allows. Cuts between blocks; one block is always included, so that reading continues. */
export function formatBlocks(blocks: readonly BlockReading[], options: ReadingOptions): FormattedBlocks {
  const lines: string[] = [];
  const blockIds: string[] = [];
  let tokens = 0;
  for (const block of blocks) {
    const line = formatBlock(block, options.showIds);
    const cost = estimateTokens(line);
    if (tokens + cost > options.tokens && lines.length > 0) break;
    tokens += cost;
    lines.push(line);
    blockIds.push(block.id, ...(block.items ?? []).map(({ id }) => id));
  }
  return { lines, count: lines.length, blockIds: options.showIds ? blockIds : [], tokens };
}

/** `@@id@@type#hash ` and the Markdown; in a list, the line of each item begins with its own `@@id@@i#hash `. */
function formatBlock(block: BlockReading, showIds: boolean): string {
  if (!showIds) return block.markdown;
  const head = `@@${block.id}@@${block.type}#${block.hash}`;
  return block.items === undefined || block.items.length === 0
    ? `${head} ${block.markdown}`
    : [head, ...itemLines(block.markdown, block.items)].join('\n');
}

const MARKER = /^\s*(?:[-*+]|\d+[.)])(?:\s+(.*))?$/u;

/** Items are found in order by their first lines; one whose line was not found is listed after the list, so that no id is lost. */
function itemLines(markdown: string, items: NonNullable<BlockReading['items']>): readonly string[] {
  const waiting = [...items];
  const lines = markdown.split('\n').map((line) => {
    const text = MARKER.exec(line);
    const item = waiting[0];
    if (text === null || item === undefined || !(text[1] ?? '').trim().endsWith(item.markdown.trim())) return line;
    waiting.shift();
    return `@@${item.id}@@i#${item.hash} ${line}`;
  });
  return [...lines, ...waiting.map((item) => `@@${item.id}@@i#${item.hash} ${item.markdown}`)];
}

export function documentHeader(reading: Pick<DocumentReading, 'id' | 'title' | 'path' | 'notebook'>): string {
  return `# ${reading.title} [${reading.id}] ${reading.path} in ${reading.notebook.name}`;
}

export function outlineLines(outline: DocumentReading['outline'], showIds: boolean): readonly string[] {
  return outline.map(({ id, level, text }) => `${'  '.repeat(Math.max(0, level - 1))}- h${level} ${text}${showIds ? ` [${id}]` : ''}`);
}

export function hiddenLines(hidden: number, what: string): readonly string[] {
  return hidden > 0 ? [`(${hidden} ${what} are kept private)`] : [];
}

/** A document for the model: header, outline, blocks, and how to continue. */
function formatReading(
  reading: DocumentReading,
  options: ReadingOptions,
  args: ToolArguments,
): { readonly text: string; readonly blockIds: readonly string[] } {
  const outline = outlineLines(reading.outline, options.showIds);
  const { lines, count, blockIds } = formatBlocks(reading.blocks, options);
  const end = reading.start + count;
  const address = textArgument(args, 'path') === undefined ? { id: reading.id, ...args } : args;
  const next =
    end < reading.totalBlocks && count > 0 ? [`${nextCall('read_doc', address, { start: end })} (of ${reading.totalBlocks} blocks)`] : [];
  const empty = reading.blocks.length === 0 ? ['(no blocks here)'] : [];
  const head = [documentHeader(reading), ...(outline.length > 0 ? ['Outline:', ...outline] : []), ''];
  const shown = options.showIds ? [...reading.outline.map(({ id }) => id), ...blockIds] : [];
  return {
    text: [...head, ...lines, ...empty, ...hiddenLines(reading.hidden, 'blocks'), ...next].join('\n'),
    blockIds: [...new Set([reading.id, ...shown])],
  };
}
