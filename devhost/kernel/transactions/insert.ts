import type { WorkingViews } from '../databases/working-views.ts';
import { isContainer } from '../tree/content.ts';
import { append, appendBlocks, insertAfter, insertBefore, parentOf, prependBlocks } from '../tree/edit.ts';
import { ID_PATTERN, type KernelNode } from '../tree/node.ts';
import { nodesOfDom } from '../tree/render.ts';
import { completeUpdated, headingChildren, isHeading, removeAttributes, setId } from '../tree/structure.ts';
import { newId } from '../tree/time.ts';
import type { Operation } from './operation.ts';
import { blankUnknownReferences } from './references.ts';
import type { Located, WorkingTrees } from './working-trees.ts';

/** Why a transaction was rolled back. `message` is what the kernel pushes to its windows. */
export interface TransactionFailure {
  readonly message: string;
  readonly id: string;
}

export const notFound = (id: string): TransactionFailure => ({ message: 'Transaction failed: block not found', id });

/** What an operation asks for beyond its documents: of the windows, of the decks, and of databases. */
export interface Effects {
  reload: boolean;
  readonly views: WorkingViews;
  readonly cards: { readonly isAdding: boolean; readonly deckId: string; readonly blockIds: readonly string[] }[];
}

/** The caret mark of the editor never reaches a file. */
export const withoutCaret = (dom: string): string => dom.replaceAll('<wbr>', '').replaceAll('‸', '');

function blocksOf(operation: Operation, trees: WorkingTrees): KernelNode[] {
  const nodes = typeof operation.data === 'string' ? nodesOfDom(withoutCaret(operation.data)) : [];
  for (const node of nodes) if (!ID_PATTERN.test(node.ID ?? '')) setId(node, newId());
  blankUnknownReferences(nodes, trees);
  return nodes;
}

/** A copy of a block is in no database and in no card deck. */
function dropBindings(node: KernelNode): void {
  removeAttributes(
    node,
    (name) => ['custom-avs', 'av-names', 'custom-riff-decks'].includes(name) || name.startsWith('custom-sy-av-s-text'),
  );
}

/** Inside a list only items may stand: of a list that comes in, the first item. */
function asSibling(root: KernelNode, sibling: KernelNode, node: KernelNode): KernelNode {
  if (node.Type !== 'NodeList' || parentOf(root, sibling)?.parent.Type !== 'NodeList') return node;
  return node.Children?.[0] ?? node;
}

/** The last block that is hidden below a folded heading, else the block itself. */
function behindFold(target: Located): KernelNode {
  if (!isHeading(target.node) || target.node.Properties?.fold !== '1' || !target.parent) return target.node;
  return headingChildren(target.parent, target.index).at(-1) ?? target.node;
}

function place(target: Located, operation: Operation, first: KernelNode, rest: KernelNode[]): KernelNode {
  const { root } = target.document;
  if (operation.nextID !== '') {
    const node = asSibling(root, target.node, first);
    insertBefore(root, target.node, node, ...rest);
    return node;
  }
  if (operation.previousID !== '') {
    const after = behindFold(target);
    const node = asSibling(root, after, first);
    insertAfter(root, after, node, ...rest);
    return node;
  }
  const item = first.Type === 'NodeList' ? first.Children?.[0] : undefined;
  const node = item && item.ID === operation.id && operation.id !== first.ID ? item : first;
  if (isContainer(target.node)) prependBlocks(target.node, node, ...rest);
  else insertAfter(root, target.node, node, ...rest);
  return node;
}

/** `insert`: before `nextID`, after `previousID`, or as the first child of `parentID`. No known target: skipped, and windows reload. */
export function insert(operation: Operation, trees: WorkingTrees, effects: Effects): TransactionFailure | undefined {
  if (![operation.parentID, operation.previousID, operation.nextID].some((id) => trees.locate(id))) {
    effects.reload = true;
    return undefined;
  }
  const targetId = operation.nextID || operation.previousID || operation.parentID;
  const target = trees.locate(targetId);
  if (!target) return notFound(targetId);
  const [first, ...rest] = blocksOf(operation, trees);
  if (!first) return { message: 'invalid data tree', id: operation.id };
  const inserted = place(target, operation, first, rest);
  completeUpdated(target.document.root, inserted);
  dropBindings(inserted);
  operation.id = inserted.ID ?? '';
  operation.parentID = parentOf(target.document.root, inserted)?.parent.ID ?? '';
  return undefined;
}

function listItems(list: KernelNode, node: KernelNode): KernelNode[] {
  if (node.Type === 'NodeList') return node.Children ?? [];
  const item: KernelNode = { Type: 'NodeListItem', ListData: list.ListData, Children: [node] };
  setId(item, newId());
  return [item];
}

/** `appendInsert` and `prependInsert`: all blocks of the data at the end or the beginning of `parentID`; becomes an `insert`. */
export function insertInto(operation: Operation, trees: WorkingTrees, effects: Effects): TransactionFailure | undefined {
  const target = trees.locate(operation.parentID);
  if (!target) {
    effects.reload = true;
    return undefined;
  }
  const blocks = blocksOf(operation, trees);
  const first = blocks[0];
  if (!first) return { message: 'invalid data tree', id: operation.parentID };
  const { node } = target;
  const { root } = target.document;
  const atEnd = operation.action === 'appendInsert';
  if (node.Type === 'NodeList') {
    const items = blocks.flatMap((block) => listItems(node, block));
    if (atEnd) append(node, ...items);
    else node.Children = [...items, ...(node.Children ?? [])];
  } else if (isContainer(node)) {
    if (atEnd) appendBlocks(node, ...blocks);
    else prependBlocks(node, ...blocks);
  } else {
    const below = atEnd && isHeading(node) && target.parent ? headingChildren(target.parent, target.index).at(-1) : undefined;
    insertAfter(root, below ?? node, ...blocks);
  }
  for (const block of blocks) completeUpdated(root, block);
  finishInto(operation, root, first);
  return undefined;
}

function finishInto(operation: Operation, root: KernelNode, first: KernelNode): void {
  operation.action = 'insert';
  operation.id = first.ID ?? '';
  const standing = parentOf(root, first);
  // A list that gave its items away is nowhere itself; the kernel answers with empty ids then.
  operation.parentID = standing?.parent.ID ?? '';
  const previous = standing?.parent.Children?.[standing.index - 1];
  if (previous?.ID) operation.previousID = previous.ID;
}
