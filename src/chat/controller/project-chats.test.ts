import { describe, expect, it } from 'vitest';
import { createGate, createScriptedModel } from '../../model/testing/scripted-model.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import { InMemoryNotes } from '../../tools/testing/in-memory-notes.ts';
import { inMemoryRights } from '../../tools/testing/in-memory-rights.ts';
import type { ChatProject } from '../session/chat-project.ts';
import { readSession } from '../session/saved-format.ts';
import { createMemoryStorage, type MemoryStorage } from '../store/storage-port.ts';
import { openChat } from '../testing/open-chat.ts';

const copy = (storage: MemoryStorage): MemoryStorage => createMemoryStorage(Object.fromEntries(storage.files));

/** A project whose text is that of its id, until it is taken away. */
function projects() {
  const notes = new InMemoryNotes({ notebooks: [] });
  const gone = new Set<string>();
  let reads = 0;
  const project = (id: string): ChatProject => ({
    ...{ notes, rights: inMemoryRights(notes), skills: undefined, scope: [], findFirst: async () => undefined, budgeted: (model) => model },
    instructions: `Instructions of ${id}.`,
    async read() {
      reads += 1;
      if (gone.has(id)) throw new ToolError('project_gone', 'it is gone', 'start another chat');
    },
  });
  return { project, gone, reads: () => reads };
}

const systemOf = (model: Awaited<ReturnType<typeof openChat>>['model']): unknown => model.requests.at(-1)?.messages[0]?.content;

describe('a chat of a project', () => {
  it('is given its instructions, read before each turn; others are asked as if there were none', async () => {
    const { project, reads } = projects();
    const plain = await openChat({ replies: ['a'] });
    await plain.chat.send('hello');
    const { chat, model } = await openChat({ replies: ['a', 'b', 'c'], deps: { project } });
    await chat.send('hello');
    expect(systemOf(model)).toBe(systemOf(plain.model));
    await chat.newChat({ project: 'p1', tags: ['Lamps'] });
    expect(chat.view()).toMatchObject({ project: 'p1', tags: ['Lamps'] });
    await chat.send('one');
    const before = reads();
    await chat.send('two');
    expect(systemOf(model)).toContain('Instructions of p1.');
    expect(reads()).toBe(before + 1);
    expect(chat.view().scope).toEqual([]);
    await chat.newChat();
    expect(chat.view().project).toBeUndefined();
    expect(chat.view().scope).toBeUndefined();
  });

  it.each(['gone', 'without the feature'])('sends nothing where the project is %s', async (why) => {
    const { project, gone } = projects();
    gone.add('p1');
    const { chat, model } = await openChat({ replies: ['never'], deps: why === 'gone' ? { project } : {} });
    await chat.newChat({ project: 'p1' });
    await chat.send('hello');
    expect(chat.view().messages.at(-1)).toMatchObject({ status: 'error', error: { code: 'project_gone' } });
    expect(model.requests).toEqual([]);
  });

  it('is the only one that an agent with a project answers in', async () => {
    const { project } = projects();
    const model = createScriptedModel(['a']);
    const agent = () => ({ status: { label: 'x', kind: 'ready' as const }, model: { ...model, project: 'p1' } });
    const { chat } = await openChat({ deps: { project, model: agent } });
    for (const other of [undefined, { project: 'p2' }]) {
      await chat.newChat(other);
      await chat.send('hello');
      expect(chat.view().messages.at(-1)).toMatchObject({ status: 'error', error: { code: 'project_other' } });
    }
    expect(model.requests).toEqual([]);
    await chat.newChat({ project: 'p1' });
    await chat.send('hello');
    expect(chat.view().messages.at(-1)).toMatchObject({ status: 'done' });
  });

  it('stays one in its file, in a branch of it, and after a crash before it had a file', async () => {
    const { project } = projects();
    const storage = createMemoryStorage();
    const gate = createGate();
    const first = await openChat({ storage, replies: ['a', { text: 'It is', gateEnd: gate }], deps: { project } });
    await first.chat.newChat({ project: 'p1' });
    await first.chat.send('one');
    const again = await openChat({ storage: copy(storage), run: 2, deps: { project } });
    await again.chat.openChat(first.chat.view().sessionId);
    expect(again.chat.view().project).toBe('p1');
    await again.chat.messages.extract(again.chat.view().messages[1]?.nodeId ?? '', 'Copy');
    expect(again.chat.view()).toMatchObject({ project: 'p1' });
    expect(again.chat.view().sessionId).not.toBe(first.chat.view().sessionId);

    await first.chat.newChat({ project: 'p2' });
    void first.chat.send('two');
    await gate.reached;
    const { sessionId } = first.chat.view();
    const crashed = createMemoryStorage(Object.fromEntries([...storage.files].filter(([path]) => path !== `sessions/${sessionId}.json`)));
    const third = await openChat({ storage: crashed, run: 3, deps: { project } });
    await third.chat.openChat(sessionId);
    expect(third.chat.view()).toMatchObject({ sessionId, project: 'p2' });
    gate.open();
  });

  it('stays one, of a project that is not there, where the field is damaged', () => {
    const saved = { schema: 1, id: 'c', title: '', created: 1, updated: 1, tags: [], pinned: false, nodes: {}, rootId: null, leafId: null };
    const read = readSession(JSON.stringify({ ...saved, variables: [], approvals: [], project: 7 }));
    expect(read).toMatchObject({ kind: 'ok', session: { project: '' } });
  });
});
