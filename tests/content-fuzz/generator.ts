import { disguised } from './disguise.ts';
import { Payloads } from './payloads.ts';
import { type Choices, choicesFor } from './random.ts';

const IDS = ['20200101000000-aaaaaaa', '20200101000000-bbbbbbb'] as const;
const CALLOUTS = ['NOTE', 'TIP', 'WARNING', 'note', '自定义', 'T'] as const;

/** Random Markdown out of everything that Lute reads, wrapped into each other a few levels deep, with something hostile inside. */
class Composer {
  private readonly choices: Choices;
  private readonly payloads: Payloads;

  constructor(choices: Choices, number: number) {
    this.choices = choices;
    this.payloads = new Payloads(choices, number);
  }

  /** What is at the bottom: a hostile text, often disguised. */
  private leaf(): string {
    return disguised(this.payloads.text(), this.choices);
  }

  private address(): string {
    const address = disguised(this.payloads.address(), this.choices);
    return this.choices.chance(0.15) ? `<${address}>` : address;
  }

  private title(): string {
    if (this.choices.chance(0.4)) return '';
    const [open, close] = this.choices.pick([
      ['"', '"'],
      ["'", "'"],
      ['(', ')'],
    ]);
    return ` ${open}${this.leaf()}${close}`;
  }

  private attributes(): string {
    const value = (): string => disguised(this.payloads.text(), this.choices).replace(/\n/g, ' ');
    const name = this.choices.pick([
      'style',
      'onclick',
      'memo',
      'name',
      'custom-x',
      'id',
      'title',
      'data-type',
      'data-content',
      'bookmark',
      'alias',
      'parent-style',
      'colgroup',
      'caption',
    ]);
    return `{: ${name}="${value()}"${this.choices.chance(0.3) ? ` style="background:url(//evil.example/)"` : ''}}`;
  }

  inline(depth: number): string {
    const inner = (): string => (depth > 0 && this.choices.chance(0.75) ? this.inline(depth - 1) : this.leaf());
    const { choices, payloads } = this;
    const around = (open: string, close = open): string => `${open}${inner()}${close}`;
    switch (choices.below(24)) {
      case 0:
      case 1:
        return around('**');
      case 2:
        return around('*');
      case 3:
        return around('~~');
      case 4:
        return around('==');
      case 5:
        return around(choices.pick(['^', '~']));
      case 6:
        return around('<u>', '</u>');
      case 7:
        return around(choices.pick(['`', '``']));
      case 8:
        return around('#');
      case 9:
        return around('<kbd>', '</kbd>');
      case 10:
        return around(choices.pick(['__', '_', '***', '**~~']));
      case 11:
      case 12:
        return `[${inner()}](${this.address()}${this.title()})`;
      case 13:
      case 14:
        return `![${inner()}](${this.address()}${this.title()})${choices.chance(0.2) ? this.attributes() : ''}`;
      case 15:
      case 16:
        return `$${disguised(payloads.formula(), choices)}$`;
      case 17:
        return `((${choices.pick(IDS)} ${choices.pick(['"', "'"])}${inner()}${choices.pick(['"', "'"])}))`;
      case 18:
        return choices.pick([`<${this.address()}>`, `<<assets/x.pdf/20200101000000-aaaaaaa "${inner()}">>`, `[${inner()}][1]`]);
      case 19:
        return `${around('**')}${this.attributes()}`;
      case 20:
        return `<span data-type="${choices.pick(['strong', 'a', 'inline-memo', 'text', 'tag', 'code', 'img', 'block-ref', 'file-annotation-ref', 'virtual-block-ref', 'strong a'])}" ${choices.pick(['data-href', 'data-title', 'data-inline-memo-content', 'style', 'data-content', 'data-id', 'title'])}="${this.leaf()}">${inner()}</span>`;
      case 21:
        return `${inner()}${choices.pick([' ', '', '\n', '<br>', '<br/>'])}${inner()}`;
      default:
        return this.leaf();
    }
  }

