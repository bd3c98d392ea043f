import type { Effects, TransactionFailure } from '../transactions/insert.ts';
import type { Operation } from '../transactions/operation.ts';
import type { WorkingTrees } from '../transactions/working-trees.ts';
import { plainAttributes } from '../tree/attributes.ts';
import type { KernelNode } from '../tree/node.ts';
import type { AttributeView, View } from './attribute-view.ts';
import { changeColumns } from './columns.ts';
import { changeRows } from './rows.ts';

/** Which view a database block shows. */
const SHOWN_VIEW = 'custom-sy-av-view';

export function shownView(view: AttributeView, block: KernelNode | undefined, viewId = ''): View | undefined {
  const wanted = viewId || (block && plainAttributes(block)[SHOWN_VIEW]) || view.viewID;
  return view.views.find(({ id }) => id === wanted) ?? view.views[0];
}

const nameOf = (data: unknown): string => String(data).trim().replaceAll('\n', ' ');

/** Undefined for an action that is about no database. */
export function performOnDatabase(
  operation: Operation,
  trees: WorkingTrees,
  { views }: Effects,
): { readonly failure: TransactionFailure | undefined } | undefined {
  const isNaming = operation.action === 'setAttrViewName';
  if (!isNaming && typeof operation.avID !== 'string') return undefined;
  const id = isNaming ? operation.id : String(operation.avID);
  if (!isNaming && id === '') return undefined;
  const view = views.get(id);
  const shown = view && shownView(view, trees.locate(String(operation.blockID))?.node);
  if (!view || !shown) return { failure: { message: 'attribute view not found', id } };
  if (isNaming) {
    view.name = nameOf(operation.data);
    return { failure: undefined };
  }
  const columns = changeColumns(view, shown, operation);
  const outcome = columns === null ? changeRows(view, shown, operation, trees) : columns;
  if (outcome === null) return undefined;
  return { failure: outcome === undefined ? undefined : { message: outcome, id } };
}
