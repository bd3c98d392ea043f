import { describe, expect, it } from 'vitest';
import { checkCitations, checkPaths } from './check-citations.ts';

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

it('paths and names of files on a page are refused where they are gone', () => {
  const gone = (text: string) => checkPaths('CONTRIBUTING.md', text, ['src/chat/turn/turn.ts', 'tests/host/vertical.test.ts']);
  expect(gone('`src/chat/turn/turn.ts`, `src/chat`, `src/chat/`, `turn.ts`, `vertical.test.ts`, `a.b` and `npm test`')).toEqual([]);
  expect(gone('in\n`src/turn/turn.ts`, or `old-turn.ts`')).toEqual([
    'CONTRIBUTING.md:2: names "src/turn/turn.ts", which is not here',
    'CONTRIBUTING.md:2: names "old-turn.ts", which is not here',
  ]);
});
