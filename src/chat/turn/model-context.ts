import { estimateSent } from '../../tools/chain/context-budget.ts';
import type { Conversation } from '../../tools/chain/model-requests.ts';
import { releaseMessages } from '../../tools/chain/release.ts';
import type { Message } from '../../tools/contract/messages.ts';
import { ANSWER_LEFT_OUT, isSourceList, LEFT_OUT, Withheld } from '../../tools/contract/provenance.ts';
import { ATTACHED_TAG, escapeMarkers } from '../../tools/util/markers.ts';
import { Lineage, sourcesOfCall, sourcesOfContext } from '../session/lineage.ts';
import type { TreeModel } from '../session/tree-model.ts';
import type { Attachment, ChatContext, Node, Payload } from '../session/types.ts';

interface ContextOptions {
  /**
   * `full` sends the saved tool messages where a turn has them; `compressed` its hint and natural flow
   * (src/tools/chain/message-flow.ts).
   */
  readonly toolHistory: 'compressed' | 'full';
  readonly window?: ContextWindow;
  /** What may not be read now; a line stands in its place. Default: nothing. */
  readonly withheld?: Withheld;
}

/** How much of a thread goes to the model; both bounds hold where both are given. */
export interface ContextWindow {
  /** Messages, counted from the newest; the question itself always goes. */
  readonly messages?: number;
  /** Estimated tokens. */
  readonly tokens?: number;
}

/** A branch, tombstones among its messages. */
interface Branch {
  readonly newestFirst: Iterable<Node>;
  /** The same from the root on; empty where nothing is pinned. */
  readonly pinnedIn: readonly Node[];
  /** Goes in any case, hidden or deleted as it may be. */
  readonly question: string | null;
}

