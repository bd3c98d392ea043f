import { isPrivateResult } from '../../tools/contract/private-text.ts';
import { isSourceList, mergeSources, type NoteSource, type Withheld } from '../../tools/contract/provenance.ts';
import { idsInText, type WrittenFrom } from '../../tools/executor/variable-rights.ts';
import { foundIds } from '../../tools/groups/common/found-notes.ts';
import { isRead } from './contexts.ts';
import { allRecords } from './saved-sub-agent.ts';
import { isDivider, summaryOf } from './summary.ts';
import type { ChatContext, Node, Payload, ToolCallRecord } from './types.ts';

function idsOf({ id, found }: ChatContext): readonly string[] {
  return found ? foundIds(found.notes) : [id];
}

/** Blocks and documents that a message attached, read or wrote. */
export function sourcesOf(node: Node): readonly string[] {
  const attached = node.context?.filter(isRead).flatMap(idsOf) ?? [];
  return [
    ...attached,
    ...resultsOf(node).flatMap(({ blockIds, written }) => [
      ...(blockIds ?? []),
      ...(written?.blockIds ?? []),
      ...(written ? [written.documentId] : []),
    ]),
  ];
}

const recordsOf = (node: Node): readonly ToolCallRecord[] =>
  allRecords(Object.values(node.versions).flatMap((payload) => payload.toolChainResult?.toolCallHistory ?? []));

const resultsOf = (node: Node) => recordsOf(node).map(({ result }) => result);

/** Names of the tools whose results a message holds; '' for a file, and for text of a note that a chat was saved as. */
export function toolsBehind(node: Node): readonly string[] {
  const isFromElsewhere =
    (node.attachments?.length ?? 0) > 0 ||
    Object.values(node.versions).some(({ author, fromElsewhere }) => author === 'document' || fromElsewhere === true);
  return [...recordsOf(node).map(({ toolName }) => toolName), ...(isFromElsewhere ? [''] : [])];
}

const known = new WeakMap<Node, boolean>();

/** Tells if the model had private text when any version was written: by attachments, calls, or all before it (Payload.isPrivate). */
export function givenPrivate(node: Node): boolean {
  const value = known.get(node) ?? judge(node);
  known.set(node, value);
  return value;
}

/** Whether it is private is known of it as it is: a changed message is another object. */
export const isJudged = (node: Node): boolean => known.has(node);

function judge(node: Node): boolean {
  const attached = [node.context, node.attachments, node.sources].some((list) => list !== undefined && list.length > 0);
  return attached || Object.values(node.versions).some((payload) => saysPrivate(payload, node.role));
}

/** A version of an older program has no `isPrivate`: the result of any tool, and a summary, may then be private. */
function saysPrivate({ isPrivate, author, message, toolChainResult, toolChainMessages = [] }: Payload, role: Node['role']): boolean {
  // Text of a note that a chat was saved as, if its message could not be read.
  if (isPrivate === true || author === 'document') return true;
  const records = allRecords(toolChainResult?.toolCallHistory ?? []);
  if (records.some(({ result }) => isPrivateResult(result))) return true;
  const isSummary = role === 'separator' && message.content.trim() !== '';
  return isPrivate === undefined && (records.length > 0 || toolChainMessages.length > 0 || isSummary);
}

const contextGuesses = new WeakMap<ChatContext, readonly NoteSource[]>();
const recordGuesses = new WeakMap<ToolCallRecord, readonly NoteSource[]>();
const nodeSources = new WeakMap<Node, readonly NoteSource[]>();

