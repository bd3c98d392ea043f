import { createRequire } from 'node:module';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createFormulaCheck, loadDrawing, problemOf } from './host-drawing.ts';

const require = createRequire(import.meta.url);
const katex = require('vditor/dist/js/katex/katex.min.js') as Parameters<typeof problemOf>[0];
const withMacros = (katexMacros: string): void => {
  vi.stubGlobal('window', { siyuan: { config: { editor: { katexMacros } } } });
};
afterEach(() => vi.unstubAllGlobals());

describe('the check of a formula', () => {
  it('takes what KaTeX draws', () => {
    withMacros('{"\\\\RR": "\\\\mathbb{R}"}');
    for (const tex of ['x^2', '\\frac{a}{b}', 'a < b', '\\RR', '\\text{思}']) expect(problemOf(katex, tex, false)).toBeNull();
  });

  it('tells what KaTeX fails at, and what it would need trust for', () => {
    withMacros('{"\\\\go": "\\\\href{#1}{x}"}');
    expect(problemOf(katex, '\\frac{a}', false)).toMatch(/KaTeX parse error/);
    expect(problemOf(katex, '\\nosuchcommand', true)).toMatch(/Undefined control sequence/);
    for (const tex of [
      '\\href{https://a.example}{x}',
      '\\url{https://a}',
      '\\htmlClass{a}{x}',
      '\\includegraphics{https://a/x}',
      '\\go{https://a}',
    ])
      expect(problemOf(katex, tex, false)).toMatch(/cannot be written by tools/);
  });

  it('blames no macro that only the editor can read', () => {
    withMacros("{ '\\\\RR': x }");
    expect(problemOf(katex, '\\RR', false)).toBeNull();
    expect(problemOf(katex, '\\href{https://a.example}{x} \\RR', false)).toMatch(/cannot be written by tools/);
  });

  it('takes everything where there is no KaTeX', async () => {
    vi.stubGlobal('window', {});
    expect(await createFormulaCheck(undefined, new AbortController().signal)('\\nosuch', false)).toBeNull();
  });
});

describe('the drawing of a formula', () => {
  const draw = async (katexMacros: string, tex: string): Promise<string | null> => {
    vi.stubGlobal('window', {
      siyuan: { config: { editor: { katexMacros } } },
      katex,
      hljs: { highlight: () => undefined, getLanguage: () => undefined },
    });
    const method = { mathRender: () => undefined, highlightRender: () => undefined } as unknown as Parameters<typeof loadDrawing>[0];
    return (await loadDrawing(method, new AbortController().signal))?.formula(tex, false) ?? null;
  };

  it('shows the source where macros of the user, or what nobody can read of them, may hide a part of it', async () => {
    const macros = JSON.stringify({ '\\RR': '\\mathbb{R}', '\\ghost': '\\phantom{#1}' });
    expect(await draw(macros, '\\RR')).toContain('mathbb');
    expect(await draw(macros, '\\ghost{a}')).toBeNull();
    expect(await draw("{ '\\\\ghost': x }", '\\ghost{a}')).toBeNull();
    expect(await draw("{ '\\\\ghost': x }", 'x^2')).toContain('katex');
  });
});
