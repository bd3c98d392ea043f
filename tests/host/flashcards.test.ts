import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewCard } from '../../src/tools/contract/note-planner.ts';
import { codeOf, origin, signal, startBench, type TestBench } from './support.ts';

const DECK = '20230218211946-2kw8jgx';

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'write');
});
afterAll(() => bench.close());

const plan = (op: 'create' | 'remove', ids: readonly string[]) => bench.host.notes.planFlashcards({ op, ids }, 'flashcards', signal);
const planNew = (fresh: readonly NewCard[], at: string) => bench.host.notes.planNewCards({ cards: fresh, at }, 'flashcards', signal);
const cards = (query: { in?: string; due?: boolean } = {}) =>
  bench.host.notes.flashcards({ in: query.in ?? bench.notebook, due: query.due ?? false, page: 1, pageSize: 20 }, signal);
const decksOf = async (id: string) =>
  (await bench.api<Record<string, string>>('/api/attr/getBlockAttrs', { id }))['custom-riff-decks'] ?? null;
const listed = async (query?: Parameters<typeof cards>[0]) => (await cards(query)).items.map(({ id }) => id);

describe('flashcards', () => {
  it('are made of blocks whose text stays, are due at once, and Undo takes them away', async () => {
    const doc = await bench.document('/Cards/One', '* What is albedo?\n  * reflected light\n\nother');
    const [list, other] = await bench.blocks(doc);
    const before = await bench.markdown(doc);
    const print = bench.fingerprint();
    const made = await plan('create', [list!, other!]);
    expect(bench.fingerprint()).toBe(print);
    expect(made).toMatchObject({ undo: { kind: 'exact' }, document: { id: doc } });
    expect(made.operations).toMatchObject([
      { action: 'add-flashcard', blockId: list, blockType: 'l' },
      { action: 'add-flashcard', blockId: other, blockType: 'p' },
    ]);
    // One of the two is left out.
    const report = await bench.apply(made, [made.operations[0]!.id], { ...origin, nodeId: 'made' });
    expect(report.blockIds).toEqual([list]);
    expect(await bench.markdown(doc)).toEqual(before);
    expect([await decksOf(list!), await decksOf(other!)]).toEqual([DECK, null]);
    const { items, total } = await cards({ in: doc, due: true });
    expect(total).toBe(1);
    expect(items).toMatchObject([{ id: list, document: { id: doc, title: 'One' }, reviews: 0, lapses: 0 }]);
    expect(items[0]!.markdown).toContain('reflected light');
    expect(await codeOf(plan('create', [list!]))).toBe('no_change');
    await bench.reopen().history.undo(origin.sessionId, 'made', signal);
    expect(await decksOf(list!)).toBeNull();
    expect(await listed({ in: doc })).toEqual([]);
  });

  it('are taken away, and Undo makes them anew: the plan says that the review history is lost', async () => {
    const doc = await bench.document('/Cards/Two', 'first\n\nsecond');
    const [first] = await bench.blocks(doc);
    await bench.apply(await plan('create', [first!]), undefined, { ...origin, nodeId: 'a' });
    const removal = await plan('remove', [first!]);
    expect(removal.undo).toEqual({ kind: 'partial', notes: ['card-progress'] });
    await bench.apply(removal, undefined, { ...origin, nodeId: 'b' });
    expect(await decksOf(first!)).toBeNull();
    expect(await listed({ in: doc })).toEqual([]);
    await bench.host.history.undo(origin.sessionId, 'b', signal);
    expect(await listed({ in: doc })).toEqual([first]);
    expect(await codeOf(plan('remove', [(await bench.blocks(doc))[1]!]))).toBe('no_change');
  });

  it('is stale when the user made the card meanwhile', async () => {
    const doc = await bench.document('/Cards/Raced', 'raced');
    const [block] = await bench.blocks(doc);
    const made = await plan('create', [block!]);
    await bench.api('/api/riff/addRiffCards', { deckID: DECK, blockIDs: [block] });
    expect(await codeOf(bench.apply(made, undefined, { ...origin, nodeId: 'raced' }))).toBe('stale');
    expect(await decksOf(block!)).toBe(DECK);
  });

  it('refuses documents, unknown ids and none, and writes nothing', async () => {
    const doc = await bench.document('/Cards/Refused', 'text');
    const print = bench.fingerprint();
    expect(await codeOf(plan('create', [doc]))).toBe('bad_target');
    expect(await codeOf(plan('create', []))).toBe('bad_id');
    expect(await codeOf(plan('create', ['20240101000000-abcdefg']))).toBe('not_found');
    expect(bench.fingerprint()).toBe(print);
  });

  it('of blocks that are kept back are neither listed, counted, made nor taken away', async () => {
    const doc = await bench.document('/Cards/Guarded', 'open card\n\nsecret card');
    const [open, secret] = await bench.blocks(doc);
    await bench.api('/api/riff/addRiffCards', { deckID: DECK, blockIDs: [open, secret] });
    await bench.api('/api/attr/setBlockAttrs', { id: secret, attrs: { 'custom-ai-access': 'none' } });
    expect(await cards({ in: doc })).toMatchObject({ items: [{ id: open }], total: 1, nextPage: null });
    expect(await codeOf(plan('remove', [secret!]))).toBe('not_found');
    bench.policy.setRight(bench.notebook, 'none');
    expect(await codeOf(cards({ in: doc }))).toBe('not_found');
    expect(await bench.host.notes.flashcards({ due: false, page: 1, pageSize: 20 }, signal)).toMatchObject({ total: 0, items: [] });
    bench.policy.setRight(bench.notebook, 'read');
    expect(await codeOf(bench.apply(await plan('remove', [open!]), undefined, { ...origin, nodeId: 'read' }))).toBe('no_right');
    expect(await decksOf(open!)).toBe(DECK);
    bench.policy.setRight(bench.notebook, 'write');
  });

  it('are written as new blocks, one left out, and Undo and Redo take both blocks and cards', async () => {
    const doc = await bench.document('/Cards/New', '# One\n\nabout albedo\n\n# Two\n\nlast');
    const [heading] = await bench.blocks(doc);
    const before = await bench.markdown(doc);
    const { total } = await bench.api<{ total: number }>('/api/riff/getRiffCards', { id: DECK, page: 1, pageSize: 1 });
    const print = bench.fingerprint();
    const made = await planNew(
      [
        { question: 'What is albedo?', answer: 'Reflected light.\n\nOf ==all==.' },
        { question: 'Left out?', answer: 'Yes' },
        { question: '```js\nwhat()\n```', answer: '1. one\n2. two' },
      ],
      heading!,
    );
    expect(bench.fingerprint()).toBe(print);
    expect(made).toMatchObject({ undo: { kind: 'exact' }, document: { id: doc } });
    expect(made.operations.map(({ action, before: old, blockType }) => [action, old, blockType])).toEqual(
      Array(3).fill(['add-flashcard', null, 'l']),
    );
    expect(made.operations[0]?.drawn?.after).toContain('What is albedo?');
    const [first, , third] = made.operations;
    const at = { ...origin, nodeId: 'new' };
    const report = await bench.apply(made, [first!.id, third!.id], at);
    expect(report.blockIds).toEqual([first!.blockId, third!.blockId]);
    expect((await bench.blocks(doc)).slice(2, 4)).toEqual([first!.blockId, third!.blockId]);
    expect((await bench.markdown(doc))[2]).toBe('- What is albedo?\n\n  - Reflected light.\n\n    Of ==all==.');
    expect(await listed({ in: doc })).toEqual(expect.arrayContaining([first!.blockId, third!.blockId]));
    expect((await cards({ in: doc, due: true })).total).toBe(2);
    const { history } = bench.reopen();
    expect(await history.undo(origin.sessionId, 'new', signal)).toMatchObject({ conflicts: [] });
    expect(await bench.markdown(doc)).toEqual(before);
    expect(await listed({ in: doc })).toEqual([]);
    expect((await bench.api<{ total: number }>('/api/riff/getRiffCards', { id: DECK, page: 1, pageSize: 1 })).total).toBe(total);
    expect(await history.redo(origin.sessionId, 'new', signal)).toMatchObject({ conflicts: [] });
    expect(await listed({ in: doc })).toEqual(expect.arrayContaining([first!.blockId, third!.blockId]));
    expect(await decksOf(first!.blockId)).toBe(DECK);
  });

  it('go after the whole list that a block is in, to the end of a note, and keep nothing that runs', async () => {
    const doc = await bench.document('/Cards/Places', '* one\n  * inside\n\nlast');
    const [list, last] = await bench.blocks(doc);
    const [item] = await bench.api<{ id: string }[]>('/api/block/getChildBlocks', { id: list });
    const [inside] = await bench.api<{ id: string }[]>('/api/block/getChildBlocks', { id: item!.id });
    const card = [{ question: 'Why?', answer: 'Because' }];
    const beside = await planNew(card, inside!.id);
    await bench.apply(beside, undefined, { ...origin, nodeId: 'beside' });
    expect(await bench.blocks(doc)).toEqual([list, beside.operations[0]!.blockId, last]);
    const ending = await planNew(card, doc);
    await bench.apply(ending, undefined, { ...origin, nodeId: 'ending' });
    expect((await bench.blocks(doc)).at(-1)).toBe(ending.operations[0]!.blockId);
  });

  it('refuses a card without an answer, and a question of which SiYuan would hide a part', async () => {
    const doc = await bench.document('/Cards/Bad', 'text');
    const print = bench.fingerprint();
    expect(await codeOf(planNew([{ question: 'Why?', answer: ' ' }], doc))).toBe('empty_text');
    expect(await codeOf(planNew([{ question: '* a\n* b', answer: 'x' }], doc))).toBe('bad_value');
    expect(await codeOf(planNew([{ question: 'Why?', answer: '```plantuml\nx\n```' }], doc))).toBe('unsafe_markdown');
    expect(bench.fingerprint()).toBe(print);
  });
});
