import { expect, it } from 'vitest';
import { protocolErrors } from '../../tools/testing/support.ts';
import { readSession } from '../session/saved-format.ts';
import { allRecords } from '../session/saved-sub-agent.ts';
import { createMemoryStorage } from '../store/storage-port.ts';
import { type OpenChat, openChat, sampleNotes } from '../testing/open-chat.ts';

const append = (markdown: string) => ({ name: 'daily_note', arguments: { op: 'append', markdown }, id: 'functions.daily_note:0' });
const settings = () => ({ systemPrompt: '', chatOption: {}, toolCallMaxRounds: 10, toolHistory: 'full' as const });

/** Sends or reruns, and approves whatever is asked. */
async function approving({ chat }: OpenChat, work: () => Promise<void>): Promise<void> {
  const stop = chat.subscribe(({ approvals: [first] }) => first && chat.decide(first.approvalId, { approved: true }));
  await work();
  stop();
}

it('a server that counts its calls anew in each round: no two calls of a chat share an id, and Undo of one answer undoes that alone', async () => {
  const storage = createMemoryStorage();
  const notes = sampleNotes();
  const twoRounds = [{ calls: [append('One.')] }, { calls: [append('Two.')] }, 'Done.'];
  const first = await openChat({ storage, notes, deps: { settings }, replies: [...twoRounds, { calls: [append('Again.')] }, 'Done.'] });
  await approving(first, () => first.chat.send('write'));
  const answer = first.chat.view().messages.at(-1)?.nodeId ?? '';
  await approving(first, () => first.chat.rerun(answer));
  const { sessionId } = first.chat.view();
  await first.chat.dispose();
  const again = await openChat({ storage, notes, run: 2, deps: { settings }, replies: [...twoRounds] });
  await again.chat.openChat(sessionId);
  await approving(again, () => again.chat.send('write more'));
  for (const { model } of [first, again]) for (const { messages } of model.requests) expect(protocolErrors(messages)).toEqual([]);
  const saved = readSession((await storage.read(`sessions/${sessionId}.json`)) ?? '');
  const nodes = saved.kind === 'ok' ? Object.values(saved.session.nodes) : [];
  const records = nodes
    .flatMap(({ versions }) => Object.values(versions))
    .flatMap(({ toolChainResult }) => toolChainResult?.toolCallHistory ?? []);
  const ids = allRecords(records).map(({ callId }) => callId);
  expect(ids.toSorted()).toEqual([0, 1, 2, 3, 4].map((number) => `functions.daily_note:${number}`));
  const daily = () => notes.store.documents.find(({ day }) => day)?.blocks.map(({ markdown }) => markdown);
  expect(daily()).toEqual(['Morning walk.', 'One.', 'Two.', 'Again.', 'One.', 'Two.']);
  await again.chat.undo(again.chat.view().messages.at(-1)?.nodeId ?? '');
  expect(daily()).toEqual(['Morning walk.', 'One.', 'Two.', 'Again.']);
});
