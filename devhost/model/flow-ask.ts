import { citedList, joinParts, summaryMarkdown } from './answers.ts';
import { extract, mentions, type Sentence, topicTerms } from './extract.ts';
import { documentIdOf, readSearch, readUnits, type SearchReading, titleOf, type Unit } from './tool-results.ts';
import { earlierTopic, exchangesOf, offers, type Step, type Turn } from './turn.ts';
import type { WantedCall, WriteTarget } from './types.ts';
import { writeLookups, writeState, writeTool } from './writing.ts';

export interface AskRequest {
  readonly topic: string;
  readonly write: WriteTarget | null;
  /** False for "write a summary of X into Y": then the answer only says where it was written. */
  readonly answer: boolean;
}

const documentsToRead = 3;

function searchesOf(turn: Turn, topic: string): { query: string; reading: SearchReading }[] {
  const queries = [topic, looserQuery(topic)];
  return exchangesOf(turn, 'search_notes', (args) => queries.includes(String(args.query))).map((exchange) => ({
    query: String(exchange.args.query),
    reading: readSearch(exchange.result),
  }));
}

/** The longest word of a topic of several, tried when the whole finds nothing. */
function looserQuery(topic: string): string {
  return topicTerms(topic).reduce((longest, term) => (term.length > longest.length ? term : longest), '');
}

interface RankedDocument {
  readonly args: Readonly<Record<string, unknown>>;
  readonly title: string;
}

/** Documents of the matches, those whose title names the topic and those with more matches first. */
function bestDocuments(searches: readonly { reading: SearchReading }[], topic: string): RankedDocument[] {
  const ranked = new Map<string, { args: Record<string, unknown>; title: string; score: number }>();
  for (const { reading } of searches) {
    for (const [position, match] of reading.matches.entries()) {
      const title = titleOf(match.path);
      const known = ranked.get(match.path);
      const id = documentIdOf(reading, match.path);
      const score = 1 + mentions(match.snippet, topic) + (known ? 0 : 4 * mentions(title, topic) - position * 0.05);
      ranked.set(match.path, { args: id === undefined ? { path: match.path } : { id }, title, score: (known?.score ?? 0) + score });
    }
  }
  return [...ranked.values()].sort((left, right) => right.score - left.score).slice(0, documentsToRead);
}

/** Everything of this turn that can be cited. */
function gatherUnits(turn: Turn, titles: ReadonlyMap<unknown, string> = new Map()): Unit[] {
  return turn.conversation.exchanges
    .filter((exchange) => exchange.problem === null && ['search_notes', 'read_doc', 'daily_note', 'ReadVar'].includes(exchange.name))
    .filter((exchange) => exchange.name !== 'daily_note' || exchange.args.op === 'read')
    .flatMap((exchange) => readUnits(exchange.result, titles.get(exchange.args.id ?? exchange.args.path) ?? ''));
}

function factsOf(turn: Turn, topic: string): Sentence[] {
  const documents = bestDocuments(searchesOf(turn, topic), topic);
  const titles = new Map(documents.map((document) => [document.args.id ?? document.args.path, document.title]));
  return extract(gatherUnits(turn, titles), topic, { total: 7, perDocument: 3 });
}

function answerText(turn: Turn, topic: string, facts: readonly Sentence[]): string {
  if (facts.length > 0) {
    const documents = new Set(facts.map((fact) => fact.title || fact.id)).size;
    return joinParts(turn.say.found(topic, facts.length, documents), citedList(facts));
  }
  const matches = searchesOf(turn, topic).flatMap((search) => search.reading.matches);
  if (matches.length === 0) return turn.say.nothing(topic);
  const listed = matches.slice(0, 6).map((match) => ({ id: match.id, title: titleOf(match.path), text: match.snippet, score: 0 }));
  return joinParts(turn.say.matchesWithoutSentence(topic), citedList(listed));
}

/** The facts found so far, for a turn that a rejection or an error ended. */
export function partialAnswer(turn: Turn, request: AskRequest): string {
  const topic = request.topic || earlierTopic(turn);
  const facts = request.answer ? factsOf(turn, topic) : [];
  return facts.length === 0 ? '' : joinParts(turn.say.otherwise(topic), citedList(facts));
}

function readsToMake(turn: Turn, topic: string): WantedCall[] {
  if (!offers(turn, 'read_doc') || exchangesOf(turn, 'read_doc').length > 0) return [];
  return bestDocuments(searchesOf(turn, topic), topic).map(({ args }) => ({
    name: 'read_doc',
    args: { ...args, showIds: true, tokens: 4000 },
  }));
}

/** search → read the best documents → write, if asked → answer. */
export function stepAsk(turn: Turn, request: AskRequest): Step {
  const { say } = turn;
  const { write, answer } = request;
  const topic = request.topic || earlierTopic(turn);
  if (topic === '') return { text: say.noTopic };
  if (!offers(turn, 'search_notes')) return { text: say.missingTool('`search_notes`') };
  if (write && !answer && !offers(turn, writeTool(write)))
    return { text: joinParts(say.missingTool(`\`${writeTool(write)}\``), say.nothingWritten) };

  const searches = searchesOf(turn, topic);
  if (searches.length === 0)
    return {
      calls: [{ name: 'search_notes', args: { query: topic } }, ...writeLookups(turn, write).filter((call) => call.args.query !== topic)],
    };
  if (searches.every((search) => search.reading.matches.length === 0)) {
    const looser = looserQuery(topic);
    const tried = searches.some((search) => search.query === looser);
    if (!tried && looser !== '' && topicTerms(topic).length > 1) return { calls: [{ name: 'search_notes', args: { query: looser } }] };
    return { text: joinParts(say.nothing(topic), write ? say.nothingWritten : null) };
  }
  const reads = readsToMake(turn, topic);
  if (reads.length > 0) return { calls: reads };

  const facts = factsOf(turn, topic);
  const text = answerText(turn, topic, facts);
  if (!write) return { text };
  if (facts.length === 0) return { text: joinParts(text, say.nothingWritten) };
  return stepWrite(turn, write, summaryMarkdown(say, topic, facts), answer ? text : '', topic);
}

/** Brings a write one step on; `text` is the answer that is beside it. */
export function stepWrite(turn: Turn, write: WriteTarget, markdown: string, text: string, topic: string): Step {
  const { say } = turn;
  const state = writeState(turn, write, markdown);
  switch (state.kind) {
    case 'call':
      return { calls: [state.call] };
    case 'written':
      return { text: joinParts(say.written(state.place), text === '' ? citedList(factsOf(turn, topic)) : text) };
    case 'missing-tool':
      return { text: joinParts(text, say.missingTool(`\`${state.tool}\``), say.nothingWritten) };
    case 'no-document':
      return { text: joinParts(text, say.noDocument(state.name), say.nothingWritten) };
  }
}
