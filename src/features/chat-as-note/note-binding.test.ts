import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Node, SavedVariable } from '../../chat/session/types.ts';
import { createMemoryStorage } from '../../chat/store/storage-port.ts';
import { createMemoryChatDocument } from '../../chat/testing/in-memory-chat-document.ts';
import { sampleNotes } from '../../chat/testing/open-chat.ts';
import { answerPayload, callRecord, node, userPayload } from '../../chat/testing/samples.ts';
import { contextOfThread } from '../../chat/testing/thread-context.ts';
import type { ChatView } from '../../chat/view/view.ts';
import { payloadSegments } from '../../chat/view/view-reducer.ts';
import { decodeMessage, encodeMessage } from '../../host/chat-document/attributes.ts';
import { createGate } from '../../model/testing/scripted-model.ts';
import { ERROR_CODES } from '../../tools/contract/errors.ts';
import { NO_NOTES, Withheld } from '../../tools/contract/provenance.ts';
import { InMemoryNotes } from '../../tools/testing/in-memory-notes.ts';
import { noteContents } from './note-binding.ts';
import { projectThread, restoreThread } from './projection.ts';
import { openChatInNotes } from './testing/open-chat-in-notes.ts';

const search = { name: 'search_notes', arguments: { query: 'launch' }, id: 'call-search' };
const last = (view: ChatView) => view.messages.at(-1)!;
const mark = { time: 1, device: 'd' };

async function through(nodes: readonly Node[], variables: readonly SavedVariable[], notebook = 'nb') {
  const messages = await Promise.all(
    projectThread(nodes, variables, notebook).map(async (message) => {
      const decoded = await decodeMessage((await encodeMessage('s', message, 'h')).attributes);
      return { ...decoded!, markdown: message.markdown };
    }),
  );
  return restoreThread(messages, notebook, mark);
}

