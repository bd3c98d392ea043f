// Text as rows for the reader: a paragraph, a list item, a row of a table, a line of code.
import { mayHide } from '../../tools/safe-content/formulas.ts';
import { textPieces } from '../../tools/safe-content/unseen.ts';
import { escapeHtml } from '../markdown/escape.ts';
import { BlockRenderer, type RenderOptions } from '../markdown/render.ts';
import type { Sanitize } from '../markdown/sanitize.ts';

/** A word, the white space between two words, or an atom: a picture, a formula. */
export interface Atom {
  readonly text: string;
  readonly html: string;
  /** The inline elements around it, outermost first. */
  readonly open: string;
  readonly close: string;
}

export interface RenderedRow {
  /** label: the language of the code below it. layout: how the content below is shown, `row`, `col` or `embed` (the results of a query). */
  readonly kind: 'text' | 'heading' | 'item' | 'code' | 'head' | 'cells' | 'rule' | 'label' | 'layout';
  readonly level: number;
  /** Depth of a list item, from 0; and number of quotes around it. */
  readonly depth: number;
  readonly quotes: number;
  /** Marker of a list item: "•", "2.". Numbers that only shift are not a change. */
  readonly marker: string;
  /** One, except in a table. */
  readonly cells: readonly (readonly Atom[])[];
}

