import { ToolError } from '../../tools/contract/errors.ts';
import type { NotebookRequest, NotePlanner } from '../../tools/contract/note-planner.ts';
import { isSeen } from '../../tools/contract/notebook-right.ts';
import type { ChangePlan, PlanAction, PlanNotice } from '../../tools/contract/plans.ts';
import type { NotebookInfo } from '../../tools/contract/ports.ts';
import type { UndoNote } from '../../tools/contract/undo-reasons.ts';
import { referenceNotices } from '../access/block-losses.ts';
import { isBlockId } from '../blocks/block-dom.ts';
import { attributeLines, checkAttributes, readAttributes } from '../documents/structure-attributes.ts';
import { doomedDocuments } from '../documents/structure-delete.ts';
import { documentHash } from '../documents/structure-documents.ts';
import { NOTEBOOK_RULES, requireUnguarded } from '../documents/structure-notebook.ts';
import type { DeleteStep, NotebookStep } from '../journal/structure-journal.ts';
import { noSuchBlock } from '../kernel/not-found.ts';
import { openPlace } from '../reading/readable-place.ts';
import { planFlashcards } from './card-planner.ts';
import { planDatabase, planDatabaseChange } from './database-planner.ts';
import { planOrganize, withoutNested } from './structure-organize.ts';
import {
  checkTitle,
  createPlanMaker,
  locateDocuments,
  locateInOneNotebook,
  type PlanMaker,
  type PlannedStep,
  type StructurePlannerDeps,
  stepsOf,
} from './structure-plan.ts';

export type StructurePlanner = Pick<
  NotePlanner,
  'planAttributes' | 'planFlashcards' | 'planDatabaseChange' | 'planDatabase' | 'planOrganize' | 'planDeleteDocuments' | 'planNotebook'
>;

