import { ToolError } from '../../tools/contract/errors.ts';

/** What a regular expression is made of, as far as it can be matched in one pass over the text. */
export type PatternNode =
  | { readonly kind: 'character'; readonly matches: (character: string) => boolean }
  | { readonly kind: 'assertion'; readonly holds: (characters: readonly string[], index: number) => boolean }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly min: number; readonly max: number };

const MAX_PATTERN_CHARS = 200;
const WORD = /^\w$/;

export const badPattern = (what: string): ToolError =>
  new ToolError(
    'bad_pattern',
    `the pattern cannot be used: ${what}`,
    'give a simpler JavaScript regular expression, or search for plain text',
  );

const isWord = (character: string | undefined): boolean => character !== undefined && WORD.test(character);
const isEdge = (characters: readonly string[], index: number): boolean => isWord(characters[index - 1]) !== isWord(characters[index]);

/** One character's test, remembered: a class is asked about the same letters again and again. */
function characterTest(source: string, flags: string): PatternNode {
  const expression = new RegExp(`^(?:${source})$`, flags);
  const known = new Map<string, boolean>();
  const matches = (character: string): boolean => {
    const before = known.get(character);
    if (before !== undefined) return before;
    const now = expression.test(character);
    known.set(character, now);
    return now;
  };
  return { kind: 'character', matches };
}

const ESCAPE =
  /^\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|.)/su;
const CHARACTER_CLASS = /^\[(?:\\.|[^\]\\])*\]/su;
const QUANTIFIER = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/;

/** Reads a pattern that JavaScript's own parser (flag `u`) has accepted. */
class PatternParser {
  private readonly pattern: string;
  private readonly flags: string;
  private at = 0;

  constructor(pattern: string, flags: string) {
    this.pattern = pattern;
    this.flags = flags;
  }

  parse(): PatternNode {
    return this.choice();
  }

  private rest(): string {
    return this.pattern.slice(this.at);
  }

  private take(text: string | undefined): string {
    this.at += text?.length ?? 0;
    return text ?? '';
  }

  private choice(): PatternNode {
    const options = [this.sequence()];
    while (this.rest().startsWith('|')) {
      this.take('|');
      options.push(this.sequence());
    }
    const [only] = options;
    return options.length === 1 && only ? only : { kind: 'choice', options };
  }

  private sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.at < this.pattern.length && !/^[|)]/.test(this.rest())) parts.push(this.repeated(this.atom()));
    return { kind: 'sequence', parts };
  }

  private repeated(part: PatternNode): PatternNode {
    const found = QUANTIFIER.exec(this.rest());
    if (!found) return part;
    this.take(found[0]);
    const [, sign, least = '0', comma, most = ''] = found;
    if (sign) return { kind: 'repeat', part, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Number.POSITIVE_INFINITY };
    const max = comma ? (most === '' ? Number.POSITIVE_INFINITY : Number(most)) : Number(least);
    return { kind: 'repeat', part, min: Number(least), max };
  }

  private atom(): PatternNode {
    const rest = this.rest();
    if (rest.startsWith('(')) return this.group(rest);
    if (rest.startsWith('^')) return this.assertion('^', (_characters, index) => index === 0);
    if (rest.startsWith('$')) return this.assertion('$', (characters, index) => index === characters.length);
    if (rest.startsWith('\\')) return this.escape(rest);
    const source = CHARACTER_CLASS.exec(rest)?.[0] ?? String.fromCodePoint(rest.codePointAt(0) ?? 0);
    return characterTest(this.take(source), this.flags);
  }

  private assertion(source: string, holds: (characters: readonly string[], index: number) => boolean): PatternNode {
    this.take(source);
    return { kind: 'assertion', holds };
  }

  private escape(rest: string): PatternNode {
    if (/^\\(?:[1-9]|k)/.test(rest)) throw badPattern('it refers back to a group');
    if (rest.startsWith('\\b')) return this.assertion('\\b', isEdge);
    if (rest.startsWith('\\B')) return this.assertion('\\B', (characters, index) => !isEdge(characters, index));
    return characterTest(this.take(ESCAPE.exec(rest)?.[0]), this.flags);
  }

  private group(rest: string): PatternNode {
    const opening = /^\((?:\?:|\?<[^=!>][^>]*>)?/.exec(rest)?.[0] ?? '(';
    if (rest.startsWith('(?') && opening === '(') throw badPattern('it looks ahead or behind, or changes flags inside');
    this.take(opening);
    const inside = this.choice();
    this.take(')');
    return inside;
  }
}

/** Rejects with `bad_pattern` what is no regular expression, too long, or needs more than one pass. `(?i)` at the start ignores case. */
export function parsePattern(pattern: string): PatternNode {
  if (pattern === '') throw badPattern('it is empty');
  if (pattern.length > MAX_PATTERN_CHARS) throw badPattern(`it is longer than ${MAX_PATTERN_CHARS} characters`);
  const ignoreCase = pattern.startsWith('(?i)');
  const body = ignoreCase ? pattern.slice(4) : pattern;
  const flags = ignoreCase ? 'iu' : 'u';
  try {
    new RegExp(body, flags);
  } catch (error) {
    throw badPattern(error instanceof Error ? error.message : String(error));
  }
  return new PatternParser(body, flags).parse();
}