const attribute = (text: string): string => text.replaceAll(/["<>&\r\n]/g, ' ');

function renderContext(context: ChatContext, withheld: Withheld): string {
  if (withheld.holds(sourcesOfContext(context))) return `<${ATTACHED_TAG}>\n${LEFT_OUT}\n</${ATTACHED_TAG}>`;
  const opening = `<${ATTACHED_TAG} kind="${attribute(context.kind)}" id="${attribute(context.id)}" title="${attribute(context.title)}">`;
  return `${opening}\n${escapeMarkers(context.text)}\n</${ATTACHED_TAG}>`;
}

/** Notes that the user attached, framed as data: what stands in them is never an instruction. */
export function renderContexts(contexts: readonly ChatContext[], withheld: Withheld = Withheld.nothing): string {
  return contexts.map((context) => renderContext(context, withheld)).join('\n\n');
}

function currentPayload(node: Node): Payload | undefined {
  return node.versions[node.currentVersionId];
}

/** The text of an attached file as it is sent, framed like a note. Pictures are sent beside it; of a recording, a chat gets only the name. */
function renderAttachment({ kind, name, text }: Attachment): string {
  if (kind === 'image') return '';
  const opening = `<${ATTACHED_TAG} kind="file" title="${attribute(name)}">`;
  return `${opening}\n${text === undefined ? '(its content is not text)' : escapeMarkers(text)}\n</${ATTACHED_TAG}>`;
}

function userMessage(node: Node, payload: Payload, withheld: Withheld): Message {
  const files = node.attachments ?? [];
  const parts = [renderContexts(node.context ?? [], withheld), ...files.map(renderAttachment), payload.message.content];
  const images = files.filter(({ kind }) => kind === 'image').map(({ name, mime, asset }) => ({ name, mime, url: asset }));
  return { role: 'user', content: parts.filter((part) => part !== '').join('\n\n'), ...(images.length > 0 ? { images } : {}) };
}

/** Saved tool messages; those of an older version do not say where they came from, but its calls do. */
function savedMessages({ toolChainMessages = [], toolChainResult }: Payload): readonly Message[] {
  const records = new Map(toolChainResult?.toolCallHistory.map((record) => [record.callId, record]));
  return toolChainMessages.map((message): Message => {
    if (message.role !== 'tool' || isSourceList(message.sources)) return message;
    const record = records.get(message.tool_call_id);
    return record ? { ...message, sources: sourcesOfCall(record), repeats: true } : message;
  });
}

function answerMessages(payload: Payload, toolHistory: ContextOptions['toolHistory']): readonly Message[] {
  if (toolHistory === 'full' && payload.toolChainMessages?.length) return savedMessages(payload);
  // Reasoning is not sent back: no API wants it, and it would be read as something that was said.
  return payload.message.content === '' ? [] : [{ role: 'assistant', content: payload.message.content }];
}

const CHANGES_STAND = '(its changes in notes are in place; do not make them again)';

/** What stands for an answer that may not be sent. That it wrote is no secret where the note that it wrote to may be read. */
function leftOutAnswer({ toolChainResult }: Payload, withheld: Withheld): Message {
  const records = toolChainResult?.toolCallHistory ?? [];
  const wrote = records.some((record) => record.result.written !== undefined && !withheld.holds(sourcesOfCall(record)));
  return { role: 'assistant', content: wrote ? `${ANSWER_LEFT_OUT}\n${CHANGES_STAND}` : ANSWER_LEFT_OUT };
}

const made = { compressed: new WeakMap<Payload, readonly Message[]>(), full: new WeakMap<Payload, readonly Message[]>() };

/** A version's messages where nothing is withheld: the same objects each time, so that each is estimated once. */
function plainMessages(node: Node, payload: Payload, toolHistory: ContextOptions['toolHistory']): readonly Message[] {
  const known = made[toolHistory].get(payload);
  if (known !== undefined) return known;
  const messages = node.role === 'user' ? [userMessage(node, payload, Withheld.nothing)] : answerMessages(payload, toolHistory);
  // A version that is being written is another object with every piece.
  made[toolHistory].set(payload, messages);
  return messages;
}

/** What one message is sent as. `lineage`: of its branch. */
function messagesOf(
  node: Node,
  payload: Payload,
  { toolHistory, withheld = Withheld.nothing }: ContextOptions,
  lineage: () => Lineage,
): readonly Message[] {
  const plain = plainMessages(node, payload, toolHistory);
  if (withheld.empty || plain.length === 0) return plain;
  if (node.role === 'user')
    return (node.context ?? []).some((one) => withheld.holds(sourcesOfContext(one))) ? [userMessage(node, payload, withheld)] : plain;
  if (!lineage().isWithheld(node, payload, withheld)) return plain;
  if (toolHistory === 'full' && payload.toolChainMessages?.length) return releaseMessages(plain, { sources: lineage().of(node) }, withheld);
  return [leftOutAnswer(payload, withheld)];
}

/**
 * Which messages go: back from the newest to the last separator, as far as the window reaches, and before that the pinned
 * ones. The window does not begin with an answer whose question was cut off. Walks no further than it takes, but for pins.
 */
function selectNodes({ newestFirst, pinnedIn, question }: Branch, window: ContextWindow, cost: (node: Node) => number): readonly Node[] {
  const { messages = Number.POSITIVE_INFINITY, tokens = Number.POSITIVE_INFINITY } = window;
  const isSent = (node: Node): boolean => node.role !== 'separator' && ((!node.hidden && !node.deleted) || node.id === question);
  const pins = new Set(pinnedIn.filter((node) => node.pinned && isSent(node)));
  let room = tokens - [...pins].reduce((sum, node) => sum + cost(node), 0);
  const taken: Node[] = [];
  let cut = false;
  for (const node of newestFirst) {
    if (node.role === 'separator' && !node.deleted) break;
    if (!isSent(node) || pins.has(node)) continue;
    room -= cost(node);
    cut = taken.length > 0 && (taken.length >= messages || room < 0);
    if (cut) break;
    taken.push(node);
  }
  while (cut && taken.length > 1 && taken.at(-1)?.role === 'assistant') taken.pop();
  if (pins.size === 0) return taken.reverse();
  const chosen = new Set([...pins, ...taken]);
  return pinnedIn.filter((node) => chosen.has(node));
}

function contextOf(branch: Branch, options: ContextOptions, lineage: () => Lineage): readonly Message[] {
  const sent = (node: Node): readonly Message[] => {
    const payload = currentPayload(node);
    return payload ? messagesOf(node, payload, options, lineage) : [];
  };
  const cost = (node: Node): number => sent(node).reduce((sum, message) => sum + estimateSent(message), 0);
  return selectNodes(branch, options.window ?? {}, cost).flatMap(sent);
}

export interface ConversationOptions extends Pick<ContextOptions, 'toolHistory'> {
  /** Earlier messages at most. */
  readonly messages?: number | undefined;
  /** The message whose answer is gone on from, in the version that broke off, and what is said to that. */
  readonly goingOn?: { readonly node: Node; readonly payload: Payload; readonly word: Message } | undefined;
}

/**
 * What stands before a turn: nothing before the last separator but what is pinned, no hidden messages, no answers that stayed
 * empty. The same branch gives the same bytes, so that prompt caches hit. Where nothing is pinned and nothing withheld it looks
 * at no more messages than it takes.
 */
export function conversationOf(tree: TreeModel, question: string | null, options: ConversationOptions): Conversation {
  const { toolHistory, messages, goingOn } = options;
  // Not kept: what another window brings in while the turn runs has its notes asked about as well.
  const path = (): readonly Node[] => tree.path(question);
  const lineage = (): Lineage => new Lineage(goingOn ? [...path(), goingOn.node] : path());
  let last: { tokens: number | undefined; withheld: Withheld; messages: readonly Message[] } | undefined;
  return {
    get sources() {
      return lineage().sources;
    },
    get candidates() {
      return tree.sources();
    },
    messages(tokens, withheld) {
      if (last !== undefined && last.tokens === tokens && last.withheld === withheld) return last.messages;
      const window = { ...(messages === undefined ? {} : { messages }), ...(tokens === undefined ? {} : { tokens }) };
      const branch = { newestFirst: tree.pathBack(question), pinnedIn: tree.hasPins ? path() : [], question };
      let known: Lineage | undefined;
      const once = (): Lineage => (known ??= lineage());
      const before = contextOf(branch, { toolHistory, window, withheld }, once);
      const sent = goingOn ? [...before, answerOf(goingOn, withheld, once), goingOn.word] : before;
      last = { tokens, withheld, messages: sent };
      return sent;
    },
  };
}

function answerOf({ node, payload }: NonNullable<ConversationOptions['goingOn']>, withheld: Withheld, lineage: () => Lineage): Message {
  if (!withheld.empty && lineage().isWithheld(node, payload, withheld)) return leftOutAnswer(payload, withheld);
  return { role: 'assistant', content: payload.message.content };
}
