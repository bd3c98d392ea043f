import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { refuseCode, refuseMermaid } from './diagrams.ts';
import { refuseFormula, spacedFormula } from './formulas.ts';
import { TAG_START } from './normal-text.ts';

/** The KaTeX of Lute's package, as SiYuan calls its own: it trusts what it draws. */
const katex = createRequire(import.meta.url)('vditor/dist/js/katex/katex.min.js') as {
  renderToString(tex: string, options: object): string;
};

describe('formulas', () => {
  it.each([
    '\\href{javascript:a()}{x}',
    '\\&#104;ref{x}{y}',
    '\\h\u200bref{x}{y}',
    '\\h<wbr>ref{x}{y}',
    '\\h‸ref{x}{y}',
    '\\url{x}',
    '\\includegraphics{http://a}',
    '\\htmlData{a=b}{x}',
    '\\htmlStyle{background:url(x)}{x}',
    '\\htmlId{a}{x}',
    '\\def\\a{\\href}\\a{x}{y}',
    '&amp;#92;href{x}{y}',
  ])('%s is refused', (tex) => {
    expect(refuseFormula(tex)).toBeDefined();
    expect(refuseFormula(spacedFormula(tex))).toBeDefined();
  });

  it.each(['a<b', '&lt;img src=x onerror=a()>', '<\u200bimg src=x>', '\\text{a &#60;b> c}'])('%s gets a space after the sign', (tex) => {
    expect(refuseFormula(tex)).toBeDefined();
    expect(refuseFormula(spacedFormula(tex))).toBeUndefined();
  });

  it.each(['a < b', 'x_1^2 + \\frac{1}{2}', '\\begin{matrix} a & b \\\\ c & d \\end{matrix}', 'a \\lt b', '\\text{100\\% R\\&D}', '思'])(
    '%s stays as it is',
    (tex) => {
      expect([spacedFormula(tex), refuseFormula(tex)]).toEqual([tex, undefined]);
    },
  );

  it('are never quoted as HTML by KaTeX, drawn or not', () => {
    for (const tex of [
      '\\bad <img src=x onerror=a()>',
      '<svg/onload=a()>}',
      '\\frac{<b>}',
      '{<iframe src=x>',
      '\\text{<b>',
      '$<b>$',
      '\\\\<b>{',
    ]) {
      const spaced = spacedFormula(tex);
      expect(refuseFormula(spaced)).toBeUndefined();
      let shown: string;
      try {
        shown = katex
          .renderToString(spaced, { trust: true, output: 'html', strict: 'ignore' })
          .replace(/<\/?(?:span|svg|path)\b[^<>]*>/g, '');
      } catch (error) {
        shown = String(error);
      }
      expect(shown).not.toMatch(TAG_START);
    }
  });
});

describe('diagrams', () => {
  it.each([
    'graph TD\n  A[one] --> B{two?}\n  B -->|yes| C((three))\n  style A fill:#f9f,stroke:#333,stroke-width:4px\n  classDef green fill:#9f6\n  class A green',
    'flowchart LR\n  A["R&D: 100%"] <--> B["a<br/>b"] & C\n  %% a comment',
    'sequenceDiagram\n  participant A as Alice\n  A->>B: hi<br>there\n  loop every day\n    B-->>A: ok\n  end',
    'classDiagram\n  class Shape {\n    <<interface>>\n    +draw() void\n    -List~int~ sides\n  }\n  Shape <|-- Square : is\n  Shape o-- Point',
    'stateDiagram-v2\n  [*] --> Still\n  Still --> [*]\n  state fork <<fork>>',
    'erDiagram\n  CUSTOMER ||--o{ ORDER : places',
    'gantt\n  title A plan\n  dateFormat YYYY-MM-DD\n  section One\n  task :a1, 2026-01-01, 30d',
    'pie title Pets\n  "Dogs" : 386\n  "Cats" : 85',
    'mindmap\n  root((idea))\n    one\n    ::icon(fa fa-book)\n    two',
    'timeline\n  title History\n  2002 : LinkedIn',
    'gitGraph\n  commit\n  branch develop\n  commit id: "x"',
    'journey\n  title My day\n  section Work\n    Make tea: 5: Me',
    'quadrantChart\n  x-axis Low --> High',
    'xychart-beta\n  title "Sales"\n  bar [1, 2, 3]',
    'graph TD\n  甲[开始] --> 乙[结束]\n  A["line1\\nline2"]',
  ])('%s is drawn', (text) => {
    expect(refuseMermaid(text)).toBeUndefined();
  });

  it.each([
    'graph TD\nA["<img src=x>"]',
    'graph TD\nA["<\u200bimg src=x>"]',
    'graph TD\nA["&#60img src=x>"]',
    'graph TD\nA["&amp;lt;img>"]',
    'graph TD\nA["#lt;img src=x#gt;"]',
    'graph TD\nA["#60;img"]',
    'graph TD\nA["\\u003cimg"]',
    'graph TD\nclick A call a()',
    'graph TD\ncl&#105ck A a()',
    'graph TD\nclick A "https://a"',
    'graph TD;A;click A href "x"',
    '%%{init: {"securityLevel":"loose"}}%%\ngraph TD',
    '---\nconfig:\n  theme: x\n---\ngraph TD',
    'flowchart TD\nA@{ img: "x" }',
    'graph TD\nA@ {img: "x"}',
    'graph TD\nclassDef a fill:url(x)',
    'graph TD\nclassDef a fill:u\\72l(x)',
    'graph TD\nstyle A fill:red" onmouseover="a()',
    'graph TD\nA["$$\\href{javascript:a()}{x}$$"]',
    'graph TD\nA["$$x$$"]',
    'mindmap\n  root\n  ::icon(x" onmouseover="a())',
    'sequenceDiagram\nparticipant A\nlink A: x @ /api/x',
    'sequenceDiagram\nlinks A: {"x": "/api"}',
    'classDiagram\nlink A "x"',
    'graph TD\nA["//a.example/x"]',
    'zenuml\ntitle x',
    'C4Context\nPerson(a, "b", $link="x")',
    'architecture-beta\nservice a(logos:x)',
    'graph TD\n<<script>>',
    '```',
    '',
  ])('%j is refused', (text) => {
    expect(refuseMermaid(text)).toBeDefined();
  });

  it('of other kinds run or are sent', () => {
    for (const name of ['echarts', 'ECharts', '&#101;charts', 'abc', 'plantuml', 'flowchart', 'graphviz', 'mindmap', 'ab\u200bc'])
      expect(refuseCode(name, '{}', false)).toBeDefined();
    expect(refuseCode('anything', '{}', true)).toBeDefined();
    for (const name of ['', 'js', 'c++', 'html']) expect(refuseCode(name, '<img src=x>', false)).toBeUndefined();
  });
});
