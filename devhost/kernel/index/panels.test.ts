import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { linkingDocuments, mentioningDocuments } from './backlinks.ts';
import { createBlockIndex, type SearchIndex } from './block-index.ts';
import { searchTags, tagTree } from './tags.ts';
import { NOTEBOOK, testDocument } from './test-documents.ts';

let index: SearchIndex;
beforeEach(() => {
  index = createBlockIndex();
});
afterEach(() => index.close());

describe('tags', () => {
  it('make a tree with counts', () => {
    index.putAll([testDocument('A', '#project/moon# #red#\n\n#red#'), testDocument('B', '#project#')]);
    expect(
      tagTree(index, 0).map(({ label, count, children }) => [label, count, children?.map((tag) => [tag.label, tag.depth, tag.count])]),
    ).toEqual([
      ['project', 1, [['project/moon', 1, 1]]],
      ['red', 2, undefined],
    ]);
    expect(tagTree(index, 8).map(({ label }) => label)).toEqual(['red', 'project']);
  });

  it('are found by words', () => {
    index.put(testDocument('A', '#project/moon# #red#'));
    expect(searchTags(index, 'moon proj')).toEqual(['<mark>proj</mark>ect/<mark>moon</mark>']);
    expect(searchTags(index, '')).toEqual(['project/moon', 'red']);
  });
});

describe('backlinks', () => {
  it('count a block once that refers to a document and to something in it', () => {
    const target = testDocument('Target', 'the paragraph');
    const paragraph = target.root.Children![0]!.ID!;
    const source = testDocument('Source', `((${paragraph} "a")) and ((${target.root.ID} 'Target'))\n\nnothing`);
    index.putAll([target, source, testDocument('Mention', 'the Target of it'), testDocument('Other', 'no')]);
    const query = { id: target.root.ID!, keyword: '', sort: 3, notebookNames: new Map([[NOTEBOOK, 'Book']]) };
    const links = linkingDocuments(index, query);
    expect(links.blocks).toBe(1);
    expect(links.documents).toMatchObject([{ id: source.root.ID, name: 'Source', hPath: 'Book/Source', count: 1 }]);
    expect(linkingDocuments(index, { ...query, keyword: 'missing' }).documents).toEqual([]);
    expect(mentioningDocuments(index, query).documents.map(({ name }) => name)).toEqual(['Mention']);
  });
});
