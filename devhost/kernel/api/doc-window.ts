import { ApiError } from '../api-error.ts';
import type { Kernel } from '../kernel.ts';
import type { RouteTable } from '../router.ts';
import { isFolded } from '../tree/folds.ts';
import { blocksOf, isBlock, type KernelNode } from '../tree/node.ts';
import { windowDOM } from '../tree/render.ts';
import { headingLevel, headingParent, isHeading, pathTo, setAttribute } from '../tree/structure.ts';
import { findInKernel } from './find-block.ts';
import { nodeId, text, textList } from './parameters.ts';

/** Blocks that a client gets where it names no size. */
const MOST_BLOCKS = 102_400;

const topBlocks = (root: KernelNode): KernelNode[] => (root.Children ?? []).filter(isBlock);

/** Those that a folded heading hides. */
function hiddenAmong(siblings: readonly KernelNode[]): ReadonlySet<KernelNode> {
  const hidden = new Set<KernelNode>();
  let level: number | undefined;
  for (const node of siblings) {
    if (level !== undefined && isHeading(node) && headingLevel(node) <= level) level = undefined;
    if (level !== undefined) hidden.add(node);
    else if (isFolded(node)) level = headingLevel(node);
  }
  return hidden;
}

/** From the block at `from` (0-based) on, until more than `size` blocks followed it; the first that follows counts as one. */
function windowFrom(siblings: readonly KernelNode[], from: number, size: number): KernelNode[] {
  const hidden = hiddenAmong(siblings);
  let start = from;
  for (let at = siblings[start]; start > 0 && at && hidden.has(at); at = siblings[start]) start -= 1;
  const [first, ...rest] = siblings.slice(start).filter((node) => !hidden.has(node));
  const nodes = first ? [first] : [];
  let count = 0;
  for (const node of rest) {
    nodes.push(node);
    count += count === 0 ? 1 : blocksOf(node).length;
    if (count > size) break;
  }
  return nodes;
}

/** How often each block of a document is referred to, as the editor shows it. */
function referenceCounts(kernel: Kernel, rootId: string): ReadonlyMap<string, number> {
  const rows = kernel.index.select(
    'SELECT def_block_id AS id, count(*) AS n FROM refs WHERE def_block_root_id = ? GROUP BY def_block_id',
    rootId,
  );
  return new Map(rows.map((row) => [String(row.id), Number(row.n)]));
}

/** Copies where something is added: the tree is shared with other readers. */
function withCounts(nodes: readonly KernelNode[], counts: ReadonlyMap<string, number>): KernelNode[] {
  if (counts.size === 0) return [...nodes];
  return nodes.map((node) => {
    if (!blocksOf(node).some((block) => counts.has(block.ID ?? ''))) return node;
    const copy = structuredClone(node);
    for (const block of blocksOf(copy)) {
      const count = counts.get(block.ID ?? '');
      if (count !== undefined) setAttribute(block, 'refcount', String(count));
    }
    return copy;
  });
}

/** Around the block that the answer begins with, as the editor's breadcrumb has it: of an item, what is above its list. */
function parentsOf(root: KernelNode, first: KernelNode): { parentID: string; parent2ID: string } {
  const [own, list] = pathTo(root, first.ID ?? '').reverse();
  const parentID = own?.parent?.ID ?? '';
  const below = own?.node.Type === 'NodeListItem' ? list : own;
  const above = below?.parent ? headingParent(below.parent, below.index) : undefined;
  return { parentID, parent2ID: above && isHeading(above) ? (above.ID ?? '') : parentID };
}

const wholeNumber = (value: unknown, other: number): number => (typeof value === 'number' ? value : other);

/** 1-based index of the top-level block that a block is in. */
function indexOf(kernel: Kernel, id: string): number {
  const found = findInKernel(kernel, id);
  if (!found) return 0;
  const top = pathTo(found.document.root, id)[1]?.node;
  return top ? topBlocks(found.document.root).indexOf(top) + 1 : 0;
}

export const documentWindowRoutes: RouteTable = {
  /** Of the kernel's ways to load a document: a window from an index (1-based; 0 from the start), and a block alone. */
  '/api/filetree/getDoc': (body, { kernel }) => {
    const id = text(body, 'id');
    const found = findInKernel(kernel, id);
    if (!found) throw new ApiError(1, 'tree not found');
    const { root, notebook, path } = found.document;
    const siblings = topBlocks(root);
    const isDocument = found.node === root;
    const index = wholeNumber(body.index, 0);
    const nodes = isDocument ? windowFrom(siblings, Math.max(0, index - 1), wholeNumber(body.size, MOST_BLOCKS)) : [found.node];
    const content = windowDOM(withCounts(nodes, referenceCounts(kernel, root.ID ?? '')), isDocument ? index : 0);
    const shared = { id, mode: body.mode ?? 0, rootID: root.ID, ...parentsOf(root, nodes[0] ?? root), box: notebook, path };
    const state = { type: found.node.Type, blockCount: siblings.length, eof: false, scroll: false, isSyncing: false };
    return { ...shared, ...state, content, isBacklinkExpand: false, keywords: null, reqId: body.reqId ?? null };
  },

  '/api/block/getBlockIndex': (body, { kernel }) => indexOf(kernel, nodeId(body, 'id')),

  /** Of blocks of one document, that of the first. */
  '/api/block/getBlocksIndexes': (body, { kernel }) => {
    const ids = textList(body, 'ids');
    const found = findInKernel(kernel, ids[0] ?? '');
    const indexes = new Map<string, number>();
    for (const [at, top] of topBlocks(found?.document.root ?? { Type: 'NodeDocument' }).entries())
      for (const block of blocksOf(top)) indexes.set(block.ID ?? '', at + 1);
    return Object.fromEntries(ids.map((id) => [id, indexes.get(id) ?? 0]));
  },
};
