import { describe, expect, it } from 'vitest';
import { createScriptedModel, type ScriptedReply } from '../../model/testing/scripted-model.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import { createBasicGroup, HeadlessApprovalAdapter, toolExecutorFactory, VariableSystem } from '../../tools/index.ts';
import { readSession } from '../session/saved-format.ts';
import { TreeModel } from '../session/tree-model.ts';
import { openChat } from '../testing/open-chat.ts';
import { counter, steppingClock } from '../testing/samples.ts';
import { createChatHandler } from './handlers.ts';
import { createMessageLifecycle } from './lifecycle.ts';
import { Turns } from './turn.ts';

/** What the model was sent, without the system prompt. */
const asked = ({ model }: Awaited<ReturnType<typeof openChat>>, request = -1) =>
  (model.requests.at(request)?.messages ?? []).slice(1).map(({ role, content }) => `${role}: ${content}`);

describe('what goes with a question', () => {
  it('is the history as it stood before the placeholder: the question is last, and nothing empty is sent', async () => {
    const opened = await openChat({ replies: ['a1', 'a2'] });
    await opened.chat.send('q1');
    expect(asked(opened)).toEqual(['user: q1']);
    await opened.chat.send('q2');
    expect(asked(opened)).toEqual(['user: q1', 'assistant: a1', 'user: q2']);
  });

  it('at a rerun, what stood before the answer; its older version and what followed are left out', async () => {
    const opened = await openChat({ replies: ['a1', 'a2', 'again'] });
    await opened.chat.send('q1');
    await opened.chat.send('q2');
    const [, first] = opened.chat.view().messages;
    await opened.chat.rerun(first!.nodeId);
    expect(asked(opened)).toEqual(['user: q1']);
    expect(opened.chat.view().messages).toHaveLength(4);
    expect(opened.chat.view().messages[1]).toMatchObject({ position: { versions: 2, version: 2 }, segments: [{ text: 'again' }] });
  });

  it('is no more than the window of the settings, and the notes of an edited question go again', async () => {
    const settings = () => ({ systemPrompt: '', chatOption: {}, toolCallMaxRounds: 10, contextMessages: 3 });
    const opened = await openChat({ deps: { settings }, replies: ['a1', 'a2', 'a3', 'a4'] });
    for (const question of ['q1', 'q2']) await opened.chat.send(question);
    opened.chat.addContext({ kind: 'block', id: '20200101000000-abcdefg', title: 'Note', text: 'Attached text' });
    await opened.chat.send('q3');
    expect(asked(opened)).toHaveLength(3);
    expect(asked(opened)[0]).toBe('user: q2');
    await opened.chat.messages.edit(opened.chat.view().messages[4]!.nodeId, 'q3, better');
    expect(asked(opened).at(-1)).toContain('Attached text');
    expect(asked(opened).at(-1)).toMatch(/q3, better$/);
  });

  it('is saved in the user’s own words; attached notes are kept beside them and go along in the request', async () => {
    const opened = await openChat({ replies: ['a1'] });
    opened.chat.addContext({ kind: 'block', id: '20200101000000-abcdefg', title: 'Note', text: 'Attached text' });
    await opened.chat.send('q1');
    const saved = readSession((await opened.storage.read(`sessions/${opened.chat.view().sessionId}.json`)) ?? '');
    const [question] = saved.kind === 'ok' ? Object.values(saved.session.nodes) : [];
    expect(question?.versions[question.currentVersionId]?.message).toEqual({ role: 'user', content: 'q1' });
    expect(question?.context).toMatchObject([{ text: 'Attached text' }]);
    expect(asked(opened).at(-1)).toContain('Attached text');
  });
});