const NOTEBOOK_ACTIONS: Readonly<Record<NotebookRequest['op'], PlanAction>> = {
  create: 'create-notebook',
  rename: 'rename-notebook',
  open: 'open-notebook',
  close: 'close-notebook',
  remove: 'remove-notebook',
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

class KernelStructurePlanner implements StructurePlanner {
  private readonly deps: StructurePlannerDeps;
  private readonly maker: PlanMaker;

  constructor(deps: StructurePlannerDeps) {
    this.deps = deps;
    this.maker = createPlanMaker(deps);
  }

  async planAttributes(
    request: { ids: readonly string[]; attrs: Readonly<Record<string, string>> },
    tool: string,
    signal: AbortSignal,
  ): Promise<ChangePlan> {
    const { access } = this.deps;
    const places = await locateInOneNotebook(this.deps, request.ids, signal);
    const planned: PlannedStep[] = [];
    for (const place of places) {
      const step = await this.attributesOf(place, request.attrs, signal);
      if (step) planned.push(step);
    }
    const [first] = planned;
    if (!first?.shown.document) throw new ToolError('no_change', 'these attributes already have these values', 'leave them as they are');
    const notebook = await access.requireNotebook(places[0]?.notebook.id ?? '', 'read', signal);
    return this.maker.finish({ tool, notebook, document: first.shown.document, planned, undo: { kind: 'exact' } });
  }

  planFlashcards(request: Parameters<NotePlanner['planFlashcards']>[0], tool: string, signal: AbortSignal): Promise<ChangePlan> {
    return planFlashcards({ ...this.deps, maker: this.maker }, request, tool, signal);
  }

  planDatabaseChange(request: Parameters<NotePlanner['planDatabaseChange']>[0], tool: string, signal: AbortSignal): Promise<ChangePlan> {
    return planDatabaseChange({ ...this.deps, maker: this.maker }, request, tool, signal);
  }

  planDatabase(request: Parameters<NotePlanner['planDatabase']>[0], tool: string, signal: AbortSignal): Promise<ChangePlan> {
    return planDatabase({ ...this.deps, maker: this.maker }, request, tool, signal);
  }

  planOrganize(request: Parameters<NotePlanner['planOrganize']>[0], tool: string, signal: AbortSignal): Promise<ChangePlan> {
    return planOrganize({ ...this.deps, maker: this.maker }, request, tool, signal);
  }

  async planDeleteDocuments(request: { ids: readonly string[] }, tool: string, signal: AbortSignal): Promise<ChangePlan> {
    const { access, routes } = this.deps;
    const places = withoutNested(await locateDocuments(this.deps, request.ids, signal));
    const planned: (PlannedStep & { readonly step: DeleteStep })[] = [];
    for (const place of places) {
      const documents: DeleteStep['documents'] = [];
      for (const each of await doomedDocuments(this.deps, place, signal)) {
        documents.push({ ...each, hash: await documentHash(routes, each.id, signal), copy: null });
      }
      const document = { id: place.documentId, title: place.documentTitle, path: await routes.pathOf(place.documentId, signal) };
      planned.push({
        shown: {
          action: 'delete-document',
          blockId: place.documentId,
          blockType: 'd',
          before: document.path,
          after: null,
          path: { before: stepsOf(document.path), after: null },
          document,
        },
        step: { kind: 'delete', documentId: place.documentId, notebook: place.notebook.id, documents, result: 'unknown' },
      });
    }
    const [first] = planned;
    if (!first?.shown.document) throw new Error('no document was located');
    const ids = planned.flatMap(({ step }) => step.documents.map((each) => each.id));
    const losses = await this.losses(ids, signal);
    return this.maker.finish({
      tool,
      notebook: await access.requireNotebook(first.step.notebook, 'read', signal),
      document: first.shown.document,
      planned,
      undo: losses.undo,
      notices: [
        { code: 'children-deleted', count: sum(planned.map(({ step }) => step.documents.length - 1)) },
        ...losses.references,
        { code: 'rows-lost', count: losses.rows },
      ],
    });
  }

  async planNotebook(request: NotebookRequest, tool: string, signal: AbortSignal): Promise<ChangePlan> {
    this.deps.access.requireNotebooks();
    const all = await this.deps.access.notebooks(signal);
    const name = 'name' in request ? checkTitle(request.name, 'name') : '';
    if (name !== '' && all.some((each) => each.name === name && isSeen(each.right))) {
      throw new ToolError('path_exists', `there is already a notebook "${name}"`, 'use it, or choose another name');
    }
    if (request.op === 'create')
      return this.notebookPlan(tool, { id: '', name, right: 'read' }, { op: 'create', before: null, after: name, all });
    if (!isBlockId(request.id)) throw new ToolError('bad_id', `"${request.id}" is not a notebook id`, 'call list_notebooks for the ids');
    const { closedToo } = NOTEBOOK_RULES[request.op];
    const notebook = await this.deps.access.requireNotebook(request.id, 'read', signal, { closedToo });
    if ((request.op === 'open' && notebook.open) || (request.op === 'close' && !notebook.open))
      throw new ToolError('no_change', `"${notebook.name}" is ${notebook.open ? 'open' : 'closed'} already`, 'go on with it as it is');
    if (request.op === 'remove') await requireUnguarded(this.deps, notebook.id, signal);
    const kept = request.op === 'remove' ? null : notebook.name;
    const after = request.op === 'rename' ? name : kept;
    return this.notebookPlan(tool, notebook, { op: request.op, before: notebook.name, after, all }, signal);
  }

  private async notebookPlan(
    tool: string,
    notebook: Pick<NotebookInfo, 'id' | 'name' | 'right'> & { readonly open?: boolean },
    change: Pick<NotebookStep, 'op' | 'before' | 'after'> & { readonly all: readonly NotebookInfo[] },
    signal?: AbortSignal,
  ): Promise<ChangePlan> {
    const { op, before, after } = change;
    const isState = op === 'open' || op === 'close';
    const id = op === 'create' ? null : notebook.id;
    const counts = op === 'remove' && signal ? await this.contents(notebook.id, signal) : { documents: 0, references: [] };
    return this.maker.finish({
      tool,
      notebook,
      need: NOTEBOOK_RULES[op].need,
      document: { id: null, title: notebook.name, path: '' },
      planned: [
        {
          shown: {
            action: NOTEBOOK_ACTIONS[op],
            blockId: id ?? '',
            blockType: 'd',
            before: isState ? `${notebook.name} (${op === 'open' ? 'closed' : 'open'})` : before,
            after: isState ? `${notebook.name} (${op === 'open' ? 'open' : 'closed'})` : after,
            path: { before: before === null ? null : [before], after: after === null ? null : [after] },
          },
          step: { kind: 'notebook', op, notebook: id, before, after, others: change.all.map((each) => each.id), result: 'unknown' },
        },
      ],
      undo: op === 'remove' ? { kind: 'none', notes: ['notebook'] } : { kind: 'exact' },
      notices: [{ code: 'children-deleted', count: counts.documents }, ...counts.references],
    });
  }

  private async attributesOf(
    place: Awaited<ReturnType<StructurePlannerDeps['access']['locate']>>,
    attrs: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<PlannedStep | undefined> {
    const { routes } = this.deps;
    const { id: blockId, documentId } = place;
    const tree = await openPlace(this.deps, place, signal);
    const wanted = checkAttributes(attrs, tree === null);
    const now = await readAttributes(routes, { blockId, documentId }, Object.keys(wanted), signal);
    if (!now) throw noSuchBlock(blockId);
    const changed = Object.keys(wanted).filter((name) => wanted[name] !== now[name]);
    if (changed.length === 0) return undefined;
    const pick = (values: Readonly<Record<string, string | null>>) =>
      Object.fromEntries(changed.map((name) => [name, values[name] ?? null]));
    const [before, after] = [pick(now), pick(wanted)];
    const document = { id: documentId, title: place.documentTitle, path: await routes.pathOf(documentId, signal) };
    return {
      shown: {
        action: 'set-attributes',
        blockId,
        blockType: tree?.type ?? 'd',
        before: attributeLines(before),
        after: attributeLines(after),
        attributes: changed.map((name) => ({ name, before: before[name] ?? null, after: after[name] ?? null })),
        document,
      },
      step: { kind: 'attributes', blockId, documentId, before, after, result: 'unknown' },
    };
  }

  /** Losses in Undo of a deletion, and references to the deleted documents. The index was flushed when the tree was read. */
  private async losses(
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<{ references: readonly PlanNotice[]; rows: number; undo: ChangePlan['undo'] }> {
    const list = ids.map((id) => `'${id}'`).join(', ');
    const references = await this.references(`def_block_root_id IN (${list}) AND root_id NOT IN (${list})`, signal);
    const rows = await this.count(
      `SELECT count(*) AS n FROM attributes WHERE name = 'custom-avs' AND root_id IN (${list}) LIMIT 1`,
      signal,
    );
    const databases = await this.count(`SELECT count(*) AS n FROM blocks WHERE type = 'av' AND root_id IN (${list}) LIMIT 1`, signal);
    const notes: UndoNote[] = ['history'];
    if (rows > 0) notes.push('rows');
    if (databases > 0) notes.push('database');
    return { references, rows, undo: { kind: notes.length > 1 ? 'partial' : 'exact', notes } };
  }

  private async contents(notebook: string, signal: AbortSignal): Promise<{ documents: number; references: readonly PlanNotice[] }> {
    // In 3.7.3 a notebook is a `d` row of its own id.
    const documents = await this.count(
      `SELECT count(*) AS n FROM blocks WHERE type = 'd' AND box = '${notebook}' AND id <> '${notebook}' LIMIT 1`,
      signal,
    );
    const inside = `(SELECT id FROM blocks WHERE type = 'd' AND box = '${notebook}')`;
    return { documents, references: await this.references(`box <> '${notebook}' AND def_block_root_id IN ${inside}`, signal) };
  }

  private references(condition: string, signal: AbortSignal): Promise<readonly PlanNotice[]> {
    return referenceNotices(this.deps, [`SELECT DISTINCT block_id FROM refs WHERE ${condition} LIMIT 1000000`], new Set(), signal);
  }

  private async count(stmt: string, signal: AbortSignal): Promise<number> {
    return Number((await this.deps.routes.sql(stmt, signal))[0]?.n ?? 0);
  }
}

export function createStructurePlanner(deps: StructurePlannerDeps): StructurePlanner {
  return new KernelStructurePlanner(deps);
}
