import { escapeHtml } from '../core/dom.ts';
import { call } from '../core/http.ts';
import { config } from '../core/state.ts';

const FOLDER = '/stage/protyle/js';

const loading = new Map<string, Promise<void>>();

/** Adds a script or a stylesheet of SiYuan's to the page, once. */
function load(file: string): Promise<void> {
  const known = loading.get(file);
  if (known !== undefined) return known;
  const coming = new Promise<void>((resolve, reject) => {
    const url = `${FOLDER}/${file}`;
    const element = file.endsWith('.css')
      ? Object.assign(document.createElement('link'), { rel: 'stylesheet', href: url })
      : Object.assign(document.createElement('script'), { src: url });
    element.addEventListener('load', () => resolve());
    element.addEventListener('error', () => reject(new Error(`${url} could not be loaded`)));
    document.head.append(element);
  });
  loading.set(file, coming);
  return coming;
}

interface Katex {
  renderToString(tex: string, options: Readonly<Record<string, unknown>>): string;
}
interface Highlighter {
  getLanguage(name: string): unknown;
  highlight(text: string, options: { readonly language: string }): { readonly value: string };
}
/** What a script of SiYuan's has put on the page. */
const katex = (): Katex | undefined => Reflect.get(window, 'katex');
const highlighter = (): Highlighter | undefined => Reflect.get(window, 'hljs');

/** What is to be drawn: the element itself or what is in it, and has not been drawn yet. */
function undrawn(element: HTMLElement, selector: string): HTMLElement[] {
  const all = element.matches(selector) ? [element] : [...element.querySelectorAll<HTMLElement>(selector)];
  return all.filter(({ dataset }) => dataset.render !== 'true');
}

/** Where a formula is drawn: of a block, its first element; in a text, itself. */
const placeOf = (formula: HTMLElement): Element => (formula.tagName === 'DIV' && formula.firstElementChild) || formula;

/** Takes the drawing of formulas and databases away again: the kernel gets their source alone. */
export function undraw(element: HTMLElement): void {
  for (const database of element.querySelectorAll<HTMLElement>('[data-av-id][data-render]')) {
    delete database.dataset.render;
    database.firstElementChild?.replaceChildren();
  }
  for (const formula of element.querySelectorAll<HTMLElement>('[data-subtype="math"][data-render]')) {
    delete formula.dataset.render;
    placeOf(formula).replaceChildren();
  }
}

/** Draws formulas as SiYuan does: with trust, so that a plugin that is careless with it is found out here. */
export function mathRender(element: HTMLElement): void {
  const formulas = undrawn(element, '[data-subtype="math"]');
  if (formulas.length === 0) return;
  void load('katex/katex.min.css');
  void load('katex/katex.min.js').then(() => {
    for (const formula of formulas) {
      formula.dataset.render = 'true';
      const place = placeOf(formula);
      try {
        const options = { displayMode: formula.tagName === 'DIV', output: 'html', trust: true, strict: 'ignore' };
        place.innerHTML = katex()?.renderToString(formula.dataset.content ?? '', options) ?? '';
      } catch (error) {
        place.textContent = String(error);
      }
    }
  });
}

interface DrawnDatabase {
  readonly name: string;
  readonly view: { readonly rows?: readonly { readonly id: string; readonly cells: readonly DrawnCell[] }[] | null };
}
interface DrawnCell {
  readonly value?: CellText;
  readonly valueType: string;
}
interface CellText {
  readonly block?: { readonly content: string };
  readonly text?: { readonly content: string };
  readonly number?: { readonly formattedContent?: string };
  readonly mSelect?: readonly { readonly content: string }[];
}

const textOf = ({ block, text, number, mSelect }: CellText = {}): string =>
  block?.content ?? text?.content ?? number?.formattedContent ?? (mSelect ?? []).map(({ content }) => content).join(' ');

const cellHtml = ({ value, valueType }: DrawnCell): string =>
  `<div class="av__cell" data-dtype="${valueType}"><span class="av__celltext">${escapeHtml(textOf(value))}</span></div>`;

/** Draws databases into the first element of their blocks, and throws where there is none, both as SiYuan's `avRender` does. */
export async function databaseRender(element: HTMLElement): Promise<void> {
  for (const database of undrawn(element, '.av[data-av-id]')) {
    const place = database.firstElementChild as Element;
    if (place.innerHTML === '') place.innerHTML = '<div class="av__row"><span class="av__pulse"></span></div>';
    database.dataset.render = 'true';
    const asked = { id: database.dataset.avId, blockID: database.dataset.nodeId, createIfNotExist: true };
    const data = await call<DrawnDatabase>('/api/av/renderAttributeView', asked);
    const rows = (data?.view.rows ?? []).map(
      ({ id, cells }) =>
        `<div class="av__row" data-id="${id}"><div class="av__firstcol av__colsticky"></div>${cells.map(cellHtml).join('')}</div>`,
    );
    place.innerHTML = `<div class="av__title">${escapeHtml(data?.name ?? '')}</div><div class="av__body">${rows.join('')}</div>`;
  }
}

/** Colours listings as SiYuan does, with its style for the theme. */
export function highlightRender(element: HTMLElement): void {
  const listings = undrawn(element, '.code-block');
  if (listings.length === 0) return;
  void load(`highlight.js/styles/${config().appearance.mode === 1 ? 'github-dark' : 'github'}.min.css`);
  void load('highlight.js/highlight.min.js').then(() => {
    for (const listing of listings) {
      listing.dataset.render = 'true';
      const code = listing.querySelector('code') ?? listing;
      const language = listing.dataset.language ?? '';
      const library = highlighter();
      if (!library?.getLanguage(language)) continue;
      code.innerHTML = library.highlight(code.textContent ?? '', { language }).value;
      code.classList.add('hljs');
    }
  });
}
