import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockHtml, codeText, type MarkdownBlock } from './blocks.ts';
import { MarkdownStream } from './markdown-stream.ts';
import type { RenderOptions } from './render.ts';

const options: RenderOptions = {
  citation: () => 'pending',
  words: { unverified: 'unverified', unread: 'not read', source: 'source', image: 'Image:' },
};
const shown = (blocks: readonly MarkdownBlock[]): string[] => blocks.map((block) => blockHtml(block).trim());
const drawWhole = (text: string): string[] => shown(new MarkdownStream(options, (html) => html).finish(text, options));
const drawn = new Map<string, string[]>();
/** Few texts are cut in many ways: each is drawn whole once. */
const whole = (text: string): string[] => {
  const blocks = drawn.get(text) ?? drawWhole(text);
  drawn.set(text, blocks);
  return blocks;
};

const many = (count: number, unit: (index: number) => string): string => Array.from({ length: count }, (_, index) => unit(index)).join('');

/** Blocks so long that only their end is lexed while they arrive, and what may stand after them. */
const GIANTS: Readonly<Record<string, string>> = {
  'a tight list': many(
    60,
    (n) => `- item ${n} with **bold** and \`code\`, long enough to tell\n${n % 7 === 0 ? '  - nested\n  - more\n' : ''}`,
  ),
  'a numbered list': many(60, (n) => `${n + 3}. item ${n}, lazily\ncontinued\n`),
  'a list that turns loose late': `${many(50, (n) => `* item ${n} of the tight part of it\n`)}\n${many(10, (n) => `* item ${n} after an empty line\n\n`)}`,
  'a loose list of tasks': many(40, (n) => `- [${n % 2 ? 'x' : ' '}] task ${n} to be done some day\n\n  with a second paragraph\n\n`),
  'a table': `| a | b | c |\n| - | :-: | -: |\n${many(60, (n) => `| row ${n} | *x* | ((20260412093011-abc1234 "y")) |\n`)}`,
  'a table of uneven rows': `a | b\n:-- | --:\n${many(60, (n) => (n % 3 ? `only ${n}\n` : `1 | 2 | 3 | \\| ${n}\n`))}`,
  'a listing': `\`\`\`\`ts\n${many(120, (n) => `const a${n} = ${n};${n % 5 ? '' : '\n\n```'}\n`)}\`\`\`\`\n`,
  'a listing without an end': `~~~\n${many(120, (n) => `line ${n}\n`)}`,
  'an indented fence': `  \`\`\`\n${many(120, (n) => `  line ${n}\n`)}  \`\`\`\n`,
};
const AFTER = [
  '',
  '\nA paragraph after it.',
  '\n2',
  '\n\n- another list',
  '---\n',
  '\n> quoted\n',
  '# Heading\n',
  '\n[a]: https://a.example\n',
];

describe('a long block that arrives in pieces', () => {
  const cutText = fc
    .tuple(fc.constantFrom(...Object.values(GIANTS)), fc.constantFrom(...AFTER), fc.array(fc.nat(9999), { maxLength: 40 }))
    .map(([giant, after, cuts]) => {
      const text = `Before it.\n\n${giant}${after}`;
      const places = [...new Set([...cuts.map((cut) => cut % (text.length + 1)), text.length])].sort((one, other) => one - other);
      return places.map((place) => text.slice(0, place));
    });

  it('shows, wherever it was cut, what the whole text shows', () => {
    return fc.assert(
      fc.property(cutText, (steps) => {
        const stream = new MarkdownStream(options, (html) => html);
        for (const step of steps) stream.update(step);
        expect(shown(stream.blocks)).toEqual(whole(steps.at(-1) ?? ''));
      }),
      { numRuns: 600, seed: 20261122 },
    );
  });

  for (const [name, giant] of Object.entries(GIANTS)) {
    it(`shows at every character what the text so far shows: ${name}`, () => {
      const stream = new MarkdownStream(options, (html) => html);
      for (let end = giant.length - 400; end <= giant.length; end += 1) {
        const text = giant.slice(0, end);
        if (/\(\([^)]*\)?$/.test(text)) continue;
        expect(shown(stream.update(text))).toEqual(whole(text));
      }
    });
  }

  it('keeps the objects of its finished parts, also when the answer ends', () => {
    for (const name of ['a tight list', 'a table', 'a listing'] as const) {
      const text = (GIANTS[name] ?? '').repeat(2).replace(/````\n````ts/, 'x');
      const stream = new MarkdownStream(options, (html) => html);
      const partsAt = (end: number) => {
        const [block] = stream.update(text.slice(0, end));
        return block && 'parts' in block ? block.parts : [];
      };
      partsAt(text.length - 2400);
      const early = partsAt(text.length - 1200);
      const late = partsAt(text.length);
      expect(late.length).toBeGreaterThan(1);
      expect(late[0]).toBe(early[0]);
      const [end] = stream.finish(text, options);
      expect(end && 'parts' in end && end.parts[0]).toBe(early[0]);
    }
  });
});

describe('the work for one long block', () => {
  const LONG: Readonly<Record<string, string>> = {
    table: `| a | b |\n| - | - |\n${many(1500, (n) => `| row ${n} | some text in it |\n`)}`,
    list: many(1500, (n) => `- item ${n} with **bold** text\n`),
    listing: `\`\`\`js\n${many(1500, (n) => `const value${n} = ${n};\n`)}`,
    paragraph: many(1500, (n) => `word${n} and **bold ${n}** too, `),
  };
  for (const [name, text] of Object.entries(LONG)) {
    it(`grows with its length, not with the square of it: ${name}`, () => {
      let drawn = 0;
      const stream = new MarkdownStream(options, (html) => {
        drawn += html.length;
        return html;
      });
      const steps = Math.ceil(text.length / 25);
      for (let end = 25; end <= text.length; end += 25) stream.update(text.slice(0, end));
      // At most a part and the unsettled end for each step.
      expect(drawn / steps).toBeLessThan(6000);
    });
  }

  it('gives the text of a listing back as it was', () => {
    const stream = new MarkdownStream(options, (html) => html);
    const [block] = stream.update(LONG.listing ?? '');
    expect(block?.kind === 'code' && codeText(block)).toBe(LONG.listing?.slice(6, -1));
  });

  it('shows a long paragraph as the full parse does once the answer ends', () => {
    const stream = new MarkdownStream(options, (html) => html);
    const text = LONG.paragraph ?? '';
    for (let end = 0; end <= text.length; end += 100) stream.update(text.slice(0, end));
    stream.update(text);
    expect(stream.blocks[0]?.kind).toBe('paragraph');
    expect(shown(stream.blocks)).toEqual(whole(text));
    expect(shown(stream.finish(`${text}\n\nEnd.`, options))).toEqual(whole(`${text}\n\nEnd.`));
  });
});
