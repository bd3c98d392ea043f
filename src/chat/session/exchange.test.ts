import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractBranch } from '../controller/message-actions.ts';
import { makeSearchEntry } from '../store/search/search-text.ts';
import { answerPayload, callRecord, counter, node, session, userPayload } from '../testing/samples.ts';
import { exportChats, importChats } from './exchange.ts';
import { exportMarkdown } from './export-markdown.ts';
import { TreeModel } from './tree-model.ts';
import type { Session } from './types.ts';

const stats = { totalRounds: 1, totalCalls: 1, totalTime: 1, startTime: 1, endTime: 2 };
const withTools = answerPayload('v2', 'HINTsaid', {
  userPromptSlice: [4, 8],
  toolChainResult: { toolCallHistory: [callRecord('c1')], rounds: [{ text: 'said', callIds: ['c1'] }], stats, status: 'completed' },
});
const value = (name: string, type: 'ToolCallResult' | 'LLMAdd' = 'ToolCallResult') => ({ name, type, value: name, created: 1 });

/** A chat as use makes it: branches, versions, tombstones. */
const anyChat: fc.Arbitrary<Session> = fc
  .array(
    fc.record({
      kind: fc.constantFrom('say', 'branch', 'version', 'delete', 'hide'),
      pick: fc.nat(),
      text: fc.string({ unit: 'grapheme' }),
    }),
  )
  .map((steps) => {
    const version = counter('v');
    const tree = new TreeModel({ newId: counter('n'), now: () => 5, device: 'd' });
    for (const { kind, pick, text } of steps) {
      const ids = Object.keys(tree.snapshot().nodes);
      const id = ids[pick % Math.max(1, ids.length)];
      const payload = answerPayload(version(), text);
      if (id === undefined || kind === 'say') tree.append({ role: 'user', payload });
      else if (kind === 'branch') tree.append({ role: 'assistant', payload, parent: tree.node(id).parent });
      else if (kind === 'version') tree.addVersion(id, payload);
      else if (kind === 'delete') tree.tombstone(id);
      else tree.setHidden(id, true);
    }
    return session('s1', { ...tree.snapshot(), boundDocument: 'd1', tags: ['a'], variables: [value('x', 'LLMAdd')] });
  });

describe('export and import', () => {
  it('property: brings back every chat exactly, without consent and without the note that it was kept in', () => {
    fc.assert(
      fc.property(anyChat, (chat) => {
        const exported = exportChats([{ ...chat, noteNotebooks: ['n'], approvals: [{ tool: 'delete_block', scope: '*' }] }]);
        expect(exported).not.toContain('delete_block');
        const { boundDocument: _note, noteNotebooks: _others, ...rest } = chat;
        expect(importChats(exported)).toEqual([JSON.parse(JSON.stringify(rest))]);
      }),
    );
  });

  it('a chat that the file holds twice is one, with the messages of both', () => {
    const [one, other] = ['n1', 'n2'].map((id) => session('s1', { nodes: { [id]: node(id, 'user', null, userPayload(`v${id}`, id)) } }));
    const chats = importChats(exportChats([one!, other!]));
    expect(chats.map(({ id, nodes }) => [id, Object.keys(nodes).sort()])).toEqual([['s1', ['n1', 'n2']]]);
  });

  it('takes a session file as it lies in the storage, but no rules and no pointers to files', () => {
    const rule = { ...value('r'), type: 'RULE' as const };
    const chat = session('s1', { variables: [value('x'), rule, { ...value('y'), file: 'y.txt' }] });
    const [imported] = importChats(JSON.stringify(chat));
    expect(imported?.variables.map((one) => one.name)).toEqual(['x']);
  });

  it('refuses what it cannot read, as a whole and with a reason', () => {
    const fail = (text: string) => () => importChats(text);
    expect(fail('# A note')).toThrow('not JSON');
    expect(fail('{"format":"other"}')).toThrow('contains no chats');
    expect(fail(exportChats([session('s1'), { ...session('s2'), nodes: { x: {} as never } }]))).toThrow('chat 2 of the file is damaged');
    expect(fail(exportChats([{ ...session('s1'), schema: 2 as never }]))).toThrow('newer version');
  });
});

