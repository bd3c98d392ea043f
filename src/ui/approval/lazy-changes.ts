import { lazyPart } from '../../tools/util/lazy.ts';

export type Changes = typeof import('./changes.ts')['CHANGES'];

/** The components of changes and approvals. Rejects with `not_loaded`. */
export const loadChanges = lazyPart(async (): Promise<Changes> => (await import('./changes.ts')).CHANGES);
