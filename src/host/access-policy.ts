import { ToolError } from '../tools/errors.ts';
import type { ApprovedPlan } from '../tools/plans.ts';
import type { NotebookInfo, NotebookRight } from '../tools/ports.ts';
import { isGuarded } from './access-attribute.ts';
import { isBlockId } from './block-dom.ts';
import { KernelRefusal } from './kernel-client.ts';
import type { KernelRoutes } from './kernel-routes.ts';
import { createReadableBlocks, type DocumentRights, type IndexedBlock, type IndexState, type ReadableBlocks } from './readable-blocks.ts';

export { ACCESS_ATTRIBUTE } from './access-attribute.ts';

/** What the user allows in each notebook (TOOLS.md): none < read < write < delete; read where nothing is set. */
export interface AccessPolicy {
  right(notebook: string): NotebookRight;
  rights(): Readonly<Record<string, NotebookRight>>;
  setRight(notebook: string, right: NotebookRight): void;
  /** "Allow writing in <notebook>": raises to that right; a notebook at `none`, or one that has it already, stays as it is. */
  raise(notebook: string, right: NotebookRight): void;
  /** Called after every change; returns the way to stop. */
  subscribe(listener: () => void): () => void;
}

const ORDER: readonly NotebookRight[] = ['none', 'read', 'write', 'delete'];
export const allows = (has: NotebookRight, needs: NotebookRight): boolean => ORDER.indexOf(has) >= ORDER.indexOf(needs);

