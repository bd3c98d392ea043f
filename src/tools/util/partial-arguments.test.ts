import { describe, expect, it } from 'vitest';
import { PartialArguments } from './partial-arguments.ts';

function read(...fragments: readonly string[]) {
  const reader = new PartialArguments();
  for (const fragment of fragments) reader.take(fragment);
  return reader.known();
}

/** Of several sizes, so that strings, escapes and names are cut everywhere. */
const cut = (text: string, size: number): string[] => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];

describe('arguments of a call that is still being written', () => {
  it('are what has arrived so far: text as text, and of nested values the last text', () => {
    expect(read('{"path": "/Trips/Ja')).toEqual({ path: '/Trips/Ja' });
    expect(read('{"path": "/a", "limit": 1')).toEqual({ path: '/a', limit: '1' });
    expect(read('{"ids": ["a", "b')).toEqual({ ids: 'b' });
    expect(read('{"edits": [{"old": "a, b", "ne')).toEqual({ edits: 'a, b' });
    expect(read('{"edits": [{"old": "a, b", "new": "}"}], "x')).toEqual({ edits: '}' });
    expect(read('{"edits": [{"old')).toEqual({ edits: '' });
    expect([read(), read('{'), read('{"pa'), read('no object')]).toEqual([{}, {}, {}, {}]);
  });

  it('are the same wherever the text is cut', () => {
    const args = { markdown: 'He said "go" \\ and\nleft: {1, [2]}', emoji: '😀é\u2028', list: [1, { a: 'x,y' }], no: null };
    const text = JSON.stringify(args).replace('é', '\\u00e9');
    const whole = { markdown: args.markdown, emoji: '😀é', list: 'x,y', no: 'null' };
    for (let size = 1; size <= text.length; size++) expect(read(...cut(text, size))).toEqual(whole);
  });

  it('are limited: a long text shows only its end, which begins at the same place for a while', () => {
    const lines = Array.from({ length: 4000 }, (_, index) => `Line ${index} of a long note.`).join('\n');
    const text = JSON.stringify({ markdown: lines });
    const { markdown = '' } = read(...cut(text, 7));
    expect(markdown.length).toBeLessThanOrEqual(801);
    expect(markdown).toMatch(/^…Line \d+ of/);
    expect(markdown.endsWith('Line 3999 of a long note.')).toBe(true);
    const starts = new Set<string>();
    const reader = new PartialArguments();
    for (const piece of cut(text.slice(0, 4000), 5)) {
      reader.take(piece);
      starts.add(reader.known().markdown?.slice(0, 20) ?? '');
    }
    expect(starts.size).toBeLessThan(25);
    expect(Object.keys(read(`{${Array.from({ length: 100 }, (_, index) => `"a${index}":1`).join(',')}}`))).toHaveLength(20);
  });
});
