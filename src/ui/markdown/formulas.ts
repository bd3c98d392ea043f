import type { TokenizerAndRendererExtension, Tokens } from 'marked';
import { formulaAt, isDisplayTex } from '../../tools/markdown/inline-signs.ts';
import { escapeHtml } from './escape.ts';
import { atLine } from './siyuan-blocks.ts';

interface FormulaToken extends Tokens.Generic {
  readonly tex: string;
  readonly display: boolean;
}

/** Maximum length of a formula; a sign without its pair must not cause a search through a whole answer. */
const LONGEST = 4000;

const START = /^ {0,3}(?:\$\$|\\\[)/;
/** They may contain empty lines, as in SiYuan. */
const BLOCK: readonly RegExp[] = [
  /^ {0,3}\$\$((?:\\[^\n]|[^\\$]|\\\n|\$(?!\$))+)\$\$[ \t]*(?:\n+|$)/,
  /^ {0,3}\\\[((?:(?!\\[[\]])[\s\S])+)\\\][ \t]*(?:\n+|$)/,
];

const OPEN_LINE = /(?:^|\n) {0,3}(?:\$\$|\\\[)/;

/** Whether a paragraph has a line that becomes a formula once that ends; with this much text after the line it does not. */
export function mayBecomeFormula(paragraph: string, behind: number): boolean {
  const start = paragraph.search(OPEN_LINE);
  return start >= 0 && paragraph.length - start + behind < LONGEST;
}

/** A cheap test that is never false for a text with a formula. */
export function mayHoldFormulas(text: string): boolean {
  return text.includes('$') || text.includes('\\(') || text.includes('\\[');
}

function isFormulaToken(token: Tokens.Generic): token is FormulaToken {
  return typeof token.tex === 'string' && typeof token.display === 'boolean';
}

const html = (token: Tokens.Generic): string | false => {
  if (!isFormulaToken(token)) return false;
  const tex = escapeHtml(token.tex);
  if (token.type === 'formulaBlock') return `<div class="mg-math-block">${tex}</div>\n`;
  return `<span class="${token.display ? 'mg-math-display' : 'mg-math'}">${tex}</span>`;
};

/**
 * Formulas as SiYuan writes them (`$…$`, `$$…$$`) and as models often do (`\(…\)`, `\[…\]`). Here they are rendered as
 * their source text; the panel renders them with the host's KaTeX when they are shown.
 */
export const formulaExtensions: readonly TokenizerAndRendererExtension[] = [
  {
    name: 'formulaBlock',
    level: 'block',
    start: atLine(/\n {0,3}(?:\$\$|\\\[)/),
    tokenizer(source): FormulaToken | undefined {
      if (!START.test(source)) return undefined;
      const near = source.slice(0, LONGEST);
      const found = BLOCK.map((pattern) => pattern.exec(near)).find(Boolean);
      if (!found?.[1]?.trim() || (source.trimStart().startsWith('\\[') && !isDisplayTex(found[1]))) return undefined;
      return { type: 'formulaBlock', raw: found[0], tex: found[1].trim(), display: true };
    },
    renderer: html,
  },
  {
    name: 'formula',
    level: 'inline',
    start: (source) => /\$|\\[([]/.exec(source)?.index,
    tokenizer(source, tokens): FormulaToken | undefined {
      const formula = formulaAt(source, tokens.at(-1)?.raw ?? '');
      return formula && { type: 'formula', ...formula };
    },
    renderer: html,
  },
];
