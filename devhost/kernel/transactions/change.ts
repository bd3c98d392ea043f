import { applyAttributes } from '../tree/attributes.ts';
import { isContainer } from '../tree/content.ts';
import { append, detach, insertAfter, insertBefore, parentOf, prependBlocks } from '../tree/edit.ts';
import { type KernelNode, markTypes, textOf, walk } from '../tree/node.ts';
import { blocksDOM, nodesOfDom } from '../tree/render.ts';
import { completeUpdated, headingChildren, isHeading, newParagraph, refreshUpdated } from '../tree/structure.ts';
import { notFound, type TransactionFailure, withoutCaret } from './insert.ts';
import type { Operation } from './operation.ts';
import { blankUnknownReferences } from './references.ts';
import type { Located, WorkingTrees } from './working-trees.ts';

/** Inline formulas that hold nothing are dropped on the way in. */
function dropEmptyFormulas(node: KernelNode): void {
  walk(node, (n) => {
    n.Children &&= n.Children.filter(
      (c) => !(c.Type === 'NodeTextMark' && markTypes(c).includes('inline-math') && textOf(c, 'TextMarkInlineMathContent').trim() === ''),
    );
    return undefined;
  });
}

/**
 * A container's new version gets what folded headings in the old one hide, right behind those headings: an editor does not send it. What
 * the new version holds of it is there twice then.
 */
function keepFolded(old: KernelNode, updated: KernelNode): void {
  const isFolded = (node: KernelNode): boolean => isHeading(node) && node.Properties?.fold === '1';
  const hidden = new Map<string, KernelNode[]>();
  if (!isContainer(old)) return;
  walk(old, (node, parent, index) => {
    if (parent && isFolded(node)) hidden.set(node.ID ?? '', headingChildren(parent, index));
    return undefined;
  });
  const places: { readonly parent: KernelNode; readonly node: KernelNode }[] = [];
  walk(updated, (node, parent) => {
    if (parent && isFolded(node)) places.push({ parent, node });
    return undefined;
  });
  for (const { parent, node } of places) insertAfter(parent, node, ...(hidden.get(node.ID ?? '') ?? []));
}

/** `update`: the first block of the data takes the place of the block; attributes that the data lacks are gone. */
export function update(operation: Operation, trees: WorkingTrees): TransactionFailure | undefined {
  const dom = typeof operation.data === 'string' ? withoutCaret(operation.data) : '';
  if (dom === '') return { message: 'update data is invalid', id: operation.id };
  const target = trees.locate(operation.id);
  if (!target?.parent) return notFound(operation.id);
  let updated = nodesOfDom(dom)[0];
  if (updated?.Type === 'NodeList' && target.parent.Type === 'NodeList') updated = updated.Children?.[0];
  if (!updated) return notFound(operation.id);
  dropEmptyFormulas(updated);
  blankUnknownReferences([updated], trees);
  if (updated.Type === 'NodeHTMLBlock') {
    const lines = (updated.Data ?? '').split('\n').filter((line) => line.trim() !== '');
    updated.Data = lines.join('\n');
  }
  keepFolded(target.node, updated);
  target.parent.Children?.splice(target.index, 1, updated);
  completeUpdated(target.document.root, updated);
  return undefined;
}

/** `delete`: a missing block is no error. A list item that lost everything keeps an empty paragraph; other containers go when they are read. */
export function remove(operation: Operation, trees: WorkingTrees, all: readonly Operation[]): undefined {
  const target = trees.locate(operation.id);
  if (!target?.parent) return undefined;
  detach(target.document.root, target.node);
  const { parent } = target;
  const empty = !parent.Children?.length;
  if (empty && parent.Type === 'NodeTabs') Object.assign(parent, newParagraph(parent.ID), { Children: [] });
  const refilled = all.some((o) => o.action === 'insert' && o.parentID === parent.ID);
  if (empty && parent.Type === 'NodeListItem' && !refilled) append(parent, newParagraph());
  return undefined;
}

/** A folded heading takes what it hides along; blocks that came into its section since are not hidden. */
function hiddenBlocks(source: Located): KernelNode[] {
  if (!isHeading(source.node) || source.node.Properties?.fold !== '1' || !source.parent) return [];
  return headingChildren(source.parent, source.index).filter((node) => node.Properties?.['heading-fold'] === '1');
}

/** `move`: before `nextID` (3.8), after `previousID`, or as the first child of `parentID`; across documents too. */
export function move(operation: Operation, trees: WorkingTrees): TransactionFailure | undefined {
  const source = trees.locate(operation.id);
  if (!source) return notFound(operation.id);
  const targetId = operation.nextID || operation.previousID || operation.parentID;
  if (targetId === operation.id) return undefined;
  const target = trees.locate(targetId);
  if (!target) return notFound(targetId);
  const hidden = hiddenBlocks(source);
  // After a folded heading means after what it hides.
  const after = operation.nextID !== '' || operation.previousID === '' ? target.node : (hiddenBlocks(target).at(-1) ?? target.node);
  if (after === source.node || hidden.includes(after) || parentOf(source.node, target.node)) return undefined;
  const { root } = source.document;
  detach(root, source.node);
  for (const node of hidden) detach(root, node);
  if (operation.nextID !== '') insertBefore(target.document.root, after, source.node, ...hidden);
  else if (operation.previousID !== '') insertAfter(target.document.root, after, source.node, ...hidden);
  else prependBlocks(target.node, source.node, ...hidden);
  refreshUpdated(target.document.root, source.node);
  refreshUpdated(root, root);
  return undefined;
}

/** `append`: moves a block to the end of the document of `parentID`. */
export function appendMove(operation: Operation, trees: WorkingTrees): TransactionFailure | undefined {
  const source = trees.locate(operation.id);
  const target = trees.locate(operation.parentID);
  if (!source) return notFound(operation.id);
  if (!target) return notFound(operation.parentID);
  if (!source.parent) return undefined;
  detach(source.document.root, source.node);
  append(target.document.root, source.node);
  return undefined;
}

/** `setAttrs`: the data is JSON text of names and values, as the editor sends it. */
export function setAttributes(operation: Operation, trees: WorkingTrees): TransactionFailure | undefined {
  const target = trees.locate(operation.id);
  if (!target) return notFound(operation.id);
  let values: Record<string, string>;
  try {
    values = JSON.parse(String(operation.data)) as Record<string, string>;
  } catch (error) {
    return { message: `bad attributes: ${error instanceof Error ? error.message : String(error)}`, id: operation.id };
  }
  const problem = applyAttributes(target.node, values);
  return problem === undefined ? undefined : { message: problem, id: operation.id };
}

/**
 * `foldHeading` and `unfoldHeading`: the heading and what is below it carry the fold. The answer names the blocks that are hidden now,
 * or holds the DOM of those that are shown again (recorded/outline).
 */
export function foldHeading(operation: Operation, trees: WorkingTrees): TransactionFailure | undefined {
  const target = trees.locate(operation.id);
  if (!target?.parent) return notFound(operation.id);
  const fold = operation.action === 'foldHeading' ? '1' : '';
  applyAttributes(target.node, { fold });
  const below = headingChildren(target.parent, target.index);
  for (const child of below) {
    walk(child, (node) => {
      if (node.ID) applyAttributes(node, { fold, 'heading-fold': fold });
      return undefined;
    });
  }
  operation.retData = fold === '1' ? below.map((child) => child.ID) : blocksDOM(below);
  return undefined;
}