function remembered<K extends object, V>(known: WeakMap<K, V>, key: K, make: () => V): V {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

/** The sources of an attached note. An older version saved only its id. */
export function sourcesOfContext(context: ChatContext): readonly NoteSource[] {
  return remembered(contextGuesses, context, () => {
    if (context.sources !== undefined) return context.sources;
    return [context.kind === 'document' || !isRead(context) ? { document: context.id } : { blocks: [context.id] }];
  });
}

/** The sources of a call's result. An older version saved its notebooks and the ids that an answer may cite; others are in its texts. */
export function sourcesOfCall(record: ToolCallRecord): readonly NoteSource[] {
  return remembered(recordGuesses, record, () => {
    const { sources, notebooks = [], blockIds = [], written, preview, error } = record.result;
    if (isSourceList(sources)) return sources;
    const own = written ? [written.documentId, ...written.blockIds] : [];
    const idsInRecord = notebooks.length > 0 || error !== undefined ? idsInText(JSON.stringify([record.args, preview, error])) : [];
    const ids = [...new Set([...blockIds, ...own, ...idsInRecord])];
    if (ids.length === 0) return notebooks.map((notebook) => ({ notebook }));
    return notebooks.length === 0 ? [{ blocks: ids }] : notebooks.map((notebook) => ({ notebook, blocks: ids }));
  });
}

export function sourcesOfNode(node: Node): readonly NoteSource[] {
  return remembered(nodeSources, node, () => {
    const records = Object.values(node.versions).flatMap((payload) => payload.toolChainResult?.toolCallHistory ?? []);
    return mergeSources(node.sources, ...(node.context ?? []).map(sourcesOfContext), ...records.map(sourcesOfCall));
  });
}

/** The messages of a branch without deleted ones, each with the notes of those before it. `path`: root to leaf, with tombstones. */
export function withoutDeleted(path: readonly Node[]): readonly Node[] {
  let left: readonly NoteSource[] = [];
  let wasPrivate = false;
  let last: string | undefined;
  const stayed = new Map<string, string | undefined>();
  return path.flatMap((node): readonly Node[] => {
    if (!node.deleted) last = node.id;
    stayed.set(node.id, last);
    if (node.deleted) {
      left = mergeSources(left, sourcesOfNode(node));
      wasPrivate ||= givenPrivate(node);
      return [];
    }
    const sources = mergeSources(left, node.sources);
    left = [];
    const kept =
      node.covers === undefined
        ? node
        : withCovers(
            node,
            (id) => stayed.get(id),
            (id) => (stayed.get(id) === id ? id : undefined),
          );
    const made = wasPrivate ? asPrivate(kept) : kept;
    return [sources.length === 0 ? made : { ...made, sources }];
  });
}

/** Private text before it that is dropped counts as given with it. */
function asPrivate(node: Node): Node {
  const versions = Object.entries(node.versions).map(([id, payload]) => [id, { ...payload, isPrivate: true }] as const);
  return { ...node, versions: Object.fromEntries(versions) };
}

type IdOf = (id: string) => string | undefined;

/** A summary with other ids of covered messages. `lastOf`: the new id of the last covered one or one before it; none: all above. */
export function withCovers(node: Node, lastOf: IdOf, idOf: IdOf = lastOf): Node {
  const { covers, uncovered, ...rest } = node;
  const last = covers === undefined ? undefined : lastOf(covers);
  const apart = uncovered?.flatMap((id) => idOf(id) ?? []);
  return { ...rest, covers: last, uncovered: apart?.length ? apart : undefined };
}

interface Above {
  readonly all: readonly NoteSource[];
  /** The number of them in the message or above it. */
  readonly count: number;
}

function withheldFrom(payload: Payload): readonly string[] {
  return payload.withheld ?? [];
}

/** The notes seen before each message of a branch, deleted and hidden ones included: text written after a note is withheld with it. */
export class Lineage {
  readonly sources: readonly NoteSource[];
  private readonly above = new Map<string, Above>();

  /** `path`: root to leaf, including tombstones. */
  constructor(path: Iterable<Node>) {
    const everywhere: NoteSource[] = [];
    let pinned: NoteSource[] = [];
    let all: NoteSource[] = [];
    for (const node of path) {
      // A message that was never pinned is not sent across a separator; a summary repeats what was there.
      if (isDivider(node)) all = [...pinned];
      const own = sourcesOfNode(node);
      const covered = summaryOf(node) && node.covers !== undefined ? this.above.get(node.covers) : undefined;
      all.push(...own);
      everywhere.push(...own);
      const from = covered ? [...covered.all.slice(0, covered.count), ...own] : all;
      this.above.set(node.id, { all: from, count: from.length });
      if (node.pinned !== undefined) pinned = [...all];
    }
    this.sources = everywhere;
  }

  /** The sources that the model had seen when it wrote a message, including what it read for it. */
  of(node: Node): readonly NoteSource[] {
    const above = this.above.get(node.id);
    return above ? above.all.slice(0, above.count) : sourcesOfNode(node);
  }

  isWithheld(node: Node, payload: Payload, withheld: Withheld): boolean {
    return !withheld.empty && withheld.holds(this.of(node), withheldFrom(payload));
  }

  /** For values written in a message: their version is not known. */
  writtenFrom(node: Node): WrittenFrom {
    const [first = [], ...others] = Object.values(node.versions).map(withheldFrom);
    return { sources: this.of(node), withheld: first.filter((print) => others.every((prints) => prints.includes(print))) };
  }
}

interface BranchReader {
  has(id: string): boolean;
  node(id: string): Node;
  /** Root to leaf, including tombstones. */
  path(leafId: string): readonly Node[];
}

/** undefined: the message belongs to another chat. */
export function writtenFrom(tree: BranchReader, id: string): WrittenFrom | undefined {
  return tree.has(id) ? new Lineage(tree.path(id)).writtenFrom(tree.node(id)) : undefined;
}
