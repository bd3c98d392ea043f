import { type ChildNode, Element, isTag, isText, Text } from 'domhandler';
import { decodeHTML } from 'entities/decode';
import type { Refusal } from '../../tools/safe-content/formulas.ts';
import { allBlocks, type BlockElement, childBlocks, parseBlock, serializeBlock, textOf } from '../blocks/block-dom.ts';
import type { MarkdownEngine } from '../blocks/markdown-engine.ts';
import { existingContent, refusalOf } from './active-content.ts';

export const TYPED: Refusal = {
  what: 'SiYuan would make HTML or a link of this text as soon as somebody types in it',
  instead: 'put tags, attribute lists and links in the text of links into `code`',
};

/** Text without these stays text whatever is typed next to it. */
const MAY_TURN = /[<$`~·{]|\]\(|&[#\w]/;
/** Pieces of Markdown other than text: tags, links and pictures, formulas, embeds, attribute lists. */
const PIECES = /<\/?[a-z!?][^<>\n]*>?|!?\[[^\]\n]*\]\([^)\n]*\)|\$[^$\n]+\$|\{\{[^}\n]*\}\}|\{:[^}\n]*\}?/gi;
const EDITABLE = /(<div contenteditable="true"[^>]*>)([\s\S]*?)(<\/div>)/;

/** SiYuan reads three of these at the start of a line as a fence, and closes it. */
const FENCE = /(^|\n)[~·`]{3,}/g;
const fenced = (text: string): string => `${text.trim().replace(FENCE, '$1```')}<wbr>\n\`\`\``;

/** SiYuan makes a task of a block with this beginning, and decodes character references in its text, those in code too. */
const TASK = /^(?:[[【][^\u0080-\uffff[\]【】][\]】]|\[\]|【】)/;

/** The block after that; undefined if it stays the same. */
function asTask(dom: string): string | undefined {
  const decoded = decodeHTML(EDITABLE.exec(dom)?.[2] ?? '');
  const start = TASK.exec(decoded)?.[0].length;
  return start === undefined
    ? undefined
    : dom.replace(EDITABLE, (_all, open: string, _text, close: string) => open + decoded.slice(start) + close);
}

/** An escaped sign begins nothing in Markdown. */
function escapeStart(leaf: BlockElement): void {
  const visit = (node: ChildNode): boolean => {
    if (isTag(node)) return node.attribs.class !== 'protyle-attr' && node.children.some(visit);
    if (!isText(node) || node.parent === null || !/^[[【]/.test(node.data)) return isText(node) && node.data !== '';
    const [sign = '', rest] = [node.data.slice(0, 1), new Text(node.data.slice(1))];
    const escaped = new Element('span', { 'data-type': 'backslash' }, [new Text(sign)]);
    const { parent } = node;
    parent.children.splice(parent.children.indexOf(node), 1, escaped, rest);
    for (const child of [escaped, rest]) child.parent = parent;
    return true;
  };
  visit(leaf);
}

/** The block as the editor parses it when somebody types: unchanged, and with a letter at its start or end. */
function typedVersions(engine: MarkdownEngine, block: BlockElement): string[] {
  const dom = serializeBlock(block);
  const versions = [dom, dom.replace(EDITABLE, '$1x<wbr>$2$3'), dom.replace(EDITABLE, '$1$2x<wbr>$3')];
  if (textOf(block).search(FENCE) >= 0)
    versions.push(dom.replace(EDITABLE, (_all, open: string, text: string, close: string) => open + fenced(text) + close));
  const task = asTask(dom);
  return [...versions.map((each) => engine.typed(each)), ...(task === undefined ? [] : [task])];
}

const turns = (engine: MarkdownEngine, block: BlockElement, existing: ReadonlySet<string>): boolean =>
  typedVersions(engine, block).some((dom) => refusalOf(dom.replaceAll('<wbr>', ''), existing) !== undefined);

const code = (text: string): Element => new Element('span', { 'data-type': 'code' }, [new Text(`\u200b${text}`)]);

function inCode(text: string): ChildNode[] {
  const nodes: ChildNode[] = [];
  let from = 0;
  for (const { index, 0: piece } of text.matchAll(PIECES)) {
    if (index > from) nodes.push(new Text(text.slice(from, index)));
    nodes.push(code(piece));
    from = index + piece.length;
  }
  if (from < text.length) nodes.push(new Text(text.slice(from)));
  return nodes;
}

function putInCode(element: Element): void {
  element.children = element.children.flatMap((child) => (isText(child) ? inCode(child.data) : [child]));
  for (const child of element.children) {
    child.parent = element;
    if (isTag(child) && child.name !== 'span' && child.attribs.class !== 'protyle-attr') putInCode(child);
  }
}

/** True if text of an edited block would newly turn into something that runs; the user's own does not count. */
export function turnsAnew(engine: MarkdownEngine, block: BlockElement, before: BlockElement): boolean {
  const existing = [serializeBlock(before), ...typedVersions(engine, before)].flatMap((dom) => [
    ...existingContent(dom.replaceAll('<wbr>', '')),
  ]);
  return turns(engine, block, new Set(existing));
}

/** Puts text into code that would run after the next keystroke, when SiYuan parses the block again; false if that does not help. */
export function keepText(engine: MarkdownEngine, root: BlockElement, existing: ReadonlySet<string>): boolean {
  const leaves = allBlocks(root).filter((block) => childBlocks(block).length === 0 && block.attribs['data-content'] === undefined);
  const texts = leaves.filter((leaf) => leaf.attribs['data-type'] !== 'NodeCodeBlock' && MAY_TURN.test(textOf(leaf)));
  const stays = (block: BlockElement): boolean => {
    const written = parseBlock(serializeBlock(block));
    return written !== undefined && !turns(engine, written, existing);
  };
  for (const leaf of texts) {
    if (!turns(engine, leaf, existing)) continue;
    if (asTask(serializeBlock(leaf)) !== undefined) {
      escapeStart(leaf);
      if (stays(leaf)) continue;
    }
    putInCode(leaf);
    if (!stays(leaf)) return false;
  }
  // A container is parsed as a whole when something in it is pasted, dragged or removed: then more of it is Markdown.
  if (texts.length === 0 || leaves.includes(root) || stays(root)) return true;
  for (const leaf of texts) putInCode(leaf);
  return stays(root);
}
