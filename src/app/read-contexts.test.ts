import { describe, expect, it } from 'vitest';
import { ToolError } from '../tools/contract/errors.ts';
import type { ReadPlaces } from '../tools/contract/provenance.ts';
import { type ContextReader, readContextChoice, selectedContext } from './read-contexts.ts';

const selected = { kind: 'selection', group: 'here', id: 'open', title: 'Some words', place: '', text: 'Some words, and more' } as const;

function reader(hidden: readonly string[]) {
  const traced: ReadPlaces[] = [];
  const notes = {
    notes: {},
    rights: {
      currentObstacles: async () => new Set<string>(),
      trace: async (places: ReadPlaces) => {
        traced.push(places);
        return [{ blocks: places.ids }];
      },
      obstacles: async () => [],
    },
    readBlock: async (id: string) => {
      if (hidden.includes(id)) throw new ToolError('not_found', `there is no block ${id}`, 'use an id that was read');
      return { id, markdown: `${id}: **Some words**, and more` };
    },
  };
  const made = { notes, t: (key: string) => key, signal: new AbortController().signal } as unknown as ContextReader;
  return { made, traced };
}

describe('what a saved search finds', () => {
  const found = { kind: 'search', group: 'searches', id: 'S', title: 'S', place: '' } as const;
  const match = { id: 'b', type: 'p', notebook: 'nb', path: '/D', documentId: 'd', documentTitle: 'D', snippet: 'words' };
  const searching = (more: object) => {
    const { made, traced } = reader([]);
    const findSaved = async () => ({ matches: [match], isMore: false, ...more });
    return { traced, made: { ...made, notes: { ...made.notes, notes: { findSaved } } } as unknown as ContextReader };
  };

  it('is traced to the blocks found; by SQL, which shows text of any block beside any id, to whole notebooks', async () => {
    const words = searching({});
    await readContextChoice(words.made, found);
    expect(words.traced).toEqual([{ notebooks: [], ids: ['b', 'd'] }]);
    const sql = searching({ notebooks: ['nb', 'other'] });
    await readContextChoice(sql.made, found);
    expect(sql.traced).toEqual([{ notebooks: ['nb', 'other'], ids: [] }]);
  });
});

describe('words that are selected over several blocks', () => {
  it('go along only where each of the blocks may be read, and are left out when one no longer may', async () => {
    const choice = { ...selected, blocks: ['open', 'guarded'] };
    await expect(readContextChoice(reader(['guarded']).made, choice)).rejects.toMatchObject({ code: 'not_found' });
    const { made, traced } = reader([]);
    expect(await readContextChoice(made, choice)).toMatchObject({ text: selected.text, sources: [{ blocks: ['open', 'guarded'] }] });
    expect(traced.map(({ ids }) => ids)).toEqual([['open', 'guarded']]);
  });
});

describe('words that are selected', () => {
  const sent = (text: string, ...markdowns: readonly string[]) => selectedContext('open', text, markdowns);

  it('go along as they were chosen where the model may read them, whatever marks are between', () => {
    for (const text of ['know the code', 'Seals\n\nknow', '$S$ is', 'Tuesday'])
      expect(sent(text, 'Seals', 'know **the** ((20260101000000-aaaaaaa "code")), $S$ is [Tuesday](https://a.example)')).toMatchObject({
        text,
      });
  });

  it('are given as the model reads their blocks where they show what is kept from it', () => {
    const masked = "Seals know ((20260101000000-aaaaaaa 'unavailable')) of course.";
    expect(sent('Seals know SECRETWORD of course.', masked)).toMatchObject({ text: masked, title: 'Seals know unavailable of course.' });
    expect(sent('open item\n\nHIDDEN words\n\nlast item', '- open item\n- last item').text).toBe('- open item\n- last item');
    expect(sent('🦭', 'nothing').text).toBe('nothing');
    expect(sent('first words\n\nEMBEDDED', 'first words', '{{SELECT * FROM blocks}}').text).not.toContain('EMBEDDED');
  });
});

describe('the note that is open', () => {
  const open = { kind: 'open', group: 'here', id: 'doc', title: 'Plan', place: '' } as const;
  const info = { id: 'doc', document: { id: 'doc', title: 'Plan', path: '/Work/Plan' }, notebook: { id: 'nb', name: 'Life' } };
  const opened = (found: object) => {
    const { made, traced } = reader([]);
    const t = (key: string, values: object): string => `${key} ${JSON.stringify(values)}`;
    return {
      traced,
      made: { ...made, t, notes: { ...made.notes, notes: { blockInfo: async () => [found] } } } as unknown as ContextReader,
    };
  };

  it('is named by title, id and path, and traced, so that a note that is guarded later is no longer named', async () => {
    const { made, traced } = opened(info);
    expect(await readContextChoice(made, open)).toEqual({
      ...{ kind: 'open', id: 'doc', title: 'Plan', text: 'context.open {"path":"Life/Work/Plan"}' },
      sources: [{ blocks: ['doc'] }],
    });
    expect(traced.map(({ ids }) => ids)).toEqual([['doc']]);
  });

  it('is not named where it may not be read', async () => {
    const { made } = opened({ id: 'doc', code: 'no_right', message: 'not for you', next: 'go on without it' });
    await expect(readContextChoice(made, open)).rejects.toMatchObject({ code: 'no_right' });
  });
});
