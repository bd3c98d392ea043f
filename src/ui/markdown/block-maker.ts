import type { Token, Tokens, TokensList } from 'marked';
import { type CodeBlock, type ListBlock, type MarkdownBlock, type Part, PartList, type TableBlock } from './blocks.ts';
import { withDirection } from './direction.ts';
import type { BlockRenderer } from './render.ts';
import type { Sanitize } from './sanitize.ts';

const LIST = ['<ul>', '</ul>'] as const;
const HEAD = ['<table><thead>', '</thead></table>'] as const;
const ROWS = ['<table><tbody>', '</tbody></table>'] as const;
const PARAGRAPH = ['<p>', '</p>'] as const;

const partsOf = (block: MarkdownBlock | undefined, kind: MarkdownBlock['kind']): readonly Part[] =>
  block?.kind === kind && 'parts' in block ? block.parts : [];

const sameParts = (some: readonly Part[], others: readonly Part[]): boolean =>
  some.length === others.length && some.every((part, index) => part === others[index]);

export function languageOf(info: string | undefined): string {
  return /^[\w+#.-]*/.exec(info ?? '')?.[0] ?? '';
}

/** Makes blocks from tokens, and reuses the earlier block at an index if it would look the same. */
export class BlockMaker {
  readonly renderer: BlockRenderer;
  readonly #sanitize: Sanitize;

  constructor(renderer: BlockRenderer, sanitize: Sanitize) {
    this.renderer = renderer;
    this.#sanitize = sanitize;
  }

  lex(source: string, links: TokensList['links']): TokensList {
    return this.renderer.lex(source, links);
  }

  /** @param open more of its text may come */
  make(token: Token, key: number, old: MarkdownBlock | undefined, open: boolean): MarkdownBlock {
    if (isCode(token)) return this.code(key, languageOf(token.lang), token.text.split('\n'), old, open);
    if (isList(token)) {
      const parts = this.listParts(old);
      for (const item of token.items) parts.push(this.renderer.item(item));
      return this.list(key, token, parts.with([]), old);
    }
    if (isTable(token)) {
      const parts = this.tableParts(old);
      for (const row of token.rows) parts.push(this.renderer.row(row, 'td'));
      return this.table(key, token, parts.with([]), old);
    }
    const source = withDirection(this.renderer.html(token));
    return old?.kind === 'html' && old.source === source ? old : { key, kind: 'html', source, html: this.#sanitize(source) };
  }

  code(key: number, language: string, lines: readonly string[], old: MarkdownBlock | undefined, open: boolean): CodeBlock {
    const parts = this.codeParts(old);
    for (const line of lines) parts.push(line);
    return this.codeOf(key, language, parts.with([]), old, open);
  }

  codeOf(key: number, language: string, parts: readonly Part[], old: MarkdownBlock | undefined, open: boolean): CodeBlock {
    const same = old?.kind === 'code' && old.language === language && old.open === open && sameParts(old.parts, parts);
    return same ? old : { key, kind: 'code', language, parts, open };
  }

  list(key: number, token: Tokens.List, parts: readonly Part[], old: MarkdownBlock | undefined): ListBlock {
    const { ordered } = token;
    const start = token.start === '' ? 1 : token.start;
    const same = old?.kind === 'list' && old.ordered === ordered && old.start === start && sameParts(old.parts, parts);
    return same ? old : { key, kind: 'list', ordered, start, parts };
  }

  table(key: number, token: Tokens.Table, parts: readonly Part[], old: MarkdownBlock | undefined): TableBlock {
    const source = this.renderer.row(token.header, 'th');
    const before = old?.kind === 'table' ? old : undefined;
    const head = before?.head.source === source ? before.head : { key: 0, source, html: this.#within(HEAD, source) };
    return before && before.head === head && sameParts(before.parts, parts) ? before : { key, kind: 'table', head, parts };
  }

  codeParts(old: MarkdownBlock | undefined): PartList {
    return new PartList((text) => text, '\n', partsOf(old, 'code'));
  }

  listParts(old: MarkdownBlock | undefined): PartList {
    return new PartList((html) => this.#within(LIST, html), '', partsOf(old, 'list'));
  }

  tableParts(old: MarkdownBlock | undefined): PartList {
    return new PartList((html) => this.#within(ROWS, html), '', partsOf(old, 'table'));
  }

  paragraphParts(): PartList {
    return new PartList((html) => this.#within(PARAGRAPH, html), '', []);
  }

  /**
   * Rows and items are valid only inside their parent: they are sanitised in it. The renderer escapes every foreign tag, so
   * that nothing closes the parent early; if something did, it is not shown.
   */
  #within([open, close]: readonly [string, string], html: string): string {
    const clean = this.#sanitize(open + html + close);
    return clean.startsWith(open) && clean.endsWith(close) ? clean.slice(open.length, clean.length - close.length) : '';
  }
}

export function isCode(token: Token): token is Tokens.Code {
  return token.type === 'code';
}

export function isList(token: Token | undefined): token is Tokens.List {
  return token?.type === 'list';
}

export function isTable(token: Token | undefined): token is Tokens.Table {
  return token?.type === 'table';
}

export function isParagraph(token: Token | undefined): token is Tokens.Paragraph {
  return token?.type === 'paragraph';
}
