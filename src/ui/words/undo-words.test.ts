import { describe, expect, it } from 'vitest';
import english from '../../../i18n/en_US.json';
import chinese from '../../../i18n/zh_CN.json';
import { UNDO_REASONS, type UndoReason } from '../../tools/contract/undo-reasons.ts';
import { createTranslate } from '../ports/i18n.ts';
import { reasonsInWords, undoneWords } from './undo-words.ts';

const undo = { blocks: 3, kind: 'exact', undone: true } as const;
const conflict = { blockId: '20260412093011-conf001', reasons: [{ code: 'changed' }] } as const;

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

describe('reasonsInWords', () => {
  const [t, zh] = [createTranslate(english), createTranslate(chinese)];
  const both: readonly UndoReason[] = [
    { code: 'no-copy', title: 'Minutes' },
    { code: 'restored-elsewhere', title: 'Plan' },
  ];

  it('says each in both languages, with what it is about', () => {
    expect(reasonsInWords({ reasons: both }, t)).toBe(
      'SiYuan’s history no longer has a copy of “Minutes”. “Plan” was restored in another place, because the note it was under is gone.',
    );
    expect(reasonsInWords({ reasons: both }, zh)).toBe(
      '思源的历史里已经没有《Minutes》的副本。《Plan》恢复到了别处，因为原来的上级笔记不在了。',
    );
    for (const code of UNDO_REASONS) {
      const all = { reasons: [{ code, title: 'T', detail: 'D' }] };
      expect([code, reasonsInWords(all, t) === '', /[{}]/.test(reasonsInWords(all, t) + reasonsInWords(all, zh))]).toEqual([
        code,
        false,
        false,
      ]);
      if (code !== 'sentence') expect(reasonsInWords(all, zh)).toMatch(/\p{Script=Han}.*。$/u);
    }
  });

  it('shows a sentence of an older version as it is', () => {
    expect(reasonsInWords({ reasons: [{ code: 'sentence', detail: 'changed since it was written; it was left as it is' }] }, zh)).toBe(
      'changed since it was written; it was left as it is',
    );
  });
});
