import render from 'dom-serializer';
import { type ChildNode, Element, isTag, isText, Text } from 'domhandler';
import { parseDocument } from 'htmlparser2';
import { type KernelNode, walk } from './node.ts';

// Containers of SiYuan 3.8. The Lute here knows none of them: to it each is a super block that carries its kind in an attribute. Files and
// trees hold them under their own names, and so does the DOM that comes in and goes out.

const CLASSES: Readonly<Record<string, string>> = {
  NodeTabs: 'tabs',
  NodeTabItem: 'tab-item',
  NodeMindmap: 'mindmap',
  NodeMindmapItem: 'mindmap-item',
};
const CARRIER = 'custom-devhost-kind';
/** The source of a rich table cell. Of a cell Lute keeps little more than its style, which carries it. */
const RICH_CELL = 'data-sy-table-cell-rich';
const CELL_CARRIER = '--devhost-rich:';
/** What the page draws of the blocks a second time; the kernel keeps none of it. */
const DERIVED = ['tabs-header', 'mindmap-view', 'tab-item-info'];
const RAW = { decodeEntities: false } as const;

interface Carried {
  readonly type: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Of a tab, as HTML. */
  readonly title?: string;
}

export const isNewer = (type: string): boolean => type in CLASSES;

const hasClass = (element: Element, name: string): boolean => (element.attribs.class ?? '').split(' ').includes(name);
const carry = (carried: Carried): string => encodeURIComponent(JSON.stringify(carried));
const carriedBy = (text: string): Carried => JSON.parse(decodeURIComponent(text)) as Carried;

/** The blocks in a container, through the boxes that only the page has. */
function blocksIn(element: Element): ChildNode[] {
  return element.children.flatMap((child) => {
    if (!isTag(child) || DERIVED.some((name) => hasClass(child, name))) return [];
    return child.attribs['data-node-id'] || hasClass(child, 'protyle-attr') ? [child] : blocksIn(child);
  });
}

function titleOf(element: Element): string | undefined {
  const info = element.children.find((child) => isTag(child) && hasClass(child, 'tab-item-info'));
  const title = info && isTag(info) ? info.children.find((child) => isTag(child) && hasClass(child, 'tab-item-title')) : undefined;
  return title && isTag(title) ? render(title.children, RAW) : undefined;
}

/** Attributes that Lute takes from any block. */
const isCommon = (name: string): boolean => /^(custom-.*|data-node-id|updated|name|alias|memo|bookmark|style|fold)$/.test(name);

const wordsOf = (node: ChildNode): string => {
  if (isText(node)) return node.data;
  return isTag(node) ? node.children.map(wordsOf).join('') : '';
};

/** A rich cell as Lute gets it: one line of text. */
function hideCell(cell: Element): void {
  const { [RICH_CELL]: source, contenteditable: _drawn, ...others } = cell.attribs;
  cell.attribs = { ...others, style: `${CELL_CARRIER}${source}` };
  cell.children = [new Text(wordsOf(cell))];
}

function hide(element: Element): void {
  for (const child of element.children) if (isTag(child)) hide(child);
  if (element.attribs[RICH_CELL] !== undefined) hideCell(element);
  const type = element.attribs['data-type'] ?? '';
  if (!isNewer(type)) return;
  const entries = Object.entries(element.attribs).filter(([name]) => !['data-type', 'class', 'data-node-index'].includes(name));
  const title = titleOf(element);
  const carried: Carried = {
    type,
    attributes: Object.fromEntries(entries.filter(([name]) => !isCommon(name))),
    ...(title !== undefined && { title }),
  };
  const common = Object.fromEntries(entries.filter(([name]) => isCommon(name)));
  element.children = blocksIn(element);
  element.attribs = { ...common, 'data-type': 'NodeSuperBlock', class: 'sb', 'data-sb-layout': 'row', [CARRIER]: carry(carried) };
}

/** DOM that this Lute can read. */
export function hideNewer(dom: string): string {
  const isOurs = dom.includes(` ${RICH_CELL}="`) || Object.keys(CLASSES).some((type) => dom.includes(`data-type="${type}"`));
  if (!isOurs) return dom;
  const root = parseDocument(dom, RAW);
  for (const child of root.children) if (isTag(child)) hide(child);
  return render(root.children, RAW);
}

const box = (name: string, children: ChildNode[]): Element => new Element('div', { class: name }, children);

