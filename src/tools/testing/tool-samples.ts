import type { ToolArguments } from '../contract/types.ts';
import { VARS_TOOLS } from '../executor/vars.ts';
import { BASIC_TOOLS } from '../groups/basic/basic.ts';
import { COMPUTER_TOOLS, READ_SKILL, WEB_FETCH, WEB_SEARCH } from '../groups/common/beyond-notes.ts';
import { TOOL_INFOS } from '../groups/tool-infos.ts';
import type { NotebookSeed } from './in-memory-store.ts';

/** Resolves the ids and hashes of an example. */
interface SampleNotes {
  readonly id: (path: string) => string;
  readonly block: (path: string, index: number) => { readonly id: string; readonly hash: string };
}

/** An example of a tool (ToolInfo) over open notes: valid as it is, and the basis for invalid calls. */
export interface ToolSample {
  readonly tool: string;
  readonly good: (bench: SampleNotes) => ToolArguments;
  /** The same call about another block or document, if the tool takes an id. */
  readonly withId?: (id: string, bench: SampleNotes) => ToolArguments;
}

/** Notes with something for every tool; the log refers to the heading "Crew". */
export const TOOL_NOTEBOOKS: readonly NotebookSeed[] = [
  {
    name: 'Work',
    right: 'delete',
    documents: {
      '/Apollo':
        '# Plan\n\nLaunch in May. #space#\n\n## Crew\n\n- Anna\n  - backup: Li\n- Boris\n\n| day | task |\n| --- | --- |\n| Mon | fuel |',
      '/Apollo/Log': 'Day one: fuel.\n\nDay two: fuel again, with ((/Apollo#2 "the crew")).',
      '/Zeta': 'Launch party. #space#',
    },
    daily: { '2026-01-15': 'Met Anna.\n\n[ticket](assets/ticket.txt)' },
    databases: { '/daily note/2026/01/2026-01-15': 'Tasks' },
    files: { 'assets/ticket.txt': 'Kerosene for the first stage.' },
  },
  { name: 'Diary', right: 'read', documents: { '/Walk': 'Rain.' } },
  { name: 'Archive', open: false, right: 'delete', documents: { '/Old plan': 'Launch in 1999.' } },
];

const ADDRESS = /^(?<path>\/[^#]*)(?:#(?<block>\d+))?$/u;
/** Arguments that contain ids; `path` and others are literal. */
const IDS: ReadonlySet<string> = new Set(['id', 'ids', 'anchor', 'parent']);

/** The arguments with every `/Document#block` replaced by the result of `read`. */
function resolveIds(args: ToolArguments, read: (name: string, path: string, block: number | undefined) => unknown): ToolArguments {
  const resolveValue = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item: unknown) => resolveValue(name, item));
    if (typeof value === 'object' && value !== null) return resolveIds({ ...value }, read);
    const { path, block } = (typeof value === 'string' && ADDRESS.exec(value)?.groups) || {};
    return path === undefined ? value : (read(name, path, block === undefined ? undefined : Number(block)) ?? value);
  };
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, resolveValue(name, value)]));
}

function sampleOf(tool: string, example: ToolArguments): ToolSample {
  let ids = 0;
  resolveIds(example, (name) => {
    if (IDS.has(name)) ids++;
  });
  const call = (bench: SampleNotes, other?: string) => {
    let left = ids;
    return resolveIds(example, (name, path, index) => {
      const block = index === undefined ? undefined : bench.block(path, index);
      if (name === 'expectHash' && block) return block.hash;
      if (!IDS.has(name)) return undefined;
      left--;
      // The last of several ids is the target: the others are moved there.
      return left === 0 && other !== undefined ? other : (block?.id ?? bench.id(path));
    });
  };
  return { tool, good: (bench) => call(bench), ...(ids > 0 && { withId: (id, bench) => call(bench, id) }) };
}

/** The examples of all tools except those that need a computer. */
export const TOOL_SAMPLES: readonly ToolSample[] = TOOL_INFOS.filter(
  (info) => !COMPUTER_TOOLS.some(({ name }) => name === info.name),
).flatMap(({ name, examples }) => examples.map((example) => sampleOf(name, example)));

const OTHERS: ReadonlySet<string> = new Set([...BASIC_TOOLS, ...VARS_TOOLS, READ_SKILL, WEB_SEARCH, WEB_FETCH].map(({ name }) => name));
/** Of tools over notes; other tools handle lengths and blanks themselves. */
export const NOTE_SAMPLES: readonly ToolSample[] = TOOL_SAMPLES.filter(({ tool }) => !OTHERS.has(tool));
