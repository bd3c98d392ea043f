import { describe, expect, it } from 'vitest';
import { undoneWords } from './undo-words.ts';

const undo = { blocks: 3, kind: 'exact', undone: true } as const;
const conflict = { blockId: '20260412093011-conf001', reason: 'changed since' };

describe('undoneWords', () => {
  it('says what became of every block', () => {
    expect(undoneWords({ undo, undoReport: { restored: ['a', 'b', 'c'], conflicts: [] } })).toBe('undo.done');
    expect(undoneWords({ undo, undoReport: { restored: ['a'], conflicts: [conflict] } })).toBe('undo.doneInPart');
    expect(undoneWords({ undo, undoReport: { restored: [], conflicts: [conflict] } })).toBe('undo.open');
    expect(undoneWords({ undo: { ...undo, kept: 1 }, undoReport: { restored: ['a', 'b'], conflicts: [] } })).toBe('undo.doneInPart');
    expect(undoneWords({ undo: { ...undo, kept: 3 }, undoReport: { restored: [], conflicts: [] } })).toBe('undo.kept');
  });

  it('says it after a new start too, when only the journal knows', () => {
    expect(undoneWords({ undo })).toBe('undo.done');
    expect(undoneWords({ undo: { ...undo, kept: 3 } })).toBe('undo.kept');
    expect(undoneWords({ undo: { ...undo, kept: 2 } })).toBe('undo.doneInPart');
  });
});
