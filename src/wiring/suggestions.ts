import { isAbort, ToolError } from '../tools/contract/errors.ts';
import type { NoteQueries } from '../tools/contract/note-queries.ts';
import type { Translate } from '../ui/ports/i18n.ts';

/** Documents that are looked at: what was changed last, which a person may want to ask about; one request, however many there are. */
const DOCUMENTS = 120;
const DAYS = 3650;

/** Dates, numbered and recurring notes, and containers: nobody asks what their notes say about "Inbox". */
const NO_TOPIC =
  /\d{4}|^\d|^(untitled|inbox|index|readme|home|misc|archive|templates?|drafts?)$|\b(daily|weekly|journal|diary|log|notes?|meetings?)\b|未命名|日记|周报|月报|纪要|会议|笔记|模板|草稿|归档|收集箱|项目$/i;
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

/** A question about a Chinese title is asked in Chinese, whatever the panel's language: an answer follows its question. */
export function questionsAbout(topics: readonly string[], t: Translate): string[] {
  const forms = [
    ['empty.askAbout', 'empty.askAbout.han'],
    ['empty.summarize', 'empty.summarize.han'],
    ['empty.summarizeToday', 'empty.summarizeToday.han'],
  ] as const;
  return forms.flatMap(([plain, han], place) => {
    const title = topics[place];
    return title === undefined ? [] : [t(HAN.test(title) ? han : plain, { title })];
  });
}

/** Three questions about the user's own notes for an empty chat; none when they cannot be read. */
export async function suggestQuestions(
  notes: Pick<NoteQueries, 'recentDocuments'>,
  t: Translate,
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    const { documents } = await notes.recentDocuments({ days: DAYS, limit: DOCUMENTS }, signal);
    const byNotebook = new Map<string, { title: string; depth: number }[]>();
    for (const { title, path, notebook } of documents) {
      const known = byNotebook.get(notebook.id) ?? [];
      byNotebook.set(notebook.id, [...known, { title, depth: path.split('/').length }]);
    }
    const topics = inTurn([...byNotebook.values()].map(topicsOf), 3);
    // A question in the panel's own language comes first: it is the one that most people try.
    const han = HAN.test(t('empty.title'));
    return questionsAbout(
      [...topics].sort((left, right) => Number(HAN.test(left) !== han) - Number(HAN.test(right) !== han)),
      t,
    );
  } catch (error) {
    if (!isAbort(error) && !(error instanceof ToolError)) throw error;
    return []; // Without the kernel the general questions stand.
  }
}
