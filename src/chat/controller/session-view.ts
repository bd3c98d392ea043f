import type { NotebookInfo } from '../../tools/contract/ports.ts';
import type { ApprovalRequest } from '../../tools/contract/types.ts';
import type { GrantedPermission } from '../../tools/executor/executor.ts';
import type { ToolFit } from '../../tools/executor/fit-tools.ts';
import { subAgentsUsage } from '../session/saved-sub-agent.ts';
import type { Node, NodePosition, Payload } from '../session/types.ts';
import { hintLengthOf } from '../session/visible-text.ts';
import type { ChatSession } from '../turn/session.ts';
import type { Allowance, AnswerSegment, ChatView, MessageExtras, MessageView } from '../view/view.ts';
import { type AnswerState, payloadSegments } from '../view/view-reducer.ts';

export type Extras = ReadonlyMap<string, MessageExtras>;

type ShownChat = Pick<ChatSession, 'tree' | 'live' | 'elsewhere'>;

/** The position of a message, and whether another window is writing it. */
interface ViewPosition {
  readonly position: NodePosition;
  readonly elsewhere: boolean;
}

const samePlace = (left: ViewPosition, right: ViewPosition): boolean =>
  left.elsewhere === right.elsewhere &&
  left.position.version === right.position.version &&
  left.position.versions === right.position.versions &&
  left.position.branch === right.position.branch &&
  left.position.branches === right.position.branches;

/** Plans of a batch are finished in any order; they are reviewed in the order in which they will be written. */
export function inCallOrder<T extends Pick<ApprovalRequest, 'callId' | 'subAgent'>>(
  requests: readonly T[],
  segments: readonly AnswerSegment[],
): readonly T[] {
  const order = segments.flatMap((segment) => (segment.kind === 'call' ? [segment.call.callId] : []));
  // Those of a sub-agent are placed where it was started.
  const placeOf = ({ callId, subAgent }: T): number => order.lastIndexOf(subAgent?.callId ?? callId);
  return [...requests].sort((left, right) => placeOf(left) - placeOf(right));
}

interface Cached {
  readonly node: Node;
  readonly place: ViewPosition;
  readonly extras: MessageExtras | undefined;
  readonly answer: AnswerState | null;
  readonly view: MessageView;
}

function contentSegments(node: Node, payload: Payload): readonly AnswerSegment[] {
  if (node.role === 'assistant') return payloadSegments(payload);
  return payload.message.content === '' ? [] : [{ kind: 'text', text: payload.message.content }];
}

/** A call that looks cut off is still running or waiting in the other window. */
function running(segments: readonly AnswerSegment[]): readonly AnswerSegment[] {
  return segments.map((segment) => {
    if (segment.kind !== 'call' || segment.call.status !== 'interrupted') return segment;
    const { durationMs: _duration, subAgent, waited, ...call } = segment.call;
    const inner = subAgent ? { subAgent: { ...subAgent, segments: running(subAgent.segments), status: 'running' as const } } : {};
    return { kind: 'call', call: { ...call, ...inner, status: waited ? 'waiting' : 'running' } };
  });
}

function toMessageView(
  node: Node,
  payload: Payload,
  live: AnswerState | null,
  extras: MessageExtras | undefined,
  place: ViewPosition,
): MessageView {
  const { citations, usage, time, author, created, error, files, leftOut, end } = payload;
  const agentsUsage = live ? undefined : subAgentsUsage(payload);
  const hintLength = live ? 0 : hintLengthOf(payload);
  return {
    nodeId: node.id,
    role: node.role,
    segments: live?.segments ?? (place.elsewhere ? running(contentSegments(node, payload)) : contentSegments(node, payload)),
    hint: payload.message.content.slice(0, hintLength),
    contexts: node.context ?? [],
    attachments: node.attachments ?? [],
    status: live || place.elsewhere ? 'streaming' : payload.status,
    citations: citations ?? [],
    author,
    created,
    error: live || place.elsewhere || !error ? undefined : error,
    retry: live?.retry,
    reading: live?.reading,
    hidden: node.hidden ? true : undefined,
    pinned: node.pinned ? true : undefined,
    position: place.position.versions > 1 || place.position.branches > 1 ? place.position : undefined,
    usage,
    agentsUsage,
    files: files && !live ? files : undefined,
    time,
    leftOut,
    end: live || place.elsewhere ? undefined : end,
    ...extras,
  };
}

