import type { AssetStore } from '../chat/ports/assets.ts';
import { isListed } from '../tools/contract/notebook-right.ts';
import type { Clock, ExportFiles, NotesPort } from '../tools/contract/ports.ts';
import type { AccessPolicy } from './access/access-policy.ts';
import { notebookList } from './access/notebook-list.ts';
import { createWriteJournal, type WriteJournal } from './journal/write-journal.ts';
import { createAssetStore } from './kernel/assets.ts';
import { createExportFiles, EXPORT_ROOT } from './kernel/export-files.ts';
import type { KernelClient } from './kernel/kernel-client.ts';
import { createKernelRoutes, type KernelRoutes } from './kernel/kernel-routes.ts';
import { RunningTurns } from './kernel/running-turns.ts';
import { CACHE_ROOT, createStorage, type PluginStorage } from './kernel/storage.ts';
import { meaningServerOf, type NearSlot } from './search/search-by-meaning.ts';

export interface HostBaseDeps {
  readonly client: KernelClient;
  readonly policy: AccessPolicy;
  readonly clock: Clock;
  readonly device: string;
}

/** The needs of an opening panel: files and the list of notebooks. Reading and writing notes builds on it (notes-host.ts). */
export interface HostBase extends Pick<NotesPort, 'notebooks' | 'meaningServer'> {
  readonly client: KernelClient;
  readonly clock: Clock;
  readonly routes: KernelRoutes;
  readonly policy: AccessPolicy;
  readonly storage: PluginStorage;
  /** Storage outside the synced folder, for computed data. */
  readonly cache: PluginStorage;
  /** The workspace’s `data` folder, for files of other programs: only read. */
  readonly data: Pick<PluginStorage, 'read' | 'list'>;
  readonly exportFiles: ExportFiles;
  readonly assets: AssetStore;
  readonly journal: WriteJournal;
  readonly turns: RunningTurns;
  readonly near: NearSlot;
  /** Includes notebooks at `none`: for the settings, never for tools. */
  allNotebooks: NotesPort['notebooks'];
}

export function createHostBase({ client, policy, clock, device }: HostBaseDeps): HostBase {
  const routes = createKernelRoutes(client);
  const allNotebooks = notebookList(routes, policy);
  const storage = createStorage({ client, routes, clock });
  return {
    client,
    clock,
    routes,
    policy,
    storage,
    allNotebooks,
    cache: createStorage({ client, routes, clock, root: CACHE_ROOT }),
    data: createStorage({ client, routes, clock, root: '/data' }),
    exportFiles: createExportFiles(createStorage({ client, routes, clock, root: EXPORT_ROOT })),
    assets: createAssetStore(client),
    journal: createWriteJournal(storage, device),
    turns: new RunningTurns(),
    near: { find: undefined },
    notebooks: async (signal) => (await allNotebooks(signal)).filter(({ right, encrypted }) => isListed(right) || encrypted === 'named'),
    meaningServer: meaningServerOf(routes),
  };
}
