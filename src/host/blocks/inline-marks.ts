import { type ChildNode, Element, isTag, isText, Text } from 'domhandler';
import { parseDocument } from 'htmlparser2';
import { type Parent, serializeBlock, setChildren, textOf, withoutZwsp } from './block-dom.ts';
import { freeSigns } from './markdown-signs.ts';

/** Marks that may enclose other marks, in the order in which they are written. */
const ENCLOSING = ['strong', 'em', 's', 'mark'] as const;
type Enclosing = (typeof ENCLOSING)[number];
const SIGNS: Readonly<Record<Enclosing, string>> = { strong: '**', em: '*', s: '~~', mark: '==' };
/** A cheap test for block DOM with any of these. */
const HAS_ENCLOSING = /data-type="(?:[^"]* )?(?:strong|em|s|mark)[ "]/;

export const isSpan = (node: ChildNode | undefined): node is Element =>
  node !== undefined && isTag(node) && node.name === 'span' && node.attribs['data-type'] !== undefined;
export const namesOf = (span: Element): string[] => (span.attribs['data-type'] ?? '').split(' ').filter((name) => name !== '');
const enclosingOf = (node: ChildNode): Enclosing[] => {
  const names = isSpan(node) ? namesOf(node) : [];
  return ENCLOSING.filter((mark) => names.includes(mark));
};

/** Calls `change` with each list of text and marks in the tree, without what SiYuan renders around a block. */
export function eachLine(parent: Parent, change: (nodes: readonly ChildNode[]) => ChildNode[]): void {
  for (const child of parent.children) {
    if (isTag(child) && child.name !== 'span' && !/protyle-(attr|action)/.test(child.attribs.class ?? '')) eachLine(child, change);
  }
  if (parent.children.some((child) => isSpan(child) || isText(child))) setChildren(parent, change(parent.children));
}

const isEmptyText = (node: ChildNode): boolean => isText(node) && withoutZwsp(node.data) === '';

/** A blank is neither bold nor italic, and the kernel removes these marks from it. */
const isBlankWithin = (node: ChildNode, mark: Enclosing): boolean =>
  isText(node) && (mark === 'strong' || mark === 'em') && /^[ \t\u200b]+$/.test(node.data);

/** The number of nodes from `start` on with the mark. `alike`: blanks between nodes with the mark count too. */
function runLength(nodes: readonly ChildNode[], start: number, mark: Enclosing, alike: boolean): number {
  let length = 0;
  let [kind, blank] = ['', false];
  for (let index = start; index < nodes.length; index += 1) {
    const node = nodes[index];
    if (node && isSpan(node) && enclosingOf(node).includes(mark)) {
      const own = namesOf(node).sort().join();
      if (blank && own === kind && !alike) break;
      length = index - start + 1;
      [kind, blank] = [own, false];
    } else if (node && isBlankWithin(node, mark)) blank = withoutZwsp(isText(node) ? node.data : '') !== '';
    else if (!node || !isEmptyText(node)) break;
  }
  return length;
}

const withNames = (span: Element, names: readonly string[]): Element =>
  new Element('span', { ...span.attribs, 'data-type': [...new Set(names)].sort().join(' ') }, span.children);

function withoutMark(node: ChildNode, mark: Enclosing): ChildNode[] {
  if (!isSpan(node)) return [node];
  const rest = namesOf(node).filter((name) => name !== mark);
  // A mark with a style stays a span.
  const isPlain = rest.length === 0 && Object.keys(node.attribs).length === 1;
  return isPlain ? node.children : [new Element('span', { ...node.attribs, 'data-type': rest.join(' ') }, node.children)];
}

/** White space at either end of a text belongs outside its mark: in Markdown no mark begins or ends with a blank. */
function edges(nodes: readonly ChildNode[]): { readonly before: string; readonly after: string } {
  const [first, last] = [nodes[0], nodes.at(-1)];
  const whole = nodes.map((node) => (isText(node) ? withoutZwsp(node.data) : '\u0001')).join('');
  if (whole.trim() === '') return { before: whole, after: '' };
  const before = first && isText(first) ? (/^\s+/.exec(withoutZwsp(first.data))?.[0] ?? '') : '';
  const after = last && isText(last) ? (/(?<!\s)\s+$/.exec(withoutZwsp(last.data))?.[0] ?? '') : '';
  return { before, after };
}

function trimEdges(nodes: ChildNode[], { before, after }: ReturnType<typeof edges>): ChildNode[] {
  const trimmed = nodes.map((node) => (isText(node) ? new Text(withoutZwsp(node.data)) : node));
  const [first, last] = [trimmed[0], trimmed.at(-1)];
  if (first && isText(first)) first.data = first.data.slice(before.length);
  if (last && isText(last)) last.data = last.data.slice(0, last.data.length - after.length);
  return trimmed.filter((node) => !(isText(node) && node.data === ''));
}

/** Puts each mark around all nodes that have it, the longest outermost, with `enclose`. */
function nested(nodes: readonly ChildNode[], alike: boolean, enclose: (mark: Enclosing, inside: ChildNode[]) => ChildNode[]): ChildNode[] {
  const result: ChildNode[] = [];
  for (let index = 0; index < nodes.length; ) {
    const node = nodes[index];
    if (!node) break;
    const [longest] = enclosingOf(node)
      .map((mark) => ({ mark, length: runLength(nodes, index, mark, alike) }))
      .sort((one, other) => other.length - one.length);
    if (!longest) {
      result.push(node);
      index += 1;
      continue;
    }
    const run = nodes.slice(index, index + longest.length).flatMap((each) => withoutMark(each, longest.mark));
    const space = edges(run);
    const inside = nested(trimEdges(run, space), alike, enclose);
    if (space.before) result.push(new Text(space.before));
    if (inside.length > 0) result.push(...enclose(longest.mark, inside));
    if (space.after) result.push(new Text(space.after));
    index += longest.length;
  }
  return result;
}

/** Code that is a link: Lute escapes these signs in it, once more than its own parser reads. */
const LINKED_CODE = /data-type="(?=[^"]*\bcode\b)(?:[^"]* )?a[ "]/;
const ESCAPED_IN_CODE = [...'<>&"\\$*=^_~'];

export function printLinkedCode(dom: string, print: (dom: string) => string): string {
  if (!LINKED_CODE.test(dom)) return print(dom);
  const free = freeSigns(dom, ESCAPED_IN_CODE.length);
  const root = parseDocument(dom);
  const visit = (node: ChildNode, inCode: boolean): void => {
    if (isText(node) && inCode) node.data = node.data.replace(/[<>&"\\$*=^_~]/g, (sign) => free[ESCAPED_IN_CODE.indexOf(sign)] ?? sign);
    if (isTag(node))
      for (const child of node.children)
        visit(child, inCode || (isSpan(node) && LINKED_CODE.test(`data-type="${node.attribs['data-type']}"`)));
  };
  for (const node of root.children) visit(node, false);
  const markdown = print(root.children.map(serializeBlock).join(''));
  return free.reduce((text, sign, at) => text.replaceAll(sign, ESCAPED_IN_CODE[at] ?? sign), markdown);
}

/** Prints block DOM, but writes the signs of marks here: Lute would give each piece its own signs and add blanks next to punctuation. */
export function printMarks(dom: string, print: (dom: string) => string): string {
  if (!HAS_ENCLOSING.test(dom)) return print(dom);
  const free = freeSigns(dom, ENCLOSING.length);
  const placeholders = new Map(ENCLOSING.map((mark, index) => [mark, free[index] ?? ''] as const));
  const root = parseDocument(dom);
  eachLine(root, (nodes) =>
    nested(nodes, false, (mark, inside) => {
      const sign = placeholders.get(mark) ?? '';
      // Lute reads no colour inside a mark.
      const text = inside.flatMap((node) => (isSpan(node) && namesOf(node).every((name) => name === 'text') ? node.children : [node]));
      return [new Text(sign), ...text, new Text(sign)];
    }),
  );
  const markdown = print(root.children.map(serializeBlock).join(''));
  return ENCLOSING.reduce((text, mark) => text.replaceAll(placeholders.get(mark) ?? '', SIGNS[mark]), markdown);
}

function asSpans(mark: Enclosing, inside: readonly ChildNode[]): ChildNode[] {
  return inside.map((node) => {
    if (isSpan(node)) return withNames(node, [...namesOf(node), mark]);
    return isText(node) ? new Element('span', { 'data-type': mark }, [node]) : node;
  });
}

const isAlike = (one: Element, other: Element): boolean =>
  Object.keys({ ...one.attribs, ...other.attribs }).every((name) => one.attribs[name] === other.attribs[name]);

function mergeTextNodes(nodes: readonly ChildNode[]): ChildNode[] {
  const result: ChildNode[] = [];
  for (const node of nodes) {
    const last = result.at(-1);
    if (last && isText(last) && isText(node)) result[result.length - 1] = new Text(last.data + node.data);
    else if (isSpan(last) && isSpan(node) && isAlike(last, node) && !('data-content' in node.attribs))
      result[result.length - 1] = new Element('span', last.attribs, mergeTextNodes([...last.children, ...node.children]));
    else result.push(node);
  }
  return result;
}

const plainBlanks = (nodes: readonly ChildNode[]): ChildNode[] =>
  nodes.map((node) => {
    if (isText(node)) return new Text(withoutZwsp(node.data).replace(/[ \t\u00a0]+/g, ' '));
    if (!isSpan(node) || namesOf(node).includes('code')) return node;
    return new Element('span', node.attribs, plainBlanks(node.children));
  });

/** Removes what looks the same as text: escapes of signs and the styles of coloured text. */
const unescaped = (nodes: readonly ChildNode[]): ChildNode[] =>
  nodes.flatMap((node) => {
    if (!isSpan(node)) return [node];
    const names = namesOf(node).filter((name) => name !== 'backslash' && name !== 'text');
    return names.length === 0 && node.attribs.style === undefined ? node.children : [withNames(node, names)];
  });

/** Normalizes the marks of a block in place, so that blocks that look the same are equal, however marks are split, nested and escaped. */
export function unifyMarks(block: Element): void {
  eachLine(block, (nodes) => mergeTextNodes(plainBlanks(mergeTextNodes(nested(unescaped(nodes), true, asSpans)))));
}

const PADDED = new Set(['strong', 'em', 's']);
const OPENS = '[*~=]*(?:\\*|~~)[*~=]*';
const SIGN = '(?![*~=])[\\p{P}\\p{S}]';
const MAY_BE_PADDED = new RegExp(`${SIGN}${OPENS} |(?:^|[ \\n])${OPENS}${SIGN}`, 'u');

/** Tells if Markdown printed by Lute may contain blanks that it added next to marks. */
export const mayHaveAddedBlanks = (markdown: string): boolean => MAY_BE_PADDED.test(markdown);

/** Removes the blanks that Lute added when it printed the Markdown from which this block was read. Changes `block`. */
export function dropAddedBlanks(block: Element): void {
  eachLine(block, (nodes) => {
    for (const [index, node] of nodes.entries()) {
      if (!isSpan(node) || namesOf(node).includes('inline-math') || !namesOf(node).some((name) => PADDED.has(name))) continue;
      const text = withoutZwsp(textOf(node));
      const [before, after] = [nodes[index - 1], nodes[index + 1]];
      if (before && isText(before) && /^[\p{P}\p{S}]/u.test(text)) before.data = before.data.replace(/ (?=\u200b*$)/, '');
      if (after && isText(after) && /[\p{P}\p{S}]$/u.test(text)) after.data = after.data.replace(/^(\u200b*) /, '$1');
    }
    return [...nodes];
  });
}
