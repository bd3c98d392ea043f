// The page of the hostile-payload test: renders Markdown as an answer does. Not part of the plugin.
import { decodeHTML } from 'entities/decode';
import { blockHtml } from '../markdown/blocks.ts';
import { MarkdownStream } from '../markdown/markdown-stream.ts';
import type { RenderOptions } from '../markdown/render.ts';
import { createSanitize } from '../markdown/sanitize.ts';
import { decodeHTML as decodeByBrowser } from '../text/browser-entities.ts';

declare global {
  interface Window {
    /** Shows a text as an answer; returns its HTML. */
    showAnswer(text: string): string;
    /** Shows HTML behind the second net alone. */
    showHtml(html: string): string;
    fired: string[];
    /** A text decoded by the package and by what the panel has in its place. */
    decodeBoth(text: string): readonly [string, string];
  }
}

const options: RenderOptions = {
  citation: () => 'unverified',
  words: { unverified: 'unverified', unread: 'not read', source: 'source', image: 'Image:' },
};
const sanitize = createSanitize(window);
const place = document.createElement('div');
document.body.append(place);
window.fired = [];
const fire = (name: string): void => {
  window.fired.push(name);
};
window.alert = () => fire('alert');
window.confirm = () => {
  fire('confirm');
  return false;
};
window.prompt = () => {
  fire('prompt');
  return null;
};

window.decodeBoth = (text) => [decodeHTML(text), decodeByBrowser(text)];
window.showHtml = (html) => {
  place.innerHTML = sanitize(html);
  return place.innerHTML;
};
window.showAnswer = (text) => {
  const stream = new MarkdownStream(options, sanitize);
  const half = stream.update(text.slice(0, text.length / 2));
  const blocks = [...half, ...stream.update(text), ...stream.finish(text, options)];
  place.innerHTML = blocks.map((block) => (block.kind === 'code' ? '' : blockHtml(block))).join('\n');
  return place.innerHTML;
};
