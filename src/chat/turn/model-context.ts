import type { Conversation } from '../../tools/chain/chain-requests.ts';
import { estimateSent } from '../../tools/chain/context-budget.ts';
import { shortenMessage } from '../../tools/chain/context-shortening.ts';
import { MessageFlowFormatter } from '../../tools/chain/message-flow.ts';
import { releaseMessages } from '../../tools/chain/release.ts';
import type { Message } from '../../tools/contract/messages.ts';
import { ANSWER_LEFT_OUT, isSourceList, LEFT_OUT, Withheld } from '../../tools/contract/provenance.ts';
import { ATTACHED_TAG, escapeMarkers, frameName } from '../../tools/util/markers.ts';
import { Lineage, sourcesOfCall, sourcesOfContext } from '../session/lineage.ts';
import { mentionParts } from '../session/mentions.ts';
import { allRecords } from '../session/saved-sub-agent.ts';
import type { TreeModel } from '../session/tree-model.ts';
import type { Attachment, ChatContext, LeftOut, Node, Payload } from '../session/types.ts';
import { hintLengthOf } from '../session/visible-text.ts';
import { type Branch, type ContextWindow, coverageOf, type Selection, selectMessages } from './select-messages.ts';

export interface ContextOptions {
  /** `full`: the saved tool messages of a turn; `compressed`: its hint and natural flow (src/tools/chain/message-flow.ts). */
  readonly toolHistory: 'compressed' | 'full';
  /** What may not be read now; a line replaces it. Default: nothing. */
  readonly withheld?: Withheld;
}

function renderContext(context: ChatContext, withheld: Withheld): string {
  if (withheld.holds(sourcesOfContext(context))) return `<${ATTACHED_TAG}>\n${LEFT_OUT}\n</${ATTACHED_TAG}>`;
  const { kind, id, title, mention = `@${title}` } = context;
  const said = mention === `@${title}` ? '' : ` mention="${frameName(mention)}"`;
  const opening = `<${ATTACHED_TAG} kind="${frameName(kind)}" id="${frameName(id)}" title="${frameName(title)}"${said}>`;
  return `${opening}\n${escapeMarkers(context.text)}\n</${ATTACHED_TAG}>`;
}

/** Attached notes, framed as data: text in them is never an instruction. */
export function renderContexts(contexts: readonly ChatContext[], withheld: Withheld = Withheld.nothing): string {
  return contexts.map((context) => renderContext(context, withheld)).join('\n\n');
}

const HIDDEN_MENTION = '@(a note that may not be read)';

/** A name in the person's words is a title that somebody else may have written. */
const nameIn = (context: ChatContext, words: string, withheld: Withheld): string =>
  withheld.holds(sourcesOfContext(context)) ? HIDDEN_MENTION : frameName(words);

function currentPayload(node: Node): Payload | undefined {
  return node.versions[node.currentVersionId];
}

/** The Markdown that shows or links an attached file in a note: it lies in the workspace already. */
const linkOf = ({ kind, name, asset }: Attachment): string =>
  `${kind === 'image' ? '!' : ''}[${name.replaceAll(/[[\]\\]/gu, ' ')}](${asset})`;

/** The text of a file, framed like a note, with what puts it into one. Pictures are sent separately, of recordings only the name. */
function renderAttachment(file: Attachment): string {
  const { kind, name, text } = file;
  const opening = `<${ATTACHED_TAG} kind="${kind === 'image' ? 'picture' : 'file'}" title="${frameName(name)}" link="${frameName(linkOf(file))}">`;
  if (kind === 'image') return `${opening}</${ATTACHED_TAG}>`;
  return `${opening}\n${text === undefined ? '(its content is not text)' : escapeMarkers(text)}\n</${ATTACHED_TAG}>`;
}

/** A question as it is sent, with its attachments. */
export function userMessage(
  content: string,
  { context = [], attachments: files = [] }: { readonly context?: readonly ChatContext[]; readonly attachments?: readonly Attachment[] },
  withheld: Withheld,
): Message {
  // The name of a note that may not be read now stays in the chat, but is not sent.
  const words = mentionParts(content, context).map((part) => (part.context ? nameIn(part.context, part.text, withheld) : part.text));
  const parts = [renderContexts(context, withheld), ...files.map(renderAttachment), words.join('')];
  const images = files.filter(({ kind }) => kind === 'image').map(({ name, mime, asset }) => ({ name, mime, url: asset }));
  return { role: 'user', content: parts.filter((part) => part !== '').join('\n\n'), ...(images.length > 0 ? { images } : {}) };
}

/** Saved tool messages; those of an older version have no sources, but its calls do. */
function savedMessages({ toolChainMessages = [], toolChainResult }: Payload): readonly Message[] {
  const records = new Map(toolChainResult?.toolCallHistory.map((record) => [record.callId, record]));
  return toolChainMessages.map((message): Message => {
    if (message.role !== 'tool' || isSourceList(message.sources)) return message;
    const record = records.get(message.tool_call_id);
    return record ? { ...message, sources: sourcesOfCall(record), repeats: true } : message;
  });
}

