import { lazyPart } from '../../tools/util/lazy.ts';

type PagesModule = typeof import('./pages.ts');
type Pages = PagesModule['PAGES'];
export type CorePage = keyof Pages;

let load: () => Promise<PagesModule> = () => Promise.reject(new Error('nobody said where the pages are'));

/** Said once by whoever builds the page: the pages are one file with the views of the features. */
export function pagesFrom(file: () => Promise<PagesModule>): void {
  load = file;
}

/** The pages that lie over the chat: a file of their own. Rejects with `not_loaded`. */
export const loadPages = lazyPart(async (): Promise<Pages> => (await load()).PAGES);

/** What an opened summary is drawn with, in the same file. Rejects with `not_loaded`. */
export const loadSummaryView = lazyPart(async () => (await load()).SummaryView);

/** What the call of a sub-agent is drawn with, in the same file. Rejects with `not_loaded`. */
export const loadAgentCard = lazyPart(async () => (await load()).AgentCard);

/** What a model asks the person with, in the same file. Rejects with `not_loaded`. */
export const loadQuestionCard = lazyPart(async () => (await load()).QuestionCard);

/** What finds words in the open chat, in the same file. Rejects with `not_loaded`. */
export const loadFindBar = lazyPart(async () => (await load()).FindBar);

/** What the keys of the host do here, in the same file. Rejects with `not_loaded`. */
export const loadCommands = lazyPart(async () => (await load()).runCommand);

/** What shows an answer in its chat, in the same file. Rejects with `not_loaded`. */
export const loadOpenChat = lazyPart(async () => (await load()).openChatAt);

/** A picture of an answer, shown large, in the same file. Rejects with `not_loaded`. */
export const loadPictureDialog = lazyPart(async () => (await load()).PictureDialog);

/** The way to a first model, in the same file. Rejects with `not_loaded`. */
export const loadFirstModel = lazyPart(async () => (await load()).FirstModel);

/** The look at a note that is named: a file of its own. Rejects with `not_loaded`. */
export const loadCitationPreview = lazyPart(async () => (await import('./CitationPreview.svelte')).default);
