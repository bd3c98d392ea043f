import { describe, expect, it } from 'vitest';
import { mayHide, mayHideByMacros } from './formulas.ts';

describe('a formula', () => {
  it.each([
    'a % words',
    String.raw`\phantom{a}`,
    String.raw`\hphantom{a}`,
    String.raw`\textcolor{white}{a}`,
    String.raw`\color{#fff} a`,
    String.raw`\colorbox{white}{a}`,
    String.raw`\fcolorbox{white}{white}{a}`,
    String.raw`\rlap{a}\rule{3em}{3em}`,
    String.raw`\mathllap{a}`,
    String.raw`\smash{a}`,
    String.raw`\raisebox{9em}{a}`,
    String.raw`\hspace{-9em}a`,
    String.raw`\hspace*{-9em}a`,
    String.raw`\mkern-99mu a`,
    String.raw`\tiny a`,
    String.raw`\scriptscriptstyle a`,
    String.raw`\mathchoice{a}{b}{c}{d}`,
    String.raw`\@secondoftwo{a}{b}`,
    String.raw`\def\x#1{}\x{a}`,
    String.raw`\newcommand{\x}[1]{}\x{a}`,
    String.raw`\let\x=y`,
    String.raw`a\\[-3em]b`,
    String.raw`a\cr[-3em]b`,
    '&#37; words',
  ])('may hide a part of what it says: %s', (tex) => {
    expect(mayHide(tex)).toBe(true);
  });

  it.each([
    String.raw`\frac{a}{b} + \sqrt[3]{x^2} \leq \sum_{i=1}^{n} i`,
    String.raw`\begin{cases} a & b \\ c & d \end{cases}`,
    String.raw`\text{charge} \cdot \Rule \left[ a \right]`,
    String.raw`\mathbf{x} \, y \quad z \hat{a} \delta \letter \spacer`,
  ])('shows what it says: %s', (tex) => {
    expect(mayHide(tex)).toBe(false);
  });
});

describe('a formula that is drawn with macros of the user', () => {
  const macros = {
    '\\RR': '\\mathbb{R}',
    '\\pair': '(#1, #2)',
    '\\gone': '',
    '\\second': '#2',
    '\\ghost': '\\phantom{#1}',
    '\\chain': '\\link{#1}',
    '\\link': '\\ghost{#1}',
    '\\text': '\\color{white}#1',
    '\\tokens': { tokens: [], numArgs: 1 },
    '~': '\\gone',
  };
  it.each(['\\gone{a}', '\\second{a}{b}', '\\ghost{a}', '\\chain{a}', '\\text{a}', '\\tokens{a}', 'a~b', '\\RR \\ghost a'])(
    'may hide a part of what it says by them: %s',
    (tex) => {
      expect(mayHideByMacros(tex, macros)).toBe(true);
    },
  );
  it.each(['\\RR^2', '\\pair{a}{b}', '\\ghostly{a}', '\\textbf{a}', 'x^2', ''])('shows what it says: %s', (tex) => {
    expect(mayHideByMacros(tex, macros)).toBe(false);
  });
});
