// Reviews of flashcards by a person: what is due, and what a rating needs before it is sent.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReviewScope } from '../../src/tools/contract/card-review.ts';
import { codeOf, signal, startBench, type TestBench } from './support.ts';

const DECK = '20230218211946-2kw8jgx';

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'read');
});
afterAll(() => bench.close());

const due = (scope: ReviewScope) => bench.host.cards.due(scope, signal);
const make = async (title: string, markdown: string) => {
  const document = await bench.document(`/Review/${title}`, markdown);
  const ids = await bench.blocks(document);
  await bench.api('/api/riff/addRiffCards', { deckID: DECK, blockIDs: ids });
  return { document, ids };
};
const oneCard = async (title: string) => {
  const { document } = await make(title, 'a ==b== c');
  const [card] = await due({ document });
  return { document, card: card! };
};

describe('a review of flashcards', () => {
  it('has the cards of a note, first without their answers, and rates by SiYuan', async () => {
    const { card, document } = await oneCard('Rated');
    expect(card).toMatchObject({ front: 'a ==[…]== c', whole: 'a ==b== c', reviews: 0, next: { 1: '1 minute', 3: '10 minutes' } });
    expect(card.document).toMatchObject({ id: document, title: 'Rated' });
    await bench.host.cards.rate(card, 3, [card.cardId], signal);
    expect(await due({ document })).toEqual([]);
    expect(await codeOf(bench.host.cards.rate(card, 3, [card.cardId], signal))).toBe('stale');
  });

  it('neither shows nor counts what is hidden, and rates nothing of it', async () => {
    const { document, ids } = await make('Hidden', 'open\n\nsecret');
    const cards = await due({ document });
    await bench.api('/api/attr/setBlockAttrs', { id: ids[1], attrs: { 'custom-ai-access': 'none' } });
    expect((await due({ document })).map(({ id }) => id)).toEqual([ids[0]]);
    const secret = cards.find(({ id }) => id === ids[1])!;
    expect(await codeOf(bench.host.cards.rate(secret, 3, [], signal))).toBe('not_found');
    bench.policy.setRight(bench.notebook, 'none');
    expect(await due({})).toEqual([]);
    expect(await codeOf(due({ notebook: bench.notebook }))).toBe('not_found');
    bench.policy.setRight(bench.notebook, 'read');
    await bench.api('/api/attr/setBlockAttrs', { id: ids[1], attrs: { 'custom-ai-access': '' } });
    expect((await due({ document })).find(({ id }) => id === ids[1])?.reviews).toBe(0);
  });

  it('rates no card whose block is gone, or that is no card any more', async () => {
    const { card } = await oneCard('Gone');
    await bench.api('/api/riff/removeRiffCards', { deckID: DECK, blockIDs: [card.id] });
    expect(await codeOf(bench.host.cards.rate(card, 3, [], signal))).toBe('not_found');
    const other = await oneCard('Deleted');
    await bench.api('/api/block/deleteBlock', { id: other.card.id });
    expect(await codeOf(bench.host.cards.rate(other.card, 3, [], signal))).toBe('not_found');
  });
});
