import { ToolError } from '../../tools/contract/errors.ts';
import type { DatabaseStep, DocumentPlacement, MoveStep, RenameStep, StructureStep } from '../journal/structure-journal.ts';
import { createAttributesKind } from './structure-attributes.ts';
import { createCardKind } from './structure-cards.ts';
import { createDatabaseKind } from './structure-database.ts';
import { createDeleteKind } from './structure-delete.ts';
import { assertNoneHiddenBelow, documentState } from './structure-documents.ts';
import { GONE, type JoinedSteps, observed, type StepDeps, type StepKind } from './structure-kind.ts';
import { createNotebookKind } from './structure-notebook.ts';

function createRenameKind({ routes, structure, access }: StepDeps): StepKind<RenameStep> {
  return {
    allow: async (step, signal, grant) => {
      await access.locate(step.documentId, 'write', signal, grant);
    },
    observe: async (step, signal) => {
      const state = await documentState(routes, step.documentId, signal);
      if (!state) return GONE;
      return { at: observed(state.title === step.before, state.title === step.after), now: state.title };
    },
    run: async (step) => {
      await structure.renameDocument(step.documentId, step.after);
      return step;
    },
    revert: async (step) => {
      await structure.renameDocument(step.documentId, step.untitled ? '' : step.before);
      return [];
    },
    wordsBefore: (step) => step.before,
  };
}

/** A document that was moved takes its children along: these are still in place. */
const isAt = (place: DocumentPlacement, wanted: DocumentPlacement): boolean =>
  place.parent === wanted.parent && (place.parent !== null || place.notebook === wanted.notebook);

function createMoveKind({ routes, structure, access }: StepDeps): StepKind<MoveStep> {
  const placeIn = (place: DocumentPlacement): string => place.parent ?? place.notebook;
  return {
    allow: async (step, signal, grant) => {
      const { documentPath, notebook } = await access.locate(step.documentId, 'write', signal, grant);
      await assertNoneHiddenBelow({ routes, access }, { id: step.documentId, notebook: notebook.id, path: documentPath }, signal);
      await access.requireNotebook(step.after.notebook, 'write', signal, { grant });
      if (step.after.parent === null) return access.requireTop(step.after.notebook);
      const target = await access.locate(step.after.parent, 'write', signal, grant);
      if (target.notebook.id === notebook.id && `${target.documentPath}/`.startsWith(`${documentPath.replace(/\.sy$/, '')}/`)) {
        throw new ToolError('stale', 'the target is now below the document', 'call list_docs again and plan the change again');
      }
    },
    observe: async (step, signal) => {
      const state = await documentState(routes, step.documentId, signal);
      if (!state) return GONE;
      if (isAt(state.place, step.before)) return { at: 'before', now: step.from };
      if (isAt(state.place, step.after)) return { at: 'after', now: step.to };
      return { at: 'other', now: await routes.pathOf(step.documentId, signal) };
    },
    run: async (step) => {
      await structure.moveDocument(step.documentId, placeIn(step.after));
      return step;
    },
    revert: async (step, signal) => {
      const { parent, notebook } = step.before;
      if (parent !== null && !(await documentState(routes, parent, signal))) return [{ code: 'parent-gone' }];
      if (parent === null && !(await routes.notebooks(signal)).some((each) => each.id === notebook && !each.closed))
        return [{ code: 'notebook-gone' }];
      await structure.moveDocument(step.documentId, placeIn(step.before));
      return [];
    },
    wordsBefore: (step) => step.from,
  };
}

export interface StepKinds extends StepKind<StructureStep> {
  /** The steps in their order, those together that one request can carry out. */
  batches(steps: readonly StructureStep[]): readonly (readonly StructureStep[])[];
  readonly joined: Pick<JoinedSteps<StructureStep>, 'allow' | 'observe' | 'run' | 'revert'>;
}

const isDatabase = (step: StructureStep | undefined): step is DatabaseStep => step?.kind === 'database';

const apart = (kinds: StepKind<StructureStep>): StepKinds['joined'] => ({
  allow: async (steps, signal, grant) => {
    for (const step of steps) await kinds.allow(step, signal, grant);
  },
  observe: (steps, signal) => Promise.all(steps.map((step) => kinds.observe(step, signal))),
  run: (steps) => Promise.all(steps.map((step) => kinds.run(step))),
  revert: (steps, signal) => Promise.all(steps.map((step) => kinds.revert(step, signal))),
});

export function createStepKinds(deps: StepDeps): StepKinds {
  const attributes = createAttributesKind(deps);
  const card = createCardKind(deps);
  const database = createDatabaseKind(deps);
  const rename = createRenameKind(deps);
  const move = createMoveKind(deps);
  const removal = createDeleteKind(deps);
  const notebook = createNotebookKind(deps);
  function on<T>(step: StructureStep, call: <S extends StructureStep>(kind: StepKind<S>, step: S) => T): T {
    switch (step.kind) {
      case 'attributes':
        return call(attributes, step);
      case 'card':
        return call(card, step);
      case 'database':
        return call(database, step);
      case 'rename':
        return call(rename, step);
      case 'move':
        return call(move, step);
      case 'delete':
        return call(removal, step);
      case 'notebook':
        return call(notebook, step);
    }
  }
  const kinds: StepKind<StructureStep> = {
    allow: (step, signal, grant) => on(step, (kind, each) => kind.allow(each, signal, grant)),
    observe: (step, signal) => on(step, (kind, each) => kind.observe(each, signal)),
    run: (step) => on<Promise<StructureStep>>(step, (kind, each) => kind.run(each)),
    revert: (step, signal) => on(step, (kind, each) => kind.revert(each, signal)),
    wordsBefore: (step) => on(step, (kind, each) => kind.wordsBefore(each)),
  };
  const { joins, most } = database.joined;
  const batches = (steps: readonly StructureStep[]): StructureStep[][] => {
    const all: StructureStep[][] = [];
    for (const step of steps) {
      const batch = all.at(-1);
      const last = batch?.at(-1);
      if (batch && batch.length < most && isDatabase(last) && isDatabase(step) && joins(last, step)) batch.push(step);
      else all.push([step]);
    }
    return all;
  };
  const single = apart(kinds);
  // Several are of a database: there are no other batches.
  const of = (batch: readonly StructureStep[]): StepKinds['joined'] => (batch.length > 1 ? database.joined : single);
  const joined: StepKinds['joined'] = {
    allow: (batch, ...given) => of(batch).allow(batch, ...given),
    observe: (batch, signal) => of(batch).observe(batch, signal),
    run: (batch) => of(batch).run(batch),
    revert: (batch, signal) => of(batch).revert(batch, signal),
  };
  return { ...kinds, batches, joined };
}
