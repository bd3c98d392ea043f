import type { Token, TokenizerAndRendererExtension, Tokens } from 'marked';
import { markAt, tagAt } from '../../tools/markdown/inline-signs.ts';
import { escapeHtml } from './escape.ts';

interface MarkToken extends Tokens.Generic {
  readonly tokens: Token[];
}

interface TagToken extends Tokens.Generic {
  readonly name: string;
}

const isMark = (token: Tokens.Generic): token is MarkToken => token.type === 'mark' && Array.isArray(token.tokens);
const isTag = (token: Tokens.Generic): token is TagToken => token.type === 'tag' && typeof token.name === 'string';
const before = (tokens: readonly Token[]): string => tokens.at(-1)?.raw ?? '';

export const siyuanMarks: readonly TokenizerAndRendererExtension[] = [
  {
    name: 'mark',
    level: 'inline',
    start: (source) => source.indexOf('=='),
    tokenizer(source, tokens): MarkToken | undefined {
      const mark = markAt(source, before(tokens));
      return mark && { type: 'mark', raw: mark.raw, tokens: this.lexer.inlineTokens(mark.words) };
    },
    renderer(token) {
      return isMark(token) ? `<mark>${this.parser.parseInline(token.tokens)}</mark>` : false;
    },
  },
  {
    name: 'tag',
    level: 'inline',
    start: (source) => /#[^\s#]/.exec(source)?.index,
    tokenizer(source, tokens): TagToken | undefined {
      const tag = tagAt(source, before(tokens));
      return tag && { type: 'tag', ...tag };
    },
    renderer: (token) => (isTag(token) ? `<span class="mg-tag">${escapeHtml(token.name)}</span>` : false),
  },
];
