import { engine, type GoNode, type GoTree, goRender, goText, jsText, kramdownEngine, markdownEngine } from '../lute.ts';
import { attributeNode, fromGo, toGo, treeOf } from './go-node.ts';
import { flattened, hideNewer, isNewer, nameNewer, nameRichCells, showNewer } from './newer-blocks.ts';
import { type KernelNode, walk } from './node.ts';
import { splitBlocks } from './split-dom.ts';

interface RenderOptions {
  readonly ParseOptions: Record<string, unknown>;
  readonly RenderOptions: Record<string, unknown>;
}

type RendererFactory = (
  tree: GoTree,
  options: Record<string, unknown>,
  parse: Record<string, unknown>,
) => { Render(): { readonly $array: ArrayLike<unknown>; readonly $offset: number; readonly $length: number } };

function render(factory: RendererFactory, root: GoNode, options: RenderOptions): string {
  const tree = treeOf([]);
  tree.Root = root;
  const bytes = factory(tree, options.RenderOptions, options.ParseOptions).Render();
  const array = Uint8Array.from(bytes.$array as ArrayLike<number>);
  return Buffer.from(array.subarray(bytes.$offset, bytes.$offset + bytes.$length)).toString('utf8');
}

/** Markdown → block DOM as the write API makes it; every block without an id gets a new one. */
export function domOfMarkdown(markdown: string, reserveEmptyParagraph: boolean): string {
  return jsText(markdownEngine.Md2BlockDOM(goText(markdown), reserveEmptyParagraph));
}

/** Block DOM → the blocks that it holds. Malformed DOM gives what the browser's parser would make of it, never an error. */
export function nodesOfDom(dom: string): KernelNode[] {
  return splitBlocks(hideNewer(dom)).flatMap((part) => nameNewer(fromGo(engine.BlockDOM2Tree(goText(part)).Root)).Children ?? []);
}

/** DOM of one block. `topLevel`: its parent is the document, so the DOM carries `data-node-index`. */
export function blockDOM(node: KernelNode, topLevel = true): string {
  const go = toGo(node);
  if (topLevel && node.Type !== 'NodeDocument') treeOf([go]);
  return showNewer(jsText(engine.RenderNodeBlockDOM(go)));
}

/**
 * The nodes in a block, parents first, each with its DOM; `visit` returning false skips what is in it. Between which neighbours a mark
 * stands decides about the zero-width spaces at its sides, so the nodes are drawn where they are.
 */
export function eachInline(block: KernelNode, visit: (node: KernelNode, dom: () => string) => boolean): void {
  const step = (node: KernelNode, go: GoNode): void => {
    let drawn = go.FirstChild;
    for (const child of node.Children ?? []) {
      const here = drawn;
      if (visit(child, () => jsText(engine.RenderNodeBlockDOM(here)))) step(child, here);
      drawn = drawn.Next;
    }
  };
  step(block, toGo(block));
}

/** DOM of blocks side by side, as the editor loads a document. */
export function blocksDOM(nodes: readonly KernelNode[]): string {
  return showNewer(jsText(engine.Tree2BlockDOM(treeOf(nodes.map(toGo)), engine.RenderOptions, engine.ParseOptions)));
}

/** The same of a part of a document, whose first block has this index. */
export function windowDOM(nodes: readonly KernelNode[], index: number): string {
  const options = Object.assign(Object.create(engine.RenderOptions), engine.RenderOptions, { NodeIndexStart: index });
  return showNewer(jsText(engine.Tree2BlockDOM(treeOf(nodes.map(toGo)), options, engine.ParseOptions)));
}

/** Standard Markdown of one block without attributes: what the `markdown` column holds. */
export function standardMarkdown(node: KernelNode): string {
  if (node.Type === 'NodeDocument') return '';
  if (isNewer(node.Type)) return standardMarkdown(flattened(node));
  // Lute looks at an item's list to see where blank lines go.
  if (node.Type === 'NodeListItem') return standardMarkdown({ Type: 'NodeList', ListData: node.ListData, Children: [node] });
  return nameRichCells(cleanText(render(goRender.NewProtyleExportMdRenderer, treeOf([toGo(flattened(node))]).Root, engine).trim()));
}

/** Kramdown with attributes, as `getBlockKramdown` answers; `md` writes marks as Markdown, `textmark` as spans. */
export function kramdown(node: KernelNode, mode: 'md' | 'textmark' = 'md'): string {
  const prepared = structuredClone(flattened(node));
  walk(prepared, (n) => {
    if (n.Type === 'NodeBlockQueryEmbedScript' && n.Data) n.Data = n.Data.replaceAll('\n', ' ');
    if (n.Type === 'NodeHTMLBlock') n.Data = wrapHtml(n.Data ?? '');
    return undefined;
  });
  const root = treeOf([]).Root;
  root.AppendChild(withAttributeNodes(prepared));
  if (prepared.Properties) root.AppendChild(attributeNode(prepared));
  if (mode === 'textmark') return nameRichCells(render(goRender.NewFormatRenderer, root, engine));
  return nameRichCells(render(goRender.NewProtyleExportMdRenderer, root, kramdownEngine).trim());
}

/** Without the `<div>` an HTML block would be read back as inline HTML. */
function wrapHtml(html: string): string {
  const trimmed = html.trim();
  const opened = trimmed.startsWith('<div>') ? trimmed : `<div>\n${trimmed}`;
  return opened.endsWith('</div>') ? opened : `${opened}\n</div>`;
}

function withAttributeNodes(node: KernelNode): GoNode {
  const { Children: children, ...own } = node;
  const go = toGo(own);
  for (const child of children ?? []) {
    go.AppendChild(withAttributeNodes(child));
    if (child.ID && child.Properties) go.AppendChild(attributeNode(child));
  }
  return go;
}

/** Runes, words, links, images and references of a document, counted by Lute. */
export function statistics(node: KernelNode): [number, number, number, number, number] {
  return toGo(node).Stat();
}

/** Zero-width spaces, and joiners before a closing `#`, are kept out of the index. */
export function cleanText(text: string): string {
  return text.replaceAll('\u200b', '').replaceAll('\u200d#', '#');
}

/** Markdown of a whole document with other render options (export). */
export function exportMarkdown(root: KernelNode, options: RenderOptions): string {
  return render(goRender.NewProtyleExportMdRenderer, toGo(flattened(root)), options);
}
