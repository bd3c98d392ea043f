import { type KernelNode, walk } from './node.ts';
import { newParagraph, setId } from './structure.ts';
import { newId } from './time.ts';

const TASKS = 3;
const listKind = (node: KernelNode): number | undefined => (node.ListData as { Typ?: number } | undefined)?.Typ;

/** Below this many children, their markers counted, the kernel takes a container for empty and leaves it out of what it reads. */
const FEWEST: Readonly<Record<string, number>> = { NodeList: 1, NodeListItem: 1, NodeBlockquote: 2, NodeSuperBlock: 4 };

export const isEmptied = (node: KernelNode): boolean => (node.Children?.length ?? 0) < (FEWEST[node.Type] ?? 0);

function dropEmptied(node: KernelNode): void {
  if (!node.Children) return;
  node.Children = node.Children.filter((child) => !isEmptied(child));
  node.Children.forEach(dropEmptied);
}

/** Blocks that share an id: the first keeps it, later ones get a new one each time the document is read, until it is written. */
function separateTwins(root: KernelNode): void {
  const seen = new Set<string>();
  walk(root, (node) => {
    if (!node.ID) return undefined;
    if (seen.has(node.ID)) setId(node, newId());
    seen.add(node.ID ?? '');
    return undefined;
  });
}

/** A list whose first item is a task is a task list. The other way round nothing is put right: it stays one when the task has left. */
function takeTaskKind(root: KernelNode): void {
  walk(root, (node) => {
    const first = node.Type === 'NodeList' ? node.Children?.[0] : undefined;
    if (first && listKind(first) === TASKS) node.ListData = { ...(node.ListData as object), Typ: TASKS };
    return undefined;
  });
}

/** What the kernel puts right whenever it reads a document (the dataparser module's `ParseJSON`); the file stays until it is written. */
export function mendTree(root: KernelNode): void {
  dropEmptied(root);
  if (root.Children?.length === 0) root.Children = [newParagraph()];
  separateTwins(root);
  takeTaskKind(root);
}
