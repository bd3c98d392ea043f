import type { ChangePlan, PlanAction, PlanOperation } from '../../tools/contract/plans.ts';
import type { MessageKey, Translate } from '../ports/i18n.ts';
import { lastStep, pathSteps } from './path-labels.ts';

const DOCUMENTS = ['rename-document', 'move-document', 'duplicate-document', 'delete-document'] as const;
const NOTEBOOKS = ['create-notebook', 'rename-notebook', 'open-notebook', 'close-notebook', 'remove-notebook'] as const;
type DocumentAction = (typeof DOCUMENTS)[number];
type NotebookAction = (typeof NOTEBOOKS)[number];
/** What is done to notes and notebooks as wholes, and what is made of them. */
export type StructureAction = DocumentAction | NotebookAction | 'write-file';

const isDocumentAction = (action: PlanAction): action is DocumentAction => DOCUMENTS.some((each) => each === action);
const isNotebookAction = (action: PlanAction): action is NotebookAction => NOTEBOOKS.some((each) => each === action);

/** Whether `before` and `after` of an operation are places and not text. */
export function isStructural(action: PlanAction): boolean {
  return action === 'create-document' || isDocumentAction(action) || isNotebookAction(action);
}

interface Clause {
  readonly words: string;
  /** What the hole in the words stands for. */
  readonly title: string;
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

/** Where a moved note will stand: said by the operation, or what its new path stands in. */
function placeOf({ to, after }: PlanOperation): string {
  return (
    to ??
    pathSteps(after ?? '')
      .slice(0, -1)
      .join(' › ')
  );
}

function documentClause(plan: ChangePlan, action: DocumentAction, hole: string, t: Translate): Clause {
  const { operations } = plan;
  const [first] = operations;
  const n = operations.length;
  if (!first || n > 1) {
    const [place, ...others] = new Set(operations.map(placeOf));
    const together = action === 'move-document' && place && others.length === 0;
    return { words: together ? t('plan.moveNotesTo', { n, to: place }) : t(MANY[action], { n }), title: '' };
  }
  const to = action === 'rename-document' ? lastStep(first.after ?? '') : placeOf(first);
  const title = first.document?.title ?? (first.before === null ? plan.document.title : lastStep(first.before));
  return { words: t(SINGLE[action], { document: hole, to }), title };
}

function notebookClause({ operations: [first], notebook }: ChangePlan, action: NotebookAction, t: Translate): Clause {
  const name = action === 'create-notebook' ? (first?.after ?? notebook.name) : notebook.name;
  return { words: t(OF_NOTEBOOK[action], { name, to: first?.after ?? '' }), title: '' };
}

/** "rename *Apollo* to “Artemis”", "delete 3 notes"; undefined for a plan that is not about notes or notebooks as wholes. */
export function structureClause(plan: ChangePlan, hole: string, t: Translate): Clause | undefined {
  const [first] = plan.operations;
  if (first?.action === 'write-file' && plan.tool === 'write_file')
    return { words: t(first.before === null ? 'plan.createFile' : 'plan.changeFile', { document: hole }), title: plan.document.title };
  if (first?.action === 'write-file')
    return { words: t('plan.writeFile', { document: hole, to: first.to ?? '' }), title: plan.document.title };
  if (!first || plan.operations.some((operation) => operation.action !== first.action)) return undefined;
  if (isDocumentAction(first.action)) return documentClause(plan, first.action, hole, t);
  return isNotebookAction(first.action) ? notebookClause(plan, first.action, t) : undefined;
}