export function createAccessPolicy(initial: Readonly<Record<string, NotebookRight>> = {}): AccessPolicy {
  const rights = new Map(Object.entries(initial));
  const listeners = new Set<() => void>();
  const right = (notebook: string): NotebookRight => rights.get(notebook) ?? 'read';
  const setRight = (notebook: string, value: NotebookRight): void => {
    rights.set(notebook, value);
    for (const listener of listeners) listener();
  };
  return {
    right,
    rights: () => Object.fromEntries(rights),
    setRight,
    raise: (notebook, wanted) => {
      if (right(notebook) !== 'none' && !allows(right(notebook), wanted)) setRight(notebook, wanted);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Where a block lives. `documentPath` is the kernel's path of ids, "/<parent>/<document>.sy". */
export interface BlockPlace {
  readonly id: string;
  readonly notebook: { readonly id: string; readonly name: string };
  readonly documentId: string;
  readonly documentTitle: string;
  readonly documentPath: string;
}

/** A right that a person gave for one write, beyond what its notebook has. A notebook at `none` stays there. */
export interface OneTimeGrant {
  readonly notebook: string;
  readonly right: NotebookRight;
}

/** What of it was given with an approval. */
export function grantOf({ plan, grantedRight }: ApprovedPlan): OneTimeGrant | undefined {
  return grantedRight === undefined ? undefined : { notebook: plan.notebook.id, right: grantedRight };
}

/** The rights of notebook, document and block, asked of the kernel at every use, so that a change counts at once. */
export interface Access extends ReadableBlocks, DocumentRights {
  /** Rejects with `not_found`, `encrypted_notebook`, `no_right` or, unless `closedToo`, `closed_notebook`. */
  requireNotebook(id: string, need: NotebookRight, signal: AbortSignal, options?: NotebookOptions): Promise<NotebookInfo>;
  /** Finds a block and checks notebook and documents above it. Rejects with `bad_id`, `not_found` or `no_right`. */
  locate(id: string, need: NotebookRight, signal: AbortSignal, grant?: OneTimeGrant): Promise<BlockPlace>;
}

interface NotebookOptions {
  readonly closedToo?: boolean;
  readonly grant?: OneTimeGrant | undefined;
}

const documentIdsOf = (path: string): string[] =>
  path
    .split('/')
    .map((part) => part.replace(/\.sy$/, ''))
    .filter(isBlockId);

class KernelAccess implements Access {
  private readonly routes: KernelRoutes;
  private readonly policy: AccessPolicy;
  /** As the kernel last listed them. */
  private readonly encrypted = new Set<string>();
  private readonly readable: ReadableBlocks;

  constructor(routes: KernelRoutes, policy: AccessPolicy) {
    this.routes = routes;
    this.policy = policy;
    this.readable = createReadableBlocks(routes, this);
  }

  look(ids: readonly string[], signal: AbortSignal, index?: IndexState): Promise<ReadonlyMap<string, IndexedBlock>> {
    return this.readable.look(ids, signal, index);
  }

  hasGuards(signal: AbortSignal, index?: IndexState): Promise<boolean> {
    return this.readable.hasGuards(signal, index);
  }

  documentsWithGuards(documentIds: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    return this.readable.documentsWithGuards(documentIds, signal);
  }

  async notebooks(signal: AbortSignal): Promise<readonly NotebookInfo[]> {
    const all = await this.routes.notebooks(signal);
    return all.map((each) => {
      if (each.encrypted) this.encrypted.add(each.id);
      else this.encrypted.delete(each.id);
      return { id: each.id, name: each.name, open: !each.closed, right: each.encrypted ? 'none' : this.policy.right(each.id) };
    });
  }

  async requireNotebook(
    id: string,
    need: NotebookRight,
    signal: AbortSignal,
    { closedToo, grant }: NotebookOptions = {},
  ): Promise<NotebookInfo> {
    const found = (await this.notebooks(signal)).find((each) => each.id === id);
    if (!found) throw new ToolError('not_found', `there is no notebook ${id}`, 'call list_notebooks for the ids');
    if (this.encrypted.has(id))
      throw new ToolError('encrypted_notebook', `"${found.name}" is encrypted`, 'leave it alone and tell the user');
    const granted = grant?.notebook === id && allows(grant.right, need);
    if (!allows(found.right, found.right === 'none' || granted ? 'read' : need)) {
      const hidden = found.right === 'none';
      throw new ToolError(
        'no_right',
        hidden
          ? 'this notebook is closed to the assistant'
          : `"${found.name}" may only be ${found.right === 'write' ? 'read and written' : 'read'}`,
        hidden
          ? 'work without it, or ask the user to open it'
          : `ask the user to allow ${need === 'delete' ? 'deleting' : 'writing'} in it`,
      );
    }
    if (!found.open && !closedToo)
      throw new ToolError('closed_notebook', `"${found.name}" is closed`, 'ask the user to open it, then try again');
    return found;
  }

  async guardedDocuments(notebook: string, paths: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    const ids = [...new Set([notebook, ...paths.flatMap(documentIdsOf)])];
    const attributes = await this.routes.attributesOf(ids, signal);
    const guardedIds = new Set(ids.filter((id) => isGuarded(attributes[id])));
    if (guardedIds.has(notebook)) return new Set(paths);
    return new Set(paths.filter((path) => documentIdsOf(path).some((id) => guardedIds.has(id))));
  }

  async locate(id: string, need: NotebookRight, signal: AbortSignal, grant?: OneTimeGrant): Promise<BlockPlace> {
    if (!isBlockId(id))
      throw new ToolError('bad_id', `"${id}" is no block id`, 'use an id that a read or search tool gave, like 20240131120000-abc1234');
    let info: Awaited<ReturnType<KernelRoutes['blockInfo']>>;
    try {
      info = await this.routes.blockInfo(id, signal);
    } catch (error) {
      if (!(error instanceof KernelRefusal) || error.code === 'read_only') throw error;
      if (error.kernelCode === 3) throw new ToolError('kernel_refused', 'SiYuan is still indexing', 'wait a little, then try again');
      throw new ToolError(
        'not_found',
        `there is no block ${id}, or its notebook is closed`,
        'search again for the block',
        error.kernelMessage,
      );
    }
    const notebook = await this.requireNotebook(info.box, need, signal, { grant });
    // In 3.7.3 a notebook has a page of its own id, a document to every route (recorded/notebook-removal): it is none of the user's.
    if (id === info.box)
      throw new ToolError('bad_id', `${id} is a notebook`, 'give the id of a document or block; list_docs tells those in it');
    if ((await this.guardedDocuments(info.box, [info.path], signal)).size > 0) {
      throw new ToolError('no_right', 'the user keeps this document from the assistant', 'work without it');
    }
    return {
      id,
      notebook: { id: notebook.id, name: notebook.name },
      documentId: info.rootID,
      documentTitle: info.rootTitle,
      documentPath: info.path,
    };
  }
}

export function createAccess(routes: KernelRoutes, policy: AccessPolicy): Access {
  return new KernelAccess(routes, policy);
}
