import type { Conversation, Exchange } from './conversation.ts';
import { readIntent } from './intents.ts';
import type { Phrases } from './phrases.ts';
import { readDailyNotebooks, readNotebooks, type SearchReading, titleOf } from './tool-results.ts';
import type { Intent, WantedCall } from './types.ts';

/** What a flow works with. */
export interface Turn {
  readonly conversation: Conversation;
  readonly say: Phrases;
}

/** The next thing to do: calls to make now, or the final answer (the offline note is added by the planner). */
export type Step = { readonly calls: readonly WantedCall[] } | { readonly text: string };

export function exchangesOf(turn: Turn, name: string, matches: (args: Exchange['args']) => boolean = () => true): Exchange[] {
  return turn.conversation.exchanges.filter((exchange) => exchange.name === name && matches(exchange.args));
}

export function offers(turn: Turn, name: string): boolean {
  return turn.conversation.tools.has(name);
}

export function takesArgument(turn: Turn, tool: string, argument: string): boolean {
  const properties = turn.conversation.tools.get(tool)?.function.parameters?.properties;
  return properties === undefined || argument in properties;
}

/** Topic of the question before, so that "write a summary into today's note" knows what of. */
export function earlierTopic(turn: Turn): string {
  for (const question of [...turn.conversation.earlierQuestions].reverse()) {
    const intent: Intent = readIntent(question);
    if (intent.kind === 'ask' && intent.topic !== '') return intent.topic;
    if (intent.kind === 'find') return intent.query;
    if (intent.kind === 'summarize' && intent.document !== 'today') return intent.document;
  }
  return '';
}

export const blockIdPattern = /\b\d{14}-[0-9a-z]{7}\b/;

function normalise(name: string): string {
  return name.toLowerCase().replaceAll(/[\s《》"'“”「」]/gu, '');
}

export interface FoundDocument {
  readonly id: string | undefined;
  readonly path: string;
  readonly title: string;
}

/** The document of that path or title among what a search showed: equal, then beginning with it, then containing it. */
export function findDocument(reading: SearchReading, name: string): FoundDocument | null {
  const wanted = normalise(titleOf(name));
  if (wanted === '') return null;
  const candidates: FoundDocument[] = [
    ...[...reading.documents].map(([path, id]) => ({ id, path, title: titleOf(path) })),
    ...reading.matches.map((match) => ({
      id: reading.documents.get(match.path) ?? reading.documents.get(titleOf(match.path)),
      path: match.path,
      title: titleOf(match.path),
    })),
  ];
  const tests: ((title: string) => boolean)[] = [
    (title) => title === wanted,
    (title) => title.startsWith(wanted),
    (title) => wanted.length >= 3 && title.includes(wanted),
  ];
  const byPath = name.includes('/')
    ? candidates.find(({ path, id }) => id !== undefined && `/${path}`.endsWith(`/${name.replace(/^\//, '')}`))
    : undefined;
  if (byPath) return byPath;
  for (const test of tests) {
    const found = candidates.filter((candidate) => test(normalise(candidate.title)));
    const best = found.find((candidate) => candidate.id !== undefined) ?? found[0];
    if (best) return best;
  }
  return null;
}

/**
 * Notebook to write to: the one that the question names; for the day the one with the newest daily note, else one that looks
 * like a diary; else the first open one.
 */
export function pickNotebook(turn: Turn, forDay: boolean): string | undefined {
  const listed = exchangesOf(turn, 'list_notebooks').flatMap((exchange) => readNotebooks(exchange.result));
  const open = listed.filter((notebook) => !notebook.closed);
  const { question } = turn.conversation;
  const literal = (name: string) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const named = open.find(({ name }) =>
    new RegExp(`\\b(?:notebook|in|into)\\s+["']?${literal(name)}\\b|${literal(name)}["'》]?\\s*(?:notebook|笔记本)`, 'i').test(question),
  );
  const newest = forDay
    ? exchangesOf(turn, 'daily_note', (args) => args.op === 'list').flatMap((exchange) => readDailyNotebooks(exchange.result))[0]
    : undefined;
  const used = open.find(({ name }) => name === newest);
  const diary = forDay ? open.find(({ name }) => /\b(?:life|diary|journal|daily)\b|日记|生活|日志/i.test(name)) : undefined;
  return (named ?? used ?? diary ?? open[0])?.id;
}
