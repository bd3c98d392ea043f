import { lazyPart } from '../../tools/util/lazy.ts';

type Pages = typeof import('./pages.ts')['PAGES'];
export type CorePage = keyof Pages;

let loaded: Pages | undefined;

/** The pages that lie over the chat: a file of their own. Rejects with `not_loaded`. */
export const loadPages = lazyPart(async (): Promise<Pages> => {
  loaded = (await import('./pages.ts')).PAGES;
  return loaded;
});

/** What an opened summary is drawn with, in the same file. Rejects with `not_loaded`. */
export const loadSummaryView = lazyPart(async () => (await import('./pages.ts')).SummaryView);

/** What the call of a sub-agent is drawn with, in the same file. Rejects with `not_loaded`. */
export const loadAgentCard = lazyPart(async () => (await import('./pages.ts')).AgentCard);

/** What a model asks the person with, in the same file. Rejects with `not_loaded`. */
export const loadQuestionCard = lazyPart(async () => (await import('./pages.ts')).QuestionCard);

/** What finds words in the open chat, in the same file. Rejects with `not_loaded`. */
export const loadFindBar = lazyPart(async () => (await import('./pages.ts')).FindBar);

/** What the keys of the host do here, in the same file. Rejects with `not_loaded`. */
export const loadCommands = lazyPart(async () => (await import('./pages.ts')).runCommand);

/** What shows an answer in its chat, in the same file. Rejects with `not_loaded`. */
export const loadOpenChat = lazyPart(async () => (await import('./pages.ts')).openChatAt);

/** A picture of an answer, shown large, in the same file. Rejects with `not_loaded`. */
export const loadPictureDialog = lazyPart(async () => (await import('./pages.ts')).PictureDialog);

/** The way to a first model, in the same file. Rejects with `not_loaded`. */
export const loadFirstModel = lazyPart(async () => (await import('./pages.ts')).FirstModel);

/** The look at a note that is named: a file of its own. Rejects with `not_loaded`. */
export const loadCitationPreview = lazyPart(async () => (await import('./CitationPreview.svelte')).default);

/** undefined before they are loaded; from then on a page opens at once. */
export const loadedPages = (): Pages | undefined => loaded;