describe('extractBranch', () => {
  const base = session('s1', {
    nodes: {
      n1: node('n1', 'user', null, userPayload('v1', 'one')),
      n2: node('n2', 'assistant', 'n1', withTools),
      gone: node('gone', 'user', 'n2', userPayload('v3', 'gone'), { deleted: true }),
      n4: node('n4', 'user', 'gone', userPayload('v4', 'two'), { pinned: true }),
      n5: node('n5', 'user', 'n2', userPayload('v5', 'another branch')),
    },
    leafId: 'n5',
    systemPrompt: 'Be brief',
    boundDocument: 'd1',
    approvals: [{ tool: 't', scope: 's' }],
    variables: [value('search_notes_c1_result'), value('other_result'), value('mine', 'LLMAdd')],
  });

  it('takes the branch with its values into a chat of its own, without consent and document', () => {
    const made = extractBranch(base, 'n4', { title: 'Two', now: 9, newId: counter('x') });
    const tree = new TreeModel({ newId: counter(), now: () => 1, device: 'd' }, made);
    expect(tree.thread().map((one) => tree.payload(one.id).message.content)).toEqual(['one', 'HINTsaid', 'two']);
    expect(Object.keys(made.nodes)).toHaveLength(3);
    expect(made).toMatchObject({ title: 'Two', created: 9, systemPrompt: 'Be brief', approvals: [] });
    expect(made.variables.map((one) => one.name)).toEqual(['search_notes_c1_result', 'mine']);
    expect(made).not.toHaveProperty('boundDocument');
    expect(tree.thread()[2]).toMatchObject({ pinned: true });
    expect(Object.keys(made.nodes).some((id) => id in base.nodes)).toBe(false);
  });

  it('reads as Markdown: who, when, what was said; headings below ours, logs and hint left out', () => {
    const words = { user: 'You', assistant: 'Assistant', attached: 'Attached', summary: 'Summary', branch: 'Another branch' };
    const chat: Session = {
      ...base,
      nodes: {
        ...base.nodes,
        n1: { ...base.nodes.n1!, context: [{ contextId: 'c', kind: 'document', id: 'd', title: 'A\nnote', text: 'long' }] },
        n5: node('n5', 'user', 'n2', userPayload('v5', '# Title\n```\n# no heading\n```\n###### deep')),
      },
    };
    const formatTime = (time: number): string => `t${time}`;
    const shown = exportMarkdown(chat, { branches: 'shown', words, formatTime });
    expect(shown).toBe(
      '# A chat\n\n## You · t1\n\n*Attached: A note*\n\none\n\n## Assistant (scripted) · t2\n\nsaid\n\n## You · t1\n\n### Title\n```\n# no heading\n```\n###### deep\n',
    );
    const all = exportMarkdown(chat, { branches: 'all', words, formatTime });
    expect(all.startsWith(shown.trimEnd())).toBe(true);
    expect(all.slice(shown.length)).toBe('\n---\n\n# Another branch: said\n\n## You · t1\n\ntwo\n');
  });

  it('has a summary as a quotation, whose headings are below ours', () => {
    const words = { user: 'U', assistant: 'A', attached: '', summary: 'Summary', branch: 'B' };
    const nodes = { ...base.nodes, n5: node('n5', 'separator', 'n2', answerPayload('v5', '# Said\n\nLine')) };
    const text = exportMarkdown({ ...base, nodes, leafId: 'n5' }, { branches: 'shown', words, formatTime: String });
    expect(text.endsWith('\n\n---\n\n> **Summary** (scripted)\n>\n> ### Said\n>\n> Line\n')).toBe(true);
    expect(makeSearchEntry({ ...base, nodes }, 1)).toMatchObject({ texts: expect.arrayContaining(['# Said\n\nLine']) });
  });

  it('property: all branches hold every message that was not deleted, once', () => {
    const words = { user: 'U', assistant: 'A', attached: '', summary: 'Summary', branch: 'B' };
    fc.assert(
      fc.property(anyChat, (chat) => {
        const text = exportMarkdown(chat, { branches: 'all', words, formatTime: String });
        const alive = Object.values(chat.nodes).filter((one) => !one.deleted);
        const headings = text.split('\n').filter((line) => /^## (U|A \(scripted\)) · 2$/.test(line));
        expect(headings).toHaveLength(alive.length);
      }),
    );
  });
});
