import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pdfOfPages } from '../../../tests/support/pdf.ts';
import { assetPath } from './asset-path.ts';
import { fileText as textOf } from './file-text.ts';
import type { ReadPdf } from './pdf-text.ts';

/** In a process of its own: pdf.js leaves its worker on the global object. */
const readPdf: ReadPdf = async (bytes, part) => {
  const reader = JSON.stringify(join(import.meta.dirname, 'pdf-text.ts'));
  const program = `const { pdfPages } = await import(${reader}); console.log(JSON.stringify(await pdfPages(Buffer.from('${Buffer.from(bytes).toString('base64')}', 'base64'), ${JSON.stringify(part)})));`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }).trim().split('\n').at(-1) ?? '',
  );
};

const fileText = (file: Parameters<typeof textOf>[0], range: Parameters<typeof textOf>[1]) => textOf(file, range, readPdf);
const text = (words: string) => ({ path: 'assets/a.txt', bytes: new TextEncoder().encode(words) });
const pdf = (...pages: string[]) => ({ path: 'assets/a.PDF', bytes: pdfOfPages(pages) });

describe('the text of a file', () => {
  it('of a PDF comes by its pages, those that were asked for', async () => {
    const file = pdf('One albedo', 'Two roofs', '', 'Four trees');
    expect(await fileText(file, { from: 1 })).toEqual({
      isPdf: true,
      from: 1,
      total: 4,
      texts: ['One albedo', 'Two roofs', '', 'Four trees'],
    });
    expect(await fileText(file, { from: 2, to: 3 })).toEqual({ isPdf: true, from: 2, total: 4, texts: ['Two roofs', ''] });
  });

  it('of a long PDF stops where an answer is full, and the first page always comes', async () => {
    const long = Array.from({ length: 100 }, () => 'words '.repeat(8).trim()).join('\n');
    const file = pdf(long, long, 'short');
    expect((await fileText(file, { from: 1 })).texts).toEqual([long]);
    expect((await fileText(file, { from: 2 })).texts).toEqual([long, 'short']);
  });

  it('of a text file comes in pieces that end with a line and hold every letter', async () => {
    const words = Array.from({ length: 900 }, (_, line) => `line ${line} 😀`).join('\n');
    const first = await fileText(text(words), { from: 1 });
    const pieces = await Promise.all(Array.from({ length: first.total }, (_, index) => fileText(text(words), { from: index + 1 })));
    expect(first.total).toBeGreaterThan(1);
    expect(pieces.flatMap(({ texts }) => texts).join('\n')).toBe(words);
  });

  it('of a PDF has letters in place of the radicals that look like them', async () => {
    const items = [{ str: '\u2f00\u2f45\u2ea0', hasEOL: true }, { str: '第\u2f00章' }];
    const reader = JSON.stringify(join(import.meta.dirname, 'pdf-text.ts'));
    const program = `const { pageText } = await import(${reader}); console.log(await pageText({ getTextContent: async () => (${JSON.stringify({ items })}) }));`;
    expect(execFileSync(process.execPath, ['--input-type=module', '--no-warnings', '-e', program], { encoding: 'utf8' })).toBe(
      '一方民\n第一章\n',
    );
  });

  it('of an attached PDF stands below the numbers of its pages, also of those without text', async () => {
    const { bytes } = pdf('One albedo', '', 'Three roofs');
    const reader = JSON.stringify(join(import.meta.dirname, 'attached-text.ts'));
    const program = `const { attachedFile } = await import(${reader}); console.log(JSON.stringify(await attachedFile({ name: 'a.pdf', mime: '', bytes: Buffer.from('${bytes.toString('base64')}', 'base64') })));`;
    const read = execFileSync(process.execPath, ['--input-type=module', '--no-warnings', '-e', program], { encoding: 'utf8' });
    expect(JSON.parse(read)).toMatchObject({
      text: '--- page 1 ---\nOne albedo\n--- page 2 ---\n(no text: a picture)\n--- page 3 ---\nThree roofs',
    });
  });

  it('of one line without end is not cut inside a letter', async () => {
    const words = '😀'.repeat(8000);
    const first = await fileText(text(words), { from: 1 });
    const pieces = await Promise.all(Array.from({ length: first.total }, (_, index) => fileText(text(words), { from: index + 1 })));
    expect(pieces.flatMap(({ texts }) => texts).join('')).toBe(words);
    expect(pieces.flatMap(({ texts }) => texts).every((piece) => piece.isWellFormed())).toBe(true);
  });

  it.each([
    ['past the last page', pdf('One'), { from: 2 }, 'past_end'],
    ['past the last piece', text('one'), { from: 2 }, 'past_end'],
    ['a damaged PDF', { path: 'assets/a.pdf', bytes: new Uint8Array([37, 80, 68, 70, 1]) }, { from: 1 }, 'not_text'],
    ['a program', { path: 'assets/a.zip', bytes: new Uint8Array([80, 75, 3, 4, 0, 0]) }, { from: 1 }, 'not_text'],
    ['an empty file', text(''), { from: 1 }, 'not_text'],
  ])('is refused for %s', async (_name, file, range, code) => {
    await expect(fileText(file, range)).rejects.toMatchObject({ code });
  });

  it('of a drawing with a script is its source, as text', async () => {
    const source = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    expect((await fileText({ path: 'assets/a.svg', bytes: new TextEncoder().encode(source) }, { from: 1 })).texts).toEqual([source]);
  });
});

describe('the path of a file', () => {
  it('is below assets, without what follows a question mark', () => {
    expect(assetPath(' assets/a/b c.pdf?page=3 ')).toBe('assets/a/b c.pdf');
    for (const path of [
      'assets',
      'assets/../x',
      'assets/a.pdf.SYA',
      'data/assets/x',
      'assets/a\\b',
      'assets/\u0000x',
      'assets/ocr-texts.json',
    ])
      expect([path, assetPath(path)]).toEqual([path, undefined]);
  });
});
