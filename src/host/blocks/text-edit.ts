import { type ChildNode, Element, isTag, isText, Text } from 'domhandler';
import { ToolError } from '../../tools/contract/errors.ts';
import { allBlocks, type BlockElement, blockType, parseBlock, textNodes, withoutZwsp } from './block-dom.ts';
import { countOf, type TextEdit, type WriteMarkdown } from './block-edit.ts';
import { isSpan, namesOf } from './inline-marks.ts';

// Edits inside the text of a block that Markdown cannot express as a whole. The rest of the block is unchanged.

const GUARD = '\ue0ff';
/** Text in these marks is literal, whatever signs it contains. */
const LITERAL_MARKS = ['code', 'kbd', 'tag', 'inline-math', 'block-ref', 'a'];

const isLiteralMark = (span: Element): boolean => namesOf(span).some((name) => LITERAL_MARKS.includes(name));

const notSafe = (): ToolError =>
  new ToolError(
    'not_markdown_safe',
    'this block contains text that Markdown would change, and the edit does not stay inside one piece of plain text',
    'replace a shorter piece of plain text without marks, or insert a new block beside it',
  );

interface Target {
  readonly node: Text;
  readonly block: BlockElement;
  readonly from: number;
  readonly to: number;
}

/** The position of `old` in its text node. ZWSP marks the edges of marks for the editor; it stays unless it is inside the replaced text. */
function targetIn(node: Text, block: BlockElement, old: string): Target {
  const positions: number[] = [];
  for (let index = 0; index < node.data.length; index += 1) if (node.data[index] !== '\u200b') positions.push(index);
  const start = withoutZwsp(node.data).indexOf(old);
  const from = positions[start] ?? 0;
  return { node, block, from, to: (positions[start + old.length - 1] ?? from) + 1 };
}

function findTarget(block: BlockElement, old: string): Target {
  const holding = allBlocks(block).flatMap((each) =>
    textNodes(each)
      .filter((node) => countOf(withoutZwsp(node.data), old) > 0)
      .map((node) => ({ node, each })),
  );
  const [only] = holding;
  if (!only || holding.length !== 1 || countOf(withoutZwsp(only.node.data), old) !== 1) throw notSafe();
  return targetIn(only.node, only.each, old);
}

const spanAround = (node: Text): Element | undefined =>
  node.parent && isTag(node.parent) && isSpan(node.parent) ? node.parent : undefined;

function inCell(node: ChildNode): boolean {
  for (let parent = node.parent; parent && isTag(parent); parent = parent.parent) if (/^t[hd]$/.test(parent.name)) return true;
  return false;
}

/** `text` as inline Markdown between the text before and after it. */
async function inlineNodes(text: string, target: Target, write: WriteMarkdown): Promise<ChildNode[]> {
  const { node, from, to } = target;
  const [before, after] = [node.data.slice(0, from), node.data.slice(to)];
  const isOpen = spanAround(node) === undefined;
  const left = /\s$/.test(before) || (before === '' && isOpen) ? `${GUARD} ` : GUARD;
  const right = /^\s/.test(after) || (after === '' && isOpen) ? ` ${GUARD}` : GUARD;
  const [dom, ...others] = await write(left + text + right);
  const block = parseBlock(dom ?? '');
  const line = block?.children.find((child): child is Element => isTag(child) && child.attribs.contenteditable === 'true');
  if (!block || !line || others.length > 0 || blockType(block) !== 'p') throw notSafe();
  const nodes = [...line.children];
  const [first, last] = [nodes[0], nodes.at(-1)];
  if (!first || !last || !isText(first) || !isText(last) || !first.data.startsWith(left) || !last.data.endsWith(right)) throw notSafe();
  first.data = first.data.slice(left.length);
  last.data = last.data.slice(0, last.data.length - right.length);
  return nodes.filter((each) => !isText(each) || each.data !== '');
}

