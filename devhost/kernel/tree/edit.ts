import type { KernelNode } from './node.ts';

export interface Parentage {
  readonly parent: KernelNode;
  readonly index: number;
}

/** Where a node object is in a tree (by identity, not by id). */
export function parentOf(root: KernelNode, node: KernelNode): Parentage | undefined {
  for (const [index, child] of (root.Children ?? []).entries()) {
    if (child === node) return { parent: root, index };
    const below = parentOf(child, node);
    if (below) return below;
  }
  return undefined;
}

function childrenOf(node: KernelNode): KernelNode[] {
  node.Children ??= [];
  return node.Children;
}

/** Takes a node out of its tree. A node that is in no tree is left alone. */
export function detach(root: KernelNode, node: KernelNode): Parentage | undefined {
  const place = parentOf(root, node);
  if (place) childrenOf(place.parent).splice(place.index, 1);
  return place;
}

/** Inserts after a sibling, which must be in the tree. */
export function insertAfter(root: KernelNode, sibling: KernelNode, ...nodes: KernelNode[]): void {
  const place = parentOf(root, sibling);
  if (!place) throw new Error('insertAfter: the sibling is not in this tree');
  childrenOf(place.parent).splice(place.index + 1, 0, ...nodes);
}

export function insertBefore(root: KernelNode, sibling: KernelNode, ...nodes: KernelNode[]): void {
  const place = parentOf(root, sibling);
  if (!place) throw new Error('insertBefore: the sibling is not in this tree');
  childrenOf(place.parent).splice(place.index, 0, ...nodes);
}

export function append(parent: KernelNode, ...nodes: KernelNode[]): void {
  childrenOf(parent).push(...nodes);
}

/** The first place where blocks may stand: behind the markers of super blocks, quotes and task items. */
export function prependBlocks(parent: KernelNode, ...nodes: KernelNode[]): void {
  const children = childrenOf(parent);
  const markers = children.findIndex((child) => !child.Type.endsWith('Marker'));
  const first = parent.Type === 'NodeSuperBlock' ? Math.min(2, children.length) : markers < 0 ? children.length : markers;
  children.splice(first, 0, ...nodes);
}

/** The last place where blocks may stand: before the closing marker of a super block. */
export function appendBlocks(parent: KernelNode, ...nodes: KernelNode[]): void {
  const children = childrenOf(parent);
  const last = children.at(-1);
  const end = last?.Type === 'NodeSuperBlockCloseMarker' ? children.length - 1 : children.length;
  children.splice(end, 0, ...nodes);
}
