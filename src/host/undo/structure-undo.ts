import type { Progress } from '../../tools/contract/plans.ts';
import type { UndoConflict } from '../../tools/contract/ports.ts';
import type { UndoReason } from '../../tools/contract/undo-reasons.ts';
import { GONE, type Observation } from '../documents/structure-kind.ts';
import type { StepKinds } from '../documents/structure-steps.ts';
import { isOnBlock, mayStand, type StructureEntry, type StructureStep, touchedId } from '../journal/structure-journal.ts';
import { NEWER_FIRST } from './later-writes.ts';

interface StructureUndoResult {
  readonly restored: string[];
  readonly conflicts: UndoConflict[];
}

/** The user's choice to undo anyway, and the state that was shown then. */
export interface ChosenUndo {
  readonly blockId: string;
  /** Null for gone; undefined if nothing was shown. */
  readonly shown: string | null | undefined;
}

interface UndoManner {
  /** Only this, which the user chose to restore over later changes. */
  readonly over?: ChosenUndo;
  /** Tells if another write, not undone, changed the same since. */
  readonly isChangedLater: (step: StructureStep) => boolean;
  readonly progress?: Progress | undefined;
}

/** Undoes steps of a write according to the current state, so that a second undo, or one after a crash, does nothing twice. */
export interface StructureUndo {
  undo(entry: StructureEntry, signal: AbortSignal, how: UndoManner): Promise<StructureUndoResult>;
}

const CHANGED: readonly UndoReason[] = [{ code: 'changed' }];
const REMOVED: readonly UndoReason[] = [{ code: 'removed' }];

/** Blocks that must not hold the caret during undo. */
export const structureBlocks = (entry: StructureEntry): readonly string[] =>
  entry.steps.flatMap((step) => (isOnBlock(step) && mayStand(step) ? [step.blockId] : []));

export function createStructureUndo(kinds: StepKinds): StructureUndo {
  /** The reason to leave it as it is; undefined if it has to be reverted. */
  function judge(step: StructureStep, seen: Observation, { over, isChangedLater }: UndoManner): UndoConflict | 'done' | undefined {
    const blockId = touchedId(step);
    const choice = choiceOf(step, seen);
    // The Undo of the write that restored it would leave it as this step made it.
    if (seen.at === 'before') return isChangedLater(step) ? { blockId, reasons: NEWER_FIRST, ...choice } : 'done';
    if (seen.at === 'gone') return { blockId, reasons: REMOVED };
    // For a deletion "other" means that everything exists again and something in it was changed. There is nothing to restore.
    if (seen.at === 'other' && (over?.shown !== seen.now || step.kind === 'delete'))
      return step.kind === 'delete' ? { blockId, reasons: CHANGED } : { blockId, reasons: CHANGED, ...choice };
    return undefined;
  }

  const choiceOf = (step: StructureStep, { now }: Observation) => ({ now, before: kinds.wordsBefore(step), isWords: true }) as const;

  async function undoBatch(
    batch: readonly StructureStep[],
    how: UndoManner,
    signal: AbortSignal,
  ): Promise<readonly (UndoConflict | 'restored' | 'done')[]> {
    const seen = await kinds.joined.observe(batch, signal);
    const judged = batch.map((step, index) => judge(step, seen[index] ?? GONE, how));
    const wanted = batch.filter((_step, index) => judged[index] === undefined);
    const problems = wanted.length > 0 ? await kinds.joined.revert(wanted, signal) : [];
    const after = wanted.length > 0 ? await kinds.joined.observe(wanted, signal) : [];
    return batch.map((step, index) => {
      const blockId = touchedId(step);
      const at = wanted.indexOf(step);
      if (at < 0) return judged[index] ?? 'done';
      const reasons = problems[at] ?? [];
      // An obstacle may be removed and the undo tried again; only a removed notebook cannot be restored.
      const isFinal = step.kind === 'notebook' && step.op === 'remove';
      if (reasons.length > 0) return { blockId, reasons, ...(isFinal ? {} : choiceOf(step, seen[index] ?? GONE)) };
      return after[at]?.at === 'before' ? 'restored' : { blockId, reasons: [{ code: 'refused' }] };
    });
  }

  return {
    undo: async (entry, signal, how) => {
      const { over } = how;
      const restored: string[] = [];
      const conflicts: UndoConflict[] = [];
      const steps = entry.steps.filter((step) => mayStand(step) && (!over || over.blockId === touchedId(step)));
      let count = 0;
      for (const batch of kinds.batches(steps.reverse())) {
        how.progress?.(count, steps.length);
        for (const [index, result] of (await undoBatch(batch, how, signal)).entries()) {
          const step = batch[index];
          if (result === 'restored' && step) restored.push(touchedId(step));
          else if (typeof result === 'object') conflicts.push(result);
        }
        count += batch.length;
      }
      return { restored, conflicts };
    },
  };
}
