import type { NotebookSeed } from './in-memory-store.ts';
import type { OpenNotes } from './open-notes.ts';

type Args = Readonly<Record<string, unknown>>;

/** A call that every tool must stand: right as it is, and the ground from which wrong ones are made. */
export interface ToolSample {
  readonly tool: string;
  readonly good: (bench: OpenNotes) => Args;
  /** The same call about another block or document, where the tool takes an id. */
  readonly withId?: (id: string, bench: OpenNotes) => Args;
  /** Present where the call writes notes (`notes`) or a file (`file`). */
  readonly writes?: 'notes' | 'file';
  /** Text that is needed though the schema cannot say so. */
  readonly needs?: readonly string[];
  /** Not over notes: lengths and blanks are its own affair. */
  readonly apart?: true;
}

/** Notes with something for every tool. Ids are counted through, so that the log can refer to the heading "Crew". */
export const TOOL_NOTEBOOKS: readonly NotebookSeed[] = [
  {
    name: 'Work',
    right: 'delete',
    documents: {
      '/Apollo':
        '# Plan\n\nLaunch in May. #space#\n\n## Crew\n\n- Anna\n  - backup: Li\n- Boris\n\n| day | task |\n| --- | --- |\n| Mon | fuel |',
      '/Apollo/Log': 'Day one: fuel.\n\nDay two: fuel again, with ((20260101000000-0000004 "the crew")).',
      '/Zeta': 'Launch party. #space#',
    },
    daily: { '2026-01-15': 'Met Anna.' },
  },
  { name: 'Diary', right: 'read', documents: { '/Walk': 'Rain.' } },
  { name: 'Archive', open: false, right: 'delete', documents: { '/Old plan': 'Launch in 1999.' } },
];

const apollo = (bench: OpenNotes) => bench.id('/Apollo');
const launch = (bench: OpenNotes) => bench.block('/Apollo', 1);
const oneId = (tool: string, extra: Args = {}): Pick<ToolSample, 'tool' | 'good' | 'withId'> => ({
  tool,
  good: (bench) => ({ id: apollo(bench), ...extra }),
  withId: (id) => ({ id, ...extra }),
});
const idList = (tool: string, of: (bench: OpenNotes) => string, extra: Args = {}): Pick<ToolSample, 'tool' | 'good' | 'withId'> => ({
  tool,
  good: (bench) => ({ ids: [of(bench)], ...extra }),
  withId: (id) => ({ ids: [id], ...extra }),
});

const READS: readonly ToolSample[] = [
  { tool: 'list_notebooks', good: () => ({}) },
  { tool: 'list_docs', good: () => ({ parent: 'Work' }), withId: (id) => ({ parent: id }) },
  oneId('read_doc'),
  {
    tool: 'read_docs',
    good: (bench) => ({ items: [{ id: apollo(bench), start: 0, end: 1 }, { path: '/Zeta' }, { path: '/Nowhere' }] }),
    withId: (id) => ({ items: [{ id }] }),
  },
  oneId('get_outline'),
  { tool: 'daily_note', good: () => ({ op: 'read', date: '2026-01-15' }) },
  { tool: 'read_block', good: (bench) => ({ id: launch(bench).id, range: 'after', limit: 2 }), withId: (id) => ({ id }) },
  idList('block_info', (bench) => launch(bench).id),
  { tool: 'search_notes', good: () => ({ query: 'launch', tags: ['space'] }) },
  oneId('grep_doc', { pattern: 'anna' }),
  { tool: 'backlinks', good: (bench) => ({ id: bench.block('/Apollo', 2).id }), withId: (id) => ({ id }) },
  { tool: 'query_sql', good: () => ({ stmt: "SELECT id, hpath, content FROM blocks WHERE type = 'd' ORDER BY hpath" }) },
  oneId('related_notes'),
  { tool: 'recent_docs', good: () => ({ days: 30, limit: 3 }) },
  idList('attributes', apollo, { op: 'get' }),
  { tool: 'tags', good: () => ({ op: 'list' }) },
  oneId('export_doc'),
  { tool: 'memory', good: () => ({ op: 'read' }) },
];

