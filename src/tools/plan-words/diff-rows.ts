import { diffArrays, diffLines, diffWordsWithSpace } from 'diff';

interface DiffPart {
  readonly text: string;
  /** True for the words that were removed (in a `-` row) or added (in a `+` row). */
  readonly marked: boolean;
}

export type DiffRow =
  | { readonly kind: 'same' | 'removed' | 'added'; readonly parts: readonly DiffPart[] }
  | { readonly kind: 'fold'; readonly count: number; readonly lines: readonly string[] };

const CONTEXT = 1;
/** Less similar lines are shown whole: marking single words in an unrelated sentence is useless. */
const ALIKE = 0.3;

/** Scripts without spaces need the browser's segmenter; old WebViews lack it, and there each character is a word. */
function wordChanges(before: string, after: string): { readonly text: string; readonly added: boolean; readonly removed: boolean }[] {
  if (/[\u3040-\u30ff\u3400-\u9fff]/.test(before + after) && 'Segmenter' in Intl) {
    const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
    const words = (text: string): string[] => Array.from(segmenter.segment(text), (word) => word.segment);
    return diffArrays(words(before), words(after)).map(({ value, added, removed }) => ({ text: value.join(''), added, removed }));
  }
  return diffWordsWithSpace(before, after).map(({ value, added, removed }) => ({ text: value, added, removed }));
}

/** Marked words separated only by a space are one mark: two adjacent ones look like two changes. */
function mergeParts(parts: readonly DiffPart[]): DiffPart[] {
  const out: DiffPart[] = [];
  for (const [index, part] of parts.entries()) {
    const last = out.at(-1);
    const bridge = !part.marked && /^[ \t]+$/.test(part.text) && parts[index + 1]?.marked;
    if (last?.marked && (part.marked || bridge)) out[out.length - 1] = { text: last.text + part.text, marked: true };
    else out.push(part);
  }
  return out;
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

function wholeRow(kind: 'removed' | 'added', line: string): DiffRow {
  return { kind, parts: [{ text: line, marked: true }] };
}

/** One old and one new line, with the differing words marked. */
function pairRows(before: string, after: string): [DiffRow, DiffRow] {
  const changes = wordChanges(before, after);
  const kept = changes.reduce((sum, change) => (change.added || change.removed ? sum : sum + change.text.trim().length), 0);
  if (kept < ALIKE * Math.min(before.trim().length, after.trim().length)) return [wholeRow('removed', before), wholeRow('added', after)];
  const side = (kind: 'removed' | 'added', other: 'removed' | 'added'): DiffRow => ({
    kind,
    parts: mergeParts(changes.filter((change) => !change[other]).map((change) => ({ text: change.text, marked: change[kind] }))),
  });
  return [side('removed', 'added'), side('added', 'removed')];
}

/** Removed and added lines in one place: paired in order, the rest whole. */
function hunkRows(removed: readonly string[], added: readonly string[]): DiffRow[] {
  const rows: DiffRow[] = [];
  const paired = Math.min(removed.length, added.length);
  for (let index = 0; index < paired; index += 1) rows.push(...pairRows(removed[index] ?? '', added[index] ?? ''));
  for (const line of removed.slice(paired)) rows.push(wholeRow('removed', line));
  for (const line of added.slice(paired)) rows.push(wholeRow('added', line));
  return rows;
}

export function plainRow(line: string): DiffRow {
  return { kind: 'same', parts: [{ text: line, marked: false }] };
}

/** Unchanged lines between changes: those far from both fold to a count. */
function sameRows(lines: readonly string[], first: boolean, last: boolean): DiffRow[] {
  const head = first ? 0 : CONTEXT;
  const tail = last ? 0 : CONTEXT;
  const count = lines.length - head - tail;
  if (count < 2) return lines.map(plainRow);
  const folded = lines.slice(head, lines.length - tail);
  return [...lines.slice(0, head).map(plainRow), { kind: 'fold', count, lines: folded }, ...lines.slice(lines.length - tail).map(plainRow)];
}

/** Lines first, then words inside changed lines. `null`: nothing before, or nothing after. */
export function diffRows(before: string | null, after: string | null): DiffRow[] {
  if (before === null) return after === null ? [] : linesOf(after).map((line) => wholeRow('added', line));
  if (after === null) return linesOf(before).map((line) => wholeRow('removed', line));
  const changes = diffLines(`${before.replace(/\n$/, '')}\n`, `${after.replace(/\n$/, '')}\n`);
  const rows: DiffRow[] = [];
  for (let index = 0; index < changes.length; index += 1) {
    const change = changes[index];
    if (!change) continue;
    const lines = linesOf(change.value);
    if (!change.added && !change.removed) rows.push(...sameRows(lines, index === 0, index === changes.length - 1));
    else if (change.added) rows.push(...hunkRows([], lines));
    else {
      const next = changes[index + 1];
      if (next?.added) index += 1;
      rows.push(...hunkRows(lines, next?.added ? linesOf(next.value) : []));
    }
  }
  return rows;
}
