import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChatSearch } from './chat-search.ts';
import { filterByTitle, makeSearchEntry, searchChats } from './search-text.ts';
import { SessionIndex } from './session-index.ts';
import { createMemoryStorage, type MemoryStorage } from './storage-port.ts';
import { answerPayload, callRecord, node, session, userPayload } from './testing/samples.ts';
import type { Session, SessionSummary } from './types.ts';

const chat = (id: string, title: string, texts: readonly string[], updated = 2): Session => {
  const nodes = texts.map((text, index) =>
    node(`${id}${index}`, 'user', index ? `${id}${index - 1}` : null, userPayload(`${id}v${index}`, text)),
  );
  return session(id, { title, updated, nodes: Object.fromEntries(nodes.map((one) => [one.id, one])), leafId: nodes.at(-1)?.id ?? null });
};
const summary = ({ id, title, updated }: Session): SessionSummary => ({ id, title, updated, pinned: false, messages: 1 });
const find = (chats: readonly Session[], query: string, limit = 10) =>
  searchChats(chats.map(summary), new Map(chats.map((one) => [one.id, makeSearchEntry(one, 0)])), query, limit);

describe('searchChats', () => {
  const chats = [
    chat('a', 'Garden', ['When do I plant tomatoes?', 'After the last frost, in May.'], 1),
    chat('b', 'Launch', ['The launch is in May (not June).', 'The budget is tight.'], 2),
    chat('c', '笔记', ['我们在五月发布新版本。', '预算很紧'], 3),
    chat('d', 'May', ['nothing to see'], 4),
  ];
  const ids = (query: string) => find(chats, query).map((hit) => hit.summary.id);

  it('finds words in any case and place, in titles first, then the newest', () => {
    expect(ids('may')).toEqual(['d', 'b', 'a']);
    expect(ids('MAY budget')).toEqual(['b']);
    expect(ids('frost tomatoes')).toEqual(['a']);
    expect(ids('omato')).toEqual(['a']);
    expect(ids('may unicorn')).toEqual([]);
    expect(ids('   ')).toEqual([]);
  });

  it('finds Chinese words of any length', () => {
    expect(ids('预算')).toEqual(['c']);
    expect(ids('五月 预算')).toEqual(['c']);
    expect(ids('笔记')).toEqual(['c']);
  });

  it('takes signs as they are', () => {
    expect(ids('(not june).')).toEqual(['b']);
    expect(ids('.*')).toEqual([]);
    expect(ids('in-may')).toEqual([]);
  });

  it('puts the phrase before its words in one message, and those before words here and there', () => {
    const more = [chat('x', '', ['red', 'apple']), chat('y', '', ['apple, red']), chat('z', '', ['a red apple'])];
    expect(find(more, 'red apple').map((hit) => hit.summary.id)).toEqual(['z', 'y', 'x']);
  });

  it('shows where, in the message with most of the words', () => {
    const [hit] = find(chats, 'budget LAUNCH is');
    expect(hit).toMatchObject({ nodeId: 'b0', snippet: { before: 'The ', match: 'launch', after: expect.stringMatching(/^ is in May/) } });
    expect(find(chats, 'garden')[0]).toEqual({ summary: summary(chats[0]!) });
  });

  it('reads what was said, not hints, logs, deleted messages or other versions', () => {
    const stats = { totalRounds: 1, totalCalls: 1, totalTime: 1, startTime: 1, endTime: 2 };
    const answer = answerPayload('v2', 'SECRETHINT said LOGS', {
      userPromptSlice: [11, 20],
      toolChainResult: { toolCallHistory: [callRecord('c')], rounds: [{ text: 'spoken', callIds: ['c'] }], stats, status: 'completed' },
    });
    const one = session('s', {
      nodes: {
        n1: node('n1', 'assistant', null, answer),
        n2: node('n2', 'user', 'n1', userPayload('v', 'removed'), { deleted: true }),
        n3: {
          ...node('n3', 'user', 'n1', userPayload('new', 'newer')),
          versions: { new: userPayload('new', 'newer'), old: userPayload('old', 'older') },
        },
      },
    });
    expect(makeSearchEntry(one, 1).texts).toEqual(['spoken', 'newer']);
  });

  it('property: finds exactly the chats that have every word somewhere', () => {
    const word = fc.constantFrom('red', 'Red', 'apple', '苹果', 'a.b', 'x');
    const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, fc.array(text, { maxLength: 3 })), { maxLength: 8 }),
        fc.array(word, { minLength: 1, maxLength: 3 }),
        (all, query) => {
          const some = all.map(([title, texts], index) => chat(`c${index}`, title, texts));
          const wanted = some.filter((one, index) =>
            query.every((part) => [one.title, ...(all[index]?.[1] ?? [])].some((said) => said.toLowerCase().includes(part.toLowerCase()))),
          );
          expect(
            find(some, query.join(' '), 100)
              .map((hit) => hit.summary.id)
              .sort(),
          ).toEqual(wanted.map((one) => one.id).sort());
        },
      ),
    );
  });

  it('filters titles and tags while one types', () => {
    const listed = [{ ...summary(chats[0]!), tags: ['soil'] }, summary(chats[1]!)];
    expect(filterByTitle(listed, 'SOIL gar').map((one) => one.id)).toEqual(['a']);
    expect(filterByTitle(listed, ' ')).toHaveLength(2);
  });
});

