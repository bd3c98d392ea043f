/** A node of a `.sy` file. Names are those of the file; inline marks are nodes of Type `NodeTextMark`. */
export interface KernelNode {
  ID?: string;
  Type: string;
  Data?: string;
  Properties?: Record<string, string>;
  Children?: KernelNode[];
  /** Everything else that Lute keeps (HeadingLevel, ListData, TextMarkType, TableAligns, …). */
  [field: string]: unknown;
}

/** One document of a notebook. `path` is `/…/<id>.sy` inside the notebook, `hpath` the readable one (`/Diary/Today`). */
export interface KernelDocument {
  readonly notebook: string;
  readonly path: string;
  readonly hpath: string;
  readonly root: KernelNode;
}

/** Where a node stands: its parent and its place among the parent's children. */
export interface NodePlace {
  readonly node: KernelNode;
  readonly parent: KernelNode | null;
  readonly index: number;
}

/** A node id: fourteen digits of local time, a dash, seven characters. */
export const ID_PATTERN = /^\d{14}-[0-9a-z]{7}$/;

/** Depth first, parents before children; `visit` returning false skips the node's children. */
export function walk(root: KernelNode, visit: (node: KernelNode, parent: KernelNode | null, index: number) => boolean | undefined): void {
  const step = (node: KernelNode, parent: KernelNode | null, index: number): void => {
    if (visit(node, parent, index) === false) return;
    // Counted by hand: this runs over every node of every document that is read, and an iterator of pairs costs half of it.
    const children = node.Children ?? [];
    for (let i = 0; i < children.length; i += 1) {
      const child = children[i];
      if (child) step(child, node, i);
    }
  };
  step(root, null, 0);
}

/** Is it a block, that is: does it have an id of its own? (KramdownBlockIAL and marks have none.) */
export function isBlock(node: KernelNode): boolean {
  return node.ID !== undefined && node.ID !== '' && node.Type !== 'NodeKramdownBlockIAL';
}

/** All blocks in document order, the document itself first. */
export function blocksOf(root: KernelNode): KernelNode[] {
  const blocks: KernelNode[] = [];
  walk(root, (node) => {
    if (isBlock(node)) blocks.push(node);
    return undefined;
  });
  return blocks;
}

export function findBlock(root: KernelNode, id: string): NodePlace | undefined {
  let found: NodePlace | undefined;
  walk(root, (node, parent, index) => {
    if (found) return false;
    if (node.ID === id) found = { node, parent, index };
    return undefined;
  });
  return found;
}

/** Every node that has an id, by its id; of twins the first, as {@link findBlock} finds it. */
export function placesOf(root: KernelNode): Map<string, NodePlace> {
  const places = new Map<string, NodePlace>();
  walk(root, (node, parent, index) => {
    if (node.ID && !places.has(node.ID)) places.set(node.ID, { node, parent, index });
    return undefined;
  });
  return places;
}

/** The first node of a type at or below `node`. */
export function firstOfType(node: KernelNode, type: string): KernelNode | undefined {
  if (node.Type === type) return node;
  for (const child of node.Children ?? []) {
    const found = firstOfType(child, type);
    if (found) return found;
  }
  return undefined;
}

const TYPE_ABBREVIATIONS: Readonly<Record<string, string>> = {
  NodeDocument: 'd',
  NodeHeading: 'h',
  NodeList: 'l',
  NodeListItem: 'i',
  NodeCodeBlock: 'c',
  NodeMathBlock: 'm',
  NodeTable: 't',
  NodeBlockquote: 'b',
  NodeCallout: 'callout',
  NodeSuperBlock: 's',
  NodeParagraph: 'p',
  NodeHTMLBlock: 'html',
  NodeBlockQueryEmbed: 'query_embed',
  NodeKramdownBlockIAL: 'ial',
  NodeIFrame: 'iframe',
  NodeWidget: 'widget',
  NodeThematicBreak: 'tb',
  NodeVideo: 'video',
  NodeAudio: 'audio',
  NodeText: 'text',
  NodeImage: 'img',
  NodeLinkText: 'link_text',
  NodeLinkDest: 'link_dest',
  NodeTextMark: 'textmark',
  NodeAttributeView: 'av',
  NodeCustomBlock: 'custom',
  NodeTabs: 'tabs',
  NodeTabItem: 'tab',
  NodeMindmap: 'mindmap',
  NodeMindmapItem: 'mindmap_item',
};

/** `NodeParagraph` → `p`, as the blocks table and the API spell it (treenode.TypeAbbr). */
export function typeAbbreviation(type: string): string {
  return TYPE_ABBREVIATIONS[type] ?? type;
}

/** The marks of a NodeTextMark: `"strong em"` → `['strong', 'em']`. */
export function markTypes(node: KernelNode): string[] {
  return typeof node.TextMarkType === 'string' ? node.TextMarkType.split(' ') : [];
}

/** A string field of a node, `''` when it is absent. */
export function textOf(node: KernelNode, field: string): string {
  const value = node[field];
  return typeof value === 'string' ? value : '';
}
