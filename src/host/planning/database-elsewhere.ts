import { ToolError } from '../../tools/contract/errors.ts';
import type { DatabaseBlock } from '../databases/database-places.ts';
import type { StoredChange } from '../databases/stored-change.ts';
import { boundBy } from '../documents/structure-database.ts';
import type { OpenDatabase } from './database-rows.ts';
import type { PlannedStep, StructurePlannerDeps } from './structure-plan.ts';

const hasRows = (relation: unknown): boolean => (relation as { readonly blockIDs?: readonly unknown[] } | null)?.blockIDs?.length !== 0;

/** Databases whose cells SiYuan changes along: a column is linked with them both ways. */
function linkedBothWays({ stored }: OpenDatabase, change: StoredChange): readonly string[] {
  const filled = change.do === 'remove-row' ? change.values.filter(({ relation }) => relation && hasRows(relation)) : [];
  const keys = change.do === 'cell' ? [change.keyId] : filled.map(({ keyID }) => keyID);
  return stored.keyValues.flatMap(({ key }) => (keys.includes(key.id) && key.relation?.isTwoWay ? key.relation.avID : []));
}

/** One block in each other notebook that shows the database. */
function elsewhere(known: readonly DatabaseBlock[], databaseId: string, own: string): readonly string[] {
  const shown = known.filter((block) => block.databaseId === databaseId && block.place.notebook !== own);
  return [...new Map(shown.map(({ blockId, place }) => [place.notebook, blockId])).values()];
}

/**
 * Notes on each step the blocks of other notebooks that it changes as well: where the same database is shown, or one that is linked
 * with it both ways. `known`: the readable ones. Rejects with `no_right` where they may not be written, `bad_target` for a linked database that may not be read.
 */
export async function withElsewhere(
  deps: StructurePlannerDeps,
  { open, known }: { readonly open: OpenDatabase; readonly known: readonly DatabaseBlock[] },
  planned: readonly PlannedStep[],
  signal: AbortSignal,
): Promise<readonly PlannedStep[]> {
  const own = open.located.place.notebook.id;
  const mirrors = elsewhere(known, open.located.databaseId, own);
  const asked = new Set<string>();
  const marked = planned.map((each): PlannedStep => {
    if (each.step.kind !== 'database') return each;
    const { change } = each.step;
    const linked = linkedBothWays(open, change);
    if (linked.some((id) => known.every(({ databaseId }) => databaseId !== id)))
      throw new ToolError('bad_target', 'a column is linked both ways with a database that may not be read', 'tell the user');
    const alsoAt = [...mirrors, ...linked.flatMap((id) => elsewhere(known, id, own))];
    for (const id of [...alsoAt, ...boundBy(change)]) asked.add(id);
    return alsoAt.length === 0 ? each : { ...each, step: { ...each.step, alsoAt } };
  });
  for (const id of asked) {
    const place = await deps.access.locate(id, 'read', signal);
    // Of its own notebook the approval asks.
    if (place.notebook.id !== own) await deps.access.locate(id, 'write', signal);
  }
  return marked;
}
