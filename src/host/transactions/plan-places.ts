import { ToolError } from '../../tools/contract/errors.ts';
import type { Access } from '../access/access.ts';
import { idsIn } from '../blocks/emptied-container.ts';
import type { StructureStep } from '../journal/structure-journal.ts';
import type { Anchor, PreparedOperation, PreparedPlan, PreparedStructure } from './prepared-plan.ts';

export const anchorIds = (anchor: Anchor | null): readonly string[] => {
  if (anchor === null) return [];
  if ('id' in anchor) return [anchor.id];
  return ['parent' in anchor ? anchor.parent : anchor.heading];
};

function operationIds({ before, documentId, place }: PreparedOperation): readonly string[] {
  const parent = place === undefined || place === 'trash' ? [] : [place.parentId];
  return [...(before ? idsIn(before.dom) : []), ...(documentId === undefined ? [] : [documentId]), ...parent];
}

function stepIds(step: StructureStep): readonly string[] {
  switch (step.kind) {
    case 'attributes':
    case 'card':
      return [step.blockId, step.documentId];
    case 'database': {
      const { change } = step;
      const bound = change.do === 'add-row' || change.do === 'remove-row' ? change.boundTo : null;
      return [step.documentId, ...(change.do === 'create' ? [change.previous] : [step.blockId]), ...(bound === null ? [] : [bound])];
    }
    case 'rename':
      return [step.documentId];
    case 'move':
      return [step.documentId, ...(step.after.parent === null ? [] : [step.after.parent])];
    case 'delete':
      return step.documents.map((each) => each.id);
    case 'notebook':
      return [];
  }
}

/** Blocks and documents that the accepted part of a plan was made from, changes, or inserts into. */
export function placesOf(prepared: PreparedPlan | PreparedStructure, accepted: ReadonlySet<string>): ReadonlySet<string> {
  if ('steps' in prepared) return new Set(prepared.steps.filter(({ id }) => accepted.has(id)).flatMap(({ step }) => stepIds(step)));
  const { target, anchor, operations, reads = [] } = prepared;
  const parent = target.kind === 'create' ? target.parentId : undefined;
  const above = target.kind === 'existing' ? target.documentId : parent;
  const inside = operations.filter(({ id }) => accepted.has(id)).flatMap(operationIds);
  return new Set([...(above ? [above] : []), ...anchorIds(anchor), ...reads, ...inside]);
}

/** The gate of every write: all that a plan names must be readable when it is written. Rejects with `stale`. */
export async function assertInSight(access: Pick<Access, 'look'>, ids: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
  const places = await access.look([...ids], signal);
  if ([...ids].every((id) => places.get(id)?.readable)) return;
  throw new ToolError(
    'stale',
    'something that this change refers to is no longer there, or may not be read',
    'read it again and plan the change again; nothing was written',
  );
}
