import { lazyPart } from '../../tools/util/lazy.ts';

/** What the model may do: a file of its own. Rejects with `not_loaded`. */
export const loadConsentMenu = lazyPart(async () => (await import('./ConsentMenu.svelte')).default);
