import type { UndoKind } from '../../../../tools/contract/plans.ts';
import type { UndoReport, UndoState, WriteHistory } from '../../../../tools/contract/ports.ts';

function mergeStates(one: UndoState, other: UndoState): UndoState {
  if (one.blocks === 0) return other.blocks === 0 ? one : other;
  if (other.blocks === 0) return one;
  const kind: UndoKind = one.kind === other.kind ? one.kind : 'partial';
  const [kept, files] = [(one.kept ?? 0) + (other.kept ?? 0), (one.files ?? 0) + (other.files ?? 0)];
  const redo = (one.redo ?? 0) + (other.redo ?? 0);
  return {
    blocks: one.blocks + other.blocks,
    kind,
    undone: one.undone && other.undone,
    redo: redo > 0 ? redo : undefined,
    files: files > 0 ? files : undefined,
    kept: kept > 0 ? kept : undefined,
    // A file that changed since is checked again: only notes leave conflicts to decide.
    report: one.report,
  };
}

const joinedReport = (one: UndoReport, other: UndoReport): UndoReport => ({
  restored: [...one.restored, ...other.restored],
  conflicts: [...one.conflicts, ...other.conflicts],
});

/** Combines the history of a message's writes to notes and files: its Undo reverts both. */
export function joinHistories(notes: WriteHistory, files: WriteHistory): WriteHistory {
  return {
    state: async (...call) => mergeStates(await notes.state(...call), await files.state(...call)),
    undo: async (...call) => joinedReport(await notes.undo(...call), await files.undo(...call)),
    redo: async (...call) => joinedReport(await notes.redo(...call), await files.redo(...call)),
    changes: async (...call) => [...(await notes.changes(...call)), ...(await files.changes(...call))],
    // Only conflicts about blocks can be decided.
    resolve: (...choice) => notes.resolve(...choice),
  };
}
