import type { Token, TokenizerAndRendererExtension, Tokens } from 'marked';
import { escapeHtml } from './escape.ts';
import { atLine, blocksIn } from './siyuan-blocks.ts';

interface Footnote extends Tokens.Generic {
  readonly label: string;
  readonly tokens: Token[];
}

interface FootnoteReference extends Tokens.Generic {
  readonly label: string;
}

const isFootnote = (token: Tokens.Generic): token is Footnote => typeof token.label === 'string' && Array.isArray(token.tokens);
const isReference = (token: Tokens.Generic): token is FootnoteReference => typeof token.label === 'string';

const START = /^ {0,3}\[\^([^\]\s]{1,60})\]:[ \t]*/;
const REFERENCE = /^\[\^([^\]\s]{1,60})\](?!\()/;
/** A line that continues the text of a footnote although it is not indented. */
const LAZY = /^ {0,3}(?![-*+>#|`~{]|\d+[.)]|\[\^)\S/;
const INDENTED = /^(?: {2,}|\t)\S/;

/** Footnotes are stored as link definitions, whose labels never begin with `^` here. */
const keyOf = (label: string): string => `^${label}`;
const addressOf = (label: string, kind: '' | 'ref-'): string => `#mg-footnote-${kind}${escapeHtml(encodeURIComponent(label))}`;

/** The lines of a footnote: up to an empty one that nothing indented follows. */
function linesOf(source: string): string {
  const lines: string[] = [];
  for (let from = 0; from < source.length; ) {
    const end = source.indexOf('\n', from);
    const line = source.slice(from, end < 0 ? undefined : end);
    const isAfterBlank = lines.at(-1)?.trim() === '';
    const goesOn = lines.length === 0 || INDENTED.test(line) || line.trim() === '' || (!isAfterBlank && LAZY.test(line));
    if (!goesOn || (isAfterBlank && line.trim() === '')) break;
    lines.push(line);
    from += line.length + 1;
  }
  while (lines.at(-1)?.trim() === '') lines.pop();
  return lines.join('\n');
}

/** `[^1]` and `[^1]: text`: the text stays where it was written, and each links to the other. */
export const footnotes: readonly TokenizerAndRendererExtension[] = [
  {
    name: 'footnote',
    level: 'block',
    start: atLine(/\n {0,3}\[\^[^\]\s]{1,60}\]:/),
    tokenizer(source): Footnote | undefined {
      const [start, label] = START.exec(source) ?? [];
      if (start === undefined || label === undefined) return undefined;
      const text = linesOf(source.slice(start.length));
      const tokens = blocksIn(this.lexer, text.replace(/\n(?: {1,4}|\t)/g, '\n'));
      if (!tokens) return undefined;
      this.lexer.tokens.links[keyOf(label)] = { href: '', title: '' };
      const end = start.length + text.length;
      return { type: 'footnote', raw: source.slice(0, source.charAt(end) === '\n' ? end + 1 : end), label, tokens };
    },
    renderer(token) {
      if (!isFootnote(token)) return false;
      const back = `<a href="${addressOf(token.label, 'ref-')}">${escapeHtml(token.label)}</a>`;
      return `<div class="mg-footnote-text">${back}<div>${this.parser.parse(token.tokens)}</div></div>\n`;
    },
  },
  {
    name: 'footnoteReference',
    level: 'inline',
    start: (source) => {
      const found = source.indexOf('[^');
      return found < 0 ? undefined : found;
    },
    tokenizer(source): FootnoteReference | undefined {
      const [raw, label] = REFERENCE.exec(source) ?? [];
      if (raw === undefined || label === undefined || this.lexer.state.inLink) return undefined;
      const isKnown = Object.hasOwn(this.lexer.tokens.links, keyOf(label));
      // A number has no other meaning; its text may be in another part of the answer. `[^abc]` may be a character class.
      if (!isKnown && !/^\d{1,3}$/.test(label)) return undefined;
      return { type: 'footnoteReference', raw, label };
    },
    renderer(token) {
      if (!isReference(token)) return false;
      return `<sup class="mg-footnote"><a href="${addressOf(token.label, '')}">${escapeHtml(token.label)}</a></sup>`;
    },
  },
];

const ADDRESS = /^#mg-footnote-(ref-)?(.+)$/;

/** The target of a footnote link among the elements of an answer: the text of a reference, or the first reference to a text. */
export function footnoteTarget(root: Element, link: Element): Element | undefined {
  const [, back, label] = ADDRESS.exec(link.getAttribute('href') ?? '') ?? [];
  if (label === undefined) return undefined;
  const wanted = back === undefined ? `#mg-footnote-ref-${label}` : `#mg-footnote-${label}`;
  return [...root.querySelectorAll('.mg-footnote > a, .mg-footnote-text > a')].find((other) => other.getAttribute('href') === wanted);
}
