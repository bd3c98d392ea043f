import { compareTexts } from '../../tools/util/plain-value.ts';
import { compareStamps, compareValues, mergeNodes, nextStamp } from './merge-nodes.ts';
import type { SavedVariable, Session, Stamp } from './types.ts';

/** Fields with a rule of their own, or that never differ. For all others the last change wins. */
const OWN_RULE: ReadonlySet<string> = new Set(['schema', 'id', 'created', 'updated', 'nodes', 'rootId', 'variables', 'changed']);

type Fields = Readonly<Record<string, unknown>>;

const fieldNames = (...chats: readonly (Session | null)[]): readonly string[] =>
  [...new Set(chats.flatMap((chat) => Object.keys(chat ?? {})))].filter((name) => !OWN_RULE.has(name));

const fieldsOf = (chat: Session | null): Fields => ({ ...chat });

/** For each field the value that was set last, with its stamp. */
function mergeFields(mine: Session, theirs: Session): Partial<Session> {
  const fields: Record<string, unknown> = {};
  const changed: Record<string, Stamp> = {};
  for (const name of fieldNames(mine, theirs)) {
    const [own, other] = [fieldsOf(mine)[name], fieldsOf(theirs)[name]];
    const order = compareStamps(mine.changed?.[name], theirs.changed?.[name]) || compareValues(own, other);
    const value = order >= 0 ? own : other;
    if (value !== undefined) fields[name] = value;
  }
  for (const name of new Set([...Object.keys(mine.changed ?? {}), ...Object.keys(theirs.changed ?? {})])) {
    const [own, other] = [mine.changed?.[name], theirs.changed?.[name]];
    const stamp = compareStamps(own, other) >= 0 ? own : other;
    if (stamp) changed[name] = stamp;
  }
  return { ...fields, ...(Object.keys(changed).length > 0 ? { changed } : {}) };
}

function mergeAllNodes(mine: Session['nodes'], theirs: Session['nodes']): Session['nodes'] {
  const news = Object.entries(theirs).flatMap(([id, node]) => {
    const known = mine[id];
    const merged = known ? mergeNodes(known, node) : node;
    return merged === known ? [] : [[id, merged] as const];
  });
  return news.length === 0 ? mine : { ...mine, ...Object.fromEntries(news) };
}

/** By name, the newer of two values. The order of use survives only if both agree. */
function mergeVariables(mine: readonly SavedVariable[], theirs: readonly SavedVariable[]): readonly SavedVariable[] {
  if (mine === theirs || compareValues(mine, theirs) === 0) return mine;
  const byName = new Map(mine.map((variable) => [variable.name, variable]));
  for (const variable of theirs) {
    const known = byName.get(variable.name);
    if (!known || (known.created - variable.created || compareValues(known, variable)) < 0) byName.set(variable.name, variable);
  }
  return [...byName.values()].sort((left, right) => left.created - right.created || compareTexts(left.name, right.name));
}

/** Ids begin with their time: the smaller one is older. */
function firstRoot(mine: string | null, theirs: string | null): string | null {
  if (mine === null || theirs === null) return mine ?? theirs;
  return mine <= theirs ? mine : theirs;
}

/** Merges two copies of a chat without losing a message, by branches. Commutative, associative and idempotent. */
export function mergeSessions(mine: Session, theirs: Session): Session {
  if (mine.id !== theirs.id) throw new Error(`mergeSessions: ${mine.id} and ${theirs.id} are two chats`);
  if (mine === theirs) return mine;
  const fields = mergeFields(mine, theirs);
  return {
    schema: mine.schema,
    id: mine.id,
    title: fields.title ?? '',
    created: Math.min(mine.created, theirs.created),
    updated: Math.max(mine.updated, theirs.updated),
    tags: fields.tags ?? [],
    pinned: fields.pinned ?? false,
    approvals: fields.approvals ?? [],
    leafId: fields.leafId ?? null,
    ...fields,
    nodes: mergeAllNodes(mine.nodes, theirs.nodes),
    rootId: firstRoot(mine.rootId, theirs.rootId),
    variables: mergeVariables(mine.variables, theirs.variables),
  };
}

/** Stamps the fields that were set since `before` (null: a new chat), so that a merge knows which value was set last. */
export function stampChanges(before: Session | null, after: Session, mark: Stamp): Session {
  const changed: Record<string, Stamp> = { ...before?.changed, ...after.changed };
  for (const name of fieldNames(before, after)) {
    const [old, now] = [before?.changed?.[name], after.changed?.[name]];
    // A merged field keeps its own stamp, which is newer than the one before.
    const merged = compareStamps(now, old) > 0;
    if (!merged && compareValues(fieldsOf(before)[name], fieldsOf(after)[name]) !== 0) changed[name] = nextStamp(old, mark);
  }
  return Object.keys(changed).length > 0 ? { ...after, changed } : after;
}

/** `mine` with what only `theirs` has or what was set later there; null if there is nothing. */
export function mergeNews(mine: Session, theirs: Session): Session | null {
  const merged = mergeSessions(mine, theirs);
  if (merged.nodes !== mine.nodes || merged.rootId !== mine.rootId) return merged;
  const values = new Map(mine.variables.map((variable) => [variable.name, variable]));
  if (merged.variables.some((variable) => compareValues(values.get(variable.name), variable) !== 0)) return merged;
  return fieldNames(merged).some((name) => compareValues(fieldsOf(merged)[name], fieldsOf(mine)[name]) !== 0) ? merged : null;
}
