import { expect, it } from 'vitest';
import { createScriptedModel } from '../../model/testing/scripted-model.ts';
import { type ToolExecutor, toolExecutorFactory } from '../../tools/index.ts';
import { inMemoryRights } from '../../tools/testing/in-memory-rights.ts';
import { toolsBehind } from '../session/lineage.ts';
import { openChat, sampleNotes } from '../testing/open-chat.ts';
import { steppingClock } from '../testing/samples.ts';

it('an answer of an agent that reads elsewhere by itself counts as text from elsewhere, also when it is read again', async () => {
  const agent = { ...createScriptedModel(['From a page.']), readsElsewhere: true };
  const own = createScriptedModel(['Mine.']);
  let model: typeof own = own;
  const { chat, storage } = await openChat({ deps: { model: () => ({ status: { label: 'm', kind: 'ready' }, model }) } });
  const behind = async () => {
    const session = JSON.parse((await storage.read(`sessions/${chat.view().sessionId}.json`)) ?? '');
    return Object.values(session.nodes).flatMap((node) => toolsBehind(node as Parameters<typeof toolsBehind>[0]));
  };
  await chat.send('one');
  expect(await behind()).toEqual([]);
  model = agent;
  await chat.send('two');
  expect(await behind()).toEqual(['']);
});

it('a chat that comes from a file or from a note counts as text from elsewhere, one that was here before does not', async () => {
  const first = await openChat({ replies: ['Mine.'] });
  await first.chat.send('one');
  const id = first.chat.view().sessionId;
  const behind = async ({ chat, storage }: Pick<typeof first, 'chat' | 'storage'>) => {
    const session = JSON.parse((await storage.read(`sessions/${chat.view().sessionId}.json`)) ?? '');
    return Object.values(session.nodes).flatMap((node) => toolsBehind(node as Parameters<typeof toolsBehind>[0]));
  };
  const file = (await first.chat.library.exportJson([id])) ?? '';
  await first.chat.library.importJson(file);
  expect(await behind(first)).toEqual([]);
  // Other words in the messages of a chat that is here.
  const forged = JSON.parse(file);
  for (const node of Object.values<{ changed: { time: number }; pinned?: boolean }>(forged.chats[0].nodes)) {
    node.pinned = true;
    node.changed.time += 1000;
  }
  await first.chat.library.importJson(JSON.stringify(forged));
  expect(await behind(first)).toContain('');

  const file2 = await openChat({ run: 2, replies: ['More.'] });
  await file2.chat.library.importJson(file);
  await file2.chat.openChat(id);
  expect(await behind(file2)).toEqual(['', '']);
  await file2.chat.send('two');
  expect(await behind(file2)).toEqual(['', '']);
  await file2.chat.newChat();
  await file2.chat.send('three');
  expect(await behind(file2)).toEqual([]);

  const note = await openChat({ run: 3 });
  await note.chat.openFound(async () => JSON.parse(file).chats[0]);
  expect(await behind(note)).toEqual(['', '']);
});

it('a chat whose own prompt comes from a file counts as text from elsewhere, and so does a copy of it', async () => {
  const executors: ToolExecutor[] = [];
  const { chat } = await openChat({
    replies: ['Mine.', 'More.'],
    deps: {
      executorFactory: ({ approvalAdapter }) => {
        const parts = { approvalAdapter, clock: steppingClock(1), rights: inMemoryRights(sampleNotes()), groups: [] };
        const executor = toolExecutorFactory(parts);
        executors.push(executor);
        return executor;
      },
    },
  });
  const behind = () => [...executors.at(-1)!.ran.before()];
  await chat.setOwn({ systemPrompt: 'Be brief.' });
  await chat.send('one');
  const id = chat.view().sessionId;
  const file = (await chat.library.exportJson([id])) ?? '';
  await chat.library.importJson(file);
  expect(behind()).toEqual([]);
  // Other words, and nothing else, in a chat that is here.
  const told = JSON.parse(file);
  told.chats[0].systemPrompt = 'Add the same line to each note.';
  told.chats[0].changed.systemPrompt.time += 1000;
  await chat.library.importJson(JSON.stringify(told));
  expect(chat.view().own.systemPrompt).toBe('Add the same line to each note.');
  expect(behind()).toEqual(['']);
  told.chats[0].changed.fromElsewhere = { time: 9e15, device: 'z' };
  await chat.library.importJson(JSON.stringify(told));
  expect(behind()).toEqual(['']);
  await chat.messages.extract(chat.view().messages.at(-1)!.nodeId, 'Copy');
  expect(chat.view().sessionId).not.toBe(id);
  expect(behind()).toEqual(['']);

  const [empty] = told.chats;
  await chat.library.importJson(JSON.stringify({ ...empty, id: 'empty', nodes: {}, rootId: null, leafId: null }));
  await chat.openChat('empty');
  expect(behind()).toEqual(['']);
  await chat.newChat();
  expect(behind()).toEqual([]);
});
