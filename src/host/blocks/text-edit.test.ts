import { describe, expect, it } from 'vitest';
import { createContentFilter } from '../content/content-filter.ts';
import { testEngine } from '../testing/lute.ts';
import { type BlockElement, parseBlock, serializeBlock } from './block-dom.ts';
import type { TextEdit } from './block-edit.ts';
import { replaceInText } from './text-edit.ts';

const engine = testEngine();
const filter = createContentFilter({ engine, clock: { now: () => 0, today: () => '2026-01-01' }, random: Math.random });
const write = async (markdown: string) => (await filter.filter({ markdown, knownReferences: async (ids) => new Set(ids) })).blocks;
const literal = (text: string) =>
  parseBlock(
    `<div data-node-id="20200101000000-aaaaaaa" data-type="NodeParagraph" class="p"><div contenteditable="true" spellcheck="false">${text}</div><div class="protyle-attr" contenteditable="false">\u200b</div></div>`,
  )!;
const edit = async (target: BlockElement, edits: readonly TextEdit[]): Promise<string> => {
  await replaceInText(target, edits, write);
  return serializeBlock(target);
};
const edited = (text: string, old: string, fresh: string) => edit(literal(text), [{ old, new: fresh }]);
const same = (text: string) => serializeBlock(literal(text));

describe('replaceInText', () => {
  it('changes one text node and nothing else', async () => {
    expect(await edited('*stars* cost 100 and 200', '100', '150')).toBe(same('*stars* cost 150 and 200'));
    expect(await edited('*x* a', 'a', '')).toBe(same('*x* '));
  });
  it('finds text across ZWSP and keeps the marks around it', async () => {
    const target = literal('a \u200b<span data-type="code">\u200bcode</span>\u200b tail *x*');
    const dom = await edit(target, [
      { old: 'code', new: 'CODE' },
      { old: ' tail', new: ' TAIL' },
    ]);
    expect(dom).toContain('<span data-type="code">\u200bCODE</span>\u200b TAIL *x*');
  });
  it('reads what it puts in as Markdown, where the text is Markdown', async () => {
    expect(await edited('*x* old way', 'old', '**new**')).toBe(same('*x* <span data-type="strong">new</span> way'));
    expect(await edited('*x* the old way.', 'old way', '[way](https://a.example), *new*')).toBe(
      same('*x* the <span data-type="a" data-href="https://a.example">way</span>, <span data-type="em">new</span>.'),
    );
    expect(await edited('*x* <span data-type="em">all of it</span> y', 'of', '**of**')).toBe(
      same('*x* <span data-type="em">all </span><span data-type="em strong">of</span><span data-type="em"> it</span> y'),
    );
    expect(await edited('*x* <span data-type="code">a</span> y', 'a', '**a**')).toContain('<span data-type="code">**a**</span>');
  });
  it('ends a mark at the end of a line and begins it again on the next', async () => {
    expect(await edited('*x* <span data-type="u">one two</span> y', ' two', '\nthree **four**')).toBe(
      same('*x* <span data-type="u">one</span>\n<span data-type="u">three </span><span data-type="u strong">four</span> y'),
    );
    expect(await edited('*x* <span data-type="strong">one two</span> y', ' two', '\ntwo')).toBe(
      same('*x* <span data-type="strong">one</span>\n<span data-type="strong">two</span> y'),
    );
    expect(await edited('*x* <span data-type="kbd">one two</span> y', ' two', '\ntwo')).toBe(
      same('*x* <span data-type="kbd">one\ntwo</span> y'),
    );
  });
  it('does several edits of one text at once, whatever the first puts in', async () => {
    const target = literal('*x* one two three');
    const dom = await edit(target, [
      { old: 'one', new: '**two**' },
      { old: 'two', new: 'one' },
      { old: 'three', new: '*3*' },
    ]);
    expect(dom).toBe(same('*x* <span data-type="strong">two</span> one <span data-type="em">3</span>'));
  });
  it.each([
    ['crosses a mark', 'one two', 'x'],
    ['matches twice', 'two', 'x'],
    ['brings paragraphs', 'one', 'x\n\ny'],
    ['brings a list', 'one', 'x\n- y'],
  ])('refuses what %s', async (_what, old, fresh) => {
    await expect(edited('one <span data-type="strong">two</span> two', old, fresh)).rejects.toMatchObject({ code: 'not_markdown_safe' });
  });
});