  private lines(text: string, prefix: string, first = prefix): string {
    return text
      .split('\n')
      .map((line, index) => `${index === 0 ? first : prefix}${line}`)
      .join('\n');
  }

  private fence(language: string, source: string): string {
    const mark = this.choices.pick(['```', '```', '~~~', '````']);
    return `${mark}${language}\n${source}\n${mark}`;
  }

  private table(depth: number): string {
    const cell = (): string => this.inline(depth).replace(/\n/g, ' ');
    const attributes = this.choices.chance(0.15) ? `\n${this.attributes()}` : '';
    return `| ${cell()} | ${cell()} |\n| - | :-: |\n| ${cell()} | ${cell()} |${attributes}`;
  }

  block(depth: number): string {
    const { choices, payloads } = this;
    const inner = (): string => (depth > 0 && choices.chance(0.6) ? this.block(depth - 1) : this.inline(depth));
    switch (choices.below(22)) {
      case 0:
        return `${'#'.repeat(1 + choices.below(6))} ${this.inline(depth)}`;
      case 1:
      case 2:
        return this.lines(inner(), '  ', choices.pick(['- ', '* ', '+ ']));
      case 3:
        return this.lines(inner(), '   ', '1. ');
      case 4:
        return this.lines(inner(), '  ', choices.pick(['- [ ] ', '- [x] ', '- [<] ', '- ["] ']));
      case 5:
        return this.lines(inner(), '> ');
      case 6:
        return `> [!${choices.pick(CALLOUTS)}]${choices.chance(0.6) ? ` ${this.inline(depth).replace(/\n/g, ' ')}` : ''}\n${this.lines(inner(), '> ')}`;
      case 7:
        return `{{{${choices.pick(['row', 'col', '"'])}\n${inner()}\n\n${inner()}\n}}}`;
      case 8:
      case 9:
        return this.table(depth);
      case 10:
      case 11:
        return `$$\n${disguised(payloads.formula(), choices)}\n$$`;
      case 12:
      case 13:
        return this.fence(
          choices.pick(['mermaid', 'mermaid', 'mermaid', disguised('mermaid', choices)]),
          choices.chance(0.7) ? payloads.diagram() : disguised(payloads.diagram(), choices),
        );
      case 14:
        return this.fence(
          disguised(payloads.language(), choices),
          disguised(choices.chance(0.5) ? payloads.source() : payloads.text(), choices),
        );
      case 15:
        return `{{${disguised(choices.pick(['//!js_esc_newline_fuzz(1)', 'SELECT * FROM blocks', 'select 1; fuzz(1)', '//!js fuzz(1)']), choices)}}}`;
      case 16:
        return choices.pick([`<div>\n${this.leaf()}\n</div>`, this.leaf()]);
      case 17:
        return `${this.inline(depth)}\n${this.attributes()}`;
      case 18:
        return choices.pick([
          `---\ntitle: ${this.leaf()}\n---`,
          `[1]: ${this.address()}${this.title()}`,
          `[^1]: ${this.leaf()}`,
          '---',
          `${this.attributes()}\n${inner()}`,
        ]);
      // The start of a task, which the editor makes one of as soon as somebody types in the block.
      case 19:
        return `${choices.pick(['', '# ', '> ', '- a\n\n  '])}${choices.pick(['[x]', '[]', '[1]', '【】', '[a](', '&#91;!]'])}${this.inline(depth)}`;
      default:
        return this.inline(depth + 1);
    }
  }

  document(): string {
    const count = this.choices.pick([1, 1, 1, 2, 3]);
    const blocks = Array.from({ length: count }, () => this.block(this.choices.below(4)));
    return blocks.join(this.choices.pick(['\n\n', '\n\n', '\n']));
  }
}

/** Longer ones say nothing that shorter ones do not, and cost ten times as much. */
const LONGEST = 1500;

/** The composition of a number. */
export function composition(seed: number, index: number): string {
  const choices = choicesFor(seed, index);
  for (;;) {
    const text = new Composer(choices, index).document();
    if (text.length <= LONGEST) return text;
  }
}
