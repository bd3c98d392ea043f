import { ToolError } from '../tools/errors.ts';
import type { InsertPosition } from '../tools/ports.ts';
import { isContainer } from './block-dom.ts';
import { findPlace, type TreePlace } from './document-tree.ts';
import type { KernelRoutes } from './kernel-routes.ts';
import type { Anchor } from './prepared-plan.ts';

/** What an anchor means for what is inserted: blocks, or items when it is inside a list. */
export interface InsertPlace {
  readonly anchor: Anchor;
  /** A list whose items are written; its marker style is the new items' too. */
  readonly listId: string | null;
}

/**
 * Reads "before/after/prepend/append at this block" as a person means it: appending to a heading is the end of its section, appending to
 * a paragraph is after it, anything put into a list becomes items (HOST.md, traps).
 */
export function chooseAnchor(id: string, documentId: string, place: TreePlace | null, position: InsertPosition): InsertPlace {
  if (id === documentId || place === null) {
    if (position === 'before' || position === 'after') {
      throw new ToolError('bad_id', 'a document has no place before or after it', 'use prepend or append with a document, or a block id');
    }
    return { anchor: { kind: position === 'append' ? 'last' : 'first', parent: id }, listId: null };
  }
  if (position === 'prepend' || position === 'append') {
    if (place.type === 'h') {
      return { anchor: position === 'append' ? { kind: 'section-end', heading: id } : { kind: 'after', id }, listId: null };
    }
    if (isContainer(place.type)) {
      return { anchor: { kind: position === 'append' ? 'last' : 'first', parent: id }, listId: place.type === 'l' ? id : null };
    }
  }
  const before = position === 'before' || position === 'prepend';
  return { anchor: { kind: before ? 'before' : 'after', id }, listId: place.parentType === 'l' ? place.parentId : null };
}

export type ResolvedAnchor = { readonly previousID: string } | { readonly parentID: string };

/** The anchor as the kernel wants it, read fresh. Rejects with `stale` when its block is gone from the document. */
export async function resolveAnchor(
  routes: KernelRoutes,
  documentId: string,
  anchor: Anchor,
  signal: AbortSignal,
): Promise<ResolvedAnchor> {
  const find = async (id: string): Promise<TreePlace> => {
    try {
      return await findPlace(routes, documentId, id, signal);
    } catch (error) {
      if (error instanceof ToolError && error.code === 'not_found') {
        throw new ToolError('stale', 'the place to write at is not in the document any more', 'read the document again and plan anew');
      }
      throw error;
    }
  };
  switch (anchor.kind) {
    case 'after':
      await find(anchor.id);
      return { previousID: anchor.id };
    case 'before': {
      const place = await find(anchor.id);
      const previous = place.siblingIds[place.index - 1];
      return previous === undefined ? { parentID: place.parentId } : { previousID: previous };
    }
    case 'section-end':
      await find(anchor.heading);
      // A heading's children are the blocks of its section (recorded/documents.json).
      return { previousID: (await routes.children(anchor.heading, signal)).at(-1)?.id ?? anchor.heading };
    case 'first':
    case 'last': {
      if (anchor.parent !== documentId) await find(anchor.parent);
      const last = anchor.kind === 'last' ? (await routes.children(anchor.parent, signal)).at(-1)?.id : undefined;
      return last === undefined ? { parentID: anchor.parent } : { previousID: last };
    }
  }
}
