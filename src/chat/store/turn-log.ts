import * as v from 'valibot';
import { checkCitations } from '../session/citations.ts';
import { sourcesOf } from '../session/lineage.ts';
import { mergeNodes } from '../session/merge-nodes.ts';
import { nodeFormat, variableFormat } from '../session/saved-format.ts';
import { EMPTY_TREE } from '../session/tree-model.ts';
import { type Node, type Payload, type SavedVariable, SESSION_SCHEMA, type Session } from '../session/types.ts';
import { hintLengthOf, visibleText } from '../session/visible-text.ts';

/** What is needed to recreate the session if its file was never written. */
export interface TurnLogHead {
  readonly id: string;
  readonly title: string;
  readonly created: number;
  readonly project?: string | undefined;
}

/** A small file per event: `turn`, the question and begun answer; `round`, the answer after a round; `stream`, the text since, replaced. */
export type TurnLogEvent = TurnLogStep | TurnLogStream;

export interface TurnLogStream {
  readonly type: 'stream';
  readonly nodeId: string;
  readonly after: number;
  readonly text: string;
  readonly reasoning: string;
}

export type TurnLogStep =
  | { readonly type: 'turn'; readonly head: TurnLogHead; readonly nodes: readonly Node[]; readonly leafId: string }
  | { readonly type: 'round'; readonly head: TurnLogHead; readonly answer: Node; readonly variables: readonly SavedVariable[] };

const headFormat = v.object({ id: v.string(), title: v.string(), created: v.number(), project: v.optional(v.string()) });
const entryFormat: v.GenericSchema<unknown, { schema: 1; event: TurnLogEvent }> = v.object({
  schema: v.literal(1),
  event: v.variant('type', [
    v.object({ type: v.literal('turn'), head: headFormat, nodes: v.array(nodeFormat), leafId: v.string() }),
    v.object({ type: v.literal('round'), head: headFormat, answer: nodeFormat, variables: v.array(variableFormat) }),
    v.object({ type: v.literal('stream'), nodeId: v.string(), after: v.number(), text: v.string(), reasoning: v.string() }),
  ]),
});
const newerFormat = v.looseObject({ schema: v.pipe(v.number(), v.minValue(2)) });

/** `newer`: of a later version. */
export type ReadEntry = { readonly kind: 'ok'; readonly event: TurnLogEvent } | { readonly kind: 'broken' } | { readonly kind: 'newer' };

export function parseEntry(text: string): ReadEntry {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'broken' };
  }
  const parsed = v.safeParse(entryFormat, value);
  if (parsed.success) return { kind: 'ok', event: parsed.output.event };
  return { kind: v.is(newerFormat, value) ? 'newer' : 'broken' };
}

/** Its citations are checked as in a finished answer, which did not happen before it was cut off. */
function interrupted(payload: Payload, known: ReadonlySet<string>): Payload {
  const { cited } = checkCitations(visibleText(payload), known);
  return {
    ...payload,
    status: 'interrupted',
    error: {
      code: 'interrupted',
      message: 'this answer was cut off when the program ended; what it had done is kept',
      next: 'ask again, or continue from here',
    },
    ...(cited.length > 0 ? { citations: cited } : {}),
  };
}

export interface Replay {
  /** Milliseconds since the epoch; absent: the chat counts as unchanged. */
  readonly now?: number;
  /** The state of an unfinished answer: it was cut off, or another window is still writing it. */
  readonly as: 'interrupted' | 'running';
}

/** Applies logged events to the last saved session (null: none was). Nodes that were saved since are not changed. */
export function replayTurnLog(saved: Session | null, events: readonly TurnLogEvent[], { now, as }: Replay): Session | null {
  const first = events.find((event) => event.type !== 'stream');
  let session = saved ?? (first ? emptySession(first.head) : null);
  if (!session) return null;
  for (const event of events) {
    if (event.type === 'turn') session = withTurn(session, event);
    else if (event.type === 'round') session = withRound(session, event);
    else session = withStream(session, event);
  }
  if (as === 'interrupted') session = markInterrupted(session, answersOf(events));
  return session === saved || now === undefined ? session : { ...session, updated: now };
}

