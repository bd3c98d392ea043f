import { describe, expect, it } from 'vitest';
import type { PlanOperation } from '../contract/plans.ts';
import { changeWords, pathWords, positionWords, subjectWords } from './place-words.ts';

const operation = (patch: Partial<PlanOperation>): PlanOperation => ({
  ...{ id: 'o', action: 'update', blockId: 'b', blockType: 'p', before: null, after: null, requires: [] },
  ...patch,
});

describe('places in words', () => {
  it('quotes a name that looks like a path', () => {
    expect(pathWords(['Projects', 'Apollo'])).toBe('Projects › Apollo');
    expect(pathWords(['Projects › Trash', 'a/b', 'Apollo'])).toBe('"Projects › Trash" › "a/b" › Apollo');
    expect(pathWords(['A" › "B'])).toBe('"A\\" › \\"B"');
  });

  it('says where in it', () => {
    expect(positionWords({ path: ['Apollo'], at: 'end' })).toBe('Apollo, at the end');
    expect(positionWords({ path: ['Apollo', 'Plan'], at: 'after', block: { type: 'p', words: 'a, at the end' } })).toBe(
      'Apollo › Plan, after "a, at the end"',
    );
    expect(positionWords({ path: ['Apollo'], at: 'start', block: { type: 'l', words: '' } })).toBe('Apollo, at the start of a block');
  });

  it('tells each attribute as a value of its own', () => {
    const attributes = [
      { name: 'memo', before: null, after: 'A' },
      { name: 'custom-z', before: 'x', after: 'ok\nmemo = B' },
    ];
    expect(changeWords(operation({ action: 'set-attributes', attributes }))).toBe('memo: none → "A", custom-z: "x" → "ok\\nmemo = B"');
    expect(subjectWords(operation({ action: 'set-attributes', attributes, after: 'custom-z = ok' }))).toBe('memo, custom-z');
  });

  it('reads nothing out of the words of a record that has nothing else', () => {
    expect(changeWords(operation({ action: 'move', from: 'A › B', to: 'C' }))).toBe('A › B → C');
    expect(changeWords(operation({ before: 'x', after: 'y' }))).toBeUndefined();
    expect(subjectWords(operation({ action: 'delete-document', path: { before: ['Work', 'A › B'], after: null } }))).toBe('A › B');
  });
});
