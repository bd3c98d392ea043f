import type { PlanOperation } from '../../tools/contract/plans.ts';
import { plainWords } from '../../tools/util/plain-words.ts';
import { type DiffRow, diffRows, plainRow } from './diff-rows.ts';
import { lastStep, pathSteps } from './path-labels.ts';
import { visibleText } from './sent-text.ts';
import { isStructural } from './structure-labels.ts';

/** A value by its name (an attribute), or a place: old → new on one line. */
interface PairRow {
  readonly kind: 'pair';
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

export type OperationRow = DiffRow | PairRow;

const INDENT = '    ';

/** Lines of a moved block that are shown before the rest folds. */
const MOVED_LINES = 2;

function branch(kind: 'removed' | 'added', steps: readonly string[], depth: number): DiffRow[] {
  return steps.map((step, index): DiffRow => {
    const indent = INDENT.repeat(depth + index);
    if (index < steps.length - 1) return plainRow(indent + step);
    return {
      kind,
      parts: [
        { text: indent, marked: false },
        { text: step, marked: true },
      ].filter(({ text }) => text !== ''),
    };
  });
}

/** Steps that both places have in front of what stands last: that is the thing itself, whatever it is called. */
function sharedSteps(old: readonly string[], fresh: readonly string[]): number {
  if (old.length === 0 || fresh.length === 0) return Math.max(0, old.length - 1, fresh.length - 1);
  const limit = Math.min(old.length, fresh.length) - 1;
  return old.findIndex((step, index) => index >= limit || step !== fresh[index]);
}

/**
 * Two places as one small tree: what both share is one line, then where it stood and where it will stand.
 * "/Work/Apollo" → "/Work/Old/Apollo": `Work`, `− Apollo`, `Old`, `+ Apollo`.
 */
function treeRows(before: string | null, after: string | null): DiffRow[] {
  const [old, fresh] = [pathSteps(before ?? ''), pathSteps(after ?? '')];
  if (before !== null && before === after) return [plainRow(old.join(' › '))];
  const shared = sharedSteps(old, fresh);
  const trunk = (old.length > 0 ? old : fresh).slice(0, shared);
  const depth = shared > 0 ? 1 : 0;
  return [
    ...(shared > 0 ? [plainRow(trunk.join(' › '))] : []),
    ...branch('removed', old.slice(shared), depth),
    ...branch('added', fresh.slice(shared), depth),
  ];
}

/** `name = value` lines (PlanOperation); a line without a name goes on with the value above it. */
function attributesOf(text: string | null): Map<string, string> {
  const attributes = new Map<string, string>();
  let last: string | undefined;
  for (const line of (text ?? '').split('\n')) {
    const [, name, value = ''] = /^([\w-]+) ?= ?(.*)$/.exec(line) ?? [];
    if (name !== undefined) attributes.set(name, value);
    else if (last !== undefined) attributes.set(last, `${attributes.get(last) ?? ''}\n${line}`);
    last = name ?? last;
  }
  return attributes;
}

/** Attributes as key: old → new; unchanged ones fold. */
function attributeRows(before: string | null, after: string | null): OperationRow[] {
  const [old, fresh] = [attributesOf(before), attributesOf(after)];
  const names = [...new Set([...old.keys(), ...fresh.keys()])];
  // '' and absent are one: '' removes an attribute.
  const value = (from: Map<string, string>, name: string): string | null => from.get(name) || null;
  const same = names.filter((name) => value(old, name) === value(fresh, name));
  const changed = names.filter((name) => !same.includes(name));
  const rows: OperationRow[] = changed.map((name) => ({ kind: 'pair', name, before: value(old, name), after: value(fresh, name) }));
  const lines = same.map((name) => `${name}: ${old.get(name) ?? ''}`);
  if (lines.length === 0) return rows;
  return [...rows, { kind: 'fold', count: lines.length, lines }];
}

/** Where it stood and will stand, then the text that goes along unchanged. */
function moveRows({ before, after, from, to }: PlanOperation): OperationRow[] {
  const place: OperationRow[] = from || to ? [{ kind: 'pair', name: '', before: from ?? null, after: to ?? null }] : [];
  if (before !== after && before !== null && after !== null) return [...place, ...diffRows(before, after)];
  const lines = (after ?? before ?? '').replace(/\n$/, '').split('\n');
  const shown = lines.length > MOVED_LINES + 1 ? lines.slice(0, MOVED_LINES) : lines;
  const rest = lines.slice(shown.length);
  const fold: DiffRow[] = rest.length > 0 ? [{ kind: 'fold', count: rest.length, lines: rest }] : [];
  return [...place, ...shown.map((line) => plainRow(plainWords(line))), ...fold];
}

/** The tree of a note or notebook; with the notebook where a move leads from one to another. */
function structureRows({ action, before, after, from, to }: PlanOperation): DiffRow[] {
  // The plan's own sentence says all there is.
  if (action === 'open-notebook' || action === 'close-notebook') return [];
  if (action === 'duplicate-document') return treeRows(null, after);
  const placed = (place: string | undefined, path: string | null): string | null =>
    place === undefined || path === null ? path : `${place} › ${lastStep(path)}`;
  return treeRows(placed(from, before), placed(to, after));
}

/** Rows of one operation: text as a diff, places as a small tree, attributes by name, a move with its way. */
export function operationRows(operation: PlanOperation): OperationRow[] {
  const { action, before, after } = operation;
  if (action === 'move') return moveRows(operation);
  if (action === 'set-attributes') return attributeRows(before, after);
  // A file may be a program: what nobody would see of it is written out.
  if (action === 'write-file') return diffRows(before && visibleText(before), after && visibleText(after));
  return isStructural(action) ? structureRows(operation) : diffRows(before, after);
}
