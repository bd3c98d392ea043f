import { describe, expect, it } from 'vitest';
import type { ApprovalDecision } from '../../tools/contract/types.ts';
import { HeadlessApprovalAdapter, toolExecutorFactory } from '../../tools/index.ts';
import { InMemoryNotes } from '../../tools/testing/in-memory-notes.ts';
import { inMemoryRights } from '../../tools/testing/in-memory-rights.ts';
import type { NotebookSeed } from '../../tools/testing/in-memory-store.ts';
import { callOptions, testClock } from '../../tools/testing/support.ts';
import { createMemoryGroup } from './memory.ts';

const OTHER: NotebookSeed = { name: 'Other', documents: { '/Plan': 'Launch.' } };

function open(notebook: NotebookSeed = { name: 'Home', documents: {} }, home: { notebook?: string; document?: string } = {}) {
  const notes = new InMemoryNotes({ notebooks: [notebook, OTHER] });
  const id = notes.store.notebooks[0]?.id ?? '';
  const at = { notebook: home.notebook ?? id, document: home.document ?? '' };
  const asked: string[] = [];
  let decision: ApprovalDecision = { approved: true };
  const executor = toolExecutorFactory({
    approvalAdapter: new HeadlessApprovalAdapter(({ plan }) => {
      asked.push((plan?.operations ?? []).map(({ action, before, after }) => `${action} ${after ?? before}`).join('; '));
      return decision;
    }),
    clock: testClock(),
    groups: [createMemoryGroup(notes, { get: () => at, title: '记忆', made: async (document) => void Object.assign(at, { document }) })],
    groupDefaults: { memory: true },
    rights: inMemoryRights(notes),
  });
  let calls = 0;
  const memory = async (args: object): Promise<string> => {
    const result = await executor.execute('memory', { ...args }, callOptions(`c${++calls}`));
    return String(result.formattedText ?? result.finalText);
  };
  const note = () => notes.store.documents.find(({ path }) => path === '/记忆' || path === '/Memory');
  const reject = () => {
    decision = { approved: false };
  };
  return { notes, at, asked, memory, note, reject };
}

describe('memory', () => {
  it('makes its note with the first fact, keeps which one it is, and adds a paragraph for each later one', async () => {
    const { memory, note, at, asked } = open();
    expect(await memory({ op: 'read' })).toBe('The memory is empty: the next op=save creates a note for it.');
    expect(await memory({ op: 'save', text: '- Prefers metric units.' })).toMatch(/^created the note and remembered in \/记忆 /u);
    expect(at.document).toBe(note()?.id);
    expect(await memory({ op: 'save', text: '1. Lives in Emden.\n\n# Has a boat.' })).toMatch(/^remembered in \/记忆 /u);
    expect(note()?.blocks.map(({ markdown }) => markdown)).toEqual(['Prefers metric units.', 'Lives in Emden.', 'Has a boat.']);
    expect(asked).toHaveLength(2);
    expect(await memory({ op: 'read' })).toMatch(
      /^记忆 \[.+\] in Home: 3 facts\n1\. Prefers metric units\.\n2\. Lives in Emden\.\n3\. Has a boat\.$/u,
    );
    expect(await memory({ op: 'search', query: 'EMDEN lives' })).toMatch(/: 1 of 3 facts\n2\. Lives in Emden\.$/u);
  });

  it('reads what the user made of the note: list items, no headings, under any of its titles', async () => {
    const { memory } = open({ name: 'Home', documents: { '/Memory': '# About me\n\nLives in Emden.\n\n- Has a boat\n- Has a cat' } });
    expect(await memory({ op: 'read' })).toMatch(/: 3 facts\n1\. Lives in Emden\.\n2\. Has a boat\n3\. Has a cat$/u);
  });

  it('forgets by the numbers that were shown, and asks for them again after a change', async () => {
    const { memory, note, asked } = open({ name: 'Home', right: 'delete', documents: { '/Memory': 'One.\n\nTwo.\n\nThree.' } });
    expect(await memory({ op: 'forget', numbers: [2] })).toMatch(/^not_found: .* → call memory op=read/u);
    await memory({ op: 'search', query: 'three' });
    expect(await memory({ op: 'forget', numbers: [2, 9] })).toMatch(/^not_found: /u);
    expect(await memory({ op: 'forget', numbers: [] })).toMatch(/^bad_arguments: /u);
    expect(asked).toEqual([]);
    await memory({ op: 'forget', numbers: [2] });
    expect(asked).toEqual(['delete Two.']);
    expect(note()?.blocks.map(({ markdown }) => markdown)).toEqual(['One.', 'Three.']);
    expect(await memory({ op: 'forget', numbers: [2] })).toMatch(/^not_found: /u);
  });

  it('writes nothing that was rejected, or that holds no fact', async () => {
    const { memory, note, reject, notes } = open();
    expect(await memory({ op: 'save', text: ' - \n##  ' })).toMatch(/^empty_text: /u);
    reject();
    await memory({ op: 'save', text: 'x' });
    expect([note(), notes.writes]).toEqual([undefined, 0]);
  });

  it('says what is missing: a notebook, a note that is gone, a right, an open notebook', async () => {
    expect(await open(undefined, { notebook: '' }).memory({ op: 'read' })).toMatch(
      /^memory_off: .* → ask the user to choose one in the settings/u,
    );
    expect(await open(undefined, { document: '20260101000000-gone000' }).memory({ op: 'read' })).toMatch(/its note is no longer there/u);
    const closed = open({ name: 'Home', open: false, documents: { '/Memory': 'x' } });
    expect(await closed.memory({ op: 'read' })).toMatch(/^closed_notebook: /u);
    const hidden = open({ name: 'Home', right: 'none', documents: { '/Memory': 'secret' } });
    expect(await hidden.memory({ op: 'read' })).toMatch(/^memory_off: .*does not exist/u);
  });
});
