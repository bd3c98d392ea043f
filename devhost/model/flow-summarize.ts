import { citedBullets, joinParts, summaryMarkdown } from './answers.ts';
import { attachedNotes } from './conversation.ts';
import { outlineSentences, type Sentence } from './extract.ts';
import { stepAsk, stepWrite } from './flow-ask.ts';
import { headerTitle, nextStart, readBlocks, readSearch, titleOf, type Unit } from './tool-results.ts';
import { blockIdPattern, exchangesOf, findDocument, offers, type Step, type Turn } from './turn.ts';
import type { WriteTarget } from './types.ts';
import { writeLookups } from './writing.ts';

export interface SummarizeRequest {
  /** Title, path, id, `today`, or a word that points at an attached block ("this note"). */
  readonly document: string;
  readonly write: WriteTarget | null;
}

const pagesAtMost = 6;
const sentencesAtMost = 8;

/** How read_doc finds the document; null when a search must name it first. */
function addressOf(turn: Turn, name: string): Record<string, string> | null {
  const id = blockIdPattern.exec(name)?.[0] ?? (pointsAtContext(name) ? blockIdPattern.exec(turn.conversation.question)?.[0] : undefined);
  if (id !== undefined) return { id };
  return name.startsWith('/') ? { path: name } : null;
}

function pointsAtContext(name: string): boolean {
  return (
    name === '' ||
    /^(?:this|that|it|the above|above|attached|(?:the )?(?:open|current)|这|这个|这篇|该|本|上面|以上|附上|当前|打开)的?(?:这篇)?(?:\s*(?:document|note|block|text|page|selection|文档|笔记|块|段|内容|文字))?$/i.test(
      name,
    )
  );
}

/** Notes that are named by their id alone: their text has to be read. */
const NAMED = ['document', 'open'];

/** Attached blocks and selections were sent with the question: they are summarized as they stand, nothing is read again. */
function attachedUnits(turn: Turn, name: string): Unit[] {
  if (!pointsAtContext(name)) return [];
  return attachedNotes(turn.conversation.question)
    .filter((note) => !NAMED.includes(note.kind) && blockIdPattern.test(note.id))
    .map((note) => ({ id: note.id, type: 'p', markdown: note.text, title: note.title }));
}

function finish(turn: Turn, request: SummarizeRequest, title: string, sentences: readonly Sentence[]): Step {
  const { say } = turn;
  if (sentences.length === 0) return { text: joinParts(say.emptyDocument(title), request.write ? say.nothingWritten : null) };
  // One document: its title is above the list, so the list has none.
  const text = joinParts(
    say.summaryOf(title),
    citedBullets(sentences.map((sentence) => ({ ...sentence, title: sentence.title || title }))),
  );
  if (!request.write) return { text };
  const lookups = writeLookups(turn, request.write);
  if (lookups.length > 0) return { calls: lookups };
  return stepWrite(turn, request.write, summaryMarkdown(say, title, sentences), text, title);
}

function stepToday(turn: Turn, request: SummarizeRequest): Step {
  if (!offers(turn, 'daily_note')) return { text: turn.say.missingTool('`daily_note`') };
  const read = exchangesOf(turn, 'daily_note', (args) => args.op === 'read').at(-1);
  if (!read) return { calls: [{ name: 'daily_note', args: { op: 'read' } }] };
  const title = headerTitle(read.result) || turn.say.today;
  return finish(turn, request, title, outlineSentences(readBlocks(read.result, title), sentencesAtMost));
}

/** search for the title → read page by page → write, if asked → sentences of each section. */
export function stepSummarize(turn: Turn, request: SummarizeRequest): Step {
  const { say } = turn;
  const { document: name } = request;
  if (name === 'today') return stepToday(turn, request);
  const attached = attachedUnits(turn, name);
  const [first] = attached;
  if (first) return finish(turn, request, first.title || say.attached, outlineSentences(attached, sentencesAtMost));
  if (!offers(turn, 'read_doc')) return { text: say.missingTool('`read_doc`') };
  let address = addressOf(turn, name);
  let title = address ? titleOf(name) : name;
  if (!address) {
    if (pointsAtContext(name)) return { text: say.noDocument(name || '…') };
    if (!offers(turn, 'search_notes')) return { text: say.missingTool('`search_notes`') };
    const query = titleOf(name);
    const search = exchangesOf(turn, 'search_notes', (args) => args.query === query).at(-1);
    if (!search) return { calls: [{ name: 'search_notes', args: { query } }] };
    const reading = readSearch(search.result);
    const found = findDocument(reading, name);
    if (!found && reading.matches.length > 0) return stepAsk(turn, { topic: query, write: request.write, answer: true });
    if (!found) return { text: say.noDocument(name) };
    address = found.id === undefined ? { path: found.path } : { id: found.id };
    title = found.title;
  }
  const key = Object.values(address)[0];
  const pages = exchangesOf(turn, 'read_doc', (args) => args.id === key || args.path === key);
  const next = pages.length === 0 ? 0 : nextStart(pages.at(-1)?.result ?? '');
  if (next !== null && pages.length < pagesAtMost) {
    return { calls: [{ name: 'read_doc', args: { ...address, ...(next > 0 ? { start: next } : {}), showIds: true, tokens: 4000 } }] };
  }
  const shown = headerTitle(pages[0]?.result ?? '') || title;
  const units = pages.flatMap((page) => readBlocks(page.result, shown));
  return finish(turn, request, shown, outlineSentences(units, sentencesAtMost));
}