const BLOCKS = new Set(['P', 'UL', 'OL', 'BLOCKQUOTE', 'PRE', 'TABLE', 'HR', 'DIV', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6']);
const FORMULA = '.mg-math, .mg-math-display, .mg-math-block';
const WHOLE = `${FORMULA}, img`;
const WORD = /\s+|[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_]/gu;

/** Scripts without spaces need the browser's segmenter; without it, each character is a word. */
function splitWords(text: string): readonly string[] {
  if (!/[\u3040-\u30ff\u3400-\u9fff]/.test(text)) return text.match(WORD) ?? [];
  if (!('Segmenter' in Intl)) return [...text];
  return Array.from(new Intl.Segmenter('zh', { granularity: 'word' }).segment(text), ({ segment }) => segment);
}

interface Around {
  readonly open: string;
  readonly close: string;
}

const NOTHING: Around = { open: '', close: '' };

/** An element inside a text, as its tags. */
function tagsOf(element: Element): Around {
  const shell = element.cloneNode(false);
  const html = shell instanceof Element ? shell.outerHTML : '';
  const close = `</${element.tagName.toLowerCase()}>`;
  return { open: html.endsWith(close) ? html.slice(0, -close.length) : html, close };
}

/** SiYuan shows a line end in a paragraph as one. */
const BREAK = { text: '\n', html: '<br>' } as const;

const atomsOfWord = (text: string, around: Around): readonly Atom[] =>
  text.includes('\n') ? [{ ...BREAK, ...around }] : [{ text, html: escapeHtml(text), ...around }];

function atomsOf(nodes: Iterable<Node>, around: Around = NOTHING): Atom[] {
  return [...nodes].flatMap((node): Atom[] => {
    if (node instanceof Text) return splitWords(node.data).flatMap((text) => atomsOfWord(text, around));
    if (!(node instanceof Element)) return [];
    if (node.tagName === 'BR') return [{ ...BREAK, ...around }];
    if (node instanceof HTMLInputElement) return [{ text: node.checked ? '☑' : '☐', html: node.checked ? '☑' : '☐', ...around }];
    // A preview would not show them.
    if (node.matches(FORMULA) && (unseenOf(node.textContent ?? '') !== '' || mayHide(node.textContent ?? '')))
      return splitWords(node.textContent ?? '').flatMap((text) => atomsOfWord(text, around));
    if (node.matches(WHOLE)) return [{ text: node.textContent || node.outerHTML, html: node.outerHTML, ...around }];
    const { open, close } = tagsOf(node);
    return atomsOf(node.childNodes, { open: around.open + open, close: close + around.close });
  });
}

const isBlock = (node: Node): node is HTMLElement => node instanceof HTMLElement && BLOCKS.has(node.tagName);

type RowIndent = Pick<RenderedRow, 'depth' | 'quotes' | 'marker'>;
const row = (kind: RenderedRow['kind'], cells: RenderedRow['cells'], place: RowIndent, level = 0): RenderedRow => ({
  kind,
  level,
  ...place,
  cells,
});
const plain = (text: string): Atom => ({ text, html: escapeHtml(text), ...NOTHING });

function trimmed(atoms: readonly Atom[]): readonly Atom[] {
  // Rarer spaces are content.
  const says = ({ text }: Atom): boolean => /[^ \t\r\n\f]/.test(text);
  const first = atoms.findIndex(says);
  return first < 0 ? [] : atoms.slice(first, atoms.findLastIndex(says) + 1);
}

function lineRows(kind: RenderedRow['kind'], nodes: Iterable<Node>, place: RowIndent, level = 0): RenderedRow[] {
  const lines: Atom[][] = [[]];
  for (const atom of trimmed(atomsOf(nodes))) {
    if (atom.html === BREAK.html) lines.push([]);
    else lines.at(-1)?.push(atom);
  }
  return lines.map((atoms, index) => row(kind, [trimmed(atoms)], index === 0 ? place : { ...place, marker: '' }, level));
}

/** The contents of an item in order: paragraphs and text are its own lines, other blocks are below it. */
function itemRows(item: Element, place: RowIndent, marker: string): RenderedRow[] {
  const rows: RenderedRow[] = [];
  let text: Node[] = [];
  const addLines = (nodes: Iterable<Node>): void => {
    rows.push(...lineRows('item', nodes, { ...place, marker: rows.length === 0 ? marker : '' }));
  };
  const addText = (): void => {
    if (trimmed(atomsOf(text)).length > 0) addLines(text);
    text = [];
  };
  for (const node of item.childNodes) {
    if (!isBlock(node)) text.push(node);
    else {
      addText();
      if (node.tagName === 'P') addLines(node.childNodes);
      else {
        if (rows.length === 0) addLines([]);
        rows.push(...rowsOf(node, { ...place, depth: place.depth + 1, marker: '' }));
      }
    }
  }
  addText();
  if (rows.length === 0) addLines([]);
  return rows;
}

function listRows(list: HTMLElement, place: RowIndent): RenderedRow[] {
  const start = Number(list.getAttribute('start') ?? 1);
  return [...list.children].flatMap((item, index) => {
    const hasBox = item.querySelector(':scope > input, :scope > p > input') !== null;
    const bullet = list.tagName === 'OL' ? `${start + index}.` : '•';
    return itemRows(item, place, hasBox ? '' : bullet);
  });
}

const labelRow = (text: string, place: RowIndent): RenderedRow[] => (text === '' ? [] : [row('label', [[plain(text)]], place)]);

/** Lines of code are rows; the last line end belongs to none. */
const codeRows = (pre: HTMLElement, place: RowIndent): RenderedRow[] => [
  ...labelRow(pre.title, place),
  ...(pre.textContent ?? '')
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => row('code', [(line.match(WORD) ?? []).map(plain)], place)),
];

const tableRows = (table: HTMLElement, place: RowIndent): RenderedRow[] =>
  [...table.querySelectorAll('tr')].map((line) =>
    row(
      line.querySelector('th') ? 'head' : 'cells',
      [...line.children].map((cell) => trimmed(atomsOf(cell.childNodes))),
      place,
    ),
  );

function rowsOf(element: HTMLElement, place: RowIndent): RenderedRow[] {
  const { tagName } = element;
  const layout = /^mg-layout-(row|col|embed)$/.exec(element.className)?.[1];
  if (tagName === 'UL' || tagName === 'OL') return listRows(element, place);
  if (tagName === 'PRE') return codeRows(element, place);
  if (tagName === 'TABLE') return tableRows(element, place);
  if (tagName === 'HR') return [row('rule', [[plain('―')]], place)];
  if (tagName === 'BLOCKQUOTE') return childRows(element, { ...place, quotes: place.quotes + 1 });
  if (layout) return [row('layout', [[plain(layout)]], place), ...childRows(element, { ...place, depth: place.depth + 1 })];
  if (tagName === 'DIV' && !element.matches(WHOLE)) return childRows(element, place);
  if (/^H\d$/.test(tagName)) return lineRows('heading', element.childNodes, place, Number(tagName[1]));
  return lineRows('text', element.matches(WHOLE) ? [element] : element.childNodes, place);
}

const childRows = (parent: ParentNode, place: RowIndent): RenderedRow[] =>
  [...parent.childNodes].flatMap((node) => {
    if (isBlock(node)) return rowsOf(node, place);
    const atoms = trimmed(atomsOf([node]));
    return atoms.length > 0 ? [row('text', [atoms], place)] : [];
  });

/** Content that is shown to a reader in another form: list numbers, ids of references with text, the language of code, plain tags. */
const SHOWN_OTHERWISE =
  /^[ \t>]*\d+[.)][ \t]|\(\(\d{14}-[0-9a-z]{7}(?= ["'])|^[ \t>]*(?:```|~~~)[\w+#.-]*[ \t]*$|\[[xX]\](?= )|<\/?(?:sub|sup|kbd|mark|u|b|i|br)[ \t]*\/?>/gm;
const lettersOf = (text: string): string => (text.match(/[\p{L}\p{N}]/gu) ?? []).join('');
const unseenOf = (text: string): string =>
  textPieces(text)
    .map((piece) => (typeof piece === 'string' ? '' : piece.character.repeat(piece.count)))
    .join('');

/**
 * Every letter of the Markdown is in its rows, and every invisible character, which is shown as a sign: what SiYuan and this
 * renderer parse differently (definitions and addresses of links) must not be approved unseen.
 */
export function isFullyRendered(markdown: string, rows: readonly RenderedRow[]): boolean {
  const shown = rows
    .flatMap(({ cells }) => cells.flat())
    .map(({ text }) => text)
    .join('');
  return unseenOf(markdown) === unseenOf(shown) && lettersOf(markdown.replace(SHOWN_OTHERWISE, '')) === lettersOf(shown);
}

/** The rows of a text. Its HTML is sanitised before anything is taken from it. */
export function renderedRows(markdown: string, options: RenderOptions, sanitize: Sanitize): readonly RenderedRow[] {
  const renderer = new BlockRenderer(options);
  return htmlRows(
    renderer
      .lex(markdown, {})
      .map((token) => sanitize(renderer.html(token)))
      .join(''),
  );
}

/** Content without words. */
const STANDS_EMPTY: ReadonlySet<RenderedRow['kind']> = new Set(['code', 'cells', 'head']);

export function htmlRows(html: string): readonly RenderedRow[] {
  const template = document.createElement('template');
  template.innerHTML = html;
  return childRows(template.content, { depth: 0, quotes: 0, marker: '' }).filter(
    ({ kind, marker, cells }) => STANDS_EMPTY.has(kind) || marker !== '' || cells.some((atoms) => atoms.length > 0),
  );
}
