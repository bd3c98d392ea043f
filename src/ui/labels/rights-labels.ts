import type { Allowance } from '../../chat/view/view.ts';
import type { NotebookRight } from '../../tools/contract/notebook-right.ts';
import type { NotebookInfo } from '../../tools/contract/ports.ts';
import type { ToolFit } from '../../tools/executor/fit-tools.ts';
import { ASK_REASONS } from '../../tools/executor/ran-tools.ts';
import { own } from '../../tools/plan-words/own.ts';
import type { MessageKey, Translate } from '../ports/i18n.ts';
import type { PanelSettings } from '../ports/settings-port.ts';
import { toolName } from './tool-labels.ts';

/** Those of an encrypted notebook, of which nothing but the name is ever shown. */
export const NAMED: readonly NotebookRight[] = ['none', 'read'];

const NAMES: Readonly<Record<NotebookRight, MessageKey>> = {
  none: 'right.none',
  create: 'right.create',
  read: 'right.read',
  write: 'right.write',
  delete: 'right.delete',
};

/** The tools that write or send without asking in every chat, by name; '' if there are none. */
export function unaskedLabel(allowances: readonly Allowance[], t: Translate): string {
  return allowances.flatMap(({ tool, scope }) => (scope === null ? [toolName(tool, t)] : [])).join(t('work.comma'));
}

/** Why a change is asked about where small ones are not: "Asked because text is deleted or moved."; '' for a reason of a newer version. */
export function becauseLabel(because: string, t: Translate): string {
  const reason = ASK_REASONS.find((each) => each === because);
  return reason ? t('because.asked', { why: t(`because.${reason}`) }) : '';
}

/** Tells if each change is shown before it is written: nothing was allowed without a question. */
export const showsAll = (allowances: readonly Allowance[], { smallChanges }: Pick<PanelSettings, 'smallChanges'>): boolean =>
  allowances.length === 0 && smallChanges.notebooks.length === 0;

const KINDS: Readonly<Record<string, MessageKey>> = {
  'add-flashcard': 'allowed.kind.addCards',
  'remove-flashcard': 'allowed.kind.removeCards',
  'set-attributes': 'allowed.kind.attributes',
  'set-attributes-empty': 'allowed.kind.emptyAttributes',
  'set-cell': 'allowed.kind.cells',
  'set-cell-empty': 'allowed.kind.emptyCells',
  'add-row': 'allowed.kind.addRows',
  'add-column': 'allowed.kind.addColumns',
  'rename-column': 'allowed.kind.renameColumns',
  'move-column': 'allowed.kind.moveColumns',
  'add-option': 'allowed.kind.addOptions',
};

/** A notebook's name with the kinds of change that a scope allows in it, "Work (add rows)"; the name alone for text. */
export function scopeLabel(scope: string, notebook: string, t: Translate): string {
  const kinds = scope.split(' ').flatMap((kind) => {
    const key = own(KINDS, kind);
    return key === undefined ? [] : t(key);
  });
  return kinds.length === 0 ? notebook : t('allowed.kinds', { scope: notebook, kinds: kinds.join(t('plan.comma')) });
}

export function rightName(right: NotebookRight, t: Translate): string {
  return t(NAMES[right]);
}

export function notebookRightName({ right, encrypted }: Pick<NotebookInfo, 'right' | 'encrypted'>, t: Translate): string {
  return encrypted !== undefined && right !== 'none' ? t('right.encrypted') : rightName(right, t);
}

const COUNTED: readonly (readonly [NotebookRight, full: MessageKey, short: MessageKey])[] = [
  ['read', 'rights.read', 'rights.short.read'],
  ['write', 'rights.write', 'rights.short.write'],
  ['delete', 'rights.delete', 'rights.short.delete'],
  ['create', 'rights.create', 'rights.short.create'],
  ['none', 'rights.noAccess', 'rights.short.noAccess'],
];

/** What the model may do, right by right, in full and for a narrow line. */
interface RightsClause {
  readonly right: NotebookRight;
  readonly full: string;
  readonly short: string;
}

/** "2 notebooks: read", "1: read and edit", "1: no access". Closed notebooks do not count. */
export function rightsClauses(notebooks: readonly NotebookInfo[], t: Translate): readonly RightsClause[] {
  const open = notebooks.filter((notebook) => notebook.open);
  if (open.every(({ right }) => right === 'none')) return [{ right: 'none', full: t('rights.nothing'), short: t('right.none') }];
  const clauses: RightsClause[] = [];
  for (const [right, full, short] of COUNTED) {
    const n = open.filter((notebook) => notebook.right === right).length;
    const words = { n, right: t(full) };
    if (n > 0) clauses.push({ right, full: t(clauses.length === 0 ? 'rights.notebooks' : 'rights.more', words), short: t(short, { n }) });
  }
  return clauses;
}

/** All of it, in full. */
export function rightsLabel(notebooks: readonly NotebookInfo[], t: Translate): string {
  return rightsClauses(notebooks, t)
    .map(({ full }) => full)
    .join(' · ');
}

/** Which tools were sent to a model with little room, in a sentence. */
export function toolFitHint({ window, definitions, leftOut, tokens, isOver }: ToolFit, t: Translate): string {
  const counts = { n: definitions.length, all: definitions.length + leftOut.length, window, tokens };
  return t(isOver ? 'toolFit.overHint' : 'toolFit.hint', counts);
}
