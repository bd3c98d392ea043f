import { ToolError } from '../tools/contract/errors.ts';
import type { FoundList } from '../tools/contract/found-notes.ts';
import { isSeen } from '../tools/contract/notebook-right.ts';
import type { NotesPort } from '../tools/contract/ports.ts';
import { relatedList } from '../tools/groups/common/found-notes.ts';
import { sharedLabel } from '../ui/labels/work-labels.ts';
import type { ContextChoice } from '../ui/ports/context-choice.ts';
import type { Translate } from '../ui/ports/i18n.ts';
import type { EditorSelection } from './editor/editor-selection.ts';
import { findNotes, noteInEditor } from './note-choices.ts';
import type { PanelHost } from './panel-host.ts';
import { shortTitle } from './read-contexts.ts';

export interface ContextFinder {
  readonly notes: NotesPort;
  readonly host: Pick<PanelHost, 'siyuan'>;
  readonly selected: EditorSelection;
  /** Local calendar day, YYYY-MM-DD. */
  readonly today: () => string;
  readonly t: Translate;
  readonly signal: AbortSignal;
}

/** Entries per group: the list should be short, and more typing finds the rest. */
const DOCUMENTS = 8;
const BLOCKS = 5;
const OTHERS = 4;
const RELATED = 4;
/** Three words, or about two in a script without spaces. */
const PHRASE = /\S\s+\S+\s+\S|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{4}/u;
const RELATED_ON_PAGE = 20;
/** Blocks among which the nearest to a sentence is looked for. */
const SEARCHED = 400;
/** Characters of a selection that are sent. */
const SELECTED = 50_000;

/** Signs alone, or a notebook that a tool may not read, find nothing; the other groups may. */
const NOTHING: ReadonlySet<string> = new Set(['empty_text', 'bad_arguments', 'no_right', 'sql_off']);

async function orNone<T, None>(find: Promise<T>, none: None): Promise<T | None> {
  try {
    return await find;
  } catch (error) {
    if (error instanceof ToolError && NOTHING.has(error.code)) return none;
    throw error;
  }
}

const has = (title: string, words: string): boolean => title.toLowerCase().includes(words.toLowerCase());

/** The note in the editor, if it may be read. */
export async function openNote({ notes, host, t, signal }: ContextFinder): Promise<ContextChoice | undefined> {
  const id = noteInEditor(host)?.id;
  const [info] = id === undefined ? [] : await notes.blockInfo([id], signal);
  if (!info || 'code' in info) return undefined;
  return {
    kind: 'document',
    group: 'here',
    id: info.id,
    title: info.document.title,
    notebook: info.notebook.id,
    place: t('pick.openNote'),
  };
}

/** The selection in the editor, if all of it may be read. */
export async function selection({ notes, selected: { now }, t, signal }: ContextFinder): Promise<ContextChoice | undefined> {
  const selected = now();
  const [info] = selected ? await notes.blockInfo([selected.id], signal) : [];
  if (!selected || !info || 'code' in info) return undefined;
  const text = selected.text.slice(0, SELECTED);
  return {
    kind: 'selection',
    group: 'here',
    id: info.id,
    title: shortTitle(text),
    place: t('pick.selection'),
    text,
    blocks: selected.blocks,
  };
}

async function here(finder: ContextFinder): Promise<readonly ContextChoice[]> {
  const { notes, today, t, signal } = finder;
  const day = today();
  const daily = (await notes.dailyNotes({ from: day, to: day }, signal)).slice(0, OTHERS);
  const found = [await selection(finder), await openNote(finder)];
  return [
    ...found.filter((one) => one !== undefined),
    ...daily.map(({ id, notebook }): ContextChoice => {
      return { kind: 'document', group: 'here', id, title: t('pick.today'), place: notebook.name };
    }),
  ];
}

async function documents({ notes, signal }: ContextFinder, words: string): Promise<readonly ContextChoice[]> {
  const found = await findNotes(notes, words, signal);
  return found.slice(0, DOCUMENTS).map(({ id, title, place }) => ({ kind: 'document', group: 'documents', id, title, place }));
}

