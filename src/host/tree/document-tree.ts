import { type ChildNode, isTag } from 'domhandler';
import { isContainer } from '../../tools/contract/block-kinds.ts';
import { ACCESS_ATTRIBUTE, isGuarded } from '../access/access-attribute.ts';
import { type BlockElement, blockId, blockType, childBlocks, findBlock, parseBlocks } from '../blocks/block-dom.ts';
import type { ChildBlock, KernelRoutes } from '../kernel/kernel-routes.ts';
import { noSuchBlock } from '../kernel/not-found.ts';

/** The position of a block in its document. Read from the kernel: the index lags behind writes. */
export interface TreePosition {
  readonly type: string;
  /** Ids of the blocks around it, innermost first, without the document. */
  readonly parentIds: readonly string[];
  readonly parentType: string;
  /** Id of the block or document that directly contains it. */
  readonly parentId: string;
  readonly siblingIds: readonly string[];
  readonly index: number;
  /** The user hides it, or something around it, from the assistant. */
  readonly guarded: boolean;
}

const levelOf = (child: ChildBlock): number => (child.type === 'h' ? Number(child.subType.slice(1)) || 6 : 7);

/** Top-level blocks that a guarded heading keeps back, including the heading: its section is kept back too. */
export async function guardedSections(
  routes: KernelRoutes,
  children: readonly ChildBlock[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const headings = children.filter((child) => child.type === 'h').map((child) => child.id);
  const attributes = await routes.attributesOf(headings, signal);
  const guarded = new Set<string>();
  let level: number | undefined;
  for (const child of children) {
    if (child.type === 'h') {
      if (isGuarded(attributes[child.id])) level = Math.min(level ?? 7, levelOf(child));
      else if (level !== undefined && levelOf(child) <= level) level = undefined;
    }
    if (level !== undefined) guarded.add(child.id);
  }
  return guarded;
}

export const isGuardedElement = (block: BlockElement): boolean => block.attribs[ACCESS_ATTRIBUTE]?.trim() === 'none';

/** Of sibling blocks, those that are kept back: guarded ones, and those below a guarded heading. */
export function guardedSiblings(siblings: readonly BlockElement[]): ReadonlySet<BlockElement> {
  const guarded = new Set<BlockElement>();
  let level: number | undefined;
  for (const block of siblings) {
    const own = blockType(block) === 'h' ? Number(block.attribs['data-subtype']?.slice(1)) || 6 : undefined;
    if (own !== undefined && isGuardedElement(block)) level = Math.min(level ?? 7, own);
    else if (own !== undefined && level !== undefined && own <= level) level = undefined;
    if (level !== undefined || isGuardedElement(block)) guarded.add(block);
  }
  return guarded;
}

/** Tells if the block, or something around it up to the root of its tree, is kept back. `parents` innermost first. */
function isGuardedInside(block: BlockElement, parents: readonly BlockElement[]): boolean {
  const chain = [block, ...parents];
  return chain.some((each, index) => {
    const parent = chain[index + 1];
    return parent ? guardedSiblings(childBlocks(parent)).has(each) : isGuardedElement(each);
  });
}

/** SiYuan's rendering of the blocks in a container: titles of tabs, a mind map. It repeats their words. */
const DRAWN_PARTS = new Set(['tabs-header', 'mindmap-view']);

function removeDrawn(block: BlockElement): void {
  const isDrawn = (child: ChildNode): boolean =>
    isTag(child) && (child.attribs.class ?? '').split(/\s+/).some((name) => DRAWN_PARTS.has(name));
  block.children = block.children.filter((child) => !isDrawn(child));
}

/** Removes guarded blocks from a block; returns how many. The caller checks the block itself. */
export function removeGuarded(block: BlockElement): number {
  let removed = 0;
  const children = childBlocks(block);
  const guarded = guardedSiblings(children);
  for (const child of children) {
    if (guarded.has(child)) {
      const siblings = child.parent?.children;
      if (siblings) siblings.splice(siblings.indexOf(child), 1);
      removed += 1;
    } else removed += removeGuarded(child);
  }
  if (removed > 0) removeDrawn(block);
  return removed;
}

async function placeAtTop(
  routes: KernelRoutes,
  documentId: string,
  children: readonly ChildBlock[],
  id: string,
  signal: AbortSignal,
): Promise<TreePosition> {
  const attributes = await routes.attributesOf([id], signal);
  const index = children.findIndex((child) => child.id === id);
  return {
    type: children[index]?.type ?? '',
    parentIds: [],
    parentType: 'd',
    parentId: documentId,
    siblingIds: children.map((child) => child.id),
    index,
    guarded: isGuarded(attributes[id]) || (await guardedSections(routes, children, signal)).has(id),
  };
}

/** Finds a block in its document; rejects with `not_found` if the document does not contain it. */
export async function findPlace(routes: KernelRoutes, documentId: string, id: string, signal: AbortSignal): Promise<TreePosition> {
  const children = await routes.children(documentId, signal);
  if (children.some((child) => child.id === id)) return placeAtTop(routes, documentId, children, id, signal);
  const containers = children.filter((child) => isContainer(child.type)).map((child) => child.id);
  const doms = await routes.doms(containers, signal);
  for (const top of containers) {
    const found = findBlock(parseBlocks(doms[top] ?? ''), id);
    if (!found) continue;
    const parent = found.parents[0];
    if (!parent) break;
    const siblingIds = childBlocks(parent).map(blockId);
    const guarded = isGuardedInside(found.block, found.parents) || (await guardedSections(routes, children, signal)).has(top);
    return {
      type: blockType(found.block),
      parentIds: found.parents.map(blockId),
      parentType: blockType(parent),
      parentId: blockId(parent),
      siblingIds,
      index: siblingIds.indexOf(id),
      guarded,
    };
  }
  throw noSuchBlock(id);
}

export function assertOpen(place: TreePosition, id: string): void {
  if (place.guarded) throw noSuchBlock(id);
}
