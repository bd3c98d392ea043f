import { isBlock, type KernelNode, type NodePlace, walk } from './node.ts';
import { headingLevel, isHeading, setAttribute } from './structure.ts';

export const isFolded = (node: KernelNode): boolean => isHeading(node) && node.Properties?.fold === '1';

/** The outermost folded heading that hides the block at a place among its siblings. */
function foldedHeadingAbove(siblings: readonly KernelNode[], index: number): KernelNode | undefined {
  const own = siblings[index];
  let level = own && isHeading(own) ? headingLevel(own) : 7;
  let found: KernelNode | undefined;
  for (let i = index - 1; i >= 0 && level > 1; i -= 1) {
    const heading = siblings[i];
    if (!heading || !isHeading(heading) || headingLevel(heading) >= level) continue;
    level = headingLevel(heading);
    if (isFolded(heading)) found = heading;
  }
  return found;
}

/** Asked for each block of a long document, and nearly always no; trees that are read never change. */
const folds = new WeakMap<readonly KernelNode[], boolean>();

function hasFold(siblings: readonly KernelNode[]): boolean {
  const known = folds.get(siblings) ?? siblings.some(isFolded);
  folds.set(siblings, known);
  return known;
}

/** A block as `getBlockDOM` shows it: what is hidden names its heading in `parent-heading` (recorded/folded-headings). A copy where it does. */
export function namingFolds({ node, parent, index }: NodePlace): KernelNode {
  const names = new Map<string, string>();
  const look = (block: KernelNode, siblings: readonly KernelNode[], at: number): void => {
    const heading = isBlock(block) && hasFold(siblings) ? foldedHeadingAbove(siblings, at) : undefined;
    if (heading?.ID && block.ID) names.set(block.ID, heading.ID);
  };
  look(node, parent?.Children ?? [node], index);
  walk(node, (block, above, at) => {
    if (above) look(block, above.Children ?? [], at);
    return undefined;
  });
  if (names.size === 0) return node;
  const copy = structuredClone(node);
  walk(copy, (block) => {
    const heading = names.get(block.ID ?? '');
    if (heading) setAttribute(block, 'parent-heading', heading);
    return undefined;
  });
  return copy;
}
