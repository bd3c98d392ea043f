import { describe, expect, it } from 'vitest';
import type { UndoState, WriteHistory } from '../../../../tools/contract/ports.ts';
import { joinHistories } from './joined-history.ts';

const NOTHING: UndoState = { blocks: 0, kind: 'none', undone: false };

function history(state: UndoState, name: string): WriteHistory {
  const report = { restored: [name], conflicts: [{ blockId: name, reasons: [{ code: 'changed' as const }] }] };
  return {
    state: async (_sessionId, _nodeId, callId) => (callId === 'other' ? NOTHING : state),
    undo: async () => report,
    redo: async () => report,
    changes: async () => [],
    resolve: async () => report,
  };
}
const stateOf = (notes: UndoState, files: UndoState) => joinHistories(history(notes, 'note'), history(files, 'file')).state('s', 'n');

describe('a message that wrote to notes and to files', () => {
  it('has one Undo, as strong as both, done when both are', async () => {
    const notes: UndoState = { blocks: 2, kind: 'exact', undone: false };
    const files: UndoState = { blocks: 1, files: 1, kind: 'exact', undone: true };
    expect(await stateOf(notes, files)).toEqual({ blocks: 3, files: 1, kind: 'exact', undone: false });
    expect(await stateOf({ ...notes, kind: 'partial', kept: 1, undone: true }, files)).toMatchObject({
      kind: 'partial',
      kept: 1,
      undone: true,
    });
    const report = { restored: ['a'], conflicts: [{ blockId: 'b', reasons: [{ code: 'changed' as const }] }] };
    expect(await stateOf({ ...notes, undone: true, report }, files)).toMatchObject({ undone: true, report });
    expect(await stateOf(notes, NOTHING)).toBe(notes);
    expect(await stateOf(NOTHING, files)).toBe(files);
    // Of one call alone, in both.
    expect(await joinHistories(history(notes, 'note'), history(files, 'file')).state('s', 'n', 'other')).toBe(NOTHING);
  });

  it('undoes both, and tells of what was left alone in either', async () => {
    const joined = joinHistories(history(NOTHING, 'note'), history(NOTHING, 'file'));
    const report = await joined.undo('s', 'n', new AbortController().signal);
    expect(report.restored).toEqual(['note', 'file']);
    expect(report.conflicts.map(({ blockId }) => blockId)).toEqual(['note', 'file']);
  });
});
