import { create } from '../core/dom.ts';
import { text } from '../core/texts.ts';

/** The counter at the right end of the status line: characters and blocks of the document in front. */
export function showCounter(wysiwyg: HTMLElement | undefined): void {
  const counter = document.getElementById('statusCounter');
  if (!counter) return;
  if (!wysiwyg) {
    counter.replaceChildren();
    return;
  }
  const characters = [...(wysiwyg.textContent ?? '').replaceAll('\u200b', '').replace(/\s+/g, '')].length;
  const blocks = wysiwyg.querySelectorAll('[data-node-id]').length;
  const part = (label: string, count: number) => create('span', '', {}, `${label} `, create('b', '', {}, String(count)));
  counter.replaceChildren(part(text('characters'), characters), part(text('blocks'), blocks));
}
