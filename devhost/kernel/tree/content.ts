import { escapeHtml, unescapeHtml } from '../lute.ts';
import { firstOfType, type KernelNode, markTypes, textOf } from './node.ts';

const CONTAINERS = new Set([
  'NodeDocument',
  'NodeBlockquote',
  'NodeList',
  'NodeListItem',
  'NodeFootnotesDefBlock',
  'NodeFootnotesDef',
  'NodeSuperBlock',
  'NodeCallout',
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
  return `${title === '' ? '' : ` ${unescapeHtml(title)}`} ${unescapeHtml(textOf(node, 'TextMarkAHref'))}`;
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
  if (title !== '') parts.push(`${title} `);
  return parts.join('');
}

const DATA_TYPES = new Set([
  'NodeText',
  'NodeCodeBlockCode',
  'NodeMathBlockContent',
  'NodeHTMLBlock',
  'NodeLinkTitle',
  'NodeBackslashContent',
]);

function sourceOf(node: KernelNode): string {
  return /src="([^"]*)"/.exec(node.Data ?? '')?.[1]?.trim() ?? '';
}

/** Text of a block as the `content` column holds it: link addresses and image paths included, containers begin with a space. */
export function contentOf(node: KernelNode): string {
  if (node.Type === 'NodeDocument') return escapeHtml(node.Properties?.title ?? '');
  let out = '';
  let lastSpace = false;
  const visit = (n: KernelNode): void => {
    let children = n.Children ?? [];
    if (isContainer(n)) {
      if (!lastSpace) out += ' ';
      lastSpace = true;
      if (n.Type === 'NodeCallout') out += calloutContent(n);
    } else {
      if (n.Type === 'NodeTableCell' && out !== '' && !out.endsWith(' ')) out += ' ';
      else if (DATA_TYPES.has(n.Type)) out += n.Data ?? '';
      else if (n.Type === 'NodeLinkText' || n.Type === 'NodeLinkDest') out += `${n.Data ?? ''} `;
      else if (n.Type === 'NodeTextMark') out += textMark(n);
      else if (n.Type === 'NodeAudio' || n.Type === 'NodeVideo') out += `${sourceOf(n)} `;
      else if (n.Type === 'NodeImage') {
        out += imageContent(n);
        children = [];
      }
      lastSpace = false;
    }
    for (const child of children) visit(child);
  };
  visit(node);
  return out.replaceAll('\u200b', '').replaceAll('\u200d#', '#');
}
