import { describe, expect, it } from 'vitest';
import { mayHide } from './formulas.ts';

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
