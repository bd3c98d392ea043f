import type { ChangePlan, PlanOperation } from '../../tools/plans.ts';
import type { MessageKey, Translate } from '../i18n.ts';
import { sentenceCase } from './format.ts';
import { own } from './own.ts';

/** A sentence with the note's title taken out, so that the title can be set apart and be clicked. */
export interface PlanSentence {
  readonly before: string;
  readonly title: string;
  readonly after: string;
}

type Action = PlanOperation['action'];

const FIRST: readonly (readonly [Action, MessageKey, MessageKey])[] = [
  ['update', 'plan.update', 'plan.update.more'],
  ['insert', 'plan.insert', 'plan.insert.more'],
  ['move', 'plan.move', 'plan.move.more'],
  ['delete', 'plan.delete', 'plan.delete.more'],
];

/** "change 1 block", "change 1 block and add 2", "add 3 blocks, move 1 and remove 2". */
function clauses(operations: readonly PlanOperation[], t: Translate): string {
  const parts: string[] = [];
  for (const [action, first, more] of FIRST) {
    const n = operations.filter((operation) => operation.action === action).length;
    if (n > 0) parts.push(t(parts.length === 0 ? first : more, { n }));
  }
  const last = parts.pop() ?? '';
  return parts.length === 0 ? last : t('plan.and', { list: parts.join(t('plan.comma')), last });
}

const HOLE = '\u0000';

function cut(sentence: string, title: string): PlanSentence {
  const [before = '', after = ''] = sentence.split(HOLE);
  return { before, title, after };
}

/** What will happen, in words: "Change 1 block and add 2 in *Apollo*". */
export function planSentence(plan: ChangePlan, t: Translate): PlanSentence {
  const creates = plan.operations.some((operation) => operation.action === 'create-document');
  const title = plan.document.title;
  if (creates) {
    const n = plan.operations.filter((operation) => operation.action === 'insert').length;
    const key = n > 0 ? 'plan.createFilled' : 'plan.create';
    return cut(sentenceCase(t(key, { n, document: HOLE, notebook: plan.notebook.name })), title);
  }
  const onlyInserts = plan.operations.every((operation) => operation.action === 'insert');
  const change = clauses(plan.operations, t);
  return cut(sentenceCase(t(onlyInserts ? 'plan.into' : 'plan.in', { change, document: HOLE })), title);
}

const UNDO: Readonly<Record<ChangePlan['undo']['kind'], MessageKey>> = {
  exact: 'undo.exact',
  partial: 'undo.partial',
  none: 'undo.none',
};

/** What Undo would bring back, with what would be lost where the plan says it. */
export function undoSentence(plan: ChangePlan, t: Translate): string {
  const said = t(UNDO[plan.undo.kind]);
  return plan.undo.note ? `${said} ${plan.undo.note}` : said;
}

const NOTICES: Readonly<Record<string, MessageKey>> = {
  'remote-image-linked': 'notice.remote-image-linked',
  'attribute-dropped': 'notice.attribute-dropped',
  'link-neutralised': 'notice.link-neutralised',
  'unknown-reference': 'notice.unknown-reference',
  'front-matter-fenced': 'notice.front-matter-fenced',
};

/** What the filter changed in the model's Markdown; a code that nobody worded is shown as it is. */
export function noticeSentence(notice: ChangePlan['notices'][number], t: Translate): string {
  const known = own(NOTICES, notice.code);
  return known ? t(known, { n: notice.count }) : t('notice.other', { code: notice.code, n: notice.count });
}

const BLOCK_TYPES: Readonly<Record<string, MessageKey>> = {
  d: 'type.d',
  h: 'type.h',
  p: 'type.p',
  l: 'type.l',
  i: 'type.i',
  c: 'type.c',
  t: 'type.t',
  m: 'type.m',
  b: 'type.b',
  s: 'type.s',
};

const ACTIONS: Readonly<Record<Action, MessageKey>> = {
  insert: 'action.insertType',
  update: 'action.update',
  delete: 'action.deleteType',
  move: 'action.move',
  'create-document': 'action.create-document',
};

/** "Change paragraph", "Add heading": the label of one operation's switch. */
export function operationLabel(operation: PlanOperation, t: Translate): string {
  if (operation.action === 'create-document') return t(ACTIONS['create-document']);
  return t(ACTIONS[operation.action], { type: t(own(BLOCK_TYPES, operation.blockType) ?? 'type.other') });
}
