import { BlockRenderer, type RenderOptions } from '../markdown/render.ts';
import { createSanitize } from '../markdown/sanitize.ts';

/** An answer as HTML for the clipboard: sanitised, its references as links to their blocks. */
export function richText(markdown: string, words: RenderOptions['words']): string {
  const renderer = new BlockRenderer({ citation: () => 'verified', words });
  const html = renderer.lex(markdown, {}).map((token) => renderer.html(token));
  return createSanitize(window)(html.join(''));
}
