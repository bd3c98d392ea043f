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

/** A macro takes as many arguments as the highest that it names, and shows those that it names. */
function leavesArgumentsOut(expansion: string): boolean {
  const named = new Set([...expansion.matchAll(/#(\d)/g)].map(([, number]) => Number(number)));
  return named.size < Math.max(0, ...named);
}

/** Whether a text has a macro: a command by its whole name, or a character that stands for something else. */
const uses = (tex: string, macro: string): boolean => {
  for (let at = tex.indexOf(macro); at >= 0; at = tex.indexOf(macro, at + 1))
    if (!/^\\[a-z]+$/i.test(macro) || !/[a-z]/i.test(tex[at + macro.length] ?? '')) return true;
  return false;
};

/** As mayHide, of a formula that is drawn with macros of the user, `name` → what it stands for. What is not known to show all may hide some. */
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
