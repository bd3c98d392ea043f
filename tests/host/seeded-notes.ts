import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '../../devhost/kernel/tree/time.ts';
import type { NotebookSeed } from '../../src/tools/testing/in-memory-store.ts';
import { BenchDocuments, type OpenDocument } from './bench-documents.ts';
import { type SavedWorkspace, startBench, type TestBench } from './support.ts';

/** Notes that a bench can start over. */
export interface SeededNotes extends SavedWorkspace {
  /** Ids of notebooks by name. */
  readonly books: ReadonlyMap<string, string>;
  readonly documents: readonly OpenDocument[];
}

const dailyPath = (day: string): string => `/daily note/${day.slice(0, 4)}/${day.slice(5, 7)}/${day}`;

/** Notebooks of these names, listed in this order: SiYuan lists them by id, and those of one second have ids in any order. */
async function openBooks(bench: TestBench, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const ids = [bench.notebook];
  while (ids.length < names.length) {
    const { notebook } = await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'New' });
    ids.push(notebook.id);
  }
  const books = new Map(ids.sort().map((id, index) => [names[index] ?? '', id]));
  for (const [name, notebook] of books) await bench.api('/api/notebook/renameNotebook', { notebook, name });
  return books;
}

/** As SiYuan makes one: with a column of titles and a select. */
async function addDatabase(bench: TestBench, { id: parentID }: { readonly id: string }, title: string): Promise<void> {
  const [avId, id] = [newId(), newId()];
  const data = `<div data-node-id="${id}" data-type="NodeAttributeView" class="av" data-av-id="${avId}" data-av-type="table"></div>`;
  await bench.transact([{ action: 'appendInsert', parentID, data }]);
  await bench.api('/api/av/renderAttributeView', { id: avId, createIfNotExist: true });
  await bench.transact([{ action: 'setAttrViewName', id: avId, data: title }]);
}

async function seed(bench: TestBench, notebooks: readonly NotebookSeed[]): Promise<Omit<SeededNotes, keyof SavedWorkspace>> {
  const books = await openBooks(
    bench,
    notebooks.map(({ name }) => name),
  );
  const documents = new BenchDocuments(bench);
  for (const { name, documents: texts = {}, daily = {} } of notebooks) {
    const id = books.get(name) ?? '';
    bench.policy.setRight(id, 'delete');
    for (const [path, markdown] of Object.entries(texts)) await documents.add(id, path, markdown);
    for (const [day, markdown] of Object.entries(daily)) {
      const note = await documents.add(id, dailyPath(day), markdown);
      await documents.setAttributes(note.id, { [`custom-dailynote-${day.replaceAll('-', '')}`]: day.replaceAll('-', '') });
    }
  }
  for (const { databases = {} } of notebooks)
    for (const [path, title] of Object.entries(databases)) await addDatabase(bench, documents.document(path), title);
  for (const { files = {} } of notebooks)
    for (const [path, text] of Object.entries(files)) writeFileSync(join(bench.workspace, 'data', path), text);
  // Before notebooks are closed, so that their ids can be asked for.
  await documents.refresh();
  for (const { name, open = true } of notebooks) {
    if (!open) await bench.api('/api/notebook/closeNotebook', { notebook: books.get(name) });
  }
  await documents.flush();
  return { books, documents: documents.all() };
}

async function save(notebooks: readonly NotebookSeed[]): Promise<SeededNotes> {
  const bench = await startBench();
  const folder = mkdtempSync(join(tmpdir(), 'marginalia-seed-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  try {
    const seeded = await seed(bench, notebooks);
    cpSync(bench.workspace, folder, { recursive: true });
    return { ...seeded, folder, index: bench.kernel.kernel.index.saved(), notebook: seeded.books.get(notebooks[0]?.name ?? '') ?? '' };
  } finally {
    await bench.close();
  }
}

const saved = new Map<string, Promise<SeededNotes>>();

/** Made once in a process: to write and index the notes takes twenty times as long as to start over a copy. */
export function seededNotes(notebooks: readonly NotebookSeed[]): Promise<SeededNotes> {
  const key = JSON.stringify(notebooks);
  const known = saved.get(key) ?? save(notebooks);
  saved.set(key, known);
  return known;
}
