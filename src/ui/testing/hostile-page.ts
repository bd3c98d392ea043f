// The page of the hostile-input test: shows texts as an answer does and reports what got through. Not part of the plugin.

import { cellHtml, renderedDiff } from '../approval/rendered-diff.ts';
import { renderedRows } from '../approval/rendered-rows.ts';
import { blockHtml, codeText } from '../markdown/blocks.ts';
import { Drawer } from '../markdown/drawing.svelte.ts';
import { escapeHtml } from '../markdown/escape.ts';
import { MarkdownStream } from '../markdown/markdown-stream.ts';
import type { RenderOptions } from '../markdown/render.ts';
import { createSanitize } from '../markdown/sanitize.ts';
import { FakeHost } from './fake-host.ts';

/** `answer`: the whole way; `html`: the second net alone; `drawn`: with a KaTeX that trusts its input, and highlight.js; `changed`: as a change. */
export type HostileWay = 'answer' | 'html' | 'drawn' | 'changed';

declare global {
  interface Window {
    /** Shows all of them; resolves with what no answer may hold, and with handlers that ran. */
    tryAll(inputs: readonly string[], way: HostileWay): Promise<string[]>;
    /** A formula and a listing as the host draws them. */
    drawn(tex: string, code: string): { readonly formula: string; readonly code: string };
    fire(what: unknown): void;
  }
}

const ALLOWED = new Set(
  'P BR HR H1 H2 H3 H4 H5 H6 UL OL LI BLOCKQUOTE PRE CODE DIV SPAN SMALL TABLE THEAD TBODY TR TH TD EM STRONG DEL INS B I U SUB SUP KBD MARK A IMG INPUT'.split(
    ' ',
  ),
);
const DRAWN = new Set(['svg', 'path', 'line', 'g']);
const NEVER = new Set(['id', 'name', 'srcset', 'formaction', 'action', 'ping', 'background', 'poster', 'contenteditable', 'is']);
const EVENTS = ['mouseover', 'mousedown', 'focus', 'toggle', 'load', 'error', 'animationstart'];

const options: RenderOptions = {
  citation: () => 'unverified',
  words: { unverified: 'unverified', unread: 'not read', source: 'source', image: 'Image:' },
};
const sanitize = createSanitize(window);
const host = new FakeHost();
host.trusting = true;
const drawer = new Drawer(host);
const fired: string[] = [];
window.fire = (what) => void fired.push(String(what));
window.alert = () => window.fire('alert');

function problemsOf(root: Element): string[] {
  const found: string[] = [];
  for (const element of root.querySelectorAll('*')) {
    const drawn = element.closest('[role=math], .mg-code') !== null;
    if (!ALLOWED.has(element.nodeName) && !(drawn && DRAWN.has(element.nodeName))) found.push(`element ${element.nodeName}`);
    for (const { name, value } of element.attributes) {
      if (name.startsWith('on') || (NEVER.has(name) && value !== '') || name.includes(':'))
        found.push(`${element.nodeName} ${name}=${value}`);
      if (name.startsWith('data-') && name !== 'data-tex') found.push(`${name}=${value}`);
      if (name === 'style' && !(drawn && !/url|fixed|absolute|\(/i.test(value))) found.push(`style ${value}`);
      if (name === 'class' && !drawn && !value.startsWith('mg-')) found.push(`class ${value}`);
      if (name === 'class' && /(?:^|\s)(?:b3-|fn__|protyle|layout)/.test(value)) found.push(`class ${value}`);
      if (name === 'href' && !/^(https?:|mailto:|siyuan:\/\/blocks\/|assets\/)/.test(value)) found.push(`href ${value}`);
      if (name === 'src' && !/^assets\/(?!.*\.\.)/.test(value)) found.push(`src ${value}`);
    }
  }
  return found;
}

/** As what comes, what goes, and what changes in the middle. */
function changed(text: string): string {
  const rows = (markdown: string) => renderedRows(markdown, options, sanitize);
  const middle = Math.floor(text.length / 2);
  const diffs = [
    renderedDiff(null, rows(text)),
    renderedDiff(rows(text), null),
    renderedDiff(rows(text), rows(`${text.slice(0, middle)} word ${text.slice(middle)}`)),
  ];
  return diffs
    .flat()
    .flatMap((each) => (each.kind === 'fold' ? each.rows : [each]))
    .flatMap(({ cells }) => cells.map((cell) => `<div>${cellHtml(cell, { text: escapeHtml, target: escapeHtml })}</div>`))
    .join('');
}

function show(place: HTMLElement, text: string, way: HostileWay): void {
  if (way === 'html') {
    place.innerHTML = sanitize(text);
    return;
  }
  if (way === 'changed') {
    place.innerHTML = changed(text);
    return;
  }
  const stream = new MarkdownStream(options, sanitize);
  const half = stream.update(text.slice(0, text.length / 2));
  const blocks = [...half, ...stream.update(text), ...stream.finish(text, options)];
  for (const block of blocks) {
    const part = document.createElement('div');
    if (block.kind !== 'code') part.innerHTML = blockHtml(block);
    else {
      part.className = 'mg-code';
      const html = way === 'drawn' ? drawer.code(codeText(block), block.language) : null;
      if (html === null) part.textContent = codeText(block);
      else part.innerHTML = html;
    }
    place.append(part);
  }
  if (way === 'drawn') drawer.formulas(place);
}

const frame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

window.tryAll = async (inputs, way) => {
  if (way === 'drawn') {
    drawer.load();
    await frame();
  }
  const found: string[] = [];
  const root = document.createElement('div');
  document.body.append(root);
  for (const text of inputs) {
    const place = document.createElement('div');
    root.append(place);
    show(place, text, way);
    found.push(...problemsOf(place).map((problem) => `${problem} ← ${text}`));
    for (const element of place.querySelectorAll<HTMLElement>('*')) for (const type of EVENTS) element.dispatchEvent(new Event(type));
    if (fired.length > 0) found.push(`ran ${fired.splice(0).join()} ← ${text}`);
  }
  // Pictures load, handlers of errors run.
  for (let wait = 0; wait < 5; wait += 1) await frame();
  if (fired.length > 0) found.push(`ran later: ${fired.splice(0).join()}`);
  root.remove();
  return found;
};

window.drawn = (tex, code) => {
  const place = document.createElement('div');
  place.innerHTML = '<span class="mg-math"></span>';
  if (place.firstElementChild) place.firstElementChild.textContent = tex;
  drawer.formulas(place);
  return { formula: place.innerHTML, code: drawer.code(code, 'js') ?? '' };
};
