import { RE2JS, RE2JSException } from 're2js';

const compiled = new Map<string, RE2JS | null>();
const MANY = 200;

/** A pattern as Go compiles it; null when it is not one. */
export function compilePattern(pattern: string): RE2JS | null {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (compiled.size >= MANY) compiled.clear();
  const made = compile(pattern);
  compiled.set(pattern, made);
  return made;
}

function compile(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSException) return null;
    throw error;
  }
}

/** SQL's `text REGEXP pattern`, which SQLite calls as regexp(pattern, text). The kernel's takes two backslashes for one. */
export function regexpMatches(pattern: unknown, text: unknown): number {
  const expression = compilePattern(String(pattern).replaceAll('\\\\', '\\'));
  return expression?.test(String(text ?? '')) ? 1 : 0;
}

/** Where a pattern matches in a text. */
export function* rangesOf(expression: RE2JS, text: string): Generator<{ readonly start: number; readonly end: number }> {
  const matcher = expression.matcher(text);
  while (matcher.find()) yield { start: matcher.start(), end: matcher.end() };
}
