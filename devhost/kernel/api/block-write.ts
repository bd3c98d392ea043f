import { ApiError } from '../api-error.ts';
import type { Kernel } from '../kernel.ts';
import type { Handler, RequestBody, RouteTable } from '../router.ts';
import { transactionOf } from '../transactions/engine.ts';
import type { TransactionData } from '../transactions/operation.ts';
import { ID_PATTERN, type KernelNode, typeAbbreviation, walk } from '../tree/node.ts';
import { blockDOM, blocksDOM, domOfMarkdown, nodesOfDom } from '../tree/render.ts';
import { newParagraph, setId } from '../tree/structure.ts';
import { dailyNote } from './filetree.ts';
import { findInKernel } from './find-block.ts';
import { nodeId, optionalId, text } from './parameters.ts';

const CONTAINER_TYPES = ['d', 'b', 'l', 'i', 's', 'callout'];

/** The `data` of a request as block DOM. Markdown may not bring malformed ids along. */
function domOf(body: RequestBody): string {
  const data = text(body, 'data');
  if (text(body, 'dataType') !== 'markdown') return data;
  const dom = domOfMarkdown(data, true) || blockDOM(newParagraph());
  for (const node of nodesOfDom(dom)) {
    walk(node, ({ ID: id }) => {
      if (id && !ID_PATTERN.test(id)) throw new ApiError(-1, `data block DOM failed: found invalid ID [${id}]`);
      return undefined;
    });
  }
  return dom;
}

/** Performs, tells all windows, and answers with the transactions as they ended up. */
function run(kernel: Kernel, transaction: TransactionData): TransactionData[] {
  const rootIds = kernel.transactions.perform(transaction);
  kernel.transactions.announce([transaction], 'failed' in rootIds ? [] : rootIds, {});
  return [transaction];
}

function requireContainer(kernel: Kernel, id: string): void {
  const block = kernel.documents.block(id);
  if (!block) throw new ApiError(-1, `parent block not found: ${id}`);
  if (CONTAINER_TYPES.includes(block.type)) return;
  const advice =
    block.type === 'h'
      ? `heading [${id}] is a leaf block and cannot have children; to place a block below this heading, pass previousID=<heading id> or previousID=<last block below the heading> instead of parentID`
      : `block [${id}] type "${block.type}" is a leaf block and cannot have children; use previousID to place the block as its sibling instead`;
  throw new ApiError(-1, advice);
}

function insertInto(action: 'appendInsert' | 'prependInsert'): Handler {
  return (body, { kernel }) => {
    text(body, 'data');
    const parentID = nodeId(body, 'parentID');
    requireContainer(kernel, parentID);
    return run(kernel, transactionOf({ action, data: domOf(body), parentID }));
  };
}

function insertIntoToday(action: 'appendInsert' | 'prependInsert'): Handler {
  return (body, { kernel }) => {
    const data = domOf(body);
    return run(kernel, transactionOf({ action, data, parentID: dailyNote(kernel, nodeId(body, 'notebook')) }));
  };
}

function replaceDocument(kernel: Kernel, id: string, data: string): TransactionData[] {
  const children = kernel.documents.load(id)?.root.Children ?? [];
  const deletes = children.map((n) => ({ action: 'delete', id: n.ID, data: { createEmptyParagraph: false } }));
  return run(kernel, transactionOf(...deletes, { action: 'appendInsert', data, parentID: id }));
}

/** The kernel turns a list that is to become one item into its first item. */
function updatedNodes(nodes: readonly KernelNode[], type: string): KernelNode[] {
  const [first, ...rest] = nodes;
  if (type !== 'i' || first?.Type !== 'NodeList') return [...nodes];
  const item = first.Children?.[0];
  return item ? [...rest, item] : rest;
}

/** `lockType` of 3.8: the block stays of its type; an empty paragraph may become anything. */
function requireType(kernel: Kernel, id: string, updated: KernelNode | undefined): void {
  const standing = findInKernel(kernel, id)?.node;
  const isEmpty = standing?.Type === 'NodeParagraph' && !standing.Children?.length;
  if (!isEmpty && standing?.Type !== updated?.Type) throw new ApiError(-1, `block [${id}] would become another type of block`);
}

export const blockWriteRoutes: RouteTable = {
  '/api/block/appendBlock': { writes: true, handle: insertInto('appendInsert') },
  '/api/block/prependBlock': { writes: true, handle: insertInto('prependInsert') },
  '/api/block/appendDailyNoteBlock': { writes: true, handle: insertIntoToday('appendInsert') },
  '/api/block/prependDailyNoteBlock': { writes: true, handle: insertIntoToday('prependInsert') },

  '/api/block/insertBlock': {
    writes: true,
    handle: (body, { kernel }) => {
      const [parentID, previousID, nextID] = ['parentID', 'previousID', 'nextID'].map((key) => optionalId(body, key));
      if (parentID && !previousID && !nextID) requireContainer(kernel, parentID);
      return run(kernel, transactionOf({ action: 'insert', data: domOf(body), parentID, previousID, nextID }));
    },
  },

  '/api/block/updateBlock': {
    writes: true,
    handle: (body, { kernel }) => {
      text(body, 'data');
      const id = nodeId(body, 'id');
      const dom = domOf(body);
      const nodes = nodesOfDom(dom);
      if (nodes.length === 0) throw new ApiError(-1, 'parse tree failed');
      const block = kernel.documents.block(id);
      if (!block) throw new ApiError(-1, 'get block failed: tree not found');
      if (block.type === typeAbbreviation('NodeDocument')) return replaceDocument(kernel, id, dom);
      const updated = updatedNodes(nodes, block.type);
      if (kernel.isNewer && body.lockType === true) requireType(kernel, id, updated[0]);
      const first = updated[0] ?? newParagraph(id);
      setId(first, id);
      const data = blocksDOM([first, ...updated.slice(1)]);
      return run(kernel, transactionOf({ action: 'update', id, data }));
    },
  },

  // The one write that the kernel answers before it is done.
  '/api/block/deleteBlock': {
    writes: true,
    handle: (body, { kernel }) => {
      const transaction = transactionOf({ action: 'delete', id: nodeId(body, 'id') });
      kernel.transactions.enqueue(transaction);
      return [transaction];
    },
  },

  '/api/block/moveBlock': {
    writes: true,
    handle: (body, { kernel }) => {
      const id = nodeId(body, 'id');
      const source = kernel.documents.block(id);
      if (!source) throw new ApiError(-1, `block not found [id=${id}]`);
      const [parentID = '', previousID = ''] = ['parentID', 'previousID'].map((key) => optionalId(body, key));
      const previous = kernel.documents.block(previousID);
      if (previousID && (!previous || previous.type === 'd')) throw new ApiError(-1, '`previousID` can not be the ID of a document');
      const target = previous ?? kernel.documents.block(parentID);
      if (!target) throw new ApiError(-1, `target block not found [id=${parentID}]`);
      if (!previousID) requireContainer(kernel, parentID);
      kernel.transactions.perform(transactionOf({ action: 'move', id, previousID, parentID }));
      for (const rootId of new Set([source.rootId, target.rootId]))
        kernel.pushes.push({ cmd: 'reload', data: rootId }, { type: 'protyle' });
      return null;
    },
  },
};
