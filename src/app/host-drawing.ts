import type { ProtyleMethod } from 'siyuan';
import { describeThrown } from '../tools/contract/errors.ts';
import { type FormulaCheck, mayHideByMacros } from '../tools/safe-content/formulas.ts';
import type { Drawing } from '../ui/ports/host-ui.ts';

/** The globals of the host's scripts; read here and nowhere else. */
interface Katex {
  renderToString(tex: string, options: Readonly<Record<string, unknown>>): string;
}
interface Highlighter {
  getLanguage(name: string): unknown;
  highlight(text: string, options: { readonly language: string; readonly ignoreIllegals: boolean }): { readonly value: string };
}

/** The host loads its scripts from its own kernel: they come soon or not at all. */
const PATIENCE_MS = 10_000;

const isObject = (value: unknown): value is object => (typeof value === 'object' && value !== null) || typeof value === 'function';
const has = (value: unknown, ...names: readonly string[]): boolean =>
  isObject(value) && names.every((name) => typeof Reflect.get(value, name) === 'function');
const isKatex = (value: unknown): value is Katex => has(value, 'renderToString');
const isHighlighter = (value: unknown): value is Highlighter => has(value, 'highlight', 'getLanguage');
const found = <T>(name: string, is: (value: unknown) => value is T): T | null => {
  const value: unknown = Reflect.get(window, name);
  return is(value) ? value : null;
};

/** Lets the host render a harmless sample of its own, which loads its scripts and styles; waits until it has. */
function loaded(html: string, draw: (element: HTMLElement) => void, signal: AbortSignal): Promise<void> {
  const holder = document.createElement('div');
  holder.className = 'b3-typography';
  holder.innerHTML = html;
  return new Promise((resolve) => {
    const done = (): void => {
      observer.disconnect();
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const observer = new MutationObserver(() => {
      if (holder.querySelector('[data-render="true"]')) done();
    });
    const timer = setTimeout(done, PATIENCE_MS);
    observer.observe(holder, { subtree: true, attributes: true, attributeFilter: ['data-render'] });
    signal.addEventListener('abort', done, { once: true });
    try {
      draw(holder);
    } catch {
      done(); // A host that cannot draw shows the source; it never decides whether something can be written.
    }
  });
}

/** The user's own macros, as the editor has them; null if only the editor can read them. */
function macros(): Record<string, unknown> | null {
  const editor: unknown = window.siyuan.config ? Reflect.get(window.siyuan.config, 'editor') : undefined;
  const text: unknown = isObject(editor) ? Reflect.get(editor, 'katexMacros') : undefined;
  if (typeof text !== 'string' || text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { ...value } : {};
  } catch {
    return null;
  }
}

const FORMULA = '<p><span data-subtype="math" data-content="x"></span> </p>';

async function loadKatex(method: typeof ProtyleMethod | undefined, signal: AbortSignal): Promise<Katex | null> {
  if (!found('katex', isKatex) && has(method, 'mathRender') && method) {
    await loaded(FORMULA, (element) => method.mathRender(element), signal);
  }
  return found('katex', isKatex);
}

/** How SiYuan's KaTeX accepts a formula that it renders with trust: it reports what needs trust, and what fails. */
export function problemOf(katex: Katex, tex: string, displayMode: boolean): string | null {
  let trusted: string | null = null;
  const known = macros();
  const trust = ({ command }: { readonly command: string }): boolean => {
    trusted = `${command} cannot be written by tools`;
    return false;
  };
  try {
    katex.renderToString(tex, { displayMode, output: 'html', strict: 'ignore', trust, macros: known ?? {} });
  } catch (error) {
    // With macros that are unknown here, the editor may render what fails here.
    return known === null ? trusted : describeThrown(error).slice(0, 200);
  }
  return trusted;
}

/** Asks SiYuan's own KaTeX, loaded with the first formula; without it, every formula is accepted. */
export function createFormulaCheck(method: typeof ProtyleMethod | undefined, signal: AbortSignal): FormulaCheck {
  let loading: Promise<Katex | null> | undefined;
  return async (tex, display) => {
    loading ??= loadKatex(method, signal);
    const katex = await loading;
    return katex && problemOf(katex, tex, display);
  };
}

/**
 * SiYuan's KaTeX and highlight.js (ProtyleMethod loads them with their styles). They are called here and not through
 * `mathRender`, which trusts its input: `\href` and `\includegraphics` of a model's formula must have no effect.
 */
export async function loadDrawing(method: typeof ProtyleMethod | undefined, signal: AbortSignal): Promise<Drawing | null> {
  if (!has(method, 'mathRender', 'highlightRender') || !method) return null;
  const katex = await loadKatex(method, signal);
  if (!found('hljs', isHighlighter))
    await loaded('<div class="code-block" data-language="js"><code>x</code></div>', (element) => method.highlightRender(element), signal);
  const highlighter = found('hljs', isHighlighter);
  if (!katex && !highlighter) return null;
  return {
    formula(tex, displayMode) {
      const known = macros();
      // Nobody could approve what they hide: the source is shown.
      if (!katex || (known === null ? tex.includes('\\') : mayHideByMacros(tex, known))) return null;
      try {
        return katex.renderToString(tex, {
          displayMode,
          output: 'html',
          trust: false,
          strict: 'ignore',
          maxSize: 30,
          maxExpand: 200,
          macros: known ?? {},
        });
      } catch {
        return null; // Not a formula: its source is shown.
      }
    },
    code(text, language) {
      if (!highlighter?.getLanguage(language)) return null;
      return highlighter.highlight(text, { language, ignoreIllegals: true }).value;
    },
  };
}
