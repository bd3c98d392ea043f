import { compareValues } from './merge-nodes.ts';
import type { Session } from './types.ts';

const HEADER = ['title', 'tags', 'pinned', 'archived', 'systemPrompt', 'options', 'boundDocument'] as const;

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
