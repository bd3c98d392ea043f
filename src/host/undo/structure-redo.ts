import { toToolError } from '../../tools/contract/errors.ts';
import type { Progress } from '../../tools/contract/plans.ts';
import type { UndoConflict } from '../../tools/contract/ports.ts';
import type { UndoReason } from '../../tools/contract/undo-reasons.ts';
import type { StepKind } from '../documents/structure-kind.ts';
import { mayStand, type StructureEntry, type StructureStep, touchedId } from '../journal/structure-journal.ts';

interface StructureRedone {
  readonly restored: string[];
  readonly conflicts: UndoConflict[];
  /** The entry with what is known by now: the copies of documents that were removed again, the notebook that was created again. */
  readonly entry: StructureEntry;
}

interface RedoneSteps {
  readonly notebook: string;
  readonly undone: ReadonlySet<string>;
  readonly progress: Progress | undefined;
}

/** Carries out undone steps again according to the current state, so that repeating it does nothing twice. */
export interface StructureRedo {
  redo(entry: StructureEntry, what: RedoneSteps, signal: AbortSignal): Promise<StructureRedone>;
}

const CHANGED: readonly UndoReason[] = [{ code: 'changed' }];
const GONE: readonly UndoReason[] = [{ code: 'removed' }];
const REFUSED: readonly UndoReason[] = [{ code: 'refused' }];

/** Why a step cannot be carried out now; other errors, such as an unreachable kernel, are rethrown. */
function refusal(error: unknown): readonly UndoReason[] {
  const { code } = toToolError(error);
  if (code === 'not_found' || code === 'closed_notebook') return [{ code: 'parent-gone' }];
  if (code === 'no_right' || code === 'stale' || code === 'raced') return CHANGED;
  throw error;
}

/** As it was approved the first time: rights are checked again, and what the user has closed since stays closed. */
export function createStructureRedo(kinds: StepKind<StructureStep>): StructureRedo {
  async function redoStep(step: StructureStep, notebook: string, signal: AbortSignal): Promise<readonly UndoReason[] | StructureStep> {
    // The old id is gone: what is created again is another notebook with the same name.
    const again: StructureStep = step.kind === 'notebook' && step.op === 'create' ? { ...step, notebook: null } : step;
    const copied: StructureStep =
      again.kind === 'delete' ? { ...again, documents: again.documents.map((each) => ({ ...each, copy: null })) } : again;
    const seen = await kinds.observe(step, signal);
    if (seen.at === 'after') return step;
    if (seen.at === 'gone') return GONE;
    if (seen.at !== 'before') return CHANGED;
    try {
      // The click is the approval, as for Undo.
      await kinds.allow(copied, signal, { notebook, right: 'delete' });
    } catch (error) {
      return refusal(error);
    }
    const done = await kinds.run(copied);
    return (await kinds.observe(done, signal)).at === 'after' ? done : REFUSED;
  }

  return {
    redo: async ({ steps }, { notebook, undone, progress }, signal) => {
      const restored: string[] = [];
      const conflicts: UndoConflict[] = [];
      const known: StructureStep[] = [];
      for (const [index, step] of steps.entries()) {
        progress?.(index, steps.length);
        const wanted = mayStand(step) && undone.has(touchedId(step));
        const result = wanted ? await redoStep(step, notebook, signal) : step;
        if ('kind' in result) known.push(result);
        else known.push(step);
        if (!wanted) continue;
        if ('kind' in result) restored.push(touchedId(result));
        else conflicts.push({ blockId: touchedId(step), reasons: result });
      }
      return { restored, conflicts, entry: { steps: known } };
    },
  };
}
