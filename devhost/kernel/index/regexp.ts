const compiled = new Map<string, RegExp | null>();
const MANY = 200;

/**
 * A pattern as SiYuan's search takes it (Go syntax, `(?i)` at its start included); null when it is not one.
 * Doubled backslashes count as one, which is how SiYuan reads patterns inside SQL strings.
 */
export function compilePattern(pattern: string): RegExp | null {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (compiled.size >= MANY) compiled.clear();
  const made = compile(pattern.replaceAll('\\\\', '\\'));
  compiled.set(pattern, made);
  return made;
}

function compile(pattern: string): RegExp | null {
  const inline = /^\(\?([ims]+)\)/.exec(pattern);
  const body = inline ? pattern.slice(inline[0].length) : pattern;
  try {
    return new RegExp(body, `u${inline?.[1] ?? ''}`);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** SQL's `text REGEXP pattern`, which SQLite calls as regexp(pattern, text). */
export function regexpMatches(pattern: unknown, text: unknown): number {
  const expression = compilePattern(String(pattern));
  return expression?.test(String(text ?? '')) ? 1 : 0;
}
