import { isContainer } from '../../tools/contract/block-kinds.ts';
import { allBlocks, type BlockElement, blockId, blockType, findBlock, parseBlock, serializeBlock } from '../blocks/block-dom.ts';
import { hashOfBlock, KEPT_ATTRIBUTE } from '../blocks/block-hash.ts';
import type { HeardOperation } from '../kernel/transaction-log.ts';

function put(target: BlockElement, fresh: BlockElement, offset: 0 | 1): void {
  const siblings = target.parent?.children;
  if (!siblings) return;
  fresh.parent = target.parent;
  siblings.splice(siblings.indexOf(target) + offset, 1 - offset, fresh);
}

function takeOut(block: BlockElement): void {
  const siblings = block.parent?.children;
  siblings?.splice(siblings.indexOf(block), 1);
}

function insert(root: BlockElement, operation: HeardOperation, fresh: BlockElement): void {
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

function replayOperation(root: BlockElement, operation: HeardOperation): BlockElement {
  const fresh = parseBlock(operation.data);
  const found = findBlock([root], operation.id);
  if (operation.action === 'update' && fresh && found) {
    if (found.block === root) return fresh;
    put(found.block, fresh, 0);
  } else if (operation.attributes && found) {
    for (const name of Object.keys(found.block.attribs)) if (KEPT_ATTRIBUTE.test(name)) delete found.block.attribs[name];
    for (const [name, value] of Object.entries(operation.attributes)) if (KEPT_ATTRIBUTE.test(name)) found.block.attribs[name] = value;
  } else if (operation.action === 'delete' && found && found.block !== root) {
    takeOut(found.block);
  } else if (operation.action === 'move' && found && found.block !== root) {
    takeOut(found.block);
    insert(root, operation, found.block);
  } else if (operation.action === 'insert' && fresh && !found) insert(root, operation, fresh);
  return root;
}

function replay(dom: string, operations: readonly HeardOperation[]): string {
  const root = parseBlock(dom);
  return root ? serializeBlock(operations.reduce(replayOperation, root)) : dom;
}

const OVERWRITES: ReadonlySet<string> = new Set(['update', 'delete']);

/** The content of a block at its overwriting, from pushed `operations`, if somebody wrote at the last moment. `left`: left on purpose. */
export function reconstructOverwritten(dom: string, operations: readonly HeardOperation[], left: ReadonlySet<string>): string | undefined {
  const root = parseBlock(dom);
  const ours = operations.findLastIndex((each) => each.own && root && each.id === blockId(root) && OVERWRITES.has(each.action));
  const until = ours < 0 ? operations : operations.slice(0, ours);
  const overwritten = withoutBlocks(replay(dom, until), left);
  const expected = withoutBlocks(
    replay(
      dom,
      until.filter((each) => each.own),
    ),
    left,
  );
  return hashOfBlock(overwritten) === hashOfBlock(expected) ? undefined : overwritten;
}

function withoutBlocks(dom: string, ids: ReadonlySet<string>): string {
  const root = parseBlock(dom);
  if (!root) return dom;
  for (const block of allBlocks(root).slice(1)) if (ids.has(blockId(block))) takeOut(block);
  return serializeBlock(root);
}
