import { ToolError } from '../../tools/contract/errors.ts';
import type { NotebookRight } from '../../tools/contract/notebook-right.ts';
import type { UndoReason } from '../../tools/contract/undo-reasons.ts';
import type { OneTimeGrant } from '../access/access.ts';
import type { NotebookStep } from '../journal/structure-journal.ts';
import { GONE, type Observation, observed, type StepDeps, type StepKind } from './structure-kind.ts';

/** Closed notebooks can only be opened: 3.7.3 refuses to rename them, and hidden content in them cannot be checked. */
export const NOTEBOOK_RULES: Readonly<Record<NotebookStep['op'], { readonly need: NotebookRight; readonly closedToo: boolean }>> = {
  create: { need: 'read', closedToo: false },
  rename: { need: 'write', closedToo: false },
  open: { need: 'write', closedToo: true },
  close: { need: 'write', closedToo: true },
  remove: { need: 'delete', closedToo: false },
};

/** A notebook goes with everything in it: refused if the user hides any of it from the assistant. */
export async function requireUnguarded({ routes }: Pick<StepDeps, 'routes'>, notebook: string, signal: AbortSignal): Promise<void> {
  await routes.flushIndex(signal);
  const rows = await routes.sql(
    `SELECT block_id FROM attributes WHERE name = 'custom-ai-access' AND trim(value) = 'none' AND box = '${notebook}' LIMIT 1`,
    signal,
  );
  if (rows.length > 0)
    throw new ToolError('no_right', 'a part of this notebook is hidden from the model', 'leave it, or ask the user to remove it');
}

class NotebookKind implements StepKind<NotebookStep> {
  private readonly deps: StepDeps;

  constructor(deps: StepDeps) {
    this.deps = deps;
  }

  async allow(step: NotebookStep, signal: AbortSignal, grant: OneTimeGrant | undefined): Promise<void> {
    this.deps.access.requireNotebooks();
    if (step.notebook === null) return;
    const { need, closedToo } = NOTEBOOK_RULES[step.op];
    await this.deps.access.requireNotebook(step.notebook, need, signal, { closedToo, grant });
    if (step.op === 'remove') await requireUnguarded(this.deps, step.notebook, signal);
  }

  async observe(step: NotebookStep, signal: AbortSignal): Promise<Observation> {
    const all = await this.deps.routes.notebooks(signal);
    const id = step.notebook ?? this.created(step, all);
    const found = all.find((each) => each.id === id);
    const now = found?.name ?? null;
    const judge = (before: boolean, after: boolean): Observation => ({ at: observed(before, after), now });
    if (step.op === 'create') return judge(!found, found?.name === step.after);
    if (step.op === 'remove') return judge(found !== undefined, !found);
    if (!found) return GONE;
    if (step.op === 'rename') return judge(found.name === step.before, found.name === step.after);
    return judge(found.closed === (step.op === 'open'), true);
  }

  async run(step: NotebookStep): Promise<NotebookStep> {
    const { structure } = this.deps;
    if (step.op === 'create') return { ...step, notebook: await structure.createNotebook(step.after ?? '') };
    const id = step.notebook ?? '';
    if (step.op === 'rename') await structure.renameNotebook(id, step.after ?? '');
    else if (step.op === 'open') await structure.openNotebook(id);
    else if (step.op === 'close') await structure.closeNotebook(id);
    else await structure.removeNotebook(id);
    return step;
  }

  async revert(step: NotebookStep, signal: AbortSignal): Promise<readonly UndoReason[]> {
    const { structure } = this.deps;
    if (step.op === 'remove') return [{ code: 'notebook-removed' }];
    if (step.op === 'create') return this.removeCreated(step, signal);
    const id = step.notebook ?? '';
    if (step.op === 'rename') await structure.renameNotebook(id, step.before ?? '');
    else if (step.op === 'open') await structure.closeNotebook(id);
    else await structure.openNotebook(id);
    return [];
  }

  wordsBefore(step: NotebookStep): string | null {
    return step.before;
  }

  /** After a lost answer: the only notebook with that name that did not exist before. */
  private created(step: NotebookStep, all: readonly { readonly id: string; readonly name: string }[]): string | undefined {
    const fresh = all.filter((each) => each.name === step.after && !step.others.includes(each.id));
    return fresh.length === 1 ? fresh[0]?.id : undefined;
  }

  private async removeCreated(step: NotebookStep, signal: AbortSignal): Promise<readonly UndoReason[]> {
    const { routes, structure } = this.deps;
    const all = await routes.notebooks(signal);
    const id = step.notebook ?? this.created(step, all);
    const found = all.find((each) => each.id === id);
    if (!found) return [];
    if (found.closed) return [{ code: 'notebook-closed' }];
    if ((await structure.filesBelow(found.id, '/', signal)).some((each) => each.id !== found.id)) return [{ code: 'notebook-filled' }];
    // A notebook has a page of its own in 3.7.3.
    const page = (await routes.exists(found.id, signal)) ? await routes.children(found.id, signal) : [];
    if (page.some((block) => block.type !== 'p' || `${block.content}${block.markdown}`.trim() !== '')) return [{ code: 'notebook-page' }];
    await structure.removeNotebook(found.id);
    return [];
  }
}

export function createNotebookKind(deps: StepDeps): StepKind<NotebookStep> {
  return new NotebookKind(deps);
}
