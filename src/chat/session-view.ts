import type { NotebookInfo, UndoReport, UndoState } from '../tools/ports.ts';
import type { TurnProgress } from './turn-progress.ts';
import type { Node, Payload } from './types.ts';
import type { AnswerSegment, ChatView, MessageView } from './view.ts';
import { payloadSegments } from './view-reducer.ts';

/** What stands beside a message without being part of the session. */
export interface MessageExtras {
  readonly undo?: UndoState;
  readonly undoReport?: UndoReport;
}

/** By message; a new map for every change. */
export type Extras = ReadonlyMap<string, MessageExtras>;

interface LiveAnswer {
  readonly nodeId: string;
  readonly progress: TurnProgress;
}

interface Cached {
  readonly node: Node;
  readonly extras: MessageExtras | undefined;
  /** The live segments that the view was made from; null for a finished answer. */
  readonly segments: readonly AnswerSegment[] | null;
  readonly view: MessageView;
}

function contentSegments(node: Node, payload: Payload): readonly AnswerSegment[] {
  if (node.role === 'assistant') return payloadSegments(payload);
  return payload.message.content === '' ? [] : [{ kind: 'text', text: payload.message.content }];
}

function toMessageView(
  node: Node,
  payload: Payload,
  live: readonly AnswerSegment[] | null,
  extras: MessageExtras | undefined,
): MessageView {
  const { citations, usage, time, author, created, error } = payload;
  const hintLength = live ? 0 : (payload.userPromptSlice?.[0] ?? 0);
  return {
    nodeId: node.id,
    role: node.role,
    segments: live ?? contentSegments(node, payload),
    hint: payload.message.content.slice(0, hintLength),
    contexts: node.context ?? [],
    status: live ? 'streaming' : payload.status,
    citations: citations ?? [],
    author,
    created,
    ...(live || !error ? {} : { error }),
    ...(usage ? { usage } : {}),
    ...(time ? { time } : {}),
    ...extras,
  };
}

/**
 * Makes message views and hands the same object out again as long as nothing of the message changed. While an answer
 * streams only its own view is made anew, however long the chat is.
 */
export class MessageViews {
  private readonly cache = new Map<string, Cached>();
  private last: {
    readonly thread: readonly Node[];
    readonly extras: Extras;
    readonly liveId: string | undefined;
    readonly views: readonly MessageView[];
  } | null = null;

  of(thread: readonly Node[], live: LiveAnswer | null, extras: Extras): readonly MessageView[] {
    const views = this.refreshed(thread, live, extras) ?? thread.flatMap((node) => this.one(node, live, extras) ?? []);
    this.last = { thread, extras, liveId: live?.nodeId, views };
    return views;
  }

  clear(): void {
    this.cache.clear();
    this.last = null;
  }

  /** The last list with the streaming message renewed; null when more than that may have changed. */
  private refreshed(thread: readonly Node[], live: LiveAnswer | null, extras: Extras): readonly MessageView[] | null {
    const { last } = this;
    if (last?.thread !== thread || last.extras !== extras || last.liveId !== live?.nodeId) return null;
    const index = live ? last.views.findLastIndex((view) => view.nodeId === live.nodeId) : -1;
    const node = thread.findLast((one) => one.id === live?.nodeId);
    const view = node ? this.one(node, live, extras) : null;
    if (!view || view === last.views[index]) return last.views;
    const views = [...last.views];
    views[index] = view;
    return views;
  }

  private one(node: Node, live: LiveAnswer | null, extras: Extras): MessageView | null {
    const payload = node.versions[node.currentVersionId];
    if (!payload) return null;
    const segments = live?.nodeId === node.id ? live.progress.answer.segments : null;
    const beside = extras.get(node.id);
    const known = this.cache.get(node.id);
    if (known && known.node === node && known.segments === segments && known.extras === beside) return known.view;
    const view = toMessageView(node, payload, segments, beside);
    this.cache.set(node.id, { node, segments, extras: beside, view });
    return view;
  }
}

/** Consent by its place in words: a notebook's name where the scope is a notebook's id. */
export function allowancesOf(
  records: readonly { readonly tool: string; readonly scope: string }[],
  notebooks: readonly NotebookInfo[],
): ChatView['allowances'] {
  return records.map(({ tool, scope }) => ({ tool, scope, scopeName: notebooks.find((notebook) => notebook.id === scope)?.name ?? '' }));
}
