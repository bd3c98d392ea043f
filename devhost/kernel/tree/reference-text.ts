import { escapeHtml } from '../lute.ts';
import { firstLeafBlock, isContainer, markContent } from './content.ts';
import { type KernelNode, markTypes, walk } from './node.ts';

const NAMED: Readonly<Record<string, string>> = {
  NodeBlockQueryEmbed: 'Query Embed Block...',
  NodeIFrame: 'IFrame...',
  NodeThematicBreak: 'Thematic Break...',
  NodeVideo: 'Video...',
  NodeAudio: 'Audio...',
};

/** Longest anchor text, in characters (the kernel's default). */
const MAX_LENGTH = 96;

/** Visible text of one leaf block in one line, memos left out. */
export function plainText(node: KernelNode): string {
  if (node.Type === 'NodeDocument') return node.Properties?.title ?? '';
  let out = '';
  walk(node, (n) => {
    if (n.Type === 'NodeTextMark') {
      const types = markTypes(n);
      const content = markContent({ ...n, TextMarkInlineMemoContent: '' });
      out += types.includes('tag') ? `#${escapeHtml(content)}#` : escapeHtml(content);
    } else if (['NodeText', 'NodeCodeBlockCode', 'NodeMathBlockContent', 'NodeBackslashContent'].includes(n.Type))
      out += escapeHtml(n.Data ?? '');
    else if (n.Type === 'NodeImage') out += n.Children?.find((c) => c.Type === 'NodeLinkText')?.Data ?? '';
    else if (n.Type === 'NodeTableCell' && out !== '') out += ' ';
    return n.Type !== 'NodeImage';
  });
  return out.replaceAll('\u200b', '').replaceAll('\n', ' ').trim();
}

/** What a reference to this block shows when it has no anchor text of its own: the block's name, else its text. */
export function referenceText(node: KernelNode): string {
  const name = node.Properties?.name?.trim();
  if (name) return name;
  const fixed = NAMED[node.Type];
  if (fixed) return fixed;
  const leaf = node.Type !== 'NodeDocument' && isContainer(node) ? firstLeafBlock(node) : node;
  const content = [...(leaf ? plainText(leaf) : '')];
  return content.length > MAX_LENGTH ? `${content.slice(0, MAX_LENGTH).join('')}...` : content.join('');
}
