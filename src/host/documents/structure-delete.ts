import { ToolError } from '../../tools/contract/errors.ts';
import type { UndoReason } from '../../tools/contract/undo-reasons.ts';
import { NEVER } from '../../tools/util/abort.ts';
import type { Access, BlockLocation, OneTimeGrant } from '../access/access.ts';
import type { DeleteStep } from '../journal/structure-journal.ts';
import { KernelRefusal } from '../kernel/kernel-client.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { type DocumentBelow, documentHash, documentState, documentsBelow, findCopies, folderOf, parentOf } from './structure-documents.ts';
import type { Observation, StepDeps, StepKind } from './structure-kind.ts';

/** Everything that is deleted with a document. Rejects with `no_right` if the user hides a document or block in it from the assistant. */
export async function doomedDocuments(
  deps: { readonly routes: KernelRoutes; readonly access: Access },
  root: BlockLocation,
  signal: AbortSignal,
): Promise<readonly DocumentBelow[]> {
  const { routes, access } = deps;
  const notebook = root.notebook.id;
  const below = await documentsBelow(routes, notebook, root.documentPath, signal);
  const guarded = await access.guardedDocuments(
    notebook,
    below.map((each) => each.path),
    signal,
  );
  const holding = await access.documentsWithGuards([root.documentId, ...below.map((each) => each.id)], signal);
  if (guarded.size > 0 || holding.size > 0) {
    throw new ToolError(
      'no_right',
      `a part of ${root.documentId}, or of what is below it, is hidden from the model`,
      'leave it, or ask the user to remove it',
    );
  }
  return [{ id: root.documentId, path: root.documentPath, title: root.documentTitle }, ...below];
}

type DocumentState = 'gone' | 'same' | 'changed';

class DeleteKind implements StepKind<DeleteStep> {
  private readonly deps: StepDeps;

  constructor(deps: StepDeps) {
    this.deps = deps;
  }

  async allow(step: DeleteStep, signal: AbortSignal, grant: OneTimeGrant | undefined): Promise<void> {
    const root = await this.deps.access.locate(step.documentId, 'delete', signal, grant);
    const ids = new Set((await doomedDocuments(this.deps, root, signal)).map((each) => each.id));
    if (ids.size === step.documents.length && step.documents.every((each) => ids.has(each.id))) return;
    throw new ToolError('stale', 'documents were added or removed below it since the plan was made', 'plan it again; nothing was removed');
  }

  async observe(step: DeleteStep, signal: AbortSignal): Promise<Observation> {
    const found: DocumentState[] = [];
    for (const each of step.documents) found.push(await this.find(each, signal));
    const gone = found.filter((each) => each === 'gone').length;
    if (gone === found.length) return { at: 'after', now: null };
    if (gone > 0) return { at: 'partly', now: `${found.length - gone} of ${found.length} documents are there` };
    return { at: found.every((each) => each === 'same') ? 'before' : 'other', now: step.documents[0]?.title ?? '' };
  }

  /** Bottom-up, one at a time: 3.7.3 caches text deleted with its parent, and restoring it from the history writes no file. */
  async run(step: DeleteStep): Promise<DeleteStep> {
    const { structure } = this.deps;
    await structure.checkpoint(step.documentId);
    for (const each of [...step.documents].reverse()) {
      await this.checkEmpty(step, each, NEVER);
      await structure.removeDocument(each.id);
    }
    return this.withCopies(step, NEVER);
  }

  async revert(step: DeleteStep, signal: AbortSignal): Promise<readonly UndoReason[]> {
    const { routes } = this.deps;
    const isOpen = (await routes.notebooks(signal)).some((each) => each.id === step.notebook && !each.closed);
    if (!isOpen) return [{ code: 'notebook-gone' }];
    const problems: UndoReason[] = [];
    for (const each of (await this.withCopies(step, signal)).documents) {
      // There must never be two documents with one id: an existing one stays.
      if (await routes.exists(each.id, signal)) continue;
      if (each.copy === null) {
        problems.push({ code: 'no-copy', title: each.title });
        continue;
      }
      const problem = (await this.restore(step.notebook, each.copy)) ?? (await this.checkRestored(each, signal));
      if (problem) problems.push(problem);
    }
    return problems;
  }

  wordsBefore(step: DeleteStep): string | null {
    return step.documents[0]?.title ?? null;
  }

  /** Documents below are deleted first: a remaining one was created meanwhile, or was not removed. */
  private async checkEmpty(step: DeleteStep, document: DeleteStep['documents'][number], signal: AbortSignal): Promise<void> {
    const left = await this.deps.structure.filesBelow(step.notebook, document.path, signal);
    if (left.length === 0) return;
    if (left.every((file) => step.documents.some((each) => each.id === file.id)))
      throw new ToolError('kernel_refused', `SiYuan did not remove what is below ${document.id}`, 'call list_docs, and tell the user');
    throw new ToolError('raced', `a document was put below ${document.id} while it was removed`, 'call list_docs, and ask the user');
  }

  private async restore(notebook: string, copy: string): Promise<UndoReason | null> {
    try {
      await this.deps.structure.restoreDocument(notebook, copy);
      return null;
    } catch (error) {
      if (!(error instanceof KernelRefusal) || error.code === 'read_only') throw error;
      return { code: 'copy-refused', detail: error.kernelMessage };
    }
  }

  private async find(document: DeleteStep['documents'][number], signal: AbortSignal): Promise<DocumentState> {
    if (!(await documentState(this.deps.routes, document.id, signal))) return 'gone';
    return (await documentHash(this.deps.routes, document.id, signal)) === document.hash ? 'same' : 'changed';
  }

  private async withCopies(step: DeleteStep, signal: AbortSignal): Promise<DeleteStep> {
    const wanted = step.documents.filter((each) => each.copy === null).map((each) => each.path);
    if (wanted.length === 0) return step;
    const copies = await findCopies(this.deps.structure, step.notebook, wanted, signal);
    return { ...step, documents: step.documents.map((each) => ({ ...each, copy: each.copy ?? copies.get(each.path) ?? null })) };
  }

  /** Reads the files too: the kernel answers from memory for a document that it never wrote. */
  private async checkRestored(document: DeleteStep['documents'][number], signal: AbortSignal): Promise<UndoReason | null> {
    const { routes, structure } = this.deps;
    const state = await documentState(routes, document.id, signal);
    const above = state ? `${folderOf(state.path).slice(0, -document.id.length - 1)}.sy` : '';
    const files = state ? await structure.filesBelow(state.place.notebook, above === '.sy' ? '/' : above, signal) : [];
    if (!state || !files.some((each) => each.id === document.id)) return { code: 'not-restored', title: document.title };
    if (parentOf(document.path) === state.place.parent) return null;
    return { code: 'restored-elsewhere', title: document.title };
  }
}

export function createDeleteKind(deps: StepDeps): StepKind<DeleteStep> {
  return new DeleteKind(deps);
}
