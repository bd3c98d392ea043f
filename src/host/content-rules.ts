/**
 * What model Markdown may become (HOST.md, "The model's Markdown is code"). SiYuan runs or fetches more than its text suggests, seen in
 * the source of 3.7.3: `echarts` and `abc` blocks are evaluated as JavaScript, `plantuml` is sent to a server, mermaid runs with
 * securityLevel "loose", KaTeX with `trust: true`.
 */
export interface Refusal {
  readonly what: string;
  readonly instead: string;
}

export const ALLOWED_BLOCKS = new Set([
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

const BLOCK_NAMES: Readonly<Record<string, string>> = {
  NodeHTMLBlock: 'an HTML block',
  NodeIFrame: 'an iframe',
  NodeWidget: 'a widget',
  NodeVideo: 'a video',
  NodeAudio: 'an audio player',
  NodeAttributeView: 'a database',
};

export function refuseBlock(nodeType: string): Refusal | undefined {
  if (ALLOWED_BLOCKS.has(nodeType)) return undefined;
  return {
    what: `${BLOCK_NAMES[nodeType] ?? 'a block of an unknown kind'} is not written by tools`,
    instead: 'write plain Markdown, or show HTML in a ```html fence',
  };
}

/** Code fences that SiYuan renders by running or sending what is in them. */
const RUN_LANGUAGES = new Set(['echarts', 'abc', 'plantuml', 'flowchart', 'graphviz', 'mindmap']);
const MERMAID_RISKS = /<[a-z/!?]|\bclick\b|%%\{|^\s*---|@\{|url\s*\(|\/\/|javascript:|data:|&#?\w+;|#\w+;|\bcallback\b|\bhref\b/im;

export function refuseCode(language: string, content: string): Refusal | undefined {
  const name = language.trim().toLowerCase();
  if (RUN_LANGUAGES.has(name)) {
    return {
      what: `SiYuan runs ${name} blocks as code or sends them to a server`,
      instead: 'use a table, a mermaid diagram, or a ```text fence',
    };
  }
  if (name === 'mermaid' && MERMAID_RISKS.test(content.replace(/<br\s*\/?>/gi, ' '))) {
    return { what: 'this mermaid diagram holds HTML, links or directives', instead: 'write the diagram with plain labels only' };
  }
  return undefined;
}

const MATH_RISKS = /\\(href|url|includegraphics|html\w*)/i;

export function refuseMath(content: string): Refusal | undefined {
  if (!MATH_RISKS.test(content)) return undefined;
  return {
    what: 'the formula holds a link, an image or HTML',
    instead: 'write the formula without \\href, \\url, \\includegraphics and \\html…',
  };
}

export function refuseEmbed(content: string): Refusal | undefined {
  const query = content.replace(/_esc_newline_/g, '\n').trim();
  if (/^select\s/i.test(query) && !query.includes(';') && !query.includes('//!js')) return undefined;
  return {
    what: 'an embed that is not one plain SELECT may run code',
    instead: 'embed with {{SELECT * FROM blocks WHERE …}}, or cite blocks as ((id "anchor"))',
  };
}

/** Inline marks that Markdown makes. `text` is a span that only had a style. */
export const ALLOWED_MARKS = new Set([
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

/** Where a link may lead; what is left is text. */
export function isSafeLink(href: string): boolean {
  // Browsers skip white space and control characters inside a scheme, so they are left out before looking.
  const compact = [...href].filter((char) => char > ' ' && char !== '\u007f' && char !== '\u200b').join('');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(compact)?.[1]?.toLowerCase();
  if (scheme === undefined) return compact !== '' && !compact.startsWith('\\');
  if (scheme === 'siyuan') return /^siyuan:\/\/blocks\/\d{14}-[0-9a-z]{7}(\?[\w=&]*)?$/.test(compact);
  return ['http', 'https', 'mailto', 'tel'].includes(scheme);
}

/** Images that are in the workspace already, or carry their own pixels: showing them fetches nothing from elsewhere. */
export function isLocalImage(source: string): boolean {
  if (source.includes('..')) return false;
  if (/^(assets|emojis|\/emojis)\/[^\\]*$/.test(source)) return true;
  return /^data:image\/(png|jpe?g|gif|webp);base64,[a-z0-9+/=\s]*$/i.test(source);
}

export const ALLOWED_TAGS = new Set([
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

/** Attributes that Lute itself puts on blocks and marks; all others came from attribute lists in the text. */
export const ALLOWED_ATTRIBUTES = new Set([
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
  /^(p|h[1-6]|list|li|bq|sb|code-block|hljs|table|table__\w+|hr|render-node|callout|callout-\w+|protyle-[\w-]+|fn__flex-1|ariaLabel|img|svg|emoji)$/;
