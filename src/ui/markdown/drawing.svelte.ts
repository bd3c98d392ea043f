import type { Drawing, HostUi } from '../ports/host-ui.ts';
import { createDrawingSanitize, type Sanitize } from './sanitize.ts';

/** Recently rendered formulas and code: a streaming answer renders its last block again each frame. */
const REMEMBERED = 300;
/** Maximum characters; longer code is not highlighted, which would block the page. */
const LONGEST_CODE = 20_000;

const FORMULAS = '.mg-math, .mg-math-display, .mg-math-block';

/** Formulas and code of answers in the host's look, if it has one; until it is loaded they are shown as text. */
export class Drawer {
  /** Set once the host's renderers are there. */
  drawing: Drawing | null = $state.raw(null);
  readonly #host: HostUi;
  readonly #known = new Map<string, string | null>();
  #asked = false;
  #sanitize: Sanitize | undefined;

  constructor(host: HostUi) {
    this.#host = host;
  }

  /** Loads the host's renderers; a second call does nothing. */
  load(): void {
    if (this.#asked || !this.#host.drawing) return;
    this.#asked = true;
    this.#host.drawing().then(
      (drawing) => {
        this.drawing = drawing;
      },
      // Without them everything is readable as text; the next answer tries again.
      () => {
        this.#asked = false;
      },
    );
  }

  /** Renders the formulas under an element that are not rendered yet. */
  formulas(root: HTMLElement): void {
    const waiting = [...root.querySelectorAll<HTMLElement>(FORMULAS)].filter((element) => element.dataset.tex === undefined);
    if (waiting.length === 0) return;
    this.load();
    const { drawing } = this;
    if (!drawing) return;
    for (const element of waiting) {
      const tex = element.textContent ?? '';
      const display = !element.matches('.mg-math');
      const html = this.#draw(`${display ? 'display' : 'inline'} ${tex}`, () => drawing.formula(tex, display));
      element.dataset.tex = tex;
      if (html === null) continue;
      element.setAttribute('role', 'math');
      element.setAttribute('aria-label', tex);
      element.innerHTML = html;
    }
  }

  /** Sanitised HTML of code; null if it stays plain. */
  code(text: string, language: string): string | null {
    if (language === '' || text.length > LONGEST_CODE) return null;
    this.load();
    const { drawing } = this;
    return drawing ? this.#draw(`code ${language} ${text}`, () => drawing.code(text, language)) : null;
  }

  #draw(key: string, make: () => string | null): string | null {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#sanitize ??= createDrawingSanitize(window);
    const html = make();
    const clean = html === null ? null : this.#sanitize(html);
    if (this.#known.size >= REMEMBERED) for (const oldest of [...this.#known.keys()].slice(0, REMEMBERED / 2)) this.#known.delete(oldest);
    this.#known.set(key, clean);
    return clean;
  }
}

const drawers = new WeakMap<HostUi, Drawer>();

/** One for each host: what is drawn is remembered over all answers. */
export function drawerOf(host: HostUi): Drawer {
  const drawer = drawers.get(host) ?? new Drawer(host);
  drawers.set(host, drawer);
  return drawer;
}
