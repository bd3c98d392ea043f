import type { Allowance } from '../../chat/view/view.ts';
import type { NotebookInfo, NotebookRight } from '../../tools/contract/ports.ts';
import type { MessageKey, Translate } from '../ports/i18n.ts';
import { toolName } from './tool-labels.ts';

export const RIGHTS: readonly NotebookRight[] = ['none', 'read', 'write', 'delete'];

const NAMES: Readonly<Record<NotebookRight, MessageKey>> = {
  none: 'right.none',
  read: 'right.read',
  write: 'right.write',
  delete: 'right.delete',
};

/** The tools that write or send without asking in every chat, by name; '' where there are none. */
export function unaskedLabel(allowances: readonly Allowance[], t: Translate): string {
  return allowances.flatMap(({ tool, scope }) => (scope === null ? [toolName(tool, t)] : [])).join(t('work.comma'));
}

export function rightName(right: NotebookRight, t: Translate): string {
  return t(NAMES[right]);
}

const COUNTED: readonly (readonly [NotebookRight, MessageKey])[] = [
  ['read', 'rights.read'],
  ['write', 'rights.write'],
  ['delete', 'rights.delete'],
];

/** "2 notebooks: read · 1: read and edit". Closed notebooks and those at `none` do not count: the model does not see them. */
export function rightsLabel(notebooks: readonly NotebookInfo[], t: Translate): string {
  const seen = notebooks.filter((notebook) => notebook.open && notebook.right !== 'none');
  if (seen.length === 0) return t('rights.nothing');
  const clauses: string[] = [];
  for (const [right, key] of COUNTED) {
    const n = seen.filter((notebook) => notebook.right === right).length;
    if (n > 0) clauses.push(t(clauses.length === 0 ? 'rights.notebooks' : 'rights.more', { n, right: t(key) }));
  }
  return clauses.join(' · ');
}
