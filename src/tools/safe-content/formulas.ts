import { normaliseText, TAG_START } from './normal-text.ts';

export interface Refusal {
  readonly what: string;
  readonly instead: string;
}

/** Commands that SiYuan's KaTeX executes, since it runs with trust: links, pictures, HTML. */
const TRUSTED = /\\(?:href|url|includegraphics|html)/i;

/** Asks KaTeX, without trust, about a formula: null if it accepts it, or is not there, else the error. */
export type FormulaCheck = (tex: string, display: boolean) => Promise<string | null>;

export function refuseFormula(content: string): Refusal | undefined {
  const tex = normaliseText(content);
  if (TRUSTED.test(tex)) {
    return {
      what: 'the formula contains a link, an image or HTML',
      instead: 'write the formula without \\href, \\url, \\includegraphics and \\html…',
    };
  }
  // If KaTeX fails, SiYuan shows its message as HTML, and the message quotes the formula.
  if (TAG_START.test(tex)) return { what: 'the formula contains something like an HTML tag', instead: 'put a space after each < in it' };
  return undefined;
}

/** The formula with a space between `<` and what would make it a tag: in a formula a space has no meaning. Unchanged if there is none. */
export function spacedFormula(content: string): string {
  const tex = normaliseText(content);
  return TAG_START.test(tex) ? tex.replace(/<(?=[a-z/!?])/gi, '< ') : content;
}

/** Commands that hide, colour, cover, move or shrink a part of a formula, or redefine commands. */
const HIDING = new RegExp(
  [
    '%|\\^\\^|\\\\@',
    '\\\\(?:[hv]?phantom|smash|mathchoice|TextOrMath|genfrac|above|pmb|rule|char|verb)(?![a-z])',
    '\\\\(?:(?:text|page)?color|f?colorbox|(?:math)?[lrc]lap|raisebox|[hvm]?space|[mh]?kern|[mh]skip)(?![a-z])',
    '\\\\(?:tiny|scriptscriptstyle)(?![a-z])',
    '\\\\(?:[gex]?def|edef|xdef|let|futurelet|global|(?:re|provide)?newcommand|providecommand|expandafter|noexpand)(?![a-z])',
    // The space between lines may be negative.
    '(?:\\\\\\\\|\\\\(?:cr|newline))\\s*\\*?\\s*\\[',
  ].join('|'),
);

/** Tells if the rendering of a formula may not show everything in it. */
export const mayHide = (tex: string): boolean => HIDING.test(normaliseText(tex));

/** A macro takes as many arguments as the highest that it uses, and shows those that it uses. */
function leavesArgumentsOut(expansion: string): boolean {
  const named = new Set([...expansion.matchAll(/#(\d)/g)].map(([, number]) => Number(number)));
  return named.size < Math.max(0, ...named);
}

/** Tells if a text uses a macro: a command by its whole name, or an active character. */
const uses = (tex: string, macro: string): boolean => {
  for (let at = tex.indexOf(macro); at >= 0; at = tex.indexOf(macro, at + 1))
    if (!/^\\[a-z]+$/i.test(macro) || !/[a-z]/i.test(tex[at + macro.length] ?? '')) return true;
  return false;
};

/** Like mayHide, for a formula that is rendered with the user's macros, `name` → expansion. An unknown macro may hide something. */
export function mayHideByMacros(tex: string, macros: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(macros).filter((name) => name !== '');
  const seen = new Set<string>();
  const texts = [normaliseText(tex)];
  for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
    for (const name of names) {
      if (seen.has(name) || !uses(text, name)) continue;
      seen.add(name);
      const expansion = macros[name];
      if (typeof expansion !== 'string' || expansion.trim() === '' || leavesArgumentsOut(expansion) || mayHide(expansion)) return true;
      texts.push(expansion);
    }
  }
  return false;
}
