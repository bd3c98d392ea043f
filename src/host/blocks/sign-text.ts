import { type ChildNode, Element, isTag, isText, Text } from 'domhandler';
import { parseDocument } from 'htmlparser2';
import { allBlocks, childBlocks, isBlockElement, type Parent, parseBlocks, serializeBlock, setChildren } from './block-dom.ts';
import { hashOfContent, KEPT_ATTRIBUTE } from './block-hash.ts';
import type { LiteralSigns } from './markdown-signs.ts';

interface Around {
  /** In code and attributes signs are literal; in marks too, since their text is not parsed again. */
  readonly fixed: boolean;
  readonly cell: boolean;
}

const escaped = (sign: string): Element => new Element('span', { 'data-type': 'backslash' }, [new Text(sign)]);
const CELL = /^t[dh]$/;

class SignWriter {
  private readonly signs: LiteralSigns['signs'];
  private readonly anySign: RegExp;

  constructor(signs: LiteralSigns['signs']) {
    this.signs = signs;
    // In a cell, a bar of the text itself is written as a character reference.
    this.anySign = new RegExp(`[${[...signs.keys()].join('')}|]`, 'g');
  }

  /** Restores the signs in a node, with a backslash before each if `isEscaped`, and always before bars in cells. */
  write(parent: Parent, isEscaped: boolean, around: Around = { fixed: false, cell: false }): void {
    setChildren(
      parent,
      parent.children.flatMap((child) => this.node(child, isEscaped, around)),
    );
  }

  count(node: ChildNode): number {
    if (isText(node)) return [...node.data].filter((char) => this.signs.get(char)).length;
    return isTag(node) && node.name !== 'span' ? node.children.reduce((sum, child) => sum + this.count(child), 0) : 0;
  }

  private plain(text: string): string {
    return text.replace(this.anySign, (char) => this.signs.get(char) ?? char);
  }

  private node(node: ChildNode, isEscaped: boolean, around: Around): ChildNode[] {
    if (isText(node)) return this.text(node, isEscaped, around);
    if (!isTag(node)) return [node];
    for (const [name, value] of Object.entries(node.attribs)) node.attribs[name] = this.plain(value);
    const fixed = around.fixed || node.name === 'span' || node.attribs['data-type'] === 'NodeCodeBlock';
    this.write(node, isEscaped, { fixed, cell: around.cell || CELL.test(node.name) });
    return [node];
  }

  private text(node: Text, isEscaped: boolean, { fixed, cell }: Around): ChildNode[] {
    if (fixed || !(isEscaped || cell)) {
      node.data = this.plain(node.data);
      return [node];
    }
    const nodes: ChildNode[] = [];
    let from = 0;
    for (const { index, 0: char } of node.data.matchAll(this.anySign)) {
      const sign = this.signs.get(char) ?? char;
      if (sign === '' || (sign === '|' ? !cell : !isEscaped)) continue;
      nodes.push(new Text(this.plain(node.data.slice(from, index))), escaped(sign));
      from = index + 1;
    }
    nodes.push(new Text(this.plain(node.data.slice(from))));
    return nodes.filter((each) => !isText(each) || each.data !== '');
  }
}

/** Tells if a block turns into another one as soon as somebody types in it. */
function turns(leaf: Element, typed: (dom: string) => string): boolean {
  const dom = serializeBlock(leaf);
  try {
    return hashOfContent(typed(dom)) !== hashOfContent(dom);
  } catch {
    // Lute fails on it: with backslashes it reads less.
    return true;
  }
}

/** Restores the signs of Markdown, each with a backslash if SiYuan would read it as a mark after the next keystroke in the block. */
export function withSigns(dom: string, signs: LiteralSigns['signs'], typed: (dom: string) => string): string {
  const root = parseDocument(dom);
  const writer = new SignWriter(signs);
  const leaves = root.children
    .filter(isTag)
    .filter(isBlockElement)
    .flatMap(allBlocks)
    .filter((block) => childBlocks(block).length === 0);
  for (const leaf of leaves) {
    if (writer.count(leaf) === 0) continue;
    const [plain] = writer.count(leaf) > 1 ? parseBlocks(serializeBlock(leaf)) : [];
    if (plain) writer.write(plain, false);
    writer.write(leaf, plain !== undefined && turns(plain, typed));
  }
  writer.write(root, false);
  return root.children.map(serializeBlock).join('');
}

const UNWRAPPED = /^[$^~=#()[\]]$/;

/** Block DOM without backslashes before signs that may not need them; undefined if there are none. */
export function withoutBackslashes(dom: string): string | undefined {
  if (!dom.includes('data-type="backslash"')) return undefined;
  const root = parseDocument(dom);
  let changed = false;
  const visit = (parent: Parent): void => {
    const children = parent.children.flatMap((child) => {
      if (!isTag(child)) return [child];
      const [only] = child.children;
      const unwrap =
        child.attribs['data-type'] === 'backslash' && only && isText(only) && UNWRAPPED.test(only.data.replaceAll('\u200b', ''));
      if (!unwrap) visit(child);
      else changed = true;
      return unwrap ? child.children : [child];
    });
    setChildren(parent, children);
  };
  visit(root);
  return changed ? root.children.map(serializeBlock).join('') : undefined;
}

/** Corrects tables for Lute's printer: escapes bars in the marks of cells, and removes user attributes of merged cells. */
export function printableTables(dom: string): string {
  if (!/<t[dh][ >]/.test(dom)) return dom;
  const root = parseDocument(dom);
  const visit = (node: ChildNode, inMark: boolean): void => {
    if (isText(node)) {
      if (inMark) node.data = node.data.replace(/\|/g, '\\|');
      return;
    }
    if (!isTag(node) || /(^| )(code|inline-math|backslash)( |$)/.test(node.attribs['data-type'] ?? '')) return;
    const isTable = node.attribs['data-type'] === 'NodeTable';
    for (const name of isTable ? Object.keys(node.attribs) : []) if (KEPT_ATTRIBUTE.test(name)) delete node.attribs[name];
    const isMark = inMark || (node.name === 'span' && node.parent !== null && isTag(node.parent) && CELL.test(node.parent.name));
    for (const child of node.children) visit(child, isMark);
  };
  for (const node of root.children) visit(node, false);
  return root.children.map(serializeBlock).join('');
}
