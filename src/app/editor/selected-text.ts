// The selected words of an editor as a person means them: SiYuan renders a formula as letters that are there twice, or not at all
// while it is out of sight, and puts marks of its own next to the text. Part of the start script, so it stays small.

/** The part of a selection that decides what of a node is in it. */
type Part = Pick<Range, 'startContainer' | 'startOffset' | 'endContainer' | 'endOffset' | 'intersectsNode'>;

/** Separates two blocks; no text of a note contains it. */
const BLOCK_END = '\u0000';
const BESIDE = /(^|\s)protyle-(attr|action)(\s|$)/;
const FORMULA = '[data-type~="inline-math"], [data-type="NodeMathBlock"]';

function formulaOf(element: Element): string {
  const source = (element.getAttribute('data-content') ?? '').trim();
  return element.hasAttribute('data-node-id') ? `$$\n${source}\n$$` : `$${source}$`;
}

function wordsIn(node: Node, part?: Part): string {
  if (part && !part.intersectsNode(node)) return '';
  if (node.nodeType === 3) {
    const [from, to] = [node === part?.startContainer ? part.startOffset : 0, node === part?.endContainer ? part.endOffset : undefined];
    return (node.nodeValue ?? '').slice(from, to);
  }
  if (!(node instanceof Element)) return '';
  const end = node.hasAttribute('data-node-id') ? BLOCK_END : '';
  if (node.matches(FORMULA)) return `${end}${formulaOf(node)}${end}`;
  if (node.nodeName === 'IMG') return node.getAttribute('alt') ?? '';
  if (node.nodeName === 'BR') return '\n';
  if (BESIDE.test(node.className)) return '';
  return `${end}${[...node.childNodes].map((child) => wordsIn(child, part)).join('')}${end}`;
}

const joinLines = (words: string): string =>
  words
    .replace(/[\u200b\r]/g, '')
    .split(BLOCK_END)
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .join('\n\n');

/** The selected words, with the source of each formula that the selection touches; blocks are a blank line apart. */
export function wordsOfRange(range: Part & Pick<Range, 'commonAncestorContainer'>): string {
  const around = range.commonAncestorContainer;
  const formula = (around instanceof Element ? around : around.parentElement)?.closest(FORMULA);
  return joinLines(formula ? formulaOf(formula) : wordsIn(around, range));
}

/** The editable text of a block and of those in it, and their formulas. */
export function wordsOfBlock(block: Element): string {
  const written = '[contenteditable="true"], [data-type="NodeMathBlock"]';
  const parts = block.matches(written) ? [block] : [...block.querySelectorAll(written)];
  return joinLines(parts.map((each) => wordsIn(each)).join(BLOCK_END));
}
