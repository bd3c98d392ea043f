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
