import { describe, expect, it } from 'vitest';
import type { UndoReport, WriteHistory } from '../../tools/contract/ports.ts';
import { toolExecutorFactory } from '../../tools/index.ts';
import { openChat } from '../testing/open-chat.ts';
import { steppingClock } from '../testing/samples.ts';
import type { ExecutorPorts } from '../turn/session.ts';
import type { ChatView } from '../view/view.ts';

const ask = (id: string, question: string) => ({ name: 'ask_user', arguments: { question, options: ['May', 'June'] }, id });
const write = { name: 'daily_note', arguments: { op: 'append', markdown: 'Apollo: launch in May.' }, id: 'call-write' };
const last = (view: ChatView) => view.messages.at(-1)!;
const asking = (view: ChatView) => view.questions.length > 0;

describe('questions of the model', () => {
  it('wait in the view until they are answered; the model reads the answer', async () => {
    const { chat, model, until } = await openChat({ replies: [{ calls: [ask('q1', 'When?'), ask('q2', 'Where?')] }, 'Good.'] });
    const sending = chat.send('plan it');
    await until(({ questions }) => questions.length === 2);
    expect(chat.view().questions[0]).toEqual({ callId: 'q1', question: 'When?', options: ['May', 'June'] });
    chat.answer('q2', null);
    chat.answer('q1', 'in May');
    await sending;
    expect(chat.view().questions).toEqual([]);
    const told = model.requests[1]?.messages.slice(-2).map(({ content }) => content);
    expect(told).toEqual([expect.stringMatching(/^in May/u), expect.stringMatching(/^no_answer: /u)]);
  });

  it('are called off by Stop, and when the chat is deleted or closed', async () => {
    const replies = [{ calls: [ask('q1', 'When?')] }];
    const stopped = await openChat({ replies });
    const sending = stopped.chat.send('plan it');
    await stopped.until(asking);
    stopped.chat.stop();
    await sending;
    expect([stopped.chat.view().questions, last(stopped.chat.view()).status]).toEqual([[], 'stopped']);
    const left = await openChat({ replies });
    const leaving = left.chat.send('plan it');
    await left.until(asking);
    const { sessionId } = left.chat.view();
    await left.chat.newChat();
    expect(left.chat.view()).toMatchObject({ questions: [], messages: [], background: [{ id: sessionId, waits: true }] });
    await left.chat.library.remove(sessionId);
    await leaving;
    expect(left.chat.view()).toMatchObject({ background: undefined });
    const closed = await openChat({ replies });
    const closing = closed.chat.send('plan it');
    await closed.until(asking);
    await closed.chat.dispose();
    await closing;
    expect(closed.chat.view().questions).toEqual([]);
  });

  it('cannot be asked any more in a chat that was left, by whatever still runs there', async () => {
    const ports: ExecutorPorts[] = [];
    const executorFactory = (given: ExecutorPorts) => {
      ports.push(given);
      return toolExecutorFactory({ approvalAdapter: given.approvalAdapter, clock: steppingClock(), groups: [] });
    };
    const { chat } = await openChat({ deps: { executorFactory } });
    const [first] = ports;
    const question = { callId: 'q', question: 'Still there?', options: [] };
    const waiting = first!.askUser.ask(question, new AbortController().signal);
    const request = { approvalId: 'a', callId: 'q', kind: 'execution', tool: 't', args: {} } as const;
    const unapproved = first!.approvalAdapter.request(request, new AbortController().signal);
    expect([chat.view().questions, chat.view().approvals]).toEqual([[question], [request]]);
    await chat.newChat();
    for (const called of [waiting, unapproved]) await expect(called).rejects.toMatchObject({ code: 'aborted' });
    await expect(first!.askUser.ask(question, new AbortController().signal)).rejects.toMatchObject({ code: 'aborted' });
    await expect(first!.approvalAdapter.request(request, new AbortController().signal)).rejects.toMatchObject({ code: 'aborted' });
    expect([chat.view().questions, chat.view().approvals]).toEqual([[], []]);
  });
});

describe('a block that Undo left alone', () => {
  const conflict = (blockId: string) => ({ blockId, reasons: [{ code: 'changed' as const }], now: 'mine', before: 'old' });

  async function withConflicts(resolved: UndoReport, report?: UndoReport) {
    const calls: unknown[] = [];
    const history: WriteHistory = {
      state: async () => ({ blocks: 2, kind: 'exact', undone: true, ...(report ? { report } : {}) }),
      changes: async () => [],
      undo: async () => ({ restored: ['a'], conflicts: [conflict('b'), conflict('c')] }),
      redo: async () => ({ restored: [], conflicts: [] }),
      resolve: async (_session, ...rest) => {
        calls.push([...rest.slice(0, 3), rest[4]]);
        return resolved;
      },
    };
    const { chat, approval } = await openChat({ replies: [{ calls: [write] }, 'Done.'], deps: { history } });
    const sending = chat.send('write it');
    chat.decide((await approval()).approvalId, { approved: true });
    await sending;
    const { nodeId } = last(chat.view());
    await chat.undo(nodeId);
    return { chat, nodeId, calls };
  }

  it('is settled alone: the others wait on', async () => {
    const { chat, nodeId, calls } = await withConflicts({ restored: ['b'], conflicts: [] });
    await chat.resolveConflict(nodeId, 'b', 'undo', 'mine');
    expect(calls).toEqual([[nodeId, 'b', 'undo', 'mine']]);
    expect(last(chat.view()).undoReport).toEqual({ restored: ['a', 'b'], conflicts: [conflict('c')] });
  });

  it('is told of again when the chat is opened anew', async () => {
    const report = { restored: ['a'], conflicts: [conflict('b')] };
    const { chat, nodeId } = await withConflicts({ restored: ['b'], conflicts: [] }, report);
    const { sessionId } = chat.view();
    await chat.newChat();
    await chat.openChat(sessionId);
    expect(last(chat.view()).undoReport).toEqual(report);
    await chat.resolveConflict(nodeId, 'b', 'undo');
    expect(last(chat.view()).undoReport).toEqual({ restored: ['a', 'b'], conflicts: [] });
  });

  it('is told anew where it could not be settled', async () => {
    const again = { ...conflict('b'), now: 'mine, changed again' };
    const { chat, nodeId } = await withConflicts({ restored: [], conflicts: [again] });
    await chat.resolveConflict(nodeId, 'b', 'undo');
    expect(last(chat.view()).undoReport).toEqual({ restored: ['a'], conflicts: [conflict('c'), again] });
  });
});
