import { lazyPart } from '../../tools/util/lazy.ts';

/** The components of questions and answers: an empty chat does without. Rejects with `not_loaded`. */
export const loadMessages = lazyPart(async () => (await import('./messages.ts')).MESSAGES);