/** The orchestration over a bare tree, with the tools of `basic`. */
function make() {
  const clock = steppingClock();
  const options = { newId: counter('x'), now: clock.now };
  const tree = new TreeModel({ ...options, device: 'd' });
  const varSystem = new VariableSystem({ clock });
  const executor = toolExecutorFactory({
    ...{ approvalAdapter: new HeadlessApprovalAdapter(), clock, varSystem },
    groups: [createBasicGroup({ clock, timeZone: 'UTC', variables: varSystem })],
    groupDefaults: { basic: true },
  });
  const settings = () => ({ systemPrompt: '', chatOption: {}, toolCallMaxRounds: 10 });
  const turns = new Turns({
    ...{ tree, executor, settings, clock, newId: options.newId, assets: undefined, sessionId: 's', knownIds: () => new Set<string>() },
    lifecycle: createMessageLifecycle({ tree, ...options }),
    handler: createChatHandler({ executor, settings, today: clock.today, timeZone: 'UTC' }),
    ...{ onTurnStart: () => undefined, onEvent: () => undefined, onStep: () => undefined, onCallsChanged: () => undefined },
  });
  const ask = (replies: readonly ScriptedReply[]) =>
    turns.sendMessage('q', { contexts: [] }, { model: createScriptedModel(replies), signal: new AbortController().signal });
  return { tree, ask };
}

describe('what a turn reports', () => {
  it('is its message, when it was written, and whether there is an answer', async () => {
    const { tree, ask } = make();
    const answered = await ask(['Yes.']);
    expect(answered).toEqual({ nodeId: tree.leaf, updatedTimestamp: expect.any(Number), hasResponse: true });
    const failed = await ask([{ error: new Error('broken') }]);
    expect(failed).toMatchObject({ nodeId: tree.leaf, hasResponse: false });
    expect(failed.updatedTimestamp).toBeGreaterThan(answered.updatedTimestamp);
  });
});

describe('what a turn leaves on its message', () => {
  const sum: ScriptedReply = { text: 'I add.', calls: [{ name: 'calculate', arguments: { expression: '20+22' }, id: 'c1' }] };
  const hint = /^<SYSTEM-CONTEXT>[\s\S]*\$VAR_REF\{\{calculate_c1_args\}\}[\s\S]*<\/SYSTEM-CONTEXT>\n---\n\n$/u;

  it('is hint and natural flow with the place where the hint ends, and the record of the tools', async () => {
    const { tree, ask } = make();
    const { message, userPromptSlice, toolChainResult, status } = tree.payload((await ask([sum, 'It is 42.'])).nodeId);
    const [start = 0, end] = userPromptSlice ?? [];
    expect(message.content.slice(0, start)).toMatch(hint);
    expect(message.content.slice(start)).toMatch(/^I add\.\n\n\*\*\[Tool Execution Log\][\s\S]*\n\nIt is 42\.$/u);
    expect([end, status]).toEqual([message.content.length, 'done']);
    expect(toolChainResult).toEqual({
      toolCallHistory: [expect.objectContaining({ callId: 'c1', toolName: 'calculate', roundIndex: 1, args: { expression: '20+22' } })],
      rounds: [
        { text: 'I add.', callIds: ['c1'] },
        { text: 'It is 42.', callIds: [] },
      ],
      stats: expect.objectContaining({ totalRounds: 1, totalCalls: 1 }),
      status: 'completed',
    });
  });

  it('is the same with the error where the model failed after its tools', async () => {
    const { tree, ask } = make();
    const payload = tree.payload((await ask([sum, { error: new ToolError('model_unreachable', 'gone', 'again') }])).nodeId);
    const error = { code: 'model_unreachable', message: 'gone', next: 'again' };
    expect(payload).toMatchObject({ status: 'error', error, toolChainResult: { status: 'error', error, stats: { totalCalls: 1 } } });
    expect(payload.message.content.slice(0, payload.userPromptSlice?.[0])).toMatch(hint);
  });

  it('is the text alone where no tool was asked for', async () => {
    const { tree, ask } = make();
    const payload = tree.payload((await ask(['Yes.'])).nodeId);
    expect(payload.message.content).toBe('Yes.');
    expect(payload).not.toHaveProperty('toolChainResult');
    expect(payload).not.toHaveProperty('userPromptSlice');
  });
});