/** Creates message views that stay the same objects while nothing in the message changes; streaming rebuilds one, however long the chat. */
export class MessageViews {
  private readonly cache = new Map<string, Cached>();
  private last: {
    readonly thread: readonly Node[];
    readonly extras: Extras;
    readonly liveId: string | undefined;
    readonly elsewhere: readonly string[];
    readonly views: readonly MessageView[];
  } | null = null;

  of(chat: ShownChat, extras: Extras): readonly MessageView[] {
    const thread = chat.tree.thread();
    const views = this.refreshed(thread, chat, extras) ?? thread.flatMap((node) => this.one(node, chat, extras) ?? []);
    this.last = { thread, extras, liveId: chat.live?.nodeId, elsewhere: chat.elsewhere, views };
    return views;
  }

  clear(): void {
    this.cache.clear();
    this.last = null;
  }

  /** The last list with a new view of the streaming message; null if more may have changed. */
  private refreshed(thread: readonly Node[], chat: ShownChat, extras: Extras): readonly MessageView[] | null {
    const { last } = this;
    const { live, elsewhere } = chat;
    if (last?.thread !== thread || last.extras !== extras || last.liveId !== live?.nodeId || last.elsewhere !== elsewhere) return null;
    const index = live ? last.views.findLastIndex((view) => view.nodeId === live.nodeId) : -1;
    const node = thread.findLast((one) => one.id === live?.nodeId);
    const view = node ? this.one(node, chat, extras) : null;
    if (!view || view === last.views[index]) return last.views;
    const views = [...last.views];
    views[index] = view;
    return views;
  }

  private one(node: Node, { tree, live, elsewhere }: ShownChat, extras: Extras): MessageView | null {
    const payload = node.versions[node.currentVersionId];
    if (!payload) return null;
    const answer = live?.nodeId === node.id ? live.progress.answer : null;
    const beside = extras.get(node.id);
    const place = { position: tree.position(node.id), elsewhere: elsewhere.includes(node.id) };
    const known = this.cache.get(node.id);
    const same = known && known.node === node && known.answer === answer && known.extras === beside;
    if (same && samePlace(known.place, place)) return known.view;
    const view = toMessageView(node, payload, answer, beside, place);
    this.cache.set(node.id, { node, answer, extras: beside, place, view });
    return view;
  }
}

/** The view of an open chat, with its controller's additional state. */
export function chatView(
  session: ChatSession,
  beside: Pick<ChatView, 'messages' | 'queued' | 'notebooks' | 'model' | 'contexts' | 'attachments' | 'background' | 'notice'>,
): ChatView {
  return {
    sessionId: session.id,
    title: session.title,
    running: session.running,
    preparing: session.preparing || undefined,
    summarizable: session.summaries.possible ? true : undefined,
    approvals: inCallOrder(session.approvals.list(), session.live?.progress.answer.segments ?? []),
    questions: session.questions.list(),
    allowances: allowancesOf(session.executor.grantedPermissions(), beside.notebooks),
    boundDocument: session.noteGone ? undefined : session.boundDocument,
    project: session.projectId,
    scope: session.project?.scope,
    noteSaved: session.savedNote === undefined ? undefined : true,
    noteEdits: Object.keys(session.noteEdits).length > 0 ? session.noteEdits : undefined,
    own: session.own,
    toolFit: limitedFit(session.executor.toolFit),
    tags: session.tags.length > 0 ? session.tags : undefined,
    blocked: session.blocked || undefined,
    ...beside,
  };
}

/** Tells the person only of a choice for lack of room. */
const limitedFit = (fit: ToolFit | null): ToolFit | undefined => (fit && (fit.leftOut.length > 0 || fit.isOver) ? fit : undefined);

/** The place of a consent in words: a notebook's name if the scope begins with a notebook's id. */
function allowancesOf(permissions: readonly GrantedPermission[], notebooks: readonly NotebookInfo[]): readonly Allowance[] {
  return permissions.map(({ tool, scope }) => ({
    tool,
    scope,
    scopeName: notebooks.find((notebook) => notebook.id === scope?.split(' ', 1)[0])?.name ?? '',
  }));
}
