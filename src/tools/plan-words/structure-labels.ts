import type { ChangePlan, PlanAction, PlanOperation } from '../contract/plans.ts';
import type { MessageKey, Translate } from './i18n.ts';
import { filledSentence, type Sentence } from './sentence-parts.ts';

const DOCUMENTS = ['rename-document', 'move-document', 'duplicate-document', 'delete-document'] as const;
const NOTEBOOKS = ['create-notebook', 'rename-notebook', 'open-notebook', 'close-notebook', 'remove-notebook'] as const;
type DocumentAction = (typeof DOCUMENTS)[number];
type NotebookAction = (typeof NOTEBOOKS)[number];
export type StructureAction = DocumentAction | NotebookAction | 'write-file' | 'plan-steps';

const isDocumentAction = (action: PlanAction): action is DocumentAction => DOCUMENTS.some((each) => each === action);
const isNotebookAction = (action: PlanAction): action is NotebookAction => NOTEBOOKS.some((each) => each === action);

/** Tells if `before` and `after` of an operation are places instead of text. */
export function isStructural(action: PlanAction): boolean {
  return action === 'create-document' || isDocumentAction(action) || isNotebookAction(action);
}

const SINGLE: Readonly<Record<DocumentAction, MessageKey>> = {
  'rename-document': 'plan.rename',
  'move-document': 'plan.moveNote',
  'duplicate-document': 'plan.duplicate',
  'delete-document': 'plan.deleteNote',
};

const MANY: Readonly<Record<DocumentAction, MessageKey>> = {
  'rename-document': 'plan.renameMany',
  'move-document': 'plan.moveNotes',
  'duplicate-document': 'plan.duplicateMany',
  'delete-document': 'plan.deleteNotes',
};

const OF_NOTEBOOK: Readonly<Record<NotebookAction, MessageKey>> = {
  'create-notebook': 'plan.createNotebook',
  'rename-notebook': 'plan.renameNotebook',
  'open-notebook': 'plan.openNotebook',
  'close-notebook': 'plan.closeNotebook',
  'remove-notebook': 'plan.removeNotebook',
};

/** The future parent of a moved note: its new path without itself; '' if unknown. */
const targetOf = ({ path }: PlanOperation): readonly string[] => path?.after?.slice(0, -1) ?? [];

const named = (name: string): Sentence => [{ name }];
const subject = (name: string): Sentence => [{ name, isSubject: true }];

function documentClause(plan: ChangePlan, action: DocumentAction, t: Translate): Sentence {
  const { operations } = plan;
  const [first] = operations;
  const n = operations.length;
  if (!first || n > 1) {
    const target = first ? targetOf(first) : [];
    const isOne = operations.every((each) => JSON.stringify(targetOf(each)) === JSON.stringify(target));
    const together = action === 'move-document' && target.length > 0 && isOne;
    return together ? filledSentence(t, 'plan.moveNotesTo', { n, to: [{ path: target }] }) : [t(MANY[action], { n })];
  }
  const document = subject(first.document?.title ?? plan.document.title);
  if (action === 'rename-document') return filledSentence(t, SINGLE[action], { document, to: named(first.path?.after?.at(-1) ?? '') });
  return filledSentence(t, SINGLE[action], { document, to: [{ path: targetOf(first) }] });
}

function notebookClause({ operations: [first], notebook }: ChangePlan, action: NotebookAction, t: Translate): Sentence {
  const after = first?.path?.after?.at(-1);
  const name = action === 'create-notebook' ? (after ?? notebook.name) : notebook.name;
  return filledSentence(t, OF_NOTEBOOK[action], { name: named(name), to: named(after ?? '') });
}

/** "rename *Apollo* to “Artemis”", "delete 3 notes"; undefined for a plan that is not about whole notes or notebooks. */
export function structureClause(plan: ChangePlan, t: Translate): Sentence | undefined {
  const [first] = plan.operations;
  const document = subject(plan.document.title);
  if (first?.action === 'write-file' && plan.tool === 'write_file')
    return filledSentence(t, first.before === null ? 'plan.createFile' : 'plan.changeFile', { document });
  if (first?.action === 'write-file') return filledSentence(t, 'plan.writeFile', { document, to: named(first.to ?? '') });
  if (first?.action === 'plan-steps') return [t('plan.steps', { n: (first.after ?? '').split('\n').length })];
  if (!first || plan.operations.some((operation) => operation.action !== first.action)) return undefined;
  if (isDocumentAction(first.action)) return documentClause(plan, first.action, t);
  return isNotebookAction(first.action) ? notebookClause(plan, first.action, t) : undefined;
}
