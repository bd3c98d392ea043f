/**
 * What `/api/query/sql` decides about a statement before SQLite sees it (kernel/sql/stmt_validate.go).
 */
const QUOTED_OR_COMMENT = /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|`[^`]*`?|\[[^\]]*\]?|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

/** The statement with strings, quoted names and comments blanked out, every other character in its place. */
const bare = (statement: string): string => statement.replace(QUOTED_OR_COMMENT, (part) => ' '.repeat(part.length));

/** More than one statement? A `;` at the end, or before nothing but comments, does not count. */
export function isMultiple(statement: string): boolean {
  const text = bare(statement);
  const end = text.indexOf(';');
  return end >= 0 && text.slice(end).replace(/[;\s]/g, '') !== '';
}

/** Does it begin like a query? What a WITH then does is for SQLite's authorizer to refuse. */
export function isQuery(statement: string): boolean {
  return /^\s*(?:SELECT|WITH)(?![A-Za-z])/i.test(bare(statement));
}

/**
 * Does it stand beyond the two parsers of the kernel, which then runs it as it is and has `null` in place of no rows? Only what was seen
 * of it: MATCH over a join, and ESCAPE.
 */
export const isUnparsed = (statement: string): boolean => /\bJOIN\b.*\bMATCH\b|\bESCAPE\b/is.test(bare(statement));

/** Has the outermost query a LIMIT of its own? */
export function hasLimit(statement: string): boolean {
  let depth = 0;
  for (const [token] of bare(statement).matchAll(/[()]|\bLIMIT\b/gi)) {
    if (token === '(') depth++;
    else if (token === ')') depth--;
    else if (depth === 0) return true;
  }
  return false;
}
