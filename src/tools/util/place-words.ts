import type { PlanOperation, PlanPosition } from '../contract/plans.ts';
import { plainWords } from './plain-words.ts';

/** A name with a separator or quotation mark: nothing inside it may look like a step of a path. */
const LOOKS_JOINED = /[›/“”"\n]/;

/** Names from the outside in on one line: "Projects › Apollo". A name with a separator in it is quoted, so that it is no path. */
export const pathWords = (names: readonly string[]): string =>
  names.map((name) => (LOOKS_JOINED.test(name) ? JSON.stringify(name) : name)).join(' › ');

/** "Apollo › Plan, after a block “First words”". */
export function positionWords({ path, at, block }: PlanPosition): string {
  const where = pathWords(path);
  if (at === undefined) return where;
  if (!block) return `${where}, at the ${at}`;
  const named = block.words === '' ? 'a block' : JSON.stringify(block.words);
  return at === 'before' || at === 'after' ? `${where}, ${at} ${named}` : `${where}, at the ${at} of ${named}`;
}

const attributeValue = (value: string | null): string => (value === null ? 'none' : JSON.stringify(value));

/** The subject of an operation on one line: names of attributes, of a note, or the first words of a text. */
export function subjectWords({ attributes, cell, path, before, after }: PlanOperation): string {
  if (cell) return [cell.row, cell.column].filter((part) => part !== '').join(' › ');
  if (attributes) return attributes.map(({ name }) => name).join(', ');
  return (path?.after ?? path?.before)?.at(-1) ?? plainWords(after ?? before ?? '');
}

/** The change of an operation, for a model: each attribute, or a path; undefined if `before` and `after` contain it. */
export function changeWords({
  action,
  attributes,
  cell,
  path,
  position,
  before: text,
  after,
  from,
  to,
}: PlanOperation): string | undefined {
  if (cell)
    return `${action} ${pathWords([cell.row, cell.column].filter((part) => part !== ''))}: ${text ?? 'nothing'} → ${after ?? 'nothing'}`;
  // The text stays as it is, or is new.
  if (action === 'add-flashcard' || action === 'remove-flashcard') return plainWords(text ?? after ?? '');
  if (attributes)
    return attributes.map(({ name, before, after }) => `${name}: ${attributeValue(before)} → ${attributeValue(after)}`).join(', ');
  if (action === 'move-document' && path?.before && path.after) return `${pathWords(path.before)} → ${pathWords(path.after)}`;
  if (position?.before && position.after) return `${positionWords(position.before)} → ${positionWords(position.after)}`;
  return from !== undefined && to !== undefined ? `${from} → ${to}` : undefined;
}
