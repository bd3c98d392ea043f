import type { PlanAction, PlanOperation, PlanPosition } from '../contract/plans.ts';
import { visibleText } from '../safe-content/unseen.ts';
import { plainWords } from '../util/plain-words.ts';
import { type DiffRow, diffRows, plainRow } from './diff-rows.ts';
import { isStructural } from './structure-labels.ts';

/** A named value: old → new on one line. */
interface PairRow {
  readonly kind: 'pair';
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Names from the outside in, of a note or its parents. */
interface PathRow {
  readonly kind: 'path';
  readonly change: 'same' | 'removed' | 'added';
  readonly depth: number;
  readonly names: readonly string[];
}

interface PositionRow {
  readonly kind: 'position';
  readonly before: PlanPosition | null;
  readonly after: PlanPosition | null;
}

export type OperationRow = DiffRow | PairRow | PathRow | PositionRow;

/** Lines of a moved block that are shown before the rest folds. */
export const MOVED_LINES = 2;

const branch = (change: 'removed' | 'added', names: readonly string[], depth: number): PathRow[] =>
  names.map((name, index) => ({
    kind: 'path',
    change: index < names.length - 1 ? 'same' : change,
    depth: depth + index,
    names: [name],
  }));

/** The common steps of both places before the last one, which is the item itself, whatever its name. */
function sharedSteps(old: readonly string[], fresh: readonly string[]): number {
  if (old.length === 0 || fresh.length === 0) return Math.max(0, old.length - 1, fresh.length - 1);
  const limit = Math.min(old.length, fresh.length) - 1;
  return old.findIndex((step, index) => index >= limit || step !== fresh[index]);
}

/** Two places as one small tree: the common part is one line, then the old and the new place. */
function treeRows(old: readonly string[], fresh: readonly string[]): PathRow[] {
  const shared = sharedSteps(old, fresh);
  const trunk = (old.length > 0 ? old : fresh).slice(0, shared);
  const depth = shared > 0 ? 1 : 0;
  return [
    ...(shared > 0 ? [{ kind: 'path', change: 'same', depth: 0, names: trunk } as const] : []),
    ...branch('removed', old.slice(shared), depth),
    ...branch('added', fresh.slice(shared), depth),
  ];
}

export function placeRows({ position, from, to }: PlanOperation): OperationRow[] {
  if (position) return [{ kind: 'position', before: position.before ?? null, after: position.after ?? null }];
  return from || to ? [{ kind: 'pair', name: '', before: from ?? null, after: to ?? null }] : [];
}

function movedRows(before: string | null, after: string | null): DiffRow[] {
  if (before !== after && before !== null && after !== null) return diffRows(before, after);
  const lines = (after ?? before ?? '').replace(/\n$/, '').split('\n');
  const shown = lines.length > MOVED_LINES + 1 ? lines.slice(0, MOVED_LINES) : lines;
  const rest = lines.slice(shown.length);
  const fold: DiffRow[] = rest.length > 0 ? [{ kind: 'fold', count: rest.length, lines: rest }] : [];
  return [...shown.map((line) => plainRow(plainWords(line))), ...fold];
}

/** They leave the text of the block as it is, where there is one. */
const SAME_TEXT: ReadonlySet<PlanAction> = new Set(['move', 'add-flashcard', 'remove-flashcard']);

export const markdownRows = ({ action, before, after }: PlanOperation): DiffRow[] =>
  SAME_TEXT.has(action) && before !== null ? movedRows(before, after) : diffRows(before, after);

/** The tree of a note or notebook; with the notebook if a move crosses notebooks. Old records have one text for each. */
function structureRows({ action, before, after, path }: PlanOperation): OperationRow[] {
  // The plan's own sentence says everything.
  if (action === 'open-notebook' || action === 'close-notebook') return [];
  const isCopy = action === 'duplicate-document';
  if (!path) return [{ kind: 'pair', name: '', before: isCopy ? null : before, after }];
  return treeRows(isCopy ? [] : (path.before ?? []), path.after ?? []);
}

/** Rows of one operation: text as a diff, places as a small tree, attributes by name, a move with its path. */
export function operationRows(operation: PlanOperation): OperationRow[] {
  const { action, before, after } = operation;
  if (action === 'move') return [...placeRows(operation), ...markdownRows(operation)];
  if (action === 'set-attributes' && operation.attributes) return operation.attributes.map((each) => ({ kind: 'pair', ...each }));
  // A file may be a program: its invisible characters are shown.
  if (action === 'write-file' || action === 'plan-steps') return diffRows(before && visibleText(before), after && visibleText(after));
  return isStructural(action) ? structureRows(operation) : markdownRows(operation);
}
