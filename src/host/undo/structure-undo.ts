import type { Progress } from '../../tools/contract/plans.ts';
import type { UndoConflict } from '../../tools/contract/ports.ts';
import type { UndoReason } from '../../tools/contract/undo-reasons.ts';
import type { Observation, StepKind } from '../documents/structure-kind.ts';
import { isOnBlock, mayStand, type StructureEntry, type StructureStep, touchedId } from '../journal/structure-journal.ts';
import { NEWER_FIRST } from './later-writes.ts';

interface StructureUndoResult {
  readonly restored: string[];
  readonly conflicts: UndoConflict[];
}

/** What the user chose to undo anyway, and the state that was shown then. */
export interface ChosenUndo {
  readonly blockId: string;
  /** Null for gone; undefined if nothing was shown. */
  readonly shown: string | null | undefined;
}

interface UndoManner {
  /** Only this, which the user chose to restore over later changes. */
  readonly over?: ChosenUndo;
  /** Whether another write, not undone, changed the same since. */
  readonly isChangedLater: (step: StructureStep) => boolean;
  readonly progress?: Progress | undefined;
}

/** Undoes steps of a write according to the current state, so that a second undo, or one after a crash, does nothing twice. */
export interface StructureUndo {
  undo(entry: StructureEntry, signal: AbortSignal, how: UndoManner): Promise<StructureUndoResult>;
}

const CHANGED: readonly UndoReason[] = [{ code: 'changed' }];
const GONE: readonly UndoReason[] = [{ code: 'removed' }];

/** Blocks that must not hold the caret during undo. */
export const structureBlocks = (entry: StructureEntry): readonly string[] =>
  entry.steps.flatMap((step) => (isOnBlock(step) && mayStand(step) ? [step.blockId] : []));

export function createStructureUndo(kinds: StepKind<StructureStep>): StructureUndo {
  async function undoStep(
    step: StructureStep,
    { over, isChangedLater }: UndoManner,
    signal: AbortSignal,
  ): Promise<UndoConflict | 'restored' | 'done'> {
    const blockId = touchedId(step);
    const seen = await kinds.observe(step, signal);
    const choice = { now: seen.now, before: kinds.wordsBefore(step), isWords: true } as const;
    // The Undo of the write that restored it would leave it as this step made it.
    if (seen.at === 'before') return isChangedLater(step) ? { blockId, reasons: NEWER_FIRST, ...choice } : 'done';
    if (seen.at === 'gone') return { blockId, reasons: GONE };
    // For a deletion "other" means that everything exists again and something in it was changed. There is nothing to restore.
    if (seen.at === 'other' && (over?.shown !== seen.now || step.kind === 'delete'))
      return step.kind === 'delete' ? { blockId, reasons: CHANGED } : { blockId, reasons: CHANGED, ...choice };
    const problems = await kinds.revert(step, signal);
    // An obstacle may be removed and the undo tried again; only a removed notebook cannot be restored.
    const isFinal = step.kind === 'notebook' && step.op === 'remove';
    if (problems.length > 0) return { blockId, reasons: problems, ...(isFinal ? {} : choice) };
    const after: Observation = await kinds.observe(step, signal);
    return after.at === 'before' ? 'restored' : { blockId, reasons: [{ code: 'refused' }] };
  }

  return {
    undo: async (entry, signal, how) => {
      const { over } = how;
      const restored: string[] = [];
      const conflicts: UndoConflict[] = [];
      const steps = entry.steps.filter((step) => mayStand(step) && (!over || over.blockId === touchedId(step)));
      for (const [index, step] of steps.reverse().entries()) {
        how.progress?.(index, steps.length);
        const result = await undoStep(step, how, signal);
        if (result === 'restored') restored.push(touchedId(step));
        else if (result !== 'done') conflicts.push(result);
      }
      return { restored, conflicts };
    },
  };
}
