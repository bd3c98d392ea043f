import { encryptedNotebook, ToolError } from '../../tools/contract/errors.ts';
import { allows, existsFor, isSeen, type NotebookRight } from '../../tools/contract/notebook-right.ts';
import type { ApprovedPlan } from '../../tools/contract/plans.ts';
import type { NotebookInfo } from '../../tools/contract/ports.ts';
import { isBlockId } from '../blocks/block-dom.ts';
import { KernelRefusal } from '../kernel/kernel-client.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { noSuchBlock, noSuchNotebook } from '../kernel/not-found.ts';
import { isGuarded } from './access-attribute.ts';
import type { AccessPolicy } from './access-policy.ts';
import { type DocumentScope, documentScope } from './document-scope.ts';
import { notebookList } from './notebook-list.ts';
import { createReadableBlocks, type DocumentRights, type IndexedBlock, type IndexState, type ReadableBlocks } from './readable-blocks.ts';

/** The place of a block. `documentPath` is the kernel's path of ids, "/<parent>/<document>.sy". */
export interface BlockLocation {
  readonly id: string;
  readonly notebook: { readonly id: string; readonly name: string };
  readonly documentId: string;
  readonly documentTitle: string;
  readonly documentPath: string;
}

/** A right that a person granted for one write, beyond the notebook's own. It does not apply to a notebook that is not seen. */
export interface OneTimeGrant {
  readonly notebook: string;
  readonly right: NotebookRight;
}

export function grantOf({ plan, grantedRight }: ApprovedPlan): OneTimeGrant | undefined {
  return grantedRight === undefined ? undefined : { notebook: plan.notebook.id, right: grantedRight };
}

/** The rights of notebook, document and block. They are read from the kernel at every use, so a change takes effect at once. */
export interface Access extends ReadableBlocks, DocumentRights {
  /** Rejects with `not_found` (for one that is not seen, too, unless `need` is `create`), `encrypted_notebook`, `no_right` below `need`, or, unless `closedToo`, `closed_notebook`. */
  requireNotebook(id: string, need: NotebookRight, signal: AbortSignal, options?: NotebookOptions): Promise<NotebookInfo>;
  /** Finds a block and checks its notebook and the documents above it; a hidden block rejects like a missing one, with `not_found`. */
  locate(id: string, need: NotebookRight, signal: AbortSignal, grant?: OneTimeGrant): Promise<BlockLocation>;
  /** The document with this id, or of the block with this id; a guarded document is not found. Rejects like `locate`. */
  locateDocument(id: string, signal: AbortSignal): Promise<BlockLocation>;
  /** Throws `no_right` where only documents further down may be read: nothing is made, moved or copied to the top of the notebook. */
  requireTop(notebook: string): void;
  /** Throws `no_right` where no notebook is to be made, renamed, opened, closed or removed. */
  requireNotebooks(): void;
  /** Ids of notebooks that are closed, encrypted or not seen. A guard on the notebook itself is not checked. */
  closedNotebooks(signal: AbortSignal): Promise<ReadonlySet<string>>;
  documentsAt(notebook: string, path: string, signal: AbortSignal): Promise<DocumentsAtPath>;
  /** As `documentsAt` in a notebook at `read`, whatever its right: for the place of a new note, of which the model learns nothing. */
  unseenAt(notebook: string, path: string, signal: AbortSignal): Promise<readonly string[]>;
}

interface NotebookOptions {
  readonly closedToo?: boolean;
  readonly grant?: OneTimeGrant | undefined;
}

/** SiYuan allows several documents at one path. */
interface DocumentsAtPath {
  readonly readable: readonly string[];
  /** Hidden from the model: shown to the person who approves, never to the model. */
  readonly hidden: number;
}

const documentIdsOf = (path: string): string[] =>
  path
    .split('/')
    .map((part) => part.replace(/\.sy$/, ''))
    .filter(isBlockId);

const outOfScope = (): ToolError =>
  new ToolError(
    'no_right',
    'this chat keeps to some notebooks and notes',
    'write below a note that it may read, or ask the user for a chat that does not',
  );

class KernelAccess implements Access {
  private readonly routes: KernelRoutes;
  private readonly policy: AccessPolicy;
  readonly notebooks: ReturnType<typeof notebookList>;
  readonly scope: DocumentScope;
  private readonly readable: ReadableBlocks;

  constructor(routes: KernelRoutes, policy: AccessPolicy) {
    this.routes = routes;
    this.policy = policy;
    this.notebooks = notebookList(routes, policy);
    this.scope = documentScope(policy);
    this.readable = createReadableBlocks(routes, this);
  }

  look(ids: readonly string[], signal: AbortSignal, index?: IndexState): Promise<ReadonlyMap<string, IndexedBlock>> {
    return this.readable.look(ids, signal, index);
  }

  hasGuards(signal: AbortSignal, index?: IndexState): Promise<boolean> {
    return this.readable.hasGuards(signal, index);
  }

  hidesAnything(signal: AbortSignal): Promise<boolean> {
    return this.readable.hidesAnything(signal);
  }

  countHidden(notebooks: readonly string[], signal: AbortSignal): Promise<number> {
    return this.readable.countHidden(notebooks, signal);
  }

