import type { Kernel } from '../kernel.ts';
import { findBlock, type KernelDocument, type KernelNode, type NodePlace, placesOf } from '../tree/node.ts';

/** A block with its document, for reading only: the tree is shared with other readers. */
export interface FoundBlock extends NodePlace {
  readonly document: KernelDocument;
}

const documentOf = (kernel: Kernel, id: string): KernelDocument | undefined =>
  kernel.documents.read(kernel.documents.block(id)?.rootId ?? '');

/** One block by its id; `undefined` when no open document has it. */
export function findInKernel(kernel: Kernel, id: string): FoundBlock | undefined {
  const document = documentOf(kernel, id);
  const place = document && findBlock(document.root, id);
  return document && place && { ...place, document };
}

/** For requests about many blocks: a document is searched once, however many of its blocks are asked for. Make a new one each request. */
export function blockFinder(kernel: Kernel): (id: string) => FoundBlock | undefined {
  const searched = new Map<KernelNode, ReadonlyMap<string, NodePlace>>();
  return (id) => {
    const document = documentOf(kernel, id);
    if (!document) return undefined;
    const places = searched.get(document.root) ?? placesOf(document.root);
    searched.set(document.root, places);
    const place = places.get(id);
    return place && { ...place, document };
  };
}
