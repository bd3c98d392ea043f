import * as v from 'valibot';
import { NEVER } from '../../tools/util/abort.ts';
import { type KernelClient, KernelRefusal, type ParseData } from './kernel-client.ts';

const nothing: ParseData<void> = () => undefined;
const entries = v.nullish(v.array(v.object({ name: v.string(), isDir: v.optional(v.boolean(), false) })), []);
const files = v.object({ files: v.nullish(v.array(v.object({ id: v.string(), path: v.string() })), []) });
const created = v.object({ notebook: v.object({ id: v.string() }) });

/** The kernel fails to remove a notebook while its indexer writes there, leaving it half removed; the next request finishes it. */
async function retried(request: () => Promise<void>): Promise<void> {
  for (let left = 3; ; left--) {
    try {
      return await request();
    } catch (error) {
      if (left === 0 || !(error instanceof KernelRefusal)) throw error;
    }
  }
}

export interface StructureRoutes extends ReturnType<typeof createStructureRoutes> {}

/** Kernel routes of whole documents and notebooks. Those that change something take no signal: they cannot be aborted half-way. */
export function createStructureRoutes(client: KernelClient, session: string) {
  const write = (path: string, body: unknown): Promise<void> => client.call(path, body, nothing, NEVER);
  return {
    setAttributes: (id: string, attrs: Readonly<Record<string, string | null>>) => write('/api/attr/setBlockAttrs', { id, attrs }),
    addCard: (deckID: string, blockId: string) => write('/api/riff/addRiffCards', { deckID, blockIDs: [blockId] }),
    removeCard: (deckID: string, blockId: string) => write('/api/riff/removeRiffCards', { deckID, blockIDs: [blockId] }),
    /** Actions on databases, and on the blocks that show them. SiYuan answers before their outcome is known: read back. */
    changeDatabase: (doOperations: readonly object[]) =>
      write('/api/transactions', { app: 'marginalia', session, reqId: 0, transactions: [{ doOperations, undoOperations: [] }] }),
    /** A block that shows a database which is not there yet. */
    makeDatabase: (id: string, blockID: string) => write('/api/av/renderAttributeView', { id, blockID, createIfNotExist: true }),
    renameDocument: (id: string, title: string) => write('/api/filetree/renameDocByID', { id, title }),
    /** `toID` is a document's or a notebook's id. */
    moveDocument: (id: string, toID: string) => write('/api/filetree/moveDocsByID', { fromIDs: [id], toID }),
    removeDocument: (id: string) => write('/api/filetree/removeDocByID', { id }),
    /** Saves a copy of the current document in the kernel's history. */
    checkpoint: (id: string) => write('/api/history/createDocHistory', { id }),
    restoreDocument: (notebook: string, historyPath: string) => write('/api/history/rollbackDocHistory', { notebook, historyPath }),
    createNotebook: async (name: string): Promise<string> =>
      (await client.call('/api/notebook/createNotebook', { name }, (data) => v.parse(created, data), NEVER)).notebook.id,
    renameNotebook: (notebook: string, name: string) => write('/api/notebook/renameNotebook', { notebook, name }),
    openNotebook: (notebook: string) => write('/api/notebook/openNotebook', { notebook }),
    closeNotebook: (notebook: string) => write('/api/notebook/closeNotebook', { notebook }),
    removeNotebook: (notebook: string) => retried(() => write('/api/notebook/removeNotebook', { notebook })),
    /** Documents directly below a path, including those hidden from the tree, according to the files on disk. */
    filesBelow: async (notebook: string, path: string, signal: AbortSignal) =>
      (
        await client.call(
          '/api/filetree/listDocsByPath',
          { notebook, path, maxListCount: 0, ignoreMaxListHint: true, showHidden: true },
          (data) => v.parse(files, data),
          signal,
        )
      ).files,
    /** Names in a folder of the workspace; empty if it does not exist. */
    namesIn: async (path: string, signal: AbortSignal): Promise<readonly string[]> => {
      try {
        return ((await client.call('/api/file/readDir', { path }, (data) => v.parse(entries, data), signal)) ?? []).map(
          (each) => each.name,
        );
      } catch (error) {
        if (error instanceof KernelRefusal && error.kernelCode === 404) return [];
        throw error;
      }
    },
  };
}
