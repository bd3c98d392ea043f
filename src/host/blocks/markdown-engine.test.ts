import { expect, it } from 'vitest';
import { createMarkdownEngine } from './markdown-engine.ts';

/** A Lute of another version. */
const engineOf = (lute: object) => createMarkdownEngine({ New: () => lute });
const same = (text: string): string => text;
const plain = { Md2BlockDOM: same, BlockDOM2StdMd: same, SpinBlockDOM: same, CancelSuperBlock: same };

it('gives Markdown without ZWSP and line breaks at its end, whatever Lute leaves in it', () => {
  expect(engineOf(plain).toMarkdown('wo\u200brd\n\n')).toBe('word');
});

it('refuses text that Lute breaks on, with the next step', () => {
  const panics = (): string => {
    throw new Error('panic');
  };
  const engine = engineOf({ ...plain, Md2BlockDOM: panics, SpinBlockDOM: panics });
  expect(() => engine.toDom('{: id="x"}')).toThrow(expect.objectContaining({ code: 'unsafe_markdown' }));
  expect(() => engine.typed('x')).toThrow(expect.objectContaining({ code: 'unsafe_markdown' }));
});

it('names what a Lute lacks', () => {
  expect(() => engineOf({ Md2BlockDOM: () => '' }).toDom('x')).toThrow('lute_changed');
});
