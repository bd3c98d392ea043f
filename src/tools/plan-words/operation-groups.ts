import type { ChangePlan, PlanOperation } from '../contract/plans.ts';
import { isStructural } from './structure-labels.ts';

type PlanDocument = ChangePlan['document'];

export interface OperationGroup {
  /** Undefined if the plan's own sentence names the only note. */
  readonly document: PlanDocument | undefined;
  readonly operations: readonly PlanOperation[];
}

const keyOf = (document: PlanDocument): string => document.id ?? document.path;

function grouped({ operations, document }: Pick<ChangePlan, 'operations' | 'document'>): Map<string, [PlanDocument, PlanOperation[]]> {
  const groups = new Map<string, [PlanDocument, PlanOperation[]]>();
  for (const operation of operations) {
    const place = operation.document ?? document;
    const group = groups.get(keyOf(place));
    if (group) group[1].push(operation);
    else groups.set(keyOf(place), [place, [operation]]);
  }
  return groups;
}

export function documentsOf(plan: Pick<ChangePlan, 'operations' | 'document'>): PlanDocument[] {
  return [...grouped(plan).values()].map(([document]) => document);
}

/** Operations by note, if a plan changes blocks of several; else one group without a header. */
export function operationGroups(plan: Pick<ChangePlan, 'operations' | 'document'>): OperationGroup[] {
  const groups = [...grouped(plan).values()];
  if (groups.length < 2 || plan.operations.every((operation) => isStructural(operation.action)))
    return [{ document: undefined, operations: plan.operations }];
  return groups.map(([document, operations]) => ({ document, operations }));
}