/** An answer's text with the hint made from its calls: a saved hint of somebody else's chat could say anything, and nobody sees it. */
function sentText(payload: Payload): string {
  const { message, toolChainResult } = payload;
  const hintLength = hintLengthOf(payload);
  if (hintLength === 0) return message.content;
  return MessageFlowFormatter.generateSystemHint(toolChainResult?.toolCallHistory ?? []) + message.content.slice(hintLength);
}

function answerMessages(payload: Payload, toolHistory: ContextOptions['toolHistory']): readonly Message[] {
  if (toolHistory === 'full' && payload.toolChainMessages?.length) return savedMessages(payload);
  // Reasoning is not sent back: no API needs it, and it would be read as part of the conversation.
  const content = sentText(payload);
  return content === '' ? [] : [{ role: 'assistant', content }];
}

const CHANGES_STAND = '(its changes in notes are in place; do not make them again)';

/** Replaces an answer that may not be sent. That it wrote is not secret if the note that it wrote to may be read. */
function leftOutAnswer({ toolChainResult }: Payload, withheld: Withheld): Message {
  const records = allRecords(toolChainResult?.toolCallHistory ?? []);
  const wrote = records.some((record) => record.result.written !== undefined && !withheld.holds(sourcesOfCall(record)));
  return { role: 'assistant', content: wrote ? `${ANSWER_LEFT_OUT}\n${CHANGES_STAND}` : ANSWER_LEFT_OUT };
}

const SUMMARY_TITLE = 'Summary of the earlier conversation';

/** A summary as it is sent: as data, in a frame of the plugin. */
function summaryMessage({ message }: Payload): Message {
  const opening = `<${ATTACHED_TAG} kind="summary" title="${SUMMARY_TITLE}">`;
  return { role: 'user', content: `${opening}\n${escapeMarkers(message.content)}\n</${ATTACHED_TAG}>` };
}

function messagesMade(node: Node, payload: Payload, toolHistory: ContextOptions['toolHistory']): readonly Message[] {
  if (node.role === 'separator') return [summaryMessage(payload)];
  return node.role === 'user' ? [userMessage(payload.message.content, node, Withheld.nothing)] : answerMessages(payload, toolHistory);
}

const made = { compressed: new WeakMap<Payload, readonly Message[]>(), full: new WeakMap<Payload, readonly Message[]>() };

/** A version's messages if nothing is withheld: the same objects each time, so that each is estimated only once. */
function plainMessages(node: Node, payload: Payload, toolHistory: ContextOptions['toolHistory']): readonly Message[] {
  const known = made[toolHistory].get(payload);
  if (known !== undefined) return known;
  const messages = messagesMade(node, payload, toolHistory);
  // A version being written is another object with every delta.
  made[toolHistory].set(payload, messages);
  return messages;
}

/** The messages that represent one node in a request. `lineage`: of its branch. */
export function messagesOf(
  node: Node,
  payload: Payload,
  { toolHistory, withheld = Withheld.nothing }: ContextOptions,
  lineage: () => Lineage,
): readonly Message[] {
  const plain = plainMessages(node, payload, toolHistory);
  // A message that may not be read is not used in the first place.
  if (withheld.empty || plain.length === 0 || node.role === 'separator') return plain;
  if (node.role === 'user')
    return (node.context ?? []).some((one) => withheld.holds(sourcesOfContext(one)))
      ? [userMessage(payload.message.content, node, withheld)]
      : plain;
  if (!lineage().isWithheld(node, payload, withheld)) return plain;
  if (toolHistory === 'full' && payload.toolChainMessages?.length) return releaseMessages(plain, { sources: lineage().of(node) }, withheld);
  return [leftOutAnswer(payload, withheld)];
}

/** A version's messages in their shortest form: calls and results as their variables. The same objects each time. */
const shortest = new WeakMap<readonly Message[], readonly Message[]>();

function shortened(messages: readonly Message[], { toolChainResult, toolChainMessages }: Payload): readonly Message[] {
  if (!toolChainMessages?.length) return messages;
  const known = shortest.get(messages);
  if (known !== undefined) return known;
  const calls = new Map(toolChainResult?.toolCallHistory.map((record) => [record.callId, record]));
  const made = messages.map((message) => {
    const shorter = shortenMessage(message, calls);
    return estimateSent(shorter) < estimateSent(message) ? shorter : message;
  });
  shortest.set(messages, made);
  return made;
}

const costOf = (messages: readonly Message[]): number => messages.reduce((sum, message) => sum + estimateSent(message), 0);

/** The minimum cost of a message in a request, in estimated tokens. `lineage`: of its branch. */
export function leastCost(node: Node, options: ContextOptions, lineage: () => Lineage): number {
  const payload = currentPayload(node);
  return payload ? costOf(shortened(messagesOf(node, payload, options, lineage), payload)) : 0;
}

