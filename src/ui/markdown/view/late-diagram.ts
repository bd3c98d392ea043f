import { latePart } from '../../../tools/util/late.ts';

/** What draws a diagram: a file of its own, loaded when one is asked for. Rejects with `not_loaded`. */
export const loadDiagram = latePart(async () => (await import('./Diagram.svelte')).default);
