import type { AskUser } from '../contract/ports.ts';
import type { ApprovalDecision, ApprovalRequest, ToolGroup } from '../contract/types.ts';
import { VariableSystem } from '../executor/variables.ts';
import { createMemoryGroup } from '../groups/memory/memory.ts';
import { createWebGroup } from '../groups/web/web.ts';
import { createWebFetch } from '../groups/web/web-fetch.ts';
import { createBasicGroup, createNotesGroups, HeadlessApprovalAdapter, toolExecutorFactory } from '../index.ts';
import { InMemoryNotes } from './in-memory-notes.ts';
import { inMemoryRights } from './in-memory-rights.ts';
import { hashOf, type NotebookSeed } from './in-memory-store.ts';
import { sampleWeb } from './sample-web.ts';
import { callOptions, testClock } from './support.ts';

export interface OpenNotesOptions {
  readonly notebooks?: readonly NotebookSeed[];
  readonly decision?: ApprovalDecision;
  readonly meaningServer?: string;
  readonly askUser?: AskUser;
  /** Without a place for files the tool does not offer them. */
  readonly withoutFiles?: boolean;
}

/** What most tests of the tools of notes begin with: one notebook of each kind. */
const SAMPLE_NOTEBOOKS: readonly NotebookSeed[] = [
  {
    name: 'Work',
    documents: {
      '/Apollo': '# Plan\n\nLaunch in May.\n\nTwo  words\nand a line.',
      '/Apollo/Crew': 'Anna and Li.',
      '/Apollo/Crew/Old': 'x',
      '/Zeta': 'Launch party.',
    },
    daily: { '2026-01-15': 'Met Anna.', '2026-01-14': 'Rain.' },
  },
  { name: 'Diary', right: 'read', documents: { '/Secret plan': 'Launch nothing.' } },
  { name: 'Closed', open: false, documents: { '/Shut': 'Launch shut.' } },
  { name: 'Hidden', right: 'none', documents: { '/Hidden': 'Launch hidden.' } },
];

/** Every group over in-memory notes, all switched on. `asked` grows with each approval; `files` with each file. */
export function openNotes(options: OpenNotesOptions = {}) {
  const { notebooks = SAMPLE_NOTEBOOKS, decision = { approved: true }, meaningServer, askUser, withoutFiles = false } = options;
  const notes = new InMemoryNotes({ notebooks });
  const asked: ApprovalRequest[] = [];
  const files: { readonly name: string; readonly markdown: string }[] = [];
  const clock = testClock(Date.UTC(2026, 0, 15, 12));
  const variables = new VariableSystem({ clock });
  const write = async (name: string, markdown: string) => {
    files.push({ name, markdown });
    return { path: `/exports/${name}` };
  };
  const groups: readonly ToolGroup[] = [
    createBasicGroup({ clock, timeZone: 'UTC', variables, askUser }),
    ...createNotesGroups(notes, clock, { meaningServer, files: withoutFiles ? undefined : { write } }),
    createMemoryGroup(notes, { get: () => ({ notebook: notes.store.notebooks[0]?.id ?? '', document: '' }), title: 'Memory' }),
    createWebGroup(sampleWeb.search, createWebFetch(sampleWeb.pages)),
  ];
  const executor = toolExecutorFactory({
    approvalAdapter: new HeadlessApprovalAdapter((request) => {
      asked.push(request);
      return decision;
    }),
    clock,
    varSystem: variables,
    groups,
    groupDefaults: Object.fromEntries([...groups, { name: 'vars' }].map(({ name }) => [name, true])),
    rights: inMemoryRights(notes),
  });
  const call = (name: string, args: object = {}) => executor.execute(name, { ...args }, callOptions());
  const text = async (name: string, args: object = {}) => {
    const result = await call(name, args);
    return String(result.formattedText ?? result.finalText);
  };
  const document = (path: string) => {
    const found = notes.store.documents.find((entry) => entry.path === path);
    if (found === undefined) throw new Error(`no document ${path}`);
    return found;
  };
  const block = (path: string, index: number) => {
    const found = document(path).blocks[index];
    if (found === undefined) throw new Error(`no block ${index} in ${path}`);
    return found;
  };
  const id = (path: string) => document(path).id;
  const notebook = (name: string) => notes.store.notebooks.find((entry) => entry.name === name)?.id ?? '';
  const hash = ({ markdown }: { readonly markdown: string }) => hashOf(markdown);
  return { notes, executor, groups, asked, files, variables, call, text, document, block, id, notebook, hash };
}

export type OpenNotes = ReturnType<typeof openNotes>;
