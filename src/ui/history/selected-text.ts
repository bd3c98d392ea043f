const LINES = new Set(['P', 'LI', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'PRE', 'TR', 'BLOCKQUOTE', 'DIV', 'BR', 'ARTICLE']);

/** Elements that are not text: buttons, names of languages, words for screen readers. */
const APART = 'button, svg, .mg-code__bar > span, .mg-hidden';

/** Invisible white space between blocks. */
function isLayout(node: Node): boolean {
  const text = node.textContent ?? '';
  if (text.trim() !== '' || node.parentElement?.closest('pre')) return false;
  return text.includes('\n') || /^(?:DIV|ARTICLE|TABLE|THEAD|TBODY|TR|UL|OL|BLOCKQUOTE)$/.test(node.parentNode?.nodeName ?? '');
}

function selectionText(node: Node): string {
  if (node instanceof HTMLElement) {
    if (node.matches(APART)) return '';
    const { tex } = node.dataset;
    if (tex !== undefined) return node.matches('.mg-math') ? `$${tex}$` : `$$${tex}$$\n`;
  } else if (node.nodeType === Node.TEXT_NODE) return isLayout(node) ? '' : (node.textContent ?? '');
  const inside = [...node.childNodes].map(selectionText).join('');
  if (node.nodeName === 'TD' || node.nodeName === 'TH') return node.nextSibling ? `${inside} | ` : inside;
  if (node.nodeName === 'LI') return `- ${inside.trimStart().replace(/\n?$/, '\n')}`;
  return LINES.has(node.nodeName) ? inside.replace(/\n?$/, '\n') : inside;
}

/** The drawn formula of which a part is selected. */
function formulaAround({ commonAncestorContainer: within }: Range): HTMLElement | null | undefined {
  return (within instanceof Element ? within : within.parentElement)?.closest<HTMLElement>('[data-tex]');
}

export const holdsFormula = (range: Range): boolean =>
  Boolean(formulaAround(range)) || range.cloneContents().querySelector('[data-tex]') !== null;

/** The selected part of a message as plain text, one line per visible line, formulas as their source. */
export function selectedText(range: Range): string {
  const formula = formulaAround(range);
  if (formula) return selectionText(formula).trim();
  return selectionText(range.cloneContents())
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** As Markdown writes a quotation. */
export function asQuotation(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}
