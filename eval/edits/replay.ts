import { diffArrays } from 'diff';
import type { ChangePlan } from '../../src/tools/contract/plans.ts';
import { NEVER } from '../../src/tools/util/abort.ts';
import type { KernelNotes } from '../../tests/host/open-notes.ts';
import { steady, type TestBench } from '../../tests/host/support.ts';

export interface PageEdit {
  readonly name: string;
  readonly old: string;
  readonly new: string;
}

/** What an edit came to, by whatever way. */
export interface Replayed {
  readonly refused?: string;
  readonly isExact: boolean;
  /** Of the blocks that are the same before and after: those that kept their id, of how many. */
  readonly kept: readonly [those: number, of: number];
  /** Words that a person is shown for it, beside those that a person changed. */
  readonly words: number;
  readonly humanWords: number;
  /** Undefined where there is no Undo. */
  readonly isUndone?: boolean;
  /** The approval said that something was taken out of the new text, which would run or lead to no page of the web. */
  readonly isFiltered?: boolean;
  /** It said that something without a text stays, such as an embed, since the new text does not copy it where it is. */
  readonly keepsUnsaid?: boolean;
  /** Whole blocks go, and others come. */
  readonly isRemade?: boolean;
  /** For a failed case. */
  readonly difference?: string;
}

const WORDS = /\p{Script=Han}|[\p{L}\p{M}\p{N}_]+|[^\s]/gu;
const wordsOf = (text: string): string[] => text.match(WORDS) ?? [];
export const countWords = (text: string): number => wordsOf(text).length;
/** Words that are removed and added between two texts. */
export const changedWords = (before: string, after: string): number =>
  diffArrays(wordsOf(before), wordsOf(after)).reduce((sum, { added, removed, count = 0 }) => sum + (added || removed ? count : 0), 0);

export interface Leaf {
  readonly id: string;
  readonly markdown: string;
}

/** Blocks that hold text themselves, in no order. */
export async function leavesOf(bench: TestBench, document: string): Promise<readonly Leaf[]> {
  await bench.api('/api/sqlite/flushTransaction', {});
  const stmt = `SELECT id, markdown FROM blocks WHERE root_id = '${document}' AND type NOT IN ('d', 'l', 'i', 'b', 's') LIMIT 9999`;
  return bench.api<Leaf[]>('/api/query/sql', { stmt });
}

/** Of equal texts only as many count as there are on both sides. */
export function keptIds(before: readonly Leaf[], after: readonly Leaf[]): readonly [number, number] {
  const idsOf = (leaves: readonly Leaf[]) => {
    const all = new Map<string, Set<string>>();
    for (const { id, markdown } of leaves) all.set(markdown, (all.get(markdown) ?? new Set()).add(id));
    return all;
  };
  const [old, now] = [idsOf(before), idsOf(after)];
  let [those, of] = [0, 0];
  for (const [text, ids] of old) {
    const others = now.get(text) ?? new Set();
    of += Math.min(ids.size, others.size);
    those += [...ids].filter((id) => others.has(id)).length;
  }
  return [those, of];
}

/** Notices of an approval by which it says that new text is not as it was given: what would run or fetch, or leads to no page of the web. */
const FILTERED = ['link-neutralised', 'shown-as-code', 'remote-image-linked', 'attribute-dropped', 'unknown-reference'];

/** What a person reads of a plan: changed words, whole blocks where one comes or goes. A block that is moved is as it was. */
const plannedWords = ({ operations }: ChangePlan): number =>
  operations.reduce((sum, { action, before, after }) => (action === 'move' ? sum : sum + changedWords(before ?? '', after ?? '')), 0);

/** The first line that differs, of the first block that does. */
function differenceOf(wanted: readonly string[], is: readonly string[]): string {
  const [one, other] = [wanted, is].map((blocks) => blocks.join('\n\n').split('\n'));
  const at = one?.findIndex((line, index) => line !== other?.[index]) ?? -1;
  const [meant, made] = [one?.at(at)?.trim(), other?.at(at)?.trim()].map((line) => (line ?? '').slice(0, 120));
  return `“${meant}” is wanted, not “${made}”`;
}

/** How fast it is is not what is measured. */
const PATIENCE_MS = 600_000;

let count = 0;
const fresh = (what: string): string => {
  count += 1;
  return `${what} ${count}`;
};

/** Two notes: of the page before, and as SiYuan itself makes the page after. */
export interface Pages {
  readonly id: string;
  readonly before: readonly Leaf[];
  /** The page after, as our tools read it: what a model that knows it writes. */
  readonly text: string;
  /** Markdown of their blocks. */
  readonly old: readonly string[];
  readonly wanted: readonly string[];
  readonly humanWords: number;
}

/** Makes the two of an edit, which are gone afterwards. Null where SiYuan sees no change. */
export async function withPages<T>({ bench, notes }: KernelNotes, edit: PageEdit, run: (pages: Pages) => Promise<T>): Promise<T | null> {
  const [id, other] = [await bench.document(`/${fresh('Page')}`, edit.old), await bench.document(`/${fresh('Wanted')}`, edit.new)];
  try {
    const [before, old, wanted] = [await leavesOf(bench, id), await bench.markdown(id), await bench.markdown(other)];
    if (old.join('\n\n') === wanted.join('\n\n')) return null;
    const { blocks } = await notes.document({ id: other }, { start: 0, blocks: 9999 }, NEVER);
    const text = blocks.map(({ markdown }) => markdown).join('\n\n');
    return await run({ id, before, old, wanted, text, humanWords: changedWords(edit.old, edit.new) });
  } finally {
    for (const each of [id, other]) await bench.api('/api/filetree/removeDocByID', { id: each });
  }
}

/** How a note is beside the one that is wanted. */
export async function compare(bench: TestBench, { id, before, wanted }: Pages): Promise<Pick<Replayed, 'isExact' | 'kept' | 'difference'>> {
  const now = await bench.markdown(id);
  const kept = keptIds(before, await leavesOf(bench, id));
  const isExact = JSON.stringify(now) === JSON.stringify(wanted);
  return { isExact, kept, ...(isExact ? {} : { difference: differenceOf(wanted, now) }) };
}

/** The page is rewritten with our tool, looked at, and undone. */
export async function replay({ bench, executor, asked, history }: KernelNotes, pages: Pages): Promise<Replayed> {
  const { id, humanWords, text } = pages;
  const looks = steady(await bench.dom(id));
  const nodeId = fresh('node');
  const options = { callId: 'c', sessionId: 'eval', nodeId, signal: NEVER, timeoutMs: PATIENCE_MS };
  asked.length = 0;
  const result = await executor.execute('rewrite_doc', { id, markdown: text }, options);
  if (result.status !== 'success') return { isExact: false, kept: [0, 0], words: 0, humanWords, refused: result.finalText ?? '' };
  const words = asked.reduce((sum, { plan }) => sum + (plan ? plannedWords(plan) : 0), 0);
  const codes = asked.flatMap(({ plan }) => plan?.notices.map(({ code }) => code) ?? []);
  const isFiltered = codes.some((code) => FILTERED.includes(code));
  const actions = asked.flatMap(({ plan }) => plan?.operations.map(({ action }) => action) ?? []);
  const said = {
    isFiltered,
    keepsUnsaid: codes.includes('unsaid-kept'),
    isRemade: actions.includes('insert') && actions.includes('delete'),
  };
  const compared = await compare(bench, pages);
  await history.undo('eval', nodeId, options.signal);
  return { ...compared, words, humanWords, ...said, isUndone: steady(await bench.dom(id)) === looks };
}
