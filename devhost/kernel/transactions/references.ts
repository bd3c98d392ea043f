import { type KernelNode, markTypes, textOf, walk } from '../tree/node.ts';
import type { WorkingTrees } from './working-trees.ts';

/** References to ids that do not exist lose their id on the way in: kramdown shows `(( 'x'))` (tests/contract/recorded/references.json). */
export function blankUnknownReferences(nodes: readonly KernelNode[], trees: Pick<WorkingTrees, 'knows'>): void {
  const own = new Set<string>();
  for (const node of nodes) {
    walk(node, (n) => {
      if (n.ID) own.add(n.ID);
      return undefined;
    });
  }
  for (const node of nodes) {
    walk(node, (n) => {
      if (n.Type !== 'NodeTextMark' || !markTypes(n).includes('block-ref')) return undefined;
      const id = textOf(n, 'TextMarkBlockRefID');
      if (id === '' || own.has(id) || trees.knows(id)) return undefined;
      n.TextMarkBlockRefID = '';
      n.TextMarkBlockRefSubtype = '';
      n.TextMarkTextContent = textOf(n, 'TextMarkTextContent').trim();
      return undefined;
    });
  }
}
