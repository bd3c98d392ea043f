import { createHash } from 'node:crypto';
import type { BlockReading } from '../../src/tools/contract/note-readings.ts';
import type { NotebookRight } from '../../src/tools/contract/notebook-right.ts';
import type { NotebookSeed } from '../../src/tools/testing/in-memory-store.ts';
import { type NotesToolsOptions, notesTools } from '../../src/tools/testing/notes-tools.ts';
import { SAMPLE_NOTEBOOKS } from '../../src/tools/testing/open-notes.ts';
import { BenchDocuments } from './bench-documents.ts';
import { seededNotes } from './seeded-notes.ts';
import { startBench, type TestBench } from './support.ts';

interface KernelNotesOptions extends NotesToolsOptions {
  readonly notebooks?: readonly NotebookSeed[];
}

const opened: TestBench[] = [];

/** Ends the kernels of a test: for `afterEach`. */
export async function closeNotes(): Promise<void> {
  for (const bench of opened.splice(0)) await bench.close();
}

/** One hash over the blocks, their attributes and the notebooks. */
async function stateOf(bench: TestBench): Promise<string> {
  await bench.api('/api/sqlite/flushTransaction', {});
  const rows = await bench.api<object[]>('/api/query/sql', { stmt: 'SELECT * FROM blocks ORDER BY id LIMIT 9999' });
  const { notebooks } = await bench.api<{ notebooks: object[] }>('/api/notebook/lsNotebooks', {});
  return createHash('sha256')
    .update(JSON.stringify([rows, notebooks]))
    .digest('hex');
}

/** The notes of the host, and how often something was written to them. */
function countedNotes({ host }: TestBench, meaningServer: string | undefined) {
  let writes = 0;
  const notes = { ...host.notes };
  if (meaningServer !== undefined) notes.meaningServer = async () => meaningServer;
  notes.apply = async (...args) => {
    writes++;
    return host.notes.apply(...args);
  };
  return { notes, writes: () => writes };
}

/** From now on the notebook is one that SiYuan keeps encrypted. */
function encryptNotebook({ host: { routes } }: TestBench, id: string | undefined): void {
  const list = routes.notebooks.bind(routes);
  Object.assign(routes, {
    notebooks: async (stop: AbortSignal) => (await list(stop)).map((each) => (each.id === id ? { ...each, encrypted: true } : each)),
  });
}

/** Those that a person or tool may set. */
async function ownAttributes(bench: TestBench, id: string): Promise<Readonly<Record<string, string>>> {
  const all = await bench.api<Record<string, string>>('/api/attr/getBlockAttrs', { id });
  return Object.fromEntries(Object.entries(all).filter(([name]) => !['id', 'title', 'type', 'updated'].includes(name)));
}

/** The tools over a development host of their own. `document`, `block` and `id` are as of the last call that wrote, or the last `refresh`. */
export async function openNotes(options: KernelNotesOptions = {}) {
  const { notebooks = SAMPLE_NOTEBOOKS } = options;
  const seeded = await seededNotes(notebooks);
  const { books } = seeded;
  const bench = await startBench({ saved: seeded });
  opened.push(bench);
  const notebook = (name: string) => books.get(name) ?? '';
  const setRight = (name: string, right: NotebookRight) => bench.policy.setRight(notebook(name), right);
  for (const { name, right = 'write' } of notebooks) setRight(name, right);
  const documents = new BenchDocuments(bench, seeded.documents);
  const { notes, writes } = countedNotes(bench, options.meaningServer);
  const tools = notesTools(notes, bench.host.rights, bench.notebook, options);
  const call: typeof tools.call = async (name, args) => {
    const before = writes();
    const result = await tools.call(name, args);
    if (writes() > before && result.status === 'success') await documents.refresh();
    return result;
  };
  const text: typeof tools.text = async (name, args) => {
    const result = await call(name, args);
    return String(result.formattedText ?? result.finalText);
  };
  const setAttributes = (id: string, attrs: Readonly<Record<string, string>>) => documents.setAttributes(id, attrs);
  return {
    ...tools,
    call,
    text,
    bench,
    notes,
    history: bench.host.history,
    writes,
    setRight,
    notebook,
    setAttributes,
    document: (path: string) => documents.document(path),
    block: (path: string, index: number) => documents.block(path, index),
    refresh: () => documents.refresh(),
    add: (inside: string, path: string, markdown: string) => documents.add(inside, path, markdown),
    state: () => stateOf(bench),
    attributes: (id: string) => ownAttributes(bench, id),
    /** As SiYuan in read-only mode, in which it does not even flush its index. */
    setReadOnly: (readOnly: boolean) => Object.assign(bench.kernel.kernel, { readOnly }),
    encrypt: (name: string) => encryptNotebook(bench, books.get(name)),
    hide: (id: string) => setAttributes(id, { 'custom-ai-access': 'none' }),
    paths: () => documents.all().map(({ path }) => path),
    markdown: (path: string) => documents.document(path).blocks.map((each) => each.markdown),
    id: (path: string) => documents.document(path).id,
    hash: ({ hash }: BlockReading) => hash,
  };
}

export type KernelNotes = Awaited<ReturnType<typeof openNotes>>;
