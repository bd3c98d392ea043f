import { describe, expect, it } from 'vitest';
import { type OpenNotes, openNotes } from '../testing/open-notes.ts';
import { NOTE_SAMPLES, TOOL_NOTEBOOKS, TOOL_SAMPLES, type ToolSample } from '../testing/tool-samples.ts';
import { MAX_MARKDOWN, MAX_TEXT } from './common/note-tool.ts';

// Every kind of bad input has its error code and next step, and nothing is written: for every tool of the registry.

type Args = Readonly<Record<string, unknown>>;

const VAULT = { name: 'Vault', encrypted: true, documents: { '/Secret': 'Launch codes.' } };

function open(notebooks = TOOL_NOTEBOOKS): OpenNotes {
  const bench = openNotes({ notebooks });
  bench.variables.addVariable('draft', 'Launch in May.', 'LLMAdd');
  return bench;
}

const titleOf = ({ tool, good }: ToolSample): string => `${tool} ${String(good(open()).op ?? good(open()).format ?? '')}`.trim();
const titled = (samples: readonly ToolSample[]) => samples.map((sample) => [titleOf(sample), sample] as const);
const SAMPLES = titled(TOOL_SAMPLES);
const OVER_NOTES = titled(NOTE_SAMPLES);
const WITH_ID = OVER_NOTES.filter(([, sample]) => sample.withId !== undefined);
/** Writes a file, and nothing into notes. */
const TO_FILE = 'export_doc file';
const writes = ({ tool, good }: ToolSample): boolean => open().executor.effectOf(tool, good(open())) === 'write';
const WRITING = OVER_NOTES.filter(([title, sample]) => title !== TO_FILE && writes(sample));
/** Texts that an operation needs though the schema cannot say so. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'memory save': ['text'],
  'manage_notebook create': ['name'],
  'manage_notebook rename': ['id', 'name'],
  'organize_doc rename': ['target'],
  'daily_note append': ['markdown'],
  'tags rename': ['label', 'to'],
};

const stateOf = ({ notes, files }: OpenNotes): string =>
  JSON.stringify([notes.store.notebooks, notes.store.documents, [...notes.store.attributes], files, notes.writes]);

/** The call fails with a code and a next step before anybody is asked, and nothing is written. */
async function refused(sample: ToolSample, argsOf: (bench: OpenNotes) => Args, code: RegExp, bench = open()): Promise<void> {
  const args = argsOf(bench);
  const before = stateOf(bench);
  const result = await bench.call(sample.tool, args);
  expect({ status: result.status, error: result.finalText?.slice(0, 300) }).toEqual({
    status: 'error',
    error: expect.stringMatching(new RegExp(`^(?:${code.source}): .+ → .+`, 'su')),
  });
  expect(bench.asked).toEqual([]);
  expect(stateOf(bench)).toBe(before);
}

function schemaOf(bench: OpenNotes, tool: string) {
  const parameters = bench.executor.getTool(tool)?.definition.function.parameters;
  return parameters as {
    properties: Record<string, { type?: string; enum?: string[] }>;
    required: string[];
    additionalProperties: boolean;
  };
}

describe('every tool of the registry', () => {
  it('has a sample here', () => {
    const names = open()
      .executor.groups()
      .flatMap(({ tools }) => tools.map(({ name }) => name));
    expect([...new Set(TOOL_SAMPLES.map(({ tool }) => tool))].sort()).toEqual([...names].sort());
  });

  it.each(SAMPLES)('%s: a good call succeeds', async (title, sample) => {
    const bench = openNotes({ notebooks: TOOL_NOTEBOOKS, askUser: { ask: async () => 'June' } });
    bench.variables.addVariable('draft', 'Launch in May.', 'LLMAdd');
    const result = await bench.call(sample.tool, sample.good(bench));
    expect(result).toMatchObject({ status: 'success' });
    const written = WRITING.some(([name]) => name === title) ? 1 : 0;
    expect([bench.notes.writes, bench.files.length]).toEqual([written, title === TO_FILE ? 1 : 0]);
  });

  it.each(SAMPLES)('%s: refuses missing, extra and mistyped arguments', async (_title, sample) => {
    const { properties, required, additionalProperties } = schemaOf(open(), sample.tool);
    expect(additionalProperties).toBe(false);
    for (const name of required) {
      await refused(
        sample,
        (bench) => Object.fromEntries(Object.entries(sample.good(bench)).filter(([key]) => key !== name)),
        /bad_arguments/u,
      );
    }
    await refused(sample, (bench) => ({ ...sample.good(bench), surprise: 1 }), /bad_arguments/u);
    for (const [name, { type }] of Object.entries(properties)) {
      const wrong = type === 'array' || type === 'object' ? 7 : ['x'];
      await refused(sample, (bench) => ({ ...sample.good(bench), [name]: wrong }), /bad_arguments/u);
    }
  });

  it.each(SAMPLES.filter(([, { tool }]) => schemaOf(open(), tool).properties.op !== undefined))(
    '%s: refuses an unknown op',
    async (_title, sample) => {
      await refused(sample, (bench) => ({ ...sample.good(bench), op: 'explode' }), /bad_arguments/u);
    },
  );
});

