import { isDivider, summaryOf } from '../session/summary.ts';
import type { Node } from '../session/types.ts';

/** Bounds of the part of a thread that is sent; both apply if both are given. */
export interface ContextWindow {
  /** Messages, counted from the newest; the question itself and a summary are always sent. */
  readonly messages?: number;
  readonly tokens?: number;
}

/** A branch, including tombstones. */
export interface Branch {
  readonly newestFirst: () => Iterable<Node>;
  readonly pinnedIn: readonly Node[];
  /** Always sent, even if hidden or deleted. */
  readonly question: string | null;
  readonly hasSummaries: boolean;
  /** Tells if a summary may be sent now. Otherwise an older one, or the messages themselves, replace it. */
  readonly isUsable: (summary: Node) => boolean;
}

/** A summary, and the last message that it covers: the summary itself if that is not known. */
export interface Coverage {
  readonly summary: Node;
  readonly from: string;
}

export interface Selection {
  readonly nodes: readonly Node[];
  /** Messages that would have been sent, had there been room for them. */
  readonly leftOut: () => number;
}

const canBeSent = (node: Node, question: string | null): boolean =>
  node.role !== 'separator' && ((!node.hidden && !node.deleted) || node.id === question);

/** The newest usable summary of a branch since its last divider (`isUsable`). */
export function coverageOf({ newestFirst, hasSummaries, isUsable }: Omit<Branch, 'pinnedIn' | 'question'>): Coverage | undefined {
  if (!hasSummaries) return undefined;
  let summary: Node | undefined;
  for (const node of newestFirst()) {
    if (summary && node.id === summary.covers) return { summary, from: node.id };
    if (isDivider(node)) break;
    if (!summary && !node.deleted && summaryOf(node) && isUsable(node)) summary = node;
  }
  return summary && { summary, from: summary.id };
}

/** From the newest on: the messages after those that the summary covers, the summary, and those above it that it does not cover. */
export function* reachOf({ newestFirst, question }: Branch, coverage: Coverage | undefined): Generator<Node, void, undefined> {
  const apart = new Set(coverage?.summary.uncovered);
  let covered = false;
  for (const node of newestFirst()) {
    if (isDivider(node)) return;
    if (coverage && node.id === coverage.from) {
      covered = true;
      yield coverage.summary;
    }
    if (covered && apart.size === 0) return;
    if ((!covered || apart.delete(node.id)) && canBeSent(node, question)) yield node;
  }
}

/** The position of a message among those that are sent; a summary follows the last message that it covers. */
function placeIn(path: readonly Node[], coverage: Coverage | undefined): (node: Node) => number {
  const places = new Map(path.map((node, index) => [node.id, index]));
  return (node) => (node === coverage?.summary ? (places.get(coverage.from) ?? 0) + 0.5 : (places.get(node.id) ?? 0));
}

/** Selects from the newest back to the last divider, with summaries and pins; never begins with an answer whose question was cut off. */
export function selectMessages(branch: Branch, window: ContextWindow, cost: (node: Node) => number): Selection {
  const { messages = Number.POSITIVE_INFINITY, tokens = Number.POSITIVE_INFINITY } = window;
  const coverage = coverageOf(branch);
  const pins = new Set(branch.pinnedIn.filter((node) => node.pinned && canBeSent(node, branch.question)));
  const always = [...pins, ...(coverage ? [coverage.summary] : [])];
  let room = tokens - always.reduce((sum, node) => sum + cost(node), 0);
  const taken: Node[] = [];
  let summaryAt: number | undefined;
  let cut = false;
  let full = false;
  for (const node of reachOf(branch, coverage)) {
    if (node === coverage?.summary) summaryAt = taken.length;
    else if (!pins.has(node)) {
      room -= cost(node);
      full = taken.length > 0 && taken.length >= messages;
      cut = full || (taken.length > 0 && room < 0);
      if (cut) break;
      taken.push(node);
    }
  }
  while (cut && taken.length > 1 && taken.at(-1)?.role === 'assistant') taken.pop();
  if (coverage) taken.splice(Math.min(summaryAt ?? taken.length, taken.length), 0, coverage.summary);
  const chosen = new Set([...pins, ...taken]);
  const place = pins.size === 0 ? undefined : placeIn(branch.pinnedIn, coverage);
  return {
    nodes: place ? [...chosen].sort((left, right) => place(left) - place(right)) : taken.reverse(),
    leftOut: () => (cut && !full ? [...reachOf(branch, coverage)].filter((node) => !chosen.has(node)).length : 0),
  };
}
