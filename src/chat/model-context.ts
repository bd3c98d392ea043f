import { estimateTokenCount } from 'tokenx';
import { escapeMarkers } from '../tools/markers.ts';
import type { Message } from '../tools/messages.ts';
import type { TreeModel } from './tree-model.ts';
import type { ChatContext, Node, Payload } from './types.ts';

export interface ContextOptions {
  /** `full` sends the saved tool messages where a turn has them; `compressed` its hint and natural flow (seed 0). */
  readonly toolHistory: 'compressed' | 'full';
  readonly window?: ContextWindow;
}

const attribute = (text: string): string => text.replaceAll(/["<>&\r\n]/g, ' ');

/** Notes that the user attached, framed as data: what stands in them is never an instruction. */
export function renderContexts(contexts: readonly ChatContext[]): string {
  return contexts
    .map((context) => {
      const body = escapeMarkers(context.text).replaceAll(/<(\/?attached-note)/gi, '<\\$1');
      return `<attached-note kind="${context.kind}" id="${attribute(context.id)}" title="${attribute(context.title)}">\n${body}\n</attached-note>`;
    })
    .join('\n\n');
}

function currentPayload(node: Node): Payload | undefined {
  return node.versions[node.currentVersionId];
}

function userMessage(node: Node, payload: Payload): Message {
  const attached = renderContexts(node.context ?? []);
  const text = payload.message.content;
  return { role: 'user', content: attached ? `${attached}\n\n${text}` : text };
}

function assistantMessages(payload: Payload, options: ContextOptions): readonly Message[] {
  const chain = payload.toolChainMessages ?? [];
  if (options.toolHistory === 'full' && chain.length > 0) return chain;
  // Reasoning is not sent back: no API wants it, and it would be read as something that was said.
  return payload.message.content === '' ? [] : [{ role: 'assistant', content: payload.message.content }];
}

/** How much of a thread goes to the model; both bounds hold where both are given. */
export interface ContextWindow {
  /** Messages, counted from the newest; the question itself always goes. */
  readonly messages?: number;
  /** Estimated tokens. */
  readonly tokens?: number;
}

const estimates = new WeakMap<Payload, number>();

/** Estimated once a version: a window over a long chat costs what it holds. */
function tokensOf(node: Node, payload: Payload): number {
  const known = estimates.get(payload);
  if (known !== undefined) return known;
  const tokens = estimateTokenCount(payload.message.content) + estimateTokenCount(renderContexts(node.context ?? []));
  // A version that is being written is another object with every piece.
  estimates.set(payload, tokens);
  return tokens;
}

const isSent = (node: Node): boolean => !node.hidden && node.role !== 'separator' && currentPayload(node) !== undefined;

/**
 * Which messages go: back from the newest to the last separator, as far as the window reaches, and before that the pinned
 * ones. The window does not begin with an answer whose question was cut off. Walks no further than it takes, but for pins.
 */
function selectNodes(newestFirst: Iterable<Node>, pins: readonly Node[], window: ContextWindow): ReadonlySet<Node> {
  const { messages = Number.POSITIVE_INFINITY, tokens = Number.POSITIVE_INFINITY } = window;
  let room = tokens - pins.reduce((sum, node) => sum + cost(node), 0);
  const taken: Node[] = [];
  let cut = false;
  for (const node of newestFirst) {
    if (node.role === 'separator') break;
    if (!isSent(node) || node.pinned) continue;
    room -= cost(node);
    cut = taken.length > 0 && (taken.length >= messages || room < 0);
    if (cut) break;
    taken.push(node);
  }
  while (cut && taken.length > 1 && taken.at(-1)?.role === 'assistant') taken.pop();
  return new Set([...pins, ...taken.reverse()]);
}

function cost(node: Node): number {
  const payload = currentPayload(node);
  return payload ? tokensOf(node, payload) : 0;
}

/**
 * What the model sees of a thread (root to leaf): nothing before the last separator but what is pinned, no hidden nodes, no
 * answers that stayed empty. Pure: the same thread gives the same bytes, so that prompt caches hit.
 */
export function buildModelContext(thread: readonly Node[], options: ContextOptions): readonly Message[] {
  const pins = thread.filter((node) => node.pinned && isSent(node));
  const chosen = selectNodes([...thread].reverse(), pins, options.window ?? {});
  return thread.filter((node) => chosen.has(node)).flatMap((node) => messagesOf(node, options));
}

/** The same of a branch of a tree. Where nothing is pinned it looks at no more than it takes, however long the branch is. */
export function branchContext(tree: TreeModel, leafId: string | null, options: ContextOptions): readonly Message[] {
  if (tree.hasPins) return buildModelContext(tree.thread(leafId), options);
  return [...selectNodes(tree.newestFirst(leafId), [], options.window ?? {})].flatMap((node) => messagesOf(node, options));
}

function messagesOf(node: Node, options: ContextOptions): readonly Message[] {
  const payload = currentPayload(node);
  if (!payload) return [];
  return node.role === 'user' ? [userMessage(node, payload)] : assistantMessages(payload, options);
}
