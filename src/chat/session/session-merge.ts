import { compareValues } from './merge-nodes.ts';
import type { TreeModel } from './tree-model.ts';
import type { Session, TreeSnapshot } from './types.ts';

const OWN = ['model', 'systemPrompt', 'options', 'contextMessages', 'toolProtocol'] as const;
const HEADER = ['title', 'tags', 'pinned', 'archived', ...OWN, 'boundDocument', 'savedNote'] as const;

/**
 * The header of an open chat after a merge that began from `since`: what was set here meanwhile stays, everything else is as
 * merged. Messages and variables have owners of their own.
 */
export function mergedHeader(now: Session, since: Session, merged: Session): Session {
  const kept = HEADER.filter((name) => compareValues(now[name], since[name]) !== 0);
  const { nodes: _nodes, variables: _variables, choices: _choices, ...header } = merged;
  return {
    ...header,
    nodes: {},
    variables: [],
    updated: Math.max(now.updated, merged.updated),
    ...Object.fromEntries(kept.map((name) => [name, now[name]])),
  };
}

/** Whether what the chat shows goes on from there. A branch that was begun elsewhere does not turn the reader away from this one. */
export function continues({ nodes, leafId }: TreeSnapshot, from: string | null): boolean {
  const seen = new Set<string>();
  for (let id = leafId; id !== null && !seen.has(id); id = nodes[id]?.parent ?? null) {
    if (id === from) return true;
    seen.add(id);
  }
  return from === null;
}

/** The same for a chat that was opened anew under its reader. */
export function stayAt(tree: TreeModel, leaf: string | null): void {
  if (leaf !== null && tree.has(leaf) && !continues(tree.snapshot(), leaf)) tree.setLeaf(leaf);
}
