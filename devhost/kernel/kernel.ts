import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BroadcastHub } from './broadcast.ts';
import { FileTree } from './file-tree.ts';
import { History } from './history.ts';
import { createBlockIndex, type SearchIndex } from './index/block-index.ts';
import { IndexQueue } from './index-queue.ts';
import { PushHub } from './push.ts';
import { AttributeViews } from './store/attribute-views.ts';
import { Decks } from './store/decks.ts';
import { DocumentStore } from './store/documents.ts';
import { Notebooks } from './store/notebooks.ts';
import { TransactionEngine } from './transactions/engine.ts';

export interface KernelOptions {
  /** Folder of the workspace; made when it is not there. */
  readonly workspace: string;
  readonly readOnly?: boolean;
  /** How long writes take to reach SQL, in milliseconds (default 200). */
  readonly indexDelayMs?: number;
  /** The index of what the workspace holds now (`SearchIndex.saved`), so that its documents are not indexed again. */
  readonly savedIndex?: Uint8Array | undefined;
  /** A folder whose subfolders are plugins, besides `<workspace>/data/plugins`. */
  readonly plugins?: string;
  /** `ai` of the configuration: providers with their keys stay in memory, no file holds them. */
  readonly ai?: Readonly<Record<string, unknown>>;
  /** The SiYuan that it answers as (default 3.7.3, whose answers the recordings hold). */
  readonly as?: SiYuanVersion;
  /** As builds of some shops, in which SiYuan's AI is switched off. */
  readonly aiOff?: boolean;
}

export const VERSIONS = ['3.7.3', '3.8'] as const;
export type SiYuanVersion = (typeof VERSIONS)[number];

/** A workspace and everything that works on it; knows nothing of HTTP. */
export class Kernel {
  readonly workspace: string;
  readonly dataFolder: string;
  readonly readOnly: boolean;
  readonly ai: Readonly<Record<string, unknown>>;
  /** Whether it answers as SiYuan 3.8 does. */
  readonly isNewer: boolean;
  readonly disabledFeatures: readonly string[];
  readonly pluginFolders: readonly string[];
  readonly notebooks: Notebooks;
  readonly documents: DocumentStore;
  readonly decks: Decks;
  readonly attributeViews: AttributeViews;
  readonly index: SearchIndex;
  /** A setting of SiYuan's search. */
  searchesAttributes = false;
  readonly indexQueue: IndexQueue;
  readonly pushes = new PushHub();
  readonly broadcast = new BroadcastHub();
  readonly transactions: TransactionEngine;
  readonly fileTree: FileTree;
  readonly history: History;

  constructor(options: KernelOptions) {
    this.workspace = resolve(options.workspace);
    this.dataFolder = join(this.workspace, 'data');
    this.readOnly = options.readOnly ?? false;
    this.ai = options.ai ?? {};
    this.isNewer = options.as === '3.8';
    this.disabledFeatures = options.aiOff ? ['ai'] : [];
    this.pluginFolders = [...(options.plugins === undefined ? [] : [resolve(options.plugins)]), join(this.dataFolder, 'plugins')];
    for (const folder of ['plugins', 'assets', 'storage']) mkdirSync(join(this.dataFolder, folder), { recursive: true });
    this.notebooks = new Notebooks(this.dataFolder);
    this.documents = new DocumentStore(this.notebooks);
    this.decks = new Decks(this.dataFolder);
    this.attributeViews = new AttributeViews(this.dataFolder);
    this.index = createBlockIndex(options.savedIndex);
    this.indexQueue = new IndexQueue(this.index, options.indexDelayMs ?? 200, () =>
      this.pushes.push({ cmd: 'databaseIndexCommit' }, { type: 'main' }),
    );
    this.transactions = new TransactionEngine(this);
    this.history = new History(join(this.workspace, 'history'));
    this.fileTree = new FileTree(this);
    for (const { id, conf } of this.notebooks.list()) {
      if (conf.closed) continue;
      if (options.savedIndex) this.documents.openNotebook(id);
      else this.loadNotebook(id);
    }
    this.indexQueue.flush();
  }

  /** Takes an open notebook's documents into memory and hands them to the index. */
  loadNotebook(id: string): void {
    const { name } = this.notebooks.conf(id);
    const documents = this.documents.openNotebook(id);
    this.indexQueue.add((index) => {
      index.putNotebook({ id, name });
      for (const document of documents) index.put(document);
    });
  }

  get version(): string {
    return this.isNewer ? '3.8.6' : '3.7.3';
  }

  unloadNotebook(id: string): void {
    this.documents.closeNotebook(id);
    this.indexQueue.add((index) => index.removeNotebook(id));
  }

  close(): void {
    this.transactions.stop();
    this.indexQueue.stop();
    this.index.close();
  }
}