/** A bar in a cell is stored as an escaped sign. */
const withBars = (nodes: readonly ChildNode[]): ChildNode[] =>
  nodes.flatMap((node) => {
    if (!isText(node) || !node.data.includes('|')) return [node];
    const pieces: ChildNode[] = [];
    for (const [index, part] of node.data.split('|').entries()) {
      if (index > 0) pieces.push(new Element('span', { 'data-type': 'backslash' }, [new Text('|')]));
      if (part !== '') pieces.push(new Text(part));
    }
    return pieces;
  });

/** Moves line breaks out of marks: SiYuan drops a break inside most marks. */
const withBreaksApart = (nodes: readonly ChildNode[]): ChildNode[] =>
  nodes.flatMap((node): ChildNode[] =>
    isText(node)
      ? node.data
          .split(/(\n)/)
          .filter((part) => part !== '')
          .map((part) => new Text(part))
      : [node],
  );
const isBreak = (node: ChildNode): boolean => (isText(node) ? node.data === '\n' : isTag(node) && node.name === 'br');

function withMarks(node: ChildNode, span: Element): ChildNode {
  if (isBreak(node)) return node;
  if (!isTag(node)) return new Element('span', { ...span.attribs }, [node]);
  const names = [...new Set([...namesOf(span), ...namesOf(node)])];
  return new Element('span', { ...span.attribs, ...node.attribs, 'data-type': names.join(' ') }, node.children);
}

function insertAfter(node: ChildNode, nodes: readonly ChildNode[]): void {
  const { parent } = node;
  if (!parent) throw new Error('a text is in no block');
  parent.children.splice(parent.children.indexOf(node) + 1, 0, ...nodes);
  for (const each of nodes) each.parent = parent;
}

/** The text before the edit stays in its node, so that earlier positions in it stay valid. */
function put({ node, from, to }: Target, nodes: readonly ChildNode[]): void {
  const [before, after] = [node.data.slice(0, from), node.data.slice(to)];
  const span = spanAround(node);
  const isOneText =
    nodes.every(isText) && !(span && !isLiteralMark(span) && nodes.some((each) => isText(each) && each.data.includes('\n')));
  if (isOneText) {
    node.data = before + nodes.map((each) => (isText(each) ? each.data : '')).join('') + after;
    return;
  }
  const pieces = [...(span ? withBreaksApart(nodes) : nodes), ...(after === '' ? [] : [new Text(after)])];
  if (span && span.children.length !== 1) throw notSafe();
  node.data = before;
  if (span)
    insertAfter(
      span,
      pieces.map((piece) => withMarks(piece, span)),
    );
  else insertAfter(node, pieces);
}

function dropEmpty(node: Text): void {
  const span = spanAround(node);
  const empty = span ?? node;
  if ((span ? withoutZwsp(node.data) : node.data) !== '') return;
  const siblings = empty.parent?.children;
  if (siblings) siblings.splice(siblings.indexOf(empty), 1);
}

/** True if signs in the text of this node are literal, as in code. */
function isLiteral({ node, block }: Target): boolean {
  const span = spanAround(node);
  return blockType(block) === 'c' || (span !== undefined && isLiteralMark(span));
}

/** Replaces text inside single text nodes, in place; `new` is one line of Markdown, or code. Rejects with `not_markdown_safe`. */
export async function replaceInText(block: BlockElement, edits: readonly TextEdit[], write: WriteMarkdown): Promise<void> {
  const found = edits.map((edit) => ({ edit, target: findTarget(block, withoutZwsp(edit.old)) }));
  found.sort((one, other) => other.target.from - one.target.from);
  for (const { edit, target } of found) {
    const literal = isLiteral(target);
    if (/\n\s*\n/.test(edit.new)) throw notSafe();
    const text = inCell(target.node) ? edit.new.replace(/\n/g, '<br />') : edit.new;
    const nodes = literal || text === '' ? [new Text(text)] : await inlineNodes(text, target, write);
    put(target, inCell(target.node) && !literal ? withBars(nodes) : nodes);
  }
  for (const { target } of found) dropEmpty(target.node);
}
