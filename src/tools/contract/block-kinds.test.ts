import { describe, expect, it } from 'vitest';
import { BLOCK_KINDS, fitsInto, isContainer, isPart, LEAF_KINDS, SEARCH_TYPES } from './block-kinds.ts';

describe('kinds of block', () => {
  it('have one letter, one name in the DOM and one in the search each', () => {
    for (const names of [BLOCK_KINDS.map(({ type }) => type), BLOCK_KINDS.map(({ node }) => node), SEARCH_TYPES])
      expect(new Set(names).size).toBe(names.length);
    const search = BLOCK_KINDS.flatMap(({ search: name }) => name ?? []);
    expect(new Set(search).size).toBe(search.length);
  });

  it.each(['l', 'i', 'b', 's', 'callout', 'tabs', 'tab', 'mindmap', 'mindmap_item', 'NodeOfTomorrow'])('%s may hold blocks', (type) => {
    expect([isContainer(type), LEAF_KINDS.includes(type)]).toEqual([true, false]);
  });

  it.each(['d', 'h', 'p', 'c', 't', 'm', 'html', 'av', 'query_embed', 'custom', 'tb', ''])('%s holds none', (type) => {
    expect(isContainer(type)).toBe(false);
  });

  it.each([
    ['l', 'i', true],
    ['l', 'p', false],
    ['d', 'i', false],
    ['d', 'NodeOfTomorrow', true],
    ['tabs', 'tab', true],
    ['tabs', 'p', false],
    ['tab', 'p', true],
    ['tab', 'tab', false],
    ['d', 'tab', false],
    ['mindmap', 'mindmap_item', true],
    ['mindmap', 'l', false],
    ['mindmap_item', 'l', false],
    ['mindmap_item', 'p', false],
    ['NodeOfTomorrow', 'p', false],
    ['custom', 'p', false],
    ['p', 'p', false],
  ])('into %s fits %s: %s', (parent, type, fits) => {
    expect(fitsInto(parent, type)).toBe(fits);
  });

  it('are parts where they stand in their own container only', () => {
    expect(BLOCK_KINDS.flatMap(({ type }) => (isPart(type) ? type : []))).toEqual(['i', 'tab', 'mindmap_item']);
  });
});
