import { describe, expect, it } from 'vitest';
import { ignoreLines, withOurLines } from './embedding-ignore.ts';

const guard = (id: string, document: string, notebook: string) => ({ id, document, notebook });

describe('the file of notes without embeddings', () => {
  it('names notebooks by folder, documents with what is below them, and of a guarded block its document alone', () => {
    const guards = [
      guard('d1', 'd1', 'n1'),
      guard('b1', 'd2', 'n1'),
      guard('b2', 'd2', 'n1'),
      guard('n2', 'n2', 'n2'),
      guard('d3', 'd3', 'n3'),
    ];
    expect(ignoreLines(['n3'], guards).split('\n').slice(1, -1)).toEqual(['/n2/', '/n3/', 'd1.sy', 'd1/', 'd2.sy']);
    expect(ignoreLines([], [])).toBe('');
  });

  const ours = ignoreLines(['n1'], []);
  const newer = ignoreLines(['n1', 'n2'], []);

  it.each(['', '*.tmp', '*.tmp\n', '# mine\r\n/box/\r\n', '/a/\n\n# b\n'])('keeps every line of %j, and gives it back', (file) => {
    const lines = file.replaceAll('\r\n', '\n').replace(/\n+$/, '');
    const written = withOurLines(file, ours);
    expect(written).toBe(lines === '' ? `${ours}\n` : `${lines}\n${ours}\n`);
    expect(withOurLines(written, ours)).toBe(written);
    expect(withOurLines(written, newer)).toContain(newer);
    expect(withOurLines(withOurLines(written, newer), ours)).toBe(written);
    expect(withOurLines(written, '')).toBe(lines === '' ? '' : `${lines}\n`);
  });

  it('keeps lines that somebody added behind ours, and a beginning of ours without an end', () => {
    const added = `${withOurLines('*.tmp', ours)}/late/\n`;
    expect(withOurLines(added, newer)).toBe(`*.tmp\n${newer}\n/late/\n`);
    expect(withOurLines(added, '')).toBe('*.tmp\n/late/\n');
    const torn = ours.split('\n')[0] ?? '';
    expect(withOurLines(torn, ours)).toBe(`${torn}\n${ours}\n`);
  });
});
