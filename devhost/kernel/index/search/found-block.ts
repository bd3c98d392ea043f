import { typeAbbreviation } from '../../tree/node.ts';
import type { Row } from '../block-index.ts';
import { escapeText } from './highlight.ts';

/** A block as search and the recent lists answer it (kernel/model/block.go). Texts are HTML: escaped, matches in `<mark>`. */
export interface FoundBlock {
  readonly box: string;
  readonly path: string;
  hPath: string;
  readonly id: string;
  readonly rootID: string;
  readonly parentID: string;
  readonly name: string;
  readonly alias: string;
  readonly memo: string;
  readonly tag: string;
  readonly content: string;
  readonly fcontent: string;
  readonly markdown: string;
  readonly folded: boolean;
  /** The node's type: `NodeParagraph`, … */
  readonly type: string;
  readonly subType: string;
  readonly refText: string;
  readonly refs: null;
  readonly defID: string;
  readonly defPath: string;
  readonly ial: Readonly<Record<string, string>>;
  children: FoundBlock[] | null;
  readonly depth: number;
  readonly count: number;
  refCount: number;
  readonly sort: number;
  readonly created: string;
  readonly updated: string;
  readonly riffCardID: string;
  readonly riffCard: null;
}

/** How the texts of a found block show what was found. */
export interface Marking {
  readonly content: (text: string) => string;
  /** Name, alias, memo and tags. */
  readonly detail: (text: string) => string;
}

export const UNMARKED: Marking = { content: escapeText, detail: escapeText };

const MAX_CONTENT = 5120;

const BLOCK_TYPES = [
  'NodeDocument',
  'NodeHeading',
  'NodeList',
  'NodeListItem',
  'NodeCodeBlock',
  'NodeMathBlock',
  'NodeTable',
  'NodeBlockquote',
  'NodeCallout',
  'NodeTabs',
  'NodeTabItem',
  'NodeMindmap',
  'NodeMindmapItem',
  'NodeSuperBlock',
  'NodeParagraph',
  'NodeHTMLBlock',
  'NodeBlockQueryEmbed',
  'NodeIFrame',
  'NodeWidget',
  'NodeThematicBreak',
  'NodeVideo',
  'NodeAudio',
  'NodeAttributeView',
  'NodeCustomBlock',
];

const TYPE_OF_ABBREVIATION = new Map(BLOCK_TYPES.map((type) => [typeAbbreviation(type), type]));

export const text = (row: Row, column: string): string => String(row[column] ?? '');

/** Cut to the length that SiYuan answers with. */
function shorten(content: string): string {
  const characters = Array.from(content);
  return characters.length > MAX_CONTENT ? `${characters.slice(0, MAX_CONTENT).join('')}...` : content;
}

function attributesOf(ial: string): Record<string, string> {
  return Object.fromEntries([...ial.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]));
}

/** A row of `blocks` as an answer. */
export function foundBlock(row: Row, marking: Marking = UNMARKED): FoundBlock {
  const type = text(row, 'type');
  return {
    box: text(row, 'box'),
    path: text(row, 'path'),
    hPath: escapeText(text(row, 'hpath')),
    id: text(row, 'id'),
    rootID: text(row, 'root_id'),
    parentID: text(row, 'parent_id'),
    name: marking.detail(text(row, 'name')),
    alias: marking.detail(text(row, 'alias')),
    memo: marking.detail(text(row, 'memo')),
    tag: marking.detail(text(row, 'tag')),
    content: shorten(marking.content(text(row, 'content'))),
    fcontent: escapeText(text(row, 'fcontent')),
    markdown: shorten(text(row, 'markdown')),
    folded: false,
    type: TYPE_OF_ABBREVIATION.get(type) ?? type,
    subType: text(row, 'subtype'),
    refText: '',
    refs: null,
    defID: '',
    defPath: '',
    ial: attributesOf(text(row, 'ial')),
    children: null,
    depth: 0,
    count: 0,
    refCount: 0,
    sort: Number(row.sort ?? 0),
    created: text(row, 'created'),
    updated: text(row, 'updated'),
    riffCardID: '',
    riffCard: null,
  };
}

/** A document does not show its own name in its path (kernel/model/search.go, filterSelfHPath). */
export function hideOwnName(blocks: readonly FoundBlock[]): void {
  for (const block of blocks) {
    if (block.type === 'NodeDocument') block.hPath = block.hPath.slice(0, block.hPath.lastIndexOf('/') + 1);
  }
}