describe('a message in a document', () => {
  it('property: comes back exactly as it was', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 });
    // No part of the fixed words of a record.
    const hidden = text.map((each) => (each === '' ? '' : `Hidden: ${each}`));
    const record = fc.record({
      args: fc.dictionary(text, fc.jsonValue()),
      ms: fc.nat(),
      preview: text,
      error: fc.option(fc.record({ code: fc.constantFrom(...ERROR_CODES), message: text, next: text }), { nil: undefined }),
      rejected: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(text, hidden, text, fc.array(record, { maxLength: 4 }), async (question, hint, flow, calls) => {
        const history = calls.map(({ args, ms, preview, error, rejected }, index) =>
          callRecord(`c${index}`, {
            args,
            endTime: 10 + ms,
            result: {
              status: rejected ? 'result_rejected' : 'success',
              preview,
              blockIds: ['b1'],
              cacheVarResult: `v${index}`,
              ...(error === undefined ? {} : { error }),
            },
            ...(rejected ? { resultRejected: true, resultRejectReason: question } : {}),
          }),
        );
        const stats = { totalRounds: 1, totalCalls: history.length, totalTime: 3, startTime: 1, endTime: 4 };
        const chain = {
          toolCallHistory: history,
          rounds: [{ text: flow, callIds: history.map((one) => one.callId) }],
          stats,
          status: 'completed' as const,
        };
        const answer = answerPayload('v2', hint + flow, {
          toolChainResult: chain,
          usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
          citations: ['b1'],
          ...(hint ? { userPromptSlice: [hint.length, hint.length + flow.length] as const } : {}),
        });
        const context = [{ kind: 'block' as const, contextId: 'c', id: 'b1', title: question, text: flow }];
        const nodes = [node('n1', 'user', null, userPayload('v1', question), { context }), node('n2', 'assistant', 'n1', answer)];
        const variables = history.map(
          (_one, index): SavedVariable => ({ name: `v${index}`, type: 'ToolCallResult', value: flow, created: 5, notebooks: ['nb'] }),
        );
        const restored = await through(nodes, variables);
        const unsent = (each: unknown) => JSON.parse(JSON.stringify(each, (key, value) => (key === 'userPromptSlice' ? undefined : value)));
        const { message, ...version } = answer;
        const { content, ...said } = restored.nodes.n2!.versions.v2!.message;
        const back = { ...restored.nodes.n2!, versions: { v2: { ...restored.nodes.n2!.versions.v2!, message: said } } };
        expect(unsent({ ...restored.nodes, n2: back })).toEqual(
          unsent({ n1: nodes[0], n2: { ...nodes[1], versions: { v2: { ...version, message: { role: message.role } } } } }),
        );
        // What is sent is made of what is shown.
        expect(content).not.toContain(
          hint.trim() === '' || flow.includes(hint) || JSON.stringify(history).includes(hint) ? '\u0000' : hint,
        );
        expect(restored).toMatchObject({ rootId: 'n1', leafId: 'n2', missing: [] });
        expect(restored.variables).toEqual(variables);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['first words that are hidden', { userPromptSlice: [6, 12] as const }, true],
    ['a text beside the rounds that are shown', {}, true],
    ['messages that nobody sees', { toolChainMessages: [{ role: 'assistant' as const, content: 'HIDDEN' }] }, true],
    ['a text that is shown', {}, false],
  ])('sends nothing of an answer that nobody sees: %s', async (_name, more, hasChain) => {
    const stats = { totalRounds: 1, totalCalls: 0, totalTime: 1, startTime: 1, endTime: 2 };
    const chain = { toolCallHistory: [], rounds: [{ text: 'shown', callIds: [] }], stats, status: 'completed' as const };
    const thread = [
      node('n', 'assistant', null, answerPayload('v', 'HIDDENshown', { ...more, ...(hasChain ? { toolChainResult: chain } : {}) })),
    ];
    const [message] = projectThread(thread, [], 'nb');
    const { attributes } = await encodeMessage('s', { ...message!, markdown: 'shown' }, 'h');
    // As versions before this one wrote it, and anybody may.
    const decoded = await decodeMessage({ ...attributes, 'custom-marginalia-hint': 'HIDDEN' });
    const restored = restoreThread([{ ...decoded!, markdown: 'shown' }], 'nb', mark).nodes.n!;
    const payload = restored.versions.v!;
    const sent = ['full', 'compressed'].map((toolHistory) =>
      JSON.stringify(contextOfThread([restored], { toolHistory: toolHistory as 'full' })),
    );
    const shown = JSON.stringify(payloadSegments(payload));
    for (const each of sent) expect([each.includes('HIDDEN'), each.includes('shown')]).toEqual([shown.includes('HIDDEN'), true]);
  });

  it('reads well: no hint, no logs, unknown citations as words', () => {
    const chain = {
      toolCallHistory: [callRecord('c1')],
      rounds: [
        { text: 'Looking.', callIds: ['c1'] },
        { text: 'May ((20200101000000-aaaaaaa "x")) ((20200101000000-bbbbbbb "made up"))', callIds: [] },
      ],
    };
    const stats = { totalRounds: 1, totalCalls: 1, totalTime: 1, startTime: 1, endTime: 2 };
    const answer = answerPayload('v', 'HINTflow', {
      toolChainResult: { ...chain, stats, status: 'completed' },
      userPromptSlice: [4, 8],
      citations: ['20200101000000-aaaaaaa'],
    });
    expect(projectThread([node('n', 'assistant', null, answer)], [], 'nb')[0]?.markdown).toBe(
      'Looking.\n\nMay ((20200101000000-aaaaaaa "x")) made up',
    );
  });

  it('is a quotation where it is a summary, and comes back with what it covers; a damaged separator is no summary', async () => {
    const thread = [
      node('n1', 'user', null, userPayload('v1', 'q')),
      node('n2', 'separator', 'n1', answerPayload('v2', 'One.\n\nTwo.'), { covers: 'n1', uncovered: ['n0'], sources: [{ document: 'd' }] }),
    ];
    expect(projectThread(thread, [], 'nb')[1]).toMatchObject({ label: 'summary', markdown: '> One.\n>\n> Two.' });
    expect((await through(thread, [])).nodes.n2).toMatchObject({ covers: 'n1', uncovered: ['n0'], sources: [{ document: 'd' }] });
    const damaged = {
      sessionId: 's',
      nodeId: 'n3',
      parentId: null,
      role: 'separator' as const,
      textHash: '',
      problems: ['x'],
      markdown: '…',
    };
    expect(restoreThread([damaged], 'nb', mark).nodes.n3?.versions['n3-v']?.message.content).toBe('');
  });

  it('holds no value from another notebook, but its name', async () => {
    const answer = answerPayload('v', 'x', {
      toolChainResult: {
        toolCallHistory: [callRecord('c1')],
        rounds: [],
        stats: { totalRounds: 0, totalCalls: 1, totalTime: 1, startTime: 1, endTime: 2 },
        status: 'completed',
      },
    });
    const variables: SavedVariable[] = [
      { name: 'search_notes_c1_result', type: 'ToolCallResult', value: 'SECRET', created: 1, notebooks: ['other'] },
      { name: 'search_notes_c1_args', type: 'ToolCallArgs', value: '{}', created: 1 },
    ];
    const restored = await through([node('n', 'assistant', null, answer)], variables);
    expect(JSON.stringify(restored)).not.toContain('SECRET');
    expect(restored).toMatchObject({
      missing: ['search_notes_c1_result'],
      variables: [{ name: 'search_notes_c1_args', notebooks: ['nb'] }],
    });
  });

  it('falls back to the document’s own text where attributes are damaged, and follows on after a deleted parent', () => {
    const damaged = {
      sessionId: 's',
      nodeId: 'n9',
      parentId: 'gone',
      role: 'assistant' as const,
      textHash: '',
      problems: ['x'],
      markdown: 'as the note says',
    };
    const restored = restoreThread([{ ...damaged, nodeId: 'n1', parentId: null, role: 'user' }, damaged], 'nb', mark);
    expect(restored.nodes.n9).toMatchObject({
      parent: 'n1',
      versions: { 'n9-v': { message: { role: 'assistant', content: 'as the note says' } } },
    });
  });
});

describe('messages that were moved in the document', () => {
  const talk = ['n1', 'n2', 'n3', 'n4'].map((id, index) =>
    node(id, index % 2 === 0 ? 'user' : 'assistant', index === 0 ? null : `n${index}`, userPayload(`${id}v`, id)),
  );
  const decoded = () =>
    Promise.all(
      projectThread(talk, [], 'nb').map(async (message) => ({
        ...(await decodeMessage((await encodeMessage('s', message, 'h')).attributes))!,
        markdown: '',
      })),
    );

  it('property: come back in the order of the talk, whatever their order there', async () => {
    const messages = await decoded();
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(messages, { minLength: 4 }), async (moved) => {
        const { nodes, rootId, leafId } = restoreThread(moved, 'nb', mark);
        expect(Object.values(nodes).map(({ id, parent }) => `${id}<${parent}`)).toEqual(['n1<null', 'n2<n1', 'n3<n2', 'n4<n3']);
        expect([rootId, leafId]).toEqual(['n1', 'n4']);
      }),
    );
  });

  it('property: of which some were deleted, all that are left hang together', async () => {
    const messages = await decoded();
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(messages, { minLength: 1 }), async (left) => {
        const { nodes, rootId, leafId } = restoreThread(left, 'nb', mark);
        expect(Object.keys(nodes).sort()).toEqual(left.map(({ nodeId }) => nodeId).sort());
        expect(Object.values(nodes).filter(({ parent }) => parent === null)).toEqual([nodes[rootId!]]);
        expect(nodes[leafId!]).toBeDefined();
      }),
    );
  });
});

