import type { DocumentStore } from '../store/documents.ts';
import { findBlock, type KernelDocument, type NodePlace } from '../tree/node.ts';

export interface Located extends NodePlace {
  readonly document: KernelDocument;
}

/** The documents that one transaction has touched. Nothing reaches the disk before the transaction commits. */
export class WorkingTrees {
  private readonly store: DocumentStore;
  private readonly trees = new Map<string, KernelDocument>();

  constructor(store: DocumentStore) {
    this.store = store;
  }

  get documents(): KernelDocument[] {
    return [...this.trees.values()];
  }

  get rootIds(): string[] {
    return [...this.trees.keys()];
  }

  /** Is there a block of this id, on disk or made by this transaction? */
  knows(id: string): boolean {
    return this.store.block(id) !== undefined || this.documents.some((document) => findBlock(document.root, id));
  }

  /** A block as it is within this transaction. */
  locate(id: string): Located | undefined {
    if (id === '') return undefined;
    for (const document of this.trees.values()) {
      const place = findBlock(document.root, id);
      if (place) return { ...place, document };
    }
    const rootId = this.store.block(id)?.rootId;
    if (rootId === undefined || this.trees.has(rootId)) return undefined;
    const document = this.store.load(rootId);
    if (!document) return undefined;
    this.trees.set(rootId, document);
    const place = findBlock(document.root, id);
    return place && { ...place, document };
  }
}