describe('every tool over notes', () => {
  it.each(OVER_NOTES)('%s: refuses blank text and text of 1 MB', async (title, sample) => {
    const { properties, required } = schemaOf(open(), sample.tool);
    const texts = Object.entries(properties).filter(([, { type }]) => type === 'string');
    for (const name of [...texts.map(([key]) => key).filter((key) => required.includes(key)), ...(NEEDED[title] ?? [])]) {
      const code = required.includes(name) || name === 'markdown' ? /empty_text/u : /bad_arguments/u;
      await refused(sample, (bench) => ({ ...sample.good(bench), [name]: ' \n ' }), code);
    }
    for (const [name] of texts) {
      await refused(sample, (bench) => ({ ...sample.good(bench), [name]: 'x'.repeat(1_000_000) }), /too_large/u);
      const limit = name === 'markdown' ? MAX_MARKDOWN : MAX_TEXT;
      await refused(sample, (bench) => ({ ...sample.good(bench), [name]: 'x'.repeat(limit + 1) }), /too_large/u);
    }
  });

  it.each(WITH_ID)('%s: refuses ids that are malformed, unknown, closed or encrypted', async (_title, sample) => {
    const withId = (id: (bench: OpenNotes) => string) => (bench: OpenNotes) => sample.withId?.(id(bench), bench) ?? {};
    // A word may be a notebook's name where one is taken.
    await refused(
      sample,
      withId(() => 'the plan'),
      sample.tool === 'list_docs' ? /not_found/u : /bad_id/u,
    );
    await refused(
      sample,
      withId(() => '20990101000000-zzzzzzz'),
      /not_found/u,
    );
    await refused(
      sample,
      // What is in a closed notebook has no id that SiYuan knows.
      withId((bench) => bench.id('/Old plan')),
      /not_found/u,
    );
    await refused(
      sample,
      withId((bench) => bench.id('/Secret')),
      /encrypted_notebook/u,
      open([...TOOL_NOTEBOOKS, VAULT]),
    );
    const guarded = withId((bench) => {
      bench.notes.store.attributes.set(bench.id('/Walk'), { 'custom-ai-access': 'none' });
      return bench.id('/Walk');
    });
    await refused(sample, guarded, /not_found/u);
  });

  it.each(WRITING)('%s: writes nothing in read-only mode or on rejection, and says so', async (_title, sample) => {
    const readOnly = open();
    const before = stateOf(readOnly);
    readOnly.notes.readOnly = true;
    expect((await readOnly.call(sample.tool, sample.good(readOnly))).finalText).toMatch(/^read_only: .+ → /u);
    expect(stateOf(readOnly)).toBe(before);
    const rejected = openNotes({ notebooks: TOOL_NOTEBOOKS, decision: { approved: false, reason: 'no' } });
    expect((await rejected.call(sample.tool, sample.good(rejected))).status).toBe('execution_rejected');
    expect([rejected.notes.writes, rejected.asked.length]).toEqual([0, 1]);
  });

  it.each(WRITING)('%s: says in the plan which right is missing, and writes nothing without it', async (_title, sample) => {
    const bench = open();
    const args = sample.good(bench);
    if (sample.tool === 'manage_notebook' && args.op === 'create') return expect(args.id).toBeUndefined();
    const before = stateOf(bench);
    for (const notebook of bench.notes.store.notebooks) if (notebook.name === 'Work') notebook.right = 'read';
    const result = await bench.call(sample.tool, args);
    // The sample of rewrite_doc leaves blocks out.
    expect(bench.asked[0]?.plan?.needsRight).toBe(/delete_|rewrite_doc/u.test(sample.tool) ? 'delete' : 'write');
    expect(result.finalText).toMatch(/^no_right: .+ → /u);
    expect(stateOf(bench).replace('"right":"read"', '"right":"delete"')).toBe(before);
  });

  it('refuses paths that exist, wherever a document would come to stand', async () => {
    const { text, id } = open();
    expect(await text('create_doc', { notebook: 'Work', path: '/Zeta', markdown: 'x' })).toMatch(/^path_exists: /u);
    expect(await text('organize_doc', { op: 'rename', ids: [id('/Zeta')], target: 'Apollo' })).toMatch(/^path_exists: /u);
    expect(await text('organize_doc', { op: 'move', ids: [id('/Zeta')], target: 'Work' })).toMatch(/^no_change: /u);
  });
});
