import { unescapeHtml } from '../markdown/escape.ts';

/** The first words of a block, from its HTML: for an outline. */
export function drawnWords(html: string): string {
  const lines = html
    .replace(/<\/(?:p|h[1-6]|li|tr|pre|blockquote|div)>|<br>/g, '\n')
    .replace(/<\/t[hd]>/g, ' ')
    .replace(/<input[^>]*>/g, (box) => (box.includes(' checked') ? '☑' : '☐'))
    .replace(/<[^>]*>/g, '')
    .split('\n');
  return unescapeHtml(lines.find((line) => line.trim() !== '') ?? '').trim();
}
