import { firstLeafBlock, isContainer } from './content.ts';
import type { KernelNode } from './node.ts';
import { plainText } from './reference-text.ts';
import { headingLevel, isHeading, pathTo, subTypeOf } from './structure.ts';

export interface Crumb {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly subType: string;
  readonly children: null;
}

const HIDDEN = ['NodeList', 'NodeSuperBlock', 'NodeBlockquote', 'NodeCallout'];

function crumb(node: KernelNode, name: string): Crumb {
  return { id: node.ID ?? '', name, type: node.Type, subType: subTypeOf(node), children: null };
}

function nameOf(node: KernelNode): string {
  const leaf = isContainer(node) ? firstLeafBlock(node) : node;
  return node.Properties?.name ?? (leaf ? plainText(leaf) : '');
}

/** The only paragraph of a list item says nothing that the item does not. */
function isOnlyParagraph(node: KernelNode, parent: KernelNode | null): boolean {
  const blocks = (parent?.Children ?? []).filter((c) => c.ID);
  return node.Type === 'NodeParagraph' && parent?.Type === 'NodeListItem' && blocks.length === 1;
}

/** From the document down to the block, headings that it is below included; the block itself has no name. */
export function breadcrumb(root: KernelNode, id: string, documentName: string): Crumb[] {
  const crumbs: Crumb[] = [];
  let level = 16;
  for (const { node, parent, index } of pathTo(root, id).reverse()) {
    const own = node.ID === id;
    if (isHeading(node)) level = headingLevel(node);
    const name = own ? '' : node.Type === 'NodeDocument' ? documentName : nameOf(node);
    if ((own || !HIDDEN.includes(node.Type)) && !isOnlyParagraph(node, parent)) crumbs.unshift(crumb(node, name));
    if (node.Type !== 'NodeDocument' && isContainer(node)) level = 16;
    for (let i = index - 1; i >= 0 && parent; i -= 1) {
      const previous = parent.Children?.[i];
      if (!previous || !isHeading(previous) || headingLevel(previous) >= level || parent.Type === 'NodeListItem') continue;
      crumbs.unshift(crumb(previous, nameOf(previous)));
      level = headingLevel(previous);
    }
  }
  return crumbs;
}
