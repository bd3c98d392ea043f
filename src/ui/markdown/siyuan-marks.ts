import type { Token, TokenizerAndRendererExtension, Tokens } from 'marked';
import { escapeHtml } from './escape.ts';

/** `==words==`, with no space just inside the signs. */
const MARK = /^==(?=[^\s=])((?:[^=\n]|=(?!=)){1,400}?)==(?!=)/;
/** `#tag#`, as SiYuan writes it. */
const TAG = /^#([^\s#`*_[\]()<>|\\](?:[^#`<>|\n\\]{0,60}[^\s#`<>|\\])?)#(?![\w#])/;
/** After these characters a sign is part of the word: `C#`, `x==y`, `#12/#13`. */
const IN_A_WORD = /[\w)\]&/=#]$/;

interface MarkToken extends Tokens.Generic {
  readonly tokens: Token[];
}

interface TagToken extends Tokens.Generic {
  readonly name: string;
}

const isMark = (token: Tokens.Generic): token is MarkToken => token.type === 'mark' && Array.isArray(token.tokens);
const isTag = (token: Tokens.Generic): token is TagToken => token.type === 'tag' && typeof token.name === 'string';
const isAfterWord = (tokens: readonly Token[]): boolean => IN_A_WORD.test(tokens.at(-1)?.raw ?? '');

/** Marked words and tags of SiYuan's Markdown. */
export const siyuanMarks: readonly TokenizerAndRendererExtension[] = [
  {
    name: 'mark',
    level: 'inline',
    start: (source) => source.indexOf('=='),
    tokenizer(source, tokens): MarkToken | undefined {
      const found = isAfterWord(tokens) ? null : MARK.exec(source);
      if (!found?.[1] || /\s$/.test(found[1])) return undefined;
      return { type: 'mark', raw: found[0], tokens: this.lexer.inlineTokens(found[1]) };
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
      const found = isAfterWord(tokens) ? null : TAG.exec(source);
      return found?.[1] ? { type: 'tag', raw: found[0], name: found[1] } : undefined;
    },
    renderer: (token) => (isTag(token) ? `<span class="mg-tag">${escapeHtml(token.name)}</span>` : false),
  },
];
