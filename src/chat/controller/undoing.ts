import type { Progress } from '../../tools/contract/plans.ts';
import type { UndoConflict, UndoReport, UndoState } from '../../tools/contract/ports.ts';
import type { ProgressCount } from '../../tools/contract/types.ts';
import type { MessageExtras } from '../view/view.ts';

/** Of a block that Undo left alone; `shown` is what the person saw of it. */
export type ConflictChoice = readonly [blockId: string, choice: 'undo' | 'keep', shown: string | null | undefined];

/** How the writes of one answer or one call are undone. */
interface UndoSource {
  readonly state: () => Promise<UndoState>;
  readonly undo: (progress: Progress) => Promise<UndoReport>;
  readonly redo: (progress: Progress) => Promise<UndoReport>;
  readonly resolve: (...choice: ConflictChoice) => Promise<UndoReport>;
}

/** Undoes and redoes the writes of one answer or one call; what is shown of that is in `extras`. Rejects like the journal. */
export class Undoing {
  private readonly source: UndoSource;
  private readonly extras: { readonly get: () => MessageExtras; readonly set: (extras: MessageExtras) => void };

  constructor(source: UndoSource, extras: Undoing['extras']) {
    this.source = source;
    this.extras = extras;
  }

  async undo(): Promise<UndoReport> {
    const undoReport = await this.counted(this.source.undo);
    this.extras.set({ undo: await this.source.state(), undoReport });
    return undoReport;
  }

  async redo(): Promise<void> {
    const redoReport = await this.counted(this.source.redo);
    this.extras.set({ undo: await this.source.state(), redoReport });
  }

  /** Decides about a block that `undo` left alone; its conflict is then gone, unless the journal answers with a new one. */
  async resolve(...choice: ConflictChoice): Promise<void> {
    const settled = await this.source.resolve(...choice);
    const undo = await this.source.state();
    const known = this.extras.get().undoReport;
    this.extras.set({ undo, undoReport: known ? withSettled(known, settled, choice[0]) : settled });
  }

  /** Shows how far the work is while it runs; one write is over too soon to be counted. */
  private async counted<T>(work: (progress: Progress) => Promise<T>): Promise<T> {
    const show = (undoCount?: ProgressCount): void => {
      const { undoCount: _before, ...extras } = this.extras.get();
      this.extras.set(undoCount ? { ...extras, undoCount } : extras);
    };
    try {
      return await work((done, total) => {
        if (total > 1) show({ done, total });
      });
    } finally {
      show();
    }
  }
}

function withSettled(known: UndoReport, settled: UndoReport, blockId: string): UndoReport {
  const settledIds = new Set([blockId, ...settled.conflicts.map((conflict) => conflict.blockId)]);
  const open = (conflict: UndoConflict): boolean => !settledIds.has(conflict.blockId);
  return {
    restored: [...new Set([...known.restored, ...settled.restored])],
    conflicts: [...known.conflicts.filter(open), ...settled.conflicts],
  };
}
