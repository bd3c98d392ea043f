import { allBlocks, type BlockElement, blockId, childBlocks, parseBlock, serializeBlock } from '../blocks/block-dom.ts';
import { numberOf, setNumber } from '../blocks/list-numbers.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { isGuardedElement } from '../tree/document-tree.ts';
import { refersToAny, unknownReferences } from './lost-references.ts';

/** Ordered lists that gain, lose or move items: SiYuan's editor renumbers them from the first item on, its kernel does not. */
export interface OrderedLists {
  readonly starts: ReadonlyMap<string, number>;
  readonly items: ReadonlyMap<string, BlockElement>;
}

export const NO_LISTS: OrderedLists = { starts: new Map(), items: new Map() };

/** The ordered lists among these blocks. Items that contain guarded blocks, or would lose a reference, keep their number. */
export async function readOrderedLists(routes: KernelRoutes, ids: readonly string[], signal: AbortSignal): Promise<OrderedLists> {
  if (ids.length === 0) return NO_LISTS;
  const doms = await routes.doms(ids, signal);
  const unknown = await unknownReferences(routes, Object.values(doms), signal);
  const starts = new Map<string, number>();
  const items = new Map<string, BlockElement>();
  for (const id of ids) {
    const list = parseBlock(doms[id] ?? '');
    const children = list ? childBlocks(list) : [];
    const start = children[0] && numberOf(children[0]);
    if (start === undefined) continue;
    starts.set(id, start);
    for (const item of children) {
      if (!allBlocks(item).some(isGuardedElement) && !refersToAny(serializeBlock(item), unknown)) items.set(blockId(item), item);
    }
  }
  return { starts, items };
}

/** The item with another number; undefined if it has that number already. `dom` is one item of an ordered list. */
export function withNumber(dom: string, number: number): string | undefined {
  const item = parseBlock(dom);
  const own = item && numberOf(item);
  if (!item || own === undefined || own === number) return undefined;
  setNumber(item, number);
  return serializeBlock(item);
}

/** Items of these lists whose number changes with the result of `childrenOf`, with the new numbers. */
export function renumbered(lists: OrderedLists, childrenOf: (list: string) => readonly string[]): ReadonlyMap<string, number> {
  const changes = new Map<string, number>();
  for (const [list, start] of lists.starts) {
    for (const [index, id] of childrenOf(list).entries()) {
      const item = lists.items.get(id);
      if (item && numberOf(item) !== start + index) changes.set(id, start + index);
    }
  }
  return changes;
}