const WRITES: readonly ToolSample[] = [
  { tool: 'memory', good: () => ({ op: 'save', text: 'Prefers metric units.' }), needs: ['text'], writes: 'notes' },
  { tool: 'manage_notebook', good: () => ({ op: 'create', name: 'Ideas' }), needs: ['name'], writes: 'notes' },
  { tool: 'manage_notebook', good: () => ({ op: 'rename', id: 'Work', name: 'Job' }), needs: ['id', 'name'], writes: 'notes' },
  { tool: 'create_doc', good: () => ({ notebook: 'Work', path: '/Apollo/Summary', markdown: 'Launch in May.' }), writes: 'notes' },
  { ...idList('organize_doc', apollo, { op: 'rename', target: 'Artemis' }), needs: ['target'], writes: 'notes' },
  { ...idList('delete_doc', apollo), writes: 'notes' },
  { tool: 'daily_note', good: () => ({ op: 'append', markdown: 'Called Li.', notebook: 'Work' }), needs: ['markdown'], writes: 'notes' },
  {
    tool: 'edit_block',
    good: (bench) => ({ id: launch(bench).id, expectHash: bench.hash(launch(bench)), edits: [{ old: 'May', new: 'June' }] }),
    withId: (id) => ({ id, expectHash: '00000000', markdown: 'x' }),
    writes: 'notes',
  },
  {
    tool: 'insert_blocks',
    good: (bench) => ({ anchor: launch(bench).id, position: 'after', markdown: 'Budget: 3 million.' }),
    withId: (id) => ({ anchor: id, position: 'append', markdown: 'x' }),
    writes: 'notes',
  },
  {
    tool: 'move_blocks',
    good: (bench) => ({ ids: [launch(bench).id], parent: bench.id('/Zeta') }),
    withId: (id, bench) => ({ ids: [launch(bench).id], parent: id }),
    writes: 'notes',
  },
  { ...idList('delete_blocks', (bench) => launch(bench).id), writes: 'notes' },
  { ...oneId('rewrite_doc', { markdown: '# Plan\n\nLaunch in June.' }), writes: 'notes' },
  { ...idList('attributes', apollo, { op: 'set', attrs: { 'custom-state': 'active' } }), writes: 'notes' },
  { tool: 'tags', good: () => ({ op: 'rename', label: 'space', to: 'spaceflight' }), needs: ['label', 'to'], writes: 'notes' },
  { ...oneId('export_doc', { format: 'file' }), writes: 'file' },
];

const OTHERS: readonly ToolSample[] = [
  { tool: 'datetime', good: () => ({ date: '2026-02-01' }), apart: true },
  { tool: 'calculate', good: () => ({ expression: '1250 * 1.21' }), apart: true },
  { tool: 'ask_user', good: () => ({ question: 'Which launch?', options: ['May', 'June'] }), apart: true },
  { tool: 'todo', good: () => ({ op: 'add', items: ['read the plan', 'write a summary'] }), apart: true },
  { tool: 'web_search', good: () => ({ query: 'high water today', count: 2 }), apart: true },
  { tool: 'web_fetch', good: () => ({ url: 'https://example.org/tides' }), apart: true },
  { tool: 'ListVars', good: () => ({}), apart: true },
  { tool: 'ReadVar', good: () => ({ name: 'draft' }), apart: true },
  { tool: 'WriteVar', good: () => ({ name: 'draft', value: 'Launch in May.' }), apart: true },
  { tool: 'RemoveVars', good: () => ({ names: ['draft'] }), apart: true },
];

/** One or more of every tool there is; the tests compare the names with the registry. */
export const TOOL_SAMPLES: readonly ToolSample[] = [...OTHERS, ...READS, ...WRITES];
