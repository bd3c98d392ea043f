import { allBlocks, type BlockElement, blockId, blockType, findBlock, isContainer, parseBlock, serializeBlock } from './block-dom.ts';
import { KEPT_ATTRIBUTE } from './block-hash.ts';
import type { ForeignOperation } from './push-log.ts';

function put(target: BlockElement, fresh: BlockElement, offset: 0 | 1): void {
  const siblings = target.parent?.children;
  if (!siblings) return;
  fresh.parent = target.parent;
  siblings.splice(siblings.indexOf(target) + offset, 1 - offset, fresh);
}

function insert(root: BlockElement, operation: ForeignOperation, fresh: BlockElement): void {
  const previous = operation.previousID === '' ? undefined : findBlock([root], operation.previousID);
  if (previous && previous.parents.length > 0) {
    put(previous.block, fresh, 1);
    return;
  }
  const parent = previous ? undefined : findBlock([root], operation.parentID);
  if (!parent || !isContainer(blockType(parent.block))) return;
  fresh.parent = parent.block;
  parent.block.children.unshift(fresh);
}

function play(root: BlockElement, operation: ForeignOperation): BlockElement {
  const fresh = parseBlock(operation.data);
  const found = findBlock([root], operation.id);
  if (operation.action === 'update' && fresh && found) {
    if (found.block === root) return fresh;
    put(found.block, fresh, 0);
  } else if (operation.attributes && found) {
    for (const name of Object.keys(found.block.attribs)) if (KEPT_ATTRIBUTE.test(name)) delete found.block.attribs[name];
    for (const [name, value] of Object.entries(operation.attributes)) if (KEPT_ATTRIBUTE.test(name)) found.block.attribs[name] = value;
  } else if (operation.action === 'delete' && found && found.block !== root) {
    const siblings = found.block.parent?.children;
    siblings?.splice(siblings.indexOf(found.block), 1);
  } else if (operation.action === 'insert' && fresh && !found) insert(root, operation, fresh);
  return root;
}

/**
 * What stood in truth when a block was written over or deleted: what we had read, and what somebody wrote in the last moment, which the
 * kernel tells everybody. So nothing that was typed is lost: the journal keeps it, and undo brings it back.
 */
export function withSlipped(dom: string, operations: readonly ForeignOperation[]): string {
  const root = parseBlock(dom);
  return root ? serializeBlock(operations.reduce(play, root)) : dom;
}

/** The block without some of those in it, which went elsewhere. */
export function withoutBlocks(dom: string, ids: ReadonlySet<string>): string {
  const root = parseBlock(dom);
  if (!root) return dom;
  for (const block of allBlocks(root).slice(1)) {
    const siblings = ids.has(blockId(block)) ? block.parent?.children : undefined;
    siblings?.splice(siblings.indexOf(block), 1);
  }
  return serializeBlock(root);
}
