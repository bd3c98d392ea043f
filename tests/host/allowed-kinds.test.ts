import { afterEach, describe, expect, it } from 'vitest';
import type { ToolArguments } from '../../src/tools/contract/types.ts';
import { TOOL_NOTEBOOKS } from '../../src/tools/testing/tool-samples.ts';
import { closeNotes, type KernelNotes, openNotes } from './open-notes.ts';

const TASKS = '/daily note/2026/01/2026-01-15';

interface Kind {
  readonly tool: string;
  /** A call that does this and nothing else. */
  readonly call: (notes: KernelNotes) => ToolArguments | Promise<ToolArguments>;
  /** What must be there before: written by the person, so that nothing is asked or remembered. */
  readonly before?: (notes: KernelNotes) => Promise<void>;
}

let made = 0;
const table = async (notes: KernelNotes) => {
  const [reading] = await notes.notes.database({ id: notes.id(TASKS), page: 1, pageSize: 9 }, new AbortController().signal);
  return reading!;
};
const column = async (notes: KernelNotes, type: string) => (await table(notes)).columns.find((each) => each.type === type)!.name;
const row = async (notes: KernelNotes) => (await table(notes)).rows.find(({ blockId }) => blockId === null)!.id;
const write = (rest: (notes: KernelNotes) => ToolArguments | Promise<ToolArguments>) => ({
  tool: 'db_write',
  call: async (notes: KernelNotes) => ({ id: notes.id(TASKS), ...(await rest(notes)) }),
});
const columns = (change: (notes: KernelNotes) => Promise<ToolArguments>) =>
  write(async (notes) => ({ op: 'columns', columns: [await change(notes)] }));
const asPerson = (args: (notes: KernelNotes) => Promise<ToolArguments> | ToolArguments, tool: string) => async (notes: KernelNotes) => {
  const records = notes.executor.approvalRecords.list();
  const result = await notes.call(tool, await args(notes));
  expect(result.status).toBe('success');
  notes.executor.approvalRecords.restore(records);
  notes.asked.splice(0);
};
const text = async (notes: KernelNotes, value: string) => ({
  id: notes.id(TASKS),
  op: 'set_cells',
  rows: [{ row: await row(notes), values: { [await column(notes, 'text')]: value } }],
});
const card = (op: string, at: number) => (notes: KernelNotes) => ({ op, ids: [notes.block('/Apollo', at).id] });
const state = (value: string) => (notes: KernelNotes) => ({
  op: 'set',
  ids: [notes.id('/Apollo')],
  attrs: { 'custom-state': value && `${value}${++made}` },
});

/** Every kind of change of the tools that offer "Allow for this chat" and do more than one. */
const KINDS: Readonly<Record<string, Kind>> = {
  'flashcards create': { tool: 'flashcards', call: card('create', 1) },
  'flashcards remove': { tool: 'flashcards', call: card('remove', 0), before: asPerson(card('create', 0), 'flashcards') },
  'attributes set': { tool: 'attributes', call: state('active') },
  'attributes remove': { tool: 'attributes', call: state(''), before: asPerson(state('done'), 'attributes') },
  'db_write add_rows': write(() => ({ op: 'add_rows', rows: [{ title: `Land ${++made}` }] })),
  'db_write add_rows, new options': write(async (notes) => ({
    op: 'add_rows',
    rows: [{ title: 'Land', values: { [await column(notes, 'select')]: `soon ${++made}` } }],
    newOptions: true,
  })),
  'db_write set_cells': { tool: 'db_write', call: (notes) => text(notes, `words ${++made}`) },
  'db_write set_cells to nothing': {
    tool: 'db_write',
    call: (notes) => text(notes, ''),
    before: asPerson((notes) => text(notes, 'x'), 'db_write'),
  },
  'db_write remove_rows': write(async (notes) => ({ op: 'remove_rows', rows: [{ row: await row(notes) }] })),
  'db_write columns add': columns(async () => ({ op: 'add', name: `Extra ${++made}`, type: 'text' })),
  'db_write columns rename': columns(async (notes) => ({ op: 'rename', column: await column(notes, 'text'), name: `Named ${++made}` })),
  'db_write columns move': columns(async (notes) => {
    const names = (await table(notes)).columns.map(({ name }) => name);
    return { op: 'move', column: names.at(-1), after: names.at(-3) };
  }),
  'db_write columns remove': columns(async (notes) => ({ op: 'remove', column: await column(notes, 'number') })),
  'memory save': { tool: 'memory', call: () => ({ op: 'save', text: `Likes tea ${++made}.` }) },
  'memory forget': {
    tool: 'memory',
    call: async (notes) => {
      await notes.call('memory', { op: 'read' });
      return { op: 'forget', numbers: [1] };
    },
    before: asPerson(() => ({ op: 'save', text: 'Likes cats.' }), 'memory'),
  },
};

const PAIRS = Object.entries(KINDS).flatMap(([one, { tool }]) =>
  Object.entries(KINDS).flatMap(([other, kind]) => (kind.tool === tool && other !== one ? [[one, other] as const] : [])),
);

afterEach(closeNotes);

async function open(): Promise<KernelNotes> {
  const notes = await openNotes({ notebooks: TOOL_NOTEBOOKS, decision: { approved: true, remember: true } });
  const id = notes.id(TASKS);
  await asPerson(
    () => ({
      id,
      op: 'columns',
      columns: [
        { op: 'add', name: 'Last', type: 'number' },
        { op: 'add', name: 'Words', type: 'text' },
      ],
    }),
    'db_write',
  )(notes);
  await asPerson(() => ({ id, op: 'add_rows', rows: [{ title: 'Launch' }, { title: 'Land' }] }), 'db_write')(notes);
  return notes;
}

async function run(notes: KernelNotes, name: string): Promise<number> {
  const { tool, call, before } = KINDS[name]!;
  await before?.(notes);
  const args = await call(notes);
  const asked = notes.asked.length;
  const result = await notes.call(tool, args);
  expect([name, result.status, result.error]).toEqual([name, 'success', undefined]);
  return notes.asked.length - asked;
}

describe('"Allow for this chat"', () => {
  it.each(PAIRS)('for %s does not let pass: %s', async (one, other) => {
    const notes = await open();
    await run(notes, one);
    expect([one, other, await run(notes, other)]).toEqual([one, other, 1]);
  });

  it.each(Object.entries(KINDS).flatMap(([name]) => (/remove_rows|columns remove|forget/.test(name) ? [] : [name])))(
    'for %s lets the next one of it pass',
    async (name) => {
      const notes = await open();
      await run(notes, name);
      if (name !== 'flashcards create') expect([name, await run(notes, name)]).toEqual([name, 0]);
    },
  );

  it('is offered by no tool whose operations are not among these', async () => {
    const notes = await open();
    const several = notes.executor.getEnabledToolDefinitions().flatMap(({ function: { name, parameters } }) => {
      const { op } = (parameters.properties ?? {}) as { op?: { enum?: readonly string[] } };
      const writing = (op?.enum ?? []).filter((each) => notes.executor.effectOf(name, { op: each }) === 'write');
      return writing.length > 1 ? [name] : [];
    });
    // These ask each time, or never (a list of steps is nobody's note).
    const always = ['tags', 'organize_doc', 'manage_notebook', 'todo'];
    const tools = new Set(Object.values(KINDS).map(({ tool }) => tool));
    expect(several.filter((name) => !always.includes(name) && !tools.has(name))).toEqual([]);
  });
});