interface Context {
  readonly messages: readonly Message[];
  readonly selection: Selection;
}

/** The part of a branch that is sent. If it does not fit, the results of older turns become variables, then the oldest are dropped. */
function contextOf(branch: Branch, window: ContextWindow, sent: (node: Node) => readonly Message[]): Context {
  const short = (node: Node): readonly Message[] => {
    const payload = currentPayload(node);
    return payload ? shortened(sent(node), payload) : [];
  };
  const selection = selectMessages(branch, window, (node) => costOf(short(node)));
  const { tokens } = window;
  if (tokens === undefined) return { messages: selection.nodes.flatMap(sent), selection };
  let room = tokens - costOf(selection.nodes.flatMap(short));
  const messages: (readonly Message[])[] = [];
  for (const node of [...selection.nodes].reverse()) {
    room -= costOf(sent(node)) - costOf(short(node));
    messages.push(room < 0 ? short(node) : sent(node));
  }
  return { messages: messages.reverse().flat(), selection };
}

export interface ConversationOptions extends Pick<ContextOptions, 'toolHistory'> {
  readonly messages?: number | undefined;
  /** The broken-off version whose answer is continued, and the instruction for that. */
  readonly goingOn?: { readonly node: Node; readonly payload: Payload; readonly word: Message } | undefined;
}

/** The conversation before a turn, and the parts that are not sent. */
export interface TurnConversation extends Conversation {
  /** undefined: everything is sent. */
  leftOut(tokens: number | undefined, withheld: Withheld, shortResults?: number): LeftOut | undefined;
}

/** The branch that ends with a message, as far as `withheld` allows it to be sent. */
export function branchOf(tree: TreeModel, leaf: string | null, lineage: () => Lineage, withheld: Withheld): Branch {
  const isUsable = (node: Node): boolean => {
    const payload = currentPayload(node);
    return withheld.empty || (payload !== undefined && !lineage().isWithheld(node, payload, withheld));
  };
  const newestFirst = (): Iterable<Node> => tree.pathBack(leaf);
  return { newestFirst, pinnedIn: tree.hasPins ? tree.path(leaf) : [], question: leaf, hasSummaries: tree.hasSummaries, isUsable };
}

interface Cut extends Context {
  readonly tokens: number | undefined;
  readonly withheld: Withheld;
  readonly branch: Branch;
}

/** The conversation before a turn, from the last divider on with pinned messages and summaries; the same branch gives the same bytes. */
export function conversationOf(tree: TreeModel, question: string | null, options: ConversationOptions): TurnConversation {
  const { toolHistory, messages, goingOn } = options;
  // Not cached: messages that another window adds during the turn have their notes checked as well.
  const path = (): readonly Node[] => tree.path(question);
  const lineage = (): Lineage => new Lineage(goingOn ? [...path(), goingOn.node] : path());
  let last: Cut | undefined;
  const cut = (tokens: number | undefined, withheld: Withheld): Cut => {
    if (last !== undefined && last.tokens === tokens && last.withheld === withheld) return last;
    const window = { ...(messages === undefined ? {} : { messages }), ...(tokens === undefined ? {} : { tokens }) };
    let known: Lineage | undefined;
    const once = (): Lineage => (known ??= lineage());
    const branch = branchOf(tree, question, once, withheld);
    const sent = (node: Node): readonly Message[] => {
      const payload = currentPayload(node);
      return payload ? messagesOf(node, payload, { toolHistory, withheld }, once) : [];
    };
    const before = contextOf(branch, window, sent);
    const all = goingOn ? [...before.messages, answerOf(goingOn, withheld, once), goingOn.word] : before.messages;
    last = { tokens, withheld, branch, selection: before.selection, messages: all };
    return last;
  };
  return {
    get sources() {
      return lineage().sources;
    },
    get candidates() {
      return tree.sources();
    },
    get calls() {
      if (toolHistory !== 'full') return [];
      return path().flatMap((node) => currentPayload(node)?.toolChainResult?.toolCallHistory ?? []);
    },
    messages: (tokens, withheld) => cut(tokens, withheld).messages,
    leftOut(tokens, withheld, results = 0) {
      const { branch, selection } = cut(tokens, withheld);
      const count = selection.leftOut();
      const newest = withheld.empty ? undefined : coverageOf({ ...branch, isUsable: () => true });
      const closed = newest !== undefined && !branch.isUsable(newest.summary);
      if (count === 0 && results === 0 && !closed) return undefined;
      return { messages: count, ...(results > 0 ? { results } : {}), ...(closed ? { summary: 'withheld' } : {}) };
    },
  };
}

function answerOf({ node, payload }: NonNullable<ConversationOptions['goingOn']>, withheld: Withheld, lineage: () => Lineage): Message {
  if (!withheld.empty && lineage().isWithheld(node, payload, withheld)) return leftOutAnswer(payload, withheld);
  return { role: 'assistant', content: sentText(payload) };
}
