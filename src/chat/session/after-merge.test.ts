import { expect, it } from 'vitest';
import { mergedHeader } from './after-merge.ts';
import type { Session } from './types.ts';

const CHAT: Session = {
  ...{ schema: 1, id: 'chat', title: 'Apollo', created: 1, updated: 2, tags: [], pinned: false },
  ...{ nodes: {}, rootId: null, leafId: null, variables: [], approvals: [] },
};
/** A value of its own for each field of the chat itself; one that a later version knows among them. */
const SET = {
  ...{ title: 'Launch', tags: ['space'], pinned: true, archived: true, systemPrompt: 'Be brief.', options: { top_p: 1 } },
  ...{ boundDocument: 'doc', noteNotebooks: ['Work'], savedNote: 'call', contextMessages: 3, later: 'kept' },
};

it('keeps every field of the chat that was set during a merge, and takes the others as merged', () => {
  for (const [name, value] of Object.entries(SET)) {
    const now = { ...CHAT, [name]: value };
    expect(mergedHeader(now, CHAT, { ...CHAT, updated: 9 })).toEqual({ ...now, updated: 9 });
    expect(mergedHeader(CHAT, CHAT, now)).toEqual(now);
    // Taken away here meanwhile: the merge, which knew it, does not bring it back.
    expect(mergedHeader(CHAT, now, now)).toEqual(CHAT);
  }
});

it('leaves to the tree and the executor what is theirs', () => {
  const now = { ...CHAT, leafId: 'a', approvals: [{ tool: 'edit_block', scope: 'Work' }] };
  expect(mergedHeader(now, CHAT, CHAT)).toEqual(CHAT);
});
