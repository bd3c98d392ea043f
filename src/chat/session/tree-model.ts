import type { NoteSource } from '../../tools/contract/provenance.ts';
import { compareTexts } from '../../tools/util/plain-value.ts';
import { withOwnIds } from './contexts.ts';
import { sourcesOfNode } from './lineage.ts';
import { mergeNodes, nextStamp } from './merge-nodes.ts';
import { summaryOf } from './summary.ts';
import { walkBack, walkPath } from './thread.ts';
import { TreeShape } from './tree-shape.ts';
import type { Attachment, ChatContext, CheckedClaim, Node, NodePosition, Payload, Stamp, TreeSnapshot } from './types.ts';

/** The sources of a chat's messages. Updated incrementally: a query costs what changed since the last one. */
class SourceIndex {
  private readonly byNode = new Map<string, readonly NoteSource[]>();
  private readonly stale: Set<string>;

  constructor(ids: Iterable<string>) {
    this.stale = new Set(ids);
  }

  changed(id: string): void {
    this.stale.add(id);
  }

  /** Of every branch, including deleted messages. */
  all(find: (id: string) => Node | undefined): readonly NoteSource[] {
    for (const id of this.stale) {
      const node = find(id);
      const sources = node ? sourcesOfNode(node) : [];
      if (sources.length > 0) this.byNode.set(id, sources);
      else this.byNode.delete(id);
    }
    this.stale.clear();
    return [...this.byNode.values()].flat();
  }
}

export interface TreeOptions {
  readonly newId: () => string;
  readonly now: () => number;
  /** Written to `changed`, so that two devices can be merged. */
  readonly device: string;
}

export interface NewNode {
  readonly role: Node['role'];
  readonly payload: Payload;
  /** Default: the current leaf. */
  readonly parent?: string | null;
  readonly context?: readonly ChatContext[];
  readonly attachments?: readonly Attachment[];
  readonly summary?: Pick<Node, 'covers' | 'uncovered' | 'sources'>;
}

export type PayloadPatch = Partial<Omit<Payload, 'id' | 'userPromptSlice'>> & {
  readonly userPromptSlice?: Payload['userPromptSlice'] | undefined;
};

export const EMPTY_TREE: TreeSnapshot = { nodes: {}, rootId: null, leafId: null };
const FIRST = '';

/** The conversation as an append-only, mergeable tree. Only `open` versions change; unknown ids and updates of closed ones throw. */
export class TreeModel {
  private readonly options: TreeOptions;
  private readonly nodes: Map<string, Node>;
  private shape: TreeShape;
  private rootId: string | null;
  private leafId: string | null;
  private readonly choices: Map<string, string>;
  /** The version that is being written, by node. */
  private readonly open = new Map<string, string>();
  private made: TreeSnapshot | null = null;
  private shown: readonly Node[] | null = null;
  /** What was appended to the shown list, which is not copied for every message. */
  private appended: Node[] = [];
  private pinned: boolean;
  private summed: boolean;
  private readonly sourceIndex: SourceIndex;

  constructor(options: TreeOptions, snapshot: TreeSnapshot = EMPTY_TREE) {
    this.options = options;
    this.nodes = new Map(Object.entries(snapshot.nodes));
    this.shape = new TreeShape(this.nodes);
    this.rootId = snapshot.rootId;
    this.leafId = snapshot.leafId;
    this.choices = new Map(Object.entries(snapshot.choices ?? {}));
    this.pinned = Object.values(snapshot.nodes).some((node) => node.pinned);
    this.summed = Object.values(snapshot.nodes).some((node) => summaryOf(node) !== undefined);
    this.sourceIndex = new SourceIndex(this.nodes.keys());
  }

  get empty(): boolean {
    return this.rootId === null;
  }

  get hasPins(): boolean {
    return this.pinned;
  }

  get hasSummaries(): boolean {
    return this.summed;
  }

  get leaf(): string | null {
    return this.leafId;
  }

  snapshot(): TreeSnapshot {
    this.made ??= {
      nodes: Object.fromEntries(this.nodes),
      rootId: this.rootId,
      leafId: this.leafId,
      ...(this.choices.size > 0 ? { choices: Object.fromEntries(this.choices) } : {}),
    };
    return this.made;
  }

  all(): Iterable<Node> {
    return this.nodes.values();
  }

  has(id: string): boolean {
    return this.nodes.has(id);
  }

