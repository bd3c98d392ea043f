import { ToolError } from '../tools/errors.ts';

const MAX_STATEMENT_CHARS = 8000;
/** Columns by table, as a model may name them (kernel/sql/database.go of 3.7.3; the contract's `sql` and `tags` show them in use). */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  blocks: (
    'id parent_id root_id hash box path hpath name alias memo tag content fcontent markdown length type subtype ial sort created ' +
    'updated'
  ).split(' '),
  spans: 'id block_id root_id box path content markdown type ial'.split(' '),
  attributes: 'id name value type block_id root_id box path'.split(' '),
  refs: 'id def_block_id def_block_parent_id def_block_root_id def_block_path block_id root_id box path content markdown type'.split(' '),
  assets: 'id block_id root_id box docpath path name title hash'.split(' '),
};

export const badSql = (what: string, next = 'correct the statement'): ToolError => new ToolError('bad_sql', what, next);

interface Token {
  readonly kind: 'text' | 'name' | 'comment' | 'other';
  readonly source: string;
}

/** Strings, quoted names, comments, and everything else a character or a word at a time. */
const TOKEN =
  /('(?:[^']|'')*')|("(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\])|(--[^\n]*|\/\*[\s\S]*?\*\/)|([A-Za-z_\u0080-\u{10ffff}][\w$\u0080-\u{10ffff}]*|[\s\S])/gu;

function tokensOf(statement: string): Token[] {
  return [...statement.matchAll(TOKEN)].map(([source, text, name, comment]) => ({
    kind: text !== undefined ? 'text' : name !== undefined ? 'name' : comment !== undefined ? 'comment' : 'other',
    source,
  }));
}

/** SQLite takes an unknown name in double quotes for text; one in backticks it reports (HOST.md). */
function strictName(source: string): string {
  if (!source.startsWith('"')) return source;
  return `\`${source.slice(1, -1).replaceAll('""', '"').replaceAll('`', '``')}\``;
}

function checkShape(tokens: readonly Token[]): void {
  let depth = 0;
  for (const { kind, source } of tokens) {
    if (kind !== 'other') continue;
    if (/^['"`[]$/.test(source)) throw badSql(`a ${source} is not closed`);
    if (source === ';') throw badSql('there is more than one statement', 'give one SELECT');
    if (source === '(') depth += 1;
    if (source === ')') depth -= 1;
    if (depth < 0) break;
  }
  if (depth !== 0) throw badSql('the brackets do not match');
  if (tokens.some((token, index) => token.source === '/' && tokens[index + 1]?.source === '*')) throw badSql('a comment is not closed');
}

/** `main.attributes` would go past what is kept from the model. */
function checkSchema(tokens: readonly Token[]): void {
  const words = tokens.filter((token) => token.source.trim() !== '');
  for (const [index, { source }] of words.entries()) {
    const name = source.replace(/^["`[]|["`\]]$/g, '').toLowerCase();
    if ((name === 'main' || name === 'temp') && words[index + 1]?.source === '.')
      throw badSql(`"${name}." cannot be used`, 'name the table alone');
    if (name.startsWith('pragma_') || name.startsWith('sqlite_')) throw badSql(`${name} cannot be used`, columnsHint());
  }
}

export const columnsHint = (): string =>
  `use these columns, and single quotes around text: ${Object.entries(TABLES)
    .map(([table, columns]) => `${table}(${columns.join(', ')})`)
    .join('; ')}`;

/** One SELECT or WITH that can stand in brackets inside a statement of ours. Rejects with `bad_sql`. */
export function readStatement(statement: string): string {
  if (statement.trim() === '') throw badSql('the statement is empty', 'give one SELECT');
  if (statement.length > MAX_STATEMENT_CHARS) throw badSql(`the statement is longer than ${MAX_STATEMENT_CHARS} characters`);
  const tokens = tokensOf(statement).map((token): Token => (token.kind === 'comment' ? { kind: 'other', source: ' ' } : token));
  while (tokens.length > 0 && /^[;\s]$/.test(tokens.at(-1)?.source ?? '')) tokens.pop();
  const first = tokens.find((token) => token.source.trim() !== '')?.source.toUpperCase();
  if (first !== 'SELECT' && first !== 'WITH') throw badSql('only SELECT can be run', 'write with the tools for blocks instead');
  checkShape(tokens);
  checkSchema(tokens);
  return tokens
    .map(({ kind, source }) => (kind === 'name' ? strictName(source) : source))
    .join('')
    .trim();
}
