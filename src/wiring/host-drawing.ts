import type { ProtyleMethod } from 'siyuan';
import type { Drawing } from '../ui/host-ui.ts';

/** What the host's scripts put on the page; read here and nowhere else. */
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

/** Lets the host draw a harmless piece of its own, which loads its scripts and styles; waits until it has. */
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
    draw(holder);
  });
}

/** The user's own macros, as the editor has them; what is not JSON is no macro. */
function macros(): Record<string, unknown> {
  const editor: unknown = window.siyuan.config ? Reflect.get(window.siyuan.config, 'editor') : undefined;
  const text: unknown = isObject(editor) ? Reflect.get(editor, 'katexMacros') : undefined;
  try {
    const value: unknown = typeof text === 'string' ? JSON.parse(text) : undefined;
    return isObject(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

/**
 * SiYuan's KaTeX and highlight.js (ProtyleMethod loads them with their styles). They are called here and not through
 * `mathRender`, which trusts its input: `\href` and `\includegraphics` of a model's formula must lead nowhere.
 */
export async function loadDrawing(method: typeof ProtyleMethod | undefined, signal: AbortSignal): Promise<Drawing | null> {
  if (!has(method, 'mathRender', 'highlightRender') || !method) return null;
  if (!found('katex', isKatex))
    await loaded('<p><span data-subtype="math" data-content="x"></span> </p>', (element) => method.mathRender(element), signal);
  if (!found('hljs', isHighlighter))
    await loaded('<div class="code-block" data-language="js"><code>x</code></div>', (element) => method.highlightRender(element), signal);
  const katex = found('katex', isKatex);
  const highlighter = found('hljs', isHighlighter);
  if (!katex && !highlighter) return null;
  return {
    formula(tex, displayMode) {
      if (!katex) return null;
      try {
        return katex.renderToString(tex, {
          displayMode,
          output: 'html',
          trust: false,
          strict: 'ignore',
          maxSize: 30,
          maxExpand: 200,
          macros: macros(),
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
