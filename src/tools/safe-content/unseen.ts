// Characters that a reader does not see, or mistakes for a plain space: whoever consents to a text must be shown each of them.

/** Scripts whose letters are joined or separated by zero-width joiners. */
const JOINING =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Nko}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}' +
  '\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}' +
  '\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}\\p{Script=Balinese}\\p{Script=Javanese}';
const WIDE = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Bopomofo}\\u3001-\\u303F\\uFF00-\\uFFEF';
const PICTURE = '\\p{Extended_Pictographic}';
/** Invisible parts of visible characters: the flags of England, Scotland and Wales; keycaps; emoji sequences; joiners inside a word. */
const EXPECTED = [
  '\\u{1F3F4}\\u{E0067}\\u{E0062}(?:\\u{E0065}\\u{E006E}\\u{E0067}|\\u{E0073}\\u{E0063}\\u{E0074}|\\u{E0077}\\u{E006C}\\u{E0073})\\u{E007F}',
  '[0-9#*]\\uFE0F(?=\\u20E3)',
  `(?<=${PICTURE})[\\uFE0E\\uFE0F]`,
  `(?<=[${PICTURE}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=${PICTURE})`,
  `(?<=[${JOINING}])[\\u200C\\u200D](?=[${JOINING}])`,
  // After a virama a joiner also ends a word.
  '(?<=[\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D4D\\u0DCA])[\\u200C\\u200D](?![\\u200C\\u200D])',
  '(?<=\\p{Script=Mongolian})[\\u180B-\\u180F]',
  // The space of Chinese and Japanese text.
  `(?<=[${WIDE}]\\u3000*)\\u3000|\\u3000(?=\\u3000*[${WIDE}])`,
  // Number signs: visible format characters.
  '[\\u0600-\\u0605\\u06DD\\u070F\\u0890\\u0891\\u08E2\\u{110BD}\\u{110CD}]',
  '\\r?\\n|\\t',
].join('|');

/** Invisible, changing the direction of visible text, without an agreed shape, or a space that is not the plain one. */
const UNSEEN =
  '[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\p{Noncharacter_Code_Point}\\p{Default_Ignorable_Code_Point}\\u2800\\uFFFC\\u{1D159}]';
const ODD_SPACE = '(?! )\\p{Zs}';
/** More combining marks over one letter than any script has: they would cover the lines above and below. */
const STACKED = '(?<=\\p{M}{8})\\p{M}';
const RUN = new RegExp(`(${EXPECTED})|((?:${UNSEEN}|${ODD_SPACE}|${STACKED}))\\2*`, 'gu');

export type UnseenKind =
  | 'no-break-space'
  | 'odd-space'
  | 'soft-hyphen'
  | 'zero-width-space'
  | 'joiner'
  | 'byte-order-mark'
  | 'direction'
  | 'variation'
  | 'tag'
  | 'filler'
  | 'line-separator'
  | 'control'
  | 'private'
  | 'stacked'
  | 'other';

const KINDS: readonly (readonly [UnseenKind, RegExp])[] = [
  ['no-break-space', /[\u00A0\u202F]/],
  ['odd-space', /\p{Zs}/u],
  ['soft-hyphen', /\u00AD/],
  ['zero-width-space', /\u200B/],
  ['joiner', /\u200C|\u200D|\u2060|\u034F/],
  ['byte-order-mark', /\uFEFF/],
  ['direction', /[\u200E\u200F\u061C\u202A-\u202E\u2066-\u2069]/],
  ['variation', /[\uFE00-\uFE0F\u180B-\u180F\u{E0100}-\u{E01EF}]/u],
  ['tag', /[\u{E0000}-\u{E007F}]/u],
  ['filler', /[\u115F\u1160\u3164\uFFA0\u2800\u17B4\u17B5]/],
  ['line-separator', /[\u2028\u2029]/],
  ['control', /\p{Cc}/u],
  ['private', /\p{Co}/u],
  ['stacked', /\p{M}/u],
];

export interface Unseen {
  readonly kind: UnseenKind;
  readonly character: string;
  readonly code: string;
  readonly count: number;
}

/** A piece of text: visible as it is, or one invisible character with its count. */
export type TextPiece = string | Unseen;

function unseen(run: string): Unseen {
  const [character = ''] = run;
  const kind = KINDS.find(([, pattern]) => pattern.test(character))?.[0] ?? 'other';
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return { kind, character, code, count: [...run].length };
}

/** The text in pieces, none of which hides anything. Emoji, words of scripts with joiners and Chinese spaces stay whole. */
export function textPieces(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(RUN)) {
    if (match[1] !== undefined) continue;
    if (match.index > from) pieces.push(text.slice(from, match.index));
    pieces.push(unseen(match[0]));
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}

export const hasUnseen = (text: string): boolean => textPieces(text).some((piece) => typeof piece !== 'string');

/** Represents an invisible character: a sign for a space that is not the plain one, the code point for any other. */
export function unseenSign({ kind, code, count }: Unseen): string {
  const sign = kind === 'no-break-space' || kind === 'odd-space' ? '⍽' : `⟨${code}⟩`;
  return count > 1 && sign !== '⍽' ? `${sign}×${count}` : sign.repeat(count);
}

/** A text with invisible characters made visible, where no element can name them: in names of controls, tooltips and files. */
export const visibleText = (text: string): string =>
  textPieces(text)
    .map((piece) => (typeof piece === 'string' ? piece : unseenSign(piece)))
    .join('');
