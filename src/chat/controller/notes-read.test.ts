import { describe, expect, it } from 'vitest';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import { VariableSystem } from '../../tools/executor/variables.ts';
import { createBasicGroup, toolExecutorFactory } from '../../tools/index.ts';
import { inMemoryRights } from '../../tools/testing/in-memory-rights.ts';
import { testTool } from '../../tools/testing/support.ts';
import type { Session } from '../session/types.ts';
import { createMemoryStorage } from '../store/storage-port.ts';
import { createChatStore } from '../store/store.ts';
import { type OpenChatOptions, openChat, sampleNotes } from '../testing/open-chat.ts';
import { answerPayload, callRecord, node, session, steppingClock, userPayload } from '../testing/samples.ts';

const POST = { calls: [{ name: 'post', arguments: {}, id: 'c-post' }] };
const clock = steppingClock();
const notes = sampleNotes();

/** A chat with a tool that posts by itself, as long as nothing of the notes is known to the model. */
async function posting(options: OpenChatOptions = {}) {
  const executors: ToolExecutor[] = [];
  const post = testTool('post', { effect: 'outgoing', outgoing: () => ({ url: 'https://example.org', body: 'text' }) });
  const opened = await openChat({
    replies: [POST, 'Sent.'],
    ...options,
    deps: {
      executorFactory: ({ approvalAdapter, askUser }) => {
        const varSystem = new VariableSystem({ clock });
        const executor = toolExecutorFactory({
          ...{ approvalAdapter, clock, varSystem, rights: inMemoryRights(notes) },
          groups: [createBasicGroup({ clock, timeZone: 'UTC', variables: varSystem, askUser }), { name: 'web', tools: [post] }],
          groupDefaults: { basic: true, web: true },
        });
        executors.push(executor);
        return executor;
      },
    },
  });
  return { ...opened, knowsOfNotes: () => executors.at(-1)?.givenPrivate };
}

async function stored(saved: Session) {
  const storage = createMemoryStorage();
  await createChatStore({ storage, device: 'dev', now: clock.now }).save(saved);
  return storage;
}

const answerWith = (result: object, said: object = {}): Session => {
  const record = callRecord('c1', { result: { status: 'success', preview: '', ...result } });
  const stats = { totalRounds: 1, totalCalls: 1, totalTime: 1, startTime: 1, endTime: 2 };
  const toolChainResult = { toolCallHistory: [record], rounds: [{ text: '', callIds: ['c1'] }], stats, status: 'completed' } as const;
  const { nodes } = session();
  return session('s1', {
    nodes: { ...nodes, n2: node('n2', 'assistant', 'n1', answerPayload('v2', 'that', { toolChainResult, ...said })) },
  });
};

describe('a chat in which notes were read', () => {
  it('asks before anything leaves, after it was opened again and its variables are gone', async () => {
    const { chat, approval, knowsOfNotes } = await posting({ storage: await stored(answerWith({ notebooks: ['nb'] })) });
    expect(knowsOfNotes()).toBe(true);
    const sending = chat.send('post it');
    expect(await approval()).toMatchObject({ tool: 'post', outgoing: { destination: 'https://example.org', body: 'text' } });
    chat.stop();
    await sending;
  });

  it('asks where the user attached a note, now or before', async () => {
    const now = await posting();
    now.chat.addContext({ kind: 'block', id: 'b', title: 'Plan', text: 'May' });
    const sending = now.chat.send('post it');
    expect((await now.approval()).tool).toBe('post');
    now.chat.stop();
    await sending;
    const { nodes } = session();
    const question = { ...nodes.n1!, context: [{ contextId: 'c', kind: 'block', id: 'b', title: 'Plan', text: 'May' } as const] };
    const before = await posting({ storage: await stored(session('s1', { nodes: { ...nodes, n1: question } })) });
    const again = before.chat.send('post it');
    expect((await before.approval()).tool).toBe('post');
    before.chat.stop();
    await again;
  });

  it('asks where a note was attached to a later question', async () => {
    const { chat, approval } = await posting({ replies: ['First.', POST, 'Sent.'] });
    await chat.send('first');
    chat.addContext({ kind: 'block', id: 'b', title: 'Plan', text: 'May' });
    const sending = chat.send('post it');
    expect((await approval()).tool).toBe('post');
    chat.stop();
    await sending;
  });

  it('asks where notes came in from another window', async () => {
    const storage = await stored(session());
    const here = await posting({ storage, replies: ['First.', POST, 'Sent.'] });
    const theirs = createChatStore({ storage, device: 'other', now: clock.now });
    const loaded = (await theirs.load('s1'))!.session;
    const context = [{ contextId: 'c', kind: 'block', id: 'b', title: 'Plan', text: 'May' } as const];
    const question = node('theirs', 'user', 'n2', userPayload('theirs-1', 'and this?'), {
      context,
      changed: { time: clock.now(), device: 'other' },
    });
    await theirs.save({ ...loaded, nodes: { ...loaded.nodes, theirs: question } });
    expect(here.knowsOfNotes()).toBe(false);
    await here.chat.send('first');
    expect(here.knowsOfNotes()).toBe(true);
    const sending = here.chat.send('post it');
    expect((await here.approval()).tool).toBe('post');
    here.chat.stop();
    await sending;
  });

  it.each([
    [
      'a file is attached',
      { attachments: [{ id: 'a', kind: 'text', name: 'a', mime: 'text/plain', size: 1, asset: 'assets/a.txt', text: 'x' }] },
      {},
    ],
    [
      'a recording is attached',
      { attachments: [{ id: 'a', kind: 'audio', name: 'a', mime: 'audio/wav', size: 1, asset: 'assets/a.wav' }] },
      {},
    ],
    ['a tool read a file', {}, { isPrivate: true }],
    ['a tool gave anything', {}, {}],
  ])('asks in a chat of an older version where %s', async (_what, question, result) => {
    const saved = answerWith(result);
    const { toolChainResult, ...plain } = saved.nodes.n2!.versions.v2!;
    const answered = { ...saved.nodes.n2!, versions: { v2: Object.keys(question).length > 0 ? plain : { ...plain, toolChainResult } } };
    const storage = await stored({ ...saved, nodes: { n1: { ...saved.nodes.n1!, ...question }, n2: answered } } as Session);
    const { chat, approval } = await posting({ storage });
    const sending = chat.send('post it');
    expect((await approval()).tool).toBe('post');
    chat.stop();
    await sending;
  });

  it('asks nothing of the kind in a chat without notes, nor in a new one', async () => {
    const plain = await posting({ storage: await stored(answerWith({}, { isPrivate: false })) });
    await plain.chat.send('post it');
    expect(plain.chat.view().messages.at(-1)).toMatchObject({ status: 'done', segments: [{ call: { status: 'success' } }, {}] });
    const left = await posting({ storage: await stored(answerWith({ notebooks: ['nb'] })) });
    await left.chat.newChat();
    await left.chat.send('post it');
    expect(left.chat.view().messages.at(-1)).toMatchObject({ status: 'done', segments: [{ call: { status: 'success' } }, {}] });
  });
});
