import { escapeHtml, goRender, unescapeAttribute, unescapeHtml } from '../lute.ts';
import { inlineText } from './go-node.ts';
import { firstOfType, type KernelNode, markTypes, textOf } from './node.ts';
import { cleanText } from './render.ts';

const CONTAINERS = new Set([
  'NodeDocument',
  'NodeBlockquote',
  'NodeList',
  'NodeListItem',
  'NodeFootnotesDefBlock',
  'NodeFootnotesDef',
  'NodeSuperBlock',
  'NodeCallout',
  'NodeTabs',
  'NodeTabItem',
  'NodeMindmap',
  'NodeMindmapItem',
]);

export const isContainer = (node: KernelNode): boolean => CONTAINERS.has(node.Type);

/** The first block at or below a node that holds no blocks. */
export function firstLeafBlock(node: KernelNode): KernelNode | undefined {
  if (!isContainer(node)) return node;
  for (const child of node.Children ?? []) {
    if (child.Type.endsWith('Marker')) continue;
    const leaf = firstLeafBlock(child);
    if (leaf) return leaf;
  }
  return undefined;
}

const NEW_LINE_IN_ATTRIBUTE = '_esc_newline_';
const UNESCAPED_MARKS = ['code', 'tag', 'strong', 'em', 'a'];

/** Text of one mark, as Lute's Node.Content gives it. */
export function markContent(node: KernelNode): string {
  const types = markTypes(node);
  const text = textOf(node, 'TextMarkTextContent');
  let content = text;
  if (text !== '') content = UNESCAPED_MARKS.some((t) => types.includes(t)) ? unescapeHtml(text) : text;
  else content = textOf(node, 'TextMarkInlineMathContent').replaceAll(NEW_LINE_IN_ATTRIBUTE, ' ');
  return content + textOf(node, 'TextMarkInlineMemoContent').replaceAll(NEW_LINE_IN_ATTRIBUTE, ' ');
}

function imageContent(node: KernelNode): string {
  const part = (type: string): string | undefined => firstOfType(node, type)?.Data;
  const text = part('NodeLinkText');
  const address = part('NodeLinkDest');
  return [text === undefined ? '' : `${text} `, address === undefined ? '' : `${address} `, part('NodeLinkTitle') ?? ''].join('');
}

function linkContent(node: KernelNode): string {
  const title = textOf(node, 'TextMarkATitle');
  // The address is unescaped twice (recorded/inline-html).
  return `${title === '' ? '' : ` ${unescapeHtml(title)}`} ${unescapeHtml(unescapeHtml(textOf(node, 'TextMarkAHref')))}`;
}

function textMark(node: KernelNode): string {
  const types = markTypes(node);
  let content = markContent(node);
  if (types.includes('block-ref')) content = unescapeHtml(content);
  if (types.includes('tag')) content = `#${content}#`;
  return types.includes('a') ? content + linkContent(node) : content;
}

function calloutContent(node: KernelNode): string {
  const icon = textOf(node, 'CalloutIcon');
  const parts = [`${textOf(node, 'CalloutType')} `];
  if (icon !== '' && !node.CalloutIconType) parts.push(`${icon} `);
  const title = textOf(node, 'CalloutTitle');
  if (title !== '') parts.push(`${inlineText(title)} `);
  return parts.join('');
}

/** What a table is called: `caption` holds its DOM. */
function captionOf(table: KernelNode): { text: string; below: boolean } {
  const dom = unescapeHtml(unescapeAttribute(table.Properties?.caption ?? ''));
  return { text: />([^<]*)</.exec(dom)?.[1] ?? '', below: dom.includes('caption-side:') && dom.includes('bottom') };
}

/** The source of a diagram is unescaped in the index, that of other code is not (recorded/inline-html). */
function codeContent(code: KernelNode, info: KernelNode | undefined): string {
  const data = code.Data ?? '';
  if (info?.Type !== 'NodeCodeBlockFenceInfoMarker') return data;
  const language = Buffer.from(textOf(info, 'CodeBlockInfo'), 'base64').toString('latin1');
  return goRender.NoHighlight(language) ? unescapeHtml(data) : data;
}

const DATA_TYPES = new Set(['NodeText', 'NodeMathBlockContent', 'NodeHTMLBlock', 'NodeLinkTitle', 'NodeBackslashContent']);

function sourceOf(node: KernelNode): string {
  return /src="([^"]*)"/.exec(node.Data ?? '')?.[1]?.trim() ?? '';
}

/** What a node says itself, without its children. `previous` is the sibling before it, `afterWord`: something other than a space stands before it. */
function ownContent(node: KernelNode, previous: KernelNode | undefined, afterWord: boolean): string {
  const data = node.Data ?? '';
  if (DATA_TYPES.has(node.Type)) return data;
  switch (node.Type) {
    case 'NodeCodeBlockCode':
      return codeContent(node, previous);
    case 'NodeLinkText':
    case 'NodeLinkDest':
      return `${data} `;
    case 'NodeTextMark':
      return textMark(node);
    case 'NodeAudio':
    case 'NodeVideo':
      return `${sourceOf(node)} `;
    case 'NodeImage':
      return imageContent(node);
    case 'NodeTableCell':
      return afterWord ? ' ' : '';
    default:
      return '';
  }
}

/** Text of a block as the `content` column holds it: link addresses and image paths included, containers begin with a space. */
export function contentOf(node: KernelNode): string {
  if (node.Type === 'NodeDocument') return escapeHtml(node.Properties?.title ?? '');
  let out = '';
  let lastSpace = false;
  const visit = (n: KernelNode, previous?: KernelNode): void => {
    const caption = n.Type === 'NodeTable' ? captionOf(n) : undefined;
    if (isContainer(n)) {
      if (!lastSpace) out += ' ';
      lastSpace = true;
      if (n.Type === 'NodeCallout') out += calloutContent(n);
    } else {
      if (caption?.text && !caption.below) out += `${caption.text} `;
      out += ownContent(n, previous, out !== '' && !out.endsWith(' '));
      lastSpace = false;
    }
    const children = n.Type === 'NodeImage' ? [] : (n.Children ?? []);
    for (const [index, child] of children.entries()) visit(child, children[index - 1]);
    if (caption?.text && caption.below) out += ` ${caption.text}`;
  };
  visit(node);
  return cleanText(out);
}
