import { describe, expect, it } from 'vitest';
import type { ChatView } from '../../chat/view/view.ts';
import { answer, emptyView, userMessage } from '../testing/fake-controller.ts';
import { changedOutside } from './outside-change.ts';

const [asked, said, next] = [userMessage('a'), answer([{ kind: 'text', text: 'b' }]), userMessage('c')];
const view = (patch: Partial<ChatView>): ChatView => ({ ...emptyView, messages: [asked, said], ...patch });
const blocked = { code: 'chat_elsewhere', message: '', next: '' } as const;
const branched = (branches: number) => [asked, { ...said, position: { branch: 1, branches, version: 1, versions: 1 } }];

describe('changedOutside', () => {
  it('is what came in by itself: messages at the end, another branch', () => {
    expect(changedOutside(view({}), view({ messages: [asked, said, next] }), new Set())).toBe(true);
    expect(changedOutside(view({}), view({ messages: branched(2) }), new Set())).toBe(true);
    expect(changedOutside(view({ messages: branched(2) }), view({ messages: branched(3) }), new Set())).toBe(true);
  });

  it('is not what was done here', () => {
    const longer = { messages: [asked, said, next] };
    for (const [before, after] of [
      [{}, {}],
      [{}, { ...longer, running: true }],
      [{ running: true }, longer],
      [{}, { ...longer, blocked }],
      [{ blocked }, longer],
      [{ messages: [] }, longer],
      [{}, { ...longer, sessionId: 'another' }],
      [{}, { messages: [asked, next] }],
      [{}, { messages: [asked] }],
      [{}, { messages: [asked, said, { ...next, role: 'separator' as const }] }],
    ] as const)
      expect(changedOutside(view(before), view(after), new Set())).toBe(false);
    expect(changedOutside(view({}), view(longer), new Set([next.nodeId]))).toBe(false);
  });
});
