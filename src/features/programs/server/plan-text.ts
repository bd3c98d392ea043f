import type { ChangePlan, PlanOperation, PlanPosition } from '../../../tools/contract/plans.ts';
import { type DiffRow, diffRows } from '../../../tools/plan-words/diff-rows.ts';
import type { Translate } from '../../../tools/plan-words/i18n.ts';
import { type OperationRow, operationRows, placeRows } from '../../../tools/plan-words/operation-rows.ts';
import {
  noticeSentence,
  operationLabel,
  overlookedChange,
  planSentence,
  positionInNote,
  undoSentence,
} from '../../../tools/plan-words/plan-labels.ts';
import { sentenceText } from '../../../tools/plan-words/sentence-parts.ts';
import { visibleText } from '../../../tools/safe-content/unseen.ts';
import { pathWords } from '../../../tools/util/place-words.ts';

const SIGNS = { same: ' ', removed: '-', added: '+' } as const;

/** A name or value on one line: neither a line break nor an invisible character of it is left as such. */
export const visibleLine = (text: string): string => visibleText(text.replaceAll('\n', '↵').replaceAll('\t', '→'));

const namesText = (names: readonly string[]): string => pathWords(names.map(visibleLine));

/** White space at the end of a changed line, or alone on it, as signs. */
const visibleEnd = (line: string): string => line.replace(/(?<![ \t])[ \t]+$/, (room) => room.replaceAll(' ', '·').replaceAll('\t', '→'));

function lineText({ kind, parts }: Extract<DiffRow, { parts: unknown }>): string {
  const line = visibleText(parts.map(({ text }) => text).join(''));
  return `${SIGNS[kind]} ${kind === 'same' ? line : visibleEnd(line)}`;
}

/** A value without a name is a place, and has only what it has; of a named one nothing is shown as `–`. */
function pairText(name: string, before: string | null, after: string | null): string {
  const shown = [before, after].map((value) => (value === null ? '–' : visibleEnd(visibleLine(value))));
  if (name !== '') return `  ${visibleLine(name)}: ${shown.join(' → ')}`;
  return `  ${shown.filter((_, index) => [before, after][index] !== null).join(' → ')}`;
}

function placeText(position: PlanPosition, t: Translate): string {
  const words = visibleLine(sentenceText(positionInNote(position, t)));
  return [namesText(position.path), words].filter((part) => part !== '').join(t('work.comma'));
}

function rowTexts(row: OperationRow, t: Translate): readonly string[] {
  switch (row.kind) {
    case 'fold':
      return row.lines.map((line) => `  ${visibleText(line)}`);
    case 'pair':
      return [pairText(row.name, row.before, row.after)];
    case 'path':
      return [`${SIGNS[row.change]} ${'  '.repeat(row.depth)}${namesText(row.names)}`];
    case 'position':
      return [`  ${[row.before, row.after].flatMap((place) => (place ? [placeText(place, t)] : [])).join(' → ')}`];
    default:
      return [lineText(row)];
  }
}

/** Its place now and then, and everything that changes, whole. */
function rowsInFull(operation: PlanOperation): readonly OperationRow[] {
  const { action, cell, database, before, after, attributes, path } = operation;
  if (cell) {
    const names = [database ?? '', cell.row, cell.column].filter((name) => name !== '');
    return [{ kind: 'pair', name: namesText(names), before, after }];
  }
  if (attributes || path) return [...placeRows(operation), ...operationRows(operation)];
  const isUnchanged = action === 'move' && before === after;
  return [...placeRows(operation), ...(isUnchanged ? unchangedRows(after ?? '') : diffRows(before, after))];
}

const unchangedRows = (text: string): readonly OperationRow[] => [{ kind: 'fold', count: 0, lines: text.split('\n') }];

function operationText(operation: PlanOperation, t: Translate): string {
  const { removes } = operation;
  const overlooked = overlookedChange(operation);
  return [
    [operationLabel(operation, t), ...(overlooked ? [`(${t(overlooked)})`] : [])].join(' '),
    ...rowsInFull(operation).flatMap((row) => rowTexts(row, t)),
    ...(removes ? [`! ${t('notice.blocks-removed', { n: removes })}`] : []),
  ].join('\n');
}

function noteText(notebook: string, { title, path }: ChangePlan['document']): string {
  const place = path === '' || path === `/${title}` ? '' : ` (${visibleLine(path)})`;
  return namesText([notebook, title].filter((name) => name !== '')) + place;
}

/** A plan in the words of its approval, as plain text, with each change whole and each invisible character as a sign. */
export function planText(plan: ChangePlan, t: Translate): string {
  const { notebook, operations, notices } = plan;
  let heading = noteText(notebook.name, plan.document);
  const parts = [visibleLine(sentenceText(planSentence(plan, t))), heading];
  for (const operation of operations) {
    const note = noteText(notebook.name, operation.document ?? plan.document);
    if (note !== heading) parts.push(note);
    heading = note;
    parts.push(operationText(operation, t));
  }
  return [...parts, ...notices.map((notice) => `! ${noticeSentence(notice, t, operations)}`), undoSentence(plan, t)].join('\n\n');
}
