import { lazyPart } from '../../../tools/util/lazy.ts';

/** What draws a diagram: a file of its own, loaded when one is asked for. Rejects with `not_loaded`. */
export const loadDiagram = lazyPart(async () => (await import('./Diagram.svelte')).default);
