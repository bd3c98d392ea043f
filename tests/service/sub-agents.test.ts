// Sub-agents through the real service: their record, their approvals over HTTP, and how one is ended alone.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MessageView } from '../../src/service/chats/messages.ts';
import { routed } from '../support/routed-model.ts';
import { allEvents, eventsOf, nextEvent, type ServiceBench, startServiceBench } from './support.ts';

let bench: ServiceBench;
beforeAll(async () => {
  bench = await startServiceBench();
  await bench.settings({ groups: { agents: true } });
});
afterAll(() => bench.close());

const spawn = (task: string, more: object = {}) => ({ name: 'spawn', args: { task, label: `L ${task}`, ...more } });
const read = () => ({ name: 'read_doc', args: { id: bench.note } });
const messagesOf = (id: unknown, mode = 'full') => bench.json<MessageView[]>(`/api/chat/sessions/${id}/messages?tool_mode=${mode}`);

describe('a sub-agent', () => {
  it('has a record of its own with the call that started it, while it works and afterwards', async () => {
    let go: () => void = () => undefined;
    const hold = new Promise<void>((resolve) => {
      go = resolve;
    });
    bench.model.otherwise(
      routed({
        chat: [{ calls: [spawn('find')] }, { text: 'It is a chat.' }],
        find: [{ calls: [read()] }, { text: `A chat ((${bench.note} "README")).`, hold }],
      }),
    );
    const events = eventsOf(await bench.send({ message: 'What is it?' }));
    const id = (await nextEvent(events, 'start')).data.session_id;
    const call = (await nextEvent(events, 'tool_start')).data;
    expect(call).toMatchObject({ tool: 'spawn', arguments: { task: 'find' } });
    expect((await nextEvent(events, 'spawn_progress')).data).toMatchObject({ id: call.id, progress: { calls: 0, running: ['read_doc'] } });
    expect((await nextEvent(events, 'spawn_progress')).data).toMatchObject({ id: call.id, progress: { calls: 1, running: [] } });
    expect((await messagesOf(id)).at(-1)?.tool_calls).toMatchObject([{ spawn_task: { status: 'running', progress: { calls: 1 } } }]);
    go();
    const rest = [];
    for await (const event of events) rest.push(event);
    expect(rest.map(({ event }) => event)).toEqual(['tool_complete', ...rest.slice(1, -1).map(() => 'message'), 'done']);
    const { total_tokens: total = 0 } = (rest.at(-1)?.data.usage ?? {}) as { total_tokens?: number };
    const [whole] = (await messagesOf(id)).at(-1)?.tool_calls ?? [];
    expect(whole).toMatchObject({ name: 'spawn', status: 'success', result: expect.stringContaining('has finished') });
    expect(whole?.spawn_task).toEqual({
      ...{ id: call.id, label: 'L find', task: 'find', status: 'completed', progress: { calls: 1, running: [] } },
      ...{ result: `A chat ((${bench.note} "README")).`, error: null, tokens: expect.any(Number), duration: whole?.duration },
      tool_calls: [
        {
          ...{
            id: expect.stringContaining(`${call.id}-`),
            name: 'read_doc',
            arguments: { id: bench.note },
            error: null,
            status: 'success',
          },
          ...{ result: expect.stringContaining('A chat in the margin.'), duration: expect.any(Number), spawn_task: null },
        },
      ],
    });
    // Its own requests, and those of the sub-agent.
    expect(total).toBeGreaterThan(whole?.spawn_task?.tokens ?? 0);
    await bench.restart();
    expect((await messagesOf(id)).at(-1)?.tool_calls[0]).toEqual(whole);
    expect(await bench.json('/api/chat/sessions')).toMatchObject([{ id, messages: 2 }]);
  });

  it('is approved with the tools that it may write with, and each of its changes again', async () => {
    bench.model.otherwise(
      routed({
        chat: [{ calls: [spawn('note', { tools: ['daily_note'] })] }, { text: 'Done.' }],
        note: [{ calls: [{ name: 'daily_note', args: { op: 'append', notebook: bench.notebook, markdown: 'One.' } }] }, { text: 'Noted.' }],
      }),
    );
    const events = eventsOf(await bench.send({ message: 'Note it.' }));
    const starting = (await nextEvent(events, 'approval_request')).data;
    expect(starting).toMatchObject({ tool: 'spawn', arguments: { tools: ['daily_note'] } });
    expect(starting).not.toHaveProperty('spawn');
    await bench.json(`/api/chat/approvals/${starting.id}`, { decision: 'approve' });
    const writing = (await nextEvent(events, 'approval_request')).data;
    expect(writing).toMatchObject({ tool: 'daily_note', plan: {}, spawn: { id: starting.call_id, label: 'L note' } });
    expect(await bench.json('/api/chat/approvals')).toMatchObject([{ id: writing.id, spawn: { label: 'L note' } }]);
    await bench.json(`/api/chat/approvals/${writing.id}`, { decision: 'reject', reason: 'not today' });
    expect((await nextEvent(events, 'approval_end')).data).toMatchObject({ id: writing.id, decision: 'rejected' });
    const ended = await nextEvent(events, 'done');
    const chats = await bench.json<{ id: string }[]>('/api/chat/sessions');
    const [call] = (await messagesOf(chats[0]?.id, 'summary')).at(-1)?.tool_calls ?? [];
    expect(ended.data).toMatchObject({ status: 'completed' });
    expect(call?.spawn_task?.tool_calls).toMatchObject([{ name: 'daily_note', status: 'execution_rejected', result: null }]);
  });

  it('is ended alone, and the model reads what it had found', async () => {
    bench.model.otherwise(
      routed({
        chat: [{ calls: [spawn('long')] }, { text: 'Fine.' }],
        long: [{ calls: [read()] }, { text: 'never', hold: new Promise<void>(() => undefined) }],
      }),
    );
    const response = await bench.send({ message: 'Go.' });
    const events = eventsOf(response);
    const id = (await nextEvent(events, 'start')).data.session_id;
    const call = (await nextEvent(events, 'tool_start')).data;
    await nextEvent(events, 'spawn_progress');
    await nextEvent(events, 'spawn_progress');
    expect(await bench.json(`/api/chat/sessions/${id}/calls/${call.id}/abort`, {})).toEqual({ aborted: true });
    expect((await nextEvent(events, 'tool_complete')).data.result).toMatch(/^The user stopped the sub-agent[\s\S]*read_doc[\s\S]*# README/);
    expect((await nextEvent(events, 'done')).data.status).toBe('completed');
    expect((await messagesOf(id)).at(-1)?.tool_calls[0]?.spawn_task).toMatchObject({ status: 'stopped', result: null });
    expect(await bench.json(`/api/chat/sessions/${id}/calls/${call.id}/abort`, {})).toEqual({ aborted: false });
  });

  it('ends with the turn', async () => {
    const hold = new Promise<void>(() => undefined);
    bench.model.otherwise(
      routed({
        chat: [{ calls: [spawn('a'), spawn('b')] }],
        a: [{ calls: [read()] }, { text: 'never', hold }],
        b: [{ calls: [read()] }, { text: 'never', hold }],
      }),
    );
    const events = eventsOf(await bench.send({ message: 'Go.' }));
    const id = (await nextEvent(events, 'start')).data.session_id;
    for (let step = 0; step < 4; step++) await nextEvent(events, 'spawn_progress');
    await bench.json(`/api/chat/sessions/${id}/abort`, {});
    expect((await nextEvent(events, 'done')).data.status).toBe('aborted');
    expect((await messagesOf(id)).at(-1)?.tool_calls).toMatchObject(
      ['a', 'b'].map((task) => ({
        status: 'aborted',
        spawn_task: { task, status: 'stopped', tool_calls: [{ name: 'read_doc', status: 'success' }] },
      })),
    );
  });

  it('is there only where its group is on', async () => {
    await bench.settings({});
    bench.model.otherwise(() => ({ text: 'Hello.' }));
    await allEvents(await bench.send({ message: 'Hello' }));
    expect(bench.model.requests.at(-1)?.tools?.map((tool) => tool.function.name)).not.toContain('spawn');
  });
});
