import { lazyPart } from '../../tools/util/lazy.ts';

/** What can be picked behind `@` and `/`: a file of its own, loaded with the first of these signs. Rejects with `not_loaded`. */
export const loadFindItems = lazyPart(async () => (await import('./pick-items.ts')).findItems);

/** Dictation: a file of its own, loaded where a model for speech is set. Rejects with `not_loaded`. */
export const loadMicrophone = lazyPart(async () => (await import('./Microphone.svelte')).default);
