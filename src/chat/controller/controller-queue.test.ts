import { describe, expect, it } from 'vitest';
import { createGate } from '../../model/testing/scripted-model.ts';
import { openChat } from '../testing/open-chat.ts';
import type { ChatView } from '../view/view.ts';

const last = (view: ChatView) => view.messages.at(-1)!;

describe('several things at once', () => {
  it('two quick sends: the second waits and follows', async () => {
    const { chat, model } = await openChat({ replies: ['one', 'two'] });
    await Promise.all([chat.send('first'), chat.send('second')]);
    expect(chat.view().messages.map((message) => (message.segments[0] as { text: string }).text)).toEqual([
      'first',
      'one',
      'second',
      'two',
    ]);
    expect(model.requests).toHaveLength(2);
  });

  it('what is typed during a run is queued, joined, and sent at its end; a rerun has to wait', async () => {
    const gate = createGate();
    const { chat } = await openChat({ replies: [{ text: 'one', gateEnd: gate }, 'two'] });
    const sending = chat.send('first');
    await gate.reached;
    await chat.send('second');
    await chat.send('third');
    await chat.send('  ');
    expect(chat.view().queued).toBe('second\n\nthird');
    await chat.rerun(last(chat.view()).nodeId);
    expect(chat.view().notice?.code).toBe('busy');
    chat.dismissNotice();
    gate.open();
    await sending;
    expect(chat.view().messages[2]?.segments).toEqual([{ kind: 'text', text: 'second\n\nthird' }]);
    expect(chat.view()).toMatchObject({ queued: null, running: false });
    expect(chat.view()).not.toHaveProperty('notice');
  });

  it('stop only stops: what waited stands in the composer, as it does when it is to be edited; it can be dropped too', async () => {
    const gate = createGate();
    const { chat, model } = await openChat({ replies: [{ text: 'one', gateEnd: gate }, 'never'] });
    const drafts: string[] = [];
    chat.typed.subscribe((draft) => drafts.push(draft));
    const sending = chat.send('first');
    await gate.reached;
    await chat.send('second');
    chat.editQueued();
    expect([chat.view().queued, chat.typed.draft]).toEqual([null, 'second']);
    await chat.send('third');
    chat.dropQueued();
    expect([chat.view().queued, chat.typed.draft]).toEqual([null, 'second']);
    await chat.send('fourth');
    chat.stop();
    await sending;
    expect(chat.view()).toMatchObject({ queued: null, running: false });
    expect(last(chat.view()).status).toBe('stopped');
    expect(chat.typed.draft).toBe('fourth\n\nsecond');
    expect(drafts).toEqual(['second', 'fourth\n\nsecond']);
    expect(model.requests).toHaveLength(1);
  });

  it('drafts belong to their chat, also over a chat that cannot be opened', async () => {
    const { chat } = await openChat({ replies: ['one', 'two'] });
    await chat.send('first');
    const first = chat.view().sessionId;
    chat.typed.keepDraft('about the first');
    await chat.newChat();
    expect(chat.typed.draft).toBe('');
    chat.typed.keepDraft('something new');
    await chat.openChat('gone');
    expect(chat.typed.draft).toBe('something new');
    await chat.openChat(first);
    expect(chat.typed.draft).toBe('about the first');
    await chat.newChat();
    expect(chat.typed.draft).toBe('something new');
    await chat.send('third');
    chat.typed.keepDraft('');
    await chat.openChat(first);
    await chat.newChat();
    expect(chat.typed.draft).toBe('');
  });

  it('calls its listeners once for many changes, and not after they left', async () => {
    const { chat } = await openChat({ replies: [{ text: 'x'.repeat(50), chunk: 1 }] });
    let calls = 0;
    const stop = chat.subscribe(() => {
      calls += 1;
    });
    chat.addContext({ kind: 'block', id: 'a', title: '', text: '' });
    chat.addContext({ kind: 'block', id: 'b', title: '', text: '' });
    await Promise.resolve();
    expect(calls).toBe(1);
    stop();
    await chat.send('hello');
    expect(calls).toBe(1);
  });

  it('looks again at model and rights when it is told to', async () => {
    let label = 'one';
    const { chat, notes } = await openChat({ deps: { model: () => ({ status: { label, kind: 'ready' }, model: null }) } });
    expect(chat.view()).toMatchObject({ model: { label: 'one' }, notebooks: [{ right: 'write' }] });
    label = 'two';
    notes.store.notebooks[0]!.right = 'read';
    await chat.refresh();
    expect(chat.view()).toMatchObject({ model: { label: 'two' }, notebooks: [{ right: 'read' }] });
  });
});