  node(id: string): Node {
    const node = this.nodes.get(id);
    if (!node) throw new Error(`TreeModel: no node ${id}`);
    return node;
  }

  payload(id: string): Payload {
    const node = this.node(id);
    return this.version(node, node.currentVersionId);
  }

  /** From the root to `leafId`, without tombstones. Returns the same list as long as the tree does not change. */
  thread(leafId: string | null = this.leafId): readonly Node[] {
    if (leafId !== this.leafId) return [...this.newestFirst(leafId)].reverse();
    if (!this.shown) this.shown = [...this.newestFirst(leafId)].reverse();
    else if (this.appended.length > 0) this.shown = this.shown.concat(this.appended);
    this.appended = [];
    return this.shown;
  }

  newestFirst(leafId: string | null = this.leafId): Iterable<Node> {
    return walkBack((id) => this.nodes.get(id), leafId);
  }

  /** From the root to a message, including tombstones. */
  path(leafId: string | null): readonly Node[] {
    return [...this.pathBack(leafId)].reverse();
  }

  pathBack(leafId: string | null): Iterable<Node> {
    return walkPath((id) => this.nodes.get(id), leafId);
  }

  /** The sources of all messages, in every branch, including deleted ones. */
  sources(): readonly NoteSource[] {
    return this.sourceIndex.all((id) => this.nodes.get(id));
  }

  append(node: NewNode): Node {
    const id = this.options.newId();
    const parent = node.parent === undefined ? this.leafId : node.parent;
    if (parent !== null) this.node(parent);
    const { payload } = node;
    const context = node.context?.length ? { context: withOwnIds(node.context) } : {};
    const made: Node = {
      id,
      role: node.role,
      parent,
      versions: { [payload.id]: payload },
      currentVersionId: payload.id,
      ...context,
      ...(node.attachments?.length ? { attachments: node.attachments } : {}),
      ...node.summary,
      changed: this.mark(),
    };
    const follows = parent === this.leafId && this.shown !== null;
    this.nodes.set(id, made);
    this.summed ||= summaryOf(made) !== undefined;
    this.sourceIndex.changed(id);
    this.shape.add(made);
    this.rootId ??= id;
    this.leafId = id;
    if (follows) this.appended.push(made);
    this.changed(follows ? this.shown : null);
    this.choose(id);
    return made;
  }

  /** Adds a new version and makes it the current one; older ones stay. */
  addVersion(id: string, payload: Payload): void {
    const node = this.node(id);
    if (node.versions[payload.id]) throw new Error(`TreeModel: version ${payload.id} exists`);
    this.put({ ...node, versions: { ...node.versions, [payload.id]: payload }, currentVersionId: payload.id });
  }

  selectVersion(id: string, versionId: string): void {
    const node = this.node(id);
    this.version(node, versionId);
    this.put({ ...node, currentVersionId: versionId });
  }

  versions(id: string): readonly string[] {
    const payloads = Object.values(this.node(id).versions);
    return payloads.sort((left, right) => left.created - right.created || compareTexts(left.id, right.id)).map((payload) => payload.id);
  }

  /** The message and its alternatives, oldest first. */
  branches(id: string): readonly string[] {
    return this.shape.after(this.shape.before(id));
  }

  position(id: string): NodePosition {
    const node = this.node(id);
    const versions = Object.keys(node.versions).length > 1 ? this.versions(id) : [node.currentVersionId];
    const branches = this.shape.isAlone(node) ? [id] : this.branches(id);
    const version = versions.indexOf(node.currentVersionId) + 1;
    // A tombstone is not one of the branches; its position is never shown.
    return { versions: versions.length, version, branches: Math.max(1, branches.length), branch: Math.max(1, branches.indexOf(id) + 1) };
  }

  /** Shows the branch that begins with a message, up to its last shown leaf. */
  selectBranch(id: string): void {
    this.node(id);
    this.setLeaf(this.shape.endOf(id, this.choices));
  }

  /** Lets the node's current version be updated until `close`. */
  openVersion(id: string): void {
    this.open.set(id, this.payload(id).id);
  }

  closeVersion(id: string): void {
    this.open.delete(id);
  }

