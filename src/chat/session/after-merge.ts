import { compareValues } from './merge-nodes.ts';
import type { TreeModel } from './tree-model.ts';
import type { Session, TreeSnapshot } from './types.ts';

/** Fields that the tree, the variables and the executor own, and fields that only merging decides. */
const OWNED = [
  ...(['schema', 'id', 'created', 'updated', 'changed'] as const),
  ...(['nodes', 'rootId', 'leafId', 'choices', 'variables', 'approvals'] as const),
] as const;
export type SessionHeader = Omit<Session, (typeof OWNED)[number]>;

const isOwned = (name: string): boolean => OWNED.some((owned) => owned === name);

/** The header after a merge that began from `since`: fields set here meanwhile stay, all others come from the merge. */
export function mergedHeader(now: Session, since: Session, merged: Session): Session {
  const before: Readonly<Record<string, unknown>> = { ...since };
  const after: Readonly<Record<string, unknown>> = { ...now };
  const names = new Set([...Object.keys(since), ...Object.keys(now)]);
  const set = [...names].filter((name) => !isOwned(name) && compareValues(after[name], before[name]) !== 0);
  const { nodes: _nodes, variables: _variables, choices: _choices, ...header } = merged;
  return {
    ...header,
    nodes: {},
    variables: [],
    updated: Math.max(now.updated, merged.updated),
    ...Object.fromEntries(set.map((name) => [name, after[name]])),
  };
}

/** Tells if the new leaf continues the shown branch. A branch begun elsewhere must not move the reader away from this one. */
export function continues({ nodes, leafId }: TreeSnapshot, from: string | null): boolean {
  const seen = new Set<string>();
  for (let id = leafId; id !== null && !seen.has(id); id = nodes[id]?.parent ?? null) {
    if (id === from) return true;
    seen.add(id);
  }
  return from === null;
}

/** The same for a chat that is opened again while it is read. */
export function stayAt(tree: TreeModel, leaf: string | null): void {
  if (leaf !== null && tree.has(leaf) && !continues(tree.snapshot(), leaf)) tree.setLeaf(leaf);
}
