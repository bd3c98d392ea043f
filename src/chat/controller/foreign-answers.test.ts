import { expect, it } from 'vitest';
import { createScriptedModel } from '../../model/testing/scripted-model.ts';
import { toolsBehind } from '../session/lineage.ts';
import { openChat } from '../testing/open-chat.ts';

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
