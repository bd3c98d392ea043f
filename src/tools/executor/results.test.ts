import { expect, it } from 'vitest';
import { revisionNotice } from './results.ts';

const edits = [
  { old: 'a', new: 'b' },
  { old: 'c', new: 'd' },
];

it.each([
  ['edits that were left out', { id: 'x', edits }, { id: 'x', edits: edits.slice(1) }, /left out 1 of your 2 edits.*"old":"a"/],
  ['attributes that were left out', { attrs: { one: '1', two: '2' } }, { attrs: { two: '2' } }, /left out 1 of your 2 attrs.*"one","1"/],
  ['an edit in other words', { edits }, { edits: [{ old: 'a', new: 'mine' }] }, /edited your text/],
  ['a text of the person’s own', { edits }, { markdown: 'mine' }, /edited your text/],
  ['another text', { markdown: 'theirs' }, { markdown: 'mine' }, /edited your text/],
])('says of %s just that', (_what, given, revised, words) => {
  expect(revisionNotice(given, revised)).toMatch(words);
});
