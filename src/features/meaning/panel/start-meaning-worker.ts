import { startWorker } from '../../../app/search/start-worker.ts';
import type { WorkerPort } from '../../../chat/store/search/search-worker.ts';

/** Program of meaning-worker.ts; set by the build. */
declare const MEANING_WORKER: string;

export const startMeaningWorker = (): WorkerPort => startWorker(MEANING_WORKER, 'marginalia-meaning');
