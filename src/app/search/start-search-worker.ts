import type { WorkerPort } from '../../chat/store/search/search-worker.ts';
import { startWorker } from './start-worker.ts';

/** Program of search-worker.ts; set by the build. */
declare const SEARCH_WORKER: string;

/** If a WebView refuses, this throws or the worker fails, and the chats are searched in the page. */
export const startSearchWorker = (): WorkerPort => startWorker(SEARCH_WORKER, 'marginalia-search');
