/** Tells Markdown signs from the plain text of money and variables (`$`), comparisons (`==`), numbers and names (`#`). */
export interface Formula {
  readonly raw: string;
  readonly tex: string;
  readonly display: boolean;
}

/** The maximum length of a formula; a sign without its pair must not cause a search through the whole text. */
const LONGEST = 4000;

const DISPLAY = /^\$\$((?:\\[^\n]|[^\\$\n]|\n(?!\s*\n))+)\$\$(?!\$)/;
/** Not before a digit (`$5 or $10`), a brace or the name of a variable (`$HOME/bin:$PATH`); `the $n$th` is a formula all the same. */
const INLINE = /^\$((?:\\[^\n]|[^\\$\n])+)\$(?!\d|\{|(?!(?:th|st|nd|rd|s|es)\b)[A-Za-z_])/;
const PARENTHESES = /^\\\(((?:(?!\\[()]|\n\s*\n)[\s\S])+)\\\)/;
const BRACKETS = /^\\\[((?:(?!\\[[\]]|\n\s*\n)[\s\S])+)\\\](?!\()/;

const TEX_SIGN = /[\\^_{}=+*/<>|-]/;
/** `\[read-only\]` and `\[1\]` are brackets. */
const DISPLAY_SIGN = /[\\^_{}=+<>]/;
/** Adjacent words, or text of a script that TeX renders only inside commands. */
const PROSE = /[A-Za-z]{2,}[,.;:!?]? +[A-Za-z]{2,}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Money followed by words, one of at least two letters. */
const AFTER_AMOUNT = /(?:^|[\s/])[A-Za-z]{2,}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** What ends something before cannot begin a formula. */
const CLOSER = /^[)\]},.;:!?'"’”]/;

function isInline(tex: string): boolean {
  if (/^\s|\s$/.test(tex) || CLOSER.test(tex)) return false;
  if (tex.includes('\\') || !/^\d/.test(tex)) return true;
  return !AFTER_AMOUNT.test(tex) && (/^\d+$/.test(tex) || TEX_SIGN.test(tex));
}

const isDisplay = (tex: string): boolean => tex.trim() === tex || TEX_SIGN.test(tex);
const isBetweenParentheses = (tex: string): boolean => TEX_SIGN.test(tex) || !PROSE.test(tex);

/** Tells if the text between `\[` and `\]` is a formula: people also escape brackets around words and numbers. */
export function isDisplayTex(tex: string): boolean {
  if (DISPLAY_SIGN.test(tex) || /\s[-*/|]\s|\d[-*/]\d/.test(tex)) return true;
  return /^\s*[A-Za-z]{1,2}\s*$/.test(tex) || (/^[ \t]*\n[\s\S]*\S[\s\S]*\n[ \t]*$/.test(tex) && !PROSE.test(tex));
}

/** The formula at the start of a text, if there is one; `before` is the text before it. */
export function formulaAt(source: string, before: string): Formula | undefined {
  const near = source.slice(0, LONGEST);
  const found = (pattern: RegExp, display: boolean, isFormula: (tex: string) => boolean): Formula | undefined => {
    const [raw, tex] = pattern.exec(near) ?? [];
    return raw !== undefined && tex !== undefined && tex.trim() !== '' && isFormula(tex) ? { raw, tex: tex.trim(), display } : undefined;
  };
  if (near.startsWith('$$')) return found(DISPLAY, true, isDisplay);
  if (near.startsWith('$')) {
    const formula = /[\w$]$/.test(before) ? undefined : found(INLINE, false, isInline);
    // `$(a):$(b)` are commands.
    return formula?.tex.startsWith('(') && near.charAt(formula.raw.length) === '(' ? undefined : formula;
  }
  if (near.startsWith('\\(')) return found(PARENTHESES, false, isBetweenParentheses);
  return near.startsWith('\\[') ? found(BRACKETS, true, (tex) => DISPLAY_SIGN.test(tex)) : undefined;
}

/** After these characters a sign is part of the word: `C#`, `x==y`, `#12/#13`. */
const IN_A_WORD = /[\w)\]&/=#]$/;
/** `==words==`, with no space just inside the signs and no word directly after them. */
const MARK = /^==(?=[^\s=])((?:[^=\n]|=(?!=)){1,400}?)==(?![\w=])/;
/** `#tag#`, as SiYuan writes it. */
const TAG = /^#([^\s#`*_[\]()<>|\\](?:[^#`<>|\n\\]{0,60}[^\s#`<>|\\])?)#(?![\w#])/;

export function markAt(source: string, before: string): { readonly raw: string; readonly words: string } | undefined {
  const [raw, words] = IN_A_WORD.test(before) ? [] : (MARK.exec(source) ?? []);
  return raw === undefined || words === undefined || /\s$/.test(words) ? undefined : { raw, words };
}

/** The tag at the start of a text. A number followed by words is not a tag. */
export function tagAt(source: string, before: string): { readonly raw: string; readonly name: string } | undefined {
  const [raw, name] = IN_A_WORD.test(before) ? [] : (TAG.exec(source) ?? []);
  return raw === undefined || name === undefined || /^\d.*\s/.test(name) ? undefined : { raw, name };
}
