import { lazyPart } from '../../tools/util/lazy.ts';

type Messages = typeof import('./messages.ts')['MESSAGES'];

let loaded: Messages | undefined;

/** The components of questions and answers: an empty chat does without. Rejects with `not_loaded`. */
export const loadMessages = lazyPart(async (): Promise<Messages> => {
  loaded = (await import('./messages.ts')).MESSAGES;
  return loaded;
});

/** undefined before they are loaded; from then on a message is drawn at once. */
export const loadedMessages = (): Messages | undefined => loaded;