describe('ChatSearch', () => {
  function watched(storage: MemoryStorage): { readonly storage: MemoryStorage; readonly reads: string[] } {
    const reads: string[] = [];
    const read = (path: string): Promise<string | null> => {
      reads.push(path);
      return storage.read(path);
    };
    return { reads, storage: { ...storage, read } };
  }
  const put = (storage: MemoryStorage, one: Session) => storage.write(`sessions/${one.id}.json`, JSON.stringify(one));

  it('reads every chat once, keeps the texts in shards, and later only what changed', async () => {
    const base = createMemoryStorage();
    const cache = watched(createMemoryStorage());
    for (let index = 0; index < 60; index++) await put(base, chat(`c${index}`, `Chat ${index}`, [`text number-${index}.`]));
    const { storage, reads } = watched(base);
    let now = 0;
    const open = () => new ChatSearch({ storage, index: new SessionIndex(storage), cache: cache.storage, now: () => now });
    const first = open();
    expect((await first.search('number-42.')).map((hit) => hit.summary.id)).toEqual(['c42']);
    reads.length = 0;
    expect(await first.search('number')).toHaveLength(50);
    expect(reads).toEqual([]);

    await put(base, chat('c7', 'Chat 7', ['a unicorn']));
    expect(await first.search('unicorn')).toEqual([]);
    now += 5_000;
    await base.remove('sessions/c8.json');
    expect((await first.search('unicorn')).map((hit) => hit.summary.id)).toEqual(['c7']);
    expect(await first.search('number-8.')).toEqual([]);
    expect(reads).toEqual(['sessions/c7.json', 'sessions/c7.json']);

    reads.length = 0;
    cache.reads.length = 0;
    const again = open();
    expect((await again.search('unicorn')).map((hit) => hit.summary.id)).toEqual(['c7']);
    expect(reads.filter((path) => !path.includes('index'))).toEqual([]);
    expect(cache.reads).toHaveLength(32);
    again.release();
    expect(await again.search('unicorn')).toHaveLength(1);
  });

  it('works without a cache, with a damaged one, with one that cannot be written, and past a broken chat', async () => {
    const damaged = createMemoryStorage(
      Object.fromEntries(Array.from({ length: 32 }, (_none, shard) => [`search/${shard}.json`, '{"schema":1,"chats":[]}'])),
    );
    const refusing = { ...createMemoryStorage(), write: () => Promise.reject(new Error('full')) };
    for (const cache of [undefined, damaged, refusing]) {
      const storage = createMemoryStorage({ 'sessions/x.json': 'rubbish' });
      await put(storage, chat('a', 'Garden', ['tomatoes']));
      const search = new ChatSearch({ storage, index: new SessionIndex(storage), now: () => 0, ...(cache ? { cache } : {}) });
      expect((await search.search('tomato')).map((hit) => hit.summary.id)).toEqual(['a']);
    }
  });
});
