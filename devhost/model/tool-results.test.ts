import { describe, expect, it } from 'vitest';
import { problemIn } from './conversation.ts';
import {
  documentIdOf,
  headerId,
  headerTitle,
  nextStart,
  readBlocks,
  readDailyNotebooks,
  readNotebooks,
  readSearch,
  readUnits,
} from './tool-results.ts';

describe('readSearch', () => {
  const text =
    '2 of 2 matches\n1. /Spaced repetition [20260125100501-srdefin] Spaced repetition means …\n' +
    '2. /Solar storage/Balcony log 2026 [20260301120502-balcsum]\n' +
    'documents: Spaced repetition [20260125100000-spacrep], Balcony log 2026 [20260301120000-balcony]\nnext: page=2';
  it('reads matches and document ids', () => {
    const reading = readSearch(text);
    expect(reading.matches).toEqual([
      { path: '/Spaced repetition', id: '20260125100501-srdefin', snippet: 'Spaced repetition means …' },
      { path: '/Solar storage/Balcony log 2026', id: '20260301120502-balcsum', snippet: '' },
    ]);
    expect(documentIdOf(reading, '/Solar storage/Balcony log 2026')).toBe('20260301120000-balcony');
    expect(documentIdOf(reading, '/Else')).toBeUndefined();
  });
  it('takes the document from the line above its matches, out of the frame of the executor', () => {
    const framed =
      '<untrusted-data tool="search_notes">\n2 matches\nA, B [20260101000000-aaaaaa0]\n1. /A, B [20260101000000-aaaaaa0] A, B\n2. /A, B [20260101000000-aaaaaa1] text [1]\nnext: page=2\n' +
      '</untrusted-data>\n[kept as $VAR_REF{{x_result}}]';
    const reading = readSearch(framed);
    expect(documentIdOf(reading, '/A, B')).toBe('20260101000000-aaaaaa0');
    expect(readUnits(framed).map((unit) => [unit.id, unit.markdown])).toEqual([['20260101000000-aaaaaa1', 'text [1]']]);
  });
  it('takes matches from the lines below their document', () => {
    const grouped =
      '3 matches\n1. /A/B [20260101000000-aaaaaa0] in Life\n   [20260101000000-aaaaaa1] one [2]\n   [20260101000000-aaaaaa2]\n' +
      '2. /C [20260101000000-cccccc0] in Life\n3. /D [20260101000000-dddddd0] in Life\n   [20260101000000-dddddd1] three\n(1 match is kept private)\nnext: page=2';
    const reading = readSearch(grouped);
    expect(reading.matches.map((match) => [match.path, match.id, match.snippet])).toEqual([
      ['/A/B', '20260101000000-aaaaaa1', 'one [2]'],
      ['/A/B', '20260101000000-aaaaaa2', ''],
      ['/C', '20260101000000-cccccc0', 'in Life'],
      ['/D', '20260101000000-dddddd1', 'three'],
    ]);
    expect(documentIdOf(reading, '/A/B')).toBe('20260101000000-aaaaaa0');
    expect(documentIdOf(reading, '/D')).toBe('20260101000000-dddddd0');
  });
  it('finds nothing in other text', () => {
    expect(readSearch('No matches.')).toEqual({ matches: [], documents: new Map() });
  });
});

describe('readBlocks', () => {
  const text =
    '# Urban heat [20260211100000-urbheat]\noutline: …\n\n@@20260211100501-heatnig@@p Heat kills by night.\n' +
    '@@20260211100502-aaaaaaa@@l - one\n  - two\n- three\n@@20260211100503-aaaaaaa@@c ```sh\nnext: not a trailer\n```\nnext: start=50 (of 60 blocks)';
  it('reads ids, types and whole blocks, without trailers', () => {
    expect(readBlocks(text, 'T')).toEqual([
      { id: '20260211100501-heatnig', type: 'p', markdown: 'Heat kills by night.', title: 'T' },
      { id: '20260211100502-aaaaaaa', type: 'l', markdown: '- one\n  - two\n- three', title: 'T' },
      { id: '20260211100503-aaaaaaa', type: 'c', markdown: '```sh\nnext: not a trailer\n```', title: 'T' },
    ]);
  });
  it('reads header and next page', () => {
    expect(headerTitle(text)).toBe('Urban heat');
    expect(headerId(text)).toBe('20260211100000-urbheat');
    expect(nextStart(text)).toBe(50);
    expect(nextStart('the end')).toBeNull();
  });
});

describe('readNotebooks', () => {
  it('reads name, id and state in several layouts', () => {
    expect(readNotebooks('- Life [20260101000000-aaaaaa1] open, read\n2. 工作笔记 (20260101000000-aaaaaa2) closed\nnothing')).toEqual([
      { name: 'Life', id: '20260101000000-aaaaaa1', closed: false },
      { name: '工作笔记', id: '20260101000000-aaaaaa2', closed: true },
    ]);
  });
});

describe('readDailyNotebooks', () => {
  it('gives the notebooks of the days, as listed', () => {
    expect(readDailyNotebooks('1 daily notes\n- 2026-11-21 [20261121220000-day1121] /daily note/2026-11-21 in My Life')).toEqual([
      'My Life',
    ]);
    expect(readDailyNotebooks('0 daily notes')).toEqual([]);
  });
});

describe('problemIn', () => {
  it.each([
    ['{"status":"rejected","message":"not now"}', { kind: 'rejected', message: 'not now' }],
    ['{"status":"execution_rejected","reason":"no"}', { kind: 'rejected', message: 'no' }],
    [
      '{"status":"rejected","message":"The user rejected this call; nothing was done. Reason: too long Do not repeat it; go on without it or ask the user."}',
      { kind: 'rejected', message: 'too long' },
    ],
    ['{"status":"error","error":"boom"}', { kind: 'error', message: 'boom' }],
    ['rejected: the user said no', { kind: 'rejected', message: 'rejected: the user said no' }],
    ['closed_notebook: Life is closed → open it', { kind: 'error', message: 'closed_notebook: Life is closed → open it' }],
    ['Error: no such tool\nmore', { kind: 'error', message: 'Error: no such tool' }],
  ])('reads %j', (text, problem) => {
    expect(problemIn(text)).toEqual(problem);
  });
  it.each(['1. /A [20260101000000-aaaaaa1] Error: in a note', '{"notebooks":[]}', 'Nothing found', '', 'note: a → b is an arrow\nx'])(
    'lets %j pass',
    (text) => {
      expect(problemIn(text)).toBeNull();
    },
  );
});
