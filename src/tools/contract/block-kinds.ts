interface BlockKind {
  /** The letter in SiYuan's index and API. */
  readonly type: string;
  /** `data-type` in its DOM. */
  readonly node: string;
  /** The name in the filter of its search; undefined if no search finds it. */
  readonly search?: string;
  /** `parts`: only blocks of one type, made for it. */
  readonly holds: 'nothing' | 'blocks' | 'parts';
}

const kind = (type: string, node: string, search: string | undefined, holds: BlockKind['holds'] = 'nothing'): BlockKind => ({
  type,
  node,
  search,
  holds,
});

/** Every type of 3.7.3 and 3.8. Documents and headings contain nothing: their text has no words of their blocks. */
export const BLOCK_KINDS: readonly BlockKind[] = [
  kind('d', 'NodeDocument', 'document'),
  kind('h', 'NodeHeading', 'heading'),
  kind('p', 'NodeParagraph', 'paragraph'),
  kind('l', 'NodeList', 'list', 'parts'),
  kind('i', 'NodeListItem', 'listItem', 'blocks'),
  kind('c', 'NodeCodeBlock', 'codeBlock'),
  kind('t', 'NodeTable', 'table'),
  kind('m', 'NodeMathBlock', 'mathBlock'),
  kind('b', 'NodeBlockquote', 'blockquote', 'blocks'),
  kind('s', 'NodeSuperBlock', 'superBlock', 'blocks'),
  kind('callout', 'NodeCallout', 'callout', 'blocks'),
  kind('tabs', 'NodeTabs', 'tabs', 'parts'),
  kind('tab', 'NodeTabItem', 'tabItem', 'blocks'),
  kind('mindmap', 'NodeMindmap', 'mindmap', 'parts'),
  // The blocks that it allows besides maps are not known: no list, for one.
  kind('mindmap_item', 'NodeMindmapItem', 'mindmapItem', 'parts'),
  kind('custom', 'NodeCustomBlock', 'customBlock'),
  kind('html', 'NodeHTMLBlock', 'htmlBlock'),
  kind('query_embed', 'NodeBlockQueryEmbed', 'embedBlock'),
  kind('av', 'NodeAttributeView', 'databaseBlock'),
  kind('audio', 'NodeAudio', 'audioBlock'),
  kind('video', 'NodeVideo', 'videoBlock'),
  kind('iframe', 'NodeIFrame', 'iframeBlock'),
  kind('widget', 'NodeWidget', 'widgetBlock'),
  kind('tb', 'NodeThematicBreak', undefined),
];

export const SEARCH_TYPES: readonly string[] = BLOCK_KINDS.flatMap(({ type, search }) => (search === undefined ? [] : type));

/** Types whose rows in the index contain no words of other blocks. Any other type, known or not, may. */
export const LEAF_KINDS: readonly string[] = BLOCK_KINDS.flatMap(({ type, holds }) => (holds === 'nothing' ? type : []));

const LEAVES: ReadonlySet<string> = new Set(LEAF_KINDS);
const OPEN_TO_BLOCKS: ReadonlySet<string> = new Set(BLOCK_KINDS.flatMap(({ type, holds }) => (holds === 'blocks' ? type : [])));

/** Tells if it may contain blocks. An unknown type may. */
export const isContainer = (type: string): boolean => type !== '' && !LEAVES.has(type);

const PARTS: ReadonlyMap<string, string> = new Map([
  ['l', 'i'],
  ['tabs', 'tab'],
  ['mindmap', 'mindmap_item'],
]);

/** A block that can be only in its own container. */
export const isPart = (type: string): boolean => [...PARTS.values()].includes(type);

/** Tells if SiYuan allows a block of that type in such a container. False if that is not known. */
export function fitsInto(parent: string, type: string): boolean {
  return isPart(type) ? PARTS.get(parent) === type : parent === 'd' || OPEN_TO_BLOCKS.has(parent);
}
