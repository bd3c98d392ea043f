import type { ChatContext, Node, Payload } from './types.ts';

/** The part of a session that TreeModel owns. Immutable: every change makes a new one and shares the untouched nodes. */
export interface TreeSnapshot {
  readonly nodes: Readonly<Record<string, Node>>;
  readonly rootId: string | null;
  readonly leafId: string | null;
}

export interface TreeOptions {
  readonly newId: () => string;
  /** Milliseconds since the epoch. */
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
}

export const EMPTY_TREE: TreeSnapshot = { nodes: {}, rootId: null, leafId: null };

/**
 * The talk as an append-only tree: nodes point to their parents, versions of a message are added and never changed once
 * closed, deleting leaves a tombstone (FORMATS.md, Storage). A version that is being written is `open`: only it may be
 * updated. Unknown ids and updates of closed versions throw: they are programmer errors.
 */
export class TreeModel {
  private state: TreeSnapshot;
  private readonly options: TreeOptions;
  private readonly open = new Set<string>();
  private memo: { readonly state: TreeSnapshot; readonly leafId: string | null; readonly thread: readonly Node[] } | null = null;

  constructor(options: TreeOptions, snapshot: TreeSnapshot = EMPTY_TREE) {
    this.options = options;
    this.state = snapshot;
  }

  snapshot(): TreeSnapshot {
    return this.state;
  }

  node(id: string): Node {
    const node = this.state.nodes[id];
    if (!node) throw new Error(`TreeModel: no node ${id}`);
    return node;
  }

  /** The version of a node that is shown. */
  payload(id: string): Payload {
    const node = this.node(id);
    const payload = node.versions[node.currentVersionId];
    if (!payload) throw new Error(`TreeModel: node ${id} has no version ${node.currentVersionId}`);
    return payload;
  }

  /** From the root to `leafId`, without tombstones. */
  thread(leafId: string | null = this.state.leafId): readonly Node[] {
    // The panel asks for every token that arrives; only a change of the tree makes another list.
    if (this.memo?.state === this.state && this.memo.leafId === leafId) return this.memo.thread;
    const thread = threadOf(this.state, leafId);
    this.memo = { state: this.state, leafId, thread };
    return thread;
  }

  append(node: NewNode): Node {
    const id = this.options.newId();
    const parent = node.parent === undefined ? this.state.leafId : node.parent;
    if (parent !== null) this.node(parent);
    const { payload } = node;
    const context = node.context?.length ? { context: node.context } : {};
    const made: Node = {
      id,
      role: node.role,
      parent,
      versions: { [payload.id]: payload },
      currentVersionId: payload.id,
      ...context,
      changed: this.mark(),
    };
    this.state = { nodes: { ...this.state.nodes, [id]: made }, rootId: this.state.rootId ?? id, leafId: id };
    return made;
  }

  /** A new version that becomes the current one; the older ones stay. */
  addVersion(id: string, payload: Payload): void {
    const node = this.node(id);
    if (node.versions[payload.id]) throw new Error(`TreeModel: version ${payload.id} exists`);
    this.put({ ...node, versions: { ...node.versions, [payload.id]: payload }, currentVersionId: payload.id });
  }

  selectVersion(id: string, versionId: string): void {
    const node = this.node(id);
    if (!node.versions[versionId]) throw new Error(`TreeModel: node ${id} has no version ${versionId}`);
    this.put({ ...node, currentVersionId: versionId });
  }

  /** Lets the node's current version be updated until `close`. */
  openVersion(id: string): void {
    this.open.add(this.payload(id).id);
  }

  closeVersion(id: string): void {
    this.open.delete(this.payload(id).id);
  }

  /** Replaces fields of the current version, which has to be open. */
  updatePayload(id: string, patch: Partial<Omit<Payload, 'id'>>): void {
    const node = this.node(id);
    const payload = this.payload(id);
    if (!this.open.has(payload.id)) throw new Error(`TreeModel: version ${payload.id} is closed`);
    this.put({ ...node, versions: { ...node.versions, [payload.id]: { ...payload, ...patch } } });
  }

  /** Hides a message for good from thread and model; what follows it stays. */
  tombstone(id: string): void {
    this.put({ ...this.node(id), deleted: true });
  }

  /** A hidden message is shown but not sent to the model. */
  setHidden(id: string, hidden: boolean): void {
    this.put({ ...this.node(id), hidden });
  }

  /** Continues from another message: what is appended next is a branch there. */
  setLeaf(id: string): void {
    this.node(id);
    this.state = { ...this.state, leafId: id };
  }

  private put(node: Node): void {
    this.state = { ...this.state, nodes: { ...this.state.nodes, [node.id]: { ...node, changed: this.mark() } } };
  }

  private mark(): Node['changed'] {
    return { time: this.options.now(), device: this.options.device };
  }
}

/** Root to leaf by parent pointers, without tombstones; a pointer into nothing or a circle (a damaged file) ends the walk. */
export function threadOf(tree: TreeSnapshot, leafId: string | null): readonly Node[] {
  const path: Node[] = [];
  const seen = new Set<string>();
  for (let id = leafId; id !== null && !seen.has(id); ) {
    seen.add(id);
    const node = tree.nodes[id];
    if (!node) break;
    if (!node.deleted) path.push(node);
    id = node.parent;
  }
  return path.reverse();
}
