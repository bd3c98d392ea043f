import { ToolError } from '../../tools/contract/errors.ts';

const MAX_STATEMENT_CHARS = 8000;

export const badSql = (what: string, next = 'correct the statement'): ToolError => new ToolError('bad_sql', what, next);

/** `name` is an unquoted word, `quoted` one in double quotes, backticks or brackets; `text` has no quotes in both cases. */
export interface SqlToken {
  readonly kind: 'name' | 'quoted' | 'text' | 'number' | 'symbol' | 'end';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const PARTS = [
  /(?<space>\s+|--[^\n]*|\/\*[\s\S]*?\*\/)/u,
  /(?<text>'(?:[^']|'')*')/u,
  /(?<quoted>"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\])/u,
  /(?<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w$]))/u,
  /(?<name>[A-Za-z_\u0080-\u{10ffff}][\w$\u0080-\u{10ffff}]*)/u,
  /(?<symbol>\|\||<=|>=|<>|!=|==|<<|>>|[(),.;*+\-/%<>=&|~])/u,
];
const TOKEN = new RegExp(PARTS.map((part) => part.source).join('|'), 'uy');

function unquoted(source: string): string {
  const quote = source.at(-1) ?? '';
  return source.slice(1, -1).replaceAll(quote + quote, quote);
}

function troubleAt(statement: string, at: number): ToolError {
  const sign = [...statement.slice(at, at + 2)][0] ?? '';
  if (/['"`[]/u.test(sign)) return badSql(`a ${sign} is not closed`);
  if (statement.startsWith('/*', at)) return badSql('a comment is not closed');
  return badSql(`"${sign}" has no meaning here`, 'write values into the statement, in single quotes');
}

/** The tokens without comments and the final `;`. Throws `bad_sql`. */
export function sqlTokens(statement: string): readonly SqlToken[] {
  if (statement.trim() === '') throw badSql('the statement is empty', 'give one SELECT');
  if (statement.length > MAX_STATEMENT_CHARS) throw badSql(`the statement is longer than ${MAX_STATEMENT_CHARS} characters`);
  const tokens: SqlToken[] = [];
  for (let at = 0; at < statement.length; ) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(statement);
    if (!match?.groups) throw troubleAt(statement, at);
    const { space, text, quoted, number, name, symbol } = match.groups;
    const end = TOKEN.lastIndex;
    if (text !== undefined) tokens.push({ kind: 'text', text: unquoted(text), start: at, end });
    else if (quoted !== undefined) tokens.push({ kind: 'quoted', text: unquoted(quoted), start: at, end });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number, start: at, end });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name, start: at, end });
    else if (space === undefined) tokens.push({ kind: 'symbol', text: symbol ?? '', start: at, end });
    at = end;
  }
  while (tokens.at(-1)?.text === ';' && tokens.at(-1)?.kind === 'symbol') tokens.pop();
  if (tokens.some(({ kind, text }) => kind === 'symbol' && text === ';'))
    throw badSql('there is more than one statement', 'give one SELECT');
  return [...tokens, { kind: 'end', text: 'the end', start: statement.length, end: statement.length }];
}
