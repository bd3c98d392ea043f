import type { Choices } from './random.ts';

type Disguise = (text: string, choices: Choices) => string;

const NAMED: Readonly<Record<string, string>> = {
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  '&': 'amp',
  "'": 'apos',
  ':': 'colon',
  '(': 'lpar',
  '=': 'equals',
  '\\': 'bsol',
  '/': 'sol',
  '.': 'period',
  '\t': 'Tab',
  '\n': 'NewLine',
};

const UNSEEN = [
  '\u200b',
  '\u200c',
  '\u200d',
  '\u2060',
  '\ufeff',
  '\u00ad',
  '\u2028',
  '\u0001',
  '\u0008',
  '\u000b',
  '\u000c',
  '\u001f',
  '\u007f',
  '\u0085',
  '\u0000',
  '‸',
  '<wbr>',
  '&#8203;',
  '&zwnj;',
  '_esc_newline_',
  '\u{e0001}',
] as const;

/** Changes some characters, by chance those that mean something. */
const some =
  (change: (char: string, choices: Choices) => string, wanted: RegExp): Disguise =>
  (text, choices) => {
    const rate = choices.pick([0.15, 0.5, 1]);
    return [...text].map((char) => (wanted.test(char) && choices.chance(rate) ? change(char, choices) : char)).join('');
  };

const entity = some((char, choices) => {
  const code = char.codePointAt(0) ?? 0;
  const end = choices.chance(0.4) ? '' : ';';
  const name = NAMED[char];
  if (name && choices.chance(0.4)) return `&${name}${end}`;
  const digits = choices.chance(0.5) ? `${code}` : `${choices.pick(['x', 'X'])}${code.toString(16)}`;
  const zeros = choices.chance(0.2) ? '00000' : '';
  return `&#${digits.replace(/^([xX]?)/, `$1${zeros}`)}${end}`;
}, /[<>"'&:=/\\.()a-z]/i);

const escaped = some((char) => `\\${char}`, /[!-/:-@[-`{-~]/);
const percent = some((char) => `%${(char.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`, /[ -~]/);
const unseen = some((char, choices) => `${char}${choices.pick(UNSEEN)}`, /./s);
const upper = some((char) => char.toUpperCase(), /[a-z]/);
const double: Disguise = (text) => text.replaceAll('&', '&amp;');
const wide = some((char) => String.fromCodePoint((char.codePointAt(0) ?? 0) + 0xfee0), /[<>=/]/);
const split: Disguise = (text, choices) => {
  const at = choices.below(text.length + 1);
  return `${text.slice(0, at)}${choices.pick(['\n', ' ', '**', '*', '~', '\t', '\r\n', '`', '\n\n'])}${text.slice(at)}`;
};

/** Rewrites a text so that it looks like something else until somebody decodes it; none, one or several ways on top of each other. */
export function disguised(text: string, choices: Choices): string {
  let result = text;
  for (let layer = choices.pick([0, 0, 1, 1, 1, 2, 3]); layer > 0 && result.length < 3000; layer -= 1) {
    result = choices.pick([entity, entity, entity, escaped, escaped, double, percent, unseen, unseen, upper, wide, split])(result, choices);
  }
  return result;
}
