// Names that SiYuan's own Lute writes for Markdown, and that its page only displays.

export const ALLOWED_BLOCKS: ReadonlySet<string> = new Set([
  'NodeHeading',
  'NodeParagraph',
  'NodeList',
  'NodeListItem',
  'NodeBlockquote',
  'NodeCallout',
  'NodeSuperBlock',
  'NodeCodeBlock',
  'NodeMathBlock',
  'NodeTable',
  'NodeThematicBreak',
  'NodeBlockQueryEmbed',
]);

export const BLOCK_NAMES: Readonly<Record<string, string>> = {
  NodeHTMLBlock: 'an HTML block',
  NodeIFrame: 'an iframe',
  NodeWidget: 'a widget',
  NodeVideo: 'a video',
  NodeAudio: 'an audio player',
  NodeAttributeView: 'a database',
  NodeTabs: 'tabs',
  NodeTabItem: 'a tab',
  NodeMindmap: 'a mind map',
  NodeMindmapItem: 'an item of a mind map',
  NodeCustomBlock: 'a block of a plugin',
};

export const ALLOWED_MARKS: ReadonlySet<string> = new Set([
  'strong',
  'em',
  's',
  'u',
  'mark',
  'sup',
  'sub',
  'code',
  'kbd',
  'tag',
  'a',
  'block-ref',
  'inline-math',
  'img',
  'inline-memo',
  'backslash',
  'emoji',
]);

/** Formatting marks, whose text the kernel stores decoded and its Lute writes into the page unescaped. */
const UNESCAPED_MARKS: ReadonlySet<string> = new Set(['strong', 'em', 's', 'mark', 'sup', 'sub', 'u']);

export const isUnescapedMark = (mark: string): boolean => UNESCAPED_MARKS.has(mark);
/** Code stays escaped whatever other marks it has. */
export const isUnescaped = (marks: readonly string[]): boolean => marks.some(isUnescapedMark) && !marks.includes('code');

export const marksOf = (dataType: string | undefined): string[] => (dataType ?? '').split(' ').filter((mark) => mark !== '');

export const ALLOWED_TAGS: ReadonlySet<string> = new Set([
  'div',
  'span',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'colgroup',
  'col',
  'br',
  'img',
  'svg',
  'use',
]);

/** Attributes that Lute itself writes on blocks and marks; all others come from attribute lists in the text. */
export const ALLOWED_ATTRIBUTES: ReadonlySet<string> = new Set([
  'data-node-id',
  'data-node-index',
  'data-type',
  'data-subtype',
  'data-content',
  'data-marker',
  'data-task',
  'data-sb-layout',
  'data-id',
  'data-href',
  'data-title',
  'data-inline-memo-content',
  'data-position',
  'data-src',
  'src',
  'alt',
  'title',
  'loading',
  'align',
  'class',
  'updated',
  'contenteditable',
  'spellcheck',
  'draggable',
  'spin',
  'xlink:href',
  'colgroup',
]);

export const ALLOWED_CLASS =
  /^(p|h[1-6]|list|li|bq|sb|sb__resize|code-block|hljs|table|table__\w+|hr|render-node|callout|callout-\w+|protyle-[\w-]+|fn__flex-1|ariaLabel|img|svg|emoji)$/;

/** Allowed values of attributes that Lute writes into the page without escaping. */
const PLAIN_VALUES: Readonly<Record<string, RegExp>> = {
  'data-subtype': /^[\w+#.-]{0,40}$/,
  'data-marker': /^[\w.)*+-]{0,20}$/,
  // The mark of a task: any one character, which Lute escapes.
  'data-task': /^[\x20-\x7e]?$/,
  'data-sb-layout': /^(?:row|col)?$/,
  'data-id': /^(?:\d{14}-[0-9a-z]{7})?$/,
  'data-node-id': /^\d{14}-[0-9a-z]{7}$/,
  align: /^(?:left|center|right)?$/,
  updated: /^\d{0,17}$/,
  'xlink:href': /^#icon\w+$/,
};
const CALLOUT_KIND = /^[^"<>&\p{Cc}]{0,80}$/u;

/** Tells if the value of an attribute may be in the page as it is. */
export function isPlainValue(attributes: Readonly<Record<string, string>>, name: string): boolean {
  const isKind = name === 'data-subtype' && attributes['data-type'] === 'NodeCallout';
  const allowed = isKind ? CALLOUT_KIND : PLAIN_VALUES[name];
  return allowed?.test(attributes[name] ?? '') !== false;
}

/** The style that Lute gives the text of a code block. */
export const LISTING_STYLE = 'flex: 1';
