import { describe, expect, it } from 'vitest';
import { createContentFilter } from '../content/content-filter.ts';
import { testEngine } from '../testing/lute.ts';
import { adoptIdentity } from './block-align.ts';
import { allBlocks, type BlockElement, blockId, childBlocks, parseBlock, serializeBlock } from './block-dom.ts';
import { isMarkdownSafe, leafWith, replaceOnce } from './block-edit.ts';

const engine = testEngine();
const block = (markdown: string) => parseBlock(engine.toDom(markdown))!;
const literal = (text: string) =>
  parseBlock(
    `<div data-node-id="20200101000000-aaaaaaa" data-type="NodeParagraph" class="p"><div contenteditable="true" spellcheck="false">${text}</div><div class="protyle-attr" contenteditable="false">\u200b</div></div>`,
  )!;
const filter = createContentFilter({ engine, clock: { now: () => 0, today: () => '2026-01-01' }, random: Math.random });
const isSafe = (target: BlockElement): Promise<boolean> =>
  isMarkdownSafe(
    engine,
    target,
    async (markdown) => (await filter.filter({ markdown, knownReferences: async (ids) => new Set(ids) })).blocks,
  );
const code = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
  return 'no error';
};

describe('replaceOnce', () => {
  it('replaces several places at once, by their first positions', () => {
    expect(
      replaceOnce('a b c', [
        { old: 'c', new: 'a' },
        { old: 'a', new: 'c' },
      ]),
    ).toBe('c b a');
  });
  it('reads past ZWSP in a quotation: the model was shown none', () => {
    expect(replaceOnce('a word', [{ old: 'wo\u200brd', new: 'b' }])).toBe('a b');
    expect(blockId(leafWith(engine, block('- milk\n- bread'), [{ old: 'mi\u200blk', new: 'x' }])!)).not.toBe('');
  });
  it('refuses what is missing, double, overlapping or empty', () => {
    expect(code(() => replaceOnce('a b', [{ old: 'x', new: '' }]))).toBe('no_match');
    expect(code(() => replaceOnce('aa', [{ old: 'a', new: '' }]))).toBe('many_matches');
    expect(code(() => replaceOnce('aaa', [{ old: 'aa', new: '' }]))).toBe('many_matches');
    expect(
      code(() =>
        replaceOnce('abc', [
          { old: 'ab', new: '' },
          { old: 'bc', new: '' },
        ]),
      ),
    ).toBe('many_matches');
    expect(code(() => replaceOnce('abc', [{ old: '', new: 'x' }]))).toBe('no_match');
    expect(code(() => replaceOnce('abc', []))).toBe('no_match');
  });
});

describe('isMarkdownSafe', () => {
  it('does not take white space at the end of a block for a loss', async () => {
    expect(await isSafe(literal('a word '))).toBe(true);
    expect(await isSafe(literal('a word \u200b'))).toBe(true);
    expect(await isSafe(literal('a <span data-type="strong" style="color:red">b</span> '))).toBe(false);
  });

  it.each([
    'a **b** `c`',
    '# h',
    '- a\n  - b',
    '- [x] a',
    '1. a',
    '> q',
    '```js\nx\n```',
    '| a | b |\n|-|-|\n| 1 | 2 |',
    '$$\nx\n$$',
    'a #tag# b',
    '![x](assets/x.png)',
  ])('says yes to %s', async (markdown) => {
    expect(await isSafe(block(markdown))).toBe(true);
  });
  it('says yes to signs that are no Markdown to people', async () => {
    for (const text of ['$100 and $200', 'x^2 + y^2', 'a==b==c', '5~6 7~8']) expect(await isSafe(literal(text))).toBe(true);
  });

  it.each(['1. not a list', '# not a heading', '*stars*', '#no tag#', '{: id="x"}', 'a<span data-type="text" style="color: red">b</span>'])(
    'says no to the text %s',
    async (text) => {
      expect(await isSafe(literal(text))).toBe(false);
    },
  );
});

describe('containers', () => {
  it('finds the leaf that an edit means', () => {
    const list = block('- milk\n- bread\n  - rye');
    expect(engine.toMarkdown(serializeBlock(leafWith(engine, list, [{ old: 'rye', new: 'x' }])!))).toBe('rye');
    expect(leafWith(engine, list, [{ old: 'r', new: 'x' }])).toBeUndefined();
  });

  it('keeps ids and attributes of children that did not change, and ids of those that did', () => {
    const old = block('- a\n- b\n- c');
    const items = childBlocks(old);
    items[1]!.attribs['custom-mine'] = 'yes';
    const fresh = block('- a\n- b changed\n- new\n- c');
    adoptIdentity(old, fresh, (each) => engine.toMarkdown(serializeBlock(each)));
    const now = childBlocks(fresh);
    expect(blockId(fresh)).toBe(blockId(old));
    expect([now[0], now[1], now[3]].map((each) => blockId(each!))).toEqual(items.map(blockId));
    expect(now[1]!.attribs['custom-mine']).toBe('yes');
    expect(engine.toMarkdown(serializeBlock(fresh))).toBe('- a\n- b changed\n- new\n- c');
    const ids = allBlocks(fresh).map(blockId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('keeps, of items that say the same, the one that stays in its place', () => {
    const old = block('- x\n- y\n- x');
    const [first, ...stay] = childBlocks(old).map(blockId);
    const fresh = block('- y\n- x');
    adoptIdentity(old, fresh, (each) => engine.toMarkdown(serializeBlock(each)));
    expect(childBlocks(fresh).map(blockId)).toEqual(stay);
    expect(stay).not.toContain(first);
  });
});
