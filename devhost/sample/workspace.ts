import { loadSampleDocuments, type SampleDocument } from './documents.ts';

export interface SampleNotebook {
  /** Key of the notebook inside the sample and its folder under `documents/`; the kernel gives the real id. */
  readonly id: string;
  readonly name: string;
  /** Code point of an emoji in hexadecimal, as SiYuan stores icons. */
  readonly icon: string;
  /** SiYuan's number of the order: 4 natural by name, 15 as the file tree is set. */
  readonly sortMode: number;
}

export const sampleNotebooks: readonly SampleNotebook[] = [
  { id: 'Research', name: 'Research', icon: '1f52c', sortMode: 4 },
  { id: 'Life', name: 'Life', icon: '1f33f', sortMode: 4 },
  { id: '工作笔记', name: '工作笔记', icon: '1f4bc', sortMode: 4 },
];

/** Searches that somebody saved, as SiYuan's window saves them. */
const SAVED_SEARCHES = [
  { name: 'Sodium-ion', method: 0, k: 'sodium-ion' },
  { name: 'Open tasks', method: 2, k: "SELECT * FROM blocks WHERE type = 'i' AND markdown LIKE '%[ ]%' ORDER BY updated DESC" },
] as const;

export interface SeedReport {
  /** In the order of {@link sampleNotebooks}; `id` is the kernel's. */
  readonly notebooks: readonly { readonly name: string; readonly id: string; readonly documents: number }[];
  readonly documents: number;
  readonly references: number;
  /** What a kernel without some decoration left out (icon, order), each with its reason. The notes are complete nevertheless. */
  readonly skipped: readonly string[];
}

/** Sends a JSON body to the kernel; resolves to the envelope `{code,msg,data}` or to its `data`. */
export type KernelPost = (path: string, body: object) => Promise<unknown>;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The data of an answer; throws with the kernel's own words when its code is not 0. */
async function call(post: KernelPost, path: string, body: object): Promise<unknown> {
  const answer = await post(path, body);
  if (!isRecord(answer) || typeof answer.code !== 'number' || !('data' in answer)) return answer;
  if (answer.code === 0) return answer.data;
  throw new Error(`seed_failed: ${path} answered ${answer.code} ${String(answer.msg)} → begin again with an empty workspace`);
}

async function createNotebook(post: KernelPost, notebook: SampleNotebook, skipped: string[]): Promise<string> {
  const created = await call(post, '/api/notebook/createNotebook', { name: notebook.name });
  const inner = isRecord(created) ? created.notebook : undefined;
  const id = isRecord(inner) ? inner.id : undefined;
  if (typeof id !== 'string') throw new Error(`seed_failed: no notebook ${notebook.name} was made → look at the kernel's log`);
  const decorations: [string, object][] = [
    ['/api/notebook/setNotebookIcon', { notebook: id, icon: notebook.icon }],
    ['/api/notebook/setNotebookConf', { notebook: id, conf: { sortMode: notebook.sortMode } }],
  ];
  for (const [path, body] of decorations) {
    try {
      await call(post, path, body);
    } catch (error) {
      skipped.push(`${path} for ${notebook.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return id;
}

async function saveSearches(post: KernelPost, skipped: string[]): Promise<void> {
  for (const search of SAVED_SEARCHES) {
    const criterion = { ...search, sort: 0, group: 0, hasReplace: false, hPath: '', idPath: [], r: '', types: null, replaceTypes: null };
    try {
      await call(post, '/api/storage/setCriterion', { criterion });
    } catch (error) {
      skipped.push(`the saved search ${search.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

async function createDocument(post: KernelPost, notebookId: string, document: SampleDocument): Promise<void> {
  const { id, path, markdown, attributes } = document;
  const created = await call(post, '/api/filetree/createDocWithMd', { notebook: notebookId, path, markdown, id, withMath: true });
  if (created !== id) {
    throw new Error(`seed_failed: ${path} got the id ${String(created)} instead of ${id} → the kernel must take "id" in createDocWithMd`);
  }
  if (Object.keys(attributes).length > 0) await call(post, '/api/attr/setBlockAttrs', { id, attrs: attributes });
}

/**
 * Fills an empty workspace over the kernel's HTTP API: notebooks, documents with fixed ids, document attributes (block
 * attributes stand in the Markdown). Not idempotent: the caller makes sure that the workspace is empty.
 */
export async function seedSampleWorkspace(post: KernelPost): Promise<SeedReport> {
  const documents = loadSampleDocuments();
  const skipped: string[] = [];
  const ids = new Map<string, string>();
  for (const notebook of sampleNotebooks) ids.set(notebook.id, await createNotebook(post, notebook, skipped));
  for (const document of documents) {
    const notebookId = ids.get(document.notebook);
    if (notebookId === undefined) throw new Error(`seed_failed: ${document.path} lies in the unknown notebook ${document.notebook}`);
    await createDocument(post, notebookId, document);
  }
  await saveSearches(post, skipped);
  await call(post, '/api/sqlite/flushTransaction', {});
  return {
    notebooks: sampleNotebooks.map(({ id, name }) => ({
      name,
      id: ids.get(id) ?? '',
      documents: documents.filter((document) => document.notebook === id).length,
    })),
    documents: documents.length,
    references: documents.reduce((sum, document) => sum + document.refersTo.length, 0),
    skipped,
  };
}
