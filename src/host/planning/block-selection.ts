import { ToolError } from '../../tools/contract/errors.ts';
import type { ChangePlan } from '../../tools/contract/plans.ts';
import type { NotebookInfo } from '../../tools/contract/ports.ts';
import { allBlocks, parseBlock } from '../blocks/block-dom.ts';
import { hashOfBlock } from '../blocks/block-hash.ts';
import { noSuchBlock } from '../kernel/not-found.ts';
import { type BlockTree, loadTree } from '../tree/block-tree.ts';
import { isGuardedElement } from '../tree/document-tree.ts';
import type { ChangePlannerDeps } from './plan-draft.ts';

/** Blocks of one notebook that a plan is about, found and allowed to be read. */
export interface BlockSelection {
  /** As given, each once. */
  readonly ids: readonly string[];
  readonly notebook: NotebookInfo;
  /** Documents that hold them, by id. */
  readonly documents: ReadonlyMap<string, ChangePlan['document']>;
  readonly tree: BlockTree;
}

const MAX_IDS = 200;

function checkIds(ids: readonly string[]): string[] {
  const unique = [...new Set(ids.map((id) => id.trim()))];
  if (unique.length === 0) throw new ToolError('bad_id', 'no block was named', 'give at least one block id');
  if (unique.length > MAX_IDS)
    throw new ToolError('too_large', `${unique.length} blocks are too many for one change`, `give at most ${MAX_IDS} ids a call`);
  return unique;
}

/**
 * Finds blocks by their ids, together with further documents that the plan needs. Rejects with `bad_id` for documents, `bad_target` for
 * blocks of several notebooks, `not_found` for what the user keeps back.
 */
export async function selectBlocks(
  deps: Pick<ChangePlannerDeps, 'access' | 'routes'>,
  request: { readonly ids: readonly string[]; readonly also?: readonly string[]; readonly useForDocument: string },
  signal: AbortSignal,
): Promise<BlockSelection> {
  const { access, routes } = deps;
  const ids = checkIds(request.ids);
  const documents = new Map<string, ChangePlan['document']>();
  let notebookId: string | undefined;
  for (const id of [...ids, ...(request.also ?? [])]) {
    const where = await access.locate(id, 'read', signal);
    if (id === where.documentId && ids.includes(id)) throw new ToolError('bad_id', `${id} is a document`, request.useForDocument);
    notebookId ??= where.notebook.id;
    if (where.notebook.id !== notebookId) {
      throw new ToolError(
        'bad_target',
        'the blocks are in different notebooks',
        'make one call for each notebook; blocks do not move between notebooks',
      );
    }
    if (documents.has(where.documentId)) continue;
    const path = await routes.pathOf(where.documentId, signal);
    documents.set(where.documentId, { id: where.documentId, title: where.documentTitle, path });
  }
  const notebook = await access.requireNotebook(notebookId ?? '', 'read', signal);
  const tree = await loadTree(routes, documents.keys(), signal);
  for (const id of [...ids, ...(request.also ?? [])]) {
    if (!tree.has(id) || tree.isGuarded(id)) throw noSuchBlock(id);
  }
  return { ids, notebook, documents, tree };
}

/** The DOM of a block that goes or moves as a whole; rejects with `no_right` where a part of it is kept back. */
export function wholeBlock(dom: string | undefined, id: string): { readonly dom: string; readonly hash: string } {
  const block = parseBlock(dom ?? '');
  if (dom === undefined || !block) throw new ToolError('not_found', `block ${id} is no longer there`, 'read the document again');
  if (allBlocks(block).some(isGuardedElement)) {
    throw new ToolError('no_right', `a part of block ${id} is kept from the assistant`, 'leave this block where it is');
  }
  return { dom, hash: hashOfBlock(dom) };
}
