import { parseHTML } from 'linkedom';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { wordsOfBlock, wordsOfRange } from './selected-text.ts';

/** As SiYuan draws them: letters stand there for the eye and again for screen readers. */
const KATEX = '<span class="katex"><span class="katex-mathml">S</span><span class="katex-html">S</span></span>';
const formula = (drawn: string): string =>
  `<span data-type="inline-math" data-subtype="math" data-content="S" contenteditable="false" class="render-node">${drawn}</span>`;
const ATTR = '<div class="protyle-attr" contenteditable="false"><div class="protyle-attr--refcount popover__block">2</div>\u200b</div>';
const paragraph = (id: string, html: string): string =>
  `<div data-node-id="${id}" data-type="NodeParagraph" class="p"><div contenteditable="true" spellcheck="false">${html}</div>${ATTR}</div>`;
const BLOCK_FORMULA = `<div data-node-id="math" data-type="NodeMathBlock" class="render-node" data-content="\\frac{a}{b} &lt; 1" data-subtype="math"><div contenteditable="false">${KATEX}</div>${ATTR}</div>`;
const CODE = `<div data-node-id="code" data-type="NodeCodeBlock" class="code-block"><div class="protyle-action"><span class="protyle-action__language">python</span></div><div class="hljs"><div></div><div contenteditable="true"><span class="hljs-keyword">def</span> f():\n  return "$S$"\n</div></div>${ATTR}</div>`;

const { window, document } = parseHTML('<html><body></body></html>');
beforeAll(() => void vi.stubGlobal('Element', window.Element));
afterAll(() => void vi.unstubAllGlobals());

function draw(html: string): Element {
  document.body.innerHTML = `<div class="protyle-wysiwyg">${html}</div>`;
  return document.body.firstElementChild as unknown as Element;
}

const textNode = (root: Node, words: string): Node => {
  const found = all(root).find((node) => node.nodeType === 3 && node.nodeValue?.includes(words));
  if (!found) throw new Error(`no text "${words}"`);
  return found;
};
const all = (node: Node): Node[] => [node, ...[...node.childNodes].flatMap(all)];

/** From the first words to the end of the last ones. */
function range(root: Element, from: string, to: string) {
  const [start, end] = [textNode(root, from), textNode(root, to)];
  const order = all(root);
  const last = (node: Node): number => order.indexOf(all(node).at(-1) ?? node);
  const above = (node: Node | null): Node[] => (node ? [node, ...above(node.parentNode)] : []);
  return {
    ...{ startContainer: start, startOffset: start.nodeValue?.indexOf(from) ?? 0 },
    ...{ endContainer: end, endOffset: (end.nodeValue?.indexOf(to) ?? 0) + to.length },
    commonAncestorContainer: above(start).find((node) => above(end).includes(node)) ?? root,
    intersectsNode: (node: Node) => last(node) >= order.indexOf(start) && order.indexOf(node) <= order.indexOf(end),
  };
}

describe('the words of a selection', () => {
  it.each([
    ['before it is drawn', ''],
    ['once it is drawn', KATEX],
  ])('have a formula as it is written, %s', (_when, drawn) => {
    const root = draw(paragraph('p', `so, where ${formula(drawn)} is the stability in days`));
    expect(wordsOfRange(range(root, 'where', 'is the stab'))).toBe('where $S$ is the stab');
  });

  it('have it whole, however little of its drawing is selected', () => {
    const root = draw(paragraph('p', `where ${formula(KATEX)} is`));
    expect(wordsOfRange(range(root, 'S', 'is'))).toBe('$S$ is');
    expect(wordsOfRange(range(root, 'S', 'S'))).toBe('$S$');
  });

  it('hold formulas of blocks, names of pictures and code as it is, and nothing that only stands beside the text', () => {
    const picture = '<span class="img"><span><img src="assets/a.png" alt="A curve"></span></span>';
    const root = draw(paragraph('one', `See ${picture} first<br>and then`) + BLOCK_FORMULA + CODE + paragraph('two', 'The end.'));
    expect(wordsOfRange(range(root, 'See', 'The end'))).toBe(
      'See A curve first\nand then\n\n$$\n\\frac{a}{b} < 1\n$$\n\ndef f():\n  return "$S$"\n\nThe end',
    );
  });
});

describe('the words of a block', () => {
  it('have its formulas as they are written', () => {
    const root = draw(paragraph('p', `where ${formula(KATEX)} is`) + BLOCK_FORMULA);
    expect([...root.children].map(wordsOfBlock)).toEqual(['where $S$ is', '$$\n\\frac{a}{b} < 1\n$$']);
  });

  it('are those of all blocks in it', () => {
    const item = (id: string, words: string): string =>
      `<div data-node-id="${id}" data-type="NodeListItem" class="li"><div class="protyle-action protyle-action--order">1.</div>${paragraph(`${id}-p`, words)}${ATTR}</div>`;
    const root = draw(
      `<div data-node-id="list" data-type="NodeList" class="list">${item('a', 'One')}${item('b', formula(''))}${ATTR}</div>`,
    );
    expect([...root.children].map(wordsOfBlock)).toEqual(['One\n\n$S$']);
  });
});
