import { fitsInto, isContainer } from '../../tools/contract/block-kinds.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { InsertPosition } from '../../tools/contract/ports.ts';
import type { BlockTree, InsertionPoint } from '../tree/block-tree.ts';
import type { TreePosition } from '../tree/document-tree.ts';
import type { Anchor } from './prepared-plan.ts';

/** The place of an anchor: blocks, or items if it is inside a list. */
export interface InsertPlace {
  readonly anchor: Anchor;
  /** The list whose items are written; new items get its marker style. */
  readonly listId: string | null;
}

/** Tabs take only tabs, a mind map only items; an unknown type is refused. */
function assertTakesBlocks(type: string, id: string): void {
  if (fitsInto(type, 'p')) return;
  const next = 'write before or after the whole block, or next to a block in one of its tabs';
  throw new ToolError('bad_target', `block ${id} (${type}) takes no blocks of this kind`, next);
}

/** Interprets an anchor as a person means it: appending to a heading is the end of its section, anything in a list becomes items. */
export function chooseAnchor(
  id: string,
  documentId: string,
  place: Pick<TreePosition, 'type' | 'parentType' | 'parentId'> | null,
  position: InsertPosition,
): InsertPlace {
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
      if (place.type !== 'l') assertTakesBlocks(place.type, id);
      return { anchor: { kind: position === 'append' ? 'last' : 'first', parent: id }, listId: place.type === 'l' ? id : null };
    }
  }
  const before = position === 'before' || position === 'prepend';
  if (place.parentType !== 'l') assertTakesBlocks(place.parentType, place.parentId);
  return { anchor: { kind: before ? 'before' : 'after', id }, listId: place.parentType === 'l' ? place.parentId : null };
}

const goneError = (): ToolError =>
  new ToolError(
    'stale',
    'the place to write at is no longer in the document',
    'read the document again and plan the change again; nothing was written',
  );

/** The anchor's position among current blocks, without those about to move. Rejects with `stale` if its block has left. */
export function resolveAnchor(tree: BlockTree, anchor: Anchor, moving: ReadonlySet<string> = new Set()): InsertionPoint {
  const staying = (ids: readonly string[]): string | null => ids.filter((id) => !moving.has(id)).at(-1) ?? null;
  // Blocks that would enter the section of a guarded heading are put before it.
  const inSight = (ids: readonly string[]): readonly string[] => ids.filter((id) => !tree.isUnderGuardedHeading(id));
  const present = (id: string): string => {
    if (!tree.has(id)) throw goneError();
    return id;
  };
  switch (anchor.kind) {
    case 'after': {
      const id = present(anchor.id);
      // A folded heading represents its section, in the editor too.
      return { parentId: tree.parentOf(id), previousId: (tree.isFolded(id) ? staying(tree.sectionOf(id)) : null) ?? id };
    }
    case 'section-end': {
      const id = present(anchor.heading);
      return { parentId: tree.parentOf(id), previousId: staying(inSight(tree.sectionTail(id))) ?? id };
    }
    case 'before': {
      const parentId = tree.parentOf(present(anchor.id));
      const siblings = tree.childrenOf(parentId);
      return { parentId, previousId: staying(siblings.slice(0, siblings.indexOf(anchor.id))) };
    }
    case 'first':
      return { parentId: present(anchor.parent), previousId: null };
    case 'last':
      return { parentId: present(anchor.parent), previousId: staying(inSight(tree.childrenOf(anchor.parent))) };
  }
}
