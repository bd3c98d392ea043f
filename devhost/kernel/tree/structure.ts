import { blocksOf, isBlock, type KernelNode, type NodePlace, walk } from './node.ts';
import { createdOf, isTimestamp, newId, timestamp } from './time.ts';

export const isHeading = (node: KernelNode): boolean => node.Type === 'NodeHeading';
export const headingLevel = (node: KernelNode): number => (typeof node.HeadingLevel === 'number' ? node.HeadingLevel : 0);
const listType = (node: KernelNode): number => {
  const data = node.ListData as { Typ?: number } | undefined;
  return data?.Typ ?? 0;
};

/** `h1`…`h6`, `u`/`o`/`t` of lists and their items, the kind of a callout, else empty (treenode.SubTypeAbbr). */
export function subTypeOf(node: KernelNode): string {
  if (isHeading(node)) return `h${headingLevel(node)}`;
  if (node.Type === 'NodeCallout') return typeof node.CalloutType === 'string' ? node.CalloutType : '';
  if (node.Type.startsWith('NodeMindmap')) return node.Properties?.['data-subtype'] ?? '';
  if (node.Type !== 'NodeList' && node.Type !== 'NodeListItem') return '';
  return { 0: 'u', 1: 'o', 3: 't' }[listType(node)] ?? '';
}

/** Blocks below a heading: the siblings after it up to a heading of its level or above. */
export function headingChildren(parent: KernelNode, index: number): KernelNode[] {
  const siblings = parent.Children ?? [];
  const heading = siblings[index];
  if (!heading) return [];
  const rest = siblings.slice(index + 1);
  const end = rest.findIndex((node) => isHeading(node) && headingLevel(node) <= headingLevel(heading));
  return end < 0 ? rest : rest.slice(0, end);
}

/** The heading that a block is below, else its parent: what the `parent_id` column holds. */
export function headingParent(parent: KernelNode, index: number): KernelNode {
  const siblings = parent.Children ?? [];
  const own = siblings[index];
  const level = own && isHeading(own) ? headingLevel(own) : 16;
  for (let i = index - 1; i >= 0; i -= 1) {
    const node = siblings[i];
    if (node && isHeading(node) && headingLevel(node) < level) return node;
  }
  return parent;
}

/** From the document down to the block, each with its parent and place; empty when the id is not in the tree. */
export function pathTo(root: KernelNode, id: string): NodePlace[] {
  const search = (node: KernelNode, parent: KernelNode | null, index: number): NodePlace[] | undefined => {
    const place = { node, parent, index };
    if (node.ID === id) return [place];
    for (const [i, child] of (node.Children ?? []).entries()) {
      const found = search(child, node, i);
      if (found) return [place, ...found];
    }
    return undefined;
  };
  return search(root, null, 0) ?? [];
}

/** Parents of a block, headings that it is below included, nearest first. */
function parentsWithHeadings(root: KernelNode, id: string): KernelNode[] {
  const parents: KernelNode[] = [];
  for (const { node, parent, index } of pathTo(root, id).reverse()) {
    if (!parent) continue;
    let level = isHeading(node) ? headingLevel(node) : 7;
    for (let i = index - 1; i >= 0; i -= 1) {
      const previous = parent.Children?.[i];
      if (!previous || !isHeading(previous)) continue;
      if (headingLevel(previous) >= level) break;
      parents.push(previous);
      level = headingLevel(previous);
    }
    parents.push(parent);
  }
  return parents;
}

/** Sets an attribute, keeping `id` first; the value must already be escaped for an IAL. */
export function setAttribute(node: KernelNode, name: string, value: string): void {
  node.Properties = { ...node.Properties, [name]: value };
}

export function removeAttributes(node: KernelNode, drop: (name: string) => boolean): void {
  const kept = Object.entries(node.Properties ?? {}).filter(([name]) => !drop(name));
  node.Properties = Object.fromEntries(kept);
}

/** Now, on the block and on everything it is in. */
export function refreshUpdated(root: KernelNode, node: KernelNode): void {
  const now = timestamp();
  setAttribute(node, 'updated', now);
  if (!node.ID) return;
  for (const parent of parentsWithHeadings(root, node.ID)) setAttribute(parent, 'updated', now);
}

/** Fills in missing `updated` times of a block that came in, and hands its own time up to its parents. */
export function completeUpdated(root: KernelNode, node: KernelNode): void {
  walk(node, (n) => {
    if (isBlock(n) && n.ID && !n.Properties?.updated) setAttribute(n, 'updated', createdOf(n.ID));
    return undefined;
  });
  if (!node.ID) return;
  const created = createdOf(node.ID);
  const own = node.Properties?.updated ?? '';
  if (!isTimestamp(own)) setAttribute(node, 'updated', created);
  const updated = isTimestamp(own) && own > created ? own : created;
  for (const parent of parentsWithHeadings(root, node.ID)) setAttribute(parent, 'updated', updated);
}

export function newParagraph(id = newId()): KernelNode {
  return { ID: id, Type: 'NodeParagraph', Properties: { id, updated: createdOf(id) } };
}

/** Gives a node another id, in its attributes too. */
export function setId(node: KernelNode, id: string): void {
  node.ID = id;
  node.Properties = { ...node.Properties, id };
}

/** How many blocks a document holds, itself not counted. */
export const countBlocks = (root: KernelNode): number => blocksOf(root).length - 1;

/** The blocks that stand below a heading; none when the place is not a heading's. */
export function childrenOfHeading({ node, parent, index }: NodePlace): KernelNode[] {
  return parent && isHeading(node) ? headingChildren(parent, index).filter(isBlock) : [];
}