  /** Replaces fields of the open version, whichever one is shown. A new text needs its own `userPromptSlice`, or has none. */
  updatePayload(id: string, { userPromptSlice, ...patch }: PayloadPatch): void {
    const node = this.node(id);
    const versionId = this.open.get(id);
    if (versionId === undefined) throw new Error(`TreeModel: the versions of ${id} are closed`);
    const { userPromptSlice: before, ...payload } = this.version(node, versionId);
    const slice = patch.message === undefined ? before : userPromptSlice;
    const made = { ...payload, ...patch, ...(slice === undefined ? {} : { userPromptSlice: slice }) };
    this.put({ ...node, versions: { ...node.versions, [versionId]: made } });
  }

  /** Deletes a message from thread and model; what follows it stays. `restore` undoes it. */
  tombstone(id: string): void {
    this.shown = null;
    this.put({ ...this.node(id), deleted: true });
  }

  restore(id: string): void {
    const { deleted, ...node } = this.node(id);
    if (!deleted) return;
    this.shown = null;
    this.put({ ...node, restored: (node.restored ?? 0) + 1 });
  }

  /** A hidden message is shown but not sent to the model. */
  setHidden(id: string, hidden: boolean): void {
    this.put({ ...this.node(id), hidden });
  }

  /** A pinned message is always sent to the model, however old it is. */
  setPinned(id: string, pinned: boolean): void {
    this.pinned ||= pinned;
    this.put({ ...this.node(id), pinned });
  }

  /** Of a sentence the last counts. */
  addChecked(id: string, checked: CheckedClaim): void {
    const node = this.node(id);
    const others = (node.checked ?? []).filter(({ sentence }) => sentence !== checked.sentence);
    this.put({ ...node, checked: [...others, checked] });
  }

  /** Attaches another note to a question, which is sent with it from then on. */
  attach(id: string, context: ChatContext): void {
    const node = this.node(id);
    this.put({ ...node, context: withOwnIds([...(node.context ?? []), context]) });
    this.sourceIndex.changed(id);
  }

  /** Continues from another message: what is appended next is a branch there. */
  setLeaf(id: string): void {
    this.node(id);
    this.leafId = id;
    this.changed(null);
    for (const node of this.thread()) this.choose(node.id);
  }

  /** Merges another window's or device's changes, except to what is being written; the shown branch follows only with `follow`. */
  merge(theirs: TreeSnapshot, follow: boolean): void {
    for (const [id, node] of Object.entries(theirs.nodes)) {
      const mine = this.nodes.get(id);
      this.nodes.set(id, mine ? this.keepOpen(mine, mergeNodes(mine, node)) : node);
      this.sourceIndex.changed(id);
      this.pinned ||= node.pinned ?? false;
      this.summed ||= summaryOf(node) !== undefined;
    }
    this.shape = new TreeShape(this.nodes);
    this.rootId = theirs.rootId ?? this.rootId;
    if (follow) {
      this.leafId = theirs.leafId;
      for (const [at, chosen] of Object.entries(theirs.choices ?? {})) this.choices.set(at, chosen);
    }
    this.changed(null);
  }

  private keepOpen(mine: Node, merged: Node): Node {
    const versionId = this.open.get(mine.id);
    if (versionId === undefined) return merged;
    const versions = { ...merged.versions, [versionId]: this.version(mine, versionId) };
    return { ...merged, versions, currentVersionId: mine.currentVersionId };
  }

  private version(node: Node, versionId: string): Payload {
    const payload = node.versions[versionId];
    if (!payload) throw new Error(`TreeModel: node ${node.id} has no version ${versionId}`);
    return payload;
  }

  private put(changed: Node): void {
    const node = { ...changed, changed: nextStamp(changed.changed, this.mark()) };
    this.nodes.set(node.id, node);
    this.sourceIndex.changed(node.id);
    const shown = this.shown ? [...this.thread()] : null;
    const index = shown?.findLastIndex((one) => one.id === node.id) ?? -1;
    if (shown && index >= 0) shown[index] = node;
    this.changed(shown);
  }

  private changed(shown: readonly Node[] | null): void {
    this.made = null;
    this.shown = shown;
    if (!shown) this.appended = [];
  }

  /** Remembers the shown branch, if there is more than one. */
  private choose(id: string): void {
    if (this.shape.isAlone(this.node(id))) return;
    const before = this.shape.before(id);
    if (this.shape.after(before).length < 2 || this.choices.get(before ?? FIRST) === id) return;
    this.choices.set(before ?? FIRST, id);
    this.made = null;
  }

  private mark(): Stamp {
    return { time: this.options.now(), device: this.options.device };
  }
}
