import { toToolError } from '../../tools/contract/errors.ts';
import type { Progress } from '../../tools/contract/plans.ts';
import type { UndoConflict } from '../../tools/contract/ports.ts';
import type { UndoReason } from '../../tools/contract/undo-reasons.ts';
import { GONE, type Observation } from '../documents/structure-kind.ts';
import type { StepKinds } from '../documents/structure-steps.ts';
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
const REMOVED: readonly UndoReason[] = [{ code: 'removed' }];
const REFUSED: readonly UndoReason[] = [{ code: 'refused' }];

/** Why a step cannot be carried out now; other errors, such as an unreachable kernel, are rethrown. */
function refusal(error: unknown): readonly UndoReason[] {
  const { code } = toToolError(error);
  if (code === 'not_found' || code === 'closed_notebook') return [{ code: 'parent-gone' }];
  if (code === 'no_right' || code === 'stale' || code === 'raced') return CHANGED;
  throw error;
}

/** The old id is gone: what is created again is another notebook with the same name, with new copies. */
function toDoAgain(step: StructureStep): StructureStep {
  if (step.kind === 'notebook' && step.op === 'create') return { ...step, notebook: null };
  return step.kind === 'delete' ? { ...step, documents: step.documents.map((each) => ({ ...each, copy: null })) } : step;
}

/** Why nothing is done for a step that is seen like this; undefined if it is to be carried out. */
function stands(step: StructureStep, { at }: Observation = GONE): RedoneStep | undefined {
  if (at === 'after') return step;
  if (at === 'gone') return REMOVED;
  return at === 'before' ? undefined : CHANGED;
}

type RedoneStep = readonly UndoReason[] | StructureStep;

/** As it was approved the first time: rights are checked again, and what the user has closed since stays closed. */
export function createStructureRedo({ batches, joined }: Pick<StepKinds, 'batches' | 'joined'>): StructureRedo {
  async function redoBatch(batch: readonly StructureStep[], notebook: string, signal: AbortSignal): Promise<readonly RedoneStep[]> {
    const seen = await joined.observe(batch, signal);
    const known = batch.map((step, index) => stands(step, seen[index]));
    const wanted = batch.filter((_step, index) => known[index] === undefined).map(toDoAgain);
    if (wanted.length === 0) return known.map((each) => each ?? CHANGED);
    try {
      // The click is the approval, as for Undo.
      await joined.allow(wanted, signal, { notebook, right: 'delete' });
    } catch (error) {
      const reasons = refusal(error);
      return known.map((each) => each ?? reasons);
    }
    const done = await joined.run(wanted);
    const after = await joined.observe(done, signal);
    const redone = done.map((step, index) => (after[index]?.at === 'after' ? step : REFUSED));
    return known.map((each) => each ?? redone.shift() ?? REFUSED);
  }

  return {
    redo: async ({ steps }, { notebook, undone, progress }, signal) => {
      const restored: string[] = [];
      const conflicts: UndoConflict[] = [];
      const known = new Map<StructureStep, StructureStep>();
      const wanted = steps.filter((step) => mayStand(step) && undone.has(touchedId(step)));
      let count = 0;
      for (const batch of batches(wanted)) {
        progress?.(count, wanted.length);
        for (const [index, result] of (await redoBatch(batch, notebook, signal)).entries()) {
          const step = batch[index];
          if (!step) continue;
          if ('kind' in result) {
            known.set(step, result);
            restored.push(touchedId(result));
          } else conflicts.push({ blockId: touchedId(step), reasons: result });
        }
        count += batch.length;
      }
      return { restored, conflicts, entry: { steps: steps.map((step) => known.get(step) ?? step) } };
    },
  };
}
