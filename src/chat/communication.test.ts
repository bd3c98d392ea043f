import { describe, expect, it } from 'vitest';
import { createScriptedModel } from '../model/scripted-model.ts';
import { HeadlessApprovalAdapter, toolExecutorFactory } from '../tools/index.ts';
import { createCommunication } from './communication.ts';
import { createChatHandler } from './handlers.ts';
import { createMessageLifecycle } from './lifecycle.ts';
import { openChat } from './testing/open-chat.ts';
import { counter, steppingClock } from './testing/samples.ts';
import { TreeModel } from './tree-model.ts';

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
});

describe('what a turn reports', () => {
  it('is its message, when it was written, and whether there is an answer', async () => {
    const clock = steppingClock();
    const options = { newId: counter('x'), now: clock.now };
    const tree = new TreeModel({ ...options, device: 'd' });
    const executor = toolExecutorFactory({ approvalAdapter: new HeadlessApprovalAdapter(), clock, groups: [] });
    const settings = () => ({ systemPrompt: '', chatOption: {}, toolCallMaxRounds: 10 });
    const communication = createCommunication({
      ...{ tree, executor, settings, clock, newId: options.newId, sessionId: 's', knownIds: () => new Set<string>() },
      lifecycle: createMessageLifecycle({ tree, ...options }),
      handler: createChatHandler({ executor, settings, today: clock.today, timeZone: 'UTC', session: () => ({}) }),
      ...{ onTurnStart: () => undefined, onEvent: () => undefined, onStep: () => undefined },
    });
    const { signal } = new AbortController();
    const model = createScriptedModel(['Yes.', { error: new Error('broken') }]);
    const answered = await communication.sendMessage('q1', [], { model, signal });
    expect(answered).toEqual({ nodeId: tree.leaf, updatedTimestamp: expect.any(Number), hasResponse: true });
    const failed = await communication.sendMessage('q2', [], { model, signal });
    expect(failed).toMatchObject({ nodeId: tree.leaf, hasResponse: false });
    expect(failed.updatedTimestamp).toBeGreaterThan(answered.updatedTimestamp);
  });
});
