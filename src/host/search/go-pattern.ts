import { ToolError } from '../../tools/contract/errors.ts';
import { lazyPart } from '../../tools/util/lazy.ts';
import { goSource } from './go-pattern-source.ts';

/** Where a pattern matches, in UTF-16 units. */
interface PatternMatch {
  readonly start: number;
  readonly end: number;
}

/** Finds the first place in one line of text; null when there is none. */
export type FindInLine = (line: string) => PatternMatch | null;

interface GoPattern {
  /** As SiYuan's search reads it. */
  readonly source: string;
  readonly find: FindInLine;
  /** What it matches in a text, each once and in order; the first so many of its matches are looked at. */
  readonly matched: (text: string) => readonly string[];
}

const MAX_PATTERN_CHARS = 200;
/** Steps of a pattern when its repetitions are written out. */
const MAX_STEPS = 4000;
const MOST_MATCHED = 100;

const badPattern = (what: string, next = 'give a simpler regular expression of Go’s dialect (RE2), or search for plain text'): ToolError =>
  new ToolError('bad_pattern', `the pattern cannot be used: ${what}`, next);

// The engine of SiYuan's kernel is Go's, which this is a port of: linear in the text whatever the pattern, so `(a+)+$` waits for nobody.
const engine = lazyPart(() => import('re2js'));

/**
 * A regular expression in the dialect of Go (RE2), which runs it in SiYuan; what only JavaScript writes otherwise (`\u4e00`, `\p{Script=Han}`,
 * `(?<name>…)`) is written anew. Rejects with `bad_pattern` what that dialect does not have, what is too long, and what is more than `most`
 * steps; with `not_loaded` where the engine's file cannot be loaded.
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

/** Plain text, whatever its case. */
export function plainPattern(text: string): FindInLine {
  if (text === '') throw badPattern('it is empty');
  const expression = new RegExp(text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'), 'iu');
  return (line) => {
    const found = expression.exec(line);
    return found ? { start: found.index, end: found.index + found[0].length } : null;
  };
}