async function blocks({ notes, signal }: ContextFinder, words: string): Promise<readonly ContextChoice[]> {
  // A word that is being typed has no meaning yet. Vectors on this device are enough for a phrase.
  const meaning = PHRASE.test(words) ? {} : { meaning: false };
  const page = await notes.search({ query: words, mode: 'relevance', ...meaning, page: 1, pageSize: BLOCKS * 2 }, signal);
  return page.matches
    .filter(({ type }) => type !== 'd')
    .slice(0, BLOCKS)
    .map(({ id, snippet, documentTitle }) => ({ kind: 'block', group: 'blocks', id, title: shortTitle(snippet), place: documentTitle }));
}

/** Notes related to one, nearest first, with the shared words. */
export async function relatedNotes({ notes, signal }: Pick<ContextFinder, 'notes' | 'signal'>, id: string): Promise<FoundList> {
  const { notes: near } = await notes.related({ id, limit: RELATED_ON_PAGE }, signal);
  return relatedList(near);
}

/** Notes related to the open one, each with the reason. Rejects with ToolError if the notes cannot be read. */
export async function relatedContexts(finder: ContextFinder): Promise<readonly ContextChoice[]> {
  const { notes, t, signal } = finder;
  const open = await openNote(finder);
  if (!open) return [];
  const near = (await orNone(notes.related({ id: open.id, limit: RELATED }, signal), undefined))?.notes ?? [];
  return near.map(({ document: { id, title }, words }) => ({
    kind: 'document',
    group: 'related',
    id,
    title,
    place: sharedLabel(words, t),
    relatedTo: open.title,
  }));
}

/** Of a note or a section the block with most of the words; what has no blocks below it, or none with them, is itself the nearest. */
export async function nearestBlock({ notes, signal }: Pick<ContextFinder, 'notes' | 'signal'>, id: string, words: RegExp): Promise<string> {
  const read = await notes.blocks({ id, range: 'children', limit: SEARCHED }, signal).catch((error: unknown) => {
    // Gone, or not to be read: whoever opens it says so.
    if (!(error instanceof ToolError)) throw error;
  });
  let best = { id, shared: 0 };
  for (const each of (read?.blocks ?? []).flatMap((block): readonly { id: string; markdown: string }[] => block.items ?? [block])) {
    const shared = (each.markdown.match(words) ?? []).join('').length;
    if (shared > best.shared) best = { id: each.id, shared };
  }
  return best.id;
}

async function notebooks({ notes, signal }: ContextFinder, words: string): Promise<readonly ContextChoice[]> {
  const open = (await notes.notebooks(signal)).filter(({ name, open, right }) => open && isSeen(right) && has(name, words));
  return open.slice(0, OTHERS).map(({ id, name }) => ({ kind: 'notebook', group: 'notebooks', id, title: name, place: '' }));
}

async function tags({ notes, signal }: ContextFinder, words: string): Promise<readonly ContextChoice[]> {
  const { tags: found } = await notes.tags({ filter: words === '' ? undefined : words, limit: OTHERS }, signal);
  return found.map(({ label, count }) => ({ kind: 'tag', group: 'tags', id: label, title: label, place: String(count) }));
}

async function searches({ notes, signal }: ContextFinder, words: string): Promise<readonly ContextChoice[]> {
  const found = (await notes.savedSearches(signal)).filter((name) => has(name, words));
  return found.slice(0, OTHERS).map((name) => ({ kind: 'search', group: 'searches', id: name, title: name, place: '' }));
}

/**
 * What can be attached to a question: what is open now, and what has the words in its name. Everything is read through NotesPort,
 * so unreadable notes are not included. Rejects with ToolError if the notes cannot be read.
 */
export async function findContexts(finder: ContextFinder, words: string): Promise<readonly ContextChoice[]> {
  const group = (find: Promise<readonly ContextChoice[]>): Promise<readonly ContextChoice[]> => orNone(find, []);
  const near = group(here(finder)).then((found) => found.filter(({ title, place }) => has(`${title} ${place}`, words)));
  const ofTags = group(tags(finder, words));
  const found = await Promise.all([
    ...(words.startsWith('#') ? [ofTags] : []),
    ...[near, group(documents(finder, words)), words === '' ? [] : group(blocks(finder, words))],
    ...[group(notebooks(finder, words)), ofTags, group(searches(finder, words))],
  ]);
  // What is among the current items, or first by its sign, is not repeated.
  const chosen = new Map<string, ContextChoice>();
  for (const choice of found.flat()) {
    const key = `${choice.kind}:${choice.id}`;
    if (!chosen.has(key)) chosen.set(key, choice);
  }
  return [...chosen.values()];
}
