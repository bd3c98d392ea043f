import { afterEach, describe, expect, it } from 'vitest';
import { closeNotes, type KernelNotes, openNotes } from '../../../tests/host/open-notes.ts';
import { openNotes as openInMemory } from '../testing/open-notes.ts';
import { NOTE_SAMPLES, TOOL_NOTEBOOKS, TOOL_SAMPLES, type ToolSample } from '../testing/tool-samples.ts';

// What the notes themselves refuse has its error code and next step too, and nothing is written: for every tool over notes.

type Args = Readonly<Record<string, unknown>>;

async function open(): Promise<KernelNotes> {
  const bench = await openNotes({ notebooks: TOOL_NOTEBOOKS, askUser: { ask: async () => 'June' } });
  bench.variables.addVariable('draft', 'Launch in May.', 'LLMAdd');
  return bench;
}

const definitions = openInMemory({ notebooks: TOOL_NOTEBOOKS });
const titleOf = ({ tool, good }: ToolSample): string => `${tool} ${String(good(definitions).op ?? good(definitions).format ?? '')}`.trim();
const titled = (samples: readonly ToolSample[]) => samples.map((sample) => [titleOf(sample), sample] as const);
const SAMPLES = titled(TOOL_SAMPLES);
const OVER_NOTES = titled(NOTE_SAMPLES);
const WITH_ID = OVER_NOTES.filter(([, sample]) => sample.withId !== undefined);
/** Writes a file, and nothing into notes. */
const TO_FILE = 'export_doc file';
const writes = ({ tool, good }: ToolSample): boolean => definitions.executor.effectOf(tool, good(definitions)) === 'write';
const WRITING = OVER_NOTES.filter(([title, sample]) => title !== TO_FILE && writes(sample));

/** The call fails with a code and a next step before anybody is asked, and nothing is written. */
async function refused(bench: KernelNotes, sample: ToolSample, args: Args, code: RegExp): Promise<void> {
  const before = await bench.state();
  const result = await bench.call(sample.tool, args);
  expect({ status: result.status, error: result.finalText?.slice(0, 300) }).toEqual({
    status: 'error',
    error: expect.stringMatching(new RegExp(`^(?:${code.source}): .+ → .+`, 'su')),
  });
  expect([bench.asked, bench.writes(), bench.files]).toEqual([[], 0, []]);
  expect(await bench.state()).toBe(before);
}

afterEach(closeNotes);

describe('every tool of the registry', () => {
  it.each(SAMPLES)('%s: a good call succeeds', async (title, sample) => {
    const bench = await open();
    const result = await bench.call(sample.tool, sample.good(bench));
    expect(result).toMatchObject({ status: 'success' });
    const written = WRITING.some(([name]) => name === title) ? 1 : 0;
    expect([bench.writes(), bench.files.length]).toEqual([written, title === TO_FILE ? 1 : 0]);
  });
});

describe('every tool over notes', () => {
  it.each(WITH_ID)('%s: refuses ids that are malformed, unknown, closed or encrypted', async (_title, sample) => {
    const bench = await open();
    const refuse = (id: string, code: RegExp) => refused(bench, sample, sample.withId?.(id, bench) ?? {}, code);
    // A word may be a notebook's name where one is taken.
    await refuse('the plan', sample.tool === 'list_docs' ? /not_found/u : /bad_id/u);
    await refuse('20990101000000-zzzzzzz', /not_found/u);
    // What is in a closed notebook has no id that SiYuan knows.
    await refuse(bench.id('/Old plan'), /not_found/u);
    bench.encrypt('Diary');
    // Of blocks it is not even said that they are in an encrypted notebook.
    await refuse(bench.id('/Walk'), /(?:move|delete)_blocks/u.test(sample.tool) ? /not_found/u : /encrypted_notebook/u);
    await bench.hide(bench.id('/Zeta'));
    await refuse(bench.id('/Zeta'), /not_found/u);
  });

  it.each(WRITING)('%s: writes nothing in read-only mode or on rejection, and says so', async (_title, sample) => {
    const bench = await openNotes({ notebooks: TOOL_NOTEBOOKS, decision: { approved: false, reason: 'no' } });
    const before = await bench.state();
    expect((await bench.call(sample.tool, sample.good(bench))).status).toBe('execution_rejected');
    expect([bench.writes(), bench.asked.length, await bench.state()]).toEqual([0, 1, before]);
    const readOnly = await open();
    const args = sample.good(readOnly);
    const unwritten = await readOnly.state();
    readOnly.setReadOnly(true);
    expect((await readOnly.call(sample.tool, args)).finalText).toMatch(/^read_only: .+ → /u);
    readOnly.setReadOnly(false);
    expect(await readOnly.state()).toBe(unwritten);
  });

  it.each(WRITING)('%s: says in the plan which right is missing, and writes nothing without it', async (_title, sample) => {
    const bench = await open();
    const args = sample.good(bench);
    if (sample.tool === 'manage_notebook' && args.op === 'create') return expect(args.id).toBeUndefined();
    bench.setRight('Work', 'read');
    const before = await bench.state();
    const result = await bench.call(sample.tool, args);
    // The sample of rewrite_doc leaves blocks out.
    expect(bench.asked[0]?.plan?.needsRight).toBe(/delete_|rewrite_doc/u.test(sample.tool) ? 'delete' : 'write');
    expect(result.finalText).toMatch(/^no_right: .+ → /u);
    expect(await bench.state()).toBe(before);
  });

  it('refuses paths that exist, wherever a document would be', async () => {
    const { text, id } = await open();
    expect(await text('create_doc', { notebook: 'Work', path: '/Zeta', markdown: 'x' })).toMatch(/^path_exists: /u);
    expect(await text('organize_doc', { op: 'rename', ids: [id('/Zeta')], target: 'Apollo' })).toMatch(/^path_exists: /u);
    expect(await text('organize_doc', { op: 'move', ids: [id('/Zeta')], target: 'Work' })).toMatch(/^no_change: /u);
  });
});
