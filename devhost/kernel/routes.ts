import { assetRoutes } from './api/asset.ts';
import { attributeRoutes } from './api/attr.ts';
import { databaseRoutes } from './api/av.ts';
import { blockReadRoutes } from './api/block-read.ts';
import { blockWriteRoutes } from './api/block-write.ts';
import { documentWindowRoutes } from './api/doc-window.ts';
import { exportRoutes } from './api/export.ts';
import { fileRoutes } from './api/file.ts';
import { fileTreeRoutes } from './api/filetree.ts';
import { historyRoutes } from './api/history.ts';
import { networkRoutes } from './api/network.ts';
import { notebookRoutes } from './api/notebook.ts';
import { outlineRoutes } from './api/outline.ts';
import { petalRoutes } from './api/petal.ts';
import { riffRoutes } from './api/riff.ts';
import { storageRoutes } from './api/storage.ts';
import { systemRoutes } from './api/system.ts';
import { transactionRoutes } from './api/transactions.ts';
import { backlinkRoutes } from './index/api/backlinks.ts';
import { queryRoutes } from './index/api/query.ts';
import { searchRoutes } from './index/api/search.ts';
import { tagRoutes } from './index/api/tags.ts';
import type { RouteTable } from './router.ts';

/** Every endpoint of the kernel. A new one: a table of its own file, named here. */
export const kernelRoutes: readonly RouteTable[] = [
  notebookRoutes,
  fileTreeRoutes,
  documentWindowRoutes,
  blockReadRoutes,
  blockWriteRoutes,
  transactionRoutes,
  attributeRoutes,
  outlineRoutes,
  exportRoutes,
  fileRoutes,
  assetRoutes,
  historyRoutes,
  systemRoutes,
  storageRoutes,
  petalRoutes,
  networkRoutes,
  riffRoutes,
  databaseRoutes,
  queryRoutes,
  searchRoutes,
  backlinkRoutes,
  tagRoutes,
];
