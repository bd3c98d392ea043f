import { normaliseText, TAG_START } from './normal-text.ts';

/** Why something is not written, and what to write instead. */
export interface Refusal {
  readonly what: string;
  readonly instead: string;
}

/** Commands that SiYuan's KaTeX obeys, since it trusts what it draws: links, pictures, HTML. */
const TRUSTED = /\\(?:href|url|includegraphics|html)/i;

/**
 * Asks KaTeX, with the macros of the user and without trust, whether it takes a formula. Resolves to null where it does, else to what is
 * wrong with it. Without KaTeX it resolves to null too: the rules below hold by themselves.
 */
export type FormulaCheck = (tex: string, display: boolean) => Promise<string | null>;

export function refuseFormula(content: string): Refusal | undefined {
  const tex = normaliseText(content);
  if (TRUSTED.test(tex)) {
    return {
      what: 'the formula contains a link, an image or HTML',
      instead: 'write the formula without \\href, \\url, \\includegraphics and \\html…',
    };
  }
  // Where KaTeX fails, SiYuan shows its message as HTML, and the message quotes the formula.
  if (TAG_START.test(tex)) return { what: 'the formula contains something like an HTML tag', instead: 'put a space after each < in it' };
  return undefined;
}

/** The formula with a space between `<` and what would make it a tag: in a formula a space means nothing. Unchanged where it has none. */
export function spacedFormula(content: string): string {
  const tex = normaliseText(content);
  return TAG_START.test(tex) ? tex.replace(/<(?=[a-z/!?])/gi, '< ') : content;
}

/** What leaves out, colours, covers, moves or shrinks a part of a formula, or gives commands another meaning. */
const HIDING = new RegExp(
  [
    '%|\\^\\^|\\\\@',
    '\\\\(?:[hv]?phantom|smash|mathchoice|TextOrMath|genfrac|above|pmb|rule|char|verb)(?![a-z])',
    '\\\\(?:(?:text|page)?color|f?colorbox|(?:math)?[lrc]lap|raisebox|[hvm]?space|[mh]?kern|[mh]skip)(?![a-z])',
    '\\\\(?:tiny|scriptscriptstyle)(?![a-z])',
    '\\\\(?:[gex]?def|edef|xdef|let|futurelet|global|(?:re|provide)?newcommand|providecommand|expandafter|noexpand)(?![a-z])',
    // Room that is chosen between lines may be less than none.
    '(?:\\\\\\\\|\\\\(?:cr|newline))\\s*\\*?\\s*\\[',
  ].join('|'),
);

/** Whether the drawing of a formula may not show all that it says. */
export const mayHide = (tex: string): boolean => HIDING.test(normaliseText(tex));
