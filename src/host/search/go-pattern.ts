import { ToolError } from '../../tools/contract/errors.ts';
import { lazyPart } from '../../tools/util/lazy.ts';
import { findTerm } from '../reading/snippet.ts';
import { goSource } from './go-pattern-source.ts';

/** A match of a pattern, in UTF-16 units. */
interface PatternMatch {
  readonly start: number;
  readonly end: number;
}

/** Finds the first match in one line of text; null if there is none. */
export type FindInLine = (line: string) => PatternMatch | null;

interface GoPattern {
  /** The pattern as SiYuan's search reads it. */
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

/**
 * Compiles a regular expression in the dialect of Go (RE2), which SiYuan uses; JavaScript-only forms (`\u4e00`, `\p{Script=Han}`,
 * `(?<name>…)`) are rewritten. Rejects with `bad_pattern` what that dialect lacks, what is too long, and more than `most`
 * steps; with `not_loaded` if the engine's file cannot be loaded.
 */
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
