import { describe, expect, it } from 'vitest';
import english from '../../../i18n/en_US.json';
import chinese from '../../../i18n/zh_CN.json';
import { UNDO_REASONS, type UndoReason } from '../../tools/contract/undo-reasons.ts';
import { createTranslate } from '../ports/i18n.ts';
import { reasonsLabel, saidOfUndo, undoneLabel } from './undo-labels.ts';

const undo = { blocks: 3, kind: 'exact', undone: true } as const;
const conflict = { blockId: '20260412093011-conf001', reasons: [{ code: 'changed' }] } as const;

describe('undoneLabel', () => {
  it('says what became of every block', () => {
    expect(undoneLabel({ undo, undoReport: { restored: ['a', 'b', 'c'], conflicts: [] } })).toBe('undo.done');
    expect(undoneLabel({ undo, undoReport: { restored: ['a'], conflicts: [conflict] } })).toBe('undo.doneInPart');
    expect(undoneLabel({ undo, undoReport: { restored: [], conflicts: [conflict] } })).toBe('undo.open');
    expect(undoneLabel({ undo: { ...undo, kept: 1 }, undoReport: { restored: ['a', 'b'], conflicts: [] } })).toBe('undo.doneInPart');
    expect(undoneLabel({ undo: { ...undo, kept: 3 }, undoReport: { restored: [], conflicts: [] } })).toBe('undo.kept');
  });

  it('says it after a new start too, when only the journal knows', () => {
    expect(undoneLabel({ undo })).toBe('undo.done');
    expect(undoneLabel({ undo: { ...undo, kept: 3 } })).toBe('undo.kept');
    expect(undoneLabel({ undo: { ...undo, kept: 2 } })).toBe('undo.doneInPart');
    expect(undoneLabel({ undo: { ...undo, report: { restored: ['a'], conflicts: [conflict] } } })).toBe('undo.doneInPart');
    expect(undoneLabel({ undo: { ...undo, report: { restored: [], conflicts: [conflict] } } })).toBe('undo.open');
  });
});

describe('saidOfUndo', () => {
  it('says what was undone, and also when nothing was', () => {
    expect(saidOfUndo({ undo, undoReport: { restored: ['a'], conflicts: [] } })).toBe('said.undone');
    expect(saidOfUndo({ undo, undoReport: { restored: ['a'], conflicts: [conflict] } })).toBe('said.undoneInPart');
    expect(saidOfUndo({ undo: { ...undo, undone: false }, undoReport: { restored: [], conflicts: [conflict] } })).toBe('said.notUndone');
    expect(saidOfUndo({ undo: { ...undo, undone: false } })).toBeUndefined();
  });
});

describe('reasonsLabel', () => {
  const [t, zh] = [createTranslate(english), createTranslate(chinese)];
  const both: readonly UndoReason[] = [
    { code: 'no-copy', title: 'Minutes' },
    { code: 'restored-elsewhere', title: 'Plan' },
  ];

  it('says each in both languages, with what it is about', () => {
    expect(reasonsLabel({ reasons: both }, t)).toBe(
      'SiYuan’s history no longer has a copy of “Minutes”. “Plan” was restored in another place, because the note it was under is gone.',
    );
    expect(reasonsLabel({ reasons: both }, zh)).toBe(
      '思源的历史里已经没有《Minutes》的副本。《Plan》恢复到了别处，因为原来的上级笔记不在了。',
    );
    for (const code of UNDO_REASONS) {
      const all = { reasons: [{ code, title: 'T', detail: 'D' }] };
      expect([code, reasonsLabel(all, t) === '', /[{}]/.test(reasonsLabel(all, t) + reasonsLabel(all, zh))]).toEqual([code, false, false]);
      expect(reasonsLabel(all, zh)).toMatch(/\p{Script=Han}.*。$/u);
    }
  });
});
