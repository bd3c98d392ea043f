import { ToolError } from '../../tools/contract/errors.ts';
import { lazyPart } from '../../tools/util/lazy.ts';
import { findTerm } from '../reading/snippet.ts';

/** Names of scripts and categories that differ between Unicode and Go. */
const GO_NAMES: Readonly<Record<string, string>> = {
  Hani: 'Han',
  Hira: 'Hiragana',
  Kana: 'Katakana',
  Hang: 'Hangul',
  Bopo: 'Bopomofo',
  Latn: 'Latin',
  Cyrl: 'Cyrillic',
  Grek: 'Greek',
  Arab: 'Arabic',
  Hebr: 'Hebrew',
  Deva: 'Devanagari',
  Armn: 'Armenian',
  Geor: 'Georgian',
  Letter: 'L',
  Uppercase_Letter: 'Lu',
  Lowercase_Letter: 'Ll',
  Titlecase_Letter: 'Lt',
  Modifier_Letter: 'Lm',
  Other_Letter: 'Lo',
  Mark: 'M',
  Nonspacing_Mark: 'Mn',
  Number: 'N',
  Decimal_Number: 'Nd',
  Letter_Number: 'Nl',
  Other_Number: 'No',
  Punctuation: 'P',
  Dash_Punctuation: 'Pd',
  Open_Punctuation: 'Ps',
  Close_Punctuation: 'Pe',
  Other_Punctuation: 'Po',
  Symbol: 'S',
  Currency_Symbol: 'Sc',
  Math_Symbol: 'Sm',
  Separator: 'Z',
  Space_Separator: 'Zs',
  Other: 'C',
  Control: 'Cc',
};
/** A single-word script or category; names with several parts are unknown to Go, have another name there, or are properties. */
const NAME = /^\^?[A-Z][a-z]*$/;
const PROPERTIES = new Set(['Alphabetic', 'Dash', 'Emoji', 'Lowercase', 'Math', 'Uppercase']);