describe('a chat bound to a document', () => {
  it('is saved as a note, follows with each turn, and opens from there in a storage without it', async () => {
    const chatDocument = createMemoryChatDocument();
    const notes = sampleNotes();
    const documentId = notes.store.documents[0]!.id;
    const notebook = notes.store.notebooks[0]!.id;
    const deps = {
      chatDocument: {
        ...chatDocument,
        save: (request: Parameters<typeof chatDocument.save>[0], signal: AbortSignal) =>
          chatDocument.save({ ...request, target: { documentId } }, signal),
      },
    };
    const { chat, kept } = await openChatInNotes({ notes, deps, replies: [{ text: 'Look.', calls: [search] }, 'In May.', 'More.'] });
    await kept.save(notebook, '/Chats/One');
    expect(chat.view().notice?.code).toBe('empty_chat');
    chat.dismissNotice();
    await chat.send('when is the launch?');
    await kept.save(notebook, '/Chats/One');
    expect(chat.view().boundDocument).toBe(documentId);
    await chat.send('and then?');
    expect(chatDocument.documents.get(documentId)).toHaveLength(4);
    expect(chat.view().notice).toBeUndefined();

    const elsewhere = await openChatInNotes({
      storage: createMemoryStorage(),
      notes,
      deps,
      run: 2,
      replies: [{ calls: [{ name: 'ReadVar', arguments: { name: 'search_notes_call-search_result' } }] }, 'Yes.'],
    });
    await elsewhere.kept.open(documentId);
    const restored = elsewhere.chat.view();
    expect(restored).toMatchObject({ sessionId: chat.view().sessionId, boundDocument: documentId });
    expect(restored.messages).toEqual(chat.view().messages);
    await elsewhere.chat.send('sure?');
    expect(last(elsewhere.chat.view()).segments[0]).toMatchObject({
      call: { tool: 'ReadVar', status: 'success', preview: expect.stringContaining('planned for May') },
    });
    await elsewhere.kept.open(documentId);
    expect(elsewhere.chat.view().messages).toHaveLength(6);
  });

  it('an answer that is being written comes with a later save; a document that is gone is a notice', async () => {
    // `20260102000000-000doc1` is unknown to the notes, as a document is that was deleted meanwhile.
    const chatDocument = createMemoryChatDocument();
    const gate = createGate();
    const { chat, kept, notes } = await openChatInNotes({ deps: { chatDocument }, replies: [{ text: 'half', gateEnd: gate }, 'two'] });
    const sending = chat.send('first');
    await gate.reached;
    await kept.save(notes.store.notebooks[0]!.id, '/Chats/One');
    expect(chatDocument.documents.get('20260102000000-000doc1')).toHaveLength(1);
    gate.open();
    await sending;
    expect(chat.view()).toMatchObject({ running: false, notice: { code: 'note_gone' } });
    expect(last(chat.view()).status).toBe('done');
  });

  it('a document that is gone is said once, may be replaced by another, and is taken up when it is there again', async () => {
    const chatDocument = createMemoryChatDocument();
    const notes = sampleNotes();
    const notebook = notes.store.notebooks[0]!.id;
    const note = notes.store.documents[0]!;
    const made = [note.id, 'another'];
    const save: typeof chatDocument.save = ({ target, ...rest }, signal) =>
      chatDocument.save({ ...rest, target: 'documentId' in target ? target : { documentId: made.shift()! } }, signal);
    const { chat, kept } = await openChatInNotes({
      notes,
      deps: { chatDocument: { ...chatDocument, save } },
      replies: ['one', 'two', 'three', 'four'],
    });
    notes.store.removeDocument(note.id);
    await chat.send('first');
    expect(await kept.save(notebook, '/Chats/One')).toBe(true);
    // Who asks for an update of a note sees first that there is none: no other is made unseen.
    expect(await kept.save(notebook, '/Unseen')).toBe(false);
    expect(chat.view()).toMatchObject({ notice: { code: 'note_gone' } });
    expect(chat.view().boundDocument).toBeUndefined();
    expect([...chatDocument.documents.keys()]).toEqual([note.id]);
    chat.dismissNotice();
    await chat.send('second');
    expect(chat.view().notice).toBeUndefined();
    notes.store.documents.push(note);
    await chat.send('third');
    expect(chat.view().boundDocument).toBe(note.id);
    expect(chatDocument.documents.get(note.id)).toHaveLength(6);
    notes.store.removeDocument(note.id);
    await chat.send('fourth');
    expect(chat.view().notice?.code).toBe('note_gone');
    expect(await kept.save(notebook, '/Chats/Two')).toBe(true);
    expect(chat.view().boundDocument).toBe('another');
    expect(chatDocument.documents.get('another')).toHaveLength(8);
  });

  it('a document that is kept from the model is not called gone; what was missed comes when access is given back', async () => {
    const chatDocument = createMemoryChatDocument();
    const notes = sampleNotes();
    const [notebook] = notes.store.notebooks;
    const note = notes.store.documents[0]!;
    const save: typeof chatDocument.save = (request, signal) => chatDocument.save({ ...request, target: { documentId: note.id } }, signal);
    const whyKeptBack = async () => (notebook!.right === 'none' ? { by: 'notebook' as const, id: notebook!.id, name: 'Work' } : undefined);
    const deps = { chatDocument: { ...chatDocument, save }, whyKeptBack };
    const { chat, kept } = await openChatInNotes({ notes, deps, replies: ['one', 'two', 'three'] });
    await chat.send('first');
    expect(await kept.save(notebook!.id, '/Chats/One')).toBe(true);
    notebook!.right = 'none';
    await chat.send('second');
    expect(chat.view().notice).toBeUndefined();
    expect(chat.view().boundDocument).toBe(note.id);
    expect(await kept.save('', '')).toBe(false);
    expect(chat.view()).toMatchObject({ notice: { code: 'no_right' }, boundDocument: note.id });
    expect(chatDocument.documents.get(note.id)).toHaveLength(2);
    chat.dismissNotice();
    notebook!.right = 'write';
    await chat.send('third');
    expect(chat.view().notice).toBeUndefined();
    expect(chatDocument.documents.get(note.id)).toHaveLength(6);
  });

  it('says what was edited in the note when it is opened or saved there, and keeps its own text', async () => {
    const chatDocument = createMemoryChatDocument();
    const notes = sampleNotes();
    const documentId = notes.store.documents[0]!.id;
    const save: typeof chatDocument.save = (request, signal) => chatDocument.save({ ...request, target: { documentId } }, signal);
    const storage = createMemoryStorage();
    const options = { notes, storage, deps: { chatDocument: { ...chatDocument, save } } };
    const { chat, kept } = await openChatInNotes({ ...options, replies: ['one'] });
    await chat.send('first');
    expect(await kept.save('', '')).toBe(true);
    expect(chat.view().noteEdits).toBeUndefined();
    const [, answer] = chat.view().messages;
    chatDocument.documents.get(documentId)![1]!.markdown += ' (edited)';
    expect(await kept.save('', '')).toBe(true);
    const noteEdits = { [answer!.nodeId]: `block-${answer!.nodeId}` };
    expect(chat.view()).toMatchObject({ noteEdits, messages: chat.view().messages });
    await chat.dispose();
    const again = await openChatInNotes({ ...options, run: 2 });
    await again.chat.openChat(chat.view().sessionId);
    expect(again.chat.view()).toMatchObject({ noteEdits, messages: [{}, { segments: [{ kind: 'text', text: 'one' }] }] });
    notes.store.removeDocument(documentId);
    chatDocument.documents.delete(documentId);
    await again.chat.newChat();
    await again.chat.openChat(chat.view().sessionId);
    expect(again.chat.view().noteEdits).toBeUndefined();
    expect(again.chat.view().notice).toBeUndefined();
  });

  it('a document without a chat, or no documents at all, is a notice', async () => {
    const { chat, kept } = await openChatInNotes({ deps: { chatDocument: createMemoryChatDocument() } });
    await kept.open('doc7');
    expect(chat.view().notice?.code).toBe('no_chat');
    const bare = await openChatInNotes();
    await bare.kept.open('doc7');
    expect(bare.chat.view().notice?.code).toBe('no_documents');
  });
});

