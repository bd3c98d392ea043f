import { InMemoryNotes } from './in-memory-notes.ts';
import { inMemoryRights } from './in-memory-rights.ts';
import { hashOf, type NotebookSeed } from './in-memory-store.ts';
import { type NotesToolsOptions, notesTools } from './notes-tools.ts';

interface OpenNotesOptions extends NotesToolsOptions {
  readonly notebooks?: readonly NotebookSeed[];
}

/** The notes of most tests of note tools: one notebook of each kind. */
export const SAMPLE_NOTEBOOKS: readonly NotebookSeed[] = [
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

/** The tools over in-memory notes, for tests that need their definitions and only a few notes. */
export function openNotes(options: OpenNotesOptions = {}) {
  const notes = new InMemoryNotes({ notebooks: options.notebooks ?? SAMPLE_NOTEBOOKS });
  const tools = notesTools(notes, inMemoryRights(notes), notes.store.notebooks[0]?.id ?? '', options);
  const document = (path: string) => {
    const found = notes.store.documents.find((entry) => entry.path === path);
    if (found === undefined) throw new Error(`no document ${path}`);
    return found;
  };
  const block = (path: string, index: number) => {
    const found = document(path).blocks[index];
    if (found === undefined) throw new Error(`no block ${index} in ${path}`);
    return { ...found, hash: hashOf(found.markdown) };
  };
  const id = (path: string) => document(path).id;
  const notebook = (name: string) => notes.store.notebooks.find((entry) => entry.name === name)?.id ?? '';
  return { ...tools, notes, document, block, id, notebook };
}

export type OpenNotes = ReturnType<typeof openNotes>;