const OPENINGS: readonly (readonly [opening: RegExp, what: string])[] = [
  [/^\(\?<?[=!]/, 'it looks ahead or behind'],
  [/^\(\?>/, 'it has an atomic group'],
  [/^\(\?#/, 'it has a comment'],
  [/^\(\?(?:[&R\d+(|]|P[>=])/, 'it has a condition or calls a group'],
  [/^\\(?:[1-9]|k(?![a-z])|g[{<\d])/, 'it has a backreference'],
];

const PIECE =
  /\\Q(.*?)(?:\\E|$)|\\[pP]\{[^}]*\}|\\u\{([\da-fA-F]{1,6})\}|\\u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})|\\u([\da-fA-F]{4})|\\c([a-zA-Z])|\(\?<(?![=!])|\[:\^?[a-z]+:\]|\[\^?\]?|\\.|./gsu;

const code = (point: number): string => `\\x{${point.toString(16)}}`;
const isPrinted = (character: string): boolean => /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character);

/** Characters that SiYuan removes from every query are written by number. */
const literal = (character: string): string => (isPrinted(character) ? character : code(character.codePointAt(0) ?? 0));

const refused = (what: string): ToolError =>
  new ToolError('bad_pattern', `the pattern cannot be used: ${what}, which Go’s dialect (RE2) does not have`, 'write it without');

function property(piece: string): string {
  const [, letter, inside = ''] = /^\\(.)\{(.*)\}$/s.exec(piece) ?? [];
  const name = inside.replace(/^(?:Script|sc|Script_Extensions|scx|General_Category|gc)=/, '');
  const known = GO_NAMES[name] ?? name;
  if (!NAME.test(known) || PROPERTIES.has(known)) throw refused(`it uses ${piece}`);
  return `\\${letter}{${known}}`;
}

/** An escape that means the same in both dialects, or of a sign that needs none. */
function escaped(character: string, inClass: boolean): string {
  // SiYuan replaces two backslashes by one before it compiles.
  if (character === '\\') return code(0x5c);
  if (character === 'b' && inClass) return code(8);
  return /[\x20-\x7e]/.test(character) ? `\\${character}` : literal(character);
}

type Piece = RegExpExecArray;

/** Escapes that give a character's number. */
function byNumber({ 2: braced, 3: high, 4: low, 5: unit, 6: control }: Piece): string | undefined {
  if (high !== undefined && low !== undefined) {
    return code(String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)).codePointAt(0) ?? 0);
  }
  if (control !== undefined) return code(control.toUpperCase().charCodeAt(0) - 64);
  const digits = braced ?? unit;
  return digits === undefined ? undefined : code(Number.parseInt(digits, 16));
}

const verbatim = (text: string): string =>
  Array.from(text, (each) => (/\w/.test(each) || each > '\x7e' ? literal(each) : code(each.codePointAt(0) ?? 0))).join('');

/** Rewrites a JavaScript pattern in Go's syntax, as SiYuan passes it on unchanged. Rejects with `bad_pattern`. */
function goSource(pattern: string): string {
  let inClass = false;
  return Array.from(pattern.matchAll(PIECE), (match) => {
    const [piece, text] = match;
    const rest = pattern.slice(match.index);
    const foreign = inClass ? undefined : OPENINGS.find(([opening]) => opening.test(rest));
    if (foreign) throw refused(foreign[1]);
    if (text !== undefined) return verbatim(text);
    if (/^\\[pP]\{/.test(piece)) return property(piece);
    if (piece === '(?<') return inClass ? piece : '(?P<';
    if (piece.startsWith('\\') && piece.length > 1) return byNumber(match) ?? escaped(Array.from(piece)[1] ?? '', inClass);
    if (piece.startsWith('[')) inClass ||= !piece.endsWith(':]');
    else if (piece === ']') inClass = false;
    return piece.startsWith('[') ? piece : literal(piece);
  }).join('');
}

/** Finds the first match in one line of text; null if there is none. */
export type FindInLine = (line: string) => { readonly start: number; readonly end: number } | null;

interface GoPattern {
  readonly source: string;
  readonly find: FindInLine;
  /** The distinct texts that it matches in a text, in order, from a limited number of matches. */
  readonly matched: (text: string) => readonly string[];
}

const MAX_PATTERN_CHARS = 200;
/** The maximum number of steps after repetitions are expanded. */
const MAX_STEPS = 4000;
const MOST_MATCHED = 100;

const badPattern = (what: string, next = 'give a simpler regular expression of Go’s dialect (RE2), or search for plain text'): ToolError =>
  new ToolError('bad_pattern', `the pattern cannot be used: ${what}`, next);

// A port of Go's engine, which SiYuan's kernel uses: linear in the text whatever the pattern, so `(a+)+$` cannot block.
const engine = lazyPart(() => import('re2js'));

/** Compiles a pattern of Go (RE2), JavaScript forms rewritten. Rejects with `bad_pattern`, also above `most` steps, or `not_loaded`. */
export async function goPattern(pattern: string, most = MAX_STEPS): Promise<GoPattern> {
  if (pattern === '') throw badPattern('it is empty');
  if (pattern.length > MAX_PATTERN_CHARS) throw badPattern(`it is longer than ${MAX_PATTERN_CHARS} characters`);
  const source = goSource(pattern);
  const { RE2JS, RE2JSException } = await engine();
  try {
    const expression = RE2JS.compile(source);
    if (expression.programSize() > most) throw badPattern('it repeats too much');
    const find: FindInLine = (line) => {
      if (!expression.test(line)) return null;
      const matcher = expression.matcher(line);
      return matcher.find() ? { start: matcher.start(), end: matcher.end() } : null;
    };
    const matched = (text: string): readonly string[] => {
      const found = new Set<string>();
      const matcher = expression.matcher(text);
      for (let count = 0; count < MOST_MATCHED && matcher.find(); count += 1) found.add(text.slice(matcher.start(), matcher.end()));
      return [...found].filter((each) => each.trim() !== '');
    };
    return { source, find, matched };
  } catch (error) {
    if (error instanceof RE2JSException) throw badPattern(error.message.replace(/^error parsing regexp: /, ''));
    throw error;
  }
}

/** Plain text, ignoring case, however it is written. */
export function plainPattern(text: string): FindInLine {
  if (text === '') throw badPattern('it is empty');
  return (line) => findTerm(line, [text]) ?? null;
}