describe('a chat with text of several notebooks, kept in one of them', () => {
  const diary = () => {
    const notes = new InMemoryNotes({
      notebooks: [
        { name: 'Work', documents: { '/Log': 'Begin.' } },
        { name: 'Diary', documents: { '/Bank': 'PIN-4711' } },
        { name: 'Letters', documents: { '/Home': 'Dear Anna' } },
      ],
    });
    const [work, book] = notes.store.notebooks;
    const [log] = notes.store.documents;
    const chatDocument = createMemoryChatDocument();
    const save: typeof chatDocument.save = (request, signal) =>
      chatDocument.save({ ...request, target: { documentId: log?.id ?? '' } }, signal);
    /** What the note holds, out of sight too. */
    const held = async (): Promise<string> => {
      const stored = chatDocument.documents.get(log?.id ?? '') ?? [];
      const decoded = await Promise.all(stored.map(({ attributes }) => decodeMessage(attributes)));
      return JSON.stringify([stored.map(({ markdown }) => markdown), decoded]);
    };
    return { notes, work: work?.id ?? '', book, chatDocument: { ...chatDocument, save }, held };
  };
  const reads = (path: string, id: string) => ({ calls: [{ name: 'read_doc', arguments: { path }, id }] });

  it('asks before another notebook’s text goes into the note, at the first save and when a later answer brings more', async () => {
    const { notes, work, chatDocument, held } = diary();
    const replies = [reads('/Bank', 'c1'), 'It is PIN-4711.', reads('/Home', 'c2'), 'Dear Anna, it says.'];
    const { chat, kept } = await openChatInNotes({ notes, deps: { chatDocument, history: notes, notes }, replies });
    await chat.send('my code?');
    expect(await kept.save(work, '/Chats/One')).toBe(false);
    expect(chat.view().notice).toMatchObject({ code: 'note_others', message: expect.stringContaining('“Diary”') });
    expect(await held()).toBe('[[],[]]');
    expect(await kept.save(work, '/Chats/One', true)).toBe(true);
    expect(await held()).toContain('PIN-4711');
    await chat.send('and the letter?');
    expect(chat.view().notice).toMatchObject({ code: 'note_others', message: expect.stringContaining('“Letters”') });
    expect(await held()).not.toContain('Dear Anna');
  });

  it('holds nothing of what may not be read any more, and no value of another notebook', async () => {
    const { notes, work, book, chatDocument, held } = diary();
    const { chat, kept } = await openChatInNotes({
      notes,
      deps: { chatDocument, history: notes, notes },
      replies: [reads('/Bank', 'c1'), 'It is PIN-4711.', 'No.'],
    });
    chat.addContext({ kind: 'document', id: notes.store.documents[1]?.id ?? '', title: 'PIN-4711', text: 'PIN-4711' });
    await chat.send('my code?');
    Object.assign(book ?? {}, { right: 'none' });
    expect(await kept.save(work, '/Chats/One', true)).toBe(true);
    await chat.send('and now?');
    expect(await held()).toContain('may no longer be read');
    expect(await held()).toContain('my code?');
    expect(await held()).not.toContain('4711');
  });

  it('holds nothing of what was found for a question and may not be read any more', async () => {
    const sources = [{ notebook: 'nb', document: 'doc', blocks: ['b1'] }];
    const passages = [{ id: 'b1', text: 'PIN-4711' }];
    const list = { notes: [{ id: 'doc', title: 'PIN-4711', path: '/PIN-4711', notebook: 'Work', passages }] };
    const context = {
      contextId: 'c',
      kind: 'found',
      id: 'found',
      title: 'PIN-4711',
      text: 'PIN-4711',
      sources,
      found: list,
      later: 'PIN-4711',
    };
    const nodes = [node('n1', 'user', null, userPayload('v1', 'q'), { context: [context] })];
    const rights = { ...NO_NOTES, obstacles: async () => [new Set(['doc'])] };
    const withheld = await Withheld.ask(rights, sources, new AbortController().signal);
    const { thread } = noteContents(nodes, [], 'nb', withheld);
    expect(JSON.stringify(thread)).not.toContain('PIN-4711');
    expect(JSON.stringify(projectThread(thread, [], 'nb'))).not.toContain('PIN-4711');
  });

  it('holds no value that may not be read, whatever becomes of the message that names it', async () => {
    const sources = [{ notebook: 'nb', document: 'guarded' }];
    const variable: SavedVariable = { name: 'v', type: 'ToolCallResult', value: 'PIN-0815', created: 1, notebooks: ['nb'], sources };
    const rights = { ...NO_NOTES, obstacles: async (all: readonly object[]) => all.map(() => new Set(['guarded'])) };
    const withheld = await Withheld.ask(rights, sources, new AbortController().signal);
    const contents = (held: Withheld) => noteContents([node('n', 'user', null, userPayload('p', 'x'))], [variable], 'nb', held);
    expect(contents(Withheld.nothing).variables).toEqual([variable]);
    expect(contents(withheld).variables).toEqual([{ ...variable, notebooks: ['nb', ''] }]);
  });
});
