import { describe, expect, it } from 'vitest';
import { formatRow } from './page.ts';
import { setFolder } from './sets.ts';

const ROW = { set: 'words', version: '1.0', measured: 'understood', cases: 3, ours: '2', holds: false, failed: ['two\nlines'] };

describe('what a run of the evaluation prints', () => {
  it('is a row with what is wanted, the peer and the reason, and below it the cases that failed', () => {
    const peer = { name: 'other', figure: '1', how: 'its own tests' };
    expect(formatRow({ ...ROW, wanted: '3', peer, reason: 'no word for it' })).toBe(
      'MISSED words 1.0: understood: 2 of 3 cases; wanted: 3; other: 1 (its own tests); no word for it\n         two\\nlines',
    );
    expect(formatRow({ ...ROW, holds: true, failed: [] })).toBe('ok     words 1.0: understood: 2 of 3 cases');
  });

  it('says how to get a set that is not there', () => {
    expect(() => setFolder({ full: true }, 'words', 'npm pack words')).toThrow(
      /^set_missing: no folder of sets is given → npm pack words/u,
    );
    expect(() => setFolder({ full: true, sets: '/nowhere' }, 'words', 'npm pack words')).toThrow(
      /^set_missing: \/nowhere\/words is not there/u,
    );
    expect(setFolder({ full: true, sets: import.meta.dirname }, '.', '')).toBe(import.meta.dirname);
  });
});
