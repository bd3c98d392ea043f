import { newEngine } from '../lute.ts';
import { type KernelNode, markTypes, textOf, walk } from './node.ts';
import { exportMarkdown } from './render.ts';

export interface ExportOptions {
  /** The title as a first heading. */
  readonly withTitle: boolean;
  /** YAML with title, dates and id before everything. */
  readonly withFrontMatter: boolean;
}

/** The engine of exports (kernel/model/export.go): no attributes, `[x]` for every done task. */
const exportEngine = newEngine({ SetFootnotes: true, SetKramdownIAL: false, SetExportNormalizeTaskListMarker: true });

function frontMatter(root: KernelNode): string {
  const { title = '', updated = '', id = '', tags } = root.Properties ?? {};
  const date = (t: string): string =>
    `${t.slice(0, 4)}-${t.slice(4, 6)}-${t.slice(6, 8)}T${t.slice(8, 10)}:${t.slice(10, 12)}:${t.slice(12, 14)}Z`;
  const lines = [`title: ${title}`, `date: ${date(id.slice(0, 14))}`, `lastmod: ${date(updated)}`, ...(tags ? [`tags: [${tags}]`] : [])];
  return `---\n${lines.join('\n')}\n---\n\n`;
}

/** References become their anchor text, line breaks inside a paragraph hard ones, super blocks their content. */
function prepared(root: KernelNode): KernelNode {
  const copy = structuredClone(root);
  walk(copy, (node) => {
    if (node.Type === 'NodeText') node.Data = node.Data?.replaceAll('\n', '  \n') ?? '';
    node.Children &&= node.Children.filter((child) => !child.Type.startsWith('NodeSuperBlock') || child.Type === 'NodeSuperBlock');
    node.Children &&= node.Children.map((child) =>
      child.Type === 'NodeTextMark' && markTypes(child).includes('block-ref')
        ? { Type: 'NodeText', Data: textOf(child, 'TextMarkTextContent') }
        : child,
    );
    return undefined;
  });
  return copy;
}

/** Standard Markdown of a document, as `exportMdContent` answers. */
export function exportDocument(root: KernelNode, options: ExportOptions): string {
  const copy = prepared(root);
  const title: KernelNode = { Type: 'NodeHeading', HeadingLevel: 1, Children: [{ Type: 'NodeText', Data: root.Properties?.title ?? '' }] };
  if (options.withTitle) copy.Children = [title, ...(copy.Children ?? [])];
  return (options.withFrontMatter ? frontMatter(root) : '') + exportMarkdown(copy, exportEngine);
}
