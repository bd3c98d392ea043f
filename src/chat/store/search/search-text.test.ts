import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Session, SessionSummary } from '../../session/types.ts';
import { answerPayload, callRecord, node, session, userPayload } from '../../testing/samples.ts';
import { filterByTitle, makeSearchEntry, searchChats } from './search-text.ts';

const chat = (id: string, title: string, texts: readonly string[], updated = 2): Session => {
  const nodes = texts.map((text, index) =>
    node(`${id}${index}`, 'user', index ? `${id}${index - 1}` : null, userPayload(`${id}v${index}`, text)),
  );
  return session(id, { title, updated, nodes: Object.fromEntries(nodes.map((one) => [one.id, one])), leafId: nodes.at(-1)?.id ?? null });
};
const summary = ({ id, title, updated }: Session): SessionSummary => ({ id, title, updated, pinned: false, messages: 1 });
const find = (chats: readonly Session[], query: string, limit = 10) => {
  const entries = new Map(chats.map((one) => [one.id, makeSearchEntry(one, 0)]));
  return searchChats(chats.map(summary), (id) => entries.get(id), query, limit);
};

describe('searchChats', () => {
  const chats = [
    chat('a', 'Garden', ['When do I plant tomatoes?', 'After the last frost, in May.'], 1),
    chat('b', 'Launch', ['The launch is in May (not June).', 'The budget is tight.'], 2),
    chat('c', '笔记', ['我们在五月发布新版本。', '预算很紧'], 3),
    chat('d', 'May', ['nothing to see'], 4),
  ];
  const ids = (query: string) => find(chats, query).map((match) => match.id);

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
    expect(find(more, 'red apple').map((match) => match.id)).toEqual(['z', 'y', 'x']);
  });

  it('shows where, in the message with most of the words', () => {
    const [match] = find(chats, 'budget LAUNCH is');
    expect(match).toMatchObject({
      nodeId: 'b0',
      snippet: { before: 'The ', match: 'launch', after: expect.stringMatching(/^ is in May/) },
    });
    expect(find(chats, 'garden')[0]).toEqual({ id: 'a' });
  });

  it('begins what it shows with a whole word, and says that more stands before', () => {
    const leading = (text: string, query: string) => find([chat('a', '', [text])], query)[0]?.snippet?.before;
    const words = 'Vocabulary experiment. Spaced repetition won clearly: 87 % of deck A';
    expect(leading(words, 'deck')).toBe('…experiment. Spaced repetition won clearly: 87 % of ');
    expect(leading('The deck', 'deck')).toBe('The ');
    expect(leading(`${'词'.repeat(100)}卡片`, '卡片')).toBe(`…${'词'.repeat(60)}`);
  });

  it('shows words around it, never Markdown, also where the cut falls into a reference or the words stand in one', () => {
    const one = chat('a', '', [
      `## Memory\n\n- **Speaking** practice on Tuesdays, which no flashcard replaces. ((20261125035339-2wel6hx "Vocabulary experiment")) ${'((20261125035339-2wel6hx "More")) '.repeat(30)}`,
    ]);
    const shown = (query: string): string => {
      const { before = '', match = '', after = '' } = find([one], query)[0]?.snippet ?? {};
      return `${before}[${match}]${after}`.replaceAll(/\s+/g, ' ');
    };
    expect(shown('FLASHCARD')).toMatch(
      /Speaking practice on Tuesdays, which no \[flashcard\] replaces\. Vocabulary experiment More More( More?)*/,
    );
    expect(shown('vocabulary')).toMatch(/which no flashcard replaces\. \[Vocabulary\] experiment( More){5}/);
    expect(shown('flashcard') + shown('vocabulary')).not.toMatch(/[(*]|\d{14}/);
    expect(shown('**speak')).toMatch(/^Memory \[Speak\]ing practice/);
    // What is found out of sight is shown as it is written.
    expect(shown('2wel6hx "voc')).toContain('[2wel6hx "Voc]abulary');
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
              .map((match) => match.id)
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
