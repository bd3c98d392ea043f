import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProjectedMessage } from '../../src/chat/ports/chat-document.ts';
import { CHAT_ATTRIBUTES } from '../../src/host/chat-document/attributes.ts';
import { codeOf, noteLabels as labels, signal, startBench, steady, type TestBench } from './support.ts';

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'write');
});
afterAll(() => bench.close());

const messages: readonly ProjectedMessage[] = [
  {
    nodeId: 'n1',
    parentId: null,
    role: 'user',
    markdown: 'What about *solar*?',
    message: { content: 'What about *solar*?', author: 'user' },
  },
  {
    nodeId: 'n2',
    parentId: 'n1',
    role: 'assistant',
    markdown: 'Two notes:\n\n- one\n- two\n\n![x](http://evil.example/?d=1)',
    chain: [{ callId: 'c1', tool: 'search_notes', status: 'success', ms: 12 }],
    vars: [{ name: 'search_notes_c1_result', type: 'ToolCallResult', value: 'long '.repeat(50), created: 1 }],
    message: { content: 'raw', usage: { total_tokens: 3 } },
  },
];

describe('a chat kept in a document', () => {
  it('is saved, read back with chains and variables, and appended to without touching what stands', async () => {
    const { chatDocument } = bench.host;
    const target = { notebook: bench.notebook, path: '/Chats/Solar' };
    const first = await chatDocument.save({ target, sessionId: 's1', project: 'p1', messages, labels }, signal);
    expect(await chatDocument.read(first.documentId, signal)).toMatchObject({ sessionId: 's1', project: 'p1' });
    expect(first.appended).toEqual(['n1', 'n2']);
    expect(await bench.blocks(first.documentId)).toHaveLength(2);
    const chat = await chatDocument.read(first.documentId, signal);
    expect(chat).toMatchObject({ sessionId: 's1', title: 'Solar' });
    for (const [index, message] of messages.entries()) {
      const { markdown: _markdown, ...rest } = message;
      expect(chat!.messages[index]).toMatchObject({ ...rest, sessionId: 's1', edited: false, problems: [] });
    }
    expect(chat!.messages[1]!.markdown).toContain('- one\n- two');
    expect(await bench.dom(first.documentId)).not.toContain('<img');

    const before = steady(await bench.dom(first.documentId));
    const print = bench.fingerprint();
    expect(await chatDocument.save({ target: { documentId: first.documentId }, sessionId: 's1', messages, labels }, signal)).toMatchObject({
      appended: [],
    });
    expect(await bench.blocks(first.documentId)).toHaveLength(2);
    const more = [...messages, { nodeId: 'n3', parentId: 'n2', role: 'user' as const, markdown: '<iframe src="x"></iframe> ```js' }];
    expect(
      (await chatDocument.save({ target: { documentId: first.documentId }, sessionId: 's1', messages: more, labels }, signal)).appended,
    ).toEqual(['n3']);
    expect(bench.fingerprint()).not.toBe(print);
    const ids = await bench.blocks(first.documentId);
    expect(ids).toHaveLength(3);
    expect(steady((await Promise.all(ids.slice(0, 2).map((id) => bench.dom(id)))).join(''))).toBeTruthy();
    expect((await chatDocument.read(first.documentId, signal))!.messages[2]!.markdown).toContain('<iframe');
    expect(before).toContain('custom-marginalia-node');
  });

  it('marks what a model wrote, and nothing else, as text of that message', async () => {
    const target = { notebook: bench.notebook, path: '/Chats/Marked' };
    const summary: ProjectedMessage = {
      nodeId: 'n3',
      parentId: 'n2',
      role: 'separator',
      label: 'summary',
      markdown: 'They spoke of two notes.',
    };
    const saved = { target, sessionId: 's7', messages: [...messages, summary], labels };
    const { documentId } = await bench.host.chatDocument.save(saved, signal);
    const sources: (string | undefined)[][] = [];
    for (const message of await bench.blocks(documentId)) {
      const inside = await bench.blocks(message);
      const attributes = await Promise.all(inside.map((id) => bench.api<Record<string, string>>('/api/attr/getBlockAttrs', { id })));
      sources.push(attributes.map((each) => each['custom-marginalia-source']));
    }
    const [two, three] = ['s7/n2/note', 's7/n3/note'];
    expect(sources).toEqual([
      [undefined, undefined],
      [undefined, two, two, two],
      [undefined, three],
    ]);
  });

  it('says who speaks and when above each message, and is undone exactly, together with the note it made', async () => {
    const { chatDocument, history } = bench.host;
    const before = bench.fingerprint();
    const target = { notebook: bench.notebook, path: '/Undone/Solar' };
    const timed = messages.map((message, index) => ({ ...message, time: Date.UTC(2026, 10, 23, 8, index) }));
    const save = (callId: string) =>
      chatDocument.save({ target, sessionId: 's9', messages: timed, labels, origin: { sessionId: 's9', nodeId: 'note', callId } }, signal);
    const { documentId } = await save('one');
    const html = await bench.dom(documentId);
    expect(html).toMatch(/You<\/span> · 2026-11-23T08:00<.*Marginalia<\/span> · 2026-11-23T08:01</s);
    expect(await history.undo('s9', 'note', signal, 'one')).toMatchObject({
      conflicts: [],
      restored: expect.arrayContaining([documentId]),
    });
    expect(bench.fingerprint()).toBe(before);
    // What the user has written there since stays, and so does its note.
    const again = await save('two');
    const [last] = (await bench.blocks(again.documentId)).slice(-1);
    const data =
      '<div data-node-id="20260101000000-mineown" data-type="NodeParagraph" class="p"><div contenteditable="true">Mine.</div></div>';
    await bench.transact([{ action: 'insert', id: '20260101000000-mineown', data, previousID: last }]);
    expect((await history.undo('s9', 'note', signal, 'two')).conflicts).toMatchObject([{ reasons: [{ code: 'document-kept' }] }]);
    expect(await bench.blocks(again.documentId)).toEqual(['20260101000000-mineown']);
  });

  it('marks what was edited in the document, and counts only the first of copied blocks', async () => {
    const { chatDocument } = bench.host;
    const { documentId } = await chatDocument.save(
      { target: { notebook: bench.notebook, path: '/Chats/Edited' }, sessionId: 's2', messages, labels },
      signal,
    );
    const [first, second] = await bench.blocks(documentId);
    const [, text] = await bench.blocks(first!);
    const edited = (await bench.dom(text!)).replace('What about', 'What else about');
    await bench.transact([{ action: 'update', id: text, data: edited }]);
    const copy = '20260101000000-copycop';
    const copied = (await bench.dom(second!)).replaceAll(
      /data-node-id="[^"]*"/g,
      () => `data-node-id="20260101000000-${Math.random().toString(36).slice(2, 9).padEnd(7, '0')}"`,
    );
    await bench.transact([
      { action: 'insert', id: copy, data: copied.replace(/data-node-id="[^"]*"/, `data-node-id="${copy}"`), previousID: second },
    ]);
    const chat = await chatDocument.read(documentId, signal);
    expect(chat!.messages.map((message) => [message.nodeId, message.edited, message.blockId])).toEqual([
      ['n1', true, first],
      ['n2', false, second],
    ]);
  });

  it('finds messages that were moved or put into other blocks, and leaves out those of another chat', async () => {
    const { chatDocument } = bench.host;
    const save = (path: string, sessionId: string, nodes: readonly ProjectedMessage[]) =>
      chatDocument.save({ target: { notebook: bench.notebook, path }, sessionId, messages: nodes, labels }, signal);
    const { documentId } = await save('/Chats/Moved', 's5', messages);
    const other = await save('/Chats/Other', 's6', [{ ...messages[0]!, nodeId: 'foreign' }]);
    const [first, second] = await bench.blocks(documentId);
    const [foreign] = await bench.blocks(other.documentId);
    const [quote, inner] = ['20260101000000-quotequ', '20260101000000-innerin'];
    const paragraph = `<div data-node-id="${inner}" data-type="NodeParagraph" class="p"><div contenteditable="true" spellcheck="false">Mine</div><div class="protyle-attr" contenteditable="false"></div></div>`;
    const data = `<div data-node-id="${quote}" data-type="NodeBlockquote" class="bq">${paragraph}<div class="protyle-attr" contenteditable="false"></div></div>`;
    await bench.transact([{ action: 'insert', id: quote, data, parentID: documentId }]);
    await bench.transact([{ action: 'move', id: second, previousID: inner }]);
    await bench.transact([{ action: 'move', id: foreign, parentID: documentId }]);
    const chat = await chatDocument.read(documentId, signal);
    expect(chat).toMatchObject({
      sessionId: 's5',
      messages: [
        { nodeId: 'n2', edited: false },
        { nodeId: 'n1', blockId: first },
      ],
    });
    const again = { target: { documentId }, sessionId: 's5', messages, labels };
    expect(await chatDocument.save(again, signal)).toMatchObject({ appended: [] });
  });

  it('survives attributes that somebody broke, and is null for other documents', async () => {
    const { chatDocument } = bench.host;
    const { documentId } = await chatDocument.save(
      { target: { notebook: bench.notebook, path: '/Chats/Broken' }, sessionId: 's3', messages, labels },
      signal,
    );
    const [, second] = await bench.blocks(documentId);
    await bench.api('/api/attr/setBlockAttrs', { id: second, attrs: { [CHAT_ATTRIBUTES.vars]: 'not packed' } });
    const chat = await chatDocument.read(documentId, signal);
    expect(chat!.messages[1]).toMatchObject({ problems: [CHAT_ATTRIBUTES.vars], chain: messages[1]!.chain });
    expect(await chatDocument.read(await bench.document('/Plain', 'x'), signal)).toBeNull();
  });

  it('is kept by a command of the user, so where the model may only read too, and never where it may not look', async () => {
    bench.policy.setRight(bench.notebook, 'none');
    const print = bench.fingerprint();
    const request = { target: { notebook: bench.notebook, path: '/Chats/No' }, sessionId: 's4', messages, labels };
    expect(await codeOf(bench.host.chatDocument.save(request, signal))).toBe('not_found');
    expect(bench.fingerprint()).toBe(print);
    bench.policy.setRight(bench.notebook, 'read');
    const { documentId } = await bench.host.chatDocument.save(request, signal);
    expect(await bench.host.chatDocument.read(documentId, signal)).toMatchObject({ sessionId: 's4' });
    await bench.host.chatDocument.save({ ...request, target: { documentId } }, signal);
    bench.policy.setRight(bench.notebook, 'write');
  });
});
