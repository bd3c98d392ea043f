import { describe, expect, it } from 'vitest';
import { openNotes } from '../testing/open-notes.ts';
import { TOOL_NOTEBOOKS, TOOL_SAMPLES } from '../testing/tool-samples.ts';

/** A runs by itself, O asks once, E asks every time, W asks every time and can be allowed for the chat. */
const TABLE: Readonly<Record<string, 'A' | 'O' | 'E' | 'W'>> = {
  'memory read': 'A',
  'memory save': 'W',
  list_notebooks: 'A',
  'manage_notebook create': 'E',
  'manage_notebook rename': 'E',
  list_docs: 'A',
  read_doc: 'A',
  read_docs: 'A',
  get_outline: 'A',
  create_doc: 'W',
  'organize_doc rename': 'E',
  delete_doc: 'E',
  'daily_note read': 'A',
  'daily_note append': 'W',
  read_block: 'A',
  block_info: 'A',
  edit_block: 'W',
  insert_blocks: 'W',
  move_blocks: 'W',
  delete_blocks: 'E',
  rewrite_doc: 'E',
  search_notes: 'A',
  grep_doc: 'A',
  backlinks: 'A',
  query_sql: 'A',
  related_notes: 'A',
  recent_docs: 'A',
  'attributes get': 'A',
  'attributes set': 'W',
  'tags list': 'A',
  'tags rename': 'E',
  export_doc: 'A',
  'export_doc file': 'E',
};
const OPERATIONS = new Map(
  TOOL_SAMPLES.filter(({ apart }) => apart !== true).map((sample) => {
    const args = sample.good(openNotes({ notebooks: TOOL_NOTEBOOKS }));
    return [`${sample.tool} ${String(args.op ?? args.format ?? '')}`.trim(), sample] as const;
  }),
);

describe('permissions of every tool', () => {
  it('name every operation of the samples', () => {
    expect([...OPERATIONS.keys()].sort()).toEqual(Object.keys(TABLE).sort());
  });

  it.each(Object.entries(TABLE))('%s: %s', async (title, permission) => {
    const sample = OPERATIONS.get(title)!;
    const bench = openNotes({ notebooks: TOOL_NOTEBOOKS, decision: { approved: true, remember: true } });
    await bench.call(sample.tool, sample.good(bench));
    const [request] = bench.asked;
    if (permission === 'A') return expect(request).toBeUndefined();
    // A preview always, and an offer to remember for W only: for a notebook.
    expect(request?.plan?.operations.length).toBeGreaterThan(0);
    expect(request?.scope).toBe(permission === 'W' ? request?.plan?.notebook.id : undefined);
    expect(bench.executor.approvalRecords.list()).toHaveLength(permission === 'W' ? 1 : 0);
  });

  it('are told as they are: what is named as standing is what the gate lets pass, whatever the user set', async () => {
    for (const executionPolicy of ['auto', 'ask-once', 'ask-always'] as const) {
      for (const [title, sample] of OPERATIONS) {
        if (TABLE[title] === 'A') continue;
        const bench = openNotes({ notebooks: TOOL_NOTEBOOKS, decision: { approved: true } });
        expect(bench.executor.standingPermissions()).toEqual([]);
        bench.executor.setPermission(sample.tool, { executionPolicy });
        const told = bench.executor.standingPermissions().map(({ tool }) => tool);
        await bench.call(sample.tool, sample.good(bench));
        expect([title, executionPolicy, told]).toEqual([title, executionPolicy, bench.asked.length === 0 ? [sample.tool] : []]);
        bench.executor.setToolEnabled(sample.tool, false);
        expect(bench.executor.standingPermissions().filter(({ scope }) => scope === null)).toEqual([]);
      }
    }
  });

  it('gates what a tool does not understand as the strictest of its operations', () => {
    const { executor } = openNotes();
    for (const tool of ['daily_note', 'attributes', 'tags', 'manage_notebook', 'organize_doc']) {
      for (const op of [undefined, 'LIST', 'other', 7]) expect([tool, op, executor.effectOf(tool, { op })]).toEqual([tool, op, 'write']);
    }
  });
});
