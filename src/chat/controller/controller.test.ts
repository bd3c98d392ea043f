import { describe, expect, it } from 'vitest';
import { createGate } from '../../model/testing/scripted-model.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import { unmatchedEvents } from '../../tools/testing/event-pairs.ts';
import { openChat } from '../testing/open-chat.ts';
import type { ChatView } from '../view/view.ts';

const QUESTION = 'What do my notes say about the launch? Write it into today’s note';
const search = { name: 'search_notes', arguments: { query: 'launch' }, id: 'call-search' };
const read = { name: 'read_doc', arguments: { path: '/Projects/Apollo' }, id: 'call-read' };
const write = { name: 'daily_note', arguments: { op: 'append', markdown: 'Apollo: launch in May.' }, id: 'call-write' };
const PLAN_BLOCK = '20260101000000-0000003';
const FINAL = `The launch is in May ((${PLAN_BLOCK} "launch")), or so ((20990101000000-abcdefg "made up")).`;

const last = (view: ChatView) => view.messages.at(-1)!;
const shape = (view: ChatView) =>
  last(view).segments.map((segment) => (segment.kind === 'call' ? `${segment.call.tool}:${segment.call.status}` : segment.text));

describe('a whole turn', () => {
  it('question → search → read → write, approved → final answer with checked citations', async () => {
    const { chat, model, notes, events, approval } = await openChat({
      replies: [
        { text: 'I will look.', calls: [search] },
        { calls: [read] },
        { calls: [write] },
        { text: FINAL, chunk: 3, reasoning: 'simple' },
      ],
    });
    const sending = chat.send(QUESTION);
    const request = await approval();
    expect(shape(chat.view())).toEqual(['I will look.', 'search_notes:success', 'read_doc:success', 'daily_note:waiting']);
    expect(notes.writes).toBe(0);
    chat.decide(request.approvalId, { approved: true });
    await sending;
    const view = chat.view();
    expect(notes.writes).toBe(1);
    expect(view).toMatchObject({
      running: false,
      title: 'What do my notes say about the launch? Write it into today’s note',
      approvals: [],
      queued: null,
    });
    expect(shape(view)).toEqual(['I will look.', 'search_notes:success', 'read_doc:success', 'daily_note:success', 'simple', FINAL]);
    expect(last(view)).toMatchObject({
      status: 'done',
      citations: [PLAN_BLOCK],
      usage: { total_tokens: 60 },
      undo: { blocks: 1, kind: 'exact', undone: false },
    });
    expect(model.requests).toHaveLength(4);
    expect(model.requests[0]?.messages.map((message) => message.role)).toEqual(['system', 'user']);
    expect(unmatchedEvents(events)).toEqual([]);
    await chat.undo(last(view).nodeId);
    expect(last(chat.view())).toMatchObject({ undo: { undone: true }, undoReport: { conflicts: [] } });
  });

  it('rejected: nothing is written, the model is told and answers', async () => {
    const { chat, model, notes, approval } = await openChat({ replies: [{ calls: [write] }, 'Then not.'] });
    const sending = chat.send(QUESTION);
    chat.decide((await approval()).approvalId, { approved: false, reason: 'not there' });
    await sending;
    expect(notes.writes).toBe(0);
    expect(shape(chat.view())).toEqual(['daily_note:execution_rejected', 'Then not.']);
    expect(last(chat.view()).undo).toBeUndefined();
    expect(model.requests[1]?.messages.at(-1)?.content).toContain('not there');
  });

  it('the second question’s request holds the hint with the variables’ names, and ReadVar reads them', async () => {
    const variable = 'search_notes_call-search_result';
    const { chat, model } = await openChat({
      replies: [{ calls: [search] }, 'Found.', { calls: [{ name: 'ReadVar', arguments: { name: variable } }] }, 'It says May.'],
    });
    await chat.send('first?');
    await chat.send('and what exactly?');
    const [, , second, third] = model.requests;
    expect(second?.messages.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(second?.messages[2]?.content).toContain(`result=$VAR_REF{{${variable}}}`);
    expect(second?.messages[2]?.content.endsWith('Found.')).toBe(true);
    expect(second?.messages[0]).toEqual(model.requests[0]?.messages[0]);
    expect(third?.messages.at(-1)?.content).toContain('The launch is planned for May.');
    expect(chat.variable(variable)).toContain('The launch is planned for May.');
    expect(chat.variable('nothing')).toBeNull();
  });

  it('keeps the identity of messages that did not change', async () => {
    const gate = createGate();
    const { chat } = await openChat({ replies: ['one', { text: 'two', gateEnd: gate }] });
    await chat.send('first');
    const before = chat.view();
    const sending = chat.send('second');
    await gate.reached;
    expect(
      chat
        .view()
        .messages.slice(0, 2)
        .every((message, index) => message === before.messages[index]),
    ).toBe(true);
    expect(last(chat.view())).toMatchObject({ status: 'streaming', segments: [{ text: 'two' }] });
    gate.open();
    await sending;
  });

  it('attached notes go with the question, and may be cited', async () => {
    const { chat, model } = await openChat({ replies: [FINAL] });
    chat.addContext({ kind: 'block', id: PLAN_BLOCK, title: 'Apollo', text: 'Launch in May' });
    chat.addContext({ kind: 'block', id: 'x', title: 'x', text: 'x' });
    chat.removeContext(chat.view().contexts[1]?.contextId ?? '');
    await chat.send('when?');
    expect(model.requests[0]?.messages[1]?.content).toMatch(/^<attached-note kind="block"[\s\S]*Launch in May[\s\S]*when\?$/);
    expect(chat.view().contexts).toEqual([]);
    expect(chat.view().messages[0]?.contexts).toHaveLength(1);
    expect(last(chat.view()).citations).toEqual([PLAN_BLOCK]);
  });
});

it('says when a turn begins, before anything is asked, and when it is over, also when it fails', async () => {
  const steps: string[] = [];
  const onTurn = () => {
    steps.push('begins');
    return () => void steps.push('over');
  };
  const before = async (method: string): Promise<void> => {
    if (method === 'search') steps.push(method);
  };
  const { chat } = await openChat({ replies: [{ calls: [search] }, FINAL], before, deps: { onTurn } });
  await chat.send('why?');
  expect(steps).toEqual(['begins', 'search', 'over']);
  // Nothing more is scripted: the model fails.
  await chat.send('and then?');
  expect(steps.slice(-2)).toEqual(['begins', 'over']);
});

describe('stop', () => {
  it.each(['before the first token', 'in the first text', 'in the last text'])('%s', async (stage) => {
    const gate = createGate();
    const at = stage === 'before the first token' ? { text: 'half', gateStart: gate } : { text: 'half', gateEnd: gate };
    const replies = stage === 'in the last text' ? [{ text: 'Look.', calls: [search] }, at] : [at];
    const { chat, events } = await openChat({ replies: [...replies, 'next answer'] });
    const sending = chat.send('why?');
    await gate.reached;
    chat.stop();
    await sending;
    const expected = {
      'before the first token': [],
      'in the first text': ['half'],
      'in the last text': ['Look.', 'search_notes:success', 'half'],
    }[stage];
    expect(shape(chat.view())).toEqual(expected);
    expect(last(chat.view()).status).toBe('stopped');
    expect(unmatchedEvents(events)).toEqual([]);
    await chat.send('go on');
    expect(shape(chat.view())).toEqual(['next answer']);
  });

  it('while a tool runs', async () => {
    const gate = createGate();
    const before = async (method: string, signal: AbortSignal) => {
      if (method === 'search') await gate.pass(signal);
    };
    const { chat, events, model } = await openChat({ replies: [{ calls: [search] }, 'never'], before });
    const sending = chat.send('why?');
    await gate.reached;
    chat.stop();
    await sending;
    expect(shape(chat.view())).toEqual(['search_notes:aborted']);
    expect(last(chat.view()).status).toBe('stopped');
    expect(model.remaining).toBe(1);
    expect(unmatchedEvents(events)).toEqual([]);
  });

  it('while an approval waits: nothing is written', async () => {
    const { chat, events, notes, approval } = await openChat({ replies: [{ calls: [search, write] }, 'never'] });
    const sending = chat.send('why?');
    await approval();
    chat.stop();
    await sending;
    expect(notes.writes).toBe(0);
    expect(shape(chat.view())).toEqual(['search_notes:success', 'daily_note:aborted']);
    expect(chat.view()).toMatchObject({ approvals: [], running: false });
    expect(unmatchedEvents(events)).toEqual([]);
  });
});

describe('failures stand on the message; the chat goes on', () => {
  it.each([
    ['no network', new ToolError('model_unreachable', 'no connection', 'check the network'), ''],
    ['wrong key', new ToolError('model_unauthorized', 'wrong key', 'enter a valid key'), ''],
    ['cut in the middle', new ToolError('model_interrupted', 'the connection broke', 'send again'), 'half an answer'],
    ['rubbish', new SyntaxError('Unexpected token <'), ''],
  ])('%s, then rerun', async (_name, error, text) => {
    const { chat, model, events } = await openChat({ replies: [{ text, error }, 'better'] });
    await chat.send('my long question');
    expect(chat.view().messages[0]?.segments).toEqual([{ kind: 'text', text: 'my long question' }]);
    const failed = last(chat.view());
    expect(failed).toMatchObject({ status: 'error', error: { code: error instanceof ToolError ? error.code : 'model_bad_answer' } });
    expect(failed.error?.next).not.toBe('');
    expect(shape(chat.view())).toEqual(text === '' ? [] : [text]);
    expect(unmatchedEvents(events)).toEqual([]);
    await chat.rerun(failed.nodeId);
    expect(last(chat.view())).toMatchObject({ nodeId: failed.nodeId, status: 'done', segments: [{ text: 'better' }] });
    expect(last(chat.view()).error).toBeUndefined();
    expect(model.requests[1]?.messages).toEqual(model.requests[0]?.messages);
  });

  it('an empty answer is an error', async () => {
    const { chat } = await openChat({ replies: [{ text: ' ' }] });
    await chat.send('hello?');
    expect(last(chat.view())).toMatchObject({ status: 'error', error: { code: 'model_bad_answer' } });
  });

  it('the model fails after tools: what was done stands, also for the next turn', async () => {
    const error = new ToolError('model_unreachable', 'no connection', 'check the network');
    const { chat, model } = await openChat({ replies: [{ text: 'Look.', calls: [search] }, { error }, 'ok'] });
    await chat.send('why?');
    expect(shape(chat.view())).toEqual(['Look.', 'search_notes:success']);
    expect(last(chat.view())).toMatchObject({ status: 'error', error: { code: 'model_unreachable' } });
    await chat.send('again');
    expect(model.requests[2]?.messages[2]?.content).toContain('search_notes_call-search_result');
  });

  it('arguments that are not JSON: the model is told and the turn goes on', async () => {
    const { chat, model } = await openChat({ replies: [{ calls: [{ ...search, arguments: '{"query": "lau' }] }, 'Sorry.'] });
    await chat.send('why?');
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'call-search' });
    expect(shape(chat.view()).at(-1)).toBe('Sorry.');
    expect(last(chat.view())).toMatchObject({ status: 'done', segments: [{ call: { error: { next: expect.stringMatching(/./u) } } }, {}] });
  });

  it('the kernel is gone in the middle of a turn', async () => {
    let gone = false;
    const before = (method: string) => {
      if (gone && method !== 'notebooks') throw new ToolError('kernel_unreachable', 'SiYuan is not responding', 'start SiYuan again');
    };
    const { chat } = await openChat({ replies: [() => ({ calls: [search] }), 'I cannot search.'], before });
    gone = true;
    await chat.send('why?');
    expect(shape(chat.view())).toEqual(['search_notes:error', 'I cannot search.']);
  });

  it('a defect of the surroundings does not leave the chat blocked', async () => {
    let broken = true;
    const settings = () => {
      if (broken) throw new Error('settings are gone');
      return { systemPrompt: '', chatOption: {}, toolCallMaxRounds: 10 };
    };
    const { chat, events } = await openChat({ replies: ['ok'], deps: { settings } });
    await chat.send('why?');
    expect(chat.view()).toMatchObject({ running: false, notice: { message: 'settings are gone' } });
    expect(chat.view().messages).toHaveLength(1);
    expect(unmatchedEvents(events)).toEqual([]);
    broken = false;
    await chat.rerun(last(chat.view()).nodeId);
    expect(shape(chat.view())).toEqual(['ok']);
  });

  it('no model: the question is kept, with the way to the settings', async () => {
    const { chat } = await openChat({ deps: { model: () => ({ status: { label: '', kind: 'missing' }, model: null }) } });
    await chat.send('hello?');
    expect(chat.view().messages).toHaveLength(2);
    expect(last(chat.view()).error).toMatchObject({ code: 'model_missing', next: expect.stringContaining('settings') });
  });
});
