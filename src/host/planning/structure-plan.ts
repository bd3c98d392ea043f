import { ToolError } from '../../tools/contract/errors.ts';
import { allows, isSeen, type NotebookRight } from '../../tools/contract/notebook-right.ts';
import { type ChangePlan, deletes, type PlanNotice, type PlanOperation } from '../../tools/contract/plans.ts';
import type { NotebookInfo } from '../../tools/contract/ports.ts';
import type { BlockLocation } from '../access/access.ts';
import { assertPlainName, hasControl, keptName } from '../content/plain-name.ts';
import { isOnBlock, type StructureStep } from '../journal/structure-journal.ts';
import type { StructureRoutes } from '../kernel/structure-routes.ts';
import type { ChangePlannerDeps } from './plan-draft.ts';

export interface StructurePlannerDeps
  extends Pick<ChangePlannerDeps, 'routes' | 'access' | 'engine' | 'clock' | 'random' | 'plans' | 'pushes'> {
  readonly structure: StructureRoutes;
}

export interface PlannedStep {
  readonly shown: Omit<PlanOperation, 'id' | 'requires'>;
  readonly step: StructureStep;
  /** Places of steps of the same plan without which it is not carried out. */
  readonly requires?: readonly number[];
}

export interface StructureDraft {
  readonly tool: string;
  readonly notebook: Pick<NotebookInfo, 'id' | 'name' | 'right'>;
  /** The right that it needs in that notebook, unless it deletes something; 'write' if absent. */
  readonly need?: NotebookRight;
  readonly document: ChangePlan['document'];
  readonly planned: readonly PlannedStep[];
  readonly undo: ChangePlan['undo'];
  readonly notices?: readonly PlanNotice[];
}

/** The right that a plan asks to be raised to, by its operations; `otherwise` applies to a plan that deletes nothing. */
export function neededRight(
  has: NotebookRight,
  operations: readonly PlanOperation[],
  otherwise: NotebookRight = 'write',
): Pick<ChangePlan, 'needsRight'> {
  const need = deletes(operations) ? 'delete' : otherwise;
  return allows(has, need) || (need !== 'write' && need !== 'delete') ? {} : { needsRight: need };
}

/** The titles in a path of the kernel, which removes slashes from titles. */
export const stepsOf = (path: string): readonly string[] => path.split('/').filter((step) => step !== '');

export const counted = (notices: readonly PlanNotice[]): readonly PlanNotice[] => notices.filter((notice) => notice.count > 0);

/** A second document with this name will be created or renamed next to one hidden from the model: the person must know. */
export const hiddenAtPath = (count: number): readonly PlanNotice[] => counted([{ code: 'hidden-at-path', count, personOnly: true }]);

const TURNS: readonly string[] = ['add-option', 'add-row', 'cell'];

/** Options and rows are made before the cells that need them, so that many of a kind are next to each other. */
const turnOf = (step: StructureStep): number => (step.kind === 'database' ? TURNS.indexOf(step.change.do) : -1);

/** Makes plans from steps, with ids that are unique in this run of the program. */
export function createPlanMaker(deps: Pick<StructurePlannerDeps, 'clock' | 'plans'>) {
  let count = 0;
  const nextId = (kind: string): string => {
    count += 1;
    return `${kind}-s${deps.clock.now().toString(36)}-${count}`;
  };
  function finish(draft: StructureDraft): ChangePlan {
    const ids = draft.planned.map(() => nextId('op'));
    const operations = draft.planned.map(
      ({ shown, requires = [] }, index): PlanOperation => ({
        ...shown,
        id: ids[index] ?? '',
        requires: requires.flatMap((place) => ids[place] ?? []),
      }),
    );
    const first = draft.planned[0]?.step;
    const plan: ChangePlan = Object.freeze({
      id: nextId('plan'),
      tool: draft.tool,
      notebook: { id: draft.notebook.id, name: draft.notebook.name },
      document: draft.document,
      operations,
      anchorId: first && isOnBlock(first) ? first.blockId : draft.document.id,
      undo: draft.undo,
      ...neededRight(draft.notebook.right, operations, draft.need),
      notices: counted(draft.notices ?? []),
    });
    const steps = draft.planned.map(({ step }, index) => ({ id: operations[index]?.id ?? '', step }));
    deps.plans.put(plan, { steps: steps.sort((one, other) => turnOf(one.step) - turnOf(other.step)) });
    return plan;
  }
  return { finish, nextId };
}

export type PlanMaker = ReturnType<typeof createPlanMaker>;

const MAX_IDS = 200;

/** The given ids without duplicates; rejects an empty list and one that is too long. */
function checkIds(ids: readonly string[]): readonly string[] {
  const unique = [...new Set(ids.map((id) => id.trim()))];
  if (unique.length === 0) throw new ToolError('bad_id', 'no id was given', 'give ids, like 20240131120000-abc1234');
  if (unique.length > MAX_IDS)
    throw new ToolError('too_large', `${unique.length} ids are too many for one review`, `give at most ${MAX_IDS}`);
  return unique;
}

/** One plan is reviewed, allowed and raised for one notebook. */
function checkOneNotebook(places: readonly BlockLocation[]): void {
  const count = new Set(places.map((place) => place.notebook.id)).size;
  if (count > 1) throw new ToolError('bad_target', `these ids are in ${count} notebooks`, 'make one call for each notebook');
}

/** Blocks or documents of one notebook by their ids. */
export async function locateInOneNotebook(
  { access }: Pick<StructurePlannerDeps, 'access'>,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly BlockLocation[]> {
  const places: BlockLocation[] = [];
  for (const id of checkIds(ids)) places.push(await access.locate(id, 'read', signal));
  checkOneNotebook(places);
  return places;
}

/** Documents by their ids; ids of blocks and notebooks are refused. */
export async function locateDocuments(
  deps: Pick<StructurePlannerDeps, 'access'>,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly BlockLocation[]> {
  const visible = (await deps.access.notebooks(signal)).filter((each) => isSeen(each.right));
  const notebooks = new Set(visible.map((each) => each.id));
  const places: BlockLocation[] = [];
  for (const id of checkIds(ids)) {
    // In 3.7.3 a notebook has a page with its own id, which the kernel treats as the notebook itself.
    if (notebooks.has(id)) throw new ToolError('bad_id', `${id} is a notebook`, 'give the ids of documents, or use manage_notebook');
    const place = await deps.access.locateDocument(id, signal);
    if (place.documentId !== id)
      throw new ToolError('bad_id', `${id} is a block`, `give the id of a document, such as ${place.documentId}`);
    places.push(place);
  }
  checkOneNotebook(places);
  return places;
}

const MAX_TITLE = 512;

/** A name as SiYuan stores it. SiYuan would silently remove slashes and call an empty name "Untitled"; nobody means either. */
export function checkTitle(text: string, what: 'title' | 'name'): string {
  const title = keptName(text);
  if (title === '') throw new ToolError('empty_text', `the ${what} is empty`, `give the new ${what}`);
  if (title.includes('/') || hasControl(text.trim())) {
    throw new ToolError(
      'bad_path',
      `"${title}" cannot be a ${what}: no slashes or line breaks`,
      what === 'title' ? 'use op=move to put it elsewhere' : 'give a plain name',
    );
  }
  if ([...title].length > MAX_TITLE)
    throw new ToolError('too_large', `the ${what} is longer than ${MAX_TITLE} characters`, `give a shorter ${what}`);
  assertPlainName(title, what);
  return title;
}
