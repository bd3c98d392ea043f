import type { MessageView } from '../../chat/view/view.ts';
import { blockHtml, codeText, type MarkdownBlock } from '../markdown/blocks.ts';
import { escapeHtml } from '../markdown/escape.ts';
import { MarkdownStream } from '../markdown/markdown-stream.ts';
import type { RenderOptions } from '../markdown/render.ts';
import { textRuns } from './text-runs.ts';

/** Markdown signs inside words that are not read. */
const plain = (text: string): string => text.toLowerCase().replaceAll(/[*_~`\\]/g, '');
const wordsIn = (words: string): readonly string[] => plain(words).match(/\p{Script=Han}|[^\s\p{Script=Han}]+/gu) ?? [];

const html = (block: MarkdownBlock): string => (block.kind === 'code' ? `<pre>${escapeHtml(codeText(block))}</pre>` : blockHtml(block));

/**
 * The visible text of each message, as it is rendered, including messages that are not in the document. Only messages that may contain
 * the words are rendered, once each; a template's content runs nothing and loads nothing.
 */
export class MessageTexts {
  readonly #options: RenderOptions;
  readonly #sources = new WeakMap<MessageView, string>();
  readonly #texts = new WeakMap<MessageView, readonly string[]>();

  constructor(words: RenderOptions['words']) {
    this.#options = { citation: () => 'verified', words };
  }

  /** False if the words are surely not in the message; cheap. */
  mayHold(message: MessageView, words: string): boolean {
    let source = this.#sources.get(message);
    if (source === undefined) {
      source = plain(said(message).join('\n'));
      this.#sources.set(message, source);
    }
    // Entities may hide letters.
    return source.includes('&') || wordsIn(words).every((word) => source.includes(word));
  }

  texts(message: MessageView): readonly string[] {
    const known = this.#texts.get(message);
    if (known) return known;
    const texts = message.role === 'user' ? said(message) : said(message).flatMap((text) => this.#rendered(text));
    this.#texts.set(message, texts);
    return texts;
  }

  #rendered(markdown: string): readonly string[] {
    return textRuns(renderedText(markdown, this.#options, html)).map((run) => run.text);
  }
}

/** Markdown as it is rendered, outside the document: it runs nothing and loads nothing. */
export function renderedText(markdown: string, options: RenderOptions, html: (block: MarkdownBlock) => string): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = new MarkdownStream(options, (raw) => raw).finish(markdown, options).map(html).join('');
  return template.content;
}

export const said = ({ segments }: MessageView): readonly string[] =>
  segments.flatMap((segment) => (segment.kind === 'text' && segment.text.trim() !== '' ? [segment.text] : []));