  documentsWithGuards(documentIds: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    return this.readable.documentsWithGuards(documentIds, signal);
  }

  drawnFromHidden(ids: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    return this.readable.drawnFromHidden(ids, signal);
  }

  requireTop(notebook: string): void {
    if (this.scope.obstacle(notebook) !== undefined) throw outOfScope();
  }

  requireNotebooks(): void {
    if (this.policy.within?.()) throw outOfScope();
  }

  async closedNotebooks(signal: AbortSignal): Promise<ReadonlySet<string>> {
    const all = await this.routes.notebooks(signal);
    return new Set(all.filter(({ id, closed, encrypted }) => closed || encrypted || !isSeen(this.policy.right(id))).map(({ id }) => id));
  }

  async requireNotebook(
    id: string,
    need: NotebookRight,
    signal: AbortSignal,
    { closedToo, grant }: NotebookOptions = {},
  ): Promise<NotebookInfo> {
    const found = (await this.notebooks(signal)).find((each) => each.id === id);
    if (found?.encrypted === 'named') throw encryptedNotebook(found.name);
    if (!found || !existsFor(found.right, need)) throw noSuchNotebook(id);
    const granted = grant?.notebook === id && allows(grant.right, need);
    if (!granted && !allows(found.right, need)) {
      throw new ToolError(
        'no_right',
        `"${found.name}" may only be ${found.right === 'write' ? 'read and edited' : 'read'}`,
        `ask the user to allow ${need === 'delete' ? 'deleting' : 'editing'} in it`,
      );
    }
    if (!found.open && !closedToo)
      throw new ToolError('closed_notebook', `"${found.name}" is closed`, 'ask the user to open it, then try again');
    return found;
  }

  async guardedDocuments(notebook: string, paths: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    const above = (path: string): string[] => [notebook, ...documentIdsOf(path)];
    const attributes = await this.routes.attributesOf([...new Set(paths.flatMap(above))], signal);
    return new Set(paths.filter((path) => !this.scope.holds(notebook, path) || above(path).some((id) => isGuarded(attributes[id]))));
  }

  async locate(id: string, need: NotebookRight, signal: AbortSignal, grant?: OneTimeGrant): Promise<BlockLocation> {
    if (!isBlockId(id))
      throw new ToolError('bad_id', `"${id}" is not a block id`, 'use an id that a read or search tool gave, like 20240131120000-abc1234');
    let info: Awaited<ReturnType<KernelRoutes['blockInfo']>>;
    try {
      info = await this.routes.blockInfo(id, signal);
    } catch (error) {
      if (!(error instanceof KernelRefusal) || error.code === 'read_only') throw error;
      // The kernel gives the same code for a deleted document.
      if (error.kernelCode === 3 && (await this.routes.exists(id, signal)))
        throw new ToolError('kernel_refused', 'SiYuan is still indexing', 'wait a little, then try again');
      throw noSuchBlock(id);
    }
    await this.assertVisible(id, info.box, signal);
    // A notebook has a page with its own id, a document to every route (docs/kernel.md#documents-and-notebooks), but not to the user.
    if (id === info.box)
      throw new ToolError('bad_id', `${id} is a notebook`, 'give the id of a document or block; list_docs lists those in it');
    if ((await this.guardedDocuments(info.box, [info.path], signal)).size > 0) throw noSuchBlock(id);
    const notebook = await this.requireNotebook(info.box, need, signal, { grant });
    return {
      id,
      notebook: { id: notebook.id, name: notebook.name },
      documentId: info.rootID,
      documentTitle: info.rootTitle,
      documentPath: info.path,
    };
  }

  async locateDocument(id: string, signal: AbortSignal): Promise<BlockLocation> {
    const place = await this.locate(id, 'read', signal);
    if (id !== place.documentId && (await this.look([id], signal)).get(id)?.readable === false) throw noSuchBlock(id);
    return place;
  }

  async documentsAt(notebook: string, path: string, signal: AbortSignal): Promise<DocumentsAtPath> {
    const ids = await this.routes.idsByPath(notebook, path, signal);
    const places = await this.look(ids, signal);
    const readable = ids.filter((id) => places.get(id)?.readable);
    return { readable, hidden: ids.length - readable.length };
  }

  async unseenAt(notebook: string, path: string, signal: AbortSignal): Promise<readonly string[]> {
    const right = (id: string): NotebookRight => (id === notebook ? 'read' : this.policy.right(id));
    return (await createAccess(this.routes, { ...this.policy, right }).documentsAt(notebook, path, signal)).readable;
  }

  /** A notebook that is not seen gets the same answer as an unknown id. */
  private async assertVisible(id: string, notebook: string, signal: AbortSignal): Promise<void> {
    try {
      await this.requireNotebook(notebook, 'read', signal);
    } catch (error) {
      if (error instanceof ToolError && (error.code === 'not_found' || error.code === 'closed_notebook')) throw noSuchBlock(id);
      throw error;
    }
  }
}

export function createAccess(routes: KernelRoutes, policy: AccessPolicy): Access {
  return new KernelAccess(routes, policy);
}