function show(element: Element): void {
  const carrier = element.attribs[CARRIER];
  if (carrier !== undefined) {
    const { type, attributes, title = '' } = carriedBy(carrier);
    const { [CARRIER]: _carrier, 'data-sb-layout': _layout, ...own } = element.attribs;
    element.attribs = { ...own, ...attributes, 'data-type': type, class: CLASSES[type] ?? '' };
    if (type === 'NodeTabItem') {
      const blocks = element.children.filter((child) => isTag(child) && !hasClass(child, 'protyle-attr'));
      const others = element.children.filter((child) => !blocks.includes(child));
      const info = parseDocument(`<div class="tab-item-info"><span class="tab-item-title callout-title">${title}</span></div>`, RAW);
      element.children = [...info.children, box('tab-item-content', blocks), ...others];
    }
    if (type === 'NodeTabs') element.children.unshift(box('tabs-header protyle-action', []));
  }
  if (element.attribs.style?.startsWith(CELL_CARRIER)) showCell(element);
  for (const child of element.children) if (isTag(child)) show(child);
}

function showCell(cell: Element): void {
  const { style = '', ...others } = cell.attribs;
  cell.attribs = { ...others, [RICH_CELL]: style.slice(CELL_CARRIER.length), contenteditable: 'false' };
  cell.children = [box('table__cell-rich', cell.children)];
}

/** The DOM that Lute drew, with its own names again. */
export function showNewer(dom: string): string {
  if (!dom.includes(` ${CARRIER}="`) && !dom.includes(CELL_CARRIER)) return dom;
  const root = parseDocument(dom, RAW);
  for (const child of root.children) if (isTag(child)) show(child);
  return render(root.children, RAW);
}

const MARKERS = ['NodeSuperBlockOpenMarker', 'NodeSuperBlockLayoutMarker', 'NodeSuperBlockCloseMarker'];

/** Nodes that came out of Lute, with their own names. Changes them. */
export function nameNewer(root: KernelNode): KernelNode {
  walk(root, (node) => {
    const { [CARRIER]: carrier, ...properties } = node.Properties ?? {};
    if (carrier === undefined) return undefined;
    const carried = carriedBy(carrier);
    node.Type = carried.type;
    node.Properties = { ...properties, ...carried.attributes };
    node.Newer = carried;
    node.Children = (node.Children ?? []).filter(({ Type }) => !MARKERS.includes(Type));
    return undefined;
  });
  return root;
}

/** One such node as Lute gets it, its children as they are. */
export function asSuperBlock(node: KernelNode): KernelNode {
  const { Newer, ...rest } = node;
  const carried = Newer as Carried;
  const own = Object.entries(node.Properties ?? {});
  const attributes = Object.fromEntries(own.filter(([name]) => name !== 'id' && !isCommon(name)));
  const common = Object.fromEntries(own.filter(([name]) => name === 'id' || isCommon(name)));
  const [open, layout, close] = MARKERS.map((Type) => ({ Type }));
  return {
    ...rest,
    Type: 'NodeSuperBlock',
    Properties: { ...common, [CARRIER]: carry({ ...carried, attributes }) },
    Children: [open, { ...layout, Data: 'row' }, ...(node.Children ?? []), close] as KernelNode[],
  };
}

/** Kramdown with the source of rich cells under its own name. */
export const nameRichCells = (kramdown: string): string => kramdown.replaceAll(`{: style="${CELL_CARRIER}`, '{: table-cell-rich="');

/** What Markdown says of them: a mind map is a list, tabs are the blocks in them. */
export function flattened(node: KernelNode): KernelNode {
  let found = false;
  walk(node, ({ Type }) => {
    found ||= isNewer(Type);
    return !found;
  });
  if (!found) return node;
  const children = (node.Children ?? []).flatMap((child) =>
    child.Type === 'NodeTabs' || child.Type === 'NodeTabItem' ? (flattened(child).Children ?? []) : [flattened(child)],
  );
  if (node.Type === 'NodeMindmap') return { ...node, Type: 'NodeList', ListData: {}, Children: children };
  if (node.Type === 'NodeMindmapItem')
    return { ...node, Type: 'NodeListItem', ListData: { BulletChar: 42, Marker: 'Kg==' }, Children: children };
  return { ...node, ...(isNewer(node.Type) && { Type: 'NodeBlockquote' }), Children: children };
}

const ITEM_OF: Readonly<Record<string, string>> = { NodeTabs: 'NodeTabItem', NodeMindmap: 'NodeMindmapItem' };
const NOT_IN_MAP_ITEM = ['NodeList', 'NodeListItem'];

/** The first block that stands where its kind may not, or that lacks one: SiYuan 3.8 refuses its transaction. */
export function misplaced(root: KernelNode): KernelNode | undefined {
  let found: KernelNode | undefined;
  walk(root, (node, parent) => {
    const item = ITEM_OF[node.Type];
    const isEmpty = isNewer(node.Type) && !node.Children?.length;
    const isForeign = item !== undefined && node.Children?.some(({ Type }) => Type !== item);
    const isAstray = Object.values(ITEM_OF).includes(node.Type) && ITEM_OF[parent?.Type ?? ''] !== node.Type;
    const isList = parent?.Type === 'NodeMindmapItem' && NOT_IN_MAP_ITEM.includes(node.Type);
    if (isEmpty || isForeign || isAstray || isList) found ??= node;
    return !found;
  });
  return found;
}
