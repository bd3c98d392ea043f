import { type ChildNode, isTag, isText } from 'domhandler';
import { describe, expect, it } from 'vitest';
import { testEngine } from '../testing/lute.ts';
import { parseBlocks } from './block-dom.ts';
import { hashOfContent } from './block-hash.ts';

const engine = testEngine();
const textIn = (node: ChildNode): string => {
  if (isText(node)) return node.data;
  if (!isTag(node) || node.attribs.class === 'protyle-attr') return '';
  return node.name === 'br' ? '\n' : node.children.map(textIn).join('') + (/^(?:div|td|th)$/.test(node.name) ? '\n' : '');
};
const textOf = (markdown: string): string => parseBlocks(engine.toDom(markdown)).map(textIn).join('\n').replaceAll('\u200b', '');
/** The words of a note that are written in capitals. */
const words = (markdown: string): string[] => textOf(markdown).match(/[A-Z]{2,}/g) ?? [];
/** Marks and breaks of the first block. */
const marked = (markdown: string): string =>
  engine
    .toDom(markdown)
    .replace(/<span data-type="([^"]*)"[^>]*>([^<]*)<\/span>/g, '$1[$2]')
    .replace(/<br[^>]*>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replaceAll('\u200b', '');

const MARKS: readonly (readonly [string, string])[] = [
  ['**', '**'],
  ['__', '__'],
  ['*', '*'],
  ['_', '_'],
  ['***', '***'],
  ['~~', '~~'],
  ['<u>', '</u>'],
  ['<kbd>', '</kbd>'],
  ['<sup>', '</sup>'],
  ['<sub>', '</sub>'],
  ['<mark>', '</mark>'],
  ['<b>', '</b>'],
  ['[', '](https://a.b)'],
  ['[', '](https://a.b "title")'],
  ['`', '`'],
  ['==', '=='],
  ['#', '#'],
  ['', ''],
];
const PLACES: readonly (readonly [string, string])[] = [
  ['', ''],
  ['- ', '  '],
  ['1. ', '   '],
  ['- [ ] ', '  '],
  ['> ', '> '],
  ['> - ', '>   '],
  ['> [!NOTE]\n> ', '> '],
];
const BREAKS = ['\n', '\\\n', '  \n', ' \n', '<br>', '<br />', '<br>\n'];
const WORDS = ['ALPHA', 'BETA', 'GAMMA', 'DELTA'];

describe('line breaks within marks', () => {
  it.each(MARKS)('part words wherever they stand: %s…%s', (open, close) => {
    for (const [first, next] of PLACES) {
      for (const lineBreak of BREAKS) {
        // Tags in code are hidden from the engine by content-filter.ts.
        if (open === '`' && lineBreak.startsWith('<')) continue;
        const text = `${first}ALPHA ${open}BETA¶GAMMA${close} DELTA`.replace('¶', lineBreak.replace('\n', `\n${next}`));
        expect([text, words(text)]).toEqual([text, WORDS]);
      }
    }
    for (const lineBreak of open === '`' ? [] : ['<br>', '<br/>']) {
      const text = `| a | b |\n|---|---|\n| ALPHA ${open}BETA${lineBreak}GAMMA${close} | DELTA |`;
      expect([text, words(text)]).toEqual([text, WORDS]);
    }
  });

  it.each(MARKS)('part words within further marks: %s…%s', (open, close) => {
    for (const [innerOpen, innerClose] of MARKS) {
      if (innerOpen === '~~' && open === '~~') continue;
      for (const inner of [`ALPHA¶${innerOpen}BETA¶GAMMA${innerClose}`, `${innerOpen}ALPHA¶BETA${innerClose} GAMMA`]) {
        const text = `${open}${inner}${close} DELTA`.replaceAll('¶', '\n');
        expect([text, words(text)]).toEqual([text, WORDS]);
      }
    }
  });

  it('end a mark on each line, and print as that', () => {
    expect(marked('**a\nb** *c\\\nd* [e  \nf](https://a.b) g')).toBe('strong[a]\nstrong[b] em[c]\nem[d] a[e]\na[f] g');
    expect(marked('x **one *two\nthree* four** y')).toBe('x strong[one ]strong em[two]\nstrong em[three]strong[ four] y');
    const printed = engine.toMarkdown(engine.toDom('- **a\n  b**'));
    expect(printed).toBe('- **a**\n  **b**');
    expect(hashOfContent(engine.toDom(printed))).toBe(hashOfContent(engine.toDom('- **a\n  b**')));
  });

  it('leave what holds none as it is', () => {
    for (const text of [
      '**a**\n*b*',
      '- **a** x\n- *b*',
      '# **a**\n\n*b*',
      '| *a* | b |\n|---|---|\n| *c* | d |',
      '*a*\n\n---\n\n*b*',
      '_a\n***\nb_',
    ])
      expect([text, textOf(text)]).toEqual([text, expect.not.stringMatching(/[\u1680\u2028]/)]);
    expect(marked('**a**\n*b*')).toBe('strong[a]\nem[b]');
    expect(marked('`a\nb` *c*')).toBe('code[a b] em[c]');
    expect(engine.toDom('*a\n\n```\n**a\nb** *c*\n```')).toContain('**a\nb** *c*\n');
    expect(engine.toMarkdown(engine.toDom('> [!NOTE]\n> *a\n> b*'))).toBe('> [!NOTE]\n> *a*\n> *b*');
  });

  it('are kept beside one that cannot be', () => {
    expect(textOf('**<br>b** c\n\n*d\ne*')).toContain('d\ne');
  });

  it('are kept in a text that holds the sign for them itself', () => {
    expect(marked('a\u1680b **c\nd**')).toBe('a\u1680b strong[c]\nstrong[d]');
  });

  it('become blanks in the words for a picture', () => {
    expect(engine.toMarkdown(engine.toDom('> ![one\n> two](assets/a.png)'))).toBe('> ![one two](assets/a.png)');
  });
});
