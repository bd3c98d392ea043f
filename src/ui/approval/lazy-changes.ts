import { lazyPart } from '../../tools/util/lazy.ts';

export type Changes = typeof import('./changes.ts')['CHANGES'];

let loaded: Changes | undefined;

/** The components of changes and approvals. Rejects with `not_loaded`. */
export const loadChanges = lazyPart(async (): Promise<Changes> => {
  loaded = (await import('./changes.ts')).CHANGES;
  return loaded;
});

/** undefined before they are loaded; from then on a change is rendered at once. */
export const loadedChanges = (): Changes | undefined => loaded;
