import { describe, expect, it } from 'vitest';
import { MessageQueue } from '../controller/message-queue.ts';
import { DraftStore } from '../store/draft-store.ts';
import { node, session, userPayload } from '../testing/samples.ts';
import { withContext, withOwnIds } from './contexts.ts';
import { readSession, writeSession } from './saved-format.ts';
import type { ChatContext } from './types.ts';

const BLOCK = '20260211100000-urbheat';
const block: ChatContext = { kind: 'block', id: BLOCK, title: 'Heat', text: 'Heat rises.' };
const selection: ChatContext = { kind: 'selection', id: BLOCK, title: 'rises', text: 'rises' };

describe('attached notes', () => {
  it('have ids of their own, whatever block they are of', () => {
    const ids = withOwnIds([block, selection, selection]).map(({ contextId }) => contextId);
    expect(new Set(ids).size).toBe(3);
  });

  it('keep the ids that they have, but for a second one of the same', () => {
    const [first] = withOwnIds([block]);
    const again = withOwnIds([first!, first!, block]);
    expect(again[0]).toEqual(first);
    expect(new Set(again.map(({ contextId }) => contextId)).size).toBe(3);
  });

  it('are taken away one by one, and attached once', () => {
    const notes = { keys: () => [], get: () => null, set: () => undefined, remove: () => undefined };
    const drafts = new DraftStore({ notes, prefix: '', writer: 'w' });
    const pending = new MessageQueue(drafts);
    for (const one of [block, selection, { ...selection, title: 'Heat', text: 'Heat' }, selection])
      drafts.attachTo('', '', (attached) => withContext(attached, one));
    expect(pending.attached.contexts.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'block Heat rises.',
      'selection Heat',
      'selection rises',
    ]);
    pending.detach(pending.attached.contexts[1]?.contextId ?? '');
    expect(pending.attached.contexts.map(({ text }) => text)).toEqual(['Heat rises.', 'rises']);
  });

  it('are told apart in a chat that was saved before they had ids', () => {
    const question = { ...node('q', 'user', null, userPayload('v', 'What?')), context: [block, selection] };
    const saved = JSON.stringify({ ...session(), nodes: { q: question }, rootId: 'q', leafId: 'q' });
    const read = readSession(saved);
    const context = read.kind === 'ok' ? (read.session.nodes.q?.context ?? []) : [];
    expect(context.map(({ kind, id }) => [kind, id])).toEqual([
      ['block', BLOCK],
      ['selection', BLOCK],
    ]);
    expect(new Set(context.map(({ contextId }) => contextId)).size).toBe(2);
    // Two devices upgrade it alike, and what is written is read as it is.
    expect(readSession(saved)).toEqual(read);
    expect(read.kind === 'ok' && readSession(writeSession(read.session))).toEqual(read);
  });
});
