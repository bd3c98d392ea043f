import { ToolError } from '../../tools/contract/errors.ts';
import type { ChangePlan } from '../../tools/contract/plans.ts';
import type { NotebookInfo } from '../../tools/contract/ports.ts';
import type { IndexedBlock } from '../access/readable-blocks.ts';
import { allBlocks, parseBlock } from '../blocks/block-dom.ts';
import { hashOfBlock } from '../blocks/block-hash.ts';
import { noSuchBlock } from '../kernel/not-found.ts';
import { currentDoms } from '../transactions/current-doms.ts';
import type { BlockTree } from '../tree/block-tree.ts';
import { isGuardedElement } from '../tree/document-tree.ts';
import { type Focus, withTree } from '../tree/near-tree.ts';
import type { ChangePlannerDeps } from './plan-draft.ts';

/** Readable blocks of one notebook that a plan is about, with the current documents around them. */
export interface BlockSelection {
  readonly ids: readonly string[];
  readonly notebook: NotebookInfo;
  readonly documents: ReadonlyMap<string, ChangePlan['document']>;
  readonly tree: BlockTree;
}

export interface SelectionRequest {
  readonly ids: readonly string[];
  /** A further block or document that the plan needs but does not change. */
  readonly target?: string;
  readonly useForDocument: string;
}

const MAX_IDS = 200;

function checkIds(ids: readonly string[]): string[] {
  const unique = [...new Set(ids.map((id) => id.trim()))];
  if (unique.length === 0) throw new ToolError('bad_id', 'no block was named', 'give at least one block id');
  if (unique.length > MAX_IDS)
    throw new ToolError('too_large', `${unique.length} blocks are too many for one change`, `give at most ${MAX_IDS} ids a call`);
  return unique;
}

/** The document of a readable block: from the index for many blocks, from the kernel for one that is not indexed. */
async function homeOf(
  { access }: SelectionDeps,
  id: string,
  known: IndexedBlock | undefined,
  signal: AbortSignal,
): Promise<{ readonly notebook: string; readonly documentId: string }> {
  if (known?.readable === false) throw noSuchBlock(id);
  if (known) return known;
  const { notebook, documentId } = await access.locate(id, 'read', signal);
  return { notebook: notebook.id, documentId };
}

type SelectionDeps = Pick<ChangePlannerDeps, 'access' | 'routes'>;

/** Finds blocks and their context for `plan`; rejects with `bad_id` for documents, `bad_target` for several notebooks, `not_found`. */
export async function withBlocks<T>(
  deps: SelectionDeps,
  request: SelectionRequest,
  signal: AbortSignal,
  plan: (chosen: BlockSelection) => Promise<T>,
): Promise<T> {
  const { access, routes } = deps;
  const ids = checkIds(request.ids);
  const { target } = request;
  const all = target === undefined ? ids : [...ids, target];
  const places = await access.look(all, signal);
  const focus = new Map<string, Focus & { ids: string[] }>();
  const documents = new Map<string, ChangePlan['document']>();
  let notebookId: string | undefined;
  for (const id of all) {
    const home = await homeOf(deps, id, places.get(id), signal);
    if (id === home.documentId && ids.includes(id)) throw new ToolError('bad_id', `${id} is a document`, request.useForDocument);
    notebookId ??= home.notebook;
    if (home.notebook !== notebookId) {
      throw new ToolError(
        'bad_target',
        'the blocks are in different notebooks',
        'make one call for each notebook; blocks do not move between notebooks',
      );
    }
    const known = focus.get(home.documentId);
    if (known) known.ids.push(id);
    else
      focus.set(home.documentId, {
        ids: [id],
        headings: true,
        end: target === home.documentId,
        sections: target === undefined ? [] : [target],
      });
    if (documents.has(home.documentId)) continue;
    const where = await access.locate(home.documentId, 'read', signal);
    const path = await routes.pathOf(home.documentId, signal);
    documents.set(home.documentId, { id: home.documentId, title: where.documentTitle, path });
  }
  const notebook = await access.requireNotebook(notebookId ?? '', 'read', signal);
  return withTree(routes, focus, signal, (tree) => {
    for (const id of all) if (!tree.has(id) || tree.isGuarded(id)) throw noSuchBlock(id);
    return plan({ ids, notebook, documents, tree });
  });
}

export function selectedDoms(
  { routes }: Pick<ChangePlannerDeps, 'routes'>,
  tree: BlockTree,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const homes = new Map<string, string[]>();
  for (const id of ids) homes.set(tree.documentOf(id), [...(homes.get(tree.documentOf(id)) ?? []), id]);
  return currentDoms(routes, homes, (id) => tree.lengthOf(id) !== undefined, signal);
}

/** The DOM of a block that is deleted or moved as a whole; rejects with `no_right` if part of it is kept back. */
export function wholeBlock(dom: string | undefined, id: string): { readonly dom: string; readonly hash: string } {
  const block = parseBlock(dom ?? '');
  if (dom === undefined || !block) throw new ToolError('not_found', `block ${id} is no longer there`, 'read the document again');
  if (allBlocks(block).some(isGuardedElement)) {
    throw new ToolError('no_right', `a part of block ${id} is hidden from the model`, 'leave this block where it is');
  }
  return { dom, hash: hashOfBlock(dom) };
}
