// What each construct of Markdown is: in the panel, and in a note (tests/support/construct-notation.ts).

interface Construct {
  readonly markdown: string;
  readonly shown: string;
  /** Where a note has something else, on purpose. */
  readonly written?: string;
}

const same = (markdown: string, shown: string): Construct => ({ markdown, shown });

export const CONSTRUCTS: readonly Construct[] = [
  same('**注意：**请先保存，这是**《书名》**的内容', 'p(strong[注意：]请先保存，这是strong[《书名》]的内容)'),
  same('**“引号”**后 **a**中 中**b。**中 ~~删除。~~中', 'p(strong[“引号”]后 strong[a]中 中strong[b。]中 s[删除。]中)'),
  same('***粗斜。***后 **外*内。*后**', 'p(em strong[粗斜。]后 strong[外]em strong[内。]strong[后])'),
  same('**이것은 강조(bold)**입니다 **「強調」**です', 'p(strong[이것은 강조(bold)]입니다 strong[「強調」]です)'),
  same('_斜体。_后 a_b_c __init__.py (_a_) _a b_', 'p(_斜体。_后 a_b_c __init__.py (_a_) em[a b])'),
  same('**a~~b~~**~~c**d~~', 'p(strong[a]s strong[b]s[c**d])'),
  same('**a`**`b**', 'p(strong[a]code strong[**]strong[b])'),
  same('耗时5~10分钟，约20~30元; ~100~ and ~~200~~', 'p(耗时5~10分钟，约20~30元; ~100~ and s[200])'),
  same('x^2^ ==mark==。 #tag# <u>u</u> <kbd>K</kbd> <sup>1</sup>', 'p(x^2^ mark[mark]。 tag[tag] u[u] kbd[K] sup[1])'),
  same('详见https://example.com/docs，然后 www.a.com。', 'p(详见https://example.com/docs，然后 www.a.com。)'),
  same('A claim[^1].\n\n[^1]: Its source.', 'p(A claim[^1].) p([^1]: Its source.)'),
  same('It costs $5 and $6, and $x^2$', 'p(It costs $5 and $6, and math[x^2])'),
  same('$$\na\n\nb\n$$', 'math(a⏎⏎b)'),
  same('\\[\na = b\n\nc = d\n\\]', 'math(a = b⏎⏎c = d)'),
  same('> $$\n> a\n> \n> b\n> $$', 'quote(math(a⏎⏎b))'),
  same('- item\n  $$\n  a\n  $$', 'ul(li(p(item) math(a)))'),
  // The title of a callout is words alone in a note.
  {
    markdown: '> [!WARNING] Take **care**\n> body\n>\n> - a',
    shown: 'callout(⚠️ Take strong[care] p(body) ul(li(p(a))))',
    written: 'callout(⚠️ Take care p(body) ul(li(p(a))))',
  },
  same('> [!NOTE]\n> body', 'callout(✏️ Note p(body))'),
  same('- [-] cancelled\n- [ ] open\n- [x] done', 'ul(li[-](p(cancelled)) li[ ](p(open)) li[X](p(done)))'),
  same('- [1] A source\n- [2]\n\n1. [3] x\n2. [12] y', 'ul(li(p([1] A source)) li(p([2]))) ol(li(p([3] x)) li(p([12] y)))'),
  // A note has a mark on each line.
  {
    markdown: '**a\nb** *c\\\nd* ~~e  \nf~~ [g\nh](https://a.b)',
    shown: 'p(strong[a⏎b] em[c⏎d] s[e⏎f] a[g⏎h])',
    written: 'p(strong[a]⏎strong[b] em[c]⏎em[d] s[e]⏎s[f] a[g]⏎a[h])',
  },
  {
    markdown: '- <u>a\n  b</u>\n\n> [!NOTE]\n> *c\n> d*',
    shown: 'ul(li(p(u[a⏎b]))) callout(✏️ Note p(em[c⏎d]))',
    written: 'ul(li(p(u[a]⏎u[b]))) callout(✏️ Note p(em[c]⏎em[d]))',
  },
  {
    markdown: '| x |\n|---|\n| **a<br>b** c<br>d |',
    shown: 'table(x / strong[a⏎b] c⏎d)',
    written: 'table(x / strong[a]⏎strong[b] c⏎d)',
  },
  same('{{{row\none\n\n**two**\n}}}', 'super(p(one) p(strong[two]))'),
  same('| a | b |\n|---|---|\n| `x|y` | keep |\n| only |\n| 1 | 2 | 3 |', 'table(a|b / code[x|y]|keep / only| / 1|2 | 3)'),
  same('| a | b |\n|---|---|\n| $P(A|B)$ | \\| |', 'table(a|b / math[P(A|B)]||)'),
  same('text\n===\ntext\n---', 'p(text⏎===⏎text) hr()'),
  same('5. five\n6. six', 'ol(li(p(five)) li(p(six)))'),
  same('שלום **עולם**', 'p(שלום strong[עולם])'),
  // Text in a note, since SiYuan has no definitions of links.
  {
    markdown: '[link][ref]\n\n[ref]: https://a.b',
    shown: 'p(a[link]) p([ref]: https://a.b)',
    written: 'p([link][ref]) p([ref]: https://a.b)',
  },
  // A table of emoji names is not worth its size in the panel.
  { markdown: ':smile: a', shown: 'p(:smile: a)', written: 'p(😄 a)' },
];