export function answersOf(events: readonly TurnLogEvent[]): readonly string[] {
  const ids = events.flatMap((event) => {
    if (event.type === 'turn') return event.nodes.filter((node) => node.role === 'assistant').map((node) => node.id);
    return event.type === 'round' ? [event.answer.id] : [event.nodeId];
  });
  return [...new Set(ids)];
}

function withTurn(session: Session, event: Extract<TurnLogEvent, { type: 'turn' }>): Session {
  const fresh = event.nodes.filter((node) => isNews(session, node));
  if (fresh.length === 0) return session;
  const rootId = session.rootId ?? event.nodes[0]?.id ?? null;
  return { ...fresh.reduce(withNews, session), rootId, leafId: event.leafId, title: session.title || event.head.title };
}

function withRound(session: Session, event: Extract<TurnLogEvent, { type: 'round' }>): Session {
  if (!isNews(session, event.answer)) return withoutStream(session, event.answer);
  const known = new Set(session.variables.map((variable) => variable.name));
  const variables = [...session.variables, ...event.variables.filter((variable) => !known.has(variable.name))];
  return { ...withNews(session, event.answer), variables };
}

/** A logged answer is never finished: the finished one is in the session file, and its node is newer. */
function isNews(session: Session, node: Node): boolean {
  const existing = session.nodes[node.id];
  return existing === undefined || existing.changed.time < node.changed.time;
}

function withNode(session: Session, node: Node): Session {
  return { ...session, nodes: { ...session.nodes, [node.id]: node } };
}

/** Other versions of the node in the file, and its deletion, stay. */
function withNews(session: Session, node: Node): Session {
  const existing = session.nodes[node.id];
  return withNode(session, existing ? mergeNodes(existing, node) : node);
}

/** The answer after its last round: text streamed since is part of it if it was shown before, and is added again. */
function withoutStream(session: Session, answer: Node): Session {
  const node = session.nodes[answer.id];
  const payload = node?.versions[answer.currentVersionId];
  const round = answer.versions[answer.currentVersionId];
  if (!node || !round || payload?.status !== 'interrupted' || payload.error || node.changed.time !== answer.changed.time) return session;
  return withNode(session, { ...node, versions: { ...node.versions, [round.id]: round } });
}

/** Adds the text after the last finished round; a round that was saved since contains it already. */
function withStream(session: Session, { nodeId, after, text, reasoning }: TurnLogStream): Session {
  const node = session.nodes[nodeId];
  const payload = node?.versions[node.currentVersionId];
  if (!node || !payload || payload.status !== 'interrupted' || node.changed.time !== after) return session;
  return withNode(session, { ...node, versions: { ...node.versions, [payload.id]: continued(payload, text, reasoning) } });
}

function continued(payload: Payload, text: string, reasoning: string): Payload {
  const { toolChainResult, userPromptSlice } = payload;
  if (!toolChainResult) return { ...payload, message: { role: 'assistant', content: text, reasoning: reasoning || undefined } };
  const before = payload.message.content.trimEnd();
  const content = text === '' ? payload.message.content : `${before}\n\n${text}`;
  const round = { text, callIds: [], reasoning: reasoning || undefined };
  return {
    ...payload,
    message: { ...payload.message, content },
    toolChainResult: { ...toolChainResult, rounds: [...toolChainResult.rounds, round] },
    ...(userPromptSlice ? { userPromptSlice: [hintLengthOf(payload), content.length] as const } : {}),
  };
}

/** Marks each unfinished one of these answers as cut off. */
export function markInterrupted(session: Session, ids: readonly string[]): Session {
  let marked = session;
  let known: ReadonlySet<string> | undefined;
  for (const id of ids) {
    const node = marked.nodes[id];
    const payload = node?.versions[node.currentVersionId];
    if (!node || payload?.status !== 'interrupted' || payload.error) continue;
    known ??= new Set(Object.values(session.nodes).flatMap(sourcesOf));
    marked = withNode(marked, { ...node, versions: { ...node.versions, [payload.id]: interrupted(payload, known) } });
  }
  return marked;
}

export function emptySession(head: TurnLogHead): Session {
  const { id, title, created, project } = head;
  return {
    schema: SESSION_SCHEMA,
    id,
    title,
    created,
    updated: created,
    tags: [],
    pinned: false,
    ...(project === undefined ? {} : { project }),
    ...EMPTY_TREE,
    variables: [],
    approvals: [],
  };
}
