import { engine, goAst, goRender } from '../lute.ts';
import { toGo, treeOf } from '../tree/go-node.ts';
import { flattened } from '../tree/newer-blocks.ts';
import { type KernelNode, textOf } from '../tree/node.ts';
import { cleanText } from '../tree/render.ts';

/** One tree for all renderings: making one costs as much as rendering a paragraph. */
const tree = treeOf([]);

/** The `markdown` column of any node, marks and images included: rendered below a document, as Lute's renderer of lists expects. */
export function markdownOf(node: KernelNode): string {
  if (node.Type === 'NodeDocument') return '';
  return simpleMarkdown(node) ?? luteMarkdown(node);
}

function luteMarkdown(node: KernelNode): string {
  const root = new goAst.Node.ptr();
  root.Type = goAst.Str2NodeType('NodeDocument');
  root.AppendChild(toGo(flattened(node)));
  tree.Root = root;
  const bytes = goRender.NewProtyleExportMdRenderer(tree, engine.RenderOptions, engine.ParseOptions).Render();
  const array = Uint8Array.from(bytes.$array as ArrayLike<number>);
  return cleanText(
    Buffer.from(array.subarray(bytes.$offset, bytes.$offset + bytes.$length))
      .toString('utf8')
      .trim(),
  );
}

const FENCES: Readonly<Record<string, readonly [string, string]>> = {
  code: ['`', '`'],
  kbd: ['<kbd>', '</kbd>'],
  strong: ['**', '**'],
  em: ['*', '*'],
  tag: ['#', '#'],
};

const SAFE = /^[\p{L}\p{N}](?:[\p{L}\p{N} .,:/+-]*[\p{L}\p{N}.])?$/u;

/**
 * Lute takes 0.2 ms even for the simplest node, and most nodes are simple: a paragraph of plain text (written as it is) and a
 * mark around letters. Everything else goes to Lute. The user guide's 10,007 plain paragraphs and 27,844 marks come out the same.
 */
function simpleMarkdown(node: KernelNode): string | undefined {
  if (node.Type === 'NodeParagraph') {
    const children = node.Children ?? [];
    if (!children.every((child) => child.Type === 'NodeText')) return undefined;
    return cleanText(
      children
        .map((child) => child.Data ?? '')
        .join('')
        .trim(),
    );
  }
  if (node.Type !== 'NodeTextMark' || node.Properties !== undefined) return undefined;
  const fence = FENCES[textOf(node, 'TextMarkType')];
  const text = textOf(node, 'TextMarkTextContent');
  return fence && SAFE.test(text) ? fence[0] + text + fence[1] : undefined;
}
