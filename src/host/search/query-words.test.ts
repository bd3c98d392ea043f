import { describe, expect, it } from 'vitest';
import { areForms, stemOf } from '../../tools/util/plain-words.ts';
import { queryWords, wordsIn } from './query-words.ts';

const asked = (query: string, cut?: Parameters<typeof queryWords>[1]): string[] =>
  queryWords(query, cut)
    .filter(({ isHint }) => !isHint)
    .map(({ stem }) => stem);

describe('the words of a question', () => {
  it.each([
    ['How many points did the Panthers defense surrender?', ['point', 'panther', 'defens', 'surrender']],
    ['黑豹队的防守丢了多少分？', ['黑豹', '豹队', '防守', '丢', '分']],
    ['How do I use 思源笔记 for AI?', ['use', '思源', '笔记', 'ai']],
    ['#plants# in #my garden/soil# and 我喜欢#植物#', ['plant', 'garden', 'soil', '喜欢', '植物']],
    ['C#, F# and C++', ['c#', 'f#', 'c++']],
    ["What is C++ to O'Neill in the season's report", ['c++', 'neill', 'season', 'report']],
    ['the THE The', ['the']],
    ['什么', ['什么']],
    ['"quoted" AND (brackets)*', ['quot', 'bracket']],
    ['...', []],
    ['What does the user guide say about PDF annotation?', ['pdf', 'annotation']],
    ['please tell me what my notes say on tides', ['tid']],
    ['According to my notes, what did the supervisor say?', ['supervisor']],
    ['the guide of Lisbon', ['guid', 'lisbon']],
    ['Show me my notes', ['not']],
    ['我的笔记里怎么说潮汐的？', ['潮汐']],
    ['请帮我找一下指南中关于模板的说明', ['模板', '说明']],
    ['我的筆記裡怎麼說潮汐？', ['潮汐']],
  ])('%s', (query, stems) => {
    expect(asked(query)).toEqual(stems);
  });

  it('is cut into pairs where the words cannot be told apart', () => {
    expect(wordsIn('使用ai写作 now', null)).toEqual(['使用', 'ai', '写作', 'now']);
    expect(asked('黑豹队 wins', null)).toEqual(['黑豹', '豹队', 'win']);
  });

  it('takes pairs of characters across words and single ones for hints, and asks the index for none of them', () => {
    const hints = queryWords('防守和进攻').filter(({ isHint }) => isHint);
    expect(hints.map(({ stem }) => stem)).toEqual(['守和', '和进', '防', '守', '进', '攻']);
  });

  it('makes no hint of what only makes it a question', () => {
    expect(queryWords('这些水母叫什么？').map(({ stem }) => stem)).toEqual(['水母', '母叫', '水', '母']);
    expect(queryWords('這些水母叫什麼？').map(({ stem }) => stem)).toEqual(['水母', '母叫', '水', '母']);
  });
});

it.each([
  [['study', 'studies', 'studied', 'studying'], 'stud'],
  [['register', 'registers', 'registered', 'registering'], 'register'],
  [['run', 'runs', 'running'], 'run'],
  [['box', 'boxes'], 'box'],
  [['class', 'classes'], 'class'],
  [['create', 'creates', 'created', 'creating'], 'creat'],
  [['bus'], 'bus'],
  [['thing'], 'thing'],
  [['größe'], 'größe'],
])('forms of a word share a beginning: %j', (forms, stem) => {
  expect(forms.map(stemOf)).toEqual(forms.map(() => stem));
  expect(forms.every((form) => form.startsWith(stem))).toBe(true);
});

it.each([
  ['notes', 'note', true],
  ['note', 'noted', true],
  ['plane', 'planes', true],
  ['box', 'boxes', true],
  ['hero', 'heroes', true],
  ['class', 'classes', true],
  ['car', 'cars', true],
  ['not', 'not', true],
  ['note', 'not', false],
  ['notes', 'not', false],
  ['car', 'care', false],
  ['plan', 'plane', false],
  ['part', 'party', false],
  ['part', 'parties', false],
  ['note', 'paper', false],
])('forms of one word: %s and %s, %s', (one, other, expected) => {
  expect([areForms(one, other), areForms(other, one)]).toEqual([expected, expected]);
});
