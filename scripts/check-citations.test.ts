import { describe, expect, it } from 'vitest';
import { checkCitations } from './check-citations.ts';

const problems = (text: string) => checkCitations('src/x.ts', text, new Set(['README.md', 'formats.md']));

describe('citations', () => {
  it('of documents that are not here are refused, each with its line', () => {
    expect(problems('/** As DESIGN.md says. */')).toHaveLength(1);
    expect(problems('const a = 1;\n// (DESIGN.md, "Traps"); seed 2 §3')).toEqual([
      'src/x.ts:2: cites "DESIGN.md", which is not in this repository; give the reason itself',
      'src/x.ts:2: cites "seed 2", which is not in this repository; give the reason itself',
    ]);
  });

  it('of documents that are here, and seeds of random numbers, are none', () => {
    expect(problems('// See README.md and docs/formats.md.')).toEqual([]);
    expect(problems('makeTalk(4, { seed: 1 }); // the same seed makes the same text; seed N')).toEqual([]);
  });
});
