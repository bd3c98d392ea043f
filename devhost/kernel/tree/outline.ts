import { escapeAttribute, escapeHtml, unescapeAttribute } from '../lute.ts';
import { type KernelDocument, type KernelNode, walk } from './node.ts';
import { eachInline } from './render.ts';
import { headingLevel, isHeading, setAttribute } from './structure.ts';

/** A heading with the headings below it. */
export interface OutlineHeading {
  readonly heading: KernelNode;
  /** What the outline panel shows: HTML. */
  readonly label: string;
  readonly below: OutlineHeading[];
}

/** What is shown as the editor draws it; everything else is its text. */
const DRAWN = new Set(['NodeTextMark', 'NodeEmoji', 'NodeImage']);

/** Headings in quotes and callouts belong to what is quoted. */
const QUOTED = new Set(['NodeBlockquote', 'NodeCallout']);

function headingsOf(root: KernelNode): KernelNode[] {
  const headings: KernelNode[] = [];
  walk(root, (node) => {
    if (QUOTED.has(node.Type)) return false;
    if (isHeading(node)) headings.push(node);
    return !isHeading(node);
  });
  return headings;
}

const styleOf = (node: KernelNode): string =>
  unescapeAttribute(node.Properties?.style ?? '').replace(/font-size:[^\n]*?;/g, 'font-size: inherit;');

/** The heading as its label is made: without the size of its letters and the titles of its images. */
function plainHeading(heading: KernelNode): KernelNode {
  const copy = structuredClone(heading);
  walk(copy, (node) => {
    if (node.Properties?.style) setAttribute(node, 'style', escapeAttribute(styleOf(node)));
    if (node.Type === 'NodeImage') node.Children = (node.Children ?? []).filter((child) => child.Type !== 'NodeLinkTitle');
    return undefined;
  });
  return copy;
}

function labelOf(original: KernelNode): string {
  const heading = plainHeading(original);
  let out = '';
  eachInline(heading, (node, dom) => {
    const data = escapeHtml(node.Data ?? '');
    if (node.Type === 'NodeText') out += data.replaceAll(' ', '&nbsp;');
    else if (node.Type === 'NodeBackslashContent') out += data;
    else if (DRAWN.has(node.Type)) out += dom();
    return !DRAWN.has(node.Type);
  });
  const style = styleOf(heading);
  return (style === '' ? out : `<span style="${style}">${out}</span>`).trim().replaceAll('\n', '');
}

/** The document's title as a heading above the others, as the preview shows it. */
function titleHeading(root: KernelNode): KernelNode {
  const title = unescapeAttribute(root.Properties?.title ?? '');
  return { ...root, Type: 'NodeHeading', HeadingLevel: 1, Children: [{ Type: 'NodeText', Data: title }] };
}

/** Each heading is below the nearest one before it that is of a higher rank. */
export function outlineOf({ root }: KernelDocument, withTitle: boolean): OutlineHeading[] {
  const top: OutlineHeading[] = [];
  const open: OutlineHeading[] = [];
  for (const heading of [...(withTitle ? [titleHeading(root)] : []), ...headingsOf(root)]) {
    const entry = { heading, label: labelOf(heading), below: [] };
    while (open.length > 0 && headingLevel(open.at(-1)?.heading ?? heading) >= headingLevel(heading)) open.pop();
    (open.at(-1)?.below ?? top).push(entry);
    open.push(entry);
  }
  return top;
}
