import type { Node, TreeSnapshot } from './types.ts';

/** Leaf to root by parent pointers, including tombstones; a dangling pointer or a cycle (a damaged file) ends the walk. */
export function* walkPath(find: (id: string) => Node | undefined, leafId: string | null): Generator<Node, void, undefined> {
  const seen = new Set<string>();
  for (let id = leafId; id !== null && !seen.has(id); ) {
    seen.add(id);
    const node = find(id);
    if (!node) return;
    yield node;
    id = node.parent;
  }
}

export function* walkBack(find: (id: string) => Node | undefined, leafId: string | null): Generator<Node, void, undefined> {
  for (const node of walkPath(find, leafId)) if (!node.deleted) yield node;
}

export function threadOf(tree: TreeSnapshot, leafId: string | null): readonly Node[] {
  return [...walkBack((id) => tree.nodes[id], leafId)].reverse();
}

export function pathOf(tree: TreeSnapshot, leafId: string | null): readonly Node[] {
  return [...walkPath((id) => tree.nodes[id], leafId)].reverse();
}
