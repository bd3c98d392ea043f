import type { ApprovedPlan, ChangePlan, PlanNotice } from '../../tools/contract/plans.ts';
import { lockNotices, type Touched } from '../access/locks.ts';
import { isOnBlock } from '../journal/structure-journal.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import type { PluginStorage } from '../kernel/storage.ts';
import type { PlanStore, PreparedPlan, PreparedStructure } from '../transactions/prepared-plan.ts';
import { stale } from '../transactions/write-check.ts';
import { ordersNotice } from './orders-notice.ts';

const known = (ids: readonly (string | null | undefined)[]): readonly string[] => [
  ...new Set(ids.filter((id): id is string => typeof id === 'string' && id !== '')),
];

function touchedBy(plan: ChangePlan, prepared: PreparedPlan | PreparedStructure): Touched {
  const shown = [plan.document.id, ...plan.operations.map(({ document }) => document?.id)];
  if ('steps' in prepared) {
    const steps = prepared.steps.map(({ step }) => step);
    return {
      documents: known([
        ...shown,
        ...steps.flatMap((step) => ('documentId' in step ? [step.documentId] : [])),
        ...steps.flatMap((step) => (step.kind === 'delete' ? step.documents.map(({ id }) => id) : [])),
      ]),
      blocks: known(steps.flatMap((step) => (isOnBlock(step) ? [step.blockId] : []))),
      doms: [],
      notebooks: known(steps.flatMap((step) => (step.kind === 'notebook' && step.op === 'remove' ? [step.notebook] : []))),
    };
  }
  const { operations } = prepared;
  const existing = operations.filter(({ before }) => before !== null);
  const parents = operations.flatMap(({ place }) => (typeof place === 'object' ? [place.parentId] : []));
  return {
    documents: known([...shown, ...operations.map(({ documentId }) => documentId)]),
    blocks: known([...existing.map(({ blockId }) => blockId), plan.anchorId, ...parents]),
    doms: existing.map(({ before }) => before?.dom ?? ''),
    notebooks: [],
  };
}

interface LockedPlansDeps {
  readonly routes: KernelRoutes;
  readonly storage: Pick<PluginStorage, 'read'>;
  readonly plans: PlanStore;
}

/** Plans report locked or later running content that they change; later changes of that are not written. */
export class LockedPlans {
  private readonly deps: LockedPlansDeps;
  private readonly touched = new WeakMap<ChangePlan, Touched>();

  constructor(deps: LockedPlansDeps) {
    this.deps = deps;
  }

  /** The plan with notices about locked or later running content that it changes. */
  async say(made: Promise<ChangePlan>, signal: AbortSignal): Promise<ChangePlan> {
    const plan = await made;
    const prepared = this.deps.plans.take(plan);
    if (!prepared) return plan;
    const touched = touchedBy(plan, prepared);
    const notices = await this.notices(plan, touched, signal);
    const said = notices.length === 0 ? plan : Object.freeze({ ...plan, notices: [...plan.notices, ...notices] });
    this.deps.plans.put(said, prepared);
    this.touched.set(said, touched);
    return said;
  }

  /** Rejects with `stale` if the approval did not mention it. */
  async assertSaid({ plan }: ApprovedPlan, signal: AbortSignal): Promise<void> {
    const touched = this.touched.get(plan);
    if (!touched) return;
    const unsaid = (await this.notices(plan, touched, signal)).filter(({ code }) => !plan.notices.some((said) => said.code === code));
    if (unsaid.length > 0) throw stale('it was locked in SiYuan, or made the note of standing orders or of a project, meanwhile');
  }

  private async notices(plan: ChangePlan, touched: Touched, signal: AbortSignal): Promise<readonly PlanNotice[]> {
    const of = await Promise.all([lockNotices(this.deps.routes, touched, signal), ordersNotice(this.deps, plan, touched, signal)]);
    return of.flat();
  }
}
