import { latePart } from '../../tools/util/late.ts';

/** What changes and approvals are drawn with. Rejects with `not_loaded`. */
export const loadChanges = latePart(async () => (await import('./changes.ts')).CHANGES);
