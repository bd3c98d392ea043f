import { lazyPart } from '../../tools/util/lazy.ts';

/** The list of models: a file of its own. Rejects with `not_loaded`. */
export const loadPicker = lazyPart(async () => (await import('./ChatModelPicker.svelte')).default);
