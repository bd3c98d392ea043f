import { describe, expect, it } from 'vitest';
import { createGate } from '../model/scripted-model.ts';
import { openChat } from './testing/open-chat.ts';
import type { ChatView } from './view.ts';

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
