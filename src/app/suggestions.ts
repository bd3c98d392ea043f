import { isAbort, ToolError } from '../tools/contract/errors.ts';
import type { NoteQueries } from '../tools/contract/note-queries.ts';
import type { ContextChoice } from '../ui/ports/context-choice.ts';
import type { Suggestion } from '../ui/ports/host-ui.ts';
import type { Translate } from '../ui/ports/i18n.ts';

/** The number of documents considered: those changed last, which a person may want to ask about; one request, however many. */
const DOCUMENTS = 120;
const DAYS = 3650;

/** Dates, numbered and recurring notes, and containers: nobody asks what their notes say about "Inbox". */
const NO_TOPIC =
  /\d{4}|^\d|^(untitled|inbox|index|readme|home|misc|archive|templates?|drafts?)$|\b(daily|weekly|journal|diary|log|notes?|meetings?)\b|未命名|[日周月][记报]|[日週月][記報]|[纪紀]要|[会會][议議]|[笔筆][记記]|模板|[範范]本|草稿|[归歸][档檔]|封存|收集箱|收件匣|[项項專专][目案]$/i;
const HAN = /\p{Script=Han}/u;

/** Whether a title names something that can be asked about, and how well: two words say more than one. */
function topicRank(title: string): number {
  const words = HAN.test(title) ? [...title].length / 2 : title.split(/\s+/).length;
  if (NO_TOPIC.test(title) || title.length > 40) return 0;
  return words >= 2 ? 2 : 1;
}

/** Titles of one notebook that make a question, the best first. */
export function topicsOf(documents: readonly { readonly title: string; readonly depth: number }[]): string[] {
  return documents
    .map(({ title, depth }) => ({ title, depth, rank: topicRank(title) }))
    .filter(({ rank }) => rank > 0)
    .sort((left, right) => right.rank - left.rank || left.depth - right.depth)
    .map(({ title }) => title);
}

/** One topic of every notebook in turn, so that three notebooks give three different questions. */
export function inTurn(lists: readonly (readonly string[])[], count: number): string[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const all = Array.from({ length: longest }, (_, place) => lists.flatMap((list) => list[place] ?? [])).flat();
  return [...new Set(all)].slice(0, count);
}

/** In the language of the interface, whatever language the titles have. */
export function questionsAbout(topics: readonly string[], t: Translate, onlyRead = false): string[] {
  const forms = ['empty.askAbout', 'empty.summarize', onlyRead ? 'empty.askAbout' : 'empty.summarizeToday'] as const;
  return forms.flatMap((form, place) => {
    const title = topics[place];
    return title === undefined ? [] : [t(form, { title })];
  });
}

/** The sources of the questions. */
export interface SuggestionSources {
  readonly notes: Pick<NoteQueries, 'recentDocuments'>;
  /** The note in the editor; undefined if there is none, or it may not be read. */
  readonly openNote: () => Promise<ContextChoice | undefined>;
  /** Nothing is asked that needs more than these notes, as today's note. */
  readonly onlyRead?: boolean;
  readonly t: Translate;
}

/** Three questions about the open note and the user's other notes, for an empty chat; fewer, or none, if they cannot be read. */
export async function suggestQuestions(
  { notes, openNote, onlyRead, t }: SuggestionSources,
  signal: AbortSignal,
): Promise<readonly Suggestion[]> {
  try {
    const about = await openNote();
    // People ask better in their own words what a day was about.
    const open = about && topicRank(about.title) > 0 ? about.title : undefined;
    const { documents } = await notes.recentDocuments({ days: DAYS, limit: DOCUMENTS }, signal);
    const byNotebook = new Map<string, { title: string; depth: number }[]>();
    for (const { title, path, notebook } of documents) {
      const known = byNotebook.get(notebook.id) ?? [];
      byNotebook.set(notebook.id, [...known, { title, depth: path.split('/').length }]);
    }
    const topics = inTurn([...byNotebook.values()].map(topicsOf), 4).filter((title) => title !== open);
    const ids = new Map(documents.map(({ id, title }) => [title, id]));
    const others = questionsAbout(topics.slice(0, 3), t, onlyRead).map((text, place) => ({ text, note: ids.get(topics[place] ?? '') }));
    return about === undefined || open === undefined
      ? others
      : [{ text: t('empty.openNote', { title: open }), about }, ...others].slice(0, 3);
  } catch (error) {
    if (!isAbort(error) && !(error instanceof ToolError)) throw error;
    return []; // Without the kernel the general questions stand.
  }
}
