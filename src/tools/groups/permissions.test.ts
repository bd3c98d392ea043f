import { afterEach, describe, expect, it } from 'vitest';
import { closeNotes, openNotes } from '../../../tests/host/open-notes.ts';
import { openNotes as openInMemory } from '../testing/open-notes.ts';
import { NOTE_SAMPLES, TOOL_NOTEBOOKS } from '../testing/tool-samples.ts';

/** What asks: E every time, W every time and can be allowed for the chat. Everything else only reads, and runs by itself. */
const ASKING: Readonly<Record<string, 'E' | 'W'>> = {
  'memory save': 'W',
  'manage_notebook create': 'E',
  'manage_notebook rename': 'E',
  create_doc: 'W',
  'organize_doc rename': 'E',
  delete_doc: 'E',
  'daily_note append': 'W',
  edit_block: 'W',
  insert_blocks: 'W',
  move_blocks: 'W',
  delete_blocks: 'E',
  rewrite_doc: 'E',
  'attributes set': 'W',
  'tags rename': 'E',
  'flashcards create': 'W',
  'assets rename': 'E',
  db_create: 'W',
  'db_write add_rows': 'W',
  'export_doc file': 'E',
};
const OPERATIONS = new Map(
  NOTE_SAMPLES.map((sample) => {
    const args = sample.good(openInMemory({ notebooks: TOOL_NOTEBOOKS }));
    return [`${sample.tool} ${String(args.op ?? args.format ?? '')}`.trim(), sample] as const;
  }),
);

afterEach(closeNotes);

describe('permissions of every tool', () => {
  it('name every operation that does more than read', () => {
    const bench = openInMemory({ notebooks: TOOL_NOTEBOOKS });
    const acting = [...OPERATIONS].filter(([, { tool, good }]) => bench.executor.effectOf(tool, good(bench)) !== 'read');
    expect(acting.map(([title]) => title).sort()).toEqual(Object.keys(ASKING).sort());
  });

  it.each([...OPERATIONS])('%s: asks as the table says', async (title, sample) => {
    const bench = await openNotes({ notebooks: TOOL_NOTEBOOKS, decision: { approved: true, remember: true } });
    await bench.call(sample.tool, sample.good(bench));
    const [request] = bench.asked;
    const permission = ASKING[title];
    if (permission === undefined) return expect([request, bench.writes(), bench.files]).toEqual([undefined, 0, []]);
    // A preview always, and an offer to remember for W only: for a notebook, and kinds of change.
    expect(request?.plan?.operations.length).toBeGreaterThan(0);
    expect(request?.scope?.split(' ')[0]).toBe(permission === 'W' ? request?.plan?.notebook.id : undefined);
    expect(bench.executor.approvalRecords.list()).toHaveLength(permission === 'W' ? 1 : 0);
  });

  it.each(Object.keys(ASKING))(
    'are told as they are: what is named as standing is what the gate lets pass, whatever the user set: %s',
    async (title) => {
      const sample = OPERATIONS.get(title)!;
      for (const executionPolicy of ['auto', 'ask-once', 'ask-always'] as const) {
        const bench = await openNotes({ notebooks: TOOL_NOTEBOOKS, decision: { approved: true } });
        expect(bench.executor.grantedPermissions()).toEqual([]);
        bench.executor.setPermission(sample.tool, { executionPolicy });
        const told = bench.executor.grantedPermissions().map(({ tool }) => tool);
        await bench.call(sample.tool, sample.good(bench));
        expect([title, executionPolicy, told]).toEqual([title, executionPolicy, bench.asked.length === 0 ? [sample.tool] : []]);
        bench.executor.setToolEnabled(sample.tool, false);
        expect(bench.executor.grantedPermissions().filter(({ scope }) => scope === null)).toEqual([]);
        await closeNotes();
      }
    },
  );

  it('gates what a tool does not understand as the strictest of its operations', () => {
    const { executor } = openInMemory();
    for (const tool of ['daily_note', 'attributes', 'tags', 'manage_notebook', 'organize_doc']) {
      for (const op of [undefined, 'LIST', 'other', 7]) expect([tool, op, executor.effectOf(tool, { op })]).toEqual([tool, op, 'write']);
    }
  });
});
