import { expect, it } from 'vitest';
import { projectThread } from '../../features/chat-as-note/projection.ts';
import { createGate } from '../../model/testing/scripted-model.ts';
import { readSession } from '../session/saved-format.ts';
import { openChat, sampleNotes } from '../testing/open-chat.ts';
import type { ChatView } from './view.ts';

const SEARCH = { name: 'search_notes', arguments: { query: 'launch' }, id: 'c1' };
const callOf = ({ messages }: ChatView) => messages.at(-1)?.segments.flatMap((one) => (one.kind === 'call' ? [one.call] : []))[0];

it('is shown while the turn goes on, saved with the call, and shown when the chat is opened again', async () => {
  const notes = sampleNotes();
  const gateStart = createGate();
  const { chat, storage, until } = await openChat({ notes, replies: [{ calls: [SEARCH] }, { text: 'In May.', gateStart }] });
  const sending = chat.send('When is the launch?');
  const live = await until((view) => callOf(view)?.found !== undefined);
  expect(live.running).toBe(true);
  expect(callOf(live)?.found).toMatchObject({
    words: ['launch'],
    notes: [{ title: 'Apollo', path: '/Projects/Apollo', notebook: 'Work' }],
  });
  gateStart.open();
  await sending;
  const { sessionId } = chat.view();
  const again = await openChat({ notes, storage, run: 2 });
  await again.chat.openChat(sessionId);
  expect(callOf(again.chat.view())?.found).toEqual(callOf(live)?.found);
});

it('goes into a note with the chat only where all of it is from the same notebook', async () => {
  const { chat, storage, notes } = await openChat({ replies: [{ calls: [SEARCH] }, 'In May.'] });
  await chat.send('When is the launch?');
  const saved = readSession((await storage.read(`sessions/${chat.view().sessionId}.json`)) ?? '');
  const nodes = saved.kind === 'ok' ? Object.values(saved.session.nodes) : [];
  expect(JSON.stringify(nodes)).toContain('"found":{"notes"');
  const [{ id } = { id: '' }] = await notes.notebooks(new AbortController().signal);
  expect(JSON.stringify(projectThread(nodes, [], id))).toContain('"found":{"notes"');
  expect(JSON.stringify(projectThread(nodes, [], 'another'))).not.toContain('"found":{"notes"');
});
