import { type Lexer, type RendererExtension, type Token, Tokenizer, type Tokens } from 'marked';
import { escapeHtml } from './escape.ts';

interface Callout extends Tokens.Generic {
  readonly kind: string;
  readonly icon: string;
  readonly title: Token[];
  readonly tokens: Token[];
}

const isCallout = (token: Tokens.Generic): token is Callout =>
  token.type === 'callout' && typeof token.kind === 'string' && Array.isArray(token.title) && Array.isArray(token.tokens);

/** SiYuan's five kinds; every other kind looks like a note. */
const ICONS: Readonly<Record<string, string>> = { note: '✏️', tip: '💡', important: '❗', warning: '⚠️', caution: '🚨' };
/** `[!NOTE]`, the folding sign of other programs, and the title. */
const FIRST_LINE = /^\[!([^\]\n]*)\](?:[-+](?=[ \t\n]|$))?[ \t]*([^\n]*)(?:\n|$)/;
const OWN_ICON = /^(\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}\ufe0f]?)[ \t]+/u;

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();

/** A quote that begins with `[!…]` as a callout: its first line becomes the title, which is lexed later like the rest. */
function asCallout(quote: Tokens.Blockquote, lexer: Lexer): Tokens.Blockquote {
  const [first, ...others] = quote.tokens;
  const waiting = lexer.inlineQueue.find(({ tokens }) => first?.type === 'paragraph' && tokens === first.tokens);
  const [line, type, words] = FIRST_LINE.exec(waiting?.src ?? '') ?? [];
  if (!first || !waiting || line === undefined || type === undefined || words === undefined) return quote;
  const kind = Object.hasOwn(ICONS, type.toLowerCase()) ? type.toLowerCase() : 'note';
  const own = OWN_ICON.exec(words);
  const known = kind === type.toLowerCase();
  const title = own ? words.slice(own[0].length) : words || (known ? capital(type) : type);
  const rest = waiting.src.slice(line.length);
  waiting.src = rest;
  const icon = own?.[1] ?? ICONS[kind] ?? '';
  const tokens = rest.trim() === '' ? others : [first, ...others];
  return Object.assign(quote, { type: 'callout', kind, icon, title: lexer.inline(title), tokens });
}

export function quoteAt(tokenizer: Tokenizer, source: string): Tokens.Blockquote | undefined {
  const quote = Tokenizer.prototype.blockquote.call(tokenizer, source);
  return quote && asCallout(quote, tokenizer.lexer);
}

export const callouts: RendererExtension = {
  name: 'callout',
  renderer(token) {
    if (!isCallout(token)) return false;
    const title = `<span class="mg-callout__icon">${token.icon}</span><span>${this.parser.parseInline(token.title)}</span>`;
    return `<div class="mg-callout mg-callout--${escapeHtml(token.kind)}"><p class="mg-callout__title">${title}</p>${this.parser.parse(token.tokens)}</div>\n`;
  },
};
