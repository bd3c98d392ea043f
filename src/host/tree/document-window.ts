import { isTag, isText } from 'domhandler';
import { ToolError } from '../../tools/contract/errors.ts';
import { allBlocks, type BlockElement, blockId, parseBlocks, serializeBlock } from '../blocks/block-dom.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';

export interface DocumentWindow {
  readonly blocks: readonly { readonly id: string; readonly dom: string }[];
  readonly total: number;
  /** It contained the editor's marks for names of other blocks: the texts are right, but may differ slightly from the stored ones. */
  readonly marked: boolean;
}

export interface Run {
  readonly from: number;
  readonly to: number;
}

/** Up to this many blocks between two requested ones are loaded too. */
const NEAR = 8;

/** Runs of blocks with this many on each side of them, in order; close ones are merged. */
export function runsOf(indexes: readonly number[], beside: number): Run[] {
  const runs: Run[] = [];
  for (const index of [...new Set(indexes)].sort((one, other) => one - other)) {
    const last = runs.at(-1);
    const [from, to] = [Math.max(1, index - beside), index + beside];
    if (last && from - last.to <= NEAR) runs[runs.length - 1] = { from: last.from, to };
    else runs.push({ from, to });
  }
  return runs;
}

/** The maximum number of requests for one window: a list counts as all its items, so the first may return too little. */
const MAX_ROUNDS = 6;
/** The assumed number of blocks per top-level block, before any were loaded. */
const DENSITY = 1.5;
/** The margin over the size that the loaded blocks suggest. */
const MARGIN = 1.25;

const VIRTUAL = 'virtual-block-ref';
const isVirtual = (element: BlockElement): boolean => (element.attribs['data-type'] ?? '').split(' ').includes(VIRTUAL);

/** With virtual references the editor marks words that name other blocks; these marks are not part of the text. */
function unmarkVirtualReferences(element: BlockElement): void {
  for (const child of [...element.children]) {
    if (!isTag(child)) continue;
    unmarkVirtualReferences(child);
    if (!isVirtual(child)) continue;
    for (const inner of child.children) inner.parent = element;
    element.children.splice(element.children.indexOf(child), 1, ...child.children);
  }
  for (let index = element.children.length - 1; index > 0; index -= 1) {
    const [before, text] = [element.children[index - 1], element.children[index]];
    if (!before || !text || !isText(before) || !isText(text)) continue;
    before.data += text.data;
    element.children.splice(index, 1);
  }
}

function blocksIn(content: string): readonly BlockElement[] {
  const blocks = parseBlocks(content);
  if (content.includes(VIRTUAL)) for (const block of blocks) unmarkVirtualReferences(block);
  return blocks;
}

/** `count` blocks from `start` (0-based) on; undefined if the kernel answers another position: a fold was closed meanwhile. */
export async function loadWindow(
  routes: Pick<KernelRoutes, 'documentWindow'>,
  documentId: string,
  start: number,
  count: number,
  signal: AbortSignal,
): Promise<DocumentWindow | undefined> {
  const found: BlockElement[] = [];
  let marked = false;
  let density = DENSITY;
  for (let round = 0; ; round += 1) {
    if (signal.aborted) throw new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on');
    const index = start + found.length + 1;
    const missing = count - found.length;
    // Two blocks more than requested are returned.
    const { content, blockCount } = await routes.documentWindow(documentId, index, Math.max(0, Math.ceil(missing * density) - 2), signal);
    const blocks = index > blockCount ? [] : blocksIn(content);
    marked ||= content.includes(VIRTUAL);
    if (index <= blockCount && Number(blocks[0]?.attribs['data-node-index']) !== index) return undefined;
    found.push(...blocks.slice(0, missing));
    const isWhole = found.length >= Math.min(count, blockCount - start);
    if (isWhole || blocks.length === 0 || round >= MAX_ROUNDS) {
      return { blocks: found.map((block) => ({ id: blockId(block), dom: serializeBlock(block) })), total: blockCount, marked };
    }
    density = (MARGIN * found.reduce((sum, block) => sum + allBlocks(block).length, 0)) / found.length;
  }
}
