import type { Lexer, Token, TokenizerAndRendererExtension, Tokens } from 'marked';

interface Container extends Tokens.Generic {
  readonly tokens: Token[];
}

const isContainer = (token: Tokens.Generic): token is Container => Array.isArray(token.tokens);

const DEEPEST = 20;
let depth = 0;

/** Blocks of a text inside a block; undefined if they are nested too deeply. */
export function blocksIn(lexer: Lexer, text: string): Token[] | undefined {
  if (depth >= DEEPEST) return undefined;
  const { top } = lexer.state;
  depth += 1;
  lexer.state.top = true;
  try {
    return lexer.blockTokens(text, []);
  } finally {
    depth -= 1;
    lexer.state.top = top;
  }
}

/** Where a line of a paragraph begins another block. Searched only to the paragraph's end: a text is long, and has many. */
export const atLine =
  (pattern: RegExp): ((source: string) => number | undefined) =>
  (source) => {
    const end = source.indexOf('\n\n');
    return pattern.exec(end < 0 ? source : source.slice(0, end))?.index;
  };

const SUPER_START = /^ {0,3}\{\{\{(?:row|col)?[ \t]*(?:\n|$)/;
const SUPER_SIGN = /^ {0,3}(?:(\{\{\{(?:row|col)?)|\}\}\})[ \t]*$/gm;
const ATTRIBUTES = '\\{:(?:[ \\t]+[\\w-]+="[^"\\n]*")+[ \\t]*\\}';
const BLOCK_ATTRIBUTES = new RegExp(`^ {0,3}${ATTRIBUTES}[ \\t]*(?:\\n|$)`);
const INLINE_ATTRIBUTES = new RegExp(`^${ATTRIBUTES}`);
const EMBED = /^ {0,3}(\{\{[^{}\n][^\n]*\}\})[ \t]*(?:\n|$)/;

/** The end of a super block and of its content: at its own `}}}`, or at the end of the text, like Lute. */
function superBlockEnds(source: string): readonly [number, number] {
  let open = 0;
  for (const { index, 0: line, 1: opener } of source.matchAll(SUPER_SIGN)) {
    open += opener === undefined ? -1 : 1;
    if (open === 0) return [index, index + line.length + 1];
  }
  return [source.length, source.length];
}

/** SiYuan's extensions of Markdown: super blocks become their blocks, attributes are not shown, an embed is shown as its query. */
export const siyuanBlocks: readonly TokenizerAndRendererExtension[] = [
  {
    name: 'superBlock',
    level: 'block',
    start: atLine(/\n {0,3}\{\{\{(?:row|col)?[ \t]*(?:\n|$)/),
    tokenizer(source): Container | undefined {
      const start = SUPER_START.exec(source)?.[0];
      if (start === undefined) return undefined;
      const [inner, end] = superBlockEnds(source);
      const tokens = blocksIn(this.lexer, source.slice(start.length, Math.max(start.length, inner)));
      return tokens && { type: 'superBlock', raw: source.slice(0, end), tokens };
    },
    renderer(token) {
      return isContainer(token) ? `<div class="mg-super">${this.parser.parse(token.tokens)}</div>` : false;
    },
  },
  {
    name: 'blockAttributes',
    level: 'block',
    start: atLine(/\n {0,3}\{:[ \t]/),
    tokenizer(source) {
      const raw = BLOCK_ATTRIBUTES.exec(source)?.[0];
      return raw === undefined ? undefined : { type: 'space', raw };
    },
  },
  {
    name: 'inlineAttributes',
    level: 'inline',
    start: (source) => {
      const found = source.indexOf('{:');
      return found < 0 ? undefined : found;
    },
    tokenizer(source, tokens) {
      const before = tokens.at(-1);
      const isBehindMark = before !== undefined && before.type !== 'text';
      const raw = isBehindMark ? INLINE_ATTRIBUTES.exec(source)?.[0] : undefined;
      return raw === undefined ? undefined : { type: 'text', raw, text: '' };
    },
  },
  {
    name: 'embed',
    level: 'block',
    tokenizer(source) {
      const [raw, text] = EMBED.exec(source) ?? [];
      if (raw === undefined || text === undefined) return undefined;
      return { type: 'paragraph', raw, text, tokens: [{ type: 'codespan', raw: text, text }] };
    },
  },
];
