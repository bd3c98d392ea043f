import { describe, expect, it } from 'vitest';
import { pairBlocks } from './block-pairs.ts';

const blocks = (texts: readonly string[]) =>
  texts.map((text) => {
    const [, type = 'p', markdown = ''] = /^(?:(\w):)?(.*)$/s.exec(text) ?? [];
    return { key: `${type}\n${markdown}`, type, markdown };
  });
const pairs = (old: readonly string[], fresh: readonly string[]) => pairBlocks(blocks(old), blocks(fresh));

describe('old and new blocks', () => {
  it('are paired by what they say, in order', () => {
    const old = [
      'Question one: how long does it take to get there?',
      'Question two: what does a ticket for the whole day cost?',
      'Question three: where may dogs run without a lead?',
    ];
    const fresh = [
      'Question zero: is there anything to eat on the way?',
      'Question one: how long does it take to get up there?',
      'Question two: what does a ticket for one whole day cost?',
      'Question three: where may all dogs run without a lead?',
    ];
    expect(pairs(old, fresh)).toEqual({
      same: [],
      moved: [],
      changed: [
        [0, 1],
        [1, 2],
        [2, 3],
      ],
      movedAndChanged: [],
    });
    expect(pairs(fresh, old).changed).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
    ]);
  });

  it('are the same wherever they are', () => {
    expect(pairs(['a', 'b', 'c'], ['c', 'a', 'b'])).toEqual({
      same: [
        [0, 1],
        [1, 2],
      ],
      moved: [[2, 0]],
      changed: [],
      movedAndChanged: [],
    });
  });

  it('move as few as possible: an unchanged block that goes elsewhere is the one that moves, not all the changed ones around it', () => {
    const old = [
      'The first text tells of brown dogs',
      'The next text tells of black cats',
      'Another text tells of small birds',
      'The last text tells of nothing at all',
    ];
    const fresh = [
      'The last text tells of nothing at all',
      'The first text tells of white dogs',
      'The next text tells of grey cats',
      'Another text tells of large birds',
    ];
    expect(pairs(old, fresh)).toEqual({
      same: [],
      moved: [[3, 0]],
      changed: [
        [0, 1],
        [1, 2],
        [2, 3],
      ],
      movedAndChanged: [],
    });
  });

  it('are one where it is elsewhere and a little changed, and nothing comes in its place', () => {
    const old = ['The first text tells of dogs', 'Another one tells of cats', 'A third text tells of birds'];
    const fresh = ['A third text tells of birds', 'The first text tells of dogs', 'Another one tells of cats and mice'];
    const { same, moved, changed, movedAndChanged } = pairs(old, fresh);
    const all = [...same, ...moved, ...changed, ...movedAndChanged].sort(([one], [other]) => one - other);
    expect(all).toEqual([
      [0, 1],
      [1, 2],
      [2, 0],
    ]);
  });

  it('are paired in Chinese, too', () => {
    expect(
      pairs(
        ['第一章说明如何安装软件', '第二章说明如何使用软件写笔记'],
        ['第零章是一些别的话题', '第一章说明怎样安装软件', '第二章说明如何用软件写好笔记'],
      ).changed,
    ).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });

  it('are one where a paragraph becomes a heading, but not where it becomes something else', () => {
    expect(pairs(['p:How to get there by train', 'p:x'], ['h:# How to get there by train', 'p:x']).changed).toEqual([[0, 0]]);
    expect(pairs(['p:How to get there by train', 'p:x'], ['b:> How to get there by train', 'p:x']).changed).toEqual([]);
  });

  it('are one at the same place where as many are there: a translation', () => {
    expect(pairs(['h:# Dogs', 'p:They run and run all day'], ['h:# Hunde', 'p:Sie laufen jeden Tag herum']).changed).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  it('are others where they say something else and are not as many', () => {
    const old = ['The first text tells of dogs in the park', 'The end of it all'];
    const fresh = ['Nothing here is like what was said', 'Quite another subject comes next to it', 'The end of it all'];
    expect(pairs(old, fresh).changed).toEqual([]);
  });

  it('stay with themselves where they may not change', () => {
    const [old, fresh] = [blocks(['one two three four', 'x']), blocks(['one two three five', 'x'])];
    expect(pairBlocks(old, fresh, { isShut: () => true }).changed).toEqual([]);
    expect(pairBlocks(old, fresh, { isFixed: () => true }).changed).toEqual([[0, 0]]);
    expect(pairBlocks(blocks(['a']), blocks(['b']), { isFixed: () => true }).changed).toEqual([]);
  });
});
