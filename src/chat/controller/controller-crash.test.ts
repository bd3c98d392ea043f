import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createGate } from '../../model/testing/scripted-model.ts';
import { createMemoryStorage, type MemoryStorage } from '../store/storage-port.ts';
import { listed, openChat } from '../testing/open-chat.ts';
import type { ChatView } from '../view/view.ts';

const search = { name: 'search_notes', arguments: { query: 'launch' }, id: 'call-search' };
const texts = (view: ChatView): readonly string[] =>
  view.messages.map((message) => message.segments.map((segment) => (segment.kind === 'call' ? segment.call.tool : segment.text)).join('|'));
const copy = (storage: MemoryStorage): MemoryStorage => createMemoryStorage(Object.fromEntries(storage.files));

describe('killed in the middle', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('of a sentence: what came before it is there, and says that it was cut off', async () => {
    const storage = createMemoryStorage();
    const gate = createGate();
    const { chat } = await openChat({ storage, replies: [{ text: 'One sentence. Half of ano', gateEnd: gate }] });
    const sending = chat.send('tell me');
    await gate.reached;
    await vi.advanceTimersByTimeAsync(1000);
    const again = await openChat({ storage: copy(storage), run: 2, replies: ['more'] });
    const [, answer] = again.chat.view().messages;
    expect(answer).toMatchObject({ status: 'interrupted', error: { code: 'interrupted' } });
    expect(texts(again.chat.view())[1]).toContain('One sentence. Half of ano');
    await again.chat.send('go on');
    expect(again.chat.view().messages.at(-1)).toMatchObject({ status: 'done' });
    gate.open();
    await sending;
    expect([...storage.files.keys()].filter((path) => path.startsWith('journal/'))).toEqual([]);
  });

  it('after a round of tools: calls and text stand, and the text that was streamed since', async () => {
    const storage = createMemoryStorage();
    const gate = createGate();
    const { chat } = await openChat({
      storage,
      replies: [
        { text: 'Looking.', calls: [search] },
        { text: 'It is in May. And', gateEnd: gate },
      ],
    });
    void chat.send('when?');
    await gate.reached;
    await vi.advanceTimersByTimeAsync(1000);
    const again = await openChat({ storage: copy(storage), run: 2 });
    expect(texts(again.chat.view())[1]).toMatch(/^Looking\.\|search_notes\|It is in May\. And/);
    expect(again.chat.variable('search_notes_call-search_result')).toContain('planned for May');
  });

  it('in the final text: what it cites of what it had read is known, as in a finished answer', async () => {
    const storage = createMemoryStorage();
    const gate = createGate();
    const read = '20260101000000-0000003';
    const { chat } = await openChat({
      storage,
      replies: [
        { text: 'Looking.', calls: [search] },
        { text: `In May ((${read} "plan")), or ((20990101000000-abcdefg "made up")). And`, gateEnd: gate },
      ],
    });
    void chat.send('when?');
    await gate.reached;
    await vi.advanceTimersByTimeAsync(1000);
    const again = await openChat({ storage: copy(storage), run: 2 });
    expect(again.chat.view().messages[1]).toMatchObject({ status: 'interrupted', citations: [read] });
  });

  it('at any write: the chat opens without a notice, and nothing that was there before is gone later', async () => {
    const states: MemoryStorage[] = [];
    const storage = createMemoryStorage();
    const recording: MemoryStorage = {
      ...storage,
      async write(path, text) {
        await storage.write(path, text);
        states.push(copy(storage));
      },
      async remove(path) {
        await storage.remove(path);
        states.push(copy(storage));
      },
    };
    const { chat } = await openChat({ storage: recording, replies: ['A1.', { text: 'Looking.', calls: [search] }, 'A2.', 'A3.', 'A4.'] });
    for (const question of ['q1', 'q2', 'q3']) await chat.send(question);
    const [, , , answer] = chat.view().messages;
    await chat.messages.edit(chat.view().messages[4]!.nodeId, 'q4');
    await chat.messages.remove(answer!.nodeId);
    let seen = 0;
    for (const [index, state] of states.entries()) {
      const again = await openChat({ storage: state, run: index + 2 });
      expect(again.chat.view()).not.toHaveProperty('notice');
      const found = Object.keys((await listed(again.chat))[0] ?? {}).length > 0 ? again.chat.view().messages.length : 0;
      expect(found).toBeGreaterThanOrEqual(Math.min(seen, 5));
      seen = Math.max(seen, found);
    }
    expect(seen).toBe(6);
    expect(states.length).toBeGreaterThan(10);
  });
});
