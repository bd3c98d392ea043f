import { describe, expect, it } from 'vitest';
import { projectThread, restoreThread } from '../../features/chat-as-note/projection.ts';
import { decodeMessage, encodeMessage } from '../../host/chat-document/attributes.ts';
import { extractBranch } from '../controller/message-actions.ts';
import { counter, node, session, userPayload } from '../testing/samples.ts';
import { exportChats, importChats } from './exchange.ts';
import { exportMarkdown } from './export-markdown.ts';
import { mergeSessions } from './merge-sessions.ts';
import { readSession, writeSession } from './saved-format.ts';
import { TreeModel } from './tree-model.ts';
import type { Attachment, Session } from './types.ts';

const picture: Attachment = {
  id: 'a1',
  kind: 'image',
  name: 'map.png',
  mime: 'image/png',
  size: 12,
  asset: 'assets/map-20260101000000-abcdefg.png',
};
const report: Attachment = {
  id: 'a2',
  kind: 'pdf',
  name: 'report.pdf',
  mime: 'application/pdf',
  size: 9,
  asset: 'assets/r.pdf',
  text: 'Launch',
};

function chatWith(attachments: readonly Attachment[]): Session {
  const tree = new TreeModel({ newId: counter('n'), now: () => 5, device: 'd' });
  tree.append({ role: 'user', payload: userPayload('v1', 'What is this?'), attachments });
  return session('s1', { ...tree.snapshot() });
}
const chat = chatWith([picture, report]);
const question = (of: Session) => Object.values(of.nodes)[0]!;

describe('files that go with a question', () => {
  it('are saved, exported and merged with it', () => {
    const read = readSession(writeSession(chat));
    expect(read.kind === 'ok' && question(read.session).attachments).toEqual([picture, report]);
    expect(question(importChats(exportChats([chat]))[0]!).attachments).toEqual([picture, report]);
    expect(question(mergeSessions(chatWith([]), chat)).attachments).toEqual(question(mergeSessions(chat, chatWith([]))).attachments);
  });

  it('go along into a copy of the branch, and into the note of the chat and back', async () => {
    const copied = extractBranch(chat, question(chat).id, { title: 'Copy', now: 9, newId: counter('c') });
    expect(question(copied).attachments).toEqual([picture, report]);
    const [projected] = projectThread([question(chat)], [], 'nb');
    const decoded = await decodeMessage((await encodeMessage('s', projected!, 'h')).attributes);
    const back = restoreThread([{ ...decoded!, markdown: 'What is this?' }], 'nb', { time: 1, device: 'd' });
    expect(Object.values(back.nodes)[0]?.attachments).toEqual([picture, report]);
  });

  it('are named in the text that people read', () => {
    const words = { user: 'You', assistant: 'Assistant', attached: 'Attached', summary: 'Summary', branch: 'Branch' };
    expect(exportMarkdown(chat, { branches: 'shown', words, formatTime: String })).toContain('*Attached: map.png, report.pdf*');
  });

  it.each(['assets/../conf/conf.json', 'conf/conf.json', 'assets\\..\\x', 'https://example.com/assets/x.png'])(
    'lie in the folder of assets, so that a chat from elsewhere cannot have %s read and sent',
    (asset) => {
      const nodes = { q: { ...node('q', 'user', null, userPayload('v', '?')), attachments: [{ ...picture, asset }] } };
      expect(readSession(JSON.stringify(session('s', { nodes, rootId: 'q', leafId: 'q' }))).kind).toBe('broken');
    },
  );
});
