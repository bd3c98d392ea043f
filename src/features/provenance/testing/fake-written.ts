import type { WrittenBlock, WrittenKind, WrittenPort, WrittenScope } from '../provenance-port.ts';

const of = (id: string, text: string, rest: Partial<WrittenBlock>): WrittenBlock => ({
  ...{ id, noteId: '20260412093000-apollo0', notebookId: 'nb-work', path: '/Projects/Apollo', text, isRead: false },
  call: { sessionId: 'session-1', messageId: 'n2', callId: `call-${id}` },
  write: { time: Date.UTC(2026, 3, 12, 9, 30), isNew: true, isChanged: false },
  ...rest,
});

const WRITTEN: readonly WrittenBlock[] = [
  of('20260412093000-wrote01', 'The launch moves to May, since the budget was approved late.', {}),
  of('20260412093000-wrote02', 'Costs are 40,000.', {
    call: { sessionId: 'session-2', messageId: 'n2', callId: 'call-2' },
    write: { time: Date.UTC(2026, 3, 11, 8), isNew: false, isChanged: true },
    sources: [
      { id: '20260412093000-source1', before: 'The offer is 40,000 <b>net</b>.', now: 'The offer is 48,000 <b>net</b>.' },
      { id: '20260412093000-source2', before: 'Valid until June.', now: null },
      { id: '20260412093000-source3', before: 'The offer was made in…', now: 'The offer was made in…' },
    ],
  }),
  of('20260412093000-wrote03', 'A copy', {
    noteId: '20260412093000-copy000',
    notebookId: 'nb-life',
    write: null,
    call: { sessionId: 'gone', messageId: 'n', callId: 'c' },
  }),
];

const IS_OF: Readonly<Record<WrittenKind, (block: WrittenBlock) => boolean>> = {
  all: () => true,
  outdated: ({ sources }) => sources !== undefined,
  unread: ({ isRead }) => !isRead,
  changed: ({ write }) => write?.isChanged === true,
};

const isIn =
  ({ chat, notebook }: WrittenScope) =>
  ({ call, notebookId }: WrittenBlock): boolean =>
    (chat === '' || call.sessionId === chat) && (notebook === '' || notebookId === notebook);

/** Three blocks that models wrote. */
export function fakeWritten(log: (...entry: [string, ...string[]]) => void): WrittenPort {
  const blocks = [...WRITTEN];
  const listeners = new Set<() => void>();
  return {
    outdated: async () => blocks.filter(IS_OF.outdated).length,
    counts: async (scope) => {
      const inScope = blocks.filter(isIn(scope));
      return { all: inScope.length, unread: inScope.filter(IS_OF.unread).length };
    },
    list: async (kind, scope) => ({ blocks: blocks.filter(isIn(scope)).filter(IS_OF[kind]), next: null }),
    places: async () => ({
      chats: ['session-1', 'session-2', 'gone'],
      notebooks: new Map([
        ['nb-work', 'Work'],
        ['nb-life', 'Life'],
      ]),
    }),
    origins: async (asked) =>
      asked.map(({ call }) => {
        const question = 'When do we launch, and what does it cost?';
        return call.sessionId === 'gone' ? null : { by: 'gpt-6 <b>', question, order: '', isUnasked: call.sessionId === 'session-1' };
      }),
    of: async (ids) => blocks.filter(({ id }) => ids.includes(id)),
    stillHolds: async (ids) => {
      log('stillHolds', ...ids);
      for (const [at, block] of blocks.entries()) if (ids.includes(block.id)) blocks[at] = { ...block, sources: undefined };
      for (const listener of listeners) listener();
    },
    checkAgain: async (id) => log('checkAgain', id),
    watch: async (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    markRead: async (ids) => {
      log('markRead', ...ids);
      for (const [at, block] of blocks.entries()) if (ids.includes(block.id)) blocks[at] = { ...block, isRead: true };
    },
  };
}
