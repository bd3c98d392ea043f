import { describe, expect, it } from 'vitest';
import { type OpenNotes, openNotes } from '../testing/open-notes.ts';
import { NOTE_SAMPLES, TOOL_NOTEBOOKS, TOOL_SAMPLES, type ToolSample } from '../testing/tool-samples.ts';
import { MAX_MARKDOWN, MAX_TEXT } from './common/note-tool.ts';

// Every kind of bad input that can be seen without the notes has its error code and next step: for every tool of the registry.

type Args = Readonly<Record<string, unknown>>;

const open = () => openNotes({ notebooks: TOOL_NOTEBOOKS });

const titleOf = ({ tool, good }: ToolSample): string => `${tool} ${String(good(open()).op ?? good(open()).format ?? '')}`.trim();
const titled = (samples: readonly ToolSample[]) => samples.map((sample) => [titleOf(sample), sample] as const);
const SAMPLES = titled(TOOL_SAMPLES);
const OVER_NOTES = titled(NOTE_SAMPLES);
/** Texts that an operation needs though the schema cannot say so. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'memory save': ['text'],
  'manage_notebook create': ['name'],
  'manage_notebook rename': ['id', 'name'],
  'organize_doc rename': ['target'],
  'daily_note append': ['markdown'],
  'tags rename': ['label', 'to'],
};

/** The call fails with a code and a next step before anybody is asked, and the notes are not asked either. */
async function refused(sample: ToolSample, argsOf: (bench: OpenNotes) => Args, code: RegExp): Promise<void> {
  const bench = open();
  const args = argsOf(bench);
  const result = await bench.call(sample.tool, args);
  expect({ status: result.status, error: result.finalText?.slice(0, 300) }).toEqual({
    status: 'error',
    error: expect.stringMatching(new RegExp(`^(?:${code.source}): .+ → .+`, 'su')),
  });
  expect(bench.asked).toEqual([]);
  expect([bench.notes.calls, bench.files]).toEqual([[], []]);
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
    expect([...new Set(TOOL_SAMPLES.map(({ tool }) => tool))].sort()).toEqual([...names, 'use_tool'].sort());
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
});
