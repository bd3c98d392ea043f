import { latePart } from '../../tools/util/late.ts';

/** The list of models: a file of its own. Rejects with `not_loaded`. */
export const loadPicker = latePart(async () => (await import('./ChatModelPicker.svelte')).default);
